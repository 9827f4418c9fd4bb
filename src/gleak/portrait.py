"""What an attack looks like: its guess along one numeric column, or over two."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries import Strategy
from gleak.labels import Codes, Labels
from gleak.observables import Column, Observables
from gleak.payoff import Floats

_ALONG, _ACROSS = 400, 72
"""Points at which a guess is asked for along a single column, and along each of two."""

_SEEN = 2_000
"""Observables that are kept to be drawn."""

_OUTLYING = 0.005
"""The share of the rows at either end that may lie outside the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Portrait:
    """Guesses on a grid: ``guesses`` are positions in ``labels``, an axis for each column."""

    names: tuple[str, ...]
    axes: tuple[Floats, ...]
    guesses: Codes
    labels: Labels
    seen: Floats


def portrait(
    strategy: Strategy, observables: Observables, *, rng: np.random.Generator | int | None = None
) -> Portrait | None:
    """The picture of a strategy where it has one: over one or two columns of numbers.

    >>> from gleak import Samples, adversary
    >>> samples = Samples.of(["a", "b"] * 50, [0, 1] * 50)
    >>> strategy = adversary("frequentist").fit(samples, samples.bind("bayes"))
    >>> seen = portrait(strategy, samples.observables)
    >>> seen.axes[0], seen.labels[seen.guesses]
    (array([0., 1.]), array(['a', 'b'], dtype='<U1'))
    """
    columns = observables.columns
    if len(columns) > 2 or not observables.numeric.all():
        return None
    most = _ALONG if len(columns) == 1 else _ACROSS
    axes = tuple(_axis(column.values, most) for column in columns)
    made, guesses = np.unique(strategy.guess(_grid(columns, axes)), axis=0, return_inverse=True)
    keep = min(_SEEN, len(observables))
    rows = np.random.default_rng(rng).choice(len(observables), keep, replace=False)
    return Portrait(
        tuple(observables.names),
        axes,
        guesses.reshape([len(axis) for axis in axes]),
        strategy.payoff.labels(made),
        observables.take(rows).matrix(),
    )


def _grid(columns: tuple[Column, ...], axes: tuple[Floats, ...]) -> Observables:
    """Every point of the grid, in the columns' own kinds of numbers."""
    points = np.meshgrid(*axes, indexing="ij")
    return Observables(
        tuple(
            Column(column.name, values.ravel().astype(column.values.dtype))
            for column, values in zip(columns, points, strict=True)
        )
    )


def _axis(values: NDArray[np.generic], most: int) -> Floats:
    """The values themselves where they are few, else even steps between all but outliers."""
    there = np.unique(values)
    if len(there) <= most:
        return there.astype(np.float64)
    low, high = np.quantile(values.astype(np.float64), [_OUTLYING, 1 - _OUTLYING])
    steps = np.linspace(low, high, most)
    return np.unique(np.round(steps)) if values.dtype.kind in "iu" else steps
