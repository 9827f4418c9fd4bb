"""Which columns tell: the gain lost without each, as rows or, for many columns, along them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.localisation import Localisation
from gleak.report.figures._base import Display, few_ticks
from gleak.report.figures._rows import MARGIN, ROW, Row, draw_rows
from gleak.report.figures.bracket import tick
from gleak.report.palette import LIGHT
from gleak.report.words import shown
from gleak.result import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LISTED = 24
"""Columns up to this many have a row each; more are a curve, in their order."""

_NAMED = 3
"""Columns of the curve that are named: the strongest, ..."""

_APART = 0.1
"""... each this share of the curve away from the others."""


@dataclass(frozen=True)
class ColumnsDisplay(Display):
    """How much an attacker rests on each column, with intervals that hold together."""

    title: ClassVar[str] = "Which columns tell"
    gain: str
    found: Localisation

    @classmethod
    def of(cls, estimate: Estimate) -> "ColumnsDisplay":
        """The figure of an estimate."""
        return cls(estimate.gain, estimate.per_column)

    @property
    def alt(self) -> str:
        names = [self.found.names[i] for i in self.found.proven]
        which = "; ".join(row.name + " " + row.text for row in self.rows[: len(names)][:10])
        few = (
            f"it provably rests on {len(names)}: {which}" if names else "it provably rests on none"
        )
        return f"Gain lost without each of {len(self.found.names):,} columns; {few}."

    @property
    def rows(self) -> list[Row]:
        """Columns by falling loss, those that are proven first."""
        found, show = self.found, shown(self.gain)
        proven = found.proven.tolist()
        order = [*proven, *(i for i in found.order.tolist() if i not in set(proven))]
        return [
            Row(found.names[i], float(found.loss[i]), show(float(found.loss[i])),
                float(found.lower[i]), float(found.upper[i]))
            for i in order
        ]  # fmt: skip

    @property
    def is_curve(self) -> bool:
        """Whether columns are too many for a row each."""
        return len(self.found.names) > _LISTED

    def height(self, width: float) -> float:
        return 260 if self.is_curve else ROW * len(self.rows) + MARGIN

    def draw(self, ax: "Axes") -> None:
        if self.is_curve:
            self._draw_curve(ax)
            return
        ax.axvline(0, color=LIGHT.muted, linewidth=1)
        draw_rows(ax, self.rows, "gain lost without the column")
        ax.xaxis.set_major_formatter(lambda value, _: tick(self.gain, value))

    def _draw_curve(self, ax: "Axes") -> None:
        found = self.found
        place = np.arange(len(found.names))
        ax.fill_between(place, found.lower, found.upper, color=LIGHT.band, linewidth=0, step="mid")
        ax.plot(place, found.loss, color=LIGHT.accent, linewidth=1.4, drawstyle="steps-mid")
        ax.axhline(0, color=LIGHT.muted, linewidth=1)
        for column in self._named:
            left = column > 0.7 * len(place)
            ax.annotate(
                found.names[column], (column, found.loss[column]), color=LIGHT.ink,
                xytext=(-6 if left else 6, 4), textcoords="offset points",
                ha="right" if left else "left",
            )  # fmt: skip
        ax.grid(axis="y")
        ax.grid(visible=False, axis="x")
        ax.set_xlim(-0.5, len(place) - 0.5)
        few_ticks(ax)
        ax.set_xlabel("column, in the file's order")
        ax.set_ylabel("gain lost without it")
        ax.yaxis.set_major_formatter(lambda value, _: tick(self.gain, value))

    @property
    def _named(self) -> list[int]:
        """The strongest columns that stand far enough apart to be named."""
        named: list[int] = []
        for column in self.found.proven.tolist():
            if all(abs(column - other) > _APART * len(self.found.names) for other in named):
                named.append(column)
        return named[:_NAMED]
