"""The distinct rows among many: found once, in sorted order, without comparing whole rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ranks = NDArray[np.int64]
Rows = NDArray[np.intp]

_ROOM = 1 << 62
"""Keys beyond this would overflow once multiplied by the next column's size."""

_EXACT = float(1 << 53)
"""Up to here a float that is a whole number is that number exactly."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """Which rows are the same.

    ``first`` holds the row of each distinct one's first appearance, in lexicographic order of
    the columns' values; ``inverse`` says for each row which distinct one it is.
    """

    first: Rows
    inverse: Rows

    def __len__(self) -> int:
        return len(self.first)


def distinct_rows(columns: Sequence[NDArray[Any]], length: int) -> Distinct:
    """The distinct rows of some columns of numbers.

    Each column becomes whole numbers in the same order; these are written as the digits of one
    key a row, and only the keys are sorted, or counted where they are few.

    >>> found = distinct_rows([np.array([2, 1, 2]), np.array([0.5, 0.5, 0.5])], 3)
    >>> found.first, found.inverse
    (array([1, 0]), array([1, 0, 1]))
    """
    keys, size = np.zeros(length, dtype=np.int64), 1
    for values in columns:
        digits, base = _digits(values)
        if size * base > _ROOM:
            keys, size = _dense(keys, size)
        if size * base > _ROOM:
            digits, base = _dense(digits, base)
        keys, size = (digits, base) if size == 1 else (keys * base + digits, size * base)
    return distinct_keys(keys, size)


def distinct_keys(keys: NDArray[Any], size: int) -> Distinct:
    """The distinct ones among whole numbers from 0 up to ``size``."""
    if not len(keys) or (keys[1:] > keys[:-1]).all():
        all_rows = np.arange(len(keys))
        return _frozen(all_rows, all_rows)
    if size <= 4 * len(keys):
        return _counted(keys, size)
    return _sorted(keys)


def _counted(keys: NDArray[Any], size: int) -> Distinct:
    first_of = np.full(size, -1, dtype=np.intp)
    first_of[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)  # the last one written stays
    present = first_of >= 0
    rank_of = np.cumsum(present) - 1
    return _frozen(first_of[present], rank_of[keys])


def _sorted(values: NDArray[Any]) -> Distinct:
    order = np.argsort(values)
    ranked = values[order]
    new = np.empty(len(values), dtype=bool)
    new[0] = True
    np.not_equal(ranked[1:], ranked[:-1], out=new[1:])
    del ranked
    inverse = np.empty(len(values), dtype=np.intp)
    inverse[order] = np.cumsum(new) - 1
    # The sort is not stable: the first appearance is the lowest row of each run.
    return _frozen(np.minimum.reduceat(order, np.flatnonzero(new)), inverse)


def _digits(values: NDArray[Any]) -> tuple[Ranks, int]:
    """Whole numbers from 0 up to a size, in the order of the values."""
    if not len(values):
        return np.zeros(0, dtype=np.int64), 1
    low, high = values.min(), values.max()
    if values.dtype.kind == "f" and float(low) > -_EXACT and float(high) < _EXACT:
        whole = values.astype(np.int64)
        if (whole == values).all():
            values, low, high = whole, np.int64(low), np.int64(high)
    if values.dtype.kind == "f" or int(high) - int(low) >= _ROOM:
        inverse = _sorted(values).inverse
        return inverse, int(inverse.max()) + 1
    shifted = values - low if values.dtype.itemsize == 8 else values.astype(np.int64) - int(low)
    return shifted.astype(np.int64, copy=False), int(high) - int(low) + 1


def _dense(keys: Ranks, size: int) -> tuple[Ranks, int]:
    found = distinct_keys(keys, size)
    return found.inverse, len(found)


def _frozen(first: Rows, inverse: Rows) -> Distinct:
    first.flags.writeable = inverse.flags.writeable = False
    return Distinct(first, inverse)
