"""What is observed of some secrets: the rows of a channel as curves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.labels import Codes
from gleak.payoff import Floats
from gleak.report.figures._base import Display, few_ticks
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STROKES = (("-", LIGHT.accent), ((0, (6, 2)), LIGHT.blind), (":", LIGHT.ink))
"""Line and colour of a curve; beyond these they come again, and names tell them apart."""

_VISIBLE = 1e-3
"""The share of the highest probability from which on an observable is shown."""

_DRAWN = 600
"""Points of a curve, about: more are not seen, and make files large."""


@dataclass(frozen=True)
class DistributionsDisplay(Display):
    """P(y|x) over numbers y, for each of some secrets.

    >>> rows = {"x = 0": np.array([0.7, 0.3]), "x = 1": np.array([0.2, 0.8])}
    >>> DistributionsDisplay(np.array([0.0, 1.0]), rows).alt
    'P(y | x) by y. x = 0: highest at 0, 0.7. x = 1: highest at 1, 0.8.'
    """

    title: ClassVar[str] = "What is observed of each secret"
    observables: Floats
    rows: Mapping[str, Floats]

    @property
    def alt(self) -> str:
        tops = [
            f"{name}: highest at {self.observables[row.argmax()]:g}, {row.max():.3g}"
            for name, row in self.rows.items()
        ]
        return f"P(y | x) by y. {'. '.join(tops)}."

    def height(self, width: float) -> float:
        return 270

    @property
    def drawn(self) -> Codes:
        """Where curves are drawn: about as far as any secret is likely; no summit is left out."""
        rows = np.array(list(self.rows.values()))
        visible = np.flatnonzero((rows >= _VISIBLE * rows.max()).any(axis=0))
        first, last = visible[0], visible[-1]
        between = np.linspace(first, last, min(_DRAWN, last - first + 1)).round().astype(np.intp)
        return np.union1d(between, rows.argmax(axis=1))

    def draw(self, ax: "Axes") -> None:
        drawn = self.drawn
        observables = self.observables[drawn]
        for place, (name, row) in enumerate(self.rows.items()):
            line, colour = _STROKES[place % len(_STROKES)]
            ax.fill_between(observables, row[drawn], color=colour, alpha=0.08, linewidth=0)
            ax.plot(observables, row[drawn], color=colour, linestyle=line, linewidth=1.8)
            top = self.observables[row.argmax()], row.max()
            ax.annotate(name, top, xytext=(0, 5), textcoords="offset points", ha="center",
                        color=colour)  # fmt: skip
        ax.set_xlim(observables[0], observables[-1])
        ax.set_ylim(0, 1.12 * max(float(row.max()) for row in self.rows.values()))
        ax.grid(visible=True, axis="y")
        ax.tick_params(axis="y", labelcolor=LIGHT.muted)
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:.4g}")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:,g}")
        few_ticks(ax)
        ax.set_xlabel("observable y")
        ax.set_ylabel("P(y | x)")
