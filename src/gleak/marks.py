"""Which of many texts are the same: a number for each, found without sorting them."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

_BITS = 20
"""Of a text's hash, the bits that are its place in a table. The places of a thousand texts stay
in a processor's cache, and two in three times no two of them are the same."""

_BLOCK = 1 << 17
"""Texts hashed at a time: their hashes stay in the cache too."""

_SHARE = 1 << 21
"""Texts beyond which another thread takes a share of them."""


@dataclass(frozen=True, slots=True)
class Marks:
    """A mark for each row, the marks there are, and a row that bears each of them."""

    marks: NDArray[np.intp]
    found: NDArray[np.intp]
    rows: NDArray[np.intp]

    def recoded(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """The marks, in place of each found one its code. Overwrites the marks."""
        code_of = np.empty(int(self.found.max(initial=0)) + 1, dtype=np.intp)
        code_of[self.found] = codes
        for start in range(0, len(self.marks), _BLOCK):
            block = self.marks[start : start + _BLOCK]
            block[:] = code_of.take(block, mode="clip")
        return self.marks


def marks_of(series: "pl.Series") -> Marks:
    """The marks of texts: places of their hashes if they are few, else polars' own numbers."""
    import polars as pl

    if series.dtype == pl.String and len(series):
        return _hashed(series) or _categorical(series.cast(pl.Categorical))
    return _categorical(series)


def _hashed(texts: "pl.Series") -> Marks | None:
    """Marks by hash, or None where two texts have one place.

    Two texts of one 64-bit hash would be taken for the same; with the few thousand texts that
    find places of their own this happens less than once in 10¹² files.
    """
    marks = np.empty(len(texts), dtype=np.intp)
    size = max(_SHARE, -(-len(texts) // (os.cpu_count() or 1)))

    def share(start: int) -> _Places | None:
        return _share(texts.slice(start, size), marks[start : start + size], start)

    with ThreadPoolExecutor() as threads:  # both polars and NumPy let the others run
        shares = list(threads.map(share, range(0, len(texts), size)))
    found = [places for places in shares if places is not None]
    if len(found) < len(shares):
        return None
    slots, first = np.unique(np.concatenate([part.slots for part in found]), return_index=True)
    if len(np.unique(np.concatenate([part.hashes for part in found]))) > len(slots):
        return None  # two shares gave one place to different texts
    return Marks(marks, slots, np.concatenate([part.rows for part in found])[first])


@dataclass(frozen=True, slots=True)
class _Places:
    """What was found in a share: the places taken, by which hash, and in which row."""

    slots: NDArray[np.intp]
    hashes: NDArray[np.uint64]
    rows: NDArray[np.intp]


def _share(texts: "pl.Series", marks: NDArray[np.intp], first_row: int) -> _Places | None:
    """Marks some texts, or finds that two of them have one place."""
    known = np.zeros(1 << _BITS, dtype=np.uint64)
    known[0] = np.iinfo(np.uint64).max  # no hash that belongs here: a hash of 0 must look new
    slots, rows = [], []
    for start, chunk in _blocks(texts):
        hashes = chunk.hash().to_numpy()
        places = marks[start : start + len(hashes)]
        np.right_shift(hashes, np.uint64(64 - _BITS), out=places.view(np.uint64))
        new = np.flatnonzero(known.take(places, mode="clip") != hashes)
        if new.size:
            fresh, first = np.unique(hashes[new], return_index=True)
            slots.append(places[new[first]])
            rows.append(first_row + start + new[first])
            if known[slots[-1]].any():
                return None
            known[slots[-1]] = fresh
            if (known[slots[-1]] != fresh).any():
                return None
    taken = np.concatenate(slots)
    return _Places(taken, known[taken], np.concatenate(rows))


def _categorical(series: "pl.Series") -> Marks:
    physical = series.to_physical()
    marks = np.empty(len(series), dtype=np.intp)
    highest = max((int(piece.max()) for _, piece in pieces(physical)), default=-1)
    row_of = np.full(highest + 1, -1, dtype=np.intp)
    for rows, piece in pieces(physical):
        marks[rows] = piece
        row_of[piece] = np.arange(rows.start, rows.stop)
    found = np.flatnonzero(row_of >= 0)
    return Marks(marks, found, row_of[found])


def _blocks(series: "pl.Series") -> "Iterator[tuple[int, pl.Series]]":
    """The series in pieces, each with the row it starts at, without a copy."""
    start = 0
    for chunk in series.get_chunks():
        offset = 0
        while offset < len(chunk):  # small ones first: most texts are known before many are seen
            piece = chunk.slice(offset, min(_BLOCK, max(_BLOCK >> 6, start)))
            yield start, piece
            start += len(piece)
            offset += len(piece)


def pieces(series: "pl.Series") -> Iterator[tuple[slice, NDArray[Any]]]:
    """Numbers in pieces, each with its rows, without a copy."""
    for start, piece in _blocks(series):
        yield slice(start, start + len(piece)), piece.to_numpy()
