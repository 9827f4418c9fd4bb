"""``gleak plan``: how many samples are enough."""

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from gleak.cli.output import JsonTarget, emit
from gleak.errors import InputError


def plan(
    precision: Annotated[float, typer.Option(help="How far the proven lower side may be below.")],
    confidence: Annotated[float, typer.Option(help="Of the claim.")] = 0.95,
    vulnerability: Annotated[
        float | None, typer.Option(help="What the attacker is expected to win.")
    ] = None,
    deviation: Annotated[
        float | None, typer.Option(help="The standard deviation of its gains.")
    ] = None,
    pilot: Annotated[
        str | None, typer.Option(metavar="FILE", help="The JSON of an earlier estimate.")
    ] = None,
    low: Annotated[float, typer.Option(help="The smallest gain.")] = 0.0,
    high: Annotated[float, typer.Option(help="The largest gain.")] = 1.0,
    guesses: Annotated[int, typer.Option(help="How many guesses there are.")] = 2,
    observables: Annotated[int, typer.Option(help="How many different observables.")] = 2,
    json: JsonTarget = None,
) -> None:
    """How many samples make an estimate as precise as wanted."""
    from gleak.planning import plan as planned
    from gleak.report.plan_text import plan_report

    if pilot is not None:
        vulnerability = _of_pilot(pilot)
    found = planned(
        precision, confidence=confidence, vulnerability=vulnerability, deviation=deviation,
        low=low, high=high, guesses=guesses, observables=observables,
    )  # fmt: skip
    emit([found], json, lambda: plan_report(found))


def _of_pilot(path: str) -> float:
    from gleak.files import existing, read_text

    text = read_text(existing(Path(path), (".json",)))
    try:
        return float(json_module.loads(text)["vulnerability"]["estimate"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError.must(
            "a pilot", "the JSON of one estimate", f"none: {error!r}", where=path,
            remedy="write it with gleak estimate --json FILE",
        ) from None  # fmt: skip
