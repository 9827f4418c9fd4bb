"""Whether columns that tell come first and others are left in peace; a broken twin must fail.

The twin looks at the samples that trained the attacker: there, columns of noise seem to matter.
"""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.tree import DecisionTreeClassifier

from gleak import Samples, adversary
from gleak.certify import Scored, Weighing
from gleak.localisation import localise

RUNS = 200
COLUMNS, TELLING = 20, {3, 7, 15}
ALPHA = 0.05
ALLOWED = binom.ppf(1 - 1e-6, RUNS, ALPHA)

MANY = 2_000
"""Runs of a system small enough for as many."""


def system(rows, rng):
    """Four secrets; three columns of twenty tell of them."""
    x = rng.integers(0, 4, rows)
    y = rng.normal(size=(rows, COLUMNS))
    y[:, 3] += 1.5 * (x > 1)
    y[:, 7] += 2.0 * (x == 1)
    y[:, 15] += 2.0 * (x % 2)
    return Samples.of(x, y)


@pytest.fixture(scope="module")
def runs():
    """For each run, what is found on fresh samples and on those that trained."""
    found = []
    for seed in range(RUNS):
        rng = np.random.default_rng(seed)
        train, fresh = system(800, rng), system(1200, rng)
        payoff = train.bind("bayes")
        tree = adversary(DecisionTreeClassifier(max_depth=8, random_state=0))
        strategy = tree.fit(train, payoff, rng=0)
        found.append([
            localise(
                strategy, Scored(Weighing(part), payoff, strategy.guess(part.observables)),
                confidence=1 - ALPHA, rng=rng,
            )
            for part in (fresh, train)
        ])  # fmt: skip
    return found


def blamed(found):
    """Whether a column that says nothing is said to matter."""
    return bool(set(found.proven.tolist()) - TELLING)


def test_the_columns_that_tell_come_first(runs):
    assert all(set(fresh.order[:3].tolist()) == TELLING for fresh, _ in runs)
    assert sum(set(fresh.proven.tolist()) >= TELLING for fresh, _ in runs) > 0.9 * RUNS


def test_no_other_is_blamed_more_often_than_stated(runs):
    assert sum(blamed(fresh) for fresh, _ in runs) <= ALLOWED


def test_looking_where_one_trained_blames_the_innocent(runs):
    assert sum(blamed(train) for _, train in runs) > ALLOWED


# Many runs of a small system: a column that tells and three that do not


def small(rows, rng):
    x = rng.integers(0, 2, rows)
    told = np.where(rng.random(rows) < 0.8, x, 1 - x)
    return Samples.of(
        x, {"tells": told, **{f"idle{i}": rng.integers(0, 3, rows) for i in range(3)}}
    )


@pytest.fixture(scope="module")
def small_runs():
    """Which columns are said to matter on fresh samples, and on those that trained."""
    counted, found = adversary("frequentist"), []
    for rng in np.random.default_rng(14).spawn(MANY):
        train, fresh = small(160, rng), small(300, rng)
        payoff = train.bind("bayes")
        strategy = counted.fit(train, payoff, rng=0)
        looks = (Scored(Weighing(part), payoff, strategy.guess(part.observables))
                 for part in (fresh, train))  # fmt: skip
        found.append([
            set(localise(strategy, look, confidence=1 - 2 * ALPHA, rng=rng).proven.tolist())
            for look in looks
        ])  # fmt: skip
    return found


def test_two_thousand_reports_blame_no_more_than_stated(small_runs):
    allowed = binom.ppf(1 - 1e-6, MANY, 2 * ALPHA)
    assert sum(bool(fresh - {0}) for fresh, _ in small_runs) <= allowed
    assert sum(0 in fresh for fresh, _ in small_runs) > 0.1 * MANY
    assert sum(bool(train - {0}) for _, train in small_runs) > allowed
