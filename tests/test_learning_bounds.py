"""The paper's bounds against numerical integration of their tails, and against simulation."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from gleak.errors import InputError
from gleak.learning_bounds import (
    expected_learning_error,
    expected_validation_error,
    learning_tail,
    sample_complexity,
    validation_tail,
)


def test_the_first_inequality():
    # 2·exp(−1000·.0025/(2·.1 + 2·2·.05/3)), range 2
    assert validation_tail(0.05, 1000, variance=0.1, low=-1, high=1) == pytest.approx(
        2 * math.exp(-2.5 / (0.2 + 0.2 / 3))
    )


def test_the_first_inequality_averages_over_training_sets():
    apart = [validation_tail(0.1, 500, variance=variance) for variance in (0.05, 0.2)]
    assert validation_tail(0.1, 500, variance=[0.05, 0.2]) == pytest.approx(np.mean(apart))


def test_the_second_inequality():
    # 2·Σ exp(−5000·.01/(8σ_f² + 4·.1/3))
    exponents = [-50 / (8 * variance + 0.4 / 3) for variance in (0.05, 0.1, 0.25)]
    assert learning_tail(0.1, 5000, 3, variance=[0.05, 0.1, 0.25]) == pytest.approx(
        2 * sum(map(math.exp, exponents))
    )
    assert learning_tail(0.1, 5000, 3, variance=0.25) == pytest.approx(6 * math.exp(exponents[2]))


def test_the_second_inequality_is_the_first_at_half_epsilon_for_one_rule():
    assert learning_tail(0.2, 700, 1, variance=0.2) == pytest.approx(
        validation_tail(0.1, 700, variance=0.2)
    )


def test_without_a_variance_the_largest_there_is():
    assert validation_tail(0.1, 300) == validation_tail(0.1, 300, variance=0.25)
    assert learning_tail(0.8, 3000, 5, high=4) == learning_tail(0.8, 3000, 5, variance=4, high=4)
    assert expected_validation_error(300) == expected_validation_error(300, variance=0.25)


def test_classes_of_any_size():
    huge = 45**16000  # every rule of the paper's first experiment: no float holds it
    assert learning_tail(0.1, 10_000, huge) == 1.0
    assert expected_learning_error(10_000, huge) == 1.0
    assert sample_complexity(0.1, 0.05, huge).train > 16_000 * math.log(45) * 200


def test_probabilities_and_errors_know_their_trivial_bounds():
    assert validation_tail(0.001, 10) == 1.0
    assert expected_validation_error(1, high=3) == 3.0
    assert expected_learning_error(10, 1000, high=3) == 3.0


@pytest.mark.parametrize("variance", [0.002, 0.1, 0.25])
@pytest.mark.parametrize("n", [200, 50_000])
def test_the_theorem_bounds_the_integral_of_the_propositions_tails(variance, n):
    def over(tail):
        return quad(tail, 0, variance)[0] + quad(tail, variance, 1, limit=200)[0]

    validation = over(lambda e: 2 * math.exp(-n * e**2 / (2 * variance + 2 * e / 3)))
    learning = over(lambda e: 2 * math.exp(-n * e**2 / (8 * variance + 4 * e / 3)))
    assert validation <= expected_validation_error(n, variance=variance)
    assert learning <= expected_learning_error(n, 1, variance=variance)


@pytest.mark.parametrize("variance", [0.001, 0.02, 0.25])
def test_the_theorem_is_the_two_integrals_of_its_proof(variance):
    n, m, rules = 3000, 40_000, 4
    eta = 1 + 1 / 3

    def integrals(slow, fast):
        far = quad(lambda e: 2 * math.exp(-e / slow), variance, math.inf)[0]
        near = quad(lambda e: 2 * math.exp(-(e**2) / fast), 0, variance, epsabs=1e-13, limit=200)
        return far + near[0]

    assert expected_validation_error(n, variance=variance) == pytest.approx(
        integrals(2 * eta / n, 2 * variance * eta / n)
    )
    assert expected_learning_error(m, rules, variance=variance) == pytest.approx(
        rules * integrals(4 * (1 + eta) / m, 4 * (1 + eta) * variance / m)
    )


def test_the_printed_statement_is_smaller_than_its_proof_supports():
    n, variance, eta = 1000, 0.01, 4 / 3
    radius = math.sqrt(2 * variance * eta / n)
    printed = 4 * eta / n * math.exp(-n * variance / (2 * eta)) + radius * math.sqrt(
        math.pi
    ) * math.erf(variance / (radius * math.sqrt(math.pi)))
    assert printed < 0.95 * expected_validation_error(n, variance=variance)


def test_a_gain_that_never_varies():
    # Only the linear tail is left: 4η/n
    assert expected_validation_error(100, variance=0) == pytest.approx(4 * (4 / 3) / 100)


def test_the_corollary():
    found = sample_complexity(0.1, 0.05, 1000, validation_delta=0.02, variance=0.2, high=2)
    # (1.6 + 4·2·.1/3)/.01 · ln(2000/.03) and (.4 + 2·2·.1/3)/.01 · ln(2/.02)
    assert found.train == math.ceil((1.6 + 0.8 / 3) / 0.01 * math.log(2000 / 0.03))
    assert found.validation == math.ceil((0.4 + 0.4 / 3) / 0.01 * math.log(100))
    assert found.total == found.train + found.validation
    assert found.total_error == 0.2


def test_the_sizes_are_enough_and_no_larger():
    found = sample_complexity(0.05, 0.1, 64, variance=0.15)
    spent = found.delta - found.validation_delta
    assert learning_tail(0.05, found.train, 64, variance=0.15) <= spent
    assert learning_tail(0.05, found.train - 1, 64, variance=0.15) > spent
    assert validation_tail(0.05, found.validation, variance=0.15) <= found.validation_delta
    assert validation_tail(0.05, found.validation - 1, variance=0.15) > found.validation_delta


@pytest.mark.parametrize(("variance", "high"), [(0.01, 1), (0.25, 1), (3, 4)])
def test_no_other_split_needs_fewer_samples(variance, high):
    best = sample_complexity(0.1, 0.05, 16, variance=variance, high=high)
    splits = np.linspace(0.0005, 0.0495, 99)
    others = [
        sample_complexity(0.1, 0.05, 16, validation_delta=split, variance=variance, high=high).total
        for split in splits
    ]
    assert best.total <= min(others) + 1  # rounding up
    assert abs(splits[np.argmin(others)] - best.validation_delta) < 0.002


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: validation_tail(0, 10), "epsilon must be a positive number, got 0"),
        (lambda: validation_tail(math.nan, 10), "epsilon must be a positive number, got nan"),
        (lambda: validation_tail(0.1, 0), "the number of validation samples must be at least 1"),
        (lambda: learning_tail(0.1, 0, 2), "the number of training samples must be at least 1"),
        (lambda: learning_tail(0.1, 10, 0), "the number of rules must be at least 1, got 0"),
        (
            lambda: learning_tail(0.1, 10, 3, variance=[0.1, 0.2]),
            "variance must be one number, or one for each of 3 rules, got 2",
        ),
        (lambda: validation_tail(0.1, 10, variance=0.3), r"the variance must be in \[0, 0.25\]"),
        (lambda: validation_tail(0.1, 10, low=1), "the range of gains must be more than a point"),
        (lambda: expected_validation_error(0), "at least 1"),
        (lambda: expected_learning_error(0, 2), "at least 1"),
        (lambda: expected_learning_error(5, 0), "at least 1"),
        (lambda: sample_complexity(0.1, 1.5, 2), "between 0 and 1"),
        (
            lambda: sample_complexity(0.1, 0.05, 2, validation_delta=0.05),
            "validation_delta must be between 0 and delta = 0.05, got 0.05",
        ),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
