"""From g-vulnerability to Bayes vulnerability: samples and channels rewritten over guesses.

An attacker that names the guess w most likely under a suitable joint distribution of (w, y)
is the attacker that earns most, so that any classifier of guesses learns the attack. Data
pre-processing rewrites recorded pairs and needs no access to the system; channel pre-processing
draws the guess first, the secret for it next, and asks the system for that secret's observable.

A gain below zero is raised by its lowest value first: that changes every V(f) by the same
number, hence neither which attacker is best nor, once lowered again, the vulnerability.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gleak.errors import InputError
from gleak.labels import Codes, same_labels
from gleak.payoff import Floats, Payoff
from gleak.secrets_file import as_prior

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

COPIES_LIMIT = 10_000_000
"""Rows beyond which literal copies are refused."""

LARGEST_DENOMINATOR = 1000
"""Gains that are no fraction with a denominator up to this count as irrational."""


@dataclass(frozen=True)
class DataReduction:
    """Recorded pairs as weights over guesses.

    Row i of ``weights`` is the column G[:,x_i] of the gains, raised by −``shift`` to be
    non-negative. ``alpha`` estimates α = Σ_{y,w} Σ_x π_x C[x,y] (g(w,x) − shift).
    """

    weights: sparse.csr_array
    alpha: float
    shift: float

    def vulnerability(self, bayes: float) -> float:
        """V_g from the Bayes vulnerability of the rewritten pairs: V_g = α·V_id(ξ,E) + shift."""
        return self.alpha * bayes + self.shift


@dataclass(frozen=True)
class ChannelReduction:
    """A prior over guesses and, for each guess, which secrets to ask the system for.

    ``tau`` is τ, ``secrets_of`` is R: row w holds the probability of each secret x given w. A
    guess with τ_w = 0 earns nothing ever and is never drawn; its row is the prior.
    """

    tau: Floats
    secrets_of: Floats
    beta: float
    shift: float

    def vulnerability(self, bayes: float) -> float:
        """V_g from the Bayes vulnerability of τ and RC: V_g = β·V_id(τ,RC) + shift."""
        return self.beta * bayes + self.shift

    def draw(self, n: int, rng: np.random.Generator | int | None = None) -> tuple[Codes, Codes]:
        """Draw n guesses w ~ τ and, for each, the secret x ~ R_w to ask the system for.

        >>> from gleak.gain import tries
        >>> payoff = tries(2).bind(["a", "b", "c"])
        >>> guesses, secrets = channel_preprocessing([0.5, 0.5, 0], payoff).draw(1000, rng=0)
        >>> bool((payoff.value(payoff.listed(guesses), secrets) > 0).all())
        True
        """
        if not isinstance(n, int | np.integer) or n < 0:
            raise InputError.must("the number of guesses to draw", "a whole number from 0", repr(n))
        cells = (self.tau[:, None] * self.secrets_of).ravel()
        drawn = np.random.default_rng(rng).choice(len(cells), size=n, p=cells / cells.sum())
        guesses, secrets = np.divmod(drawn, self.secrets_of.shape[1])
        return guesses.astype(np.intp), secrets.astype(np.intp)


def check_bound(payoff: Payoff, samples: "Samples") -> None:
    """Refuse a payoff over other secrets than the samples'."""
    ours, theirs = samples.secrets, payoff.secrets
    if not same_labels(theirs, ours):
        raise InputError.must(
            "the payoff",
            f"bound to the samples' {len(ours)} secrets",
            f"one over {len(theirs)}" + (" others" if len(theirs) == len(ours) else ""),
            remedy="bind the gain with samples.bind(gain)",
        )


def raised_gains(payoff: Payoff) -> tuple[Floats, float]:
    """The gain matrix raised to be non-negative, and the shift that lowers it again."""
    gains = payoff.matrix()
    shift = min(0.0, float(gains.min()))
    return gains - shift, shift


def data_weights(payoff: Payoff, codes: Codes, weights: ArrayLike | None = None) -> DataReduction:
    """Rewrite pairs (x,y), given as codes of x, as weights over guesses.

    Training a classifier on g(w,x) as the weight of (w,y) has the same objective as training it
    on g(w,x) copies of (w,y), and takes real gains as they are. Right by the theorem
    "Correctness of data pre-processing": V_g(π,C) = α·V_id(ξ,E).

    >>> from gleak.gain import tries
    >>> reduction = data_weights(tries(2).bind(["a", "b", "c"]), np.array([0, 0, 2]))
    >>> reduction.weights.toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 1., 1.]])
    >>> reduction.alpha
    2.0
    """
    codes = _positions(codes, payoff.n_secrets, "secrets")
    if not len(codes):
        raise InputError.must("the pairs to rewrite", "at least one", 0)
    gains, shift = raised_gains(payoff)
    rows = sparse.csr_array(gains.T)[codes]
    importance = None if weights is None else _importance(weights, len(codes))
    alpha = float(np.average(gains.sum(axis=0)[codes], weights=importance))
    return DataReduction(rows, alpha, shift)


def channel_preprocessing(prior: ArrayLike, payoff: Payoff) -> ChannelReduction:
    """Say which guesses to draw and which secrets to ask for, from prior and gain alone.

    With β = Σ_{x,w} π_x g(w,x), τ_w = Σ_x π_x g(w,x)/β and R_wx = π_x g(w,x)/(β τ_w). Right by the
    theorem "Correctness of channel pre-processing": V_g(π,C) = β·V_id(τ,RC) for every C.

    >>> from gleak.gain import bayes
    >>> channel_preprocessing([0.25, 0.75], bayes().bind(["a", "b"])).tau
    array([0.25, 0.75])
    """
    pi = as_prior(prior, payoff.n_secrets)
    gains, shift = raised_gains(payoff)
    joint = gains * pi
    mass = joint.sum(axis=1)
    beta = float(mass.sum())
    if not beta > 0:
        raise InputError.must(
            "the gain",
            "above its lowest value for some secret the prior allows",
            "one that is everywhere the same",
            remedy="there is nothing to learn: every guess earns the same",
        )
    secrets_of = np.divide(joint, mass[:, None], out=np.tile(pi, (len(mass), 1)),
                           where=mass[:, None] > 0)  # fmt: skip
    return ChannelReduction(mass / beta, secrets_of, beta, shift)


def multiples(values: ArrayLike) -> tuple[NDArray[np.int64], int]:
    """Non-negative values as whole multiples of 1/K, and K, the least that will do.

    K is the least common multiple of the denominators (the paper's appendix on gains that are
    not integer).

    >>> multiples([0.5, 1 / 3, 2])
    (array([ 3,  2, 12]), 6)
    """
    table = np.asarray(values, dtype=np.float64)
    distinct, inverse = np.unique(table, return_inverse=True)
    fractions = [_fraction(value) for value in distinct.tolist()]
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * scale) for fraction in fractions]
    if max(whole, default=0) > np.iinfo(np.int64).max:
        check_copies(max(whole), scale)
    return np.array(whole, dtype=np.int64)[inverse].reshape(table.shape), scale


def check_copies(size: int, scale: int, limit: int = COPIES_LIMIT) -> None:
    """Refuse more copies than fit, before any is made."""
    if size > limit:
        cause = (
            f" (gains times {_counted(scale)} are the first that are whole)" if scale > 1 else ""
        )
        raise InputError.must(
            "the copies", f"at most {limit:,}", f"{_counted(size)}{cause}",
            remedy="train on weights, which need no copies",
        )  # fmt: skip


def copies(samples: "Samples", payoff: Payoff, *, limit: int = COPIES_LIMIT) -> "Samples":
    """Algorithm 1 to the letter: K·g(w,x) copies of (w,y) for every pair (x,y).

    The result's secrets are the payoff's guesses, to be learned with the identity gain. K is 1
    for integer gains, else the least common multiple of their denominators. The size is known
    before anything is copied; ``data_weights`` says the same without copies.
    """
    check_bound(payoff, samples)
    gains, _ = raised_gains(payoff)
    per_secret, scale = multiples(gains.T)
    present = np.bincount(samples.codes, minlength=payoff.n_secrets)
    size = _dot(present.tolist(), [sum(row) for row in per_secret.tolist()])
    check_copies(size, scale, limit)
    if size == 0:
        raise InputError.must(
            "the gain", "above its lowest value for some secret of the samples",
            "one that is everywhere the same",
            remedy="there is nothing to learn: every guess earns the same",
        )  # fmt: skip
    pairs = sparse.csr_array(per_secret)[samples.codes].tocoo()
    chosen = samples.take(np.repeat(pairs.row, pairs.data))
    return guess_samples(
        payoff,
        np.repeat(pairs.col, pairs.data).astype(np.intp),
        chosen.observables,
        groups=chosen.groups,
        weights=chosen.weights,
    )


def guess_samples(
    payoff: Payoff,
    guesses: Codes,
    observables: "Observables",
    *,
    groups: NDArray[np.intp] | None = None,
    weights: Floats | None = None,
) -> "Samples":
    """Pairs (w,y) as samples whose secrets are the guesses, in the payoff's order.

    For channel pre-processing: draw guesses and secrets, ask the system for the observables of
    these secrets, and label them with the guesses.
    """
    from gleak.samples import Samples

    guesses = _positions(guesses, len(payoff.guesses), "guesses")
    return Samples(guesses, payoff.guesses, observables, groups=groups, weights=weights)


def _fraction(value: float) -> Fraction:
    nearby = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    if abs(float(nearby) - value) > 1e-12 * max(1.0, abs(value)):
        raise InputError.must(
            "a gain or a weight that is to be copied",
            f"a fraction with a denominator up to {LARGEST_DENOMINATOR}",
            f"{value:.12g}",
            remedy="train on weights, which take any gain",
        )
    return nearby


def _positions(codes: ArrayLike, many: int, what: str) -> Codes:
    """Codes that are positions among so many labels."""
    table = np.asarray(codes)
    whole = table.dtype.kind in "iu" and table.ndim == 1
    if table.size and not (whole and table.min() >= 0 and table.max() < many):
        raise InputError.must(
            f"codes of {what}", f"whole numbers from 0 to {many - 1}", repr(codes)[:60]
        )
    return table.astype(np.intp)


def _importance(weights: ArrayLike, many: int) -> Floats:
    table = np.asarray(weights, dtype=np.float64)
    if table.shape != (many,) or not (table >= 0).all() or not 0 < table.sum() < np.inf:
        raise InputError.must(
            "weights", f"{many} finite numbers from 0, not all of them 0", repr(weights)[:60]
        )
    return table


def _counted(number: int) -> str:
    """A number, or how long it is where nobody would read it."""
    return f"{number:,}" if number < 10**18 else f"a number of {len(str(number))} digits"


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    """Exact for integers of any size, where NumPy would overflow."""
    return sum(a * b for a, b in zip(left, right, strict=True))
