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

RUNS = 100
COLUMNS, TELLING = 20, {3, 7, 15}
ALPHA = 0.05
ALLOWED = binom.ppf(1 - 1e-6, RUNS, ALPHA)


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
