"""What every format of a table does: name its columns, load some of them, say what is wrong."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from gleak.errors import InputError
from gleak.source import Source

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class TableFile(Source, ABC):
    """A file with named columns; ``name`` is its path."""

    endings: ClassVar[tuple[str, ...]]

    @abstractmethod
    def columns(self) -> list[str]:
        """The names of all columns."""

    @abstractmethod
    def load(self, columns: list[str]) -> "pl.DataFrame":
        """Some columns, whole."""

    @property
    def usual(self) -> dict[str, Any]:
        """The roles that a file itself gives its columns where nobody says otherwise."""
        return {}

    @contextmanager
    def readable(self) -> Iterator[None]:
        """What goes wrong inside as a refusal that names the file and, if it can, the line.

        Nobody has listed all that libraries raise over broken files; polars even panics.
        """
        import polars as pl

        try:
            yield
        except InputError:
            raise
        except (Exception, pl.exceptions.PanicException) as error:
            with suppress(pl.exceptions.PolarsError, OSError):  # not even lines can be read
                self._explain(error)
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(
                f"{self.name} cannot be read: {reason}; is it whole, and what its ending says?"
            ) from None

    def _explain(self, error: Exception) -> None:
        """Refuse with the line where a format has lines; else return."""


def numbered_lines(path: str) -> Iterator[tuple[int, str]]:
    """The lines of a text file, packed or not, whatever is in them: to name a place by."""
    import polars as pl

    whole = pl.scan_csv(
        path, separator="\0", quote_char=None, has_header=False, infer_schema=False,
        encoding="utf8-lossy", truncate_ragged_lines=True, glob=False,
    )  # fmt: skip
    return enumerate((row[0] or "" for row in whole.collect().iter_rows()), start=1)


def refuse_other_encodings(path: str, error: Any) -> None:
    """Name the line where a text stops being UTF-8, if that was the mistake."""
    if "utf" in str(error).lower():
        for line, text in numbered_lines(path):
            if "\ufffd" in text:
                refuse_encoding(path, line)


def refuse_encoding(path: str, line: int) -> NoReturn:
    """A line that is not UTF-8."""
    raise InputError.must(
        "text", "UTF-8", "other bytes", where=f"{path}, line {line}",
        remedy="save the file as UTF-8",
    ) from None  # fmt: skip
