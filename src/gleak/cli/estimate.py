"""``gleak estimate``: the strongest attacker found in recorded samples, and what is proven."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gleak.cli.command import command_of
from gleak.cli.output import JsonTarget, emit
from gleak.cli.progress import watched

if TYPE_CHECKING:
    from gleak.samples import Samples

Secret = Annotated[str, typer.Option(metavar="COL", help="The column an attacker is after.")]
Observed = Annotated[
    list[str] | None,
    typer.Option(
        "--observable", metavar="COL", help="A column it sees; all others unless given. Repeatable."
    ),
]
Public = Annotated[
    list[str] | None,
    typer.Option(metavar="COL", help="An observable that is known beforehand. Repeatable."),
]
Gains = Annotated[
    list[str] | None,
    typer.Option(
        help="What the attacker is after: bayes, tries:K, partition:COL, "
        "distance:SCALE[:COL,COL], FILE.csv or module:function. Repeatable."
    ),
]
PriorOption = Annotated[
    str, typer.Option(help="'empirical', 'uniform', or a CSV of secrets with a column 'prior'.")
]
Named = Annotated[str, typer.Option(help="'auto', a family's name, or module:Class.")]


def estimate(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Recorded samples: CSV, Parquet, …")],
    secret: Secret,
    observable: Observed = None,
    public: Public = None,
    gain: Gains = None,
    prior: PriorOption = "empirical",
    adversary: Named = "auto",
    route: Annotated[str, typer.Option(help="'auto', 'secret' or 'guess'.")] = "auto",
    holdout: Annotated[
        str, typer.Option(metavar="FRACTION|FILE", help="The share, or the file, that certifies.")
    ] = "0.5",
    split: Annotated[
        str, typer.Option(help="'random', or 'blocked': in the file's order.")
    ] = "random",
    folds: Annotated[
        int | None, typer.Option(help="Let every row certify once, in this many folds.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(metavar="COL", help="Rows alike in it stay together.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Of each claim.")] = 0.95,
    seed: Annotated[int, typer.Option(help="The same seed gives the same answer.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes to use.")] = 1,
    engine: Annotated[str, typer.Option(help="'local', 'ray' or 'dask'.")] = "local",
    report: Annotated[
        str | None, typer.Option(metavar="FILE.html", help="Write a report to look at.")
    ] = None,
    hide_labels: Annotated[
        bool, typer.Option("--hide-labels", help="Leave the secrets' names out of the report.")
    ] = False,
    json: JsonTarget = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Find the strongest attacker in recorded samples, and say what is proven."""
    from gleak.estimation import estimate as estimated
    from gleak.report.estimate_text import estimate_report

    gains = gain or ["bayes"]
    roles: dict[str, Any] = {
        "secret": secret, "observables": observable, "public": public or [], "group": group,
        "attributes": _columns_of(gains),
    }  # fmt: skip
    samples, fraction, other = _read(file, roles, holdout)
    with watched(quiet) as progress:
        found = estimated(
            samples, gains, certify_on=other, rng=seed, progress=progress,
            adversary=adversary, route=route, prior=prior, holdout=fraction, split=split,
            folds=folds, confidence=confidence, jobs=jobs, engine=engine,
            localise=report is not None,
        )  # fmt: skip
    if report is not None:
        from gleak.report.html import to_html

        page = to_html(
            found, command=command_of(context), source=Path(file).name, hide_labels=hide_labels
        )
        Path(report).write_text(page, encoding="utf-8")
    emit(found, json, lambda: estimate_report(found))


def _read(
    file: str, roles: dict[str, Any], holdout: str
) -> "tuple[Samples, float, Samples | None]":
    from gleak.files import is_number
    from gleak.reading import read

    samples = read(file, **roles)
    if is_number(holdout):
        return samples, float(holdout), None
    names = samples.observables.names
    return samples, 0.5, read(holdout, **roles | {"observables": names})


def _columns_of(gains: list[str]) -> list[str]:
    """The columns of the secret that some gains ask for."""
    from gleak.gain import Distance, Partition
    from gleak.gain_spec import as_gain

    found: list[str] = []
    for gain in map(as_gain, gains):
        if isinstance(gain, Partition) and isinstance(gain.by, str):
            found.append(gain.by)
        if isinstance(gain, Distance):
            found.extend(gain.columns)
    return list(dict.fromkeys(found))
