"""The learning curve: whether more samples would have made a stronger attacker."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.certify import Bracket
from gleak.labels import Codes
from gleak.report.figures._base import DASHES, Display, points
from gleak.report.figures.bracket import tick
from gleak.report.palette import LIGHT
from gleak.report.words import shown
from gleak.result import Estimate
from gleak.tournament import CurvePoint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator

_NORMAL = 1.96
"""Standard errors either side that hold a mean in 95 of 100 cases, asymptotically."""

_AROUND = 1.35
"""The factor of room left and right of the sizes."""

_ROOM = 60
"""What a size written below the axis needs, in points."""


@dataclass(frozen=True)
class CurveDisplay(Display):
    """The best attacker after every size of training set, and what was certified at last."""

    title: ClassVar[str] = "Would more samples help?"
    gain: str
    curve: tuple[CurvePoint, ...]
    trained: int
    found: Bracket
    blind: float

    @classmethod
    def of(cls, estimate: Estimate) -> "CurveDisplay | None":
        """The figure of an estimate whose attacker was chosen in rounds."""
        if not estimate.attacker.curve:
            return None
        return cls(
            estimate.gain, estimate.attacker.curve, estimate.samples.train,
            estimate.vulnerability, estimate.prior_vulnerability.estimate,
        )  # fmt: skip

    @property
    def alt(self) -> str:
        show = shown(self.gain)
        steps = [f"{p.samples:,} samples: {show(p.score)} by {p.name}" for p in self.curve]
        return (
            f"Gain of the best attacker by number of training samples. {'; '.join(steps)}. "
            f"Certified after {self.trained:,}: {show(self.found.estimate)}. "
            f"Blind guess: {show(self.blind)}."
        )

    def height(self, width: float) -> float:
        return 250 if width > 500 else 230

    def draw(self, ax: "Axes") -> None:
        sizes = np.array([point.samples for point in self.curve], dtype=np.intp)
        scores = np.array([point.score for point in self.curve])
        errors = _NORMAL * np.array([point.error for point in self.curve])
        ax.axhline(self.blind, color=LIGHT.blind, linewidth=1.4, linestyle=DASHES)
        ax.errorbar(sizes, scores, errors, fmt="none", ecolor=LIGHT.band, elinewidth=7)
        ax.plot(sizes, scores, "-o", color=LIGHT.accent, linewidth=2, markersize=7)
        self._certified(ax)
        ax.annotate(
            "blind guess", (0, self.blind), xycoords=("axes fraction", "data"), xytext=(2, 5),
            textcoords="offset points", color=LIGHT.blind,
        )  # fmt: skip
        self._axes(ax, sizes)

    def _certified(self, ax: "Axes") -> None:
        """The proven bracket; without an upper end it reaches to the estimate."""
        found = self.found
        above = 0.0 if found.upper is None else found.upper - found.estimate
        below = found.estimate - found.lower
        ax.errorbar(
            [self.trained], [found.estimate], [[below], [above]], fmt="D", color=LIGHT.ink,
            ecolor=LIGHT.ink, elinewidth=1.6, capsize=5, markersize=7, zorder=4,
        )  # fmt: skip
        ax.annotate(
            "certified", (self.trained, found.lower), xytext=(0, -7), textcoords="offset points",
            ha="right", va="top", color=LIGHT.ink,
        )  # fmt: skip

    def _axes(self, ax: "Axes", sizes: Codes) -> None:
        ax.set_xscale("log")
        span = np.log(_AROUND**2 * self.trained / sizes[0])
        marks = [s for s in sizes.tolist() if np.log(self.trained / s) / span * points(ax) > _ROOM]
        shown_marks = [*marks, self.trained]
        ax.set_xticks(shown_marks, [f"{mark:,}" for mark in shown_marks])
        ax.minorticks_off()
        ax.set_xlim(sizes[0] / _AROUND, self.trained * _AROUND)
        ax.grid(axis="y")
        ax.grid(visible=False, axis="x")
        low, high = ax.get_ylim()
        ax.set_ylim(low - 0.08 * (high - low), high)
        ax.set_xlabel("training samples")
        ax.yaxis.set_major_locator(_few())
        ax.yaxis.set_major_formatter(lambda value, _: tick(self.gain, value))


def _few() -> "Locator":
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5, steps=[1, 2, 2.5, 5, 10])
