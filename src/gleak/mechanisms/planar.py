"""Noise in the plane, reported on a grid: where somebody is, hidden among the cells around."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.gain import Attributes
from gleak.mechanisms._base import Ends, check_ends, check_positive, check_size, rows_of
from gleak.mechanisms.answers import exponential
from gleak.payoff import Floats

_NEGLIGIBLE = 40.0
"""Noise beyond so many of its scales has a probability below 1e-16."""

_FARTHEST = 10_000
"""Cells in a row up to which geometric noise is summed: 10⁸ terms, a second or two."""

_BLOCK = 1 << 22
"""Terms summed together."""

_GAUSS: tuple[Floats, Floats] = np.polynomial.legendre.leggauss(48)
"""Nodes and weights: exact to the last digits on an edge at least half its length away."""


@dataclass(frozen=True)
class Grid:
    """Square cells in rows (northwards) and columns (eastwards), of any unit of length.

    Cells are numbered eastwards and then northwards, from the south-western one.

    >>> Grid(2, 3, side=10).centres["east"]
    array([-10.,   0.,  10., -10.,   0.,  10.])
    """

    rows: int
    columns: int
    side: float = 1.0

    def __post_init__(self) -> None:
        if min(self.rows, self.columns) < 2:
            raise InputError.must(
                "a grid", "of two rows and two columns or more", f"{self.rows} × {self.columns}",
                remedy="along a line there is geometric and Laplace noise",
            )  # fmt: skip
        check_positive("the side of a cell", self.side)
        check_size(self.rows * self.columns, self.rows * self.columns)

    @cached_property
    def centres(self) -> Attributes:
        """How far each cell's centre lies east and north of the middle."""
        north, east = np.indices((self.rows, self.columns)).reshape(2, -1)
        return {
            "east": (east - (self.columns - 1) / 2) * self.side,
            "north": (north - (self.rows - 1) / 2) * self.side,
        }

    @cached_property
    def distances(self) -> Floats:
        """Between the centres of every two cells."""
        points = np.stack(list(self.centres.values()), axis=1)
        apart: Floats = np.linalg.norm(points[:, None] - points, axis=2)
        return apart


def planar_geometric(
    grid: Grid, nu: float, *, ends: Ends = "truncated", prior: ArrayLike | None = None
) -> Channel:
    """A cell has probability ∝ exp(−nu·distance) between its centre and that of the truth.

    Truncated, the cells go on for ever and each outside the grid is reported as the nearest one
    inside: sums over the plane, exact but for what lies beyond 40/nu. Renormalised, there are no
    other cells. Truncated, it is nu-private per unit of distance (geo-indistinguishable).

    >>> planar_geometric(Grid(2, 2), nu=np.log(2)).matrix[0].round(3)
    array([0.382, 0.231, 0.231, 0.156])
    """
    check_positive("nu", nu)
    check_ends(ends)
    if ends == "renormalised":
        near = exponential(grid.distances, nu, prior=prior)
        return Channel(near.matrix, near.prior, attributes=grid.centres)
    return _channel(grid, _on(grid, *_lattice(nu * grid.side, _span(grid))), prior)


def planar_laplace(
    grid: Grid, nu: float, *, ends: Ends = "truncated", prior: ArrayLike | None = None
) -> Channel:
    """Noise of density nu²/(2π)·exp(−nu·distance) in the plane, reported as the cell it falls in.

    M. E. Andrés, N. E. Bordenabe, K. Chatzikokolakis, C. Palamidessi, "Geo-indistinguishability:
    differential privacy for location-based systems", CCS 2013. The truth is the centre of a
    cell, and a cell's probability is the integral of the density over it, to the last digits: not
    the density at its centre. Truncated, what falls outside the grid is reported as the nearest
    cell, so that cells at the border reach outwards without end; renormalised, it is drawn anew.
    Truncated, it is nu-private per unit of distance.

    >>> planar_laplace(Grid(2, 2), nu=np.log(2)).matrix[0].round(3)
    array([0.371, 0.235, 0.235, 0.159])
    """
    check_positive("nu", nu)
    check_ends(ends)
    inner, strip, corner = _plane(nu * grid.side, _span(grid))
    if ends == "renormalised":
        strip = corner = inner
    return _channel(grid, _on(grid, inner, strip, corner), prior)


def _channel(grid: Grid, weights: Floats, prior: ArrayLike | None) -> Channel:
    return Channel(rows_of(weights), prior, attributes=grid.centres)


def _span(grid: Grid) -> int:
    return max(grid.rows, grid.columns)


def _on(grid: Grid, inner: Floats, strip: Floats, corner: Floats) -> Floats:
    """From the weights of a cell by how many steps it lies away, the weights on a grid.

    ``inner`` has the weight of a cell, ``strip`` of one and all behind it along the second
    axis, ``corner`` of one and all behind it along both.
    """
    weights = np.array([[inner, strip], [strip.T, corner]])
    row, column = np.divmod(np.arange(grid.rows * grid.columns), grid.columns)
    ends_north = (row == 0) | (row == grid.rows - 1)
    ends_east = (column == 0) | (column == grid.columns - 1)
    north, east = (np.abs(place[:, None] - place) for place in (row, column))
    return weights[ends_north.astype(int), ends_east.astype(int), north, east]


def _lattice(rate: float, span: int) -> tuple[Floats, Floats, Floats]:
    """The weights of ``_on`` where cells have weight exp(−rate·distance), in steps."""
    far = span + int(np.ceil(_NEGLIGIBLE / rate))
    if far > _FARTHEST:
        raise InputError.must(
            "nu times the side of a cell", f"at least {_NEGLIGIBLE / (_FARTHEST - span):.2g}",
            f"{rate:.3g}", remedy="take larger cells, or planar Laplace noise: it is the limit",
        )  # fmt: skip
    along = np.arange(far)
    rows = max(1, _BLOCK // far)
    strips = np.concatenate([
        _behind(np.exp(-rate * np.hypot(along[start : start + rows, None], along)), span)
        for start in range(0, far, rows)
    ])  # fmt: skip
    corner = strips[::-1].cumsum(axis=0)[::-1][:span]
    inner = np.exp(-rate * np.hypot(along[:span, None], along[:span]))
    return inner, strips[:span], corner


def _behind(weights: Floats, span: int) -> Floats:
    """The sum of each weight and all behind it in its row, for the first ones of the row."""
    beyond = weights[:, span:].sum(axis=1, keepdims=True)
    return beyond + weights[:, span - 1 :: -1].cumsum(axis=1)[:, ::-1]


def _plane(rate: float, span: int) -> tuple[Floats, Floats, Floats]:
    """The weights of ``_on`` for the density rate²/(2π)·exp(−rate·r), in steps.

    With P(r) and Q(r) = (1 + rate·r)·exp(−rate·r) the probabilities of noise within and beyond r,
    the density is the divergence of the field P(r)/(2πr) that points outwards, and of
    Q(r)/(2πr) that points inwards to a source of one at the origin. So a cell's probability is
    what either field carries through its edges: the first is exact for cells well within the
    noise's scale, the second for those beyond and for what has no end.
    """
    from scipy.special import gammainc, gammaincc

    steps = np.arange(span, dtype=np.float64)
    x, y = steps[:, None] + 0.5, steps - 0.5
    outwards = _carried(lambda r: gammainc(2, rate * r), x, y, y + 1)
    inwards = _carried(lambda r: gammaincc(2, rate * r), x, y, y + 1)
    endless = _endless(rate, span, inwards)
    source = np.zeros((span, span))
    source[0, 0] = 1.0
    within = outwards - _entering(outwards)
    beyond = _entering(inwards) - inwards
    inner = np.where(rate * np.hypot(x, y + 1) < 1, within + within.T, beyond + beyond.T + source)
    strip = _entering(endless) - endless + _entering(inwards).T + source
    corner = _entering(endless) + _entering(endless).T + source
    return inner, strip, corner


def _carried(share: Callable[[Floats], Floats], x: Floats, low: Floats, high: Floats) -> Floats:
    """What share(r)/(2πr) carries through an upright edge at x, from low to high."""
    nodes, weights = _GAUSS
    half = (high - low)[..., None] / 2
    r = np.hypot(x[..., None], low[..., None] + half * (1 + nodes))
    carried: Floats = (weights * half * share(r) * x[..., None] / (2 * np.pi * r**2)).sum(axis=-1)
    return carried


def _endless(rate: float, span: int, inwards: Floats) -> Floats:
    """What the inward field carries through edges that begin at y but do not end."""
    from scipy.special import gammaincc

    x = np.arange(span, dtype=np.float64) + 0.5
    low = first = span - 0.5
    behind = np.zeros(span)
    while rate * (low - first) < _NEGLIGIBLE:
        high = low + min(low, 16 / rate)  # as far as the nodes follow the field
        behind += _carried(lambda r: gammaincc(2, rate * r), x, np.array([low]), np.array([high]))
        low = high
    return behind[:, None] + inwards[:, ::-1].cumsum(axis=1)[:, ::-1]


def _entering(edges: Floats) -> Floats:
    """What enters each cell through its nearer edge; the origin's two edges are alike."""
    return np.concatenate([-edges[:1], edges[:-1]])
