"""Names of secrets, guesses and observables: what makes two of them the same."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.errors import InputError, nearest

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


def as_labels(values: ArrayLike | Sequence[object], what: str, *, where: str = "") -> Labels:
    """An alphabet: labels that are present and all different."""
    labels = np.asarray(values)
    if labels.ndim != 1:  # tuples as labels: keep them whole
        labels = np.empty(len(labels), dtype=object)
        labels[:] = [tuple(np.asarray(value).tolist()) for value in values]  # type: ignore[union-attr]
    keys = [key(label) for label in labels.tolist()]
    for position, text in enumerate(keys):
        if text in ("None", "nan", "NaT", ""):
            raise InputError.must(
                what, "labels without gaps", f"a missing one at position {position}", where=where
            )
    if len(set(keys)) != len(keys):
        twice = Counter(keys).most_common(1)[0][0]
        raise InputError.must(what, "all different", f"{twice!r} more than once", where=where)
    return labels


def locate(wanted: Iterable[object], known: Labels, what: str, *, where: str = "") -> Codes:
    """The position of each wanted label among the known ones, or a refusal that names it."""
    position = {key(label): index for index, label in enumerate(known.tolist())}
    found = []
    for label in wanted:
        text = key(label)
        if text not in position:
            raise InputError(
                f"{where + ': ' if where else ''}{what} lacks {text!r}; "
                f"{nearest(text, list(position))}"
            )
        found.append(position[text])
    return np.array(found, dtype=np.intp)
