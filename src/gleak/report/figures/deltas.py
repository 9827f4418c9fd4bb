"""Box plots of relative errors, group by group, as in the literature on leakage estimation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.payoff import Floats
from gleak.report.figures._base import Display
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class DeltasDisplay(Display):
    """Errors δ of many estimates; ``names`` and ``deltas`` go together.

    >>> DeltasDisplay(("trees",), (np.array([0.01, 0.02, 0.03]),)).alt
    'Box plots of errors δ. trees: median 0.02.'
    """

    title: ClassVar[str] = "Errors of many estimates"
    names: tuple[str, ...]
    deltas: tuple[Floats, ...]
    label: str = "δ"

    @property
    def alt(self) -> str:
        pairs = zip(self.names, self.deltas, strict=True)
        medians = ", ".join(f"{name}: median {np.median(values):.3g}" for name, values in pairs)
        return f"Box plots of errors {self.label}. {medians}."

    def height(self, width: float) -> float:
        return 34.0 * len(self.names) + 70

    def draw(self, ax: "Axes") -> None:
        line = {"color": LIGHT.accent, "linewidth": 1.4}
        ax.boxplot(
            self.deltas, orientation="horizontal", tick_labels=list(self.names), widths=0.55,
            patch_artist=True, boxprops={"facecolor": LIGHT.band, "edgecolor": LIGHT.accent},
            medianprops={"color": LIGHT.ink, "linewidth": 2}, whiskerprops=line, capprops=line,
            flierprops={"marker": ".", "markerfacecolor": LIGHT.muted, "markeredgecolor": "none"},
        )  # fmt: skip
        ax.invert_yaxis()
        ax.set_xlabel(self.label)
