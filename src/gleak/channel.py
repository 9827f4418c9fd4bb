"""Systems we know: a prior and a channel matrix, and the exact answers they give."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from gleak import information
from gleak.channel_file import as_written, write_matrix
from gleak.channel_parts import (
    as_codes,
    as_matrix,
    attributes_of,
    names_in,
    names_of,
    normalised,
    places_of,
    side_by_side,
)
from gleak.errors import InputError
from gleak.gain import Attributes, Gain
from gleak.gain_spec import as_gain
from gleak.information import Capacity, Hyper
from gleak.labels import Codes, Labels
from gleak.matrix_file import Matrix, read_matrix
from gleak.payoff import Floats, Guesses, Payoff
from gleak.preprocess import channel_preprocessing
from gleak.prior import prior_over

Rng = np.random.Generator | int | None

_BLOCK = 1 << 20
"""Entries of the matrix looked at together while a strategy is valued."""


@dataclass(frozen=True, slots=True)
class Leakage:
    """How much more an attacker earns for having seen the observable.

    ``multiplicative`` is None where the prior vulnerability is negative, or is zero and stays so:
    there the ratio says nothing. ``min_entropy_bits`` is its logarithm to base 2.
    """

    multiplicative: float | None
    additive: float

    @property
    def min_entropy_bits(self) -> float | None:
        """The multiplicative leakage in bits, where there is one."""
        return None if self.multiplicative is None else math.log2(self.multiplicative)


@dataclass(frozen=True, slots=True)
class Reduction:
    """A g-vulnerability as a Bayes vulnerability: V_g = factor · V_id of ``channel`` + shift.

    The secrets of ``channel`` are the guesses. ``secrets_of`` is R where secrets are drawn for
    the guesses: the channel from guesses to the secrets to ask the system for.
    """

    factor: float
    channel: "Channel"
    shift: float
    secrets_of: "Channel | None" = None

    @property
    def vulnerability(self) -> float:
        """V_g of the channel that was rewritten."""
        return self.factor * self.channel.posterior_vulnerability() + self.shift


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Channel:
    """A system we know: ``matrix[x, y]`` is the probability that secret x shows observable y.

    Sparse matrices stay sparse. ``prior`` is uniform where None; it may be a mapping from secrets
    to probabilities, or the path of a secrets file. ``attributes`` holds what is known of each
    secret besides its label, for gains that ask for it. A pandas frame names its rows and columns
    itself. The matrix is not copied unless its rows must be normalised.

    >>> noisy = Channel([[0.75, 0.25], [0.25, 0.75]], secrets=["no", "yes"])
    >>> noisy.posterior_vulnerability()
    0.75
    """

    matrix: Matrix
    prior: Floats
    secrets: Labels
    observables: Labels
    attributes: Attributes

    def __init__(
        self,
        matrix: ArrayLike | sparse.sparray | sparse.spmatrix,
        prior: ArrayLike | Mapping[Any, float] | None = None,
        secrets: ArrayLike | Sequence[object] | None = None,
        observables: ArrayLike | Sequence[object] | None = None,
        *,
        attributes: Mapping[str, ArrayLike] | None = None,
    ) -> None:
        values = as_matrix(matrix, prior)
        secrets, observables = names_in(matrix, secrets, observables)
        rows = names_of(secrets, values.shape[0], "secrets", "row")
        columns = names_of(observables, values.shape[1], "observables", "column")
        fields = {
            "matrix": normalised(values, rows, columns),
            "prior": _prior_over(rows, prior),
            "secrets": rows,
            "observables": columns,
            "attributes": attributes_of(attributes or {}, len(rows)),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def n_secrets(self) -> int:
        """How many secrets there are."""
        return len(self.secrets)

    @property
    def n_observables(self) -> int:
        """How many observables there are."""
        return len(self.observables)

    @property
    def _is_sparse(self) -> bool:
        return sparse.issparse(self.matrix)

    def __repr__(self) -> str:
        kind = "sparse" if self._is_sparse else "dense"
        return f"Channel({self.n_secrets} secrets × {self.n_observables} observables, {kind})"

    def with_prior(self, prior: ArrayLike | Mapping[Any, float] | None) -> "Channel":
        """The same system under another prior."""
        return Channel(
            self.matrix, prior, self.secrets, self.observables, attributes=self.attributes
        )

    # Vulnerability

    def bind(self, gain: str | Gain = "bayes") -> Payoff:
        """The payoff of a gain over these secrets: it names the guesses of a strategy."""
        return as_gain(gain).bind(self.secrets, self.attributes)

    def prior_vulnerability(self, gain: str | Gain = "bayes") -> float:
        """V_g(π): the expected gain of the best guess that is made blindly.

        >>> Channel([[1, 0], [0, 1]], prior=[0.9, 0.1]).prior_vulnerability()
        0.9
        """
        return _blind(self.bind(gain), self.prior)

    def posterior_vulnerability(self, gain: str | Gain = "bayes") -> float:
        """V_g(π,C): the expected gain of the best guess for each observable.

        >>> Channel([[1, 0], [0.5, 0.5]]).posterior_vulnerability("tries:2")
        1.0
        """
        return self._posterior(self.bind(gain))

    def _posterior(self, payoff: Payoff) -> float:
        return float(payoff.best_value(self._columns, self.prior).sum())

    def strategy(self, gain: str | Gain = "bayes") -> Guesses:
        """The best guess for each observable, as codes of ``bind(gain)``.

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).strategy().tolist()
        [0, 1]
        """
        return self.bind(gain).best(self._columns, self.prior)

    def value(self, guesses: ArrayLike, gain: str | Gain = "bayes") -> float:
        """V(f): the expected gain of a strategy given as one guess per observable.

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).value([1, 0])
        0.25
        """
        payoff = self.bind(gain)
        strategy = _as_strategy(guesses, payoff, self.n_observables)
        entries = self.matrix.nnz if sparse.issparse(self.matrix) else self.matrix.size
        rows = max(1, _BLOCK * self.n_secrets // max(entries, 1))
        total = 0.0
        for start in range(0, self.n_secrets, rows):
            block = sparse.coo_array(self.matrix[start : start + rows])
            secrets, seen = block.coords[0].astype(np.intp) + start, block.coords[1]
            gains = payoff.value(strategy[seen], secrets)
            total += float(gains @ (block.data * self.prior[secrets]))
        return total

    def leakage(self, gain: str | Gain = "bayes") -> Leakage:
        """How much the observable raises the vulnerability, as a ratio and as a difference.

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).leakage()
        Leakage(multiplicative=1.5, additive=0.25)
        """
        payoff = self.bind(gain)
        before = _blind(payoff, self.prior)
        after = max(self._posterior(payoff), before)  # below it by rounding only: V_g is convex
        if before > 0:
            return Leakage(after / before, after - before)
        return Leakage(math.inf if before == 0 < after else None, after - before)

    @cached_property
    def _columns(self) -> Matrix:
        """One row per observable: the weights over secrets, but for the prior."""
        transposed = self.matrix.T
        return sparse.csr_array(transposed) if sparse.issparse(transposed) else transposed

    # Worst cases and information

    def bayes_risk(self) -> float:
        """The probability that the best guess of the secret is wrong: 1 − V(π,C)."""
        return max(0.0, 1.0 - self.posterior_vulnerability())  # a sum may round to above one

    def bayes_capacity(self) -> float:
        """Σ_y max_x C[x,y]: the multiplicative Bayes leakage under a uniform prior.

        It caps the multiplicative leakage of every non-negative gain under every prior (Alvim,
        Chatzikokolakis, Palamidessi, Smith 2012), and under Bayes's own gain the uniform prior
        attains it (Braun, Chatzikokolakis, Palamidessi 2009).

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).bayes_capacity()
        1.5
        """
        highest = self.matrix.max(axis=0)
        return float(highest.sum())

    def bayes_security(self) -> float:
        """β: the smallest ratio of posterior to prior Bayes risk under any prior.

        It is one minus the largest total variation distance between two rows, hence 1 where
        nothing leaks and 0 where some observable tells two secrets apart for certain
        (Chatzikokolakis, Cherubin, Palamidessi, Troncoso 2023).

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).bayes_security()
        0.5
        """
        return information.bayes_security(self.matrix)

    def mutual_information(self) -> float:
        """I(X;Y) in bits.

        >>> Channel([[1, 0], [0, 1]]).mutual_information()
        1.0
        """
        return information.mutual_information(self.prior, self.matrix)

    def shannon_capacity(self, tolerance: float = 1e-6) -> Capacity:
        """The largest I(X;Y) under any prior, to within ``tolerance`` bits, and that prior.

        >>> round(Channel([[1, 0], [0.5, 0.5]]).shannon_capacity(1e-9).bits, 6)  # log2(5/4)
        0.321928
        """
        return information.shannon_capacity(self.matrix, tolerance)

    def guessing_entropy(self) -> float:
        """The mean number of guesses until the secret is named, once the observable is seen.

        >>> Channel([[1, 0], [0, 1]]).guessing_entropy()
        1.0
        """
        return information.guessing_entropy(self.prior, self._columns)

    def prior_guessing_entropy(self) -> float:
        """The mean number of guesses until the secret is named, nothing being seen.

        >>> Channel([[1, 0], [0, 1]]).prior_guessing_entropy()
        1.5
        """
        return information.guessing_entropy(self.prior)

    def hyper(self) -> Hyper:
        """The posteriors an attacker may be left with, and the probability of each.

        >>> Channel([[0.5, 0.5, 0], [0, 0, 1]]).hyper().inners
        array([[1., 0.],
               [0., 1.]])
        """
        return information.hyper(self.prior, self._columns)

    # Channels made of channels

    def cascade(self, other: "Channel") -> "Channel":
        """The channel whose observable is handed on as the secret of another (post-processing).

        No gain's vulnerability rises by it. The other's prior plays no part.

        >>> flip = Channel([[0.75, 0.25], [0.25, 0.75]])
        >>> flip.cascade(flip).matrix
        array([[0.625, 0.375],
               [0.375, 0.625]])
        """
        places = places_of(self.observables, other.secrets, "the second channel's secrets")
        matrix = self.matrix @ other.matrix[places]
        return self._with(matrix, other.observables)

    def parallel(self, other: "Channel") -> "Channel":
        """Both channels run on the same secret, independently: a pair of observables is seen.

        The prior is this channel's.

        >>> flip = Channel([[0.75, 0.25], [0.25, 0.75]])
        >>> flip.parallel(flip).matrix
        array([[0.5625, 0.1875, 0.1875, 0.0625],
               [0.0625, 0.1875, 0.1875, 0.5625]])
        """
        places = places_of(self.secrets, other.secrets, "the second channel's secrets")
        pairs = [(a, b) for a in self.observables.tolist() for b in other.observables.tolist()]
        names = np.empty(len(pairs), dtype=object)
        names[:] = pairs
        return self._with(side_by_side(self.matrix, other.matrix[places]), names)

    def _with(self, matrix: Matrix, observables: Labels) -> "Channel":
        return Channel(matrix, self.prior, self.secrets, observables, attributes=self.attributes)

    def data_reduction(self, gain: str | Gain) -> Reduction:
        """The channel that data pre-processing learns: V_g(π,C) = α·V_id(ξ,E) + shift.

        With U(w,y) = Σ_x π_x C[x,y] (g(w,x) − shift), α is ΣU, and ξ and E are what U/α is as a
        prior and a channel. The rows of C have sum one, so that (α,ξ,E) is the (β,τ,RC) of
        ``channel_reduction``: the two ways differ in the samples they learn from, not in what
        they learn.

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).data_reduction("bayes").channel.matrix
        array([[0.75, 0.25],
               [0.25, 0.75]])
        """
        rewritten = self.channel_reduction(gain)
        return Reduction(rewritten.factor, rewritten.channel, rewritten.shift)

    def channel_reduction(self, gain: str | Gain) -> Reduction:
        """The channel that channel pre-processing learns: V_g(π,C) = β·V_id(τ,RC) + shift.

        A gain with values below zero is raised by its lowest, which is ``shift``. A guess that
        never earns (τ_w = 0) keeps its place; its row of R is the prior.

        >>> Channel([[0.75, 0.25], [0.25, 0.75]]).channel_reduction("bayes").secrets_of.prior
        array([0.5, 0.5])
        """
        payoff = self.bind(gain)
        if payoff.n_guesses < 2:
            raise InputError.must(
                "a gain to be rewritten", "of two guesses or more", payoff.n_guesses,
                remedy="with a single guess nothing depends on the observable",
            )  # fmt: skip
        parts = channel_preprocessing(self.prior, payoff)
        sought = sparse.csr_array(parts.secrets_of) if self._is_sparse else parts.secrets_of
        secrets_of = Channel(sought, parts.tau, payoff.guesses, self.secrets)
        return Reduction(parts.beta, secrets_of.cascade(self), parts.shift, secrets_of)

    # Samples

    def sample(self, n: int, *, rng: Rng = None) -> tuple[Codes, Codes]:
        """Independent pairs of a secret and an observable, as their codes.

        >>> secrets, observables = Channel([[1, 0], [0, 1]]).sample(100, rng=0)
        >>> (secrets == observables).all()
        np.True_
        """
        if not isinstance(n, int | np.integer) or n < 0:
            raise InputError.must("the number of samples", "a whole number from 0", repr(n))
        generator = np.random.default_rng(rng)
        secrets = generator.choice(self.n_secrets, size=n, p=self.prior)
        return secrets, self.draw(secrets, generator)

    def draw(self, secrets: ArrayLike, rng: Rng = None) -> Codes:
        """An observable for each secret, both as codes: the channel as a system to query."""
        codes = as_codes(secrets, self.n_secrets, "the secrets to draw for")
        if codes.ndim != 1:
            raise InputError.must("the secrets to draw for", "of one axis", codes.ndim)
        generator = np.random.default_rng(rng)
        order = np.argsort(codes, kind="stable")
        present, starts = np.unique(codes[order], return_index=True)
        seen = np.empty(len(codes), dtype=np.intp)
        for secret, places in zip(present, np.split(order, starts[1:]), strict=False):
            seen[places] = self._observe(secret, len(places), generator)
        return seen

    def _observe(self, secret: int, times: int, generator: np.random.Generator) -> Codes:
        if not isinstance(self.matrix, sparse.csr_array):
            return generator.choice(self.n_observables, size=times, p=self.matrix[secret])
        span = slice(*self.matrix.indptr[secret : secret + 2])
        return generator.choice(self.matrix.indices[span], size=times, p=self.matrix.data[span])

    # Files

    @classmethod
    def read(cls, path: str | Path, prior: ArrayLike | Mapping[Any, float] | None = None) -> Self:
        """A channel from CSV, TSV, NPY or NPZ; a header and a first column may name its parts."""
        read = read_matrix(path)
        try:
            return cls(read.values, prior, as_written(read.rows), as_written(read.columns))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    def write(self, path: str | Path) -> None:
        """Write the matrix: as CSV or TSV with its names, or bare as NPY or NPZ.

        The prior is not written. A sparse matrix stays sparse in NPZ only.
        """
        write_matrix(path, self.matrix, self.secrets, self.observables)


def _blind(payoff: Payoff, prior: Floats) -> float:
    return float(payoff.best_value(prior[None, :])[0])


def _prior_over(secrets: Labels, prior: Any) -> Floats:
    known = prior_over(secrets, "uniform" if prior is None else prior)
    if known is None:
        raise InputError.must("a channel's prior", "'uniform', or given", "'empirical'")
    return known


def _as_strategy(guesses: ArrayLike, payoff: Payoff, n_observables: int) -> Guesses:
    one = payoff.best(np.ones((1, payoff.n_secrets)))  # a number, or a row of k secrets
    strategy = as_codes(
        guesses, payoff.n_guesses if one.ndim == 1 else payoff.n_secrets, "a strategy's guesses"
    )
    if strategy.shape != (n_observables, *one.shape[1:]):
        raise InputError.must(
            "a strategy", f"an array of shape {(n_observables, *one.shape[1:])}, a guess per"
            " observable", f"one of shape {strategy.shape}",
        )  # fmt: skip
    return strategy
