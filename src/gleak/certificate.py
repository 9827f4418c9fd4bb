"""Everything that is claimed of one gain: vulnerability, prior vulnerability, leakage, verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gleak.certify import Bracket, Scored, Weighing, lower_bound, paired_lower, upper_bound
from gleak.observables import Observables
from gleak.payoff import Floats, Guesses, Payoff

Verdict = Literal["leaks", "no leak proven"]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Brackets that each hold at the stated confidence, and whether a leak is proven."""

    vulnerability: Bracket
    prior_vulnerability: Bracket
    prior_known: bool
    additive: Bracket
    multiplicative: Bracket | None
    verdict: Verdict

    @property
    def min_entropy_bits(self) -> Bracket | None:
        """The multiplicative leakage in bits; it has a meaning where the gain is one try."""
        if self.multiplicative is None:
            return None
        ratio = self.multiplicative
        upper = None if ratio.upper is None else math.log2(ratio.upper)
        return Bracket(math.log2(ratio.lower), math.log2(ratio.estimate), upper, ratio.upper_reason)


@dataclass(frozen=True)
class Evidence:
    """What the claims rest on.

    ``folds`` hold what the attacker guessed on samples that trained none of it, ``blind`` what
    was guessed there from public knowledge alone. ``whole`` are all samples, for upper bounds;
    ``public`` the columns of it known beforehand. ``prior`` is given where it is known.
    """

    payoff: Payoff
    folds: Sequence[Scored]
    blind: Sequence[Scored]
    whole: Weighing
    public: Observables
    prior: Floats | None = None
    """The prior over the payoff's secrets."""

    @property
    def blind_is_exact(self) -> bool:
        """Whether the prior vulnerability is known: the prior is, and nothing is public."""
        return self.prior is not None and self.public.distinct.first.size == 1

    def vulnerability(self, alpha: float) -> Bracket:
        """The bracket of V_g(π,C), each side missing at most alpha / 2.

        The upper end rests on all samples, so that luck on few fresh ones may exceed it. Nobody
        who sees more wins less: where V_g(π) is known, neither end lies below it.
        """
        upper, reason = upper_bound(self.whole, self.payoff, alpha / 2)
        lower = lower_bound(self.folds, alpha / 2)
        if self.blind_is_exact:
            blind = self.prior_vulnerability(alpha).lower
            lower, upper = max(lower, blind), None if upper is None else max(upper, blind)
        return Bracket(lower, mean_of(self.folds), upper, reason).around(lower, upper)

    def prior_vulnerability(self, alpha: float) -> Bracket:
        """The bracket of V_g(π), or of what is known from public columns alone."""
        if self.prior is not None and self.blind_is_exact:
            return Bracket.point(float(self.payoff.best_value(self.prior[None, :])[0]))
        upper, reason = upper_bound(self.whole, self.payoff, alpha / 2, self.public)
        lower = lower_bound(self.blind, alpha / 2)
        return Bracket(lower, self._blind_estimate, upper, reason).around(lower, upper)

    @property
    def _blind_estimate(self) -> float:
        """What the best blind guess earns on all samples; with public columns, on fresh ones."""
        if self.public.distinct.first.size > 1:
            return mean_of(self.blind)
        samples, rows = self.whole.samples, self.whole.rows
        weights = np.bincount(samples.codes, rows, self.payoff.n_secrets)[None, :]
        missing = max(0.0, 1 - float(rows.sum()))
        return float(self.payoff.best_value(weights)[0]) + missing * self.payoff.low

    def additive_lower(self, alpha: float) -> float:
        """A proven lower bound of V_g(π,C) − V_g(π), which is never negative."""
        if self.blind_is_exact:
            blind = self.prior_vulnerability(alpha).lower
            return max(0.0, lower_bound(self.folds, alpha) - blind)
        paired = None
        if self.public.distinct.first.size == 1:
            paired = paired_lower(self.folds, alpha)
        if paired is None:
            beforehand, _ = upper_bound(self.whole, self.payoff, alpha / 2, self.public)
            above = self.payoff.high if beforehand is None else beforehand
            paired = lower_bound(self.folds, alpha / 2) - above
        return max(0.0, paired)


def mean_of(folds: Sequence[Scored]) -> float:
    """The estimate from all folds, each counting by its rows."""
    sizes = [len(fold.weighing.samples) for fold in folds]
    return float(np.average([fold.estimate for fold in folds], weights=sizes))


def certify(evidence: Evidence, confidence: float) -> Certificate:
    """What is proven at a confidence: each bracket by itself, and the verdict."""
    alpha = 1 - confidence
    vulnerability = evidence.vulnerability(alpha)
    blind = evidence.prior_vulnerability(alpha)
    additive = _additive(evidence, vulnerability, blind, alpha)
    return Certificate(
        vulnerability,
        blind,
        evidence.blind_is_exact,
        additive,
        _multiplicative(evidence, vulnerability, blind, alpha),
        "leaks" if additive.lower > 0 else "no leak proven",
    )


def _additive(evidence: Evidence, after: Bracket, before: Bracket, alpha: float) -> Bracket:
    high = evidence.vulnerability(alpha / 2).upper
    low = evidence.prior_vulnerability(alpha / 2).lower
    upper = None if high is None else max(0.0, high - low)
    lower = evidence.additive_lower(alpha / 2)
    estimate = max(0.0, after.estimate - before.estimate)
    return Bracket(lower, estimate, upper, after.upper_reason).around(lower, upper)


def _multiplicative(
    evidence: Evidence, after: Bracket, before: Bracket, alpha: float
) -> Bracket | None:
    """V_g(π,C)/V_g(π) = 1 + (V_g(π,C) − V_g(π))/V_g(π); None where V_g(π) may be negative."""
    blind = evidence.prior_vulnerability(alpha / 2)
    if before.estimate <= 0 or (evidence.payoff.low < 0 and blind.lower <= 0):
        return None
    most = evidence.payoff.high if blind.upper is None else blind.upper
    lower = 1 + evidence.additive_lower(alpha / 4) / most
    high, reason = evidence.vulnerability(alpha / 2).upper, after.upper_reason
    if high is not None and blind.lower <= 0:
        high, reason = None, "the prior vulnerability may be zero"
    upper = None if high is None else max(1.0, high / blind.lower)
    estimate = max(1.0, after.estimate / before.estimate)
    return Bracket(lower, estimate, upper, reason).around(lower, upper)


def blind_guesses(payoff: Payoff, weights: Floats, rows: int) -> Guesses:
    """The best guess without any observable, for every row."""
    best = payoff.best(weights[None, :])
    return np.repeat(best, rows, axis=0)
