"""What the answers of one system look like: how many columns, called what, numbers or words."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gleak.errors import InputError
from gleak.files import is_number
from gleak.observables import Observables

TEXT = ":text"
"""The end of a column's name that says: words, even where the first answer is a number."""


_EMPTY = "the answer is an empty line"


class Garbage(Exception):
    """An answer that does not look like the others: its place, and why. Never what it was."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(reason)
        self.place, self.reason = place, reason


@dataclass(frozen=True)
class AnswerForm:
    """Names of the columns, and which hold numbers."""

    names: tuple[str, ...]
    numeric: tuple[bool, ...]

    @classmethod
    def told(cls, first: bytes, names: Sequence[str] = ()) -> "AnswerForm":
        """The form that the first answer has, whose columns may have been named beforehand.

        >>> AnswerForm.told(b"0.5,red", ["time", "colour"])
        AnswerForm(names=('time', 'colour'), numeric=(True, False))
        """
        (fields,) = _fields([first])
        if names and len(fields) != len(names):
            raise Garbage(0, f"the answer has {len(fields)} columns instead of {len(names)}")
        given = list(names) or [f"answer_{place}" for place in range(len(fields))]
        words = [name.endswith(TEXT) for name in given]
        bare = tuple(name.removesuffix(TEXT) for name in given)
        if len(set(bare)) < len(bare):
            raise InputError.must("the observables' names", "all different", ", ".join(bare))
        numeric = tuple(
            is_number(field) and not word for field, word in zip(fields, words, strict=True)
        )
        return cls(bare, numeric)

    def read(self, lines: Sequence[bytes]) -> Observables:
        """Answers, one a line; the first that does not have this form is garbage."""
        rows = _fields(lines)
        for place, row in enumerate(rows):
            if len(row) != len(self.names):
                raise Garbage(place, _width(row, len(self.names)))
        columns = zip(*rows, strict=True)
        kinds = zip(self.names, self.numeric, columns, strict=True)
        return Observables.of(
            {name: _numbers(column, name) if numeric else _words(column, name)
             for name, numeric, column in kinds}
        )  # fmt: skip


def _fields(lines: Sequence[bytes]) -> list[list[str]]:
    try:
        texts = b"\n".join(lines).decode().split("\n")
    except UnicodeDecodeError:
        raise Garbage(_first_not_utf8(lines), "the answer is not UTF-8 text") from None
    return [_row(text, place) for place, text in enumerate(texts)]


def _row(text: str, place: int) -> list[str]:
    if '"' not in text:
        return [field.strip() for field in text.split(",")]
    try:
        (row,) = csv.reader([text.strip()], strict=True)
    except csv.Error as error:
        raise Garbage(place, f"the answer's quotation marks cannot be read: {error}") from None
    return [field.strip() for field in row]


def _first_not_utf8(lines: Sequence[bytes]) -> int:
    for place, line in enumerate(lines):
        try:
            line.decode()
        except UnicodeDecodeError:
            return place
    return 0


def _width(row: list[str], wanted: int) -> str:
    if row in ([], [""]):
        return _EMPTY
    few = "too few" if len(row) < wanted else "too many"
    return f"the answer has {few} columns: {len(row)} instead of {wanted}, as the first had"


def _numbers(column: tuple[str, ...], name: str) -> NDArray[np.int64] | NDArray[np.float64]:
    try:
        return np.array([int(field) for field in column], dtype=np.int64)
    except (ValueError, OverflowError):
        values = np.array([float(f) if is_number(f) else np.nan for f in column])
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        if not column[place]:
            raise Garbage(place, f"{_EMPTY}, or column {name!r} of it is empty")
        raise Garbage(
            place,
            f"column {name!r} of the answer must be a finite number, as in the first answer, "
            f"got a text of {len(column[place])} characters (name the column {name}{TEXT} if "
            "words are meant)",
        )
    return values


def _words(column: tuple[str, ...], name: str) -> list[str]:
    if "" in column:
        raise Garbage(column.index(""), f"{_EMPTY}, or column {name!r} of it is empty")
    return list(column)
