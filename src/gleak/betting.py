"""The mean of bounded gains by betting: what a gambler cannot have won by luck.

For a candidate mean m, a gambler who bets that the mean is larger multiplies their capital by
1 + λ_t·(g_t − m) at sample t, where λ_t looks only at the samples before. Were m the mean, or
above it, the capital would be a nonnegative supermartingale, and reach 1/α with probability ≤ α
(Ville). So the m at which it did are refuted. I. Waudby-Smith, A. Ramdas, "Estimating means of
bounded random variables by betting", JRSS B 86 (2024): the hedged capital of Theorem 3, with
its predictable plug-in bets.

Order matters, and any order fixed before the gains are seen is valid; so are gains whose mean,
given the past, changes but never exceeds m (for the lower bound) or never falls below it (for the
upper): a strategy that learns between blocks still proves its lower bound on the best one's mean.
Importance-weighted gains are gains of another range.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.bounds import Floats, Interval, Side, per_side, to_unit
from gleak.errors import InputError

_MOST_AT_STAKE = 0.75
"""The share of the capital a bet may lose: c in the paper, which suggests 1/2 or 3/4."""

_HALVINGS = 40
"""Steps of bisection: the bound is exact to 2^−40 of the range, on the safe side."""

_ALL_REFUTED = "the gains refute every mean: they drift, or this is one of the misses"


@dataclass(frozen=True, slots=True)
class ConfidenceSequence:
    """Intervals after each of ``times`` samples, all true together with probability ≥ 1 − alpha."""

    times: NDArray[np.intp]
    lower: Floats
    upper: Floats
    alpha: float

    def interval(self, index: int = -1) -> Interval:
        """The interval at one of the times: the last, unless said otherwise."""
        return Interval(float(self.lower[index]), float(self.upper[index]), self.alpha)


def betting_interval(
    gains: ArrayLike,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> Interval:
    """The interval of the mean where the number of samples was fixed beforehand.

    Gains that drift may refute every mean (lower > upper): ``reason`` then says so.

    >>> found = betting_interval([0, 1, 1, 1] * 250)
    >>> round(found.lower, 3), round(found.upper, 3)
    (0.711, 0.785)
    """
    unit = to_unit(gains, low, high)
    horizon = np.full(len(unit), float(len(unit)))
    (lower,), (upper,) = _ends(unit, horizon, [len(unit)], alpha, side)
    reason = _ALL_REFUTED if lower > upper else ""
    return Interval(lower, upper, alpha, reason).stretched(low, high)


def betting_sequence(
    gains: ArrayLike,
    times: Sequence[int] | NDArray[np.intp],
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> ConfidenceSequence:
    """Intervals of the mean that may be looked at after any sample, and stopped by.

    ``times`` are the numbers of samples after which to look. A bound does not depend on which
    other times are asked for; the work grows with their sum.

    >>> found = betting_sequence([0, 1, 1, 1] * 250, times=[100, 1000])
    >>> found.lower.round(3), found.upper.round(3)
    (array([0.577, 0.681]), array([0.862, 0.804]))
    """
    unit = to_unit(gains, low, high)
    count = np.arange(1.0, len(unit) + 1)
    looks = np.asarray(times, dtype=np.intp)
    rising = looks.ndim == 1 and looks.size and (np.diff(looks, prepend=0) > 0).all()
    if not rising or looks[-1] > len(unit):
        raise InputError.must("times", f"rising numbers from 1 to {len(unit)}", times)
    lower, upper = _ends(unit, count * np.log1p(count), looks.tolist(), alpha, side)
    stretched = [
        Interval(*ends, alpha).stretched(low, high) for ends in zip(lower, upper, strict=True)
    ]
    return ConfidenceSequence(
        looks,
        np.array([interval.lower for interval in stretched]),
        np.array([interval.upper for interval in stretched]),
        alpha,
    )


def _ends(
    unit: Floats, horizon: Floats, times: list[int], alpha: float, side: Side
) -> tuple[list[float], list[float]]:
    """Both bounds at each time, on the unit scale; an upper one is a lower one of 1 − gains.

    Two gamblers with half the capital each (θ = 1/2): the larger reaches 1/α where one of them
    multiplied its own by 2/α, so each bound stands on α/2.
    """
    goal = -math.log(per_side(alpha, side))
    lower, upper = [0.0] * len(times), [1.0] * len(times)
    if side != "upper":
        lower = _lower_bounds(unit, horizon, times, goal)
    if side != "lower":
        upper = [1 - bound for bound in _lower_bounds(1 - unit, horizon, times, goal)]
    return lower, upper


def _lower_bounds(unit: Floats, horizon: Floats, times: list[int], goal: float) -> list[float]:
    bets = _bets(unit, horizon, goal)
    return [_refuted_up_to(unit[:time], bets[:time], goal) for time in times]


def _bets(unit: Floats, horizon: Floats, goal: float) -> Floats:
    """λ_t = √(2·ln(1/α) / (σ̂²_{t−1}·horizon_t)): horizon n, or t·ln(1+t) for any time.

    σ̂² starts as one sample of variance 1/4 around 1/2, and never looks at its own sample.
    """
    count = np.arange(2.0, len(unit) + 2)
    mean = (0.5 + np.cumsum(unit)) / count
    variance = (0.25 + np.cumsum((unit - mean) ** 2)) / count
    before = np.concatenate([[0.25], variance[:-1]])
    return np.sqrt(2 * goal / (before * horizon))


def _refuted_up_to(unit: Floats, bets: Floats, goal: float) -> float:
    """The largest m at which the capital reached its goal at some time; 0 where none did.

    A factor 1 + min(λ_t, c/m)·(g_t − m) falls as m grows, hence the capital, hence its maximum
    over time: the refuted means are an interval from 0, whose end bisection finds.
    """
    refuted, open_ = 0.0, 1.0
    for _ in range(_HALVINGS):
        mean = (refuted + open_) / 2
        stakes = np.minimum(bets, _MOST_AT_STAKE / mean)
        capital = np.cumsum(np.log1p(stakes * (unit - mean)))
        if capital.max() >= goal:
            refuted = mean
        else:
            open_ = mean
    return refuted
