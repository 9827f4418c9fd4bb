"""The attackers that competed, on samples that trained none of them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gleak.report.figures._base import Display
from gleak.report.figures._rows import MARGIN, ROW, Row, draw_rows
from gleak.report.figures.bracket import tick
from gleak.report.words import shown
from gleak.result import Estimate
from gleak.tournament import Entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = 12
"""Attackers that are drawn."""


@dataclass(frozen=True)
class LeaderboardDisplay(Display):
    """Mean gains by attacker, the strongest first."""

    title: ClassVar[str] = "Who was tried"
    gain: str
    entries: tuple[Entry, ...]
    blind: float

    @classmethod
    def of(cls, estimate: Estimate) -> "LeaderboardDisplay | None":
        """The figure of an estimate whose attacker was chosen among several."""
        entries = estimate.attacker.leaderboard[:_SHOWN]
        if not entries:
            return None
        return cls(estimate.gain, entries, estimate.prior_vulnerability.estimate)

    @property
    def alt(self) -> str:
        lines = "; ".join(f"{row.name} {row.text}" for row in self._rows)
        return f"Attackers from strongest to weakest: {lines}."

    @property
    def _rows(self) -> list[Row]:
        show = shown(self.gain)
        scored = [(entry.name, entry.score) for entry in self.entries]
        return [Row(name, score, show(score)) for name, score in scored if score is not None]

    def height(self, width: float) -> float:
        return ROW * len(self._rows) + MARGIN

    def draw(self, ax: "Axes") -> None:
        draw_rows(ax, self._rows, "gain; dashed: blind guess", self.blind)
        ax.xaxis.set_major_formatter(lambda value, _: tick(self.gain, value))
