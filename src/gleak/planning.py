"""How many samples are enough for a wanted precision."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gleak.betting import betting_interval
from gleak.bounds import check_confidence, check_count, check_range
from gleak.errors import InputError
from gleak.learning_bounds import sample_complexity

_LARGEST_BITS = 53
"""Whole numbers of more bits are not what every reader of JSON takes them for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Samples for a precision: whatever the system, and at the variance of a pilot.

    ``worst_train`` and ``worst_certify`` are the paper's corollary for all ``rules`` that choose
    one of ``guesses`` for each of ``observables``;
    ``certify`` is what the betting interval needs to be within the precision below its estimate.
    """

    precision: float
    confidence: float
    guesses: int
    observables: int
    worst_train: int
    worst_certify: int
    certify: int
    deviation: float

    @property
    def rule_bits(self) -> float:
        """The logarithm of the number of rules, to base 2."""
        return self.observables * math.log2(self.guesses)

    @property
    def rules(self) -> int | None:
        """How many attack rules there are; None where that is too large for a number."""
        return self.guesses**self.observables if self.rule_bits < _LARGEST_BITS else None

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers; integers too long for JSON readers as text."""
        return {
            "schema_version": 1,
            "precision": self.precision,
            "confidence": self.confidence,
            "worst_case": {
                "rules": self.rules or f"about 2^{math.floor(self.rule_bits)}",
                "train": self.worst_train,
                "certify": self.worst_certify,
            },
            "betting": {"standard_deviation": self.deviation, "certify": self.certify},
        }


def plan(
    precision: float,
    *,
    confidence: float = 0.95,
    vulnerability: float | None = None,
    deviation: float | None = None,
    low: float = 0.0,
    high: float = 1.0,
    guesses: int = 2,
    observables: int = 2,
) -> Plan:
    """How many samples make an estimate as precise as wanted.

    The worst case is the paper's corollary: the best of all |W|^|Y| rules is found within the
    precision, and its gain counted within it, for any system. The other answer is for a gain of
    known ``deviation`` (of a pilot; or √(v(1−v)) for a ``vulnerability`` v of gains that are
    ``low`` or ``high``; or the largest there is): certifying samples after which the proven
    lower side is expected within ``precision`` of the estimate.

    >>> found = plan(0.01, vulnerability=0.9)
    >>> found.certify < found.worst_certify
    True
    """
    check_confidence(confidence)
    check_range(low, high)
    if not 0 < precision < high - low:
        raise InputError.must("the precision", f"between 0 and {high - low:g}", precision)
    width = high - low
    spread = _deviation(vulnerability, deviation, low, high)
    check_count(guesses, "the number of guesses")
    worst = sample_complexity(
        precision, 1 - confidence, guesses, observables=observables, low=low, high=high
    )
    mean = 0.5 if vulnerability is None else (vulnerability - low) / width
    certify = _certifying(precision / width, (1 - confidence) / 2, spread / width, mean)
    return Plan(
        precision, confidence, guesses, observables, worst.train, worst.validation, certify, spread
    )


def _deviation(
    vulnerability: float | None, deviation: float | None, low: float, high: float
) -> float:
    most = (high - low) / 2
    if vulnerability is not None:
        if not low <= vulnerability <= high:
            raise InputError.must("the vulnerability", f"in [{low:g}, {high:g}]", vulnerability)
        most = float(np.sqrt((vulnerability - low) * (high - vulnerability)))
    if deviation is None:
        return most
    if not 0 <= deviation <= most * (1 + _SLACK):
        at = "" if vulnerability is None else f", as gains that average {vulnerability:g} have it"
        raise InputError.must("the deviation", f"between 0 and {most:g}{at}", deviation)
    return min(deviation, most)


_SLACK = 1e-9
"""How far above the largest there is a deviation may be by rounding alone."""

_MOST_BET = 200_000
"""Gains on which bets are really laid; beyond, the margin falls as the root of their number."""


def _certifying(precision: float, alpha: float, spread: float, mean: float) -> int:
    """Samples after which the betting bound is within ``precision`` of the mean, on a scale of 1.

    Bets are laid on a sequence of two values with the mean and the deviation wanted, spread as
    evenly as the golden ratio does it, so that the answer is that of a typical run.
    """

    def margin(n: int) -> float:
        share = 0.5 if spread == 0 else mean
        ahead = np.modf(np.arange(1, n + 1) * (np.sqrt(5) - 1) / 2)[0] < share
        up = spread * np.sqrt((1 - share) / share)
        down = spread * np.sqrt(share / (1 - share))
        gains = np.clip(mean + np.where(ahead, up, -down), 0, 1)
        return float(gains.mean()) - betting_interval(gains, alpha=alpha, side="lower").lower

    few, many = 1, 64
    while margin(many) > precision:
        if many >= _MOST_BET:
            return int(np.ceil(many * (margin(many) / precision) ** 2))
        few, many = many, 2 * many
    while many - few > max(1, few // 100):
        middle = (few + many) // 2
        few, many = (middle, many) if margin(middle) > precision else (few, middle)
    return many
