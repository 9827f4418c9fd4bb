"""``gleak compare``: whether a fix removed leakage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleak.cli.command import command_of
from gleak.cli.output import JsonTarget, ReportTarget, check_targets, emit
from gleak.cli.sampling import Sampling, with_sampling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gleak.baseline import Side
    from gleak.comparison import Comparison
    from gleak.result import Estimate


@with_sampling
def compare(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="[BEFORE] AFTER", help="Recorded samples of both systems."),
    ],
    sampling: Sampling,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A saved estimate's JSON in the place of BEFORE."),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="worse|unproven",
            help="Exit 1 where it is proven worse; 'unproven': and 3 where no change is proven.",
        ),
    ] = None,
    report: ReportTarget = None,
    json: JsonTarget = None,
) -> None:
    """What a change to a system removed, from samples before and after."""
    from gleak.report.compare_text import compare_report

    _check_choice(fail_on)
    check_targets([json, report])
    found = _comparisons(files, sampling, baseline)
    if report is not None:
        from gleak.report.compare_html import compare_html

        page = compare_html(found, command=command_of(context))
        Path(report).write_text(page, encoding="utf-8")
    emit(found, json, lambda: compare_report(found))
    raise typer.Exit(_exit_code(found, fail_on))


def _comparisons(files: list[str], sampling: Sampling, baseline: str | None) -> "list[Comparison]":
    from gleak.baseline import read_baseline
    from gleak.comparison import compare
    from gleak.errors import InputError
    from gleak.files import is_number

    wanted = 2 if baseline is None else 1
    if len(files) != wanted:
        what = "BEFORE and AFTER" if baseline is None else "AFTER alone beside --baseline"
        raise InputError.must("the files to compare", what, " ".join(files))
    if not is_number(sampling.holdout) and baseline is None:
        raise InputError.must(
            "--holdout", "a share where two files are compared", repr(sampling.holdout)
        )
    saved = [] if baseline is None else read_baseline(baseline, sampling.gains)
    recorded = [sampling.read(file) for file in files]  # both are refused before either is used
    *first, after = [sampling.estimates(one) for one in recorded]
    before: Sequence[Estimate | Side] = first[0] if first else saved
    return [compare(one, other) for one, other in zip(before, after, strict=True)]


def _check_choice(fail_on: str | None) -> None:
    from gleak.errors import InputError, nearest

    known = ["worse", "unproven"]
    if fail_on is not None and fail_on not in known:
        raise InputError(f"unknown choice for --fail-on {fail_on!r}; {nearest(fail_on, known)}")


def _exit_code(found: "Sequence[Comparison]", fail_on: str | None) -> int:
    verdicts = {comparison.verdict for comparison in found}
    if fail_on is not None and "worse" in verdicts:
        return 1
    return 3 if fail_on == "unproven" and "no change proven" in verdicts else 0
