"""What a live system was asked and what it answered, in an SQLite file that survives.

Answers are committed to a write-ahead log as they come: whoever kills the process, whatever was
committed is there. Tables: ``campaign`` (what the campaign is, as keys and values), ``secrets``
(code, label, prior and what is known of each), ``answers`` (number, secret, time in nanoseconds
since 1970, observables), and a view ``samples`` of labelled answers in their order.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import repeat
from pathlib import Path
from time import time_ns
from typing import Any

import numpy as np

from gleak.errors import GleakError, InputError
from gleak.exclusive import Exclusive
from gleak.labels import Codes, key
from gleak.observables import Column, Observables
from gleak.population import Population

FORMAT = "gleak campaign 1"
OWN = ("seq", "secret", "at", "secret_code", "secret_prior", "weight")
"""Names of columns that no observable may have."""

Values = dict[str, list[Any]]
"""Observables as plain numbers and texts: what goes into the file is what comes out of it."""


class CampaignStopped(GleakError):
    """A campaign that cannot go on now; everything received is kept."""


class CampaignFile:
    """An open campaign file, which nobody else writes meanwhile."""

    def __init__(self, path: str | Path, plan: Mapping[str, Any], population: Population) -> None:
        self.path = Path(path)
        self._check_name()
        self._lock = Exclusive(self.path)
        try:
            with self._guarded():
                self._db = _connected(self.path)
            with self._guarded():
                self._open(dict(plan), population)
        except BaseException:
            self.close()
            raise

    def _check_name(self) -> None:
        if self.path.suffix not in (".sqlite", ".db"):
            raise InputError.must(
                "a campaign file's ending", ".sqlite or .db", repr(self.path.suffix)
            )
        if not self.path.parent.is_dir():
            raise InputError(f"{self.path.parent} is no directory; create it")
        if self.path.is_dir():
            raise InputError(f"{self.path} is a directory; choose another name")
        if self.path.exists() and self.path.stat().st_size:
            with self.path.open("rb") as file:
                if file.read(15) != b"SQLite format 3":
                    raise InputError(f"{self.path} exists and is no campaign; choose another name")

    def _open(self, plan: dict[str, Any], population: Population) -> None:
        tables = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if not tables:
            with self._transaction():
                self._create(plan, population)
        elif "campaign" not in tables:
            raise InputError(f"{self.path} is another database; choose another name")
        self._refuse_other(plan)
        self.columns: dict[str, bool] | None = None
        if "answers" in tables:
            self.columns = json.loads(self.noted("observables"))
        self.received = self._count()

    def _create(self, plan: dict[str, Any], population: Population) -> None:
        self._db.execute("CREATE TABLE campaign (key TEXT PRIMARY KEY, value TEXT)")
        notes = {"format": FORMAT, "plan": json.dumps(plan), "created": str(time_ns())}
        self._db.executemany("INSERT INTO campaign VALUES (?, ?)", notes.items())
        names = ["secret_code INTEGER PRIMARY KEY", "secret_label", "secret_prior REAL"]
        names += [quoted(name) for name in population.attributes]
        self._db.execute(f"CREATE TABLE secrets ({', '.join(names)})")
        columns = [population.secrets, population.prior, *population.attributes.values()]
        rows = zip(range(len(population)), *map(_plain, columns), strict=True)
        self._db.executemany(f"INSERT INTO secrets VALUES ({_marks(len(names))})", rows)

    def _refuse_other(self, plan: dict[str, Any]) -> None:
        recorded = json.loads(self.noted("plan"))
        for name, wanted in plan.items():
            if recorded.get(name) != wanted:
                raise InputError(
                    f"{self.path} was begun with another {name} ({recorded.get(name)}, now "
                    f"{wanted}); run the same command to continue it, or choose another file"
                )

    def noted(self, what: str) -> str:
        """A note about the campaign; "null" where there is none."""
        row = self._db.execute("SELECT value FROM campaign WHERE key = ?", (what,)).fetchone()
        return "null" if row is None else row[0]

    def _count(self) -> int:
        if self.columns is None:
            return 0
        last = self._db.execute("SELECT max(seq) FROM answers").fetchone()[0]
        return 0 if last is None else last + 1

    def record(self, codes: Codes, values: Values, numeric: Mapping[str, bool]) -> None:
        """Keep some answers; they are safe when this returns."""
        try:
            self._record(codes, values, numeric)
        except KeyboardInterrupt:
            if self._count() == self.received:
                self._record(codes, values, numeric)
            raise

    def _record(self, codes: Codes, values: Values, numeric: Mapping[str, bool]) -> None:
        with self._guarded(), self._transaction():
            if self.columns is None:
                self._create_answers(dict(numeric))
            numbers = range(self.received, self.received + len(codes))
            rows = zip(numbers, codes.tolist(), repeat(time_ns()), *values.values())
            self._db.executemany(f"INSERT INTO answers VALUES ({_marks(3 + len(values))})", rows)
        self.columns = dict(numeric)
        self.received += len(codes)

    def _create_answers(self, columns: dict[str, bool]) -> None:
        for name in columns:
            if name.lower() in OWN:
                raise InputError.must(
                    "an observable's name", f"none of {', '.join(OWN)}", repr(name)
                )
        seen = ", ".join(map(quoted, columns))
        self._db.execute(
            f"CREATE TABLE answers (seq INTEGER PRIMARY KEY, secret INTEGER, at INTEGER, {seen})"
        )
        known = [row[1] for row in self._db.execute("PRAGMA table_info(secrets)")][3:]
        more = "".join(f", s.{quoted(name)}" for name in known if name not in columns)
        self._db.execute(
            "CREATE VIEW samples AS SELECT s.secret_label AS secret, "
            + ", ".join(f"a.{quoted(name)}" for name in columns)
            + f"{more}, s.secret_prior, s.secret_code, a.seq AS seq, a.at AS at "
            "FROM answers a JOIN secrets s ON s.secret_code = a.secret ORDER BY a.seq"
        )
        note = ("observables", json.dumps(columns))
        self._db.execute("INSERT INTO campaign VALUES (?, ?)", note)

    def answers(self, start: int, stop: int) -> tuple[Codes, Values]:
        """Some of the answers received: the codes of what was asked, and what came back."""
        assert self.columns is not None  # nothing was received otherwise
        names = ", ".join(map(quoted, self.columns))
        with self._guarded():
            rows = self._db.execute(
                f"SELECT secret, {names} FROM answers WHERE seq >= ? AND seq < ? ORDER BY seq",
                (start, stop),
            ).fetchall()
        codes, *columns = zip(*rows, strict=True)
        return np.array(codes, dtype=np.intp), dict(zip(self.columns, map(list, columns),
                                                        strict=True))  # fmt: skip

    def note(self, what: str, value: str) -> None:
        """Keep a note about the campaign."""
        with self._guarded(), self._transaction():
            self._db.execute("INSERT OR REPLACE INTO campaign VALUES (?, ?)", (what, value))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # a full disk may have ended it already
                self._db.execute("ROLLBACK")
            raise

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def _explained(self, error: sqlite3.Error) -> GleakError:
        kept = f"; the {getattr(self, 'received', 0):,} answers received before are kept"
        code = (error.sqlite_errorcode if hasattr(error, "sqlite_errorcode") else 0) & 0xFF
        if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            return CampaignStopped(
                f"{self.path} cannot grow: {error}{kept}; free some space and run the same "
                "command again"
            )
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return InputError(f"{self.path} is damaged: {error}; restore it from a copy")
        return CampaignStopped(f"{self.path}: {error}{kept}")

    def close(self) -> None:
        """Close the file and let others write it. A full disk does no harm."""
        if hasattr(self, "_db"):
            with suppress(sqlite3.Error):
                self._db.close()
        self._lock.close()


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA page_size = 16384")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 4096")
    database.execute("PRAGMA synchronous = NORMAL")
    return database


def plain_values(seen: Observables) -> Values:
    """Observables as plain numbers and texts."""
    return {
        column.name: _plain(
            column.values if column.categories is None else column.categories[column.values]
        )
        for column in seen.columns
    }


def as_observables(values: Values) -> Observables:
    """Plain numbers and texts as observables: the same ones however often they were read."""
    return Observables(tuple(Column.of(name, column) for name, column in values.items()))


def _plain(values: Any) -> list[Any]:
    array = np.asarray(values)
    if array.dtype.kind in "iu" and array.size and array.max() > np.iinfo(np.int64).max:
        array = array.astype(np.float64)
    if array.dtype.kind in "iuf":
        return array.tolist()
    return [key(value) for value in array.tolist()]


def quoted(name: str) -> str:
    """A column's name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _marks(count: int) -> str:
    return ", ".join("?" * count)
