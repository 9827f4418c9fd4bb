"""How often the gate is wrong, by simulation; and that judging by the estimate would be caught.

Each repository records samples of a known system. Its budget lies at the truth: a hair above, so
that exit 1 would be wrong, or a hair below, so that exit 0 would be.
"""

import numpy as np
import pytest
from scipy.stats import binom

from gleak import Channel, Samples, matrix
from gleak.betting import betting_interval
from gleak.budget import QUANTITIES, Budget
from gleak.certify import lower_bound
from gleak.comparison import compare
from gleak.estimation import estimate
from gleak.gate import check

RUNS, ROWS, CONFIDENCE = 4_000, 400, 0.9
CHANNEL = Channel([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]])
HAIR = 1e-9


def allowed(alpha, runs):
    """The most mistakes at this rate, but for one time in a million."""
    return binom.ppf(1 - 1e-6, runs, alpha)


def truth(quantity):
    after, before = CHANNEL.posterior_vulnerability("bayes"), CHANNEL.prior_vulnerability("bayes")
    return {
        "vulnerability": after,
        "multiplicative": after / before,
        "additive": after - before,
        "min_entropy_bits": np.log2(after / before),
    }[quantity]


@pytest.fixture(scope="module")
def repositories():
    """Estimates of one system from one recorded file after another."""
    found = []
    for rng in np.random.default_rng(0).spawn(RUNS):
        samples = Samples.of(*CHANNEL.sample(ROWS, rng=rng))
        found.append(estimate(samples, adversary="frequentist", confidence=CONFIDENCE, rng=rng))
    return found


def exits(repositories, budgets, **options):
    return np.array([check(found, budgets, **options).exit_code for found in repositories])


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_system_within_its_budget_fails_in_the_stated_share_at_most(repositories, quantity):
    budget = Budget(quantity, truth(quantity) + HAIR)
    wrong = (exits(repositories, [budget]) == 1).sum()
    assert wrong <= allowed(1 - CONFIDENCE, RUNS)


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_system_over_its_budget_passes_in_the_stated_share_at_most(repositories, quantity):
    budget = Budget(quantity, truth(quantity) - HAIR)
    wrong = (exits(repositories, [budget]) == 0).sum()
    assert wrong <= allowed(1 - CONFIDENCE, RUNS)


@pytest.mark.parametrize(("hair", "code"), [(HAIR, 1), (-HAIR, 0)])
def test_all_budgets_together_are_as_rarely_wrong(repositories, hair, code):
    budgets = [Budget(quantity, truth(quantity) + hair) for quantity in QUANTITIES]
    some = repositories[:2_000]
    assert (exits(some, budgets) == code).sum() <= allowed(1 - CONFIDENCE, len(some))


def test_the_estimate_as_judge_would_be_caught(repositories):
    """The twin that calls what it estimates proven is wrong about every other time."""
    most = allowed(1 - CONFIDENCE, RUNS)
    at = truth("vulnerability")
    within = exits(repositories, [Budget("vulnerability", at - HAIR)], judge="estimate") == 0
    assert within.sum() > most


def test_the_gate_decides_where_there_is_something_to_decide(repositories):
    """Never deciding would pass every test above."""
    at = truth("vulnerability")
    assert (exits(repositories, [Budget("vulnerability", at - 0.15)]) == 1).mean() > 0.9
    assert (exits(repositories, [Budget("vulnerability", at + 0.2)]) == 0).mean() > 0.9


def test_two_files_of_one_system_differ_in_the_stated_share_at_most(repositories):
    """A change that is proven between them is a mistake; their estimates differ in every pair."""
    pairs = list(zip(repositories[::2], repositories[1::2], strict=True))
    changes = [compare(before, after) for before, after in pairs]
    wrong = sum(change.verdict != "no change proven" for change in changes)
    assert wrong <= allowed(1 - CONFIDENCE, len(pairs))
    twin = sum(change.vulnerability.estimate != 0 for change in changes)
    assert twin > allowed(1 - CONFIDENCE, len(pairs))


# A gain of several values, on a file sorted by secret: the first rows are the ones well guessed.
GRADED = matrix([[1, 0, 0], [0, 0.5, 0.1], [0, 0.1, 0.5]])
APART = Channel([[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]])


@pytest.fixture(scope="module")
def sorted_files():
    found = []
    for rng in np.random.default_rng(1).spawn(60):
        secrets, seen = APART.sample(600, rng=rng)
        order = np.argsort(secrets, kind="stable")
        samples = Samples.of(secrets[order], seen[order])
        found.append(estimate(samples, GRADED, adversary="frequentist", confidence=CONFIDENCE))
    return found


def test_a_sorted_file_is_no_way_to_be_wrong(sorted_files):
    at = APART.posterior_vulnerability(GRADED)
    wrong = exits(sorted_files, [Budget("vulnerability", at + HAIR)]) == 1
    assert wrong.sum() <= allowed(1 - CONFIDENCE, len(sorted_files))
    assert np.mean([found.vulnerability.lower > 0.4 for found in sorted_files]) > 0.9


def test_bets_in_the_file_s_order_would_be_caught(sorted_files):
    """The twin bets on rows as they come: nearly all of its lower sides are above the truth."""
    at = APART.posterior_vulnerability(GRADED)
    alpha, wrong = (1 - CONFIDENCE) / 2, 0
    for found in sorted_files:
        [fold] = found.evidence.folds
        wrong += betting_interval(fold.gains, alpha=alpha, side="lower").lower > at
        assert lower_bound([fold], alpha) == found.vulnerability.lower
    assert wrong > allowed(1 - CONFIDENCE, len(sorted_files))
