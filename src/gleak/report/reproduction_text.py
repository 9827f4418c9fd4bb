"""A reproduction as a person reads it in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.experiments.findings import Finding, findings
from gleak.experiments.summary import Line, Reproduction

_COLUMNS = ("attacker", "pre-processing", "samples", "paper", "ours", "auto", "floor", "× floor")


def reproduction_report(found: Reproduction) -> RenderableType:
    """The table of every study, then what of the paper holds."""
    tables = [_table(study, lines) for study, lines in found.studies.items()]
    return Group(*tables, "\n".join(map(_told, findings(found))))


def cells(line: Line) -> list[str]:
    """A line as text, column by column."""
    return [
        line.attacker,
        line.preprocessing,
        f"{line.size:,}",
        figure(line.published, 3),
        figure(line.mean),
        figure(line.auto),
        figure(line.floor),
        figure(line.ratio, 2),
    ]


def figure(value: float | None, digits: int = 4) -> str:
    """A number, or a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def _table(study: str, lines: Sequence[Line]) -> Table:
    known = lines[0].floor is not None
    what = "mean error δ̄ = mean |V̂ − V|/V" if known else "risk, where no truth is known"
    table = Table(box=SIMPLE_HEAD, title=f"{study}: {what}", title_justify="left")
    for place, name in enumerate(_COLUMNS):
        table.add_column(name, justify="left" if place < 2 else "right")
    for line in lines:
        table.add_row(*cells(line))
    return table


def _told(finding: Finding) -> str:
    return f"{'holds' if finding.holds else 'FAILS'}  {finding.claim}\n       {finding.figures}"
