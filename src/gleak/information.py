"""What a channel gives away in the measures of information theory, and in the worst case.

Functions of a prior and of a matrix of row sum one, dense or sparse; ``gleak.channel`` offers
them as methods of a channel.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.errors import GleakWarning, InputError
from gleak.matrix_file import Matrix
from gleak.payoff import Floats

_BLOCK = 1 << 20
"""Entries that are held dense at a time: 8 MB."""

_SAME = 12
"""Decimals to which two posteriors agree that are one."""

_MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class Capacity:
    """The most bits a channel can give away, and the prior under which it does.

    ``bits`` is attained by ``prior``; no prior attains more than ``bits + gap``.
    """

    bits: float
    prior: Floats
    gap: float


@dataclass(frozen=True, slots=True)
class Hyper:
    """A distribution over posteriors: all that a channel tells, whatever its observables' names.

    ``inners[i]`` is a posterior over secrets and ``outer[i]`` the probability of seeing it.
    """

    outer: Floats
    inners: Matrix


def mutual_information(prior: Floats, matrix: Matrix) -> float:
    """I(X;Y) in bits: the mean divergence of a row from the distribution of the observables."""
    return max(0.0, float(prior @ _Divergences(matrix).under(prior)))


def shannon_capacity(matrix: Matrix, tolerance: float = 1e-6) -> Capacity:
    """The largest mutual information under any prior, by Blahut's and Arimoto's iteration.

    Under prior q let D_x be the divergence of row x from the observables' distribution. Then the
    capacity lies between Σ q_x D_x and max_x D_x (Blahut 1972; Arimoto 1972), and the iteration
    ends once these are ``tolerance`` bits apart. A step multiplies q_x by 2^(s·D_x): s = 1 never
    loses, and a longer step is kept while it gains (Matz and Duhamel 2004).
    """
    if not 0 < tolerance < np.inf:
        raise InputError.must("the tolerance", "a positive number of bits", tolerance)
    divergences = _Divergences(matrix)
    prior, step = np.full(matrix.shape[0], 1.0 / matrix.shape[0]), 1.0
    each = divergences.under(prior)
    bits = float(prior @ each)
    for _ in range(_MOST_STEPS):
        gap = float(each.max()) - bits
        if gap <= tolerance:
            break
        tilted = prior * np.exp2(step * (each - each.max()))
        tilted /= tilted.sum()
        further = divergences.under(tilted)
        reached = float(tilted @ further)
        if reached < bits and step > 1:
            step = 1.0
            continue
        prior, each, bits, step = tilted, further, reached, step * 2.0
    else:
        text = f"the capacity is known to {gap:.1e} bits only, not to the {tolerance:.1e} wanted"
        warnings.warn(text, GleakWarning, stacklevel=3)
    return Capacity(max(bits, 0.0), prior, max(gap, 0.0))


class _Divergences:
    """D_x = Σ_y C[x,y] log2(C[x,y] / p_y) for every row x; the rows' entropies are kept."""

    def __init__(self, matrix: Matrix) -> None:
        self._matrix = matrix
        self._negentropies = -np.concatenate([_entropies(block) for block in _rows(matrix)])

    def under(self, prior: Floats) -> Floats:
        """D_x where p is what the prior makes of the observables; finite where it is zero."""
        marginal = prior @ self._matrix
        logs = np.log2(marginal, where=marginal > 0, out=np.zeros_like(marginal))
        return np.asarray(self._negentropies - self._matrix @ logs)


def _entropies(rows: Matrix) -> Floats:
    from scipy.special import entr

    if isinstance(rows, sparse.csr_array):
        parts = sparse.csr_array((entr(rows.data), rows.indices, rows.indptr), shape=rows.shape)
        return np.asarray(parts.sum(axis=1)) / np.log(2)
    return entr(rows).sum(axis=1) / np.log(2)


def _rows(matrix: Matrix) -> Iterator[Matrix]:
    """The matrix in blocks of rows."""
    height = max(1, _BLOCK // matrix.shape[1])
    for start in range(0, matrix.shape[0], height):
        yield matrix[start : start + height]


def _dense(block: Matrix) -> Floats:
    return block.toarray() if isinstance(block, sparse.csr_array) else block


def guessing_entropy(prior: Floats, columns: Matrix | None = None) -> float:
    """How many guesses it takes on average to name the secret, the likeliest first (Massey 1994).

    ``columns`` has a row per observable; without it nothing is seen.
    """
    tries = np.arange(1, len(prior) + 1)
    if columns is None:
        return float(np.sort(prior)[::-1] @ tries)
    sorted_up = (np.sort(_dense(block) * prior, axis=1) for block in _rows(columns))
    return float(sum((block @ tries[::-1]).sum() for block in sorted_up))


def bayes_security(matrix: Matrix) -> float:
    """The smallest ratio of posterior to prior Bayes risk under any prior: 0 none, 1 perfect.

    A uniform prior over two secrets attains it, so that it is one minus the largest total
    variation distance between two rows (Chatzikokolakis, Cherubin, Palamidessi, Troncoso 2023).
    """
    from scipy.spatial.distance import cdist

    widest, start = 0.0, 0
    for block in _rows(matrix):
        here = _dense(block)
        for others in _rows(matrix[start:]):
            widest = max(widest, float(cdist(here, _dense(others), "cityblock").max()))
        start += len(here)
    return max(0.0, 1.0 - widest / 2)


def hyper(prior: Floats, columns: Matrix) -> Hyper:
    """The posteriors and their probabilities; ``columns`` has a row per observable.

    Posteriors equal to twelve decimals are one, and observables never seen are dropped; the rest
    stands in the order in which the observables show it.
    """
    joint = sparse.csr_array(sparse.csr_array(columns) * prior)
    joint = joint[np.flatnonzero(joint.sum(axis=1))]
    posteriors = sparse.csr_array(sparse.diags_array(1.0 / joint.sum(axis=1)) @ joint)
    which = _first_equal(posteriors)
    merge = (np.ones(len(which)), (which, np.arange(len(which))))
    merged = sparse.csr_array(merge) @ joint
    outer = np.asarray(merged.sum(axis=1))
    inners = sparse.csr_array(sparse.diags_array(1.0 / outer) @ merged)
    return Hyper(outer, inners if sparse.issparse(columns) else inners.toarray())


def _first_equal(posteriors: sparse.csr_array) -> NDArray[np.intp]:
    """For each row, the number of its kind, kinds counted by first appearance."""
    rows = posteriors.copy()
    rows.data = rows.data.round(_SAME)
    rows.eliminate_zeros()
    rows.sort_indices()
    kinds: dict[bytes, int] = {}
    ends = zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    keys = (rows.indices[a:b].tobytes() + rows.data[a:b].tobytes() for a, b in ends)
    return np.array([kinds.setdefault(key, len(kinds)) for key in keys], dtype=np.intp)
