"""``gleak mechanism``: a mechanism's channel, written to a file, with its figures."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gleak.cli.mechanism_input import Costs, channel_over_times, exactly_one
from gleak.cli.options import spelled_out
from gleak.cli.output import JsonTarget, check_targets, emit
from gleak.cli.priors import under_prior
from gleak.cli.values import numbers_in, sides_in, whole_numbers_in

if TYPE_CHECKING:
    from gleak.channel import Channel
    from gleak.mechanism_figures import Mechanism
    from gleak.mechanisms import Ends
    from gleak.payoff import Floats

mechanism = typer.Typer(no_args_is_help=True)
"""One command for each kind."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is wanted of a mechanism of any kind: one field an option of each."""

    out: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the channel as CSV, TSV, NPY or NPZ."),
    ] = None
    out_secrets: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the secrets, their prior and what is known of them, for the --prior of "
            "gleak exact.",
        ),
    ] = None
    gain: Annotated[
        list[str] | None,
        typer.Option(
            help="What the attacker is after: bayes, tries:K, partition:COL, distance:SCALE, "
            "FILE.csv or module:function. Repeatable."
        ),
    ] = None
    prior: Annotated[
        str | None,
        typer.Option(
            help="'uniform', or a CSV of secrets with a column 'prior' and what else is known."
        ),
    ] = None
    json: JsonTarget = None

    @property
    def gains(self) -> list[str]:
        """The gains asked for, or the one that is meant where none is."""
        return self.gain or ["bayes"]

    def check(self) -> None:
        """Refuse files that cannot be written, before the work."""
        from gleak.files import known_ending
        from gleak.matrix_file import ENDINGS, TEXT_ENDINGS

        check_targets([self.out, self.out_secrets, self.json])
        for path, endings in ((self.out, ENDINGS), (self.out_secrets, TEXT_ENDINGS)):
            if path is not None:
                known_ending(Path(path), endings)

    def over(self, channel: "Channel", own: str | None = None) -> "Channel":
        """The channel under the prior that was asked for; under its own if none was."""
        if self.prior is None and own is not None:
            return channel
        return under_prior(channel, self.prior or "uniform")

    def deliver(self, made: "Mechanism", own_prior: str = "uniform") -> None:
        """Write and print what was asked for."""
        from gleak.report.mechanism_text import mechanism_report
        from gleak.secrets_file import SecretsTable, write_secrets

        results = made.figures(self.gains, self.out)
        channel = made.channel
        if self.out is not None:
            channel.write(self.out)
        if self.out_secrets is not None:
            known = SecretsTable(channel.secrets, channel.prior, channel.attributes)
            write_secrets(self.out_secrets, known)
        prior = own_prior if self.prior is None else Path(self.prior).name
        emit(results, self.json, lambda: mechanism_report(results, prior))


Nu = Annotated[
    float, typer.Option(help="How fast noise decays: by e^-nu for each unit of distance.")
]
HowItEnds = Annotated[
    str,
    typer.Option(
        help="Noise beyond the outputs: 'truncated' to the nearest, or 'renormalised', never drawn."
    ),
]
Centres = Annotated[
    str | None,
    typer.Option(
        metavar="NUMBERS", help="Where each secret's noise lies, as 3,5.5; else as outputs."
    ),
]
Grid = Annotated[str, typer.Option(metavar="ROWSxCOLUMNS", help="Cells northwards and eastwards.")]
Side = Annotated[float, typer.Option(help="Of a cell, in the unit of length that nu refers to.")]
Secrets = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="CSV of secrets: coordinates, maybe a column 'prior'."),
]
Coordinates = Annotated[
    str | None,
    typer.Option(metavar="COL,COL", help="With --secrets: the columns distances are between."),
]
Loss = Annotated[
    str | None,
    typer.Option(metavar="FILE.csv", help="Loss of each output (column) for each secret (row)."),
]


@mechanism.command()
@spelled_out("wanted", Wanted)
def geometric(
    context: typer.Context,
    wanted: Wanted,
    outputs: Annotated[
        str, typer.Option(metavar="LOW..HIGH|N", help="Whole numbers that may be reported.")
    ],
    nu: Nu,
    centres: Centres = None,
    ends: HowItEnds = "truncated",
) -> None:
    """Two-sided geometric noise on whole numbers."""
    from gleak import mechanisms

    wanted.check()
    middles = None if centres is None else numbers_in(centres, "--centres")
    reported = whole_numbers_in(outputs, "--outputs")
    channel = mechanisms.geometric(reported, nu, centres=middles, ends=cast("Ends", ends))
    _deliver_noise(context, wanted, channel, middles)


@mechanism.command()
@spelled_out("wanted", Wanted)
def laplace(
    context: typer.Context,
    wanted: Wanted,
    outputs: Annotated[
        str, typer.Option(metavar="LOW..HIGH|N|NUMBERS", help="What may be reported, as 0,0.5,1.")
    ],
    nu: Nu,
    centres: Centres = None,
    ends: HowItEnds = "truncated",
) -> None:
    """Laplace noise, rounded to the nearest of any outputs."""
    from gleak import mechanisms

    wanted.check()
    middles = None if centres is None else numbers_in(centres, "--centres")
    whole = "," not in outputs
    reported = whole_numbers_in(outputs, "--outputs") if whole else numbers_in(outputs, "--outputs")
    channel = mechanisms.laplace(reported, nu, centres=middles, ends=cast("Ends", ends))
    _deliver_noise(context, wanted, channel, middles)


@mechanism.command()
@spelled_out("wanted", Wanted)
def randomised_response(
    context: typer.Context,
    wanted: Wanted,
    answers: Annotated[
        str, typer.Option(metavar="NAMES|N", help="The possible answers, as no,yes, or how many.")
    ],
    epsilon: Annotated[float, typer.Option(help="The truth has odds e^epsilon:1 against a lie.")],
) -> None:
    """The truth, or with some probability any other answer."""
    import numpy as np

    from gleak import mechanisms

    wanted.check()
    names = int(answers) if answers.isdecimal() else answers.split(",")
    channel = wanted.over(mechanisms.randomised_response(names, epsilon))
    lies = mechanisms.expected_loss(channel, 1.0 - np.eye(channel.n_secrets))
    _deliver(context, wanted, channel, (lies, "how often the answer is a lie"))


@mechanism.command()
@spelled_out("wanted", Wanted)
def exponential(
    context: typer.Context,
    wanted: Wanted,
    rate: Annotated[float, typer.Option(help="How fast it decays: by e^-rate per unit of loss.")],
    secrets: Secrets = None,
    coordinates: Coordinates = None,
    loss: Loss = None,
) -> None:
    """Outputs the likelier the less they cost, by any metric or loss."""
    from gleak import mechanisms

    wanted.check()
    costs = Costs.of(secrets, coordinates, loss, wanted.prior)
    channel = mechanisms.exponential(costs.loss, rate)
    _deliver_costs(context, wanted, costs.named(channel.matrix), costs)


@mechanism.command()
@spelled_out("wanted", Wanted)
def planar_geometric(
    context: typer.Context,
    wanted: Wanted,
    grid: Grid,
    nu: Nu,
    side: Side = 1.0,
    ends: HowItEnds = "truncated",
) -> None:
    """Geometric noise between the cells of a grid."""
    from gleak import mechanisms

    wanted.check()
    cells = mechanisms.Grid(*sides_in(grid, "--grid"), side)
    channel = mechanisms.planar_geometric(cells, nu, ends=cast("Ends", ends))
    _deliver_cells(context, wanted, channel, cells.distances)


@mechanism.command()
@spelled_out("wanted", Wanted)
def planar_laplace(
    context: typer.Context,
    wanted: Wanted,
    grid: Grid,
    nu: Nu,
    side: Side = 1.0,
    ends: HowItEnds = "truncated",
) -> None:
    """Laplace noise in the plane, reported as the cell it falls in."""
    from gleak import mechanisms

    wanted.check()
    cells = mechanisms.Grid(*sides_in(grid, "--grid"), side)
    channel = mechanisms.planar_laplace(cells, nu, ends=cast("Ends", ends))
    _deliver_cells(context, wanted, channel, cells.distances)


@mechanism.command()
@spelled_out("wanted", Wanted)
def bucketed(
    context: typer.Context,
    wanted: Wanted,
    channel: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A channel whose observables are named by their times."),
    ] = None,
    secrets: Annotated[
        str | None, typer.Option(metavar="FILE", help="CSV of secrets, with a column of times.")
    ] = None,
    times: Annotated[
        str | None, typer.Option(metavar="COL", help="With --secrets: the column of times.")
    ] = None,
    size: Annotated[float | None, typer.Option(help="How long each bucket is.")] = None,
    edges: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Where buckets end, as 10,20,50.")
    ] = None,
) -> None:
    """Answers held back until their bucket of time ends."""
    from gleak import mechanisms
    from gleak.mechanisms.bucketing import moments

    wanted.check()
    exactly_one({"--size": size, "--edges": edges})
    before, own = channel_over_times(channel, secrets, times)
    before = wanted.over(before, own)
    buckets = cast(float, size) if edges is None else numbers_in(edges, "--edges")
    held = mechanisms.bucketed(before, buckets)
    taken = [float(one.prior @ (one.matrix @ moments(one))) for one in (before, held)]
    _deliver(context, wanted, held, (taken[1] - taken[0], "how long an answer is held back"), own)


@mechanism.command()
@spelled_out("wanted", Wanted)
def optimal(
    context: typer.Context,
    wanted: Wanted,
    secrets: Secrets = None,
    coordinates: Coordinates = None,
    loss: Loss = None,
    max_vulnerability: Annotated[
        float | None, typer.Option(help="Bound the first gain's V_g, at the least expected loss.")
    ] = None,
    max_loss: Annotated[
        float | None, typer.Option(help="Bound the expected loss, at the first gain's least V_g.")
    ] = None,
    max_distance: Annotated[
        float | None, typer.Option(help="Never report what lies further, or costs more.")
    ] = None,
) -> None:
    """The least loss under a bound on leakage, or the least leakage under one on loss."""
    from gleak import mechanisms

    wanted.check()
    exactly_one({"--max-vulnerability": max_vulnerability, "--max-loss": max_loss})
    costs = Costs.of(secrets, coordinates, loss, wanted.prior)
    given: dict[str, Any] = {
        "prior": costs.prior, "gain": wanted.gains[0], "loss": costs.loss,
        "allowed": None if max_distance is None else costs.loss <= max_distance,
        "secrets": costs.secrets, "observables": costs.outputs, "attributes": costs.attributes,
    }  # fmt: skip
    if max_vulnerability is not None:
        given |= {"max_vulnerability": max_vulnerability}
        channel = mechanisms.least_loss(**given)
    else:
        channel = mechanisms.least_vulnerability(**given, max_loss=cast(float, max_loss))
    _deliver_costs(context, wanted, channel, costs)


@mechanism.command()
@spelled_out("wanted", Wanted)
def histogram(
    context: typer.Context,
    wanted: Wanted,
    counts: Annotated[
        str, typer.Option(metavar="NUMBERS", help="Of each class, without the one person more.")
    ],
    nu: Nu,
    published: Annotated[
        str | None,
        typer.Option(metavar="LOW..HIGH|N", help="Counts that may be published; else all."),
    ] = None,
) -> None:
    """Counts with geometric noise; the channel says which exceed those known."""
    from gleak import mechanisms

    wanted.check()
    span = None if published is None else whole_numbers_in(published, "--published")
    noisy = mechanisms.histogram(numbers_in(counts, "--counts"), nu, published=span)
    channel = wanted.over(noisy.channel, "counts")
    error = replace(noisy, prior=channel.prior).mean_error()
    _deliver(context, wanted, channel, (error, "how far off a published count is"), "counts")


def _deliver(
    context: typer.Context,
    wanted: Wanted,
    channel: "Channel",
    loss: tuple[float, str],
    own_prior: str | None = None,
    distances: "Floats | None" = None,
) -> None:
    """Write and print a channel made by the command that was given."""
    from gleak.mechanism_figures import Mechanism

    shared = {option.name for option in fields(Wanted)}
    own = {
        name: value
        for name, value in context.params.items()
        if name not in shared and value is not None
    }
    kind = str(context.info_name)
    wanted.deliver(Mechanism(kind, channel, own, *loss, distances), own_prior or "uniform")


def _deliver_noise(
    context: typer.Context, wanted: Wanted, channel: "Channel", centres: list[float] | None
) -> None:
    """Noise on a line: what is lost is how far off it is."""
    import numpy as np

    from gleak import mechanisms

    channel = wanted.over(channel)
    outputs = channel.observables.astype(np.float64)
    middles = outputs if centres is None else np.array(centres)
    off = mechanisms.expected_loss(channel, np.abs(middles[:, None] - outputs))
    distances = np.abs(middles[:, None] - middles)
    _deliver(context, wanted, channel, (off, "how far off a report is"), distances=distances)


def _deliver_costs(
    context: typer.Context, wanted: Wanted, channel: "Channel", costs: Costs
) -> None:
    """A mechanism made for a loss."""
    from gleak import mechanisms

    lost = mechanisms.expected_loss(channel, costs.loss), "what a report costs"
    _deliver(context, wanted, channel, lost, costs.prior_name, costs.distances)


def _deliver_cells(
    context: typer.Context, wanted: Wanted, channel: "Channel", distances: "Floats"
) -> None:
    """Noise on a grid, whose cells are secrets and outputs."""
    from gleak import mechanisms

    channel = wanted.over(channel)
    off = mechanisms.expected_loss(channel, distances)
    _deliver(context, wanted, channel, (off, "how far off a report is"), distances=distances)
