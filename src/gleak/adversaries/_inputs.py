"""Observables as what a network reads: numbers of order one, in single precision."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._encoding import Design
from gleak.errors import InputError, nearest
from gleak.payoff import Floats

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

Scaling = Literal["standard", "minmax", "pixels"]
"""Numeric columns of mean 0 and variance 1, each on [0,1], or all together on [0,1]."""

Singles = NDArray[np.float32]

Places = tuple[tuple[int, Floats], ...]
"""Numeric columns by their place among them, each with some of its scaled values."""

_FAR = 6.0
"""Standard deviations beyond which a column is said to have long tails."""

_KNOTS = 256
"""Quantiles kept of a column with long tails."""

_FEW = 128
"""Different values up to which a column is also shown as steps, if it has rows enough for each."""

_ENOUGH = 5
"""Rows that a value needs for a step of its own, and columns for each of their values."""

_MOST_STEPS = 2048
"""Steps of all columns together, beyond which none is shown."""

_BLOCK = 1 << 12
"""Rows encoded at a time: wide observables are held in double precision only so many."""


@dataclass(frozen=True)
class Encoder:
    """Learned from training observables: columns scaled, categories one-hot.

    Standard columns are shown in further ways where one number would hide something, each by a
    column's place and some of its scaled values. One with long tails is cut where they begin and
    also shown by rank, so that neither its bulk nor its tails vanish: ``ranks`` holds quantiles.
    One of few values, like a count, may mean another thing at each of them: ``steps`` holds the
    values, and the network is told of each whether it is reached.
    """

    design: Design
    ranks: Places = ()
    steps: Places = ()

    @classmethod
    def of(cls, train: "Samples", scaling: Scaling) -> "Encoder":
        """Learn the encoding from training samples."""
        weights = np.ones(len(train)) if train.weights is None else train.weights
        design = Design.of(train.observables, weights)
        if scaling == "standard":
            scaled = design(train.observables)[:, : len(design.numeric)]
            return cls(design, _long_tailed(scaled), _stepwise(scaled))
        if scaling not in ("minmax", "pixels"):
            known = nearest(scaling, ["standard", "minmax", "pixels"])
            raise InputError(f"unknown scaling {scaling!r} of a network's inputs; {known}")
        table = train.observables.matrix()[:, design.numeric]
        axis = 0 if scaling == "minmax" else None
        low, high = table.min(axis=axis, initial=np.inf), table.max(axis=axis, initial=-np.inf)
        reach = np.where(high > low, high - low, 1.0)
        ones = np.ones(len(design.numeric))
        return cls(replace(design, centre=low * ones, scale=reach * ones))

    def __call__(self, observables: "Observables") -> Singles:
        """What the network reads of some observables."""
        starts = range(0, max(1, len(observables)), _BLOCK)
        blocks = (observables.take(slice(start, start + _BLOCK)) for start in starts)
        return np.concatenate([self._block(block) for block in blocks])

    def _block(self, points: "Observables") -> Singles:
        scaled = self.design(points)
        shown = [scaled.clip(-_FAR, _FAR) if self.ranks else scaled]
        shown += [_rank(scaled[:, column, None], knots) for column, knots in self.ranks]
        shown += [(scaled[:, column, None] >= values) - 0.5 for column, values in self.steps]
        return np.hstack(shown).astype(np.float32)


def _long_tailed(scaled: Floats) -> Places:
    far = np.flatnonzero(np.abs(scaled).max(axis=0, initial=0.0) > _FAR)
    levels = np.linspace(0, 1, _KNOTS)
    return tuple((int(column), np.quantile(scaled[:, column], levels)) for column in far)


def _stepwise(scaled: Floats) -> Places:
    found = []
    for column, values in enumerate(scaled.T):
        present, counts = np.unique(values, return_counts=True)
        if 2 < len(present) <= min(_FEW, len(values) // _ENOUGH):
            found.append((column, present[1:][counts[1:] >= _ENOUGH]))
    fits = sum(len(values) for _, values in found) <= _MOST_STEPS
    return tuple(found) if fits else ()


def _rank(values: Floats, knots: Floats) -> Floats:
    """The share of training values below each value, centred, of variance about one.

    Among equal knots the middle one speaks for all.
    """
    levels = np.linspace(-1, 1, len(knots)) * np.sqrt(3)
    distinct, first, count = np.unique(knots, return_index=True, return_counts=True)
    middle = (levels[first] + levels[first + count - 1]) / 2
    return np.interp(values, distinct, middle)
