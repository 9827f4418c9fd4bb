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


_FARTHEST = 1e30
"""Standard deviations at which a column ends: what reads it may reckon in single precision."""


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
        centre, spread = centre_and_spread(table[:, numeric], weights)
        scale = np.where(spread > 0, spread, 1.0)
        frequent = tuple(
            (int(column), _most_frequent(table[:, column], weights))
            for column in np.flatnonzero(~points.numeric)
        )
        return cls(points.take(slice(0, 1)), numeric, centre, scale, frequent)

    def __call__(self, points: "Observables") -> Floats:
        """The design matrix of some points."""
        table = self.template.alike(points).matrix()
        parts = [moved(table[:, self.numeric], self.centre, self.scale, _FARTHEST)]
        parts += [
            (table[:, column, None] == codes).astype(np.float64)
            for column, codes in self.categories
        ]
        return np.hstack(parts)


def centre_and_spread(table: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Each column's mean and standard deviation; its first number and 0 if all are the same.

    Numbers that differ by rounding only count as the same. Squares are taken in units of about
    the column's largest number: those of picoamperes must not vanish, nor those of the largest
    number there is, which may stand for a missing answer.

    >>> centre_and_spread(np.array([[1e-200, 5.0], [3e-200, 5.0]]), np.ones(2))
    (array([2.e-200, 5.e+000]), array([1.e-200, 0.e+000]))
    """
    _, exponent = np.frexp(np.abs(table).max(axis=0, initial=0.0))
    unit = np.ldexp(1.0, exponent - 1)
    units = table / unit
    centre = np.average(units, axis=0, weights=weights)
    units -= centre
    spread = np.sqrt(np.average(units**2, axis=0, weights=weights))
    varies = spread > 1e-12 * np.abs(centre)
    return np.where(varies, centre * unit, table[0]), np.where(varies, spread * unit, 0.0)


def moved(table: Floats, centre: Floats, scale: Floats, farthest: float) -> Floats:
    """Columns centred and scaled, and cut where no more is to be told."""
    with np.errstate(over="ignore"):  # it is cut then
        places = (table - centre) / scale
    return places.clip(-farthest, farthest, out=places)


def _most_frequent(codes: Floats, weights: Floats) -> Floats:
    """Category codes by falling frequency, the lower code first among equals."""
    present, inverse = np.unique(codes, return_inverse=True)
    order = np.argsort(-np.bincount(inverse, weights=weights), kind="stable")
    return np.sort(present[order[:MOST_CATEGORIES]])
