"""``gleak exact``: exact figures of a known channel."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleak.cli.output import JsonTarget, emit

if TYPE_CHECKING:
    from gleak.channel import Channel


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
    from gleak.exact_answers import exact as exact_figures
    from gleak.report.text import exact_report

    known = _read_channel(channel, prior)
    results = exact_figures(known, gain or ["bayes"])
    emit(results, json, lambda: exact_report(known, results, Path(prior).name))


def _read_channel(path: str, prior: str) -> "Channel":
    from gleak.channel import Channel
    from gleak.labels import locate
    from gleak.secrets_file import align_prior, read_secrets

    known = Channel.read(path)
    if prior == "uniform":
        return known
    if "." not in prior:
        from gleak.errors import InputError

        raise InputError.must("the prior", "'uniform' or a file of secrets", repr(prior))
    table = read_secrets(prior)
    weights = align_prior(table, known.secrets, where=prior)
    places = locate(known.secrets.tolist(), table.secrets, "the prior")
    attributes = {name: values[places] for name, values in table.attributes.items()}
    return Channel(known.matrix, weights, known.secrets, known.observables, attributes=attributes)
