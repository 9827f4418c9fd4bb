"""A lower bound of a stratified mean by bets, one purse for each stratum.

For stratum k with mean p_k and a stake s fixed before the sample, (1 − s) + s·v/m multiplies the
capital that bets against "p_k ≤ m". At m = p_k it is of expectation one, so that the product over
all strata of the capitals at their true means is a nonnegative supermartingale, whichever stratum
each sample was taken from, as long as stake and stratum were chosen without looking at it. It
exceeds 1/α at some time with probability ≤ α (Ville), and where it does not, Σ_k π_k p_k is at
least the smallest Σ_k π_k m_k over the means m at which the capital is below 1/α. Log-capitals
are convex and falling in m, hence that minimum is a convex program of one constraint, and any
multiplier of it gives a value that is not above the minimum (weak duality).

Bets against a stratified null: J. Spertus, P. Stark, "Sweeter than SUITE: supermartingale
stratified union-intersection tests of elections", E-Vote-ID 2022; here the stakes are such that
no search over nulls is needed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gleak.bounds import check_alpha
from gleak.errors import InputError

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]

LEVELS = 1024
"""Values are rounded down to this many levels of their range."""

_MOST_AT_STAKE = 0.9
_STEPS, _OUTER_STEPS = 22, 18
"""Halvings, within a stratum and of the multiplier: the bound is flat around both optima."""

_SMALLEST = 1e-9


@dataclass(frozen=True)
class Ledger:
    """What happened to the bets: ``times`` samples of a value in [0, 1], by stratum and stake."""

    stratum: Codes
    stake: Floats
    value: Floats
    times: Floats

    @classmethod
    def empty(cls) -> "Ledger":
        """Before any bet."""
        none = np.empty(0)
        return cls(np.empty(0, dtype=np.intp), none, none, none)

    def betting(self, strata: Codes, values: Floats, stakes: Floats) -> "Ledger":
        """With further samples, each bet on with the stake of its stratum.

        The stakes must have been fixed before these values were seen.
        """
        levels = np.floor(np.clip(values, 0, 1) * LEVELS + 1e-9).astype(np.intp)
        cells, times = np.unique(strata * (LEVELS + 1) + levels, return_counts=True)
        where, level = np.divmod(cells, LEVELS + 1)
        return Ledger(
            np.concatenate([self.stratum, where.astype(np.intp)]),
            np.concatenate([self.stake, stakes[where]]),
            np.concatenate([self.value, level / LEVELS]),
            np.concatenate([self.times, times.astype(np.float64)]),
        )


def stakes_for(
    prior: Floats, mean: Floats, deviation: Floats, share: Floats, n: float, alpha: float
) -> Floats:
    """The stake of each stratum that wins most where n samples are taken in these shares.

    The exponent of a Chernoff bound of Σ π_k v̄_k, λ_k = c·π_k/(n·share_k) with
    c = √(2·ln(1/α)/variance), as a share of the capital. Any stakes are valid.
    """
    taken = np.maximum(n * share, 1.0)
    variance = float((prior**2 * deviation**2 / taken).sum())
    slope = np.sqrt(2 * np.log(1 / alpha) / max(variance, 1e-300)) * prior / taken
    return np.asarray(np.clip(slope * mean, 0.0, _MOST_AT_STAKE))


def staked_lower(ledger: Ledger, prior: Floats, alpha: float) -> float:
    """The lower bound of Σ π_k p_k for values in [0, 1], at any time the ledger is looked at.

    >>> heads = np.array([1.0] * 900 + [0.0] * 100)
    >>> ledger = Ledger.empty().betting(np.zeros(1000, dtype=int), heads, np.array([0.2]))
    >>> round(staked_lower(ledger, np.ones(1), alpha=0.05), 3)
    0.875
    """
    check_alpha(alpha)
    if not np.isclose(prior.sum(), 1) or (prior < 0).any():
        raise InputError.must("the strata's weights", "a distribution", f"a sum of {prior.sum()}")
    if not ledger.times.size:
        return 0.0
    program = _Program(ledger, prior, float(np.log(1 / alpha)))
    low, high = -25.0, 5.0
    for _ in range(_OUTER_STEPS):
        middle = (low + high) / 2
        if program.capital(program.means(middle)) > program.goal:
            low = middle
        else:
            high = middle
    return max(0.0, min(1.0, max(program.dual(low), program.dual(high))))


@dataclass(frozen=True)
class _Program:
    """min Σ π m subject to the log-capital at m being at most the goal."""

    ledger: Ledger
    prior: Floats
    goal: float

    def means(self, log_price: float) -> Floats:
        """The argmin of Σ π m + e^log_price · (log-capital), stratum by stratum."""
        slope = self.prior * np.exp(-log_price)
        low, high = np.full(len(self.prior), _SMALLEST), np.ones(len(self.prior))
        for _ in range(_STEPS):
            middle = np.sqrt(low * high)
            steep = self._steepness(middle) > slope
            low, high = np.where(steep, middle, low), np.where(steep, high, middle)
        return np.asarray(low)

    def capital(self, means: Floats) -> float:
        """The log of the capital."""
        book, m = self.ledger, means[self.ledger.stratum]
        return float(book.times @ np.log1p(book.stake * (book.value / m - 1)))

    def dual(self, log_price: float) -> float:
        """A value that the minimum is not below."""
        means = self.means(log_price)
        return float(self.prior @ means + np.exp(log_price) * (self.capital(means) - self.goal))

    def _steepness(self, means: Floats) -> Floats:
        book, m = self.ledger, means[self.ledger.stratum]
        won = book.stake * book.value
        falls = book.times * won / (m * ((1 - book.stake) * m + won) + 1e-300)
        return np.asarray(np.bincount(book.stratum, falls, len(self.prior)), dtype=float)
