import numpy as np
import pytest

from gleak.betting import betting_interval
from gleak.errors import InputError
from gleak.learning_bounds import sample_complexity
from gleak.planning import plan


@pytest.mark.parametrize(("vulnerability", "precision"), [(0.9, 0.02), (0.5, 0.02), (0.02, 0.005)])
def test_as_many_samples_as_planned_are_as_precise_as_wanted(vulnerability, precision):
    found = plan(precision, vulnerability=vulnerability)
    rng = np.random.default_rng(0)
    margins = []
    for _ in range(40):
        gains = (rng.random(found.certify) < vulnerability).astype(float)
        lower = betting_interval(gains, alpha=0.025, side="lower").lower
        margins.append(gains.mean() - lower)
    assert 0.8 * precision < np.mean(margins) < 1.1 * precision


def test_the_worst_case_is_the_papers_corollary():
    found = plan(0.05, guesses=2, observables=4)
    expected = sample_complexity(0.05, 0.05, 16)
    assert (found.worst_train, found.worst_certify) == (expected.train, expected.validation)
    assert found.rules == 16


def test_small_deviations_and_wide_ranges_are_understood():
    assert plan(0.01, deviation=0.1).certify < plan(0.01).certify / 4
    scaled = plan(0.1, vulnerability=-1, low=-5, high=5)
    assert scaled.certify == plan(0.01, vulnerability=0.4).certify
    assert scaled.deviation == pytest.approx(10 * np.sqrt(0.24))


def test_a_certain_gain_needs_few():
    assert plan(0.05, vulnerability=1.0).certify < 300


def test_far_beyond_a_million_samples_are_extrapolated():
    assert plan(1e-4, vulnerability=0.5).certify > 100_000_000


def test_rules_too_many_to_write_down_are_planned_for_at_once():
    """45^(10^9) alone would fill 700 MB."""
    found = plan(0.01, guesses=45, observables=10**9)
    assert found.rules is None
    assert found.to_dict()["worst_case"]["rules"] == "about 2^5491853096"
    few, many = (plan(0.05, guesses=3, observables=n).worst_train for n in (1, 30))
    assert many > 5 * few
    assert many == sample_complexity(0.05, 0.05, 3**30).train


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"precision": 0}, "the precision must be between 0 and 1, got 0"),
        ({"precision": 2}, "the precision must be between 0 and 1, got 2"),
        ({"precision": 0.1, "vulnerability": 1.5}, r"the vulnerability must be in \[0, 1\]"),
        ({"precision": 0.1, "deviation": 0.6}, "the deviation must be between 0 and 0.5"),
        (
            {"precision": 0.1, "vulnerability": 0.9, "deviation": 0.4},
            "the deviation must be between 0 and 0.3, as gains that average 0.9 have it, got 0.4",
        ),
        ({"precision": 0.1, "vulnerability": 0, "deviation": 0.1}, "the deviation must be between"),
        ({"precision": 0.1, "confidence": 95}, "the confidence must be .* got 95; 95 % is 0.95"),
        ({"precision": 0.1, "guesses": 0}, "the number of guesses must be at least 1, got 0"),
        ({"precision": 0.1, "observables": 0}, "the number of observables must be at least 1"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        plan(**arguments)
