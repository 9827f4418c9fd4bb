"""``gleak reproduce``: the paper's studies, run again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleak.cli.command import command_of
from gleak.cli.interruption import resumable
from gleak.cli.output import JsonTarget, check_targets, emit
from gleak.cli.progress import watched

if TYPE_CHECKING:
    from gleak.experiments.reproduce import Plan
    from gleak.experiments.summary import Reproduction

PAGE = "reproduction.md"
_PRIVATE = ("kept", "out", "jobs", "engine", "json", "quiet")
"""Options that change nothing of what is found."""

_RUNS, _FIGURES = "runs", "figures"


def reproduce(
    context: typer.Context,
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXPERIMENT]...",
            help="multiple_guesses, location, differential_privacy, password, depth, vote, mnist "
            "or all.",
            show_default="all",
        ),
    ] = None,
    scale: Annotated[
        str,
        typer.Option(
            metavar="quick|paper", help="The paper's protocol, or what shows the same in minutes."
        ),
    ] = "quick",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Where runs are kept, and found again.")
    ] = Path("reproduction"),
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The four original files of MNIST.")
    ] = None,
    adversary: Annotated[
        list[str] | None,
        typer.Option(
            help="frequentist, k-nn, ann, auto: the study's; or any other attacker beside auto. "
            "Repeatable; all of the study's unless given."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same table.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(help="Processes at once; one per processor unless given.")
    ] = None,
    engine: Annotated[str, typer.Option(help="'local', 'ray' or 'dask'.")] = "local",
    kept: Annotated[
        bool,
        typer.Option(
            "--kept", help="Run nothing: show what is in --out so far, also while it is written."
        ),
    ] = False,
    json: JsonTarget = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """The paper's studies again: its figures, ours, auto's and the floor."""
    from gleak.experiments.protocol import protocol
    from gleak.experiments.reproduce import Plan, run
    from gleak.experiments.reproduce import kept as kept_runs
    from gleak.experiments.runs import RunFolder
    from gleak.experiments.summary import Reproduction
    from gleak.parallel import Runner, processors
    from gleak.report.reproduction_text import reproduction_report

    check_targets([json])
    runner = Runner(processors() if jobs is None else jobs, engine)  # type: ignore[arg-type]
    studies, data = _studies(experiments or ["all"], data, kept)
    plan = Plan(studies, protocol(scale, seed), tuple(adversary or ()), data)
    folder, working = RunFolder(out / _RUNS), watched(quiet, "making the systems")
    with resumable("what was done", folder.folder), working as progress:
        runs = kept_runs(plan, folder) if kept else run(plan, folder, runner, progress)
        progress("drawing figures", 1.0)
        found = Reproduction(tuple(runs), plan.protocol, plan.missing(runs))
        _write_page(out, found, plan, command_of(context, _PRIVATE))
    emit([found], json, lambda: reproduction_report(found))
    typer.echo(f"{out / PAGE} has the table and the figures, {folder.folder} every run", err=True)


def _studies(
    wanted: list[str], data: Path | None, kept: bool
) -> tuple[tuple[str, ...], Path | None]:
    """The studies asked for, and the folder of MNIST; of all studies, those whose data are there.

    Where only what is kept is looked at, no data are read, and any folder will do.
    """
    from gleak.experiments.mnist_files import mnist_paths
    from gleak.experiments.studies import MNIST, named

    studies = named(wanted)
    if kept:
        return tuple(studies), data or Path()
    if MNIST in studies and data is not None:
        mnist_paths(data)  # refused now rather than after an hour
    elif MNIST in studies and MNIST not in wanted:
        studies.remove(MNIST)
        typer.echo("mnist is left out: name the folder of its four files with --data", err=True)
    return tuple(studies), data


def _write_page(out: Path, found: "Reproduction", plan: "Plan", command: str) -> None:
    from gleak.atomic import replacing
    from gleak.report.reproduction_page import reproduction_page
    from gleak.report.study_figures import study_sheets

    figures = study_sheets(found.runs)
    for sheets in figures.values():
        for sheet in sheets:
            sheet.save(out / _FIGURES)
    studies = {name: plan.study(name) for name in found.studies}
    page = reproduction_page(found, studies, command, figures, _FIGURES)
    with replacing(out / PAGE) as target:
        target.write_text(page, encoding="utf-8")
