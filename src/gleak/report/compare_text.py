"""A comparison as a person reads it in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.baseline import Side
from gleak.comparison import Comparison
from gleak.report.compare_words import Row, change_rows, estimate_line, side_rows, verdict_line


def compare_report(comparisons: Sequence[Comparison]) -> RenderableType:
    """Verdicts first, then what they rest on."""
    return Group(*[part for found in comparisons for part in _parts(found)])


def _parts(found: Comparison) -> list[RenderableType]:
    lines = [f"{found.before.gain}: {verdict_line(found)}", estimate_line(found), ""]
    lines += [_side("before", found.before), _side("after", found.after)]
    lines += [f"warning: {warning}" for warning in found.warnings]
    return ["\n".join(lines), _changes(found), _sides(found)]


def _side(when: str, side: Side) -> str:
    return f"{when}: {side.samples:,} samples, strongest attacker found {side.attacker}"


def _changes(found: Comparison) -> Table:
    title = f"After minus before, each line proven at {100 * found.confidence:g} %"
    return _table(title, change_rows(found))


def _sides(found: Comparison) -> Table:
    before, after = (f"{100 * side.confidence:g} %" for side in (found.before, found.after))
    return _table(f"Either side: before proven at {before}, after at {after}", side_rows(found))


def _table(title: str, rows: Sequence[Row]) -> Table:
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("")
    for column in ("proven lower", "estimate", "proven upper"):
        table.add_column(column, justify="right")
    for row in rows:
        table.add_row(*row)
    return table
