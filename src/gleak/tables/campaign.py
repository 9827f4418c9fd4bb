"""The answers of a campaign, from its SQLite file."""

import json
import os
import sqlite3
import warnings
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from gleak.errors import GleakWarning, InputError
from gleak.tables._base import TableFile

if TYPE_CHECKING:
    import polars as pl

_OWN = ("secret_prior", "secret_code")

WEIGHT = "weight"
"""The weight of each answer, where secrets were not asked about as often as the prior says."""


class CampaignTable(TableFile):
    """The view ``samples``: a secret and what was observed, in the order received."""

    endings: ClassVar = (".sqlite", ".db")

    def columns(self) -> list[str]:
        return [*self._names, *([WEIGHT] if self._uneven else [])]

    @property
    def usual(self) -> dict[str, Any]:
        """What the system showed is observed; what else is known of a secret is not."""
        observables = list(json.loads(self._notes["observables"]))
        return {"observables": observables} | ({"weight": WEIGHT} if self._uneven else {})

    def load(self, columns: list[str]) -> "pl.DataFrame":
        import polars as pl

        wanted = [name for name in columns if name != WEIGHT]
        fields = [*map(_quoted, wanted), *_OWN]
        rows = self._rows(f"SELECT {', '.join(fields)} FROM samples")
        self._warn()
        frame = pl.DataFrame(
            rows, schema=[*wanted, *_OWN], orient="row", infer_schema_length=None, strict=False
        )
        prior, code = map(pl.col, _OWN)
        share = code.len().over(code) / pl.len()
        return frame.with_columns((prior / share).alias(WEIGHT)).select(columns)

    def _warn(self) -> None:
        if self._notes.get("stopped") == "when precise":
            warnings.warn(
                f"{self.name} was collected until it was precise enough, which the bracket of "
                "gleak query allows for; a bracket for a fixed number of answers does not quite",
                GleakWarning, stacklevel=2,
            )  # fmt: skip

    @cached_property
    def _notes(self) -> dict[str, str]:
        try:
            notes = dict(self._rows("SELECT key, value FROM campaign"))
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.name} is no campaign of gleak query: {error}") from None
        if "observables" not in notes:
            raise InputError(f"{self.name} has no answers yet; let gleak query go on")
        return notes

    @cached_property
    def _names(self) -> list[str]:
        assert self._notes
        return [row[1] for row in self._rows("PRAGMA table_info(samples)")][:-4]

    @property
    def _uneven(self) -> bool:
        return self._notes.get("uneven") == "yes"

    def _rows(self, query: str) -> list[Any]:
        path = Path(self.name).resolve()
        address = f"{path.as_uri()}?mode=ro"
        if not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists():
            address += "&immutable=1"  # else SQLite wants to put its own files beside it
        with closing(sqlite3.connect(address, uri=True)) as db:
            return db.execute(query).fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
