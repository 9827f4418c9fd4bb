"""Channels in files: a matrix written so that ``read_matrix`` reads the same one back."""

import csv
import gzip
from pathlib import Path
from typing import IO

import numpy as np
from scipy import sparse

from gleak.errors import InputError
from gleak.files import known_ending
from gleak.labels import Labels, key
from gleak.matrix_file import ENDINGS, TEXT_ENDINGS, Matrix


def write_matrix(path: str | Path, matrix: Matrix, rows: Labels, columns: Labels) -> None:
    """Write a matrix by the ending of its path; only text holds the names."""
    path = Path(path)
    known_ending(path, ENDINGS)
    if path.name.lower().endswith(TEXT_ENDINGS):
        with _opened(path) as file:
            _write_text(file, path, matrix, rows, columns)
    elif not isinstance(matrix, sparse.csr_array):
        np.save(path, matrix) if path.suffix == ".npy" else np.savez_compressed(path, matrix)
    elif path.suffix == ".npz":
        sparse.save_npz(path, matrix)
    else:
        raise InputError.must(
            "the file of a sparse matrix", ".npz or text", repr(path.suffix), where=str(path)
        )


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


def _opened(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "wt", encoding="utf-8", newline="")
    return path.open("w", encoding="utf-8", newline="")


def _write_text(file: IO[str], path: Path, matrix: Matrix, rows: Labels, columns: Labels) -> None:
    separator = "\t" if ".tsv" in path.name.lower() else ","
    writer = csv.writer(file, delimiter=separator, lineterminator="\n")
    # The empty corner says that the first column holds names even where they are numbers.
    writer.writerow(["", *map(key, columns.tolist())])
    for place, name in enumerate(rows.tolist()):
        row = matrix[[place]]
        dense = row.toarray() if isinstance(row, sparse.csr_array) else row
        writer.writerow([key(name), *dense[0].tolist()])
