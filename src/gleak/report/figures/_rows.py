"""Named values, one a row: a dot, and its interval where there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gleak.report.figures._base import DASHES, few_ticks, shortened, value_text
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 26.0
"""The height of a row, in points."""

MARGIN = 62.0
"""What the axis below the rows takes."""


@dataclass(frozen=True, slots=True)
class Row:
    """A name, a value, the ends of its interval, and the value as text."""

    name: str
    value: float
    text: str
    lower: float | None = None
    upper: float | None = None


def draw_rows(ax: "Axes", rows: Sequence[Row], label: str, reference: float | None = None) -> None:
    """Rows from top to bottom, a dashed line where the blind guess stands."""
    places = range(len(rows))
    if reference is not None:
        ax.axvline(reference, color=LIGHT.blind, linewidth=1.4, linestyle=DASHES, zorder=1)
    for place, row in zip(places, rows, strict=True):
        if row.lower is not None and row.upper is not None:
            ends = (row.lower, row.upper)
            ax.plot(ends, (place, place), color=LIGHT.accent, linewidth=2.2, zorder=2)
    ax.plot([row.value for row in rows], places, "o", color=LIGHT.accent, markersize=7, zorder=3)
    ax.set_yticks(list(places), [shortened(row.name, ax) for row in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(label)
    for place, row in enumerate(rows):
        value_text(ax, place, row.text)
    few_ticks(ax)
