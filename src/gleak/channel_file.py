"""Channels in files: a matrix written so that ``read_matrix`` reads the same one back."""

import csv
from pathlib import Path
from typing import IO, overload

import numpy as np
from scipy import sparse

from gleak.errors import InputError
from gleak.files import known_ending, text_to
from gleak.labels import Labels, key
from gleak.matrix_file import ENDINGS, TEXT_ENDINGS, Matrix


def write_matrix(path: str | Path, matrix: Matrix, rows: Labels, columns: Labels) -> None:
    """Write a matrix by the ending of its path; only text holds the names."""
    path = Path(path)
    known_ending(path, ENDINGS)
    try:
        _write(path, matrix, rows, columns)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _write(path: Path, matrix: Matrix, rows: Labels, columns: Labels) -> None:
    if path.name.lower().endswith(TEXT_ENDINGS):
        with text_to(path) as file:
            _write_text(file, path, matrix, rows, columns)
        return
    packed = path.suffix.lower() == ".npz"
    if sparse.issparse(matrix) and not packed:
        raise InputError.must(
            "the file of a sparse matrix", ".npz or text", repr(path.suffix), where=str(path)
        )
    with path.open("wb") as file:  # to a path NumPy would append an ending of its own
        if isinstance(matrix, sparse.csr_array):
            sparse.save_npz(file, matrix)
        else:
            np.savez_compressed(file, matrix) if packed else np.save(file, matrix)


@overload
def as_written(labels: None) -> None: ...
@overload
def as_written(labels: Labels) -> Labels: ...
def as_written(labels: Labels | None) -> Labels | None:
    """Names read as text, as the numbers they were written from where all of them are."""
    if labels is None:
        return None
    for kind in (int, float):
        try:
            numbers = [kind(text) for text in labels.tolist()]
        except ValueError:
            continue
        if [key(number) for number in numbers] == labels.tolist():
            return np.array(numbers)
    return labels


def _write_text(file: IO[str], path: Path, matrix: Matrix, rows: Labels, columns: Labels) -> None:
    separator = "\t" if ".tsv" in path.name.lower() else ","
    writer = csv.writer(file, delimiter=separator, lineterminator="\n")
    # The empty corner says that the first column holds names even where they are numbers.
    writer.writerow(["", *map(key, columns.tolist())])
    for place, name in enumerate(rows.tolist()):
        row = matrix[[place]]
        dense = row.toarray() if isinstance(row, sparse.csr_array) else row
        writer.writerow([key(name), *dense[0].tolist()])
