"""Matrices with names: the files of channels and of gains."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.errors import InputError
from gleak.files import existing, is_number, numbers, read_rows
from gleak.labels import Labels

TEXT_ENDINGS = (".csv", ".tsv", ".csv.gz", ".tsv.gz")
ENDINGS = (*TEXT_ENDINGS, ".npy", ".npz")
_CORNERS = ("", "secret", "guess")

Matrix = NDArray[np.float64] | sparse.csr_array


@dataclass(frozen=True, slots=True)
class NamedMatrix:
    """A matrix and, where the file has them, the names of its rows and columns."""

    values: Matrix
    rows: Labels | None
    columns: Labels | None


def read_matrix(path: str | Path, *, named: bool = False) -> NamedMatrix:
    """A matrix from CSV, TSV, NPY or NPZ (dense, or as SciPy writes sparse ones).

    A header row and a first column are names where they are not numbers, and where the corner
    is empty or says ``secret`` or ``guess``; with ``named`` they always are.
    """
    path = existing(path, TEXT_ENDINGS if named else ENDINGS)
    if path.suffix.lower() in (".npy", ".npz"):
        return NamedMatrix(_binary(path), None, None)
    rows = read_rows(path)
    header = rows[0][1]
    has_header = named or header[0].lower() in _CORNERS or not all(map(is_number, header[1:]))
    has_header = has_header or (len(header) == 1 and not is_number(header[0]))
    body = rows[1:] if has_header else rows
    if not body:
        raise InputError(f"{path} has a header but no rows; write a row of numbers under it")
    corner = has_header and header[0].lower() in _CORNERS
    has_names = named or corner or any(f[0] and not is_number(f[0]) for _, f in body)
    first = 1 if has_names else 0
    values = np.stack([numbers(fields[first:], f"{path}, line {line}") for line, fields in body])
    if values.shape[1] == 0:
        raise InputError(f"{path} has no column of numbers; write one beside the names")
    return NamedMatrix(
        values,
        np.array([fields[0] for _, fields in body]) if has_names else None,
        np.array(header[first:]) if has_header else None,
    )


def _binary(path: Path) -> Matrix:
    try:
        values = _npy(path) if path.suffix.lower() == ".npy" else _npz(path)
    except InputError:
        raise
    except Exception as error:  # nobody has listed all that is raised over broken files
        reason = "it holds no plain array" if "pickle" in str(error) else str(error)
        raise InputError(
            f"{path} cannot be read as {path.suffix}: {reason}; is it whole, and what its ending "
            "says?"
        ) from None
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise InputError.must(
            "the array", "a matrix of real numbers", f"{values.ndim} axes of {values.dtype}",
            where=str(path), remedy="save a row per secret and a column per observable",
        )  # fmt: skip
    return values.astype(np.float64)


def _npy(path: Path) -> NDArray[np.float64]:
    with path.open("rb") as file:
        return np.asarray(np.load(file, allow_pickle=False))


def _npz(path: Path) -> Matrix:
    with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
        names = list(archive)
        if "format" not in names:
            if len(names) != 1:
                raise InputError.must(
                    "an .npz of a matrix", "of one array", f"{len(names)}: {', '.join(names)}",
                    where=str(path), remedy="save the matrix alone",
                )  # fmt: skip
            return np.asarray(archive[names[0]])
    return sparse.csr_array(sparse.load_npz(path))
