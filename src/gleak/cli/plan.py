"""``gleak plan``: how many samples are enough."""

import json as json_module
from math import sqrt
from pathlib import Path
from typing import Annotated, Any

import typer

from gleak.cli.output import JsonTarget, check_targets, emit
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
    low: Annotated[
        float | None, typer.Option(help="The smallest gain.  [default: the pilot's, or 0]")
    ] = None,
    high: Annotated[
        float | None, typer.Option(help="The largest gain.  [default: the pilot's, or 1]")
    ] = None,
    guesses: Annotated[
        int | None, typer.Option(help="How many guesses there are.  [default: the pilot's, or 2]")
    ] = None,
    observables: Annotated[
        int | None,
        typer.Option(help="How many different observables.  [default: the pilot's, or 2]"),
    ] = None,
    json: JsonTarget = None,
) -> None:
    """How many samples make an estimate as precise as wanted."""
    from gleak.planning import plan as planned
    from gleak.report.plan_text import plan_report

    check_targets([json])
    given = {
        "vulnerability": vulnerability, "deviation": deviation, "low": low, "high": high,
        "guesses": guesses, "observables": observables,
    }  # fmt: skip
    known = {} if pilot is None else _of_pilot(pilot)
    known |= {name: value for name, value in given.items() if value is not None}
    found = planned(precision, confidence=confidence, **known)
    emit([found], json, lambda: plan_report(found))


def _of_pilot(path: str) -> dict[str, Any]:
    """What a plan can take from an earlier estimate."""
    from gleak.files import existing, read_text

    text = read_text(existing(Path(path), (".json",)))
    try:
        document = json_module.loads(text)
        payoff = document["payoff"]
        found = {name: float(payoff[name]) for name in ("low", "high", "deviation")}
        found |= {
            "vulnerability": float(document["vulnerability"]["estimate"]),
            "guesses": payoff["guesses"],
            "observables": int(document["samples"]["distinct_observables"]),
        }
    except (ValueError, KeyError, TypeError) as error:
        raise InputError.must(
            "a pilot", "the JSON of one estimate", f"none: {error!r}", where=path,
            remedy="write it with gleak estimate --json FILE",
        ) from None  # fmt: skip
    away = found["vulnerability"] - found["low"], found["high"] - found["vulnerability"]
    found["deviation"] = min(found["deviation"], sqrt(max(0.0, away[0] * away[1])))
    return {name: value for name, value in found.items() if value is not None}
