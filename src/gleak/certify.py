"""From gains that a strategy earned on samples it never saw, to a proven lower bound.

Everything is a weighted mean over units: a unit is a row, or a group of rows that belong
together. Under a known prior the rows of one secret share its probability; given the secrets,
units are independent, which is all that the bounds below need.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gleak.betting import betting_interval
from gleak.bounds import best_rule_upper, check_alpha, clopper_pearson
from gleak.labels import Codes
from gleak.mixture import histogram, mixture_lower
from gleak.observables import Observables
from gleak.payoff import Floats, Guesses, Payoff
from gleak.samples import Samples

PAIRED_GUESSES = 512
"""Blind guesses up to this many are each compared with the attacker, pair by pair."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """What is proven below, what is estimated, what is proven above or why nothing is."""

    lower: float
    estimate: float
    upper: float | None
    upper_reason: str | None = None

    @classmethod
    def point(cls, value: float) -> "Bracket":
        """A quantity that is known."""
        return cls(value, value, value)

    def around(self, lower: float, upper: float | None) -> "Bracket":
        """The same estimate within other ends, moved to the nearest where it is outside."""
        inside = max(lower, self.estimate if upper is None else min(self.estimate, upper))
        return Bracket(lower, inside, upper, self.upper_reason)


@dataclass(frozen=True)
class Weighing:
    """How much each row and each unit of some samples counts; the units' total is at most one.

    What is missing from one is the probability of secrets that the samples do not have.
    """

    samples: Samples
    prior: Floats | None = None
    strata: Codes | None = None
    """What the prior is over, for each row: its secret, before secrets were put into classes."""

    @cached_property
    def units(self) -> tuple[Codes, int]:
        """The unit of each row, and how many units there are."""
        if self.samples.groups is None:
            return np.arange(len(self.samples)), len(self.samples)
        _, unit = np.unique(self.samples.groups, return_inverse=True)
        return unit, int(unit.max()) + 1

    @cached_property
    def rows(self) -> Floats:
        """The weight of each row."""
        given = self.samples.weights
        own = np.ones(len(self.samples)) if given is None else given
        if self.prior is not None:
            strata = self.samples.codes if self.strata is None else self.strata
            present = np.bincount(strata, own, len(self.prior))
            return own * (self.prior / np.where(present > 0, present, 1))[strata]
        unit, n_units = self.units
        if given is not None:
            return own / own.sum()
        return own / np.bincount(unit, own, n_units)[unit] / n_units

    @cached_property
    def of_units(self) -> Floats:
        """The weight of each unit."""
        unit, n_units = self.units
        return np.asarray(np.bincount(unit, self.rows, n_units), dtype=float)

    @property
    def even(self) -> bool:
        """Whether every unit counts the same, so that units are draws from one distribution."""
        return self.prior is None and self.samples.weights is None

    @property
    def effective(self) -> float:
        """The number of even units that would be as precise: (Σu)²/Σu²."""
        return float(self.of_units.sum() ** 2 / (self.of_units**2).sum())

    def mean(self, values: Floats) -> float:
        """The weighted mean of one value per row."""
        return float(self.rows @ values)

    def unit_values(self, values: Floats) -> Floats:
        """One value per unit whose plain mean is the weighted mean of the rows'."""
        if self.even and self.samples.groups is None:
            return values
        unit, n_units = self.units
        return n_units * np.asarray(np.bincount(unit, self.rows * values, n_units), dtype=float)

    @property
    def reach(self) -> float:
        """The largest factor by which a unit's value exceeds its rows'."""
        return float(self.of_units.max() * len(self.of_units))


@dataclass(frozen=True)
class Scored:
    """Certifying samples, how they are weighed, and what was guessed on them."""

    weighing: Weighing
    payoff: Payoff
    guesses: Guesses

    @cached_property
    def gains(self) -> Floats:
        """What each row earned."""
        return self.payoff.value(self.guesses, self.weighing.samples.codes)

    @property
    def estimate(self) -> float:
        """The weighted mean gain; secrets the samples lack count as nothing above the lowest."""
        missing = 1 - float(self.weighing.rows.sum())
        return self.weighing.mean(self.gains) + missing * self.payoff.low


def lower_bound(folds: Sequence[Scored], alpha: float) -> float:
    """A proven lower bound of V_g from strategies that never saw their samples.

    One fold of even units: Clopper–Pearson where gains take two values, else betting. Uneven
    units, and folds that trained each other's strategies: the mixture of fixed bets.
    """
    check_alpha(alpha)
    first = folds[0]
    payoff, weighing = first.payoff, first.weighing
    low, high = payoff.low, payoff.high
    if high <= low:
        return low
    if len(folds) == 1 and weighing.even:
        values = weighing.unit_values(first.gains)
        whole_rows = weighing.samples.groups is None
        interval = clopper_pearson if payoff.two_valued and whole_rows else betting_interval
        # Bets follow the order of gains. That of a file may be no chance (sorted by secret, say),
        # and then early gains would be taken for the mean.
        mixed = np.random.default_rng(0).permutation(values)
        return interval(mixed, low=low, high=high, alpha=alpha, side="lower").lower
    return low + _mixture([(f.weighing, f.gains - low) for f in folds], high - low, alpha)


def _mixture(folds: Sequence[tuple[Weighing, Floats]], width: float, alpha: float) -> float:
    """The lower bound of the mean of values in [0, width], weighed by fold."""
    reach = max(weighing.reach for weighing, _ in folds) * width
    seen = [histogram(w.unit_values(values), low=0, high=reach) for w, values in folds]
    return mixture_lower(seen, low=0, high=reach, alpha=alpha)


def upper_bound(
    whole: Weighing, payoff: Payoff, alpha: float, seen: Observables | None = None
) -> tuple[float | None, str | None]:
    """A proven upper bound of V_g from every sample, or the reason why there is none.

    ``seen`` are the columns the bounded attacker sees: all of them unless said otherwise.
    """
    samples, low, high = whole.samples, payoff.low, payoff.high
    if high <= low:
        return high, None
    columns = samples.observables if seen is None else seen
    counts = replace(samples, weights=whole.rows, observables=columns, public=()).counts
    hindsight = float(payoff.best_value(counts).sum())
    missing = max(0.0, 1 - float(whole.rows.sum()))
    n_units = len(whole.of_units)
    if whole.even:
        bound = best_rule_upper(
            min(max(hindsight, low), high), n_units, low=low, high=high, alpha=alpha
        )
        return (None, bound.reason) if math.isinf(bound.upper) else (bound.upper, None)
    slack = math.sqrt(float((whole.of_units**2).sum()) * math.log(1 / alpha) / 2)
    upper = hindsight + missing * high + (high - low) * slack
    if upper < high:
        return upper, None
    return None, "observables hardly repeat, or weigh too unevenly, for any value to be excluded"


def paired_lower(folds: Sequence[Scored], alpha: float) -> float | None:
    """A proven lower bound of V_g(π,C) − V_g(π) that needs no knowledge of the prior.

    For the best blind guess w*, whichever it is, the mean of g(f(y),x) − g(w*,x) is V(f) − V_g(π).
    The smallest bound over all w is at most the bound for w*: no price for the choice. None where
    blind guesses are too many to go through.
    """
    payoff = folds[0].payoff
    if payoff.n_guesses > PAIRED_GUESSES:
        return None
    width = payoff.high - payoff.low
    if width <= 0:
        return 0.0
    tallies = [_Tally.of(fold) for fold in folds]
    reach = max(fold.weighing.reach for fold in folds) * 2 * width
    blind = payoff.matrix(limit=payoff.n_guesses * payoff.n_secrets)  # PAIRED_GUESSES is the limit
    # The best blind guesses come first: most others are then told to be no worse by one look.
    seen = sum(np.bincount(f.weighing.samples.codes, minlength=payoff.n_secrets) for f in folds)
    worst = reach
    for guess in blind[np.argsort(-(blind @ seen), kind="stable")]:
        levels = [tally.levels(guess - width, reach) for tally in tallies]
        worst = mixture_lower(levels, low=0, high=reach, alpha=alpha, at_most=worst)
    return worst - width


@dataclass(frozen=True)
class _Tally:
    """What was earned beside which secrets, and how often: alike rows are one if rows are units."""

    weighing: Weighing
    gains: Floats
    codes: Codes
    times: Floats | None

    @classmethod
    def of(cls, scored: Scored) -> "_Tally":
        weighing, codes = scored.weighing, scored.weighing.samples.codes
        if not weighing.even or weighing.samples.groups is not None:
            return cls(weighing, scored.gains, codes, None)
        gains, which = np.unique(scored.gains, return_inverse=True)
        n_secrets = scored.payoff.n_secrets
        times = np.bincount(which * n_secrets + codes, minlength=len(gains) * n_secrets)
        cells = np.flatnonzero(times)
        return cls(
            weighing, gains[cells // n_secrets], cells % n_secrets, times[cells].astype(float)
        )

    def levels(self, less: Floats, reach: float) -> Floats:
        """The histogram on [0, reach] of the gains, less something for each secret."""
        values = self.gains - less[self.codes]
        if self.times is None:
            values = self.weighing.unit_values(values)
        return histogram(values, low=0, high=reach, weights=self.times)
