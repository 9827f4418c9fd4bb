"""``gleak demo``: the main job on a built-in example."""

from typing import Annotated

import typer

from gleak.cli.command import command_of
from gleak.cli.estimate import write_report
from gleak.cli.output import JsonTarget, ReportTarget, check_targets, emit
from gleak.cli.progress import watched


def demo(
    context: typer.Context,
    samples: Annotated[
        int, typer.Option(min=2, help="How often the password checker is timed.")
    ] = 20_000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same answer.")] = 0,
    report: ReportTarget = None,
    json: JsonTarget = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Estimate what a password checker's timing gives away, beside the exact answer."""
    from rich.console import Group

    from gleak.estimation import estimate
    from gleak.experiments import experiment
    from gleak.report.estimate_text import estimate_report

    check_targets([json, report])
    checker = experiment("password")
    with watched(quiet) as progress:
        found = estimate(checker.sample(samples, rng=seed), "bayes", rng=seed, progress=progress)
    if report is not None:
        write_report([found], report, command_of(context), "a simulated password checker")
    story = (
        "A password checker compares bit by bit and stops at the first mismatch; its time is\n"
        "blurred with random delay. An attacker who knows six bits asks for the seventh.\n"
        f"The exact answer is {checker.vulnerability:.4f}, and {checker.prior_vulnerability:.4f} "
        "without looking at the time.\n"
    )
    emit([found], json, lambda: Group(story, estimate_report([found])))
