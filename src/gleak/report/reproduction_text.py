"""A reproduction as a person reads it in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.experiments.findings import Finding, findings
from gleak.experiments.summary import Line, Reproduction

_COLUMNS = (
    "attacker", "pre-\nprocessing", "samples", "paper", "ours", "auto", "floor", "×\nfloor",
)  # fmt: skip


def reproduction_report(found: Reproduction) -> RenderableType:
    """The table of every study, then what of the paper holds."""
    tables = [_table(study, lines, bool(found.missing)) for study, lines in found.studies.items()]
    parts = [unfinished(found), *map(_told, findings(found))]
    return Group(*tables, "\n".join(part for part in parts if part))


def unfinished(found: Reproduction) -> str:
    """How many runs are there, where some are not."""
    if not found.missing:
        return ""
    there, all_of_them = len(found.runs), len(found.runs) + len(found.missing)
    return (
        f"Unfinished: {there:,} of {all_of_them:,} runs are there. Claims that need one of the "
        "others are left out."
    )


def training_sets(line: Line) -> str:
    """How many were learned from, and of how many where some are missing."""
    if not line.missing:
        return str(line.training_sets)
    return f"{line.training_sets} of {line.training_sets + line.missing}"


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


def _table(study: str, lines: Sequence[Line], sets: bool) -> Table:
    """One study; how many training sets stand behind a line is told where they differ."""
    known = lines[0].floor is not None
    what = "mean error δ̄ = mean |V̂ − V|/V" if known else "risk, where no truth is known"
    table = Table(
        box=SIMPLE_HEAD, title=f"{study}: {what}", title_justify="left", collapse_padding=True
    )
    columns = [*_COLUMNS, "sets"] if sets else _COLUMNS
    for place, name in enumerate(columns):
        if place == 0:
            table.add_column(name)  # where room is short, names take a second line
        else:
            table.add_column(name, justify="left" if place == 1 else "right", no_wrap=True)
    for line in lines:
        table.add_row(*cells(line), *([training_sets(line)] if sets else []))
    return table


def _told(finding: Finding) -> str:
    return f"{'holds' if finding.holds else 'FAILS'}  {finding.claim}\n       {finding.figures}"
