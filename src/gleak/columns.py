"""One column of what an attacker sees, and what turns any labels into codes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.distinct import distinct_rows
from gleak.errors import InputError
from gleak.labels import Codes, Labels, as_array, as_given, in_full, key
from gleak.source import NOWHERE, Source

GAPS = ("", "NA", "N/A", "<NA>", "NaN", "nan", "NAN", "NaT", "None", "null", "NULL")
"""How a missing value is written as text by what people export data from."""


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """A named column: finite numbers, or int32 codes into ``categories``."""

    name: str
    values: NDArray[Any]
    categories: Labels | None = None

    @classmethod
    def of(cls, name: str, values: ArrayLike) -> "Column":
        """A column from an array: numbers stay numbers, anything else becomes categories.

        >>> Column.of("colour", ["red", "blue", "red"]).values
        array([1, 0, 1], dtype=int32)
        """
        what = f"column {name!r}"
        refuse_masked(values, what)
        array = np.asarray(values)
        if array.ndim != 1:
            raise InputError.must(what, "one-dimensional", f"{array.ndim} axes")
        if array.dtype.kind in "iuf":
            return cls(name, numbers(array, what))
        if array.dtype.kind in "mM":  # times and durations: their ticks
            refuse_gap(np.isnat(array), what, NOWHERE)
            return cls(name, frozen(array.astype(np.int64)))
        codes, categories = encode(array, what)
        return cls(name, frozen(codes.astype(np.int32)), categories)


def numbers(array: NDArray[Any], what: str, source: Source = NOWHERE) -> NDArray[Any]:
    """A copy of finite numbers in which the two zeros are one."""
    refuse_not_finite(array, what, source)
    return frozen(array + array.dtype.type(0))  # -0.0 + 0.0 is 0.0


def encode(values: ArrayLike, what: str, source: Source = NOWHERE) -> tuple[Codes, Labels]:
    """Labels as codes into their sorted alphabet.

    >>> encode(["b", "a", "b"], "secrets")
    (array([1, 0, 1]), array(['a', 'b'], dtype='<U1'))
    """
    refuse_masked(values, what)
    array = as_given(values)
    if array.dtype.kind == "c":
        raise InputError.must(what, "of labels", "complex numbers", where=source.name)
    if array.dtype.kind in "iuf":
        array = numbers(array, what, source)
        found = distinct_rows([array], len(array))
        return found.inverse, frozen(in_full(array[found.first]))
    if array.dtype.kind == "O":
        return _objects(array.tolist(), what, source)
    if array.dtype.kind in "mM":
        refuse_gap(np.isnat(array), what, source)
    alphabet, codes = np.unique(array, return_inverse=True)
    if alphabet.dtype.kind == "U":
        refuse_gap(np.isin(alphabet, GAPS), what, source, codes)
    return frozen(codes), frozen(alphabet)


def _objects(values: list[Any], what: str, source: Source) -> tuple[Codes, Labels]:
    """Labels of any kind: those that read the same are the same."""
    keys = [key(value) for value in values]
    first: dict[str, int] = {}
    for row, text in enumerate(keys):
        first.setdefault(text, row)
    for gap in GAPS:
        if gap in first:
            _refuse_missing(what, first[gap], source)
    try:
        texts = sorted(first, key=lambda text: values[first[text]])
    except TypeError:  # kinds that cannot be compared
        texts = sorted(first)
    place = {text: code for code, text in enumerate(texts)}
    codes = np.fromiter((place[text] for text in keys), dtype=np.intp, count=len(keys))
    return frozen(codes), frozen(as_array([values[first[text]] for text in texts]))


def refuse_not_finite(array: NDArray[Any], what: str, source: Source, start: int = 0) -> None:
    """Refuse NaN and the infinities; ``start`` is the row of the array's first entry."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return
    row = int(np.flatnonzero(~np.isfinite(array))[0])
    raise InputError.must(
        what, "of finite numbers", array[row], where=source.at(start + row),
        remedy="remove the row, or write as a category what happened",
    )  # fmt: skip


def refuse_gap(
    missing: NDArray[np.bool_], what: str, source: Source, codes: Codes | None = None
) -> None:
    """Refuse a missing entry, or, with ``codes``, a missing label that they point to."""
    if missing.any():
        _refuse_missing(what, int((missing if codes is None else missing[codes]).argmax()), source)


def refuse_masked(values: ArrayLike, what: str) -> None:
    """Refuse an array that hides some of its values: NumPy would bring them to light again."""
    if np.ma.is_masked(values):
        _refuse_missing(what, int(np.argwhere(np.ma.getmask(values))[0][0]), NOWHERE)


def _refuse_missing(what: str, row: int, source: Source) -> None:
    raise InputError.must(
        what, "without gaps", "a missing value", where=source.at(row),
        remedy="remove the row, or give the gap a name of its own",
    )  # fmt: skip


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, no longer writeable."""
    array.flags.writeable = False
    return array
