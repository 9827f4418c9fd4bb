"""Names of secrets, guesses and observables: what makes two of them the same."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.errors import InputError, nearest
from gleak.files import is_number

Labels = NDArray[Any]
"""A one-dimensional array of labels, of any kind that NumPy holds."""

Codes = NDArray[np.intp]
"""Labels written as their positions in an alphabet."""


def key(label: object) -> str:
    """The text under which a label is the same however it was read.

    A secret is the integer 1 in an array, ``1.0`` in a column with a gap and ``"1"`` in the
    header of a gain matrix; all three are one secret.

    >>> key(1) == key(1.0) == key("1") == key(np.float32(1))
    True
    """
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def as_array(values: list[Any]) -> Labels:
    """A one-dimensional array that keeps its elements what they are.

    >>> as_array([1, "1"]).tolist(), as_array([1, 2]).dtype.kind
    ([1, '1'], 'i')
    """
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and not kinds & {tuple, list, np.ndarray}:
        return np.asarray(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def as_given(values: ArrayLike | Sequence[object]) -> Labels:
    """Labels as an array, with numbers and words in one list kept numbers and words.

    >>> as_given([1, "a"]).tolist()
    [1, 'a']
    """
    kinds = {type(value) for value in values} if isinstance(values, list | tuple) else set()
    if all(issubclass(kind, int | float | np.number) for kind in kinds) or len(kinds) == 1:
        return np.asarray(values)
    return as_array(list(values))  # type: ignore[arg-type]


def in_full(labels: Labels) -> Labels:
    """Numbers of half or single precision as the decimal numbers they were written as.

    >>> in_full(np.array([0.1], dtype=np.float32))
    array([0.1])
    """
    if labels.dtype.kind != "f" or labels.dtype.itemsize >= np.dtype(np.float64).itemsize:
        return labels
    return np.array([float(str(label)) for label in labels], dtype=np.float64)


def as_labels(values: ArrayLike | Sequence[object], what: str, *, where: str = "") -> Labels:
    """An alphabet: labels that are present and all different."""
    labels = _one_axis(values, what, where)
    keys = [key(label) for label in labels.tolist()]
    for position, text in enumerate(keys):
        if text in ("None", "nan", "NaT", ""):
            raise InputError.must(
                what, "labels without gaps", f"a missing one at position {position}", where=where,
                remedy="give it a name",
            )  # fmt: skip
    if len(set(keys)) != len(keys):
        twice = Counter(keys).most_common(1)[0][0]
        raise InputError.must(
            what, "all different", f"{twice!r} more than once", where=where,
            remedy="rename or remove one",
        )  # fmt: skip
    return labels


def _one_axis(values: ArrayLike | Sequence[object], what: str, where: str) -> Labels:
    """The labels in one axis; tuples are labels, and stay whole."""
    tuples = isinstance(values, list | tuple) and any(isinstance(v, tuple) for v in values)
    labels = as_array(list(values)) if tuples else as_given(values)  # type: ignore[arg-type]
    if labels.ndim == 2:
        labels = as_array([tuple(row) for row in labels.tolist()])
    if labels.ndim != 1 or not len(labels):
        got = "none" if labels.ndim == 1 else repr(values)[:60]
        raise InputError.must(what, "a sequence of labels, at least one", got, where=where)
    return in_full(labels)


def same_labels(one: Labels, other: Labels) -> bool:
    """Whether two alphabets hold the same labels in the same order.

    >>> same_labels(np.array([1, 2]), np.array(["1", "2"]))
    True
    """
    if one is other:
        return True
    return list(map(key, one.tolist())) == list(map(key, other.tolist()))


def locate(wanted: Iterable[object], known: Labels, what: str, *, where: str = "") -> Codes:
    """The position of each wanted label among the known ones, or a refusal that names it.

    Numbers and truth values that no known label is spelled like are the same however they are
    spelled: what reads a table makes 7 of a PIN 0007 and True of true; what reads a header does
    not.

    >>> locate([7, 8], np.array(["0008", "0007"]), "the prior")
    array([1, 0])
    """
    texts = [key(label) for label in wanted]
    position = {key(label): index for index, label in enumerate(known.tolist())}
    unknown = {text for text in texts if text not in position}
    otherwise = _by_value(position) if unknown else {}
    for text in texts:
        if text in unknown and _value(text) not in otherwise:
            hint = nearest(text, list(position))
            raise InputError(
                f"{where + ': ' if where else ''}{what} lacks {text!r}; {hint}"
                + ("" if hint.endswith("?") else "; add it")
            )
    found = [otherwise[_value(text)] if text in unknown else position[text] for text in texts]
    return np.array(found, dtype=np.intp)


def _by_value(position: dict[str, int]) -> dict[str, int]:
    """The positions of labels by their values, where no two have the same."""
    values = {text: _value(text) for text in position}
    often = Counter(values.values())
    return {value: position[text] for text, value in values.items() if often[value] == 1}


def _value(text: str) -> str:
    """A number's or truth value's text as it is usually written; any other text as it is."""
    if not is_number(text):
        return text.lower() if text.lower() in ("true", "false") else text
    try:
        return str(int(text))
    except ValueError:
        return key(float(text))
