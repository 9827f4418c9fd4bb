"""How often something was counted where, on a map of cells."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gleak.payoff import Floats
from gleak.report.figures._base import Display
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

_SHADES = (LIGHT.region1, LIGHT.region3, LIGHT.accent, LIGHT.ink)
"""From few to many: darker and darker, in grey too."""


@dataclass(frozen=True)
class HeatMapDisplay(Display):
    """Counts per cell on a logarithmic scale; cells without any stay as the paper is.

    Rows go north and columns east, between the given degrees of latitude and longitude.
    """

    title: ClassVar[str] = "Where it was counted"
    counts: NDArray[np.int64]
    latitudes: Floats
    longitudes: Floats
    label: str

    @property
    def alt(self) -> str:
        counts, (row, column) = self.counts, self.busiest
        return (
            f"Heat map of {self.label}: {counts.sum():,} in {counts.size:,} cells, of which "
            f"{(counts == 0).sum():,} have none; most, {counts.max():,}, around "
            f"{_degrees(self.latitudes[row : row + 2].mean(), 'N', 'S')}, "
            f"{_degrees(self.longitudes[column : column + 2].mean(), 'E', 'W')}."
        )

    @property
    def busiest(self) -> tuple[int, int]:
        """Row and column of the cell with the highest count."""
        row, column = np.unravel_index(int(self.counts.argmax()), self.counts.shape)
        return int(row), int(column)

    def height(self, width: float) -> float:
        return 0.76 * width

    def draw(self, ax: "Axes") -> None:
        from matplotlib.colors import LogNorm

        mesh = ax.pcolormesh(
            self.longitudes, self.latitudes, np.ma.masked_equal(self.counts, 0),
            norm=LogNorm(1, self.counts.max()), cmap=_shades(), edgecolors=LIGHT.paper,
            linewidth=0.6,
        )  # fmt: skip
        figure = ax.get_figure(root=True)
        assert figure is not None  # an axis is always on a figure
        bar = figure.colorbar(mesh, ax=ax, shrink=0.8, pad=0.02)
        bar.set_label(f"{self.label} per cell (white: none)")
        bar.ax.tick_params(labelcolor=LIGHT.muted)
        bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        bar.ax.minorticks_off()
        bar.outline.set_visible(False)
        self._axes(ax)

    def _axes(self, ax: "Axes") -> None:
        from matplotlib.ticker import MaxNLocator

        ax.grid(visible=False)
        for spine in ax.spines.values():
            spine.set_visible(True)
        ax.set_aspect(1 / np.cos(np.radians(self.latitudes.mean())))
        ax.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
        ax.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        ax.xaxis.set_major_formatter(lambda value, _: _degrees(value, "E", "W"))
        ax.yaxis.set_major_formatter(lambda value, _: _degrees(value, "N", "S"))
        ax.tick_params(labelcolor=LIGHT.muted, size=4)


def _shades() -> "Colormap":
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("counts", _SHADES)


def _degrees(value: float, positive: str, negative: str) -> str:
    return f"{abs(value):.2f}° {positive if value >= 0 else negative}"
