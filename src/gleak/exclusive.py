"""One at a time: a lock that the operating system takes back from whoever is killed."""

import sqlite3
from pathlib import Path

from gleak.errors import InputError


class Exclusive:
    """The right to write a file, held through a lock file beside it until it is closed.

    The lock is SQLite's own exclusive lock on an otherwise empty file, which it knows how to
    hold on every system. The file is taken away again when the lock is given back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.with_name(path.name + ".lock")
        while True:
            self._path.touch()
            before = self._path.stat().st_ino
            self._lock = sqlite3.connect(self._path, timeout=0, isolation_level=None)
            try:
                self._lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                self._lock.close()
                raise InputError(
                    f"{path} is being written by another campaign; wait for it, or end it"
                ) from None
            if self._path.exists() and self._path.stat().st_ino == before:
                return
            self._lock.close()  # its last holder took the file away in between

    def close(self) -> None:
        """Let others write."""
        self._path.unlink(missing_ok=True)
        self._lock.close()
