"""What a channel is made of: what its parts must be, and what is said where they are not."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from gleak.errors import GleakWarning, InputError
from gleak.gain import Attributes
from gleak.labels import Codes, Labels, as_labels, key, locate
from gleak.matrix_file import Matrix

_ROUNDING = 1e-12
"""Row sums this close to one are one: dividing by them would only copy the matrix."""

_SILENT, _WARNED = 1e-9, 1e-6
"""How far a row sum may be from one before it is mentioned, and before it is refused."""


def as_matrix(values: Any, prior: Any = None) -> Matrix:
    """A matrix of a row per secret, sparse ones by rows; what it holds is not yet looked at."""
    matrix = _sparse(values) if sparse.issparse(values) else _dense(values)
    if matrix.ndim != 2:
        swapped = prior is not None and not isinstance(prior, Mapping) and np.ndim(prior) == 2
        raise InputError.must(
            "a channel's matrix", "of two axes, a row per secret", f"{matrix.ndim}",
            remedy="matrix and prior are swapped: Channel(matrix, prior)" if swapped else "",
        )  # fmt: skip
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        got = {0: "no secret", 1: "a single secret"}.get(matrix.shape[0], "no observable")
        raise InputError.must(
            "a channel", "of two secrets or more and of at least one observable", got,
            remedy="give the matrix a row per secret and a column per observable",
        )  # fmt: skip
    return matrix


def normalised(matrix: Matrix, secrets: Labels, observables: Labels) -> Matrix:
    """The matrix with rows of sum one; refused where it is off by more than rounding.

    Off by up to 1e-9 it is divided by its sums, up to 1e-6 with a warning.
    """
    sums = np.asarray(matrix.sum(axis=1))
    if not np.isfinite(sums).all() or matrix.min() < 0:
        raise _wrong_entry(matrix, secrets, observables)
    off = np.abs(sums - 1.0)
    worst = int(off.argmax())
    if off[worst] <= _ROUNDING:
        return matrix
    row, got = f"row {key(secrets[worst])!r} of the channel", f"{sums[worst]:.10g}"
    if off[worst] > _WARNED:
        lying = np.allclose(matrix.sum(axis=0), 1.0, rtol=0, atol=_WARNED)
        remedy = "its columns have sum 1: transpose it" if lying else "divide it by its sum"
        raise InputError.must(row, "of sum 1", got, remedy=remedy)
    if off[worst] > _SILENT:
        text = f"{row} has sum {got}, not 1; every row has been divided by its sum"
        warnings.warn(text, GleakWarning, stacklevel=3)
    if isinstance(matrix, sparse.csr_array):
        return sparse.csr_array(sparse.diags_array(1.0 / sums) @ matrix)
    return matrix / sums[:, None]


def names_in(matrix: Any, secrets: Any, observables: Any) -> tuple[Any, Any]:
    """The names given, or else those of a pandas frame's rows and columns, as crosstab makes it."""
    if not (hasattr(matrix, "index") and hasattr(matrix, "columns")):
        return secrets, observables
    return (
        list(matrix.index) if secrets is None else secrets,
        list(matrix.columns) if observables is None else observables,
    )


def names_of(labels: Any, count: int, what: str, line: str) -> Labels:
    """The names of a matrix's rows or columns; numbers where none are given."""
    if labels is None:
        return np.arange(count)
    names = as_labels(labels, what)
    if len(names) != count:
        raise InputError.must(what, f"one label per {line} of the matrix: {count}", len(names))
    return names


def attributes_of(attributes: Mapping[str, ArrayLike], n_secrets: int) -> Attributes:
    """What is known of each secret: columns of one value per secret."""
    known = {name: np.asarray(column) for name, column in attributes.items()}
    for name, column in known.items():
        if column.shape != (n_secrets,):
            raise InputError.must(
                f"attribute {name!r}", f"one value for each of the {n_secrets} secrets",
                f"an array of shape {column.shape}",
            )  # fmt: skip
    return known


def as_codes(values: ArrayLike, count: int, what: str) -> Codes:
    """Positions in an alphabet of so many labels."""
    codes = np.asarray(values)
    if codes.size == 0:
        return codes.astype(np.intp)
    whole = codes.dtype.kind in "iu"
    if not whole or codes.min() < 0 or codes.max() >= count:
        got = f"{codes.min()} to {codes.max()}" if whole else f"values of type {codes.dtype}"
        raise InputError.must(what, f"codes, whole numbers from 0 to {count - 1}", got)
    return codes.astype(np.intp)


def places_of(wanted: Labels, known: Labels, what: str) -> Codes:
    """Where each wanted label is among the known ones; in their order where none were named."""
    if len(wanted) != len(known):
        raise InputError.must(what, f"{len(wanted)}, like those of the first", len(known))
    in_order = np.arange(len(known))
    unnamed = np.array_equal(known, in_order)
    if unnamed and set(map(key, wanted.tolist())) != set(map(key, in_order.tolist())):
        return in_order
    return locate(wanted.tolist(), known, what)


def side_by_side(left: Matrix, right: Matrix) -> Matrix:
    """The Kronecker product of each row of one with the same row of the other."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return (left[:, :, None] * right[:, None, :]).reshape(len(left), -1)
    one, other = sparse.csr_array(left), sparse.csr_array(right)
    rows = [sparse.kron(one[[x]], other[[x]]) for x in range(left.shape[0])]
    return sparse.csr_array(sparse.vstack(rows))


def _dense(values: Any) -> Matrix:
    try:
        table = np.asarray(values)
        if not np.iscomplexobj(table):
            return table.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        pass
    raise InputError.must(
        "a channel's matrix", "rows of real numbers, all of one length", repr(values)[:60],
        remedy="a row holds the probabilities of one secret's observables",
    )  # fmt: skip


def _sparse(values: Any) -> Matrix:
    if values.dtype.kind == "c":
        raise InputError.must("a channel's matrix", "of real numbers", values.dtype)
    matrix = sparse.csr_array(values).astype(np.float64, copy=False)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()  # what was given stays as it is
        matrix.sum_duplicates()
    return matrix


def _wrong_entry(matrix: Matrix, secrets: Labels, observables: Labels) -> InputError:
    entries = sparse.coo_array(matrix)
    wrong = np.flatnonzero(~np.isfinite(entries.data) | (entries.data < 0))[0]
    row, column = (axis[wrong] for axis in entries.coords)
    return InputError.must(
        "a channel's entry", "a finite probability, not negative",
        f"{entries.data[wrong]:g} for secret {key(secrets[row])!r}"
        f" and observable {key(observables[column])!r}",
        remedy="a row holds the probabilities of one secret's observables",
    )  # fmt: skip
