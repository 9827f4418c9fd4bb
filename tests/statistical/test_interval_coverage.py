"""How often intervals miss, by simulation; and that the same count catches a broken twin of each.

Every twin makes a mistake that leaves the formula looking right: the variance taken over the wrong
axis, a term forgotten, a look at the data before the bet, a choice that is not paid for.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import binom

from gleak.betting import betting_interval, betting_sequence
from gleak.bounds import (
    Interval,
    bernstein,
    best_rule_upper,
    clopper_pearson,
    difference,
    empirical_bernstein,
    hoeffding,
    ratio,
)
from gleak.learning_bounds import expected_learning_error, learning_tail, validation_tail

RUNS = 2000
ALPHA = 0.1


def allowed(alpha, runs=RUNS):
    """The most misses that an interval of this alpha has, but for one time in a million."""
    return binom.ppf(1 - 1e-6, runs, alpha)


@dataclass(frozen=True)
class Source:
    """Gains of a few values, with the truth about them."""

    values: tuple[float, ...]
    chances: tuple[float, ...]
    n: int
    low: float = 0.0
    high: float = 1.0

    @property
    def mean(self):
        return float(np.dot(self.values, self.chances))

    @property
    def variance(self):
        return float(np.dot(np.square(self.values), self.chances)) - self.mean**2

    def draw(self, rng):
        return rng.choice(self.values, size=(RUNS, self.n), p=self.chances)


OFTEN = Source((0, 1), (0.108, 0.892), 120)
RARE = Source((0, 1), (0.98, 0.02), 120)
SOURCES = {
    "often": OFTEN,
    "rare": RARE,
    "graded": Source((0, 1, 2, 4), (0.6, 0.25, 0.1, 0.05), 120, high=4),
    "losses": Source((-2, 0.5, 1), (0.3, 0.3, 0.4), 60, low=-2),
    "few": Source((0, 0.5, 1), (0.2, 0.3, 0.5), 8),
}


def known_variance(source):
    def method(gains, **options):
        return bernstein(gains, source.variance, **options)

    return method


METHODS = {
    "hoeffding": lambda _: hoeffding,
    "bernstein": known_variance,
    "empirical Bernstein": lambda _: empirical_bernstein,
    "Clopper-Pearson": lambda _: clopper_pearson,
    "betting": lambda _: betting_interval,
}


def intervals(method, source, seed):
    rows = source.draw(np.random.default_rng(seed))
    return [method(row, low=source.low, high=source.high, alpha=ALPHA) for row in rows]


def misses(found, truth):
    """Misses below and above: each side has half of alpha."""
    return (
        sum(truth < interval.lower for interval in found),
        sum(truth > interval.upper for interval in found),
    )


PAIRS = [
    (name, source)
    for name in METHODS
    for source in SOURCES
    if name != "Clopper-Pearson" or source in ("often", "rare")
]


@pytest.mark.parametrize(("name", "source"), PAIRS)
def test_means(name, source):
    source = SOURCES[source]
    found = intervals(METHODS[name](source), source, seed=1)
    assert max(misses(found, source.mean)) <= allowed(ALPHA / 2)
    if source.n > 100:
        width = np.mean([interval.width for interval in found])
        assert width < 0.4 * (source.high - source.low)


@pytest.mark.parametrize("name", ["betting", "Clopper-Pearson"])
def test_the_tight_ones_do_miss(name):
    """An interval that never misses is wider than it needs to be."""
    found = intervals(METHODS[name](OFTEN), OFTEN, seed=1)
    assert sum(misses(found, OFTEN.mean)) > 0.2 * ALPHA * RUNS


def spread_around(margin: Callable[[np.ndarray], float]):
    def method(gains, **_):
        return Interval(gains.mean() - margin(gains), gains.mean() + margin(gains), ALPHA)

    return method


LOG = math.log(2 / ALPHA)


def wrong_axis(gains):
    """The variance of a column of one number each is zero: only the range term is left."""
    variance = gains[:, None].var(axis=1).mean()
    return math.sqrt(2 * variance * LOG / len(gains)) + 7 * LOG / (3 * (len(gains) - 1))


TWINS = {
    "hoeffding that forgets the range": (
        "graded",
        spread_around(lambda gains: math.sqrt(LOG / (2 * len(gains)))),
    ),
    "bernstein with the variance of the mean": (
        "graded",
        lambda gains, **options: bernstein(
            gains, SOURCES["graded"].variance / len(gains), **options
        ),
    ),
    "empirical Bernstein without its range term": (
        "rare",
        spread_around(lambda gains: math.sqrt(2 * gains.var(ddof=1) * (LOG + 0.7) / len(gains))),
    ),
    "Clopper-Pearson replaced by the normal law": (
        "rare",
        spread_around(lambda gains: 1.645 * gains.std() / math.sqrt(len(gains))),
    ),
    "betting in an order chosen afterwards": (
        "often",
        lambda gains, **options: betting_interval(np.sort(gains)[::-1], **options),
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_broken_means_are_caught(name):
    source, method = TWINS[name]
    found = intervals(method, SOURCES[source], seed=1)
    assert max(misses(found, SOURCES[source].mean)) > allowed(ALPHA / 2)


def test_a_variance_over_the_wrong_axis_is_caught():
    source = Source(OFTEN.values, OFTEN.chances, 2000)
    found = intervals(spread_around(wrong_axis), source, seed=1)
    assert max(misses(found, source.mean)) > allowed(ALPHA / 2)
    right = intervals(empirical_bernstein, source, seed=1)
    assert max(misses(right, source.mean)) <= allowed(ALPHA / 2)


# Looking before the end


def test_a_sequence_may_be_looked_at_at_any_time():
    """A mean that was ever refuted stays refuted, so the last look counts the misses of all."""
    source = Source(OFTEN.values, OFTEN.chances, 500)
    rows = source.draw(np.random.default_rng(2))
    found = [betting_sequence(row, [500], alpha=ALPHA).interval() for row in rows]
    assert max(misses(found, source.mean)) <= allowed(ALPHA / 2)
    assert np.mean([interval.width for interval in found]) < 0.2


def test_looking_again_and_again_at_an_interval_for_one_look_is_caught():
    rows = OFTEN.draw(np.random.default_rng(2))
    looks = [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]
    missed = sum(
        any(OFTEN.mean not in clopper_pearson(row[:look], alpha=ALPHA) for look in looks)
        for row in rows
    )
    assert missed > allowed(ALPHA)


def learning_gains(rng, n=150, best=0.6):
    """An attacker that learns from its own past: each gain's mean depends on those before."""
    gains, wins = np.zeros((RUNS, n)), np.zeros(RUNS)
    for t in range(n):
        chance = np.minimum(best, 0.3 + 0.02 * wins)
        gains[:, t] = rng.random(RUNS) < chance
        wins += gains[:, t]
    return gains


def test_an_attacker_that_learns_on_the_way_proves_no_more_than_the_best_value():
    rows = learning_gains(np.random.default_rng(3))
    lower = np.array([betting_interval(row, alpha=ALPHA, side="lower").lower for row in rows])
    assert (lower > 0.6).sum() <= allowed(ALPHA)
    assert lower.mean() > 0.4


# A maximum over attackers


def attackers(rng, count=30, n=200):
    """Guessers of a coin who know nothing: each is worth 1/2."""
    return (rng.random((RUNS, count, n)) < 0.5).astype(np.float64)


def proven(gains):
    return clopper_pearson(gains, alpha=ALPHA, side="lower").lower


def test_the_best_attacker_is_certified_on_other_samples_than_chose_it():
    gains = attackers(np.random.default_rng(4))
    choice = gains[:, :, :100].mean(axis=2).argmax(axis=1)
    fresh = gains[np.arange(RUNS), choice, 100:]
    missed = sum(proven(row) > 0.5 for row in fresh)
    assert 0.2 * ALPHA * RUNS < missed <= allowed(ALPHA)


def test_a_maximum_that_is_not_paid_for_is_caught():
    gains = attackers(np.random.default_rng(4))
    best = gains[np.arange(RUNS), gains.mean(axis=2).argmax(axis=1)]
    assert sum(proven(row) > 0.5 for row in best) > allowed(ALPHA)


# The best rule in hindsight

GAIN = np.array([[4.0, 1, 0], [0, 2, 1], [1, 1, 1], [0, 0, 3]])
SKEWED = np.array([[0.25, 0.05, 0.0], [0.05, 0.1, 0.15], [0.3, 0.05, 0.05]])
"""Joint probabilities of three secrets (rows) and three observables."""

NEEDLE = np.array([[0.002, 0.0], [0.498, 0.5]])
"""Only the first secret is worth anything, and it is rare."""

SYSTEMS = {
    "graded": (SKEWED, GAIN, 4.0, 300),
    "identity": (SKEWED, np.eye(3), 1.0, 300),
    "prior": (SKEWED.sum(axis=1, keepdims=True), GAIN, 4.0, 300),
    "rare": (NEEDLE, np.array([[1.0, 0.0]]), 1.0, 2000),
}
FORMS = ("better", "mcdiarmid", "self-bounding")


def best_rules(name, seed=5):
    """The exact vulnerability and, for each run, the empirical gain of the best rule."""
    joint, gain, high, n = SYSTEMS[name]
    exact = (gain @ joint).max(axis=0).sum()
    counts = np.random.default_rng(seed).multinomial(n, joint.ravel(), size=RUNS)
    totals = np.einsum("wx,rxy->rwy", gain, counts.reshape(RUNS, *joint.shape))
    return exact, totals.max(axis=1).sum(axis=1) / n, high, n


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", SYSTEMS)
def test_best_rules(name, form):
    exact, statistics, high, n = best_rules(name)
    upper = [
        best_rule_upper(value, n, high=high, alpha=ALPHA, form=form).upper for value in statistics
    ]
    assert sum(exact > bound for bound in upper) <= allowed(ALPHA)
    assert np.mean(upper) < exact + 0.13 * high


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_best_rule_without_its_slack_is_caught(name):
    exact, statistics, _, _ = best_rules(name)
    assert sum(exact > value for value in statistics) > allowed(ALPHA)


# Leakage

PRIOR, POSTERIOR = 0.3, 0.6


def leakages():
    """Gains of a blind attacker and of one who sees, on the same samples."""
    luck = np.random.default_rng(6).random((RUNS, 200))
    return zip((luck < PRIOR).astype(float), (luck < POSTERIOR).astype(float), strict=True)


def parts(blind, seeing):
    halves = [clopper_pearson(gains, alpha=ALPHA / 2) for gains in (seeing, blind)]
    return halves[0], halves[1]


@pytest.mark.parametrize(("combine", "truth"), [(ratio, 2.0), (difference, 0.3)])
def test_leakage(combine, truth):
    found = [combine(*parts(blind, seeing)) for blind, seeing in leakages()]
    assert sum(truth not in interval for interval in found) <= allowed(ALPHA)
    assert {interval.alpha for interval in found} == {ALPHA}
    assert np.mean([interval.width for interval in found]) < truth


def test_leakage_over_a_prior_taken_for_known_is_caught():
    found = [
        ratio(clopper_pearson(seeing, alpha=ALPHA), Interval.point(blind.mean()))
        for blind, seeing in leakages()
    ]
    assert sum(2.0 not in interval for interval in found) > allowed(ALPHA)


# Learning

CHOICES = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
"""All rules from two observables to two guesses."""

JOINT = np.array([[0.3, 0.21], [0.19, 0.3]])
"""Joint probabilities of two secrets (rows) and two observables; a right guess earns 1."""


def learned(m, seed=7):
    """The loss in value of the rule that was best on m samples, over many training sets."""
    earns = np.array([[JOINT[rule[y], y] for y in (0, 1)] for rule in CHOICES]).sum(axis=1)
    counts = np.random.default_rng(seed).multinomial(m, JOINT.ravel(), size=RUNS)
    table = counts.reshape(RUNS, 2, 2)
    scores = np.stack([table[:, rule[0], 0] + table[:, rule[1], 1] for rule in CHOICES], axis=1)
    return earns.max() - earns[scores.argmax(axis=1)], earns * (1 - earns)


def test_the_paper_bounds_hold_for_empirical_maximisation():
    losses, variances = learned(m=200)
    for epsilon in (0.05, 0.1, 0.2):
        bound = learning_tail(epsilon, 200, 4, variance=variances)
        assert (losses >= epsilon).sum() <= binom.ppf(1 - 1e-6, RUNS, bound)
    assert losses.mean() <= expected_learning_error(200, 4, variance=variances.max())
    assert expected_learning_error(200_000, 4, variance=variances.max()) < 0.05


def scored(n, seed=8):
    return np.abs(np.random.default_rng(seed).binomial(n, 0.6, RUNS) / n - 0.6)


def test_the_paper_bound_on_validation():
    for epsilon in (0.03, 0.05, 0.08):
        bound = validation_tail(epsilon, 400, variance=0.24)
        assert (scored(400) >= epsilon).sum() <= binom.ppf(1 - 1e-6, RUNS, bound)
    assert validation_tail(0.08, 400, variance=0.24) < 0.02


def test_a_validation_bound_without_the_variance_is_caught():
    bound = validation_tail(0.05, 400, variance=0.24 / 4)
    assert (scored(400) >= 0.05).sum() > binom.ppf(1 - 1e-6, RUNS, bound)
