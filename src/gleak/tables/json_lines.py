"""JSON lines: an object a line, whose keys are the columns."""

import glob
import json
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from gleak.errors import InputError
from gleak.tables._base import TableFile, numbered_lines, refuse_other_encodings

if TYPE_CHECKING:
    import polars as pl


class JsonLinesFile(TableFile):
    """An object a line, plain, gzipped or in zstandard."""

    endings: ClassVar = tuple(
        f".{kind}{packed}" for kind in ("jsonl", "ndjson") for packed in ("", ".gz", ".zst")
    )

    def row(self, row: int) -> str:
        line = next(islice(self._objects(), row, None))[0]
        return f"line {line}"

    def columns(self) -> list[str]:
        with self.readable():
            return self._scan.collect_schema().names()

    def load(self, columns: list[str]) -> "pl.DataFrame":
        with self.readable():
            return self._scan.select(columns).collect(engine="streaming")

    @cached_property
    def _scan(self) -> "pl.LazyFrame":
        import polars as pl

        return pl.scan_ndjson(glob.escape(self.name), infer_schema_length=None)

    def _objects(self) -> Iterator[tuple[int, str]]:
        return ((line, text) for line, text in numbered_lines(self.name) if text.strip())

    def _explain(self, error: Exception) -> None:
        refuse_other_encodings(self.name, error)
        for line, text in self._objects():
            problem = _problem(text)
            if problem:
                raise InputError.must(
                    "a line", "a JSON object", problem, where=f"{self.name}, line {line}"
                ) from None


def _problem(text: str) -> str:
    """What keeps a line from being a JSON object, if anything does."""
    try:
        value = json.loads(text, parse_constant=_not_json)
    except ValueError as error:
        return str(error)
    return "" if isinstance(value, dict) else f"a {type(value).__name__}"


def _not_json(constant: str) -> None:
    raise ValueError(f"{constant}, which JSON does not have")
