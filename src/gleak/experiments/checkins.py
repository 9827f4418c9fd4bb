"""Check-ins counted per cell of any square, from the original file of the Gowalla data set.

That is ``loc-gowalla_totalCheckins.txt.gz`` (https://snap.stanford.edu/data/loc-gowalla.html), of
six million lines: user, time, latitude, longitude and place, with tabs between. Nothing is fetched.
"""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from gleak.errors import InputError
from gleak.files import existing
from gleak.payoff import Floats

Counts = NDArray[np.int64]
"""How many per cell: the first row is the southernmost, the first column the westernmost."""

_FIELDS = ("user", "time", "latitude", "longitude", "place")

_BLOCK = 1 << 24
"""Bytes looked at together."""


@dataclass(frozen=True)
class Square:
    """So many by so many cells around a place; lengths in metres, angles in degrees.

    Its corners lie half its diagonal from the middle, along great circles north-west, north-east,
    south-east and south-west. The box of latitudes and longitudes that holds all four is split
    evenly. A cell holds its southern and western borders.

    >>> area = Square(37.755, -122.440, side=250, cells=20)
    >>> area.latitudes[[0, -1]].round(3), area.longitudes[[0, -1]].round(3)
    (array([37.733, 37.777]), array([-122.468, -122.412]))
    """

    latitude: float
    longitude: float
    side: float
    cells: int
    earth_radius: float = 6_378_137.0

    def __post_init__(self) -> None:
        for what, value in {"side": self.side, "earth's radius": self.earth_radius}.items():
            if not (np.isfinite(value) and value > 0):
                raise InputError.must(f"a square's {what}", "a positive number", value)
        if self.cells < 2:
            raise InputError.must("a square", "of two cells a side or more", self.cells)
        if not (abs(self.latitude) <= 90 and abs(self.longitude) <= 180):
            raise InputError.must(
                "a square's middle", "a latitude and a longitude, in degrees",
                f"{self.latitude:g}, {self.longitude:g}",
            )  # fmt: skip
        if np.radians(90 - abs(self.latitude)) <= self._diagonal:
            raise InputError(
                f"a square of {self.cells} cells of {self.side:g} m around latitude "
                f"{self.latitude:g} reaches a pole, where longitudes end; make it smaller"
            )

    @cached_property
    def latitudes(self) -> Floats:
        """Borders between the rows of cells, from the south."""
        south, north = self._corners[0].min(), self._corners[0].max()
        return np.degrees(np.linspace(south, north, self.cells + 1))

    @cached_property
    def longitudes(self) -> Floats:
        """Borders between the columns of cells, from the west; beyond 180 where it lies there."""
        west, east = self._corners[1].min(), self._corners[1].max()
        return self.longitude + np.degrees(np.linspace(west, east, self.cells + 1))

    def count(self, latitudes: Floats, longitudes: Floats) -> Counts:
        """How many of some places lie in each cell; what is no place on earth lies in none."""
        on_earth = (np.abs(latitudes) <= 90) & (np.abs(longitudes) <= 180)
        # Counted from half-way round the earth, so that no square is cut in two.
        start = self.longitude - 180
        around = start + (longitudes[on_earth] - start) % 360
        rows = np.searchsorted(self.latitudes, latitudes[on_earth], side="right") - 1
        columns = np.searchsorted(self.longitudes, around, side="right") - 1
        inside = (rows >= 0) & (rows < self.cells) & (columns >= 0) & (columns < self.cells)
        cells = rows[inside] * self.cells + columns[inside]
        return np.bincount(cells, minlength=self.cells**2).reshape(self.cells, self.cells)

    @property
    def _diagonal(self) -> float:
        """Half of it, as an angle at the middle of the earth."""
        return self.side * self.cells / np.sqrt(2) / self.earth_radius

    @cached_property
    def _corners(self) -> tuple[Floats, Floats]:
        """Latitudes, and longitudes relative to the middle's, in radians (spherical triangles)."""
        middle, bearing = np.radians(self.latitude), np.radians([-45.0, 45.0, 135.0, 225.0])
        away = self._diagonal
        north = np.cos(middle) * np.sin(away) * np.cos(bearing)
        latitudes = np.arcsin(np.sin(middle) * np.cos(away) + north)
        across = np.sin(bearing) * np.sin(away) * np.cos(middle)
        along = np.cos(away) - np.sin(middle) * np.sin(latitudes)
        return latitudes, np.arctan2(across, along)


def count_checkins(path: str | Path, square: Square) -> Counts:
    """The check-ins of the original file, plain or gzipped, in each cell of a square.

    >>> count_checkins("loc-gowalla_totalCheckins.txt.gz", Square(37.755, -122.440, 250, 20))
    Traceback (most recent call last):
    gleak.errors.InputError: loc-gowalla_totalCheckins.txt.gz does not exist; check the path ...
    """
    source = existing(path, (".txt", ".txt.gz", ".tsv", ".tsv.gz"))
    counts = np.zeros((square.cells, square.cells), dtype=np.int64)
    line = 1
    with _opened(source) as file:
        for block in _blocks(file):
            counts += square.count(*_places(block, source, line))
            line += block.count(b"\n") + (not block.endswith(b"\n"))
    if line == 1:
        raise InputError(f"{path} holds nothing; take the original file anew")
    return counts


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            yield file  # type: ignore[misc]  # a GzipFile reads bytes like any other file
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be unpacked: {error}") from None


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Pieces of a file that end where a line does."""
    rest = b""
    while piece := file.read(_BLOCK):
        whole, newline, rest = (rest + piece).rpartition(b"\n")
        if newline:
            yield whole + newline
    if rest:
        yield rest


def _places(block: bytes, path: Path, first_line: int) -> tuple[Floats, Floats]:
    """The latitudes and longitudes of some lines."""
    import polars as pl

    schema = dict.fromkeys(_FIELDS, pl.String()) | {
        "latitude": pl.Float64(), "longitude": pl.Float64()
    }  # fmt: skip
    try:
        table = pl.read_csv(
            BytesIO(block), separator="\t", has_header=False, schema=schema, quote_char=None
        )
    except pl.exceptions.PolarsError:
        raise _complaint(block, path, first_line) from None
    latitudes, longitudes = (table[name].to_numpy() for name in ("latitude", "longitude"))
    if sum(table.null_count().row(0)) or not np.isfinite([latitudes, longitudes]).all():
        raise _complaint(block, path, first_line)
    return latitudes, longitudes


def _complaint(block: bytes, path: Path, first_line: int) -> InputError:
    """What is wrong with the first line that is no check-in."""
    for line, text in enumerate(_lines(block), first_line):
        where, fields = f"{path}, line {line}", text.rstrip("\r").split("\t")
        if len(fields) != len(_FIELDS):
            return InputError.must(
                "a check-in", f"of {len(_FIELDS)} fields with tabs between ({', '.join(_FIELDS)})",
                len(fields), where=where, remedy="take the original file as it is",
            )  # fmt: skip
        for name, field in zip(_FIELDS, fields, strict=True):
            if not field or (name in ("latitude", "longitude") and not _is_finite(field)):
                wanted = "a finite number" if "tude" in name else "written"
                return InputError.must(f"a check-in's {name}", wanted, repr(field), where=where)
    return InputError(f"{path}, from line {first_line}: these are no check-ins")


def _lines(block: bytes) -> list[str]:
    return block.decode("utf-8", "replace").removesuffix("\n").split("\n")


def _is_finite(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
