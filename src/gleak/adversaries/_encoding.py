"""Observables as a design matrix, fitted on the training samples and on nothing else."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gleak.payoff import Floats

if TYPE_CHECKING:
    from gleak.observables import Observables

MOST_CATEGORIES = 100
"""Categories of a column that get a column of their own: the most frequent ones."""


@dataclass(frozen=True)
class Design:
    """Numeric columns centred and scaled to variance one, categorical ones one-hot.

    A category without a column of its own, or never seen in training, is a row of zeros.
    """

    template: "Observables"
    numeric: NDArray[np.intp]
    centre: Floats
    scale: Floats
    categories: tuple[tuple[int, Floats], ...]

    @classmethod
    def of(cls, points: "Observables", weights: Floats) -> "Design":
        """Learn the design from training points, each standing for ``weights`` samples."""
        table = points.matrix()
        numeric = np.flatnonzero(points.numeric)
        centre = np.average(table[:, numeric], axis=0, weights=weights)
        spread = np.sqrt(np.average((table[:, numeric] - centre) ** 2, axis=0, weights=weights))
        rounding = 1e-12 * np.maximum(1.0, np.abs(centre))
        scale = np.where(spread > rounding, spread, 1.0)
        frequent = tuple(
            (int(column), _most_frequent(table[:, column], weights))
            for column in np.flatnonzero(~points.numeric)
        )
        return cls(points.take(slice(0, 1)), numeric, centre, scale, frequent)

    def __call__(self, points: "Observables") -> Floats:
        """The design matrix of some points."""
        table = self.template.alike(points).matrix()
        parts = [(table[:, self.numeric] - self.centre) / self.scale]
        parts += [
            (table[:, column, None] == codes).astype(np.float64)
            for column, codes in self.categories
        ]
        return np.hstack(parts)


def _most_frequent(codes: Floats, weights: Floats) -> Floats:
    """Category codes by falling frequency, the lower code first among equals."""
    present, inverse = np.unique(codes, return_inverse=True)
    order = np.argsort(-np.bincount(inverse, weights=weights), kind="stable")
    return np.sort(present[order[:MOST_CATEGORIES]])
