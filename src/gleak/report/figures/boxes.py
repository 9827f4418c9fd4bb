"""Box plots in groups: how estimates spread, attacker beside attacker."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from gleak.payoff import Floats
from gleak.report.figures._base import DASHES, Display, value_text, width_of
from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

_FILLED = 0.84
"""The share of a group's room that boxes take where there are most of them."""

_WIDEST = 0.3
"""Of a box, in groups."""

_DRAWN = 0.88
"""The share of a figure's width that a legend may take."""

_LINE, _SAMPLE, _LETTER = 24.0, 62.0, 8.0
"""Of a legend, in points: the height of a line, a sample's width and a letter's."""


class _Look(NamedTuple):
    """Fill, hatch and marker, each of which tells the boxes of one name from all others."""

    face: str
    edge: str
    hatch: str
    marker: str


_LOOKS = (
    _Look(LIGHT.paper, LIGHT.ink, "", "o"),
    _Look(LIGHT.region3, LIGHT.accent, "", "s"),
    _Look(LIGHT.region0, LIGHT.accent, "////", "^"),
    _Look(LIGHT.paper, LIGHT.blind, "...", "D"),
    _Look(LIGHT.rule, LIGHT.ink, "xxxx", "v"),
    _Look(LIGHT.region1, LIGHT.muted, "\\\\\\\\", "P"),
)


@dataclass(frozen=True)
class BoxesDisplay(Display):
    """Values by group and, within a group, by name; names look the same in every group.

    The place of a name in ``names`` sets its look, so that figures with some of the names may
    stand beside those with others. Markers are means, lines medians, boxes quartiles, and
    whiskers reach to the last value within 1.5 times the box.

    >>> values = {"10K": {"trees": np.array([0.01, 0.02, 0.03])}}
    >>> BoxesDisplay(values, ("k-NN", "trees"), "δ").alt
    'Box plots of δ. 10K: trees, median 0.02.'
    """

    title: ClassVar[str] = "How estimates spread"
    groups: Mapping[str, Mapping[str, Floats]]
    names: tuple[str, ...]
    label: str
    across: str = ""
    truth: float | None = None
    legend: bool = True

    @property
    def alt(self) -> str:
        true = "" if self.truth is None else f", whose true value is {self.truth:.4g}"
        return f"Box plots of {self.label}{true}. {'. '.join(map(self._said, self.groups))}."

    def _said(self, group: str) -> str:
        said = [
            f"{'' if name == _first(group) else f'{name}, '}median {np.median(values):.3g}"
            for name, values in self.groups[group].items()
        ]
        return f"{' '.join(group.splitlines())}: {'; '.join(said)}"

    def height(self, width: float) -> float:
        return 230 + (22 if self.across else 0) + _LINE * self._legend_lines(width)

    def _legend_lines(self, width: float) -> int:
        return math.ceil(len(self._unnamed) / self._legend_columns(width)) if self.legend else 0

    def _legend_columns(self, width: float) -> int:
        """Names beside each other in a legend: all, or as many of the widest as have room."""
        widths = [_SAMPLE + _LETTER * len(name) for name in self._unnamed]
        room = _DRAWN * width
        return max(1, len(widths) if sum(widths) <= room else int(room / max(widths)))

    @property
    def _unnamed(self) -> list[str]:
        """Names that the groups do not already bear: the legend tells them."""
        return [
            name
            for name in self.names
            if any(name in boxes and _first(group) != name for group, boxes in self.groups.items())
        ]

    def draw(self, ax: "Axes") -> None:
        most = max(map(len, self.groups.values()))
        width = min(_WIDEST, _FILLED / most)
        for place, boxes in enumerate(self.groups.values()):
            starts = place + width * (np.arange(len(boxes)) - (len(boxes) - 1) / 2)
            for start, (name, values) in zip(starts.tolist(), boxes.items(), strict=True):
                _box(ax, values, start, 0.8 * width, self._look(name))
        self._axes(ax)
        if self.truth is not None:
            ax.axhline(self.truth, color=LIGHT.blind, linewidth=1.3, linestyle=DASHES, zorder=1)
            value_text(ax, self.truth, f"true\n{self.truth:.4g}")
        if self.legend and self._unnamed:
            self._draw_legend(ax)

    def _look(self, name: str) -> _Look:
        return _LOOKS[self.names.index(name) % len(_LOOKS)]

    def _axes(self, ax: "Axes") -> None:
        from matplotlib.ticker import MaxNLocator

        ax.grid(visible=False, axis="x")
        ax.grid(visible=True, axis="y")
        for border in range(1, len(self.groups)):
            ax.axvline(border - 0.5, color=LIGHT.rule, linewidth=0.8)
        ax.set_xticks(range(len(self.groups)), _of_equal_height(list(self.groups)))
        ax.set_xlim(-0.5, len(self.groups) - 0.5)
        ax.tick_params(axis="x", labelcolor=LIGHT.ink)
        ax.tick_params(axis="y", labelcolor=LIGHT.muted)
        ax.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:.5g}")
        ax.set_xlabel(self.across)
        ax.set_ylabel(self.label)

    def _draw_legend(self, ax: "Axes") -> None:
        from matplotlib.legend_handler import HandlerTuple

        ax.legend(
            [_sample(self._look(name)) for name in self._unnamed], self._unnamed,
            handler_map={tuple: HandlerTuple(ndivide=None, pad=0.4)},
            ncols=self._legend_columns(width_of(ax)), loc="lower left", bbox_to_anchor=(0, 1),
            frameon=False, handlelength=3, columnspacing=1.6, borderaxespad=0.2, borderpad=0,
        )  # fmt: skip


def _of_equal_height(texts: Sequence[str]) -> list[str]:
    """Texts with as many lines as the longest, so that their first lines are level."""
    most = max(text.count("\n") for text in texts)
    return [text + "\n" * (most - text.count("\n")) for text in texts]


def _first(group: str) -> str:
    return group.split("\n", 1)[0]


def _box(ax: "Axes", values: Floats, place: float, width: float, look: _Look) -> None:
    """One box: hatched, its mean marked, outliers as dots."""
    line = {"color": look.edge, "linewidth": 1.2}
    ax.boxplot(
        [values], positions=[place], widths=width, patch_artist=True, manage_ticks=False,
        showmeans=True, whiskerprops=line, capprops=line,
        boxprops={"facecolor": look.face, "edgecolor": look.edge, "hatch": look.hatch},
        medianprops={"color": LIGHT.ink, "linewidth": 1.8},
        meanprops={"marker": look.marker, "markersize": 6, "markerfacecolor": LIGHT.paper,
                   "markeredgecolor": LIGHT.ink, "zorder": 4},
        flierprops={"marker": ".", "markersize": 5, "markerfacecolor": look.edge,
                    "markeredgecolor": "none"},
    )  # fmt: skip


def _sample(look: _Look) -> "tuple[Artist, Artist]":
    """A piece of the box and its marker, for the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return (
        Patch(facecolor=look.face, edgecolor=look.edge, hatch=look.hatch),
        Line2D([], [], marker=look.marker, markersize=6, markerfacecolor=LIGHT.paper,
               markeredgecolor=LIGHT.ink, linestyle="none"),
    )  # fmt: skip
