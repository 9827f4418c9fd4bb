"""Systems we know: a prior and a channel matrix, and the exact answers they give."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from gleak.errors import GleakWarning, InputError
from gleak.gain import Attributes, Gain
from gleak.gain_spec import as_gain
from gleak.labels import Codes, Labels, as_labels, key, locate
from gleak.matrix_file import Matrix, read_matrix
from gleak.payoff import Floats, Guesses, Payoff
from gleak.secrets_file import SecretsTable, align_prior, as_prior

Rng = np.random.Generator | int | None

_ROUNDING = 1e-12
"""Row sums this close to one are one: dividing by them would only copy the matrix."""

_SILENT, _WARNED = 1e-9, 1e-6
"""How far a row sum may be from one before it is mentioned, and before it is refused."""

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


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Channel:
    """A system we know: ``matrix[x, y]`` is the probability that secret x shows observable y.

    Sparse matrices stay sparse. ``prior`` is uniform where None; it may be a mapping from secrets
    to probabilities. ``attributes`` holds what is known of each secret besides its label, for
    gains that ask for it. The matrix is not copied unless its rows must be normalised.

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
        values = _as_matrix(matrix, prior)
        rows = _names(secrets, values.shape[0], "secrets", "row")
        columns = _names(observables, values.shape[1], "observables", "column")
        known = {name: np.asarray(column) for name, column in (attributes or {}).items()}
        for name, column in known.items():
            if column.shape != (len(rows),):
                raise InputError.must(
                    f"attribute {name!r}", f"one value for each of the {len(rows)} secrets",
                    f"an array of shape {column.shape}",
                )  # fmt: skip
        fields = {
            "matrix": _normalised(values, rows, columns),
            "prior": _prior_over(rows, prior),
            "secrets": rows,
            "observables": columns,
            "attributes": known,
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

    def __repr__(self) -> str:
        kind = "sparse" if sparse.issparse(self.matrix) else "dense"
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

    # Samples

    def sample(self, n: int, *, rng: Rng = None) -> tuple[Codes, Codes]:
        """Independent pairs of a secret and an observable, as their codes.

        >>> secrets, observables = Channel([[1, 0], [0, 1]]).sample(100, rng=0)
        >>> (secrets == observables).all()
        np.True_
        """
        if n < 0:
            raise InputError.must("the number of samples", "at least 0", n)
        generator = np.random.default_rng(rng)
        secrets = generator.choice(self.n_secrets, size=n, p=self.prior)
        return secrets, self.draw(secrets, generator)

    def draw(self, secrets: ArrayLike, rng: Rng = None) -> Codes:
        """An observable for each secret, both as codes: the channel as a system to query."""
        codes = np.asarray(secrets, dtype=np.intp)
        _within(codes, self.n_secrets, "secrets to draw for")
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
        return cls(read.values, prior, _as_written(read.rows), _as_written(read.columns))


def _blind(payoff: Payoff, prior: Floats) -> float:
    return float(payoff.best_value(prior[None, :])[0])


def _as_matrix(values: Any, prior: Any) -> Matrix:
    if sparse.issparse(values):
        matrix = sparse.csr_array(values).astype(np.float64, copy=False)
        if not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
    else:
        try:
            matrix = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError.must(
                "a channel's matrix", "rows of numbers, all of one length", repr(values)[:60]
            ) from None
    if matrix.ndim != 2:
        swapped = prior is not None and not isinstance(prior, Mapping) and np.ndim(prior) == 2
        raise InputError.must(
            "a channel's matrix", "of two axes, a row per secret", f"{matrix.ndim} axes",
            remedy="matrix and prior are swapped: Channel(matrix, prior)" if swapped else "",
        )  # fmt: skip
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        count = {0: "none", 1: "a single secret"}.get(matrix.shape[0], "no observable")
        raise InputError.must(
            "a channel", "of two secrets or more and at least one observable", count,
            remedy="give the matrix a row for every secret",
        )  # fmt: skip
    return matrix


def _names(labels: Any, count: int, what: str, line: str) -> Labels:
    if labels is None:
        return np.arange(count)
    names = as_labels(labels, what)
    if len(names) != count:
        raise InputError.must(what, f"one label per {line} of the matrix: {count}", len(names))
    return names


def _prior_over(secrets: Labels, prior: Any) -> Floats:
    if prior is None:
        return np.full(len(secrets), 1.0 / len(secrets))
    if not isinstance(prior, Mapping):
        return as_prior(prior, len(secrets))
    known = as_labels(list(prior), "the prior's secrets")
    locate(secrets.tolist(), known, "the prior")  # says who is lacking before it sums
    values = as_prior(list(prior.values()), len(known))
    return align_prior(SecretsTable(known, values, {}), secrets, where="channel")


def _normalised(matrix: Matrix, secrets: Labels, observables: Labels) -> Matrix:
    """The matrix with rows of sum one; refused where an entry or a sum is no rounding error."""
    sums = np.asarray(matrix.sum(axis=1))
    if not np.isfinite(sums).all() or matrix.min() < 0:
        _refuse_entry(matrix, secrets, observables)
    off = np.abs(sums - 1.0)
    worst = int(off.argmax())
    if off[worst] <= _ROUNDING:
        return matrix
    row, got = f"row {key(secrets[worst])!r} of the channel", f"{sums[worst]:.10g}"
    if off[worst] > _WARNED:
        standing = matrix.shape[0] > 1 and np.allclose(matrix.sum(axis=0), 1.0, atol=_WARNED)
        remedy = "its columns do: transpose it" if standing else "divide each row by its sum"
        raise InputError.must(row, "of sum 1", got, remedy=remedy)
    if off[worst] > _SILENT:
        text = f"{row} sums to {got}; every row has been divided by its sum"
        warnings.warn(text, GleakWarning, stacklevel=4)
    if isinstance(matrix, sparse.csr_array):
        return sparse.csr_array(sparse.diags_array(1.0 / sums) @ matrix)
    return matrix / sums[:, None]


def _refuse_entry(matrix: Matrix, secrets: Labels, observables: Labels) -> None:
    entries = sparse.coo_array(matrix)
    wrong = np.flatnonzero(~np.isfinite(entries.data) | (entries.data < 0))[0]
    row, column = (axis[wrong] for axis in entries.coords)
    raise InputError.must(
        "a channel's entry", "a finite probability, not negative",
        f"{entries.data[wrong]:g} for secret {key(secrets[row])!r}"
        f" and observable {key(observables[column])!r}",
        remedy="a row holds the probabilities of the observables of one secret",
    )  # fmt: skip


def _within(codes: Codes, count: int, what: str) -> None:
    if codes.size and not (codes.min() >= 0 and codes.max() < count):
        wrong = codes.min() if codes.min() < 0 else codes.max()
        raise InputError.must(what, f"codes from 0 to {count - 1}", int(wrong))


def _as_strategy(guesses: ArrayLike, payoff: Payoff, n_observables: int) -> Guesses:
    strategy = np.asarray(guesses, dtype=np.intp)
    if strategy.shape[:1] != (n_observables,):
        raise InputError.must(
            "a strategy", f"one guess for each of the {n_observables} observables",
            f"an array of shape {strategy.shape}",
        )  # fmt: skip
    _within(strategy, payoff.n_secrets if strategy.ndim > 1 else payoff.n_guesses, "guesses")
    return strategy


def _as_written(labels: Labels | None) -> Labels | None:
    """Names read as text, as the numbers they were written from where all of them are."""
    if labels is None:
        return None
    for kind in (int, float):
        try:
            numbers = [kind(text) for text in labels.tolist()]
        except ValueError:
            continue
        if list(map(str, numbers)) == labels.tolist():
            return np.array(numbers)
    return labels
