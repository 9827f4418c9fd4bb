"""``gleak exact``: exact figures of a known channel."""

from pathlib import Path
from typing import Annotated

import typer

from gleak.cli.output import JsonTarget, check_targets, emit
from gleak.cli.priors import under_prior


def exact(
    channel: Annotated[
        str,
        typer.Argument(
            metavar="CHANNEL",
            help="CSV, TSV, NPY or NPZ: a row per secret, a column per observable.",
        ),
    ],
    gain: Annotated[
        list[str] | None,
        typer.Option(
            help="What the attacker is after: bayes, tries:K, partition:COL, distance:SCALE, "
            "FILE.csv or module:function. May be repeated."
        ),
    ] = None,
    prior: Annotated[
        str, typer.Option(help="'uniform', or a CSV of secrets with a column 'prior'.")
    ] = "uniform",
    json: JsonTarget = None,
) -> None:
    """Exact figures of a known channel."""
    from gleak.channel import Channel
    from gleak.exact_answers import exact as exact_figures
    from gleak.report.text import exact_report

    check_targets([json])
    known = under_prior(Channel.read(channel), prior)
    results = exact_figures(known, gain or ["bayes"])
    emit(results, json, lambda: exact_report(known, results, Path(prior).name))
