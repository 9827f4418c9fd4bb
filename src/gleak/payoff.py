"""A gain bound to an alphabet of secrets: what each guess earns, and which is best."""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.errors import InputError
from gleak.labels import Codes, Labels

Floats = NDArray[np.float64]
Guesses = NDArray[np.intp]
"""Guesses as codes, one per entry of the first axis. Where guesses are too many to number
(``tries``), a guess is a row of k secrets in rising order instead of one number."""

Weights = NDArray[Any] | sparse.sparray | sparse.spmatrix

MATRIX_LIMIT = 20_000_000
"""Entries of a gain matrix beyond which listing the guesses is refused."""

_ROUNDING = 1e-12
"""What a sum may be off by, as a share of its terms' sizes."""

_BLOCK = 1 << 20
"""Scores held at a time: 8 MB, large enough for a full-speed matrix product."""


class Payoff(ABC):
    """What a guess earns against each secret of one alphabet.

    Secrets and guesses are passed as codes: positions in ``secrets`` and in ``guesses``.
    Ties between guesses go to the one with the lowest index, everywhere. Sums that differ by no
    more than rounding are tied: which is larger would depend on how many were summed together.
    """

    secrets: Labels
    n_guesses: int
    low: float
    high: float

    @property
    def n_secrets(self) -> int:
        """How many secrets there are."""
        return len(self.secrets)

    @property
    def two_valued(self) -> bool:
        """Whether every gain is either the lowest or the highest: then exact intervals apply."""
        return True

    @property
    def guesses(self) -> Labels:
        """The label of every guess; refused where they are too many to list."""
        return self.labels(self.listed(np.arange(self._listable())))

    @abstractmethod
    def labels(self, guesses: Guesses) -> Labels:
        """The labels of some guesses."""

    @abstractmethod
    def value(self, guesses: Guesses, secrets: Codes) -> Floats:
        """What guess i earns when secret i is the truth, for every i."""

    def listed(self, index: Codes) -> Guesses:
        """The guesses at some rows of ``matrix``."""
        return index

    def matrix(self, limit: int = MATRIX_LIMIT) -> Floats:
        """The gain of every guess (row) against every secret (column)."""
        rows = self.listed(np.arange(self._listable(limit)))
        everyone = np.arange(self.n_secrets)
        return np.stack([self.value(rows, np.full(len(rows), x)) for x in everyone], axis=1)

    def best(self, weights: Weights, prior: Floats | None = None) -> Guesses:
        """The guess of highest Σ_x weights[i,x]·prior[x]·g(w,x) for each row i.

        ``weights`` is any multiple of a posterior, or a channel's column with its prior.
        """
        return np.concatenate([self._best(block) for block in self._blocks(weights, prior)])

    def best_value(self, weights: Weights, prior: Floats | None = None) -> Floats:
        """That highest sum itself, for each row."""
        return np.concatenate([self._best_value(block) for block in self._blocks(weights, prior)])

    @abstractmethod
    def _best(self, weights: Floats) -> Guesses: ...

    @abstractmethod
    def _best_value(self, weights: Floats) -> Floats: ...

    def _blocks(self, weights: Weights, prior: Floats | None) -> Iterator[Floats]:
        given, is_sparse = cast(Any, weights), sparse.issparse(weights)
        table = sparse.csr_array(given) if is_sparse else np.asarray(given)
        if table.ndim != 2 or table.shape[1] != self.n_secrets:
            raise InputError.must(
                "weights", f"of {self.n_secrets} columns, one per secret",
                f"an array of shape {table.shape}",
            )  # fmt: skip
        rows = max(1, _BLOCK // max(self._width, self.n_secrets))
        for start in range(0, max(1, table.shape[0]), rows):
            block = table[start : start + rows]
            dense = block.toarray() if isinstance(block, sparse.csr_array) else block
            if not np.isfinite(dense.sum()):  # one number: cheaper than to look at each
                raise InputError.must("weights", "finite numbers", "NaN or infinity among them")
            yield dense if prior is None else dense * prior

    @property
    def _width(self) -> int:
        """How many scores a row of weights needs while the best guess is sought."""
        return self.n_secrets

    def _listable(self, limit: int = MATRIX_LIMIT) -> int:
        entries = self.n_guesses * self.n_secrets
        if entries > limit:
            raise InputError.must(
                "the list of guesses",
                f"of at most {limit:,} gains",
                f"{self.n_guesses:,} guesses × {self.n_secrets:,} secrets",
                remedy="take the secret route, which needs no list of guesses",
            )
        return self.n_guesses


class IdentityPayoff(Payoff):
    """One try at the secret: 1 if the guess is the secret, else 0."""

    def __init__(self, secrets: Labels) -> None:
        self.secrets = secrets
        self.n_guesses = len(secrets)
        self.low, self.high = (1.0 if len(secrets) == 1 else 0.0), 1.0

    def labels(self, guesses: Guesses) -> Labels:
        return self.secrets[guesses]

    def value(self, guesses: Guesses, secrets: Codes) -> Floats:
        return (guesses == secrets).astype(np.float64)

    def _best(self, weights: Floats) -> Guesses:
        return weights.argmax(axis=1)

    def _best_value(self, weights: Floats) -> Floats:
        return weights.max(axis=1)


class TriesPayoff(Payoff):
    """k tries at the secret: 1 if it is among the k guessed. Never lists the subsets."""

    def __init__(self, secrets: Labels, tries: int) -> None:
        if not 1 <= tries <= len(secrets):
            raise InputError.must(
                "the number of tries", f"from 1 to {len(secrets)}, the number of secrets", tries
            )
        self.secrets = secrets
        self.tries = tries
        self.n_guesses = math.comb(len(secrets), tries)
        self.low, self.high = (1.0 if tries == len(secrets) else 0.0), 1.0

    def labels(self, guesses: Guesses) -> Labels:
        named = np.empty(len(guesses), dtype=object)
        named[:] = [tuple(row) for row in self.secrets[guesses].tolist()]
        return named

    def value(self, guesses: Guesses, secrets: Codes) -> Floats:
        return (guesses == secrets[:, None]).any(axis=1).astype(np.float64)

    def listed(self, index: Codes) -> Guesses:
        """Subsets in lexicographic order, so that ties fall as in ``best``."""
        self._listable()
        subsets = itertools.combinations(range(self.n_secrets), self.tries)
        flat = np.fromiter(itertools.chain.from_iterable(subsets), dtype=np.intp)
        return flat.reshape(-1, self.tries)[index]

    def _best(self, weights: Floats) -> Guesses:
        # The k-th largest weight splits the row; among its equals the lowest indices are taken.
        cut = np.partition(weights, -self.tries, axis=1)[:, -self.tries, None]
        above, equal = weights > cut, weights == cut
        room = self.tries - above.sum(axis=1, keepdims=True)
        chosen = above | (equal & (np.cumsum(equal, axis=1) <= room))
        return np.nonzero(chosen)[1].reshape(-1, self.tries)

    def _best_value(self, weights: Floats) -> Floats:
        return np.partition(weights, -self.tries, axis=1)[:, -self.tries :].sum(axis=1)


class PartitionPayoff(Payoff):
    """A property of the secret: 1 if the guessed class is the secret's, else 0."""

    def __init__(self, secrets: Labels, class_of: Codes, classes: Labels) -> None:
        self.secrets = secrets
        self.class_of = class_of
        self.classes = classes
        self.n_guesses = len(classes)
        self.low, self.high = (1.0 if len(classes) == 1 else 0.0), 1.0
        members = (np.ones(len(secrets)), (np.arange(len(secrets)), class_of))
        self._members = sparse.csr_array(members, shape=(len(secrets), len(classes)))

    def labels(self, guesses: Guesses) -> Labels:
        return self.classes[guesses]

    def value(self, guesses: Guesses, secrets: Codes) -> Floats:
        return (guesses == self.class_of[secrets]).astype(np.float64)

    def _best(self, weights: Floats) -> Guesses:
        scores = self._per_class(weights)
        return _first_best(scores, scores.max(axis=1))

    def _best_value(self, weights: Floats) -> Floats:
        return self._per_class(weights).max(axis=1)

    def _per_class(self, weights: Floats) -> Floats:
        return np.asarray(weights @ self._members)


class MatrixPayoff(Payoff):
    """Any gain whose guesses can be listed."""

    def __init__(self, gains: Floats, guesses: Labels, secrets: Labels) -> None:
        self.secrets = secrets
        self._guesses = guesses
        self._gains = gains
        self.n_guesses = len(guesses)
        self.low, self.high = float(gains.min()), float(gains.max())

    @property
    def two_valued(self) -> bool:
        return bool(np.isin(self._gains, (self.low, self.high)).all())

    def labels(self, guesses: Guesses) -> Labels:
        return self._guesses[guesses]

    def value(self, guesses: Guesses, secrets: Codes) -> Floats:
        return self._gains[guesses, secrets]

    def matrix(self, limit: int = MATRIX_LIMIT) -> Floats:
        self._listable(limit)
        return self._gains

    @property
    def _width(self) -> int:
        return self.n_guesses

    # The prior goes into the small gain matrix, so that no weighted copy of a channel is made.

    def best(self, weights: Weights, prior: Floats | None = None) -> Guesses:
        return super().best(weights) if prior is None else self._weighed(prior).best(weights)

    def best_value(self, weights: Weights, prior: Floats | None = None) -> Floats:
        if prior is None:
            return super().best_value(weights)
        return self._weighed(prior).best_value(weights)

    def _weighed(self, prior: Floats) -> "MatrixPayoff":
        return MatrixPayoff(self._gains * prior, self._guesses, self.secrets)

    # NumPy finds where the highest score is fastest along rows, and what it is along columns.

    def _best(self, weights: Floats) -> Guesses:
        scores = weights @ self._gains.T
        terms = np.abs(self._gains)[scores.argmax(axis=1)]
        return _first_best(scores, np.einsum("ij,ij->i", np.abs(weights), terms))

    def _best_value(self, weights: Floats) -> Floats:
        return (self._gains @ weights.T).max(axis=0)


def _first_best(scores: Floats, size: Floats) -> Guesses:
    """The first score of each row as high as its highest, sums of terms of some size in all."""
    within = scores.max(axis=1) - _ROUNDING * size
    return (scores >= within[:, None]).argmax(axis=1)
