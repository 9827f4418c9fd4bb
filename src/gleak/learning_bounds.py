"""How fast learning converges: the bounds of "Estimating g-Leakage via Machine Learning".

Section 3 of the paper (CCS 2020) and its proofs in appendix B. The best rule f*_m of a finite
class H is chosen on m training samples and scored on n validation samples; gains lie in [a, b] =
[low, high]. σ² is the largest variance of a rule's gain, or anything above it: Popoviciu's
(b−a)²/4 where none is given. ``rules`` is |H|, which may be an integer of any size, such as
|W|**|Y|.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.bounds import check_alpha, check_count, check_range, check_variance
from gleak.errors import InputError

Floats = NDArray[np.float64]


def validation_tail(
    epsilon: float,
    n: int,
    *,
    variance: ArrayLike | None = None,
    low: float = 0.0,
    high: float = 1.0,
) -> float:
    """What P(|V̂_n(f*_m) − V(f*_m)| ≥ ε) cannot exceed: the proposition's first inequality.

    2·E exp(−nε²/(2σ² + 2(b−a)ε/3)); several variances stand for rules learned from several
    training sets, and are averaged over.

    >>> round(validation_tail(0.1, 1000, variance=0.25), 6)
    0.0
    """
    variances = _variances(variance, low, high)
    _check_epsilon(epsilon)
    check_count(n, "the number of validation samples")
    exponents = -n * epsilon**2 / (2 * variances + 2 * (high - low) * epsilon / 3)
    return min(1.0, 2 * float(np.mean(np.exp(exponents))))


def learning_tail(
    epsilon: float,
    m: int,
    rules: int,
    *,
    variance: ArrayLike | None = None,
    low: float = 0.0,
    high: float = 1.0,
) -> float:
    """What P(V_g − V(f*_m) ≥ ε) cannot exceed: the proposition's second inequality.

    2·Σ_f exp(−mε²/(8σ_f² + 4(b−a)ε/3)), the union bound over the class; ``variance`` is one
    number for all rules, or one per rule.

    >>> round(learning_tail(0.1, 10_000, rules=16, variance=0.25), 6)
    0.0
    """
    variances = _variances(variance, low, high)
    _check_epsilon(epsilon)
    check_count(m, "the number of training samples")
    check_count(rules, "the number of rules")
    if variances.size not in (1, rules):
        raise InputError.must(
            "variance", f"one number, or one for each of {rules} rules", variances.size
        )
    exponents = -m * epsilon**2 / (8 * variances + 4 * (high - low) * epsilon / 3)
    log_sum = math.log(rules) + float(np.logaddexp.reduce(exponents)) - math.log(variances.size)
    return math.exp(min(0.0, math.log(2) + log_sum))


def expected_validation_error(
    n: int, *, variance: float | None = None, low: float = 0.0, high: float = 1.0
) -> float:
    """What E|V(f*_m) − V̂_n(f*_m)| cannot exceed: the theorem's bound on the validation part.

    (4η/n)·exp(−nσ²/2η) + r·√π·erf(σ²/r) with η = 1 + (b−a)/3 and r = √(2σ²η/n). The two terms
    integrate the proposition's tail above and below ε = σ², and both always count. The theorem
    as printed has erf(σ²/(r·√π)), which is smaller; its proof, which is followed here, has no π
    there. Never above b − a, the most two values of one range can differ.

    >>> round(expected_validation_error(50_000, variance=0.0963), 4)
    0.004
    """
    spread = float(_variances(variance, low, high).max())
    check_count(n, "the number of validation samples")
    eta = 1 + (high - low) / 3
    return min(high - low, _integrated_tail(spread, eta / n))


def expected_learning_error(
    m: int, rules: int, *, variance: float | None = None, low: float = 0.0, high: float = 1.0
) -> float:
    """What V_g − E V(f*_m) cannot exceed: the theorem's bound on the learning part.

    |H|·((8(1+η)/m)·exp(−mσ²/(4(1+η))) + r·√π·erf(σ²/r)) with η = 1 + (b−a)/3 and
    r = √(4σ²(1+η)/m); as in `expected_validation_error`, the erf follows the proof and not the
    printed statement. Never above b − a.

    >>> round(expected_learning_error(1_000_000, rules=4, variance=0.0963), 4)
    0.0067
    """
    spread = float(_variances(variance, low, high).max())
    check_count(m, "the number of training samples")
    check_count(rules, "the number of rules")
    one = _integrated_tail(spread, 2 * (2 + (high - low) / 3) / m)
    if one == 0 or math.log(rules) + math.log(one) > math.log(high - low):
        return (high - low) if one else 0.0
    return math.exp(math.log(rules) + math.log(one))


@dataclass(frozen=True, slots=True)
class SampleComplexity:
    """Numbers of samples that suffice, and what for.

    With probability ≥ 1 − delta, V_g − V(f*_m) and |V(f*_m) − V̂_n(f*_m)| are both below
    ``epsilon``; ``validation_delta`` of ``delta`` is spent on the second.
    """

    train: int
    validation: int
    epsilon: float
    delta: float
    validation_delta: float

    @property
    def total(self) -> int:
        """Training and validation samples together."""
        return self.train + self.validation

    @property
    def total_error(self) -> float:
        """What |V_g − V̂_n(f*_m)| stays below, being at most the sum of the two parts."""
        return 2 * self.epsilon


def sample_complexity(
    epsilon: float,
    delta: float,
    rules: int,
    *,
    observables: int = 1,
    validation_delta: float | None = None,
    variance: float | None = None,
    low: float = 0.0,
    high: float = 1.0,
) -> SampleComplexity:
    """The corollary: how many training and validation samples suffice.

    M = (8σ² + 4(b−a)ε/3)/ε² · ln(2|H|/(δ−Δ)) and N = (2σ² + 2(b−a)ε/3)/ε² · ln(2/Δ), rounded up,
    for any split 0 < Δ < δ. Without a split (``validation_delta``) the one is taken that makes
    M + N smallest: with M = A·ln(2|H|/(δ−Δ)) and N = B·ln(2/Δ) it is Δ = δ·B/(A+B).

    With ``observables``, a rule chooses one of ``rules`` guesses for each of them: |H| is
    rules^observables, which may be too large to be written down.

    The corollary as printed promises a total error of ε, but its proof bounds
    P(V_g − V̂ ≥ ε) by the sum of P(first part ≥ ε) and P(second part ≥ ε), and two parts below ε
    may add up to almost 2ε. What the proof supports is ε for each part, hence ``total_error`` =
    2ε: ask for half the ε that the total may have.

    >>> sample_complexity(0.05, 0.05, rules=16, variance=0.1).total_error
    0.1
    """
    _check_epsilon(epsilon)
    check_alpha(delta)
    check_count(rules, "the number of rules")
    check_count(observables, "the number of observables")
    spread = float(_variances(variance, low, high).max())
    learn = (8 * spread + 4 * (high - low) * epsilon / 3) / epsilon**2
    score = (2 * spread + 2 * (high - low) * epsilon / 3) / epsilon**2
    part = delta * score / (learn + score) if validation_delta is None else validation_delta
    if not 0 < part < delta:
        raise InputError.must("validation_delta", f"between 0 and delta = {delta:g}", part)
    train = learn * (math.log(2) + observables * math.log(rules) - math.log(delta - part))
    validation = score * math.log(2 / part)
    return SampleComplexity(math.ceil(train), math.ceil(validation), epsilon, delta, part)


def _integrated_tail(spread: float, rate: float) -> float:
    """∫ min over ε of the tail: 4·rate·exp(−σ²/(2·rate)) + r·√π·erf(σ²/r), r² = 2σ²·rate."""
    above = 4 * rate * math.exp(-spread / (2 * rate))
    if spread == 0:
        return above
    radius = math.sqrt(2 * spread * rate)
    return above + radius * math.sqrt(math.pi) * math.erf(spread / radius)


def _variances(variance: ArrayLike | None, low: float, high: float) -> Floats:
    check_range(low, high)
    if high == low:
        raise InputError.must("the range of gains", "more than a point", f"[{low}, {high}]")
    values = np.atleast_1d(
        np.asarray((high - low) ** 2 / 4 if variance is None else variance, float)
    )
    for value in (values.min(), values.max()):
        check_variance(float(value), low, high)
    return values


def _check_epsilon(epsilon: float) -> None:
    if not (math.isfinite(epsilon) and epsilon > 0):
        raise InputError.must("epsilon", "a positive number", epsilon)
