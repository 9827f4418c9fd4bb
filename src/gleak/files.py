"""What every reader asks of a file before it reads it."""

import csv
import gzip
import io
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO

import numpy as np

from gleak.errors import InputError

_SEPARATORS = {",": "commas", "\t": "tabs"}


def existing(path: str | Path, endings: Collection[str]) -> Path:
    """A path that can be read: there, a file, of a known ending, not empty."""
    path = present(path, endings)
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty; write a header and rows into it")
    return path


def present(path: str | Path, endings: Collection[str]) -> Path:
    """A path to a file that is there and of a known ending, were it empty."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file in it")
    if not path.exists():
        raise InputError(f"{path} does not exist; check the path (seen from {Path.cwd()})")
    known_ending(path, endings)
    return path


def known_ending(path: Path, endings: Collection[str]) -> None:
    """Refuse a file name whose ending says nothing about its format."""
    if not path.name.lower().endswith(tuple(endings)):
        raise InputError.must(
            "a file's ending", f"one of {' '.join(endings)}", repr(path.suffix), where=str(path)
        )


def read_packed(path: Path) -> bytes:
    """The whole of a file, unpacked where it is gzipped."""
    raw = path.read_bytes()
    if path.suffix.lower() != ".gz":
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be unpacked: {error}") from None


def read_text(path: Path) -> str:
    """The whole text of a file, which may be gzipped, or a refusal that names the line."""
    raw = read_packed(path)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError.must(
            "text", "UTF-8", f"byte 0x{raw[error.start]:02x}", where=f"{path}, line {line}",
            remedy="save the file as UTF-8",
        ) from None  # fmt: skip


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """The non-empty rows of a comma- or tab-separated file, each with its line number."""
    try:
        rows = list(_rows(path))
    except csv.Error as error:
        raise InputError(f"{path} cannot be read as rows of fields: {error}") from None
    if not rows:
        raise InputError(f"{path} has nothing but blank lines; write a header and rows into it")
    return rows


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    separator = "\t" if ".tsv" in path.name.lower() else ","
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=separator)
    width = None
    for row in reader:
        if not any(field.strip() for field in row):
            continue
        width = len(row) if width is None else width
        if len(row) != width:
            raise InputError.must(
                "a row", f"of {width} fields like the first", len(row),
                where=f"{path}, line {reader.line_num}",
                remedy=f"part fields by {_SEPARATORS[separator]}, and quote those that hold one",
            )  # fmt: skip
        yield reader.line_num, [field.strip() for field in row]


def text_to(path: Path) -> IO[str]:
    """A text file to write, gzipped where its name says so."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "wt", encoding="utf-8", newline="")
    return path.open("w", encoding="utf-8", newline="")


def is_number(text: str) -> bool:
    """Whether a field reads as a number (``nan`` and ``inf`` do, so that they can be refused).

    >>> is_number("-1e3"), is_number("1_000")  # as Python's own source writes it: here, a name
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def numbers(fields: list[str], where: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A row of finite numbers, or a refusal that names the field."""
    try:
        row = np.array(fields, dtype=np.float64)
    except ValueError:
        row = np.full(len(fields), np.nan)
    if not np.isfinite(row).all() or any("_" in text for text in fields):
        row = np.array([float(text) if is_number(text) else np.nan for text in fields])
    if not np.isfinite(row).all():
        place = int(np.flatnonzero(~np.isfinite(row))[0])
        got = repr(fields[place]) if fields[place] else "an empty field"
        raise InputError.must(
            "a value", "a finite number", got, where=f"{where}, value {place + 1}",
            remedy="write the number it stands for",
        )  # fmt: skip
    return row
