"""How well a channel hides which of two secrets it was given: differential privacy's epsilon."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import InputError

_NEVER = 1e300
"""Stands for −ln 0, so that two zeros are no difference and a single one is infinite."""


def epsilon(channel: Channel, distances: ArrayLike | None = None) -> float:
    """The least ε with C[x,y] ≤ e^ε·C[x',y] for every two secrets and every observable.

    That is local differential privacy (Kasiviswanathan and others, FOCS 2008). With ``distances``
    between secrets it is the least ε with C[x,y] ≤ e^(ε·d(x,x'))·C[x',y] (Chatzikokolakis,
    Andrés, Bordenabe, Palamidessi, PETS 2013): per step of counts, per metre of places. Infinite
    where some observable rules a secret out.

    >>> noisy = Channel([[0.75, 0.25], [0.25, 0.75]])
    >>> bool(np.isclose(epsilon(noisy), np.log(3)))
    True
    >>> bool(np.isclose(epsilon(noisy, [[0, 10], [10, 0]]), np.log(3) / 10))
    True
    """
    from scipy.spatial.distance import pdist

    matrix = channel.matrix
    dense = matrix.toarray() if isinstance(matrix, sparse.csr_array) else matrix
    with np.errstate(divide="ignore"):
        logs = np.where(dense > 0, np.log(dense), -_NEVER)
    apart = pdist(logs, "chebyshev")
    apart[apart > _NEVER / 2] = np.inf
    if distances is None:
        return float(apart.max())
    metric = np.asarray(distances, dtype=np.float64)
    if metric.shape != (channel.n_secrets, channel.n_secrets):
        raise InputError.must("distances", "a square matrix, secrets × secrets", metric.shape)
    between = metric[np.triu_indices(len(metric), k=1)]
    told = apart > 0  # secrets that nothing tells apart may lie anywhere
    with np.errstate(divide="ignore"):
        return float((apart[told] / between[told]).max(initial=0.0))
