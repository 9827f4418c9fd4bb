"""``gleak query``: ask a live system, keep every answer, stop when it is precise enough."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gleak.cli.interruption import resumable
from gleak.cli.output import JsonTarget, check_targets, emit
from gleak.cli.progress import watched

if TYPE_CHECKING:
    from gleak.campaign import Collected
    from gleak.population import Population
    from gleak.system import System


def query(
    secrets: Annotated[
        str, typer.Option(metavar="FILE", help="CSV: secrets in the first column, maybe 'prior'.")
    ],
    out: Annotated[
        str, typer.Option(metavar="FILE.sqlite", help="Where answers are kept, and continued from.")
    ],
    command: Annotated[
        str | None,
        typer.Option(
            metavar="CMD", help="A program that reads a secret a line and answers a line. No shell."
        ),
    ] = None,
    function: Annotated[
        str | None,
        typer.Option(metavar="module:name", help="A Python function of an array of secrets."),
    ] = None,
    queries: Annotated[int | None, typer.Option(metavar="N", help="Answers in all.")] = None,
    gain: Annotated[
        str | None, typer.Option(help="What the attacker is after; with --precision.")
    ] = None,
    precision: Annotated[
        float | None, typer.Option(help="Ask until the proven lower side is this near.")
    ] = None,
    prior: Annotated[
        str | None, typer.Option(help="'uniform' or a CSV; else the column of --secrets, if any.")
    ] = None,
    time: Annotated[
        bool, typer.Option("--time", help="Observe how many nanoseconds each answer takes.")
    ] = False,
    answers: Annotated[
        bool, typer.Option("--answers", help="With --time: observe the answer too.")
    ] = False,
    per_query: Annotated[
        bool, typer.Option("--per-query", help="Start the program anew for each secret.")
    ] = False,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Call the function with one secret at a time.")
    ] = False,
    observable: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Names of the answer's columns; NAME:text for words."),
    ] = None,
    timeout: Annotated[float, typer.Option(help="Seconds that an answer may take.")] = 10.0,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long.")] = None,
    rate: Annotated[float | None, typer.Option(help="Answers a second, at most.")] = None,
    adversary: Annotated[str, typer.Option(help="'auto', a family's name, or module:Class.")] = (
        "auto"
    ),
    route: Annotated[str, typer.Option(help="'auto', 'secret' or 'guess'.")] = "auto",
    confidence: Annotated[float, typer.Option(help="Of each claim.")] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="The same seed asks the same secrets.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes that train attackers.")] = 1,
    export: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Write the answers as CSV, Parquet, … too."),
    ] = None,
    json: JsonTarget = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Ask a live system; every answer is kept, and the same command continues."""
    from gleak.population import Population

    check_targets([out, json, *(export or [])])
    for path in export or []:
        _check_export(path)
    asked = _system(command, function, time, answers, per_query, one_by_one, observable, timeout)
    job = _Job(asked, Population.read(secrets, prior), out, seed, seconds, rate, quiet)
    with resumable("what was received", out):
        if precision is None:
            job.refuse_gain(gain)
            _report_collected(job.collect(queries), out, json)
        else:
            options = {
                "adversary": adversary, "route": route, "confidence": confidence, "jobs": jobs,
                "queries": queries,
            }  # fmt: skip
            _report_estimate(job.estimate(gain or "bayes", precision, options), json)
    for path in export or []:
        _export(out, path)


@dataclass(frozen=True)
class _Job:
    """Whom to ask about what, and where answers are kept."""

    system: "System"
    population: "Population"
    out: str
    seed: int
    seconds: float | None
    rate: float | None
    quiet: bool

    @staticmethod
    def refuse_gain(gain: str | None) -> None:
        from gleak.errors import InputError

        if gain is not None:
            raise InputError("--gain says what --precision is about; give both, or neither")

    def collect(self, queries: int | None) -> "Collected":
        """So many answers, whatever they will be used for."""
        from gleak.campaign import Allowance, Campaign
        from gleak.errors import InputError

        if queries is None:
            raise InputError("gleak query needs --queries N, or --precision and --gain")
        budget = Allowance(queries, self.seconds, self.rate)
        with (
            watched(self.quiet) as progress,
            Campaign.open(
                self.out, self.system, self.population, seed=self.seed, budget=budget,
                progress=progress,
            ) as campaign,
        ):  # fmt: skip
            return campaign.collect(queries)

    def estimate(self, gain: str, precision: float, options: dict[str, Any]) -> Any:
        """An estimate that is as precise as wanted, if the budget allows."""
        from gleak.adaptive import estimate_live

        with watched(self.quiet) as progress:
            return estimate_live(
                self.system, gain, precision=precision, secrets=self.population, out=self.out,
                rng=self.seed, progress=progress, seconds=self.seconds, rate=self.rate, **options,
            )  # fmt: skip


def _system(
    command: str | None, function: str | None, time: bool, answers: bool, per_query: bool,
    one_by_one: bool, observable: list[str] | None, timeout: float,
) -> "System":  # fmt: skip
    from gleak.command import Command
    from gleak.errors import InputError
    from gleak.system import Function
    from gleak.timing import Timing

    if (command is None) == (function is None):
        raise InputError("gleak query asks either a --command or a --function; give one of them")
    if answers and not time:
        raise InputError("--answers says what --time shows too; without it they are shown anyway")
    if command is None and (per_query or observable):
        raise InputError("--per-query and --observable are for a --command, not for a --function")
    if command is not None and one_by_one:
        raise InputError("--one-by-one is for a --function; a --command is asked so anyway")
    asked: Function | Command
    if command is not None:
        asked = Command(_words(command), per_query, timeout, tuple(observable or ()))
    else:
        asked = Function(_imported(str(function)), vectorised=not (one_by_one or time))
    return Timing(asked, answers) if time else asked


def _words(command: str) -> list[str]:
    """The program and its arguments as a shell would part them; no shell sees them."""
    import shlex

    from gleak.errors import InputError

    try:
        return shlex.split(command)
    except ValueError as error:
        raise InputError(f"--command {command!r} cannot be parted into words: {error}") from None


def _imported(function: str) -> Any:
    from gleak.errors import InputError
    from gleak.gain_spec import import_object

    module, _, name = function.partition(":")
    if not name:
        raise InputError.must("--function", "module:name", repr(function))
    return import_object(module, name, what=f"function {function!r}")


@dataclass(frozen=True)
class _CollectedReport:
    found: "Collected"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {"schema_version": 1, **asdict(self.found)}


def _report_collected(found: "Collected", out: str, json: str | None) -> None:
    pace = f", {found.asked / found.seconds:,.0f} a second" if found.asked else ""
    goes_on = "" if found.received >= found.wanted else "; the same command continues"
    line = (
        f"{found.received:,} answers of {found.wanted:,} wanted are in {out} "
        f"({found.reason}{pace}){goes_on}\n"
        f"next: gleak estimate {out} --secret secret"
    )
    emit([_CollectedReport(found)], json, lambda: line)


def _report_estimate(found: Any, json: str | None) -> None:
    from rich.console import Group

    from gleak.report.estimate_text import estimate_report

    spent = found.spending
    line = (
        f"{spent.queries:,} queries: {spent.training:,} to train, {spent.certifying:,} to certify; "
        f"{spent.stopped}"
    )
    emit([found], json, lambda: Group(estimate_report([found]), line))


def _check_export(path: str) -> None:
    """Refuse a form that cannot be written before anybody is asked."""
    from pathlib import Path

    from gleak.files import known_ending
    from gleak.tables import WRITTEN

    known_ending(Path(path), WRITTEN)


def _export(out: str, path: str) -> None:
    from gleak.reading import read, write

    write(read(out, "secret"), path)
