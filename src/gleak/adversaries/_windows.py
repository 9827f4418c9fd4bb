"""Nearest neighbours on a line: a window of a sorted array, found without any distance matrix."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.payoff import Floats

Ties = Literal["first", "shared"]
"""Who takes the last places among points equally far: those seen first, or all of them in equal
shares, which is what a random choice would give them on average."""

Rows = NDArray[np.intp]
Ballot = tuple[Rows, list[Floats]]
"""Some of the queries, and for each k their rows of votes over the secrets."""

BLOCK = 1 << 20
"""Neighbours, or entries of votes, held at a time: 8 MB an array."""

DENSE = 1 << 23
"""Counts beyond which they are not held as a dense table: 64 MB."""


@dataclass(frozen=True)
class Line:
    """Points on a line in rising order, and the weight of every secret (column) at each.

    ``seen`` says in which order the points were seen: a number for each, the first one lowest.
    """

    points: Floats
    counts: sparse.csr_array
    seen: Rows
    ties: Ties

    def votes(self, queries: Floats, ks: Sequence[int]) -> Iterator[Ballot]:
        """The votes of each query's k nearest points, for every k in ``ks``.

        >>> secrets = sparse.csr_array(np.eye(3))
        >>> line = Line(np.array([0.0, 1.0, 5.0]), secrets, np.arange(3), "first")
        >>> next(line.votes(np.array([4.0]), [2]))[1]
        [array([[0., 1., 1.]])]
        """
        widest = 1 if self._cumulated is not None else max(ks)
        size = max(1, BLOCK // max(self.counts.shape[1] * len(ks), widest))
        for start in range(0, len(queries), size):
            block = queries[start : start + size]
            rows = np.arange(start, start + len(block))
            yield rows, [self._vote(block, k) for k in ks]

    def _vote(self, queries: Floats, k: int) -> Floats:
        left = window_starts(self.points, queries, k)
        far = np.append(self.points, np.inf)[left + k] - queries
        tied = np.flatnonzero(queries - self.points[left] == far)  # a window's two ends at most
        if self.ties == "first":
            left[tied] += self.seen[left[tied] + k] < self.seen[left[tied]]
            return self._sums(left, k)
        votes = self._sums(left, k)
        votes[tied] = (votes[tied] + self._sums(left[tied] + 1, k)) / 2
        return votes

    def _sums(self, left: Rows, k: int) -> Floats:
        if self._cumulated is not None:
            return self._cumulated[left + k] - self._cumulated[left]
        windows = (left[:, None] + np.arange(k)).ravel()
        ends = np.arange(0, len(windows) + 1, k)
        shape = (len(left), len(self.points))
        chosen = sparse.csr_array((np.ones(len(windows)), windows, ends), shape=shape)
        return (chosen @ self.counts).toarray()

    @cached_property
    def _cumulated(self) -> Floats | None:
        """Counts of all points before each one, where their differences are exact and fit."""
        points, secrets = self.counts.shape
        whole = (self.counts.data == np.floor(self.counts.data)).all()
        if not whole or (points + 1) * secrets > DENSE:
            return None
        sums = np.zeros((points + 1, secrets))
        np.cumsum(self.counts.toarray(), axis=0, out=sums[1:])
        return sums


def window_starts(points: Floats, queries: Floats, k: int) -> Rows:
    """Where the window of the k nearest among rising points starts; of two, the left one.

    A window is moved right as long as the point it would lose is farther than the one it would
    win. Whether it is never turns back, so that a binary search over at most k starts finds it.

    >>> window_starts(np.array([0.0, 1.0, 2.0, 9.0]), np.array([1.5, 7.0]), 2)
    array([1, 2])
    """
    bounded = np.append(points, np.inf)
    place = np.searchsorted(points, queries)
    low, high = np.maximum(place - k, 0), np.minimum(place, len(points) - k)
    for _ in range(k.bit_length()):
        middle = (low + high) // 2
        onward = queries - bounded[middle] > bounded[middle + k] - queries
        low = np.where(onward, middle + 1, low)
        high = np.where(onward, high, middle)
    return low
