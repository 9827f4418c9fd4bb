"""Where results go: standard output for people or machines, files on request."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gleak.report.json import HasDict

JsonTarget = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|-", help="Write JSON to a file; '-', or nothing after it: print only JSON."
    ),
]

ReportTarget = Annotated[
    str | None, typer.Option(metavar="FILE.html", help="Write a report to look at.")
]


def check_targets(paths: Sequence[str | None]) -> None:
    """Refuse files that cannot be written before the work whose results they are to hold."""
    from gleak.errors import InputError

    named = [path for path in paths if path is not None]
    for path in named:
        if named.count(path) > 1:
            raise InputError(f"{path} cannot hold two results; name a file for each")
        if Path(path).is_dir():
            raise InputError(f"{path or '.'} cannot be written: it is a directory; name a file")
        folder = Path(path).parent
        if not folder.is_dir():
            raise InputError(f"{path} cannot be written: there is no directory {folder}")


def emit(
    results: Sequence["HasDict"], target: str | None, report: Callable[[], "RenderableType"]
) -> None:
    """Print the report, or the JSON alone, or the report with the JSON in a file."""
    if target is not None:
        from gleak.report.json import to_json

        text = to_json(results) + "\n"
        if target == "-":
            sys.stdout.write(text)
            return
        Path(target).write_text(text, encoding="utf-8")
    from gleak.report.text import render

    width = get_terminal_size().columns if sys.stdout.isatty() else None
    sys.stdout.write(render(report(), width=width))
