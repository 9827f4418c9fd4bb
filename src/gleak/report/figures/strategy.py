"""What the attack looks like: its guess along one column, or the regions of two."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from gleak.labels import Codes, key
from gleak.payoff import Floats
from gleak.portrait import Portrait
from gleak.report.figures._base import Display, few_ticks, shortened
from gleak.report.palette import LIGHT
from gleak.result import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

_TICKS = 12
"""Guesses that are named along the axis; where there are more, some of them."""

_ROOM = 0.012
"""The share of the picture from which a region is large enough to be named."""

_BARS, _DOTS = 60, 300
"""Bars, and dots, that show where observables are."""

_NAMES = 24
"""Regions that are named, at most."""


@dataclass(frozen=True)
class StrategyDisplay(Display):
    """The guess for every observable of one or two columns of numbers."""

    title: ClassVar[str] = "What the attack looks like"
    portrait: Portrait
    hide_labels: bool = False

    @classmethod
    def of(cls, estimate: Estimate, *, hide_labels: bool = False) -> "StrategyDisplay | None":
        """The figure of an estimate whose attack has a picture."""
        return None if estimate.portrait is None else cls(estimate.portrait, hide_labels)

    @property
    def alt(self) -> str:
        names = " and ".join(self.portrait.names)
        many = len(self.portrait.labels)
        which = "" if self.hide_labels or many > _TICKS else f": {', '.join(self.names)}"
        return f"The guess by {names}; {many:,} different guesses are made{which}."

    @property
    def names(self) -> list[str]:
        """The guesses as text, or nothing where they are to be hidden."""
        if self.hide_labels:
            return [""] * len(self.portrait.labels)
        return [_text(label) for label in self.portrait.labels.tolist()]

    @property
    def _flat(self) -> bool:
        return len(self.portrait.axes) == 2

    def height(self, width: float) -> float:
        if self._flat:
            return min(0.72 * width, 440) + 40
        return min(24 * len(self.portrait.labels), 260) + 90

    def draw(self, ax: "Axes") -> None:
        if self._flat:
            self._draw_regions(ax)
        else:
            self._draw_line(ax)
        few_ticks(ax)
        ax.set_xlabel(self.portrait.names[0])

    def _draw_line(self, ax: "Axes") -> None:
        """A step for every stretch of equal guesses, above where observables are found."""
        portrait = self.portrait
        guesses, edges = portrait.guesses, _edges(portrait.axes[0])
        for start, stop in _runs(guesses):
            level = guesses[start]
            ax.plot(edges[[start, stop]], [level, level], color=LIGHT.accent, linewidth=4,
                    solid_capstyle="butt")  # fmt: skip
        many = len(portrait.labels)
        self._draw_density(ax, edges, -0.16 * many - 0.8)
        marks = np.unique(np.linspace(0, many - 1, min(many, _TICKS)).round().astype(int))
        names = self.names
        ax.set_yticks(marks, [shortened(names[mark], ax) for mark in marks])
        ax.set_ylim(top=many - 0.5)
        ax.set_xlim(edges[0], edges[-1])
        ax.grid(visible=True, axis="y")
        ax.set_ylabel("guess")

    def _draw_density(self, ax: "Axes", edges: Floats, floor: float) -> None:
        """How often observables fall where: bars that end below the lowest guess."""
        bins = edges if len(edges) <= _BARS else np.linspace(edges[0], edges[-1], _BARS)
        count, _ = np.histogram(np.clip(self.portrait.seen[:, 0], bins[0], bins[-1]), bins)
        rate = count / np.diff(bins)
        heights = (-floor - 0.6) * rate / rate.max()
        ax.bar(bins[:-1], heights, np.diff(bins), floor, align="edge", color=LIGHT.region3)
        ax.set_ylim(bottom=floor)

    def _draw_regions(self, ax: "Axes") -> None:
        """A region for each guess, named where it has room; dots are observables."""
        from matplotlib.patches import PathPatch

        portrait = self.portrait
        x, y = (_edges(axis) for axis in portrait.axes)
        colours = _apart(portrait.guesses)
        for guess in range(len(portrait.labels)):
            path = _outline(portrait.guesses == guess, x, y)
            colour = LIGHT.regions[colours[guess]]
            ax.add_patch(PathPatch(path, facecolor=colour, edgecolor="none", antialiased=False))
        ax.plot(*portrait.seen[:_DOTS].T, ".", color=LIGHT.muted, markersize=2.5)
        ax.set_xlim(x[0], x[-1])
        ax.set_ylim(y[0], y[-1])
        ax.grid(visible=False)
        ax.set_ylabel(portrait.names[1])
        ax.tick_params(axis="y", labelcolor=LIGHT.muted)
        self._name_regions(ax)

    def _name_regions(self, ax: "Axes") -> None:
        guesses = self.portrait.guesses
        size = np.bincount(guesses.ravel())
        large = [g for g in (-size).argsort()[:_NAMES] if size[g] >= _ROOM * guesses.size]
        names = self.names
        for guess in large:
            i, j = _heart(guesses == guess)
            ax.text(
                self.portrait.axes[0][i], self.portrait.axes[1][j],
                shortened(names[guess], ax, 0.15), ha="center", va="center", color=LIGHT.ink,
                fontweight="bold",
            )  # fmt: skip


def _text(label: object) -> str:
    return ", ".join(map(key, label)) if isinstance(label, tuple) else key(label)


def _edges(axis: Floats) -> Floats:
    """Where the cells around the points of an axis meet."""
    if len(axis) == 1:
        return np.array([axis[0] - 0.5, axis[0] + 0.5])
    middle = (axis[1:] + axis[:-1]) / 2
    return np.array([2 * axis[0] - middle[0], *middle, 2 * axis[-1] - middle[-1]])


def _runs(codes: Codes) -> Iterator[tuple[int, int]]:
    """Where stretches of one code start, and stop."""
    cuts = np.flatnonzero(np.diff(codes)) + 1
    yield from zip([0, *cuts.tolist()], [*cuts.tolist(), len(codes)], strict=True)


def _outline(inside: NDArray[np.bool_], x: Floats, y: Floats) -> "Path":
    """A path around the cells of a region: one rectangle for each run of them."""
    from matplotlib.path import Path

    corners: list[tuple[float, float]] = []
    for i, row in enumerate(inside):
        for start, stop in _runs(row.astype(np.intp)):
            if row[start]:
                left, right, low, high = x[i], x[i + 1], y[start], y[stop]
                corners += [(left, low), (right, low), (right, high), (left, high), (left, low)]
    around = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(np.array(corners).reshape(-1, 2), around * (len(corners) // 5))


def _apart(guesses: Codes) -> Codes:
    """A shade for each guess that its neighbours do not have, where shades suffice."""
    pairs = [(guesses[:-1], guesses[1:]), (guesses[:, :-1], guesses[:, 1:])]
    touching = np.unique(
        np.concatenate([np.stack([a[a != b], b[a != b]], axis=1) for a, b in pairs]), axis=0
    )
    shades = np.full(int(guesses.max()) + 1, -1)
    for guess in range(len(shades)):
        near = np.concatenate([
            touching[touching[:, 0] == guess, 1], touching[touching[:, 1] == guess, 0]
        ])  # fmt: skip
        used = np.bincount(shades[near][shades[near] >= 0], minlength=len(LIGHT.regions))
        shades[guess] = int(used.argmin())
    return shades.astype(np.intp)


def _heart(inside: NDArray[np.bool_]) -> tuple[int, int]:
    """The middle of a region, or, where that is outside, its cell farthest from the border."""
    from scipy.ndimage import distance_transform_edt

    middle = tuple(round(float(where.mean())) for where in np.nonzero(inside))
    if inside[middle]:
        return middle[0], middle[1]
    depth = np.asarray(distance_transform_edt(np.pad(inside, 1)))[1:-1, 1:-1]
    i, j = np.unravel_index(int(depth.argmax()), depth.shape)
    return int(i), int(j)
