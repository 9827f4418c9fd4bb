"""Parquet, and Arrow's own format (Feather), as a file or as a stream."""

import glob
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from gleak.tables._base import TableFile

if TYPE_CHECKING:
    import polars as pl


class ArrowFile(TableFile):
    """Columns with types, in pieces."""

    endings: ClassVar = (".parquet", ".arrow", ".feather", ".ipc")

    def columns(self) -> list[str]:
        with self.readable():
            return self._scan.collect_schema().names()

    def load(self, columns: list[str]) -> "pl.DataFrame":
        with self.readable():
            return self._scan.select(columns).collect(engine="streaming")

    @cached_property
    def _scan(self) -> "pl.LazyFrame":
        import polars as pl

        if self.name.lower().endswith(".parquet"):
            return pl.scan_parquet(self.name, glob=False)
        with Path(self.name).open("rb") as file:
            is_file = file.read(6) == b"ARROW1"
        return (
            pl.scan_ipc(glob.escape(self.name)) if is_file else pl.read_ipc_stream(self.name).lazy()
        )
