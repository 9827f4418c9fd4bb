"""What guesses earn around the secret, on a map of cells."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.payoff import Floats
from gleak.report.figures._base import Display
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHADES = (LIGHT.region1, LIGHT.region2, LIGHT.region3)


@dataclass(frozen=True)
class GainMapDisplay(Display):
    """The gain of guessing each cell when the secret is the one in the middle.

    Rows go north and columns east.

    >>> GainMapDisplay(np.array([[0, 1, 0], [1, 4, 1], [0, 1, 0]])).alt
    'A guess earns 4 in 1 cell, 1 in 4 cells around the secret, and nothing elsewhere.'
    """

    title: ClassVar[str] = "What a guess earns"
    gains: Floats

    @property
    def alt(self) -> str:
        counts = [(gain, int((self.gains == gain).sum())) for gain in self._levels[::-1]]
        said = [f"{gain:g} in {many} cell{'s' if many > 1 else ''}" for gain, many in counts]
        return f"A guess earns {', '.join(said)} around the secret, and nothing elsewhere."

    @property
    def _levels(self) -> list[float]:
        levels: list[float] = np.unique(self.gains[self.gains > 0]).tolist()
        return levels

    def height(self, width: float) -> float:
        return 0.62 * width

    def draw(self, ax: "Axes") -> None:
        from matplotlib.patches import Rectangle

        rows, columns = self.gains.shape
        for (row, column), gain in np.ndenumerate(self.gains):
            east, north = column - columns // 2, row - rows // 2
            corner = (east - 0.5, north - 0.5)
            shade = self._shade(float(gain))
            ax.add_patch(Rectangle(corner, 1, 1, facecolor=shade, edgecolor=LIGHT.rule))
            ax.text(east, north, f"{gain:g}", ha="center", va="center",
                    color=LIGHT.ink if gain > 0 else LIGHT.muted,
                    fontweight="bold" if gain > 0 else "normal")  # fmt: skip
        ax.set_xlim(-columns / 2, columns / 2)
        ax.set_ylim(-rows / 2, rows / 2)
        ax.set_aspect("equal")
        ax.grid(visible=False)
        ax.tick_params(labelcolor=LIGHT.muted)
        ax.set_xlabel("cells east of the secret")
        ax.set_ylabel("cells north of the secret")

    def _shade(self, gain: float) -> str:
        """The darker the more is earned."""
        if gain <= 0:
            return LIGHT.paper
        levels = self._levels
        rank = (levels.index(gain) + 1) * len(_SHADES) / len(levels)
        return _SHADES[int(np.ceil(rank)) - 1]
