"""Certifying one fixed attacker on fresh answers, as many as it takes: what to ask, what is proven.

Two ways, each valid although one stops as soon as one likes what one sees:

- ``Counted``, where gains take two values: secrets spread over the prior so evenly that the i-th
  of n answers comes from the i-th of n equal pieces of it. The number of wins is then a sum of
  independent trials whose chances average to V(f), and W. Hoeffding, "On the distribution of the
  number of successes in independent trials", Ann. Math. Statist. 27 (1956), Theorem 5, says that
  it exceeds n·V(f) by one or more less often than a binomial does: Clopper–Pearson holds. It is
  looked at after numbers of answers that are fixed beforehand, which share the error between them.
- ``Staked``: secrets in Neyman's shares, π_k·σ_k, with σ_k from a pilot; the bound is that of
  ``staking``, which holds at all times together and needs no looks fixed beforehand.

Looked at once, Clopper–Pearson needs about half the answers of a bound that holds at all times;
Neyman's shares need the fewer, the more the secrets differ. The pilot says which of them is ahead.
"""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gleak.labels import Codes
from gleak.payoff import Floats
from gleak.population import Population
from gleak.staking import Ledger, staked_lower, stakes_for

LOOKS = (0.02, 0.85, 0.08)
"""Shares of the error for a first glance, for the look that was planned for, for a second one;
what is left is halved from look to look."""

_STRATA = 64
_BLOCKS = 8
_MARGIN = 1.15
"""By how much the bets are slower than the Chernoff bound they are laid for."""

_LATE = 1.1
"""By how much more than was asked it is thought to take, where it should have been enough."""

_FEWEST = 64

_DOUBTED = 3
"""Standard errors between the attacker's own gains and the pilot's beyond which the pilot is not
believed: it was another attacker's, and one that breaks ties otherwise wins on other secrets."""

_FIRST_LOOK = 4
"""Answers of each stratum, if all are alike, that are only looked at before any is bet on."""

_EVEN = 0.1
"""Share of the answers that are asked as the prior says, whatever is believed of the deviations."""


@dataclass(frozen=True, eq=False)
class Pilot:
    """What an attacker much like the one to be certified earned, on the scale from 0 to 1."""

    codes: Codes
    gains: Floats
    weights: Floats

    @property
    def mean(self) -> float:
        """The mean gain, each secret by its prior."""
        return float(np.average(self.gains, weights=self.weights))

    @property
    def error(self) -> float:
        """The standard error of the mean, at least that of one more sample that differs."""
        weights = self.weights / self.weights.sum()
        spread = float((weights**2 * (self.gains - self.mean) ** 2).sum())
        return math.sqrt(spread) + 1 / (2 * len(self.gains))


class Stage(ABC):
    """Fresh answers to one attacker, and what they prove. Gains are on the scale from 0 to 1."""

    asked: int = 0
    planned: int
    """Answers after which the precision should be reached."""

    lower: float = 0.0
    estimate: float = 0.0

    @abstractmethod
    def block(self, rng: np.random.Generator) -> Codes:
        """The secrets to ask for next."""

    @abstractmethod
    def count(self, codes: Codes, gains: Floats) -> None:
        """Take the gains on the answers to a block into account."""


class Counted(Stage):
    """Wins counted at looks that were fixed beforehand."""

    def __init__(
        self, population: Population, pilot: Pilot, precision: float, alpha: float,
        most: int | None,
    ) -> None:  # fmt: skip
        self.population, self.alpha = population, alpha
        self.planned = _enough_counted(pilot, precision, LOOKS[1] * alpha)
        self._only = most if most is not None and most < self.planned else None
        self._look, self._wins = 0, 0.0

    def block(self, rng: np.random.Generator) -> Codes:
        return self.population.spread(self._size(self._look) - self.asked, rng)

    def _size(self, look: int) -> int:
        if self._only is not None:
            return self._only * 2**look
        return self.planned // 4 if look == 0 else self.planned * 2 ** (look - 1)

    def _share(self, look: int) -> float:
        if self._only is not None:
            return LOOKS[1] if look == 0 else (1 - LOOKS[1]) / 2**look
        if look < len(LOOKS):
            return LOOKS[look]
        return (1 - sum(LOOKS)) / 2 ** (look - len(LOOKS) + 1)

    def count(self, codes: Codes, gains: Floats) -> None:
        self.asked += len(codes)
        self._wins += float(gains.sum())
        alpha = self._share(self._look) * self.alpha
        self.lower = max(self.lower, counted_lower(round(self._wins), self.asked, alpha))
        self.estimate = self._wins / self.asked
        self._look += 1


def counted_lower(wins: int, n: int, alpha: float) -> float:
    """Clopper–Pearson's lower bound of the average chance of n independent trials.

    Hoeffding's theorem speaks of what is one win or more above the mean: up to there, nothing is
    claimed.

    >>> round(counted_lower(90, 100, alpha=0.025), 4)
    0.8238
    """
    from scipy.special import betaincinv

    if wins < 1:
        return 0.0
    return min(float(betaincinv(wins, n - wins + 1, alpha)), (wins - 1) / n)


def _enough_counted(pilot: Pilot, precision: float, alpha: float) -> int:
    """Answers after which Clopper–Pearson is within the precision, were the pilot a bit off."""
    share = float(np.clip(pilot.mean, 0.0, 1.0))
    towards_half = math.copysign(min(1.5 * pilot.error, abs(0.5 - share)), 0.5 - share)
    share += towards_half
    few, many = 1, _FEWEST
    while not _reaches(share, many, precision, alpha):
        few, many = many, 2 * many
    while many - few > 1 + few // 500:
        middle = (few + many) // 2
        few, many = (few, middle) if _reaches(share, middle, precision, alpha) else (middle, many)
    return max(_FEWEST, many)


def _reaches(share: float, n: int, precision: float, alpha: float) -> bool:
    wins = round(share * n)
    return wins / n - counted_lower(wins, n, alpha) <= precision


class Staked(Stage):
    """Bets on strata of secrets, in Neyman's shares, which follow what is seen on the way.

    The first answers are asked for as the prior says and not bet on: they show whether the pilot
    can be believed, and stakes laid on wins that do not come cost more than they do.
    """

    def __init__(
        self, population: Population, pilot: Pilot, precision: float, alpha: float,
        most: int | None,
    ) -> None:  # fmt: skip
        self.population, self.alpha = population, alpha
        self.stratum = strata_of(population)
        self.prior: Floats = np.bincount(self.stratum, population.prior).astype(np.float64)
        self._pilot = self._moments(pilot.codes, pilot.gains)
        self._seen = np.zeros_like(self._pilot)
        self._precision, self._most = precision, most
        self._plan()
        self._ledger = Ledger.empty()

    def _moments(self, codes: Codes, gains: Floats) -> Floats:
        """Of each stratum: answers, the sum of their gains, and that of the squares."""
        strata, size = self.stratum[codes], len(self.prior)
        return np.array([np.bincount(strata, w, size) for w in (None, gains, gains**2)])

    def _plan(self) -> None:
        """Shares, and how many answers it should take in all, by all that is known by now.

        Any of it may be used for what is asked next. Stakes that were laid for fewer answers than
        it takes are too high for the rest.
        """
        believed = np.where(_agree(self._pilot, self._seen), self._pilot, 0.0)
        self._mean, variance = _smoothed(believed + self._seen)
        self._deviation = np.sqrt(variance)
        spread = self.prior * self._deviation
        self.share = (1 - _EVEN) * spread / spread.sum() + _EVEN * self.prior
        needed = 2 * math.log(1 / self.alpha) * float((spread**2 / self.share).sum())
        least = max(_FEWEST, math.ceil(_LATE * self.asked))
        self.planned = max(least, math.ceil(_MARGIN * needed / self._precision**2))
        most = self._most
        self._horizon = min(self.planned, most) if most and self.asked < most else self.planned

    def block(self, rng: np.random.Generator) -> Codes:
        wanted = self.share * max(1, self._horizon // _BLOCKS)
        if not self.asked:
            first = max(self._horizon // (2 * _BLOCKS), _FIRST_LOOK * len(self.prior))
            wanted = self.prior * (first if self._most is None else min(first, self._most))
        whole = np.floor(wanted + rng.random(len(wanted))).astype(np.intp)
        whole[np.argmax(self.share)] += int(whole.sum() == 0)
        prior = self.population.prior
        parts = [
            self.population.spread(n, rng, np.where(self.stratum == place, prior, 0.0))
            for place, n in enumerate(whole.tolist())
            if n
        ]
        return rng.permutation(np.concatenate(parts))

    def count(self, codes: Codes, gains: Floats) -> None:
        stakes = stakes_for(
            self.prior, self._mean, self._deviation, self.share, self._horizon, self.alpha
        )
        if self.asked:
            self._ledger = self._ledger.betting(self.stratum[codes], gains, stakes)
        self._seen += self._moments(codes, gains)
        self.asked += len(codes)
        self.lower = max(self.lower, staked_lower(self._ledger, self.prior, self.alpha))
        times, sums, _ = self._seen
        means = np.where(times > 0, sums / np.maximum(times, 1), self._mean)
        self.estimate = float(self.prior @ means)
        self._plan()


def _smoothed(moments: Floats) -> tuple[Floats, Floats]:
    """Mean and variance, as if one answer more had been half the range away: none is zero."""
    taken, sums, squares = moments
    centre = sums / np.maximum(taken, 1)
    variance = (np.maximum(squares - taken * centre**2, 0) + 0.25) / (taken + 1)
    return (sums + 0.5) / (taken + 1), variance


def _agree(one: Floats, other: Floats) -> NDArray[np.bool_]:
    """Whether means may well be the same, stratum by stratum."""
    (first, spread), (second, other_spread) = _smoothed(one), _smoothed(other)
    error = np.sqrt(spread / (one[0] + 1) + other_spread / (other[0] + 1))
    return np.asarray(np.abs(first - second) <= _DOUBTED * error)


def strata_of(population: Population) -> Codes:
    """The stratum of each secret: itself, or, where there are many, its neighbours in the list."""
    if len(population) <= _STRATA:
        return np.arange(len(population))
    middles = np.cumsum(population.prior) - population.prior / 2
    pieces = np.floor(middles * _STRATA).clip(0, _STRATA - 1)
    _, stratum = np.unique(pieces, return_inverse=True)
    return stratum.astype(np.intp)


def stage_for(
    population: Population, pilot: Pilot, precision: float, alpha: float, *,
    two_valued: bool, most: int | None,
) -> Stage:  # fmt: skip
    """The way to certify that needs fewer answers, by what the pilot says."""
    staked = Staked(population, pilot, precision, alpha, most)
    if not two_valued:
        return staked
    counted = Counted(population, pilot, precision, alpha, most)
    return counted if counted.planned <= staked.planned else staked
