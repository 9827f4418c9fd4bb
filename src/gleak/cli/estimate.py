"""``gleak estimate``: the strongest attacker found in recorded samples, and what is proven."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleak.cli.command import command_of
from gleak.cli.output import JsonTarget, ReportTarget, check_targets, emit
from gleak.cli.sampling import SamplesFile, Sampling, with_sampling

if TYPE_CHECKING:
    from gleak.result import Estimate


@with_sampling
def estimate(
    context: typer.Context,
    file: SamplesFile,
    sampling: Sampling,
    report: ReportTarget = None,
    hide_labels: Annotated[
        bool, typer.Option("--hide-labels", help="Leave the secrets' names out of the report.")
    ] = False,
    json: JsonTarget = None,
) -> None:
    """Find the strongest attacker in recorded samples, and say what is proven."""
    from gleak.report.estimate_text import estimate_report

    check_targets([json, report])
    found = sampling.estimates(sampling.read(file))
    if report is not None:
        write_report(found, report, command_of(context), Path(file).name, hide_labels)
    emit(found, json, lambda: estimate_report(found))


def write_report(
    found: "list[Estimate]", target: str, command: str, source: str, hide_labels: bool = False
) -> None:
    """A page of estimates, made by a command from a source of samples."""
    from gleak.report.html import to_html

    page = to_html(found, command=command, source=source, hide_labels=hide_labels)
    Path(target).write_text(page, encoding="utf-8")
