"""Before and after: what the same attacker question answers on two systems."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gleak.certify import Bracket
from gleak.report.figures._base import Display
from gleak.report.figures.bracket import HEIGHT, draw_brackets
from gleak.report.palette import LIGHT
from gleak.report.words import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ChangeDisplay(Display):
    """One bracket above another on the same scale.

    >>> figure = ChangeDisplay("bayes", Bracket(0.8, 0.85, 0.9), Bracket(0.4, 0.5, None))
    >>> figure.alt
    'Before: 85.0 %, proven at least 80.0 %. After: 50.0 %, proven at least 40.0 %.'
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
        brackets = self.before, self.after
        most = [b.estimate if b.upper is None else b.upper for b in brackets]
        ends = min(0.0, *(b.lower for b in brackets)), 1.1 * max(most)
        rows = dict(zip(("before", "after"), brackets, strict=True))
        draw_brackets(ax, self.gain, rows, ends, LIGHT.accent)

    def _text(self, bracket: Bracket) -> str:
        show = shown(self.gain)
        return f"{show(bracket.estimate)}, proven at least {show(bracket.lower)}"
