"""Lower bounds of a mean by bets that were fixed beforehand and averaged.

For a candidate mean m and a stake s in (0, 1), each sample multiplies the capital by
(1 − s) + s·v/m, for values v ≥ 0. If independent values have means whose *average* is at most m,
the expected product is at most ((1 − s) + s·(average)/m)^n ≤ 1, by the inequality of arithmetic
and geometric means: unlike bets that follow the past, fixed ones need no identical means, and no
order. An average over stakes, and over groups of samples that share training rows, is still of
expectation at most one (an e-value), so m is refuted where it reaches 1/α (Markov). Mixtures
over stakes are Cover's universal portfolio: F. Orabona, K.-S. Jun, "Tight concentrations and
confidence sequences from the regret of universal portfolio", IEEE Trans. Inf. Theory 70 (2024).

Only how often each value occurs matters, which makes many bounds at once cheap.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.bounds import check_alpha, check_range
from gleak.errors import InputError

Floats = NDArray[np.float64]

LEVELS = 2048
"""Values are rounded down to this many levels: the bound loses at most a 2048th of the range."""

_HALVINGS = 40

# The best stake is √(2·ln(1/α)/n) times mean/deviation, which nobody knows beforehand: the stakes
# tried are powers of two around it, most of the capital on the likeliest.
_FACTORS = 2.0 ** np.arange(-3, 6)
_SHARES = np.array([1, 2, 4, 8, 8, 4, 2, 2, 1]) / 32
_MOST_AT_STAKE = 0.97


def histogram(
    values: ArrayLike, *, low: float, high: float, weights: ArrayLike | None = None
) -> Floats:
    """How often each level of [low, high] occurs, values rounded down to their level.

    >>> histogram([0, 1, 1], low=0, high=1)[[0, -1]]
    array([1., 2.])
    """
    check_range(low, high)
    unit = (np.asarray(values, dtype=np.float64) - low) / ((high - low) or 1.0)
    if unit.size and not (unit.min() >= -1e-9 and unit.max() <= 1 + 1e-9):
        raise InputError.must("values", f"in [{low}, {high}]", "some outside")
    levels = np.floor(np.clip(unit, 0, 1) * LEVELS + 1e-9).astype(np.intp)
    return np.bincount(levels, weights, LEVELS + 1).astype(np.float64)


def mixture_lower(
    folds: Sequence[Floats],
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    at_most: float | None = None,
) -> float:
    """The lower bound of a mean from the histograms of one fold of samples or of several.

    Samples of one fold are independent. Folds may depend on each other, as those of a
    cross-validation do: their capitals are averaged, never multiplied. Who looks for the least
    of many bounds gives the least so far as ``at_most``: a bound above it is not sought out, and
    ``at_most`` stands for it.

    >>> count = histogram([0, 1, 1, 1] * 250, low=0, high=1)
    >>> round(mixture_lower([count]), 3)
    0.71
    """
    check_alpha(alpha)
    check_range(low, high)
    goal = -np.log(alpha)
    unit = np.linspace(0, 1, LEVELS + 1)
    bets = [_Bets(unit[fold > 0], fold[fold > 0], goal) for fold in folds if fold.any()]

    def is_refuted(mean: float) -> bool:
        capitals = np.logaddexp.reduce([bet.log_capital(mean) for bet in bets])
        return bool(capitals - np.log(len(bets)) >= goal)

    refuted, open_ = 0.0, 1.0
    if at_most is not None:
        open_ = min(1.0, (at_most - low) / (high - low))
    if not bets or open_ <= 0:
        return low
    if open_ < 1 and is_refuted(open_):
        return low + open_ * (high - low)
    for _ in range(_HALVINGS):
        mean = (refuted + open_) / 2
        refuted, open_ = (mean, open_) if is_refuted(mean) else (refuted, mean)
    return low + refuted * (high - low)


class _Bets:
    """Every stake laid on one fold of samples."""

    def __init__(self, values: Floats, times: Floats, goal: float) -> None:
        self.values, self.times = values, times
        likely = np.sqrt(2 * goal / times.sum())
        self.stakes = np.minimum(likely * _FACTORS, _MOST_AT_STAKE)

    def log_capital(self, mean: float) -> float:
        """The log of the capital, the more the smaller the mean."""
        growth = np.log1p(self.stakes[:, None] * (self.values / mean - 1)) @ self.times
        return float(np.logaddexp.reduce(growth + np.log(_SHARES)))
