"""One column of what an attacker sees, and what turns any labels into codes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.distinct import distinct_rows
from gleak.errors import InputError
from gleak.labels import Codes, Labels, key


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """A named column: finite numbers, or int32 codes into ``categories``."""

    name: str
    values: NDArray[Any]
    categories: Labels | None = None

    @classmethod
    def of(cls, name: str, values: ArrayLike, *, where: str = "") -> "Column":
        """A column from an array: numbers stay numbers, anything else becomes categories.

        >>> Column.of("colour", ["red", "blue", "red"]).values
        array([1, 0, 1], dtype=int32)
        """
        what = f"column {name!r}"
        array = np.asarray(values)
        if array.ndim != 1:
            raise InputError.must(what, "one-dimensional", f"{array.ndim} axes", where=where)
        if array.dtype.kind not in "iuf":
            codes, categories = encode(array, what, where=where)
            return cls(name, frozen(codes.astype(np.int32)), categories)
        return cls(name, numbers(array, what, where=where))


def numbers(array: NDArray[Any], what: str, *, where: str = "") -> NDArray[Any]:
    """A copy of finite numbers in which the two zeros are one."""
    if array.dtype.kind != "f":
        return frozen(array.copy())
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array))[0])
        raise InputError.must(
            what, "of finite numbers", f"{array[row]} in row {row}", where=where,
            remedy="remove the row, or write what happened as a category",
        )  # fmt: skip
    return frozen(array + array.dtype.type(0))  # -0.0 + 0.0 is 0.0


def encode(values: ArrayLike, what: str, *, where: str = "") -> tuple[Codes, Labels]:
    """Labels as codes into their sorted alphabet.

    >>> encode(["b", "a", "b"], "secrets")
    (array([1, 0, 1]), array(['a', 'b'], dtype='<U1'))
    """
    array = np.asarray(values)
    if array.dtype.kind in "iuf":
        array = numbers(array, what, where=where)
        found = distinct_rows([array], len(array))
        return found.inverse, frozen(array[found.first])
    if array.dtype.kind == "O":
        return _objects(array.tolist(), what, where)
    if array.dtype.kind in "mM" and np.isnat(array).any():
        _refuse_gap(what, int(np.flatnonzero(np.isnat(array))[0]), where)
    alphabet, codes = np.unique(array, return_inverse=True)
    if alphabet.dtype.kind in "US" and len(alphabet) and not alphabet[0]:
        _refuse_gap(what, int(np.flatnonzero(codes == 0)[0]), where)
    return frozen(codes), frozen(alphabet)


def _objects(values: list[object], what: str, where: str) -> tuple[Codes, Labels]:
    """Labels of any kind: those that read the same are the same."""
    keys = [key(value) for value in values]
    first = {text: row for row, text in reversed(list(enumerate(keys)))}
    for gap in ("None", "nan", "NaT", "<NA>", ""):
        if gap in first:
            _refuse_gap(what, first[gap], where)
    try:
        texts = sorted(first, key=lambda text: values[first[text]])  # type: ignore[arg-type,return-value]
    except TypeError:  # kinds that cannot be compared
        texts = sorted(first)
    place = {text: code for code, text in enumerate(texts)}
    codes = np.fromiter((place[text] for text in keys), dtype=np.intp, count=len(keys))
    return frozen(codes), frozen(as_array([values[first[text]] for text in texts]))


def as_array(values: list[Any]) -> NDArray[Any]:
    """A one-dimensional array that keeps its elements what they are."""
    array = np.asarray(values) if len({type(value) for value in values}) == 1 else None
    if array is None or array.ndim != 1:
        array = np.empty(len(values), dtype=object)
        array[:] = values
    return array


def _refuse_gap(what: str, row: int, where: str) -> None:
    raise InputError.must(
        what, "without gaps", f"a missing value in row {row}", where=where,
        remedy="remove the row, or give the gap a name of its own",
    )  # fmt: skip


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, no longer writeable."""
    array.flags.writeable = False
    return array
