"""Intervals of means, best-rule bounds, and intervals of ratios and differences.

Every interval holds for any distribution within the range, at any number of samples; what holds
only in the limit says so. ``alpha`` is the probability of a miss: of the whole interval where
``side`` is "both" (half of it each side), of the one bound where ``side`` is "lower" or "upper".
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.errors import InputError

Floats = NDArray[np.float64]
Side = Literal["both", "lower", "upper"]
Form = Literal["better", "mcdiarmid", "self-bounding"]

_SIDES = ("both", "lower", "upper")
_FORMS = ("better", "mcdiarmid", "self-bounding")

_SLACK = 1e-9
"""How far outside the range, relative to its width, a gain may be by rounding alone."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The claim that a quantity is in [lower, upper], which fails with probability ≤ alpha.

    An end of which nothing is known is the end of the range, or infinite where there is none;
    ``reason`` then says why.

    >>> Interval(0.2, 0.4, alpha=0.05).width
    0.2
    """

    lower: float
    upper: float
    alpha: float
    reason: str = ""

    @classmethod
    def point(cls, value: float) -> "Interval":
        """A quantity that is known."""
        return cls(value, value, 0.0)

    @property
    def confidence(self) -> float:
        """The probability, at least, with which the claim is true."""
        return 1 - self.alpha

    @property
    def width(self) -> float:
        """How far apart its ends are."""
        return self.upper - self.lower

    def __contains__(self, value: float) -> bool:
        """Whether a value is among those the interval leaves possible."""
        return self.lower <= value <= self.upper

    def stretched(self, low: float, high: float) -> "Interval":
        """The same claim on the scale where [0, 1] is [low, high]."""
        width = high - low
        lower, upper = low + self.lower * width, high - (1 - self.upper) * width
        return Interval(lower, upper, self.alpha, self.reason)


def check_alpha(alpha: float) -> None:
    """Refuse a probability of missing that no interval can have."""
    if not 0 < alpha < 1:
        raise InputError.must("alpha, 1 − confidence,", "between 0 and 1, both excluded", alpha)


def check_confidence(confidence: float) -> None:
    """Refuse what no claim can be made at."""
    if not 0 < confidence < 1:
        raise InputError.must(
            "the confidence", "between 0 and 1, both excluded", confidence,
            remedy="95 % is 0.95",
        )  # fmt: skip


def check_range(low: float, high: float) -> None:
    """Refuse what is no range of gains."""
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise InputError.must("the range of gains", "finite, low ≤ high", f"[{low}, {high}]")


def check_count(n: int, what: str = "the number of samples") -> None:
    """Refuse a number of samples from which nothing can be said."""
    if n < 1:
        raise InputError.must(what, "at least 1", n)


def per_side(alpha: float, side: Side) -> float:
    """What one bound may miss: half of ``alpha`` where there are two.

    >>> per_side(0.05, "both"), per_side(0.05, "lower")
    (0.025, 0.05)
    """
    check_alpha(alpha)
    if side not in _SIDES:
        raise InputError.must("side", f"one of {', '.join(_SIDES)}", repr(side))
    return alpha / 2 if side == "both" else alpha


def to_unit(gains: ArrayLike, low: float, high: float) -> Floats:
    """Gains on the scale where [low, high] is [0, 1], checked to be within.

    >>> to_unit([-1, 0, 3], low=-1, high=3)
    array([0.  , 0.25, 1.  ])
    """
    check_range(low, high)
    values = np.asarray(gains, dtype=np.float64)
    if values.ndim != 1:
        raise InputError.must("gains", "one number per sample", f"an array of shape {values.shape}")
    check_count(len(values))
    slack = _SLACK * (high - low)
    outside = ~((values >= low - slack) & (values <= high + slack))
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError.must(f"gain {row}", f"in [{low:g}, {high:g}]", values[row])
    return np.clip((values - low) / ((high - low) or 1.0), 0.0, 1.0)


def hoeffding(
    gains: ArrayLike,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> Interval:
    """Mean ± (high − low)·√(ln(1/α)/2n), with α of one side.

    W. Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58
    (1963), Theorem 2.

    >>> hoeffding([0, 1] * 500, side="lower").lower.__round__(4)
    0.4613
    """
    unit = to_unit(gains, low, high)
    margin = math.sqrt(-math.log(per_side(alpha, side)) / (2 * len(unit)))
    return _around(unit, margin, alpha, side).stretched(low, high)


def bernstein(
    gains: ArrayLike,
    variance: float,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> Interval:
    """The interval of a mean whose variance is known, or known not to exceed ``variance``.

    Solves exp(−nε²/(2v + 2(b−a)ε/3)) = α for ε. S. Boucheron, G. Lugosi, P. Massart,
    "Concentration Inequalities" (2013), section 2.7; the Bernstein proposition of appendix A of
    "Estimating g-Leakage via Machine Learning" (CCS 2020).

    >>> bernstein([0, 1] * 500, variance=0.25, side="lower").lower.__round__(4)
    0.4603
    """
    unit = to_unit(gains, low, high)
    check_variance(variance, low, high)
    n, log = len(unit), -math.log(per_side(alpha, side))
    spread = variance / ((high - low) or 1.0) ** 2
    margin = (log / 3 + math.sqrt((log / 3) ** 2 + 2 * spread * log * n)) / n
    return _around(unit, margin, alpha, side).stretched(low, high)


def check_variance(variance: float, low: float, high: float) -> None:
    """Refuse a variance that no gains in the range have (Popoviciu: at most (high − low)²/4)."""
    most = (high - low) ** 2 / 4
    if not 0 <= variance <= most * (1 + _SLACK):
        raise InputError.must(
            "the variance", f"in [0, {most:g}], as gains in [{low:g}, {high:g}] have it", variance
        )


def empirical_bernstein(
    gains: ArrayLike,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> Interval:
    """Mean ± √(2·V·ln(2/α)/n) + 7(high − low)·ln(2/α)/(3(n−1)), V the unbiased sample variance.

    A. Maurer, M. Pontil, "Empirical Bernstein bounds and sample variance penalization", COLT
    2009, Theorem 4. One sample has no sample variance: it leaves the whole range possible.

    >>> empirical_bernstein([0, 1] * 500, side="lower").lower.__round__(4)
    0.4484
    """
    unit = to_unit(gains, low, high)
    n, log = len(unit), math.log(2 / per_side(alpha, side))
    if n == 1:
        return Interval(low, high, alpha)
    spread = float(np.var(unit, ddof=1))
    margin = math.sqrt(2 * spread * log / n) + 7 * log / (3 * (n - 1))
    return _around(unit, margin, alpha, side).stretched(low, high)


def clopper_pearson(
    gains: ArrayLike,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    side: Side = "both",
) -> Interval:
    """The exact interval of a mean of gains that are either ``low`` or ``high``.

    C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the
    case of the binomial", Biometrika 26 (1934); as quantiles of the beta distribution.

    >>> clopper_pearson([1, 1, 1, 0], alpha=0.1, side="upper").upper.__round__(4)
    0.974
    """
    from scipy.special import betaincinv

    unit = to_unit(gains, low, high)
    between = np.minimum(unit, 1 - unit) > _SLACK
    if between.any():
        raise InputError.must(
            f"gain {int(np.argmax(between))}",
            f"either {low:g} or {high:g}",
            np.asarray(gains)[np.argmax(between)],
            remedy="gains with other values have the betting interval",
        )
    tail, n, wins = per_side(alpha, side), len(unit), int(np.rint(unit).sum())
    lower = float(betaincinv(wins, n - wins + 1, tail)) if side != "upper" and wins else 0.0
    upper = float(betaincinv(wins + 1, n - wins, 1 - tail)) if side != "lower" and wins < n else 1.0
    return Interval(lower, upper, alpha).stretched(low, high)


def best_rule_upper(
    statistic: float,
    n: int,
    *,
    low: float = 0.0,
    high: float = 1.0,
    alpha: float = 0.05,
    form: Form = "better",
) -> Interval:
    """An upper bound on V_g from the empirical gain U of the best rule in hindsight.

    U = (1/n)·Σ_y max_w Σ_{i: y_i=y} g(w, x_i) over n independent samples has E[U] ≥ V_g, since a
    mean of maxima is at least the maximum of the means. Over samples of one constant observable
    it bounds the prior vulnerability.

    - mcdiarmid: one sample moves U by at most (b−a)/n, so V_g ≤ U + (b−a)·√(L/2n), L = ln(1/α).
      C. McDiarmid, "On the method of bounded differences" (1989), Lemma 1.2.
    - self-bounding: with gains scaled to [0, 1], leaving a sample out lowers Z = n·U by at most
      1, and these drops sum to at most Z; hence P(Z ≤ EZ − t) ≤ exp(−t²/(2·EZ)) and
      EZ ≤ Z + L + √(L² + 2ZL). Boucheron, Lugosi, Massart, "Concentration Inequalities" (2013),
      Theorem 6.12. Far tighter where vulnerability is small.
    - better: the lower of both, each allowed to miss α/2.

    Where observables hardly repeat, every rule fits: then no upper bound is claimed.

    >>> bound = best_rule_upper(0.25, 10_000)
    >>> round(bound.upper, 4), best_rule_upper(1.0, 10_000).upper
    (0.2636, inf)
    """
    check_alpha(alpha)
    check_count(n)
    share = _as_share(statistic, low, high)
    if form not in _FORMS:
        raise InputError.must("form", f"one of {', '.join(_FORMS)}", repr(form))
    log = math.log((2 if form == "better" else 1) / alpha)
    bounds = []
    if form != "self-bounding":
        bounds.append(share + math.sqrt(log / (2 * n)))
    if form != "mcdiarmid":
        bounds.append(share + (log + math.sqrt(log**2 + 2 * n * share * log)) / n)
    if min(bounds) < 1:
        return Interval(0.0, min(bounds), alpha).stretched(low, high)
    reason = (
        f"the best rule in hindsight earns {statistic:.6g} on {n} samples, which leaves every "
        f"value up to the largest gain {high:g} possible; more samples per observable would help"
    )
    return Interval(low, math.inf, alpha, reason)


def cover_hart(error: float, classes: int, *, scale: float = 1.0, shift: float = 0.0) -> float:
    """What V_g cannot exceed in the limit of many samples, from the error of a 1-NN classifier.

    Asymptotic: it is proven at no number of samples, and holds for observables with a
    metric. With K classes and 1-NN error R in the limit, the Bayes vulnerability is at most
    1 − (K−1)/K·(1 − √(1 − R·K/(K−1))). T. Cover, P. Hart, "Nearest neighbor pattern
    classification", IEEE Trans. Inf. Theory 13 (1967), the theorem's inequality (solved for the
    Bayes risk). Any gain follows where the classes are the guesses of its pre-processed samples:
    V_g = α·V_id(ξ,E) + shift, with α the ``scale`` and ``shift`` what was taken off negative
    gains.

    >>> cover_hart(0.375, classes=2)
    0.75
    """
    check_count(classes, "the number of classes")
    if not 0 <= error <= 1:
        raise InputError.must("the error of the nearest neighbour", "in [0, 1]", error)
    if not (math.isfinite(scale) and scale >= 0):
        raise InputError.must("the scale of the gain", "finite and not negative", scale)
    worst = (classes - 1) / classes
    risk = worst * (1 - math.sqrt(max(0.0, 1 - error / worst))) if worst else 0.0
    return scale * (1 - risk) + shift


def difference(minuend: Interval, subtrahend: Interval) -> Interval:
    """The interval of a difference, such as additive leakage, from those of its parts.

    Both parts hold together with probability ≥ 1 − (α₁ + α₂) (Bonferroni), dependent or not.

    >>> difference(Interval(0.5, 0.75, 0.025), Interval(0.25, 0.5, 0.025))
    Interval(lower=0.0, upper=0.5, alpha=0.05, reason='')
    """
    return Interval(
        minuend.lower - subtrahend.upper,
        minuend.upper - subtrahend.lower,
        _spent(minuend, subtrahend),
        _reasons(minuend, subtrahend),
    )


def ratio(numerator: Interval, denominator: Interval) -> Interval:
    """The interval of a ratio, such as multiplicative leakage, from those of its parts.

    Both parts hold together with probability ≥ 1 − (α₁ + α₂) (Bonferroni), dependent or not.
    A denominator that may be zero leaves the ratio without an end; one whose sign is open, or
    that is zero, leaves it without both.

    >>> ratio(Interval(0.5, 0.75, 0.025), Interval(0.25, 0.5, 0.025))
    Interval(lower=1.0, upper=3.0, alpha=0.05, reason='')
    >>> ratio(Interval(0.5, 0.75, 0.0), Interval(0.0, 0.5, 0.0))
    Interval(lower=1.0, upper=inf, alpha=0.0, reason='the denominator may be zero')
    """
    alpha, reasons = _spent(numerator, denominator), _reasons(numerator, denominator)
    if denominator.upper <= 0 and denominator.lower < 0:
        return ratio(_negative(numerator), _negative(denominator))
    if denominator.lower < 0 or denominator.upper == 0:
        why = "sign is not settled" if denominator.lower < 0 else "value is zero"
        return Interval(-math.inf, math.inf, alpha, _join(reasons, f"the denominator's {why}"))
    if denominator.lower == 0:
        reasons = _join(reasons, "the denominator may be zero")
    lower = _quotient(numerator.lower, numerator.lower < 0, denominator)
    upper = _quotient(numerator.upper, numerator.upper > 0, denominator)
    return Interval(lower, upper, alpha, reasons)


def _quotient(end: float, far: bool, denominator: Interval) -> float:
    """One end of a ratio: the small denominator takes it away from zero, the large one to it."""
    by = denominator.lower if far else denominator.upper
    return end / by if by else math.copysign(math.inf, end)


def _negative(interval: Interval) -> Interval:
    return Interval(-interval.upper, -interval.lower, interval.alpha, interval.reason)


def _spent(one: Interval, other: Interval) -> float:
    return min(1.0, one.alpha + other.alpha)


def _reasons(one: Interval, other: Interval) -> str:
    return one.reason if one.reason == other.reason else _join(one.reason, other.reason)


def _join(*reasons: str) -> str:
    return "; ".join(filter(None, reasons))


def _as_share(statistic: float, low: float, high: float) -> float:
    check_range(low, high)
    share = (statistic - low) / ((high - low) or 1.0)
    if not -_SLACK <= share <= 1 + _SLACK:
        raise InputError.must("the best rule's gain", f"in [{low:g}, {high:g}]", statistic)
    return min(1.0, max(0.0, share))


def _around(unit: Floats, margin: float, alpha: float, side: Side) -> Interval:
    """The mean ± margin on the unit scale, within it; the unasked side is the end of the range."""
    mean = float(unit.mean())
    lower = max(0.0, mean - margin) if side != "upper" else 0.0
    upper = min(1.0, mean + margin) if side != "lower" else 1.0
    return Interval(lower, upper, alpha)
