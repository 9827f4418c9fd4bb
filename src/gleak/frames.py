"""Columns of data frames, of any maker, as checked columns and codes."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gleak.columns import (
    GAPS,
    Column,
    encode,
    frozen,
    refuse_gap,
    refuse_not_finite,
)
from gleak.errors import InputError
from gleak.labels import Codes, Labels, key
from gleak.marks import marks_of, pieces
from gleak.source import NOWHERE, Source

if TYPE_CHECKING:
    import narwhals as nw
    import polars as pl

_EXACT = 1 << 53
"""Whole numbers beyond this are not all floats: as floats, different ones could become one."""


def as_frame(frame: Any) -> "pl.DataFrame":
    """Anyone's data frame as one of polars."""
    import narwhals as nw
    import polars as pl

    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    try:
        eager: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    except (nw.exceptions.DuplicateError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError.must("the samples", "a data frame that can be read", reason) from None
    _refuse_twice(eager.columns)
    return pl.DataFrame([_series(series) for series in eager.iter_columns()])


def _series(series: "nw.Series[Any]") -> "pl.Series":
    import narwhals as nw
    import polars as pl

    name, gaps = str(series.name), series.is_null().to_list()
    if (series.dtype.is_numeric() or series.dtype.is_temporal()) and not any(gaps):
        return pl.Series(name, series.to_numpy())
    if series.dtype == nw.Boolean and not any(gaps):
        return pl.Series(name, series.to_list(), dtype=pl.Boolean)
    texts = zip(series.to_list(), gaps, strict=True)
    return pl.Series(name, [None if gap else key(value) for value, gap in texts], pl.String)


def _refuse_twice(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two columns are called {name!r}; rename or remove one")


def as_columns(frame: Any) -> list[Column]:
    """Every column of a data frame.

    >>> import polars as pl
    >>> [column.values for column in as_columns(pl.DataFrame({"a": [3, 1], "b": ["y", "x"]}))]
    [array([3, 1]), array([1, 0], dtype=int32)]
    """
    return [as_column(series) for series in as_frame(frame).iter_columns()]


def as_column(series: "pl.Series", source: Source = NOWHERE) -> Column:
    """A column: numbers stay numbers, anything else becomes categories."""
    what = f"column {series.name!r}"
    series = _supported(series, what, source)
    if series.dtype.is_temporal():
        series = series.to_physical()
    if series.dtype.is_numeric():
        return Column(series.name, _numbers(series, what, source))
    codes, labels = as_codes(series, what, source)
    if labels.dtype.kind in "iuf":
        return Column(series.name, frozen(labels[codes]))
    return Column(series.name, frozen(codes.astype(np.int32)), labels)


def as_codes(series: "pl.Series", what: str, source: Source = NOWHERE) -> tuple[Codes, Labels]:
    """Labels as codes into their sorted alphabet, whatever the order in which threads ran."""
    import polars as pl

    series = _supported(series, what, source)
    if series.dtype.is_numeric():
        return encode(_numbers(series, what, source), what, source)
    if series.dtype == pl.Boolean:
        return encode(series.to_numpy(), what, source)
    if not isinstance(series.dtype, pl.Categorical | pl.Enum):
        series = series.cast(pl.String)
    marks = marks_of(series)
    places, labels = _alphabet(series.gather(marks.rows).cast(pl.String), source)
    codes = marks.recoded(places)
    if labels.dtype.kind == "U":
        refuse_gap(np.isin(labels, GAPS), what, source, codes)
    elif not np.isfinite(labels).all():
        refuse_not_finite(labels[codes], what, source)
    return frozen(codes), labels


def _alphabet(texts: "pl.Series", source: Source) -> tuple[Codes, Labels]:
    """Different texts as codes into sorted labels, which in a text file may be numbers."""
    import polars as pl

    if source.is_text:
        texts = texts.str.strip_chars()
        values = _as_numbers(texts)
        if values is not None:
            labels, codes = np.unique(values, return_inverse=True)
            return codes, frozen(labels)
    ordered = texts.unique().sort()
    codes = texts.cast(pl.Enum(ordered)).to_physical().to_numpy()
    return codes.astype(np.intp), frozen(np.array(ordered.to_list(), dtype=np.str_))


def _as_numbers(texts: "pl.Series") -> NDArray[Any] | None:
    """The numbers that all the texts are, unless different texts would become one by rounding."""
    import polars as pl

    whole = texts.cast(pl.Int64, strict=False)
    if not whole.null_count():
        return whole.to_numpy()
    values = texts.cast(pl.Float64, strict=False)
    if values.null_count():
        return None
    array = values.to_numpy() + 0.0
    if np.abs(array).max() > _EXACT and values.n_unique() < texts.n_unique():
        return None
    return array


def _supported(series: "pl.Series", what: str, source: Source) -> "pl.Series":
    """A series without gaps, of a type that NumPy and we know."""
    import polars as pl

    if series.null_count():
        refuse_gap(series.is_null().to_numpy(), what, source)
    if series.dtype.is_nested() or series.dtype == pl.Object or series.dtype == pl.Null:
        raise InputError.must(
            what, "of numbers, texts, truth values or times", f"values of type {series.dtype}",
            where=source.name,
        )  # fmt: skip
    if series.dtype == pl.Decimal:
        return series.cast(pl.Float64)
    if series.dtype == pl.Int128:  # unknown to NumPy: exact as text, if it is too long
        fits = series.cast(pl.UInt64, strict=False)
        return series.cast(pl.String) if fits.null_count() else fits
    return series


def _numbers(series: "pl.Series", what: str, source: Source) -> NDArray[Any]:
    """Finite numbers in one piece, in which the two zeros are one."""
    values: NDArray[Any] | None = None
    for rows, chunk in pieces(series):
        refuse_not_finite(chunk, what, source, rows.start)
        values = np.empty(len(series), dtype=chunk.dtype) if values is None else values
        np.add(chunk, chunk.dtype.type(0), out=values[rows])
    return frozen(np.empty(0) if values is None else values)
