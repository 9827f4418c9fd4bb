"""Nearest neighbours in several columns: found by tree or by blocks, their votes summed once."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from gleak.adversaries._encoding import centre_and_spread, moved
from gleak.adversaries._windows import BLOCK, DENSE, Ballot, Rows, Ties
from gleak.errors import InputError, nearest
from gleak.payoff import Floats

if TYPE_CHECKING:
    from gleak.observables import Observables

Found = tuple[Floats, Rows]
"""Distances in rising order and the points at them: a row per query."""

MINKOWSKI = {
    "euclidean": 2.0, "l2": 2.0, "manhattan": 1.0, "cityblock": 1.0, "l1": 1.0, "chebyshev": np.inf
}  # fmt: skip
"""The metrics a tree knows, by their exponent."""

_PARAMETERISED = {"mahalanobis", "seuclidean", "precomputed"}
"""Metrics that say nothing without more than their name. Standardised columns under the
Euclidean metric are the second."""

_PROBES = 256
"""Queries tried to see how many points are usually tied."""

_TREE_COLUMNS = 10
"""In more columns than these a tree looks at nearly every point anyway."""

_FARTHEST = 1e150
"""Where coordinates end: squares must be finite, as a tree does not find what is infinitely far."""


def power_of(metric: str) -> float | None:
    """The exponent of a Minkowski metric, None for scikit-learn's other ones."""
    if metric in MINKOWSKI:
        return MINKOWSKI[metric]
    from sklearn.neighbors import VALID_METRICS

    known = {*MINKOWSKI, *VALID_METRICS["brute"]} - _PARAMETERISED
    if metric not in known:
        raise InputError(f"unknown metric {metric!r}; {nearest(metric, sorted(known))}")
    return None


@dataclass(frozen=True)
class Space:
    """Observables as points in which the metric is the one asked for.

    Numeric columns are moved, and divided by their standard deviation where that is wanted; a
    move by whole numbers leaves ties between whole numbers exact. A categorical column adds 1 to
    the metric's sum where categories differ: it is one-hot, in units that make it so. A category
    never seen is a row of zeros, equally far from all others.
    """

    template: "Observables"
    centre: Floats
    scale: Floats
    power: float | None

    @classmethod
    def of(cls, points: "Observables", weights: Floats, metric: str, standardise: bool) -> "Space":
        """The space of training points, each standing for ``weights`` samples."""
        power = power_of(metric)
        if power is None and not points.numeric.all():
            raise InputError.must(
                "the metric of categorical columns", f"one of {', '.join(MINKOWSKI)}", metric
            )
        table = points.matrix()[:, points.numeric]
        centre, spread = centre_and_spread(table, weights)
        constant = spread == 0
        if standardise:
            typical = np.median(spread[~constant]) if not constant.all() else 1.0
            unit = np.exp2(np.round(np.log2(np.where(constant, 1.0, spread / typical))))
            return cls(points, np.round(centre / unit) * unit, unit, power)
        return cls(points, np.round(centre), np.ones(len(centre)), power)

    def __call__(self, points: "Observables") -> Any:
        """The points' coordinates: dense, or sparse where categories are many."""
        alike = self.template.alike(points)
        table = alike.matrix()
        numeric = moved(table[:, alike.numeric], self.centre, self.scale, _FARTHEST)
        if alike.numeric.all():
            return numeric
        categorical = np.flatnonzero(~alike.numeric)
        parts: list[Any] = [numeric]
        parts += [self._one_hot(int(column), table[:, column]) for column in categorical]
        whole: Any = sparse.csr_matrix(sparse.hstack(parts))  # scikit-learn takes no sparse array
        wide = whole.shape[1] > _TREE_COLUMNS and self.power != np.inf  # which has no sparse form
        return whole if wide else whole.toarray()

    def _one_hot(self, column: int, codes: Floats) -> sparse.coo_array:
        labels = self.template.columns[column].categories
        assert labels is not None  # a categorical column has them
        assert self.power is not None  # or the column was refused
        known = np.flatnonzero(codes < len(labels))
        unit = np.full(len(known), 0.5 ** (1 / self.power))
        places = (known, codes[known].astype(np.intp))
        return sparse.coo_array((unit, places), shape=(len(codes), len(labels)))


@dataclass(frozen=True)
class Scattered:
    """Points in several columns, in the order they were seen, and every secret's weight at each."""

    points: Any
    counts: sparse.csr_array
    ties: Ties
    metric: str

    def votes(self, queries: Any, ks: Sequence[int]) -> Iterator[Ballot]:
        """The votes of each query's k nearest points, for every k in the rising ``ks``.

        >>> near = Scattered(np.eye(2), sparse.csr_array(np.eye(2)), "shared", "euclidean")
        >>> rows, votes = next(near.votes(np.array([[0.0, 0.0], [1.0, 1.0]]), [1]))
        >>> rows, votes[0]
        (array([0, 1]), array([[0.5, 0.5],
               [0.5, 0.5]]))
        """
        for rows, (distance, index) in self._complete(queries, max(ks), len(ks)):
            yield rows, list(self._tally(distance, index, ks))

    def _tally(self, distance: Floats, index: Rows, ks: Sequence[int]) -> Iterator[Floats]:
        """Votes for rising ks: each adds to the last what lies between them."""
        if self.ties == "first":
            index = _by_index(distance, index, self.counts.shape[0])
        counted = np.zeros(len(index), dtype=np.intp)
        sums = np.zeros((len(index), self.counts.shape[1]))
        for k in ks:
            farthest = distance[:, k - 1, None]
            sure = np.full(len(index), k)
            if self.ties == "shared":
                sure = (distance < farthest).sum(axis=1)
            sums = sums + self._sums(index, counted, sure)
            counted = sure
            if self.ties == "first":
                yield sums
                continue
            within = (distance <= farthest).sum(axis=1)
            share = (k - sure) / (within - sure)
            yield sums + share[:, None] * self._sums(index, sure, within)

    def _sums(self, index: Rows, start: Rows, stop: Rows) -> Floats:
        """The counts of the neighbours from one place up to another, row by row."""
        place = np.arange(start.min(initial=0), stop.max(initial=0))
        chosen = (place >= start[:, None]) & (place < stop[:, None])
        points = index[:, place[0] : place[-1] + 1][chosen] if len(place) else index[:0, 0]
        ends = np.concatenate([[0], np.cumsum(stop - start)])
        shape = (len(index), self.counts.shape[0])
        sums = sparse.csr_array((np.ones(len(points)), points, ends), shape=shape) @ self._table
        return sums if isinstance(sums, np.ndarray) else sums.toarray()

    def _complete(self, queries: Any, k: int, held: int) -> Iterator[tuple[Rows, Found]]:
        """The neighbours of each query, down to the last that is as far as the k-th.

        Where a search did not reach beyond them, it is made again, twice as wide.
        """
        points = self.counts.shape[0]
        left, width = np.arange(queries.shape[0]), self._usual_width(queries, k)
        while len(left):
            size = max(1, BLOCK // max(width, held * self.counts.shape[1]))
            again = []
            for rows in np.split(left, np.arange(size, len(left), size)):
                distance, index = self._found(queries[rows], width)
                reached = (distance[:, -1] > distance[:, k - 1]) | (width == points)
                if reached.any():
                    yield rows[reached], (distance[reached], index[reached])
                again.append(rows[~reached])
            left, width = np.concatenate(again), min(2 * width, points)

    def _usual_width(self, queries: Any, k: int) -> int:
        """How wide a search must be to reach beyond the k-th distance for most of the queries."""
        points, width = self.counts.shape[0], k
        some = queries[:: max(1, queries.shape[0] // _PROBES)]
        reached = 0.0
        while reached < 0.75 and width < points:
            width = min(points, width + max(width // 2, 1) if width > k else k + 1)
            distance, _ = self._found(some, width)
            reached = float((distance[:, -1] > distance[:, k - 1]).mean())
        return width

    def _found(self, queries: Any, width: int) -> Found:
        """The nearest; distances are the same if they are to twelve digits.

        What is equally far in decimal fractions is not quite so in binary ones.
        """
        distance, index = self._search(queries, width)
        mantissa, exponent = np.frexp(distance)
        return np.ldexp(np.round(mantissa, 12), exponent), index

    @cached_property
    def _search(self) -> Callable[[Any, int], Found]:
        power = power_of(self.metric)
        if power is not None and self.points.shape[1] <= _TREE_COLUMNS:
            return self._tree(power)
        from sklearn.neighbors import NearestNeighbors

        found = NearestNeighbors(metric=self.metric, algorithm="brute").fit(self.points)

        def search(queries: Any, width: int) -> Found:
            try:
                return found.kneighbors(queries, width)
            except ValueError as error:  # of some metrics that ask for columns of their own kind
                raise InputError(
                    f"the metric {self.metric!r} does not suit these columns: {error}"
                ) from error

        return search

    def _tree(self, power: float) -> Callable[[Any, int], Found]:
        from scipy.spatial import cKDTree

        tree = cKDTree(self.points)

        def search(queries: Floats, width: int) -> Found:
            distance, index = tree.query(queries, k=width, p=power)
            shape = (len(queries), width)  # a width of one comes without its axis
            return np.reshape(distance, shape), np.reshape(index, shape)

        return search

    @cached_property
    def _table(self) -> Any:
        """The counts, dense where they fit: a product with them is then several times faster."""
        return self.counts.toarray() if np.prod(self.counts.shape) <= DENSE else self.counts


def _by_index(distance: Floats, index: Rows, points: int) -> Rows:
    """The neighbours in order of distance, those at the same one in order of index."""
    shell = np.zeros(index.shape, dtype=np.int64)
    np.cumsum(distance[:, 1:] > distance[:, :-1], axis=1, out=shell[:, 1:])
    return np.sort(shell * points + index, axis=1) % points
