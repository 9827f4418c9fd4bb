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

_FAR = 6.0
"""Standard deviations beyond which a column is said to have long tails."""

_KNOTS = 256
"""Quantiles kept of a column with long tails."""

_BLOCK = 1 << 12
"""Rows encoded at a time: wide observables are held in double precision only so many."""


@dataclass(frozen=True)
class Encoder:
    """Learned from training observables: columns scaled, categories one-hot.

    A column with long tails is cut where they begin and also shown by rank, so that neither its
    bulk nor its tails vanish: ``ranks`` holds such columns with their quantiles.
    """

    design: Design
    ranks: tuple[tuple[int, Floats], ...] = ()

    @classmethod
    def of(cls, train: "Samples", scaling: Scaling) -> "Encoder":
        """Learn the encoding from training samples."""
        weights = np.ones(len(train)) if train.weights is None else train.weights
        design = Design.of(train.observables, weights)
        if scaling == "standard":
            return cls(design, _long_tailed(design, train.observables))
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
        for column, knots in self.ranks:
            shown.append(_rank(scaled[:, column, None], knots))
        return np.hstack(shown).astype(np.float32)


def _long_tailed(design: Design, observables: "Observables") -> tuple[tuple[int, Floats], ...]:
    scaled = design(observables)[:, : len(design.numeric)]
    far = np.flatnonzero(np.abs(scaled).max(axis=0, initial=0.0) > _FAR)
    levels = np.linspace(0, 1, _KNOTS)
    return tuple((int(column), np.quantile(scaled[:, column], levels)) for column in far)


def _rank(values: Floats, knots: Floats) -> Floats:
    """The share of training values below each value, centred, of variance about one.

    Among equal knots the middle one speaks for all.
    """
    levels = np.linspace(-1, 1, len(knots)) * np.sqrt(3)
    distinct, first, count = np.unique(knots, return_index=True, return_counts=True)
    middle = (levels[first] + levels[first + count - 1]) / 2
    return np.interp(values, distinct, middle)
