"""The betting interval against a gambler played sample by sample, and its sequence against it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.betting import betting_interval, betting_sequence
from gleak.errors import InputError


def gambler(gains, mean, alpha, anytime):
    """The largest capital on the way when betting that the mean is above ``mean``: in loops."""
    capital = best = 1.0
    seen, squares = 0.5, 0.25
    for position, gain in enumerate(gains):
        t = position + 1
        horizon = t * math.log(1 + t) if anytime else len(gains)
        bet = math.sqrt(2 * math.log(1 / alpha) / (squares / t * horizon))
        capital *= 1 + min(bet, 0.75 / mean) * (gain - mean)
        best = max(best, capital)
        seen += gain
        squares += (gain - seen / (t + 1)) ** 2
    return best


def refuted_up_to(gains, alpha, anytime):
    """The end of the refuted means on a grid, without assuming that they are an interval."""
    grid = np.arange(1, 1000) / 1000
    refuted = np.array([gambler(gains, mean, alpha, anytime) >= 1 / alpha for mean in grid])
    assert (np.diff(refuted.astype(int)) <= 0).all(), "the capital must fall as the mean grows"
    return grid[refuted.sum() - 1] if refuted.any() else 0.0


gain_lists = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=40)


@settings(deadline=None, max_examples=15)
@given(gain_lists, st.sampled_from([0.05, 0.5]))
def test_the_interval_refutes_what_the_gambler_does(gains, alpha):
    lower = betting_interval(gains, alpha=alpha, side="lower").lower
    assert 0 <= lower - refuted_up_to(gains, alpha, anytime=False) < 0.001 + 1e-9
    upper = betting_interval(gains, alpha=alpha, side="upper").upper
    mirrored = refuted_up_to([1 - gain for gain in gains], alpha, anytime=False)
    assert 0 <= 1 - upper - mirrored < 0.001 + 1e-9


@settings(deadline=None, max_examples=10)
@given(gain_lists)
def test_the_sequence_refutes_what_the_gambler_does(gains):
    lower = betting_sequence(gains, [len(gains)], alpha=0.2, side="lower").lower[0]
    assert 0 <= lower - refuted_up_to(gains, 0.2, anytime=True) < 0.001 + 1e-9


def test_one_sample_by_hand():
    # Bet min(√(2 ln 2/.25), .75/m) = .75/m at the end: 1 + .75/m·(1 − m) = 2 where m = 3/7.
    assert betting_interval([1], alpha=0.5, side="lower").lower == pytest.approx(3 / 7, abs=1e-11)


def test_bounds_are_on_the_safe_side():
    gains = np.random.default_rng(0).random(50)
    lower = betting_interval(gains, alpha=0.1, side="lower").lower
    assert gambler(gains, lower, 0.1, anytime=False) >= 10 * (1 - 1e-9)
    assert gambler(gains, lower + 1e-9, 0.1, anytime=False) < 10


def test_nothing_is_refuted_by_losses_alone():
    assert betting_interval([0] * 30, side="lower").lower == 0
    assert betting_interval([1] * 30, side="upper").upper == 1


def test_a_sequence_narrows_and_forgets_nothing():
    gains = np.random.default_rng(1).random(400)
    found = betting_sequence(gains, np.arange(1, 401, 7), low=-1, high=2)
    assert (np.diff(found.lower) >= 0).all()
    assert (np.diff(found.upper) <= 0).all()
    assert found.lower[-1] < gains.mean() < found.upper[-1]
    assert found.lower[0] == -1
    assert found.interval().width < 0.9


def test_a_bound_depends_on_neither_other_looks_nor_the_future():
    gains = np.random.default_rng(2).random(300)
    whole = betting_sequence(gains, [50, 200, 300])
    early = betting_sequence(gains[:200], [200])
    assert whole.interval(1) == early.interval()


def test_looking_at_any_time_costs_width():
    gains = np.random.default_rng(4).random(1000)
    assert betting_interval(gains).width < betting_sequence(gains, [1000]).interval().width


def test_a_sequence_has_sides_too():
    gains = np.random.default_rng(5).random(200)
    both = betting_sequence(gains, [200], alpha=0.1)
    lower = betting_sequence(gains, [200], alpha=0.05, side="lower")
    assert (lower.lower[0], lower.upper[0]) == (both.lower[0], 1.0)


def test_gains_that_drift_refute_every_mean_and_it_is_said():
    found = betting_interval([1] * 1000 + [0] * 1000)
    assert found.lower > found.upper
    assert found.reason.startswith("the gains refute every mean")
    assert betting_interval([1, 0] * 1000).reason == ""


@pytest.mark.parametrize("times", [[], [0, 1], [2, 1], [2, 2], [1, 4], [[1, 2]]])
def test_times_are_rising_numbers_of_samples(times):
    with pytest.raises(InputError, match="times must be rising numbers from 1 to 3"):
        betting_sequence([0, 1, 1], times)
