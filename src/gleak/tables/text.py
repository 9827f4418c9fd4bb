"""Comma- and tab-separated files: read by polars, their mistakes looked up line by line."""

import csv
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from gleak.errors import InputError
from gleak.tables._base import (
    TableFile,
    numbered_lines,
    refuse_encoding,
    refuse_other_encodings,
)

if TYPE_CHECKING:
    import polars as pl


class TextFile(TableFile):
    """CSV or TSV with a header, plain, gzipped or in zstandard."""

    endings: ClassVar = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")

    @property
    def is_text(self) -> bool:
        return True

    def row(self, row: int) -> str:
        for line, _ in islice(self._rows(), row + 1, None):
            return f"line {line}"
        return super().row(row)  # what polars takes for rows need not be what Python does

    def columns(self) -> list[str]:
        return self._header

    @cached_property
    def _header(self) -> list[str]:
        with self.readable():
            rows = self._scan(
                has_header=False, infer_schema=False, encoding="utf8-lossy",
                truncate_ragged_lines=True,
            )  # fmt: skip
            names = [(name or "").strip() for name in rows.head(1).collect().row(0)]
        if any("\ufffd" in name for name in names):
            refuse_encoding(self.name, 1)
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"{self.name} has two columns {name!r}; rename or remove one")
        return names

    def load(self, columns: list[str]) -> "pl.DataFrame":
        last = self._header[-1]  # what a row lacks that is too short
        with self.readable():
            frame = self._read(list(dict.fromkeys([*columns, last])))
        if not frame.height:
            raise InputError(f"{self.name} has a header but no rows; write rows under it")
        if frame[last].null_count():
            self._refuse_ragged()
            frame = self._without_blank_lines(frame)
        return frame.select(columns)

    def _read(self, columns: list[str]) -> "pl.DataFrame":
        import polars as pl

        # Texts become numbers of a dictionary while they are read: a quarter of the memory.
        marked = pl.col(pl.String).cast(pl.Categorical)

        def loaded(**options: Any) -> "pl.DataFrame":
            chosen = self._scan(new_columns=self._header, **options).select(columns)
            return chosen.with_columns(marked).collect(engine="streaming")

        try:
            return loaded()
        except pl.exceptions.ComputeError:  # a word after many numbers: as text, all can be read
            return loaded(infer_schema=False)

    def _scan(self, **options: Any) -> "pl.LazyFrame":
        import polars as pl

        return pl.scan_csv(self.name, separator=self._separator, glob=False, **options)

    @property
    def _separator(self) -> str:
        return "\t" if self.name.lower().endswith((".tsv", ".tsv.gz", ".tsv.zst")) else ","

    def _without_blank_lines(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        """Polars reads a blank line as a row of gaps; it is no row."""
        import polars as pl

        blank = sum(1 for _, text in numbered_lines(self.name) if not text.strip())
        gaps = frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
        return frame.filter(~gaps) if blank and gaps.sum() == blank else frame

    def _explain(self, error: Exception) -> None:
        refuse_other_encodings(self.name, error)
        self._refuse_ragged()

    def _refuse_ragged(self) -> None:
        width = 0
        for line, fields in self._rows():
            width = width or len(fields)
            if len(fields) != width:
                raise InputError.must(
                    "a row", f"of {width} fields like the header", len(fields),
                    where=f"{self.name}, line {line}",
                ) from None  # fmt: skip

    def _rows(self) -> Iterator[tuple[int, list[str]]]:
        """The header and the rows that are not blank, with the line each starts on."""
        # A carriage return within a line is no end of it, but Python's reader would stop there.
        lines = (text.replace("\r", " ") + "\n" for _, text in numbered_lines(self.name))
        reader = csv.reader(lines, delimiter=self._separator)
        start = 1
        with suppress(csv.Error):  # a quote that never ends: what follows is no row
            for fields in reader:
                if fields:
                    yield start, fields
                start = reader.line_num + 1
