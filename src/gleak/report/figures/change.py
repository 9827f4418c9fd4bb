"""Before and after: what the same attacker question answers on two systems."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gleak.certify import Bracket
from gleak.report.figures._base import Display
from gleak.report.figures.bracket import (
    HEIGHT,
    around,
    bracket_text,
    draw_brackets,
    drawn_values,
)
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ChangeDisplay(Display):
    """One bracket above another on the same scale.

    >>> figure = ChangeDisplay("bayes", Bracket(0.8, 0.85, 0.9), Bracket(0.4, 0.5, None))
    >>> figure.alt
    'Before: 85.0 %, proven 80.0 % to 90.0 %. After: 50.0 %, proven 40.0 % or more.'
    """

    title: ClassVar[str] = "Before and after"
    gain: str
    before: Bracket
    after: Bracket

    @property
    def alt(self) -> str:
        return f"Before: {self._text(self.before)}. After: {self._text(self.after)}."

    def height(self, width: float) -> float:
        return HEIGHT

    def draw(self, ax: "Axes") -> None:
        rows = {"before": self.before, "after": self.after}
        draw_brackets(ax, self.gain, rows, self.ends, LIGHT.accent)

    @property
    def ends(self) -> tuple[float, float]:
        """The part of the scale that is drawn, from nothing where nothing is below that."""
        values = drawn_values(self.before, self.after)
        low, high = min(values), max(values)
        if low >= 0:
            return 0.0, 1.1 * high or 1.0
        return around(low, high)

    def _text(self, bracket: Bracket) -> str:
        return bracket_text(self.gain, bracket)
