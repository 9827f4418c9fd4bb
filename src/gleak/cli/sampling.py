"""How samples are read and attacked: options that several commands share, written once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gleak.cli.options import spelled_out
from gleak.cli.progress import watched

if TYPE_CHECKING:
    from gleak.result import Estimate
    from gleak.samples import Samples

SamplesFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Recorded samples: CSV, Parquet, …")
]


@dataclass(frozen=True)
class Recorded:
    """Samples that were read, and those that certify where these are others."""

    samples: "Samples"
    holdout: float
    certify_on: "Samples | None"


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """One field an option of every command that estimates from samples."""

    secret: Annotated[str, typer.Option(metavar="COL", help="The column an attacker is after.")]
    observable: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="A column it sees; all others unless given. Repeatable."),
    ] = None
    public: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="An observable that is known beforehand. Repeatable."),
    ] = None
    gain: Annotated[
        list[str] | None,
        typer.Option(
            help="What the attacker is after: bayes, tries:K, partition:COL, "
            "distance:SCALE[:COL,COL], FILE.csv or module:function. Repeatable."
        ),
    ] = None
    prior: Annotated[
        str,
        typer.Option(help="'empirical', 'uniform', or a CSV of secrets with a column 'prior'."),
    ] = "empirical"
    adversary: Annotated[str, typer.Option(help="'auto', a family's name, or module:Class.")] = (
        "auto"
    )
    route: Annotated[str, typer.Option(help="'auto', 'secret' or 'guess'.")] = "auto"
    holdout: Annotated[
        str, typer.Option(metavar="FRACTION|FILE", help="The share, or the file, that certifies.")
    ] = "0.5"
    split: Annotated[str, typer.Option(help="'random', or 'blocked': in the file's order.")] = (
        "random"
    )
    folds: Annotated[
        int | None, typer.Option(help="Let every row certify once, in this many folds.")
    ] = None
    group: Annotated[
        str | None, typer.Option(metavar="COL", help="Rows alike in it stay together.")
    ] = None
    confidence: Annotated[float, typer.Option(help="Of each claim.")] = 0.95
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")] = 0
    jobs: Annotated[int, typer.Option(help="Processes to use.")] = 1
    engine: Annotated[str, typer.Option(help="'local', 'ray' or 'dask'.")] = "local"
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False

    @property
    def gains(self) -> list[str]:
        """The gains asked for, or the one that is meant where none is."""
        return self.gain or ["bayes"]

    def read(self, file: str) -> Recorded:
        """The samples of a file, checked, and those of the file that certifies."""
        from gleak.files import is_number
        from gleak.reading import read

        roles: dict[str, Any] = {
            "secret": self.secret, "observables": self.observable, "public": self.public or [],
            "group": self.group, "attributes": _columns_of(self.gains),
        }  # fmt: skip
        samples = read(file, **roles)
        if is_number(self.holdout):
            return Recorded(samples, float(self.holdout), None)
        names = samples.observables.names
        return Recorded(samples, 0.5, read(self.holdout, **roles | {"observables": names}))

    def estimates(self, recorded: Recorded) -> "list[Estimate]":
        """An estimate for each gain."""
        from gleak.estimation import estimate

        with watched(self.quiet) as progress:
            return estimate(
                recorded.samples, self.gains, certify_on=recorded.certify_on, rng=self.seed,
                progress=progress, adversary=self.adversary, route=self.route, prior=self.prior,
                holdout=recorded.holdout, split=self.split, folds=self.folds,
                confidence=self.confidence, jobs=self.jobs, engine=self.engine,
            )  # fmt: skip


def with_sampling(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter ``sampling`` is spelled out as one option for each field."""
    return spelled_out("sampling", Sampling)(command)


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
