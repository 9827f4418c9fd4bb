"""Rows of what an attacker sees: numeric and categorical columns, encoded once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.columns import Column, encode, frozen, refuse_masked
from gleak.distinct import Distinct, distinct_keys, distinct_rows
from gleak.errors import InputError, nearest
from gleak.labels import Labels, key

__all__ = ["Column", "Distinct", "Observables"]

Selection = NDArray[Any] | slice
"""Rows: an index array, a mask or a slice."""


@dataclass(frozen=True, eq=False)
class Observables:
    """Columns of equal length. Which rows are the same is found once and remembered.

    >>> seen = Observables.of({"time": [3, 1, 3], "colour": ["red", "blue", "red"]})
    >>> len(seen), seen.numeric, seen.distinct.first
    (3, array([ True, False]), array([1, 0]))
    """

    columns: tuple[Column, ...]
    _known: NDArray[np.intp] | None = field(default=None, repr=False)
    """What is known of the rows already: a number for each, in the order of the rows' values."""

    def __post_init__(self) -> None:
        lengths = {column.name: len(column.values) for column in self.columns}
        if not lengths:
            raise InputError.must("observables", "of at least one column", 0)
        if len(lengths) < len(self.columns):
            raise InputError.must("the columns' names", "all different", ", ".join(self.names))
        if len(set(lengths.values())) > 1:
            raise InputError.must("columns", "of the same length", lengths)

    @classmethod
    def of(cls, data: Any, names: Sequence[str] | None = None) -> "Observables":
        """Observables from an array, a mapping of names to arrays, or a data frame.

        >>> Observables.of({"time": [3, 1, 3], "colour": ["red", "red", "red"]}).distinct.inverse
        array([1, 0, 1])
        """
        if isinstance(data, Observables):
            columns = dict(zip(data.names, data.columns, strict=True))
        elif hasattr(type(data), "columns"):
            from gleak.frames import as_columns

            columns = {column.name: column for column in as_columns(data)}
        else:
            columns = {name: Column.of(name, values) for name, values in _named(data).items()}
        if names is None:
            return cls(tuple(columns.values()))
        if len(names) != len(columns):
            raise InputError.must("names", f"{len(columns)}, one for each column", len(names))
        renamed = zip(names, columns.values(), strict=True)
        return cls(tuple(replace(column, name=name) for name, column in renamed))

    def __len__(self) -> int:
        return len(self.columns[0].values)

    @property
    def names(self) -> list[str]:
        """The columns' names."""
        return [column.name for column in self.columns]

    @property
    def numeric(self) -> NDArray[np.bool_]:
        """Which columns are numbers; the others are categories."""
        return np.array([column.categories is None for column in self.columns])

    def take(self, rows: Selection) -> "Observables":
        """Some rows. What is known of the distinct ones goes along."""
        known = self.distinct.inverse if "distinct" in self.__dict__ else self._known
        columns = (replace(column, values=column.values[rows]) for column in self.columns)
        return Observables(tuple(columns), None if known is None else known[rows])

    def select(self, names: Sequence[str]) -> "Observables":
        """Some columns, in the order of their names."""
        by_name = dict(zip(self.names, self.columns, strict=True))
        for name in names:
            if name not in by_name:
                raise InputError(f"no column {name!r}; {nearest(name, self.names)}")
        return Observables(tuple(by_name[name] for name in names))

    def matrix(self) -> NDArray[np.float64]:
        """A row per row and a column per column; categories as their codes."""
        table = np.empty((len(self), len(self.columns)))
        for place, column in enumerate(self.columns):
            table[:, place] = column.values
        return table

    @cached_property
    def distinct(self) -> Distinct:
        """The distinct rows, in lexicographic order of their columns' values."""
        if self._known is None:
            return distinct_rows([column.values for column in self.columns], len(self))
        return distinct_keys(self._known, int(self._known.max(initial=-1)) + 1)

    def alike(self, other: "Observables") -> "Observables":
        """Other observables, encoded as these: the same columns with the same categories.

        A category never seen here gets a code past the end.

        >>> here = Observables.of({"c": ["a", "b"]})
        >>> here.alike(Observables.of({"c": ["z", "b"]})).columns[0].values
        array([2, 1], dtype=int32)
        """
        theirs = other.select(self.names).columns
        pairs = zip(self.columns, theirs, strict=True)
        columns = tuple(_alike(mine, their) for mine, their in pairs)
        same = all(a is b for a, b in zip(columns, other.columns, strict=False))
        return other if same and len(columns) == len(other.columns) else Observables(columns)


def _named(data: Any) -> Mapping[str, ArrayLike]:
    """The columns of an array or of rows of mixed values; unnamed ones are 0, 1, 2 and so on."""
    if isinstance(data, Mapping):
        return {str(name): values for name, values in data.items()}
    refuse_masked(data, "observables")
    rows = isinstance(data, list | tuple) and len(data) and isinstance(data[0], list | tuple)
    table = _table(data) if rows else np.asarray(data)
    if table.dtype.names is not None:
        return {name: table[name] for name in table.dtype.names}
    if table.ndim not in (1, 2):
        raise InputError.must(
            "observables", "rows, or rows × columns", f"{table.ndim} axes",
            remedy="flatten each row; of a sparse matrix pass .toarray()",
        )  # fmt: skip
    columns = [table] if table.ndim == 1 else list(table.T)
    mixed = table.dtype.kind == "O"  # each column may be of one kind all the same
    return {str(i): np.array(c.tolist()) if mixed else c for i, c in enumerate(columns)}


def _table(rows: Sequence[Sequence[Any]]) -> NDArray[Any]:
    """Rows of mixed values in an array that keeps their kinds."""
    width = len(rows[0])
    for place, row in enumerate(rows):
        if not isinstance(row, list | tuple) or len(row) != width:
            got = len(row) if isinstance(row, list | tuple) else repr(row)
            raise InputError.must(
                "a row of observables", f"of {width} values like the first", got,
                where=f"row {place}",
            )  # fmt: skip
    table = np.empty((len(rows), width), dtype=object)
    table[:] = rows
    return table


def _alike(mine: Column, their: Column) -> Column:
    if mine.categories is None:
        if their.categories is not None:
            raise InputError.must(
                f"column {mine.name!r}", "of numbers, as it was before", "categories"
            )
        return their
    if their.categories is mine.categories:
        return their
    codes, labels = (
        encode(their.values, f"column {their.name!r}")
        if their.categories is None
        else (their.values, their.categories)
    )
    places, categories = _places(labels, mine.categories)
    return Column(mine.name, frozen(places[codes]), categories)


def _places(labels: Labels, known: Labels) -> tuple[NDArray[np.int32], Labels]:
    """Where each label is among the known ones; strangers are put past their end."""
    place = {key(label): code for code, label in enumerate(known.tolist())}
    for label in labels.tolist():
        place.setdefault(key(label), len(place))
    places = [place[key(label)] for label in labels.tolist()]
    strangers = labels[np.array(places, dtype=np.intp) >= len(known)]
    if not len(strangers):
        return np.array(places, dtype=np.int32), known
    both = np.array([*known.tolist(), *strangers.tolist()], dtype=object)
    return np.array(places, dtype=np.int32), frozen(both)
