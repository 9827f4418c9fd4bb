"""Intervals and bounds against their formulas, other implementations and their own symmetry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from gleak.betting import betting_interval
from gleak.bounds import (
    Interval,
    bernstein,
    best_rule_upper,
    clopper_pearson,
    cover_hart,
    difference,
    empirical_bernstein,
    hoeffding,
    per_side,
    ratio,
    to_unit,
)
from gleak.errors import InputError


def known_variance(gains, **options):
    low, high = options.get("low", 0.0), options.get("high", 1.0)
    return bernstein(gains, (high - low) ** 2 / 8, **options)


MEANS = {
    "hoeffding": hoeffding,
    "bernstein": known_variance,
    "empirical Bernstein": empirical_bernstein,
    "Clopper-Pearson": clopper_pearson,
    "betting": betting_interval,
}
every_mean = pytest.mark.parametrize("method", MEANS.values(), ids=MEANS.keys())

GAINS = np.array([1.0] * 70 + [0.0] * 30)[np.random.default_rng(3).permutation(100)]
"""Seventy of a hundred, in an order without meaning."""


@every_mean
def test_two_sides_are_the_two_one_sided_bounds_at_half_alpha(method):
    both = method(GAINS, alpha=0.1)
    lower, upper = (method(GAINS, alpha=0.05, side=side) for side in ("lower", "upper"))
    assert (both.lower, both.upper) == (lower.lower, upper.upper)
    assert (lower.upper, upper.lower) == (1.0, 0.0)
    assert 0.45 < both.lower < 0.7 < both.upper < 0.95
    assert both.alpha == 0.1
    assert lower.confidence == 0.95


@every_mean
def test_another_range_is_another_unit(method):
    unit = method(GAINS)
    stretched = method(-2 + 5 * GAINS, low=-2, high=3)
    assert stretched.lower == pytest.approx(-2 + 5 * unit.lower, abs=1e-12)
    assert stretched.upper == pytest.approx(-2 + 5 * unit.upper, abs=1e-12)


@every_mean
def test_losses_mirror_gains(method):
    gains, losses = method(GAINS), method(1 - GAINS)
    assert losses.lower == pytest.approx(1 - gains.upper, abs=1e-9)
    assert losses.upper == pytest.approx(1 - gains.lower, abs=1e-9)


@every_mean
def test_a_range_of_one_point_leaves_nothing_open(method):
    found = method([2.5, 2.5, 2.5], low=2.5, high=2.5)
    assert (found.lower, found.upper) == (2.5, 2.5)


@every_mean
def test_integers_and_booleans_are_gains(method):
    assert method(GAINS.astype(int)) == method(GAINS > 0.5) == method(GAINS)


@every_mean
@pytest.mark.parametrize(
    ("gains", "options", "message"),
    [
        ([], {}, "the number of samples must be at least 1, got 0"),
        ([0, 1, math.nan], {}, r"gain 2 must be in \[0, 1\], got nan"),
        ([0, 1.01], {}, r"gain 1 must be in \[0, 1\], got 1.01"),
        ([-1, 1], {"low": 0, "high": 4}, r"gain 0 must be in \[0, 4\], got -1"),
        ([[0, 1]], {}, r"gains must be one number per sample, got an array of shape \(1, 2\)"),
        ([0, 1], {"alpha": 0.0}, "alpha, 1 − confidence, must be between 0 and 1, both .*got 0.0"),
        ([0, 1], {"alpha": 1}, "between 0 and 1"),
        ([0, 1], {"alpha": math.nan}, "between 0 and 1"),
        ([0, 1], {"side": "left"}, "side must be one of both, lower, upper, got 'left'"),
        ([0, 1], {"low": 1, "high": 0}, r"the range of gains must be finite.*got \[1, 0\]"),
        ([0, 1], {"high": math.inf}, "the range of gains must be finite"),
    ],
)
def test_what_is_refused(method, gains, options, message):
    with pytest.raises(InputError, match=message):
        method(gains, **options)


def test_rounding_alone_is_no_gain_outside_the_range():
    assert to_unit([0.1 + 0.2], low=0, high=0.3).tolist() == [1.0]


def test_hoeffding_is_its_formula():
    # 95 %, one side, n = 100: √(ln 20 / 200) = 0.12239
    assert hoeffding(GAINS, side="lower").lower == pytest.approx(0.7 - 0.122387, abs=1e-6)


def test_bernstein_inverts_the_tail_of_the_lemma():
    found = bernstein(GAINS * 4, 3.0, low=0, high=4, side="lower", alpha=0.01)
    epsilon = 2.8 - found.lower
    assert math.exp(-100 * epsilon**2 / (2 * 3 + 2 * 4 * epsilon / 3)) == pytest.approx(0.01)


@pytest.mark.parametrize("variance", [-0.1, 0.26, math.nan])
def test_a_variance_no_such_gains_have_is_refused(variance):
    with pytest.raises(InputError, match=r"the variance must be in \[0, 0.25\]"):
        bernstein(GAINS, variance)


def test_a_variance_near_zero_leaves_the_range_term_only():
    # ε = (L/3 + L/3)/n with L = ln 20
    found = bernstein([0.5] * 100, 0.0, side="upper")
    assert found.upper == pytest.approx(0.5 + 2 * math.log(20) / 300)


def test_empirical_bernstein_is_its_formula():
    # V = 100/99 · 0.21; ln(2/0.05) = 3.688879
    margin = math.sqrt(2 * 0.21 / 99 * 3.688879) + 7 * 3.688879 / (3 * 99)
    assert empirical_bernstein(GAINS, side="upper").upper == pytest.approx(0.7 + margin, abs=1e-6)


def test_one_sample_has_no_variance():
    found = empirical_bernstein([3.0], low=0, high=4)
    assert (found.lower, found.upper) == (0, 4)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 400), st.data(), st.floats(0.001, 0.5))
def test_clopper_pearson_agrees_with_scipy(n, data, alpha):
    wins = data.draw(st.integers(0, n))
    found = clopper_pearson([1] * wins + [0] * (n - wins), alpha=alpha)
    other = binomtest(wins, n).proportion_ci(1 - alpha, method="exact")
    assert found.lower == pytest.approx(other.low, abs=1e-9)
    assert found.upper == pytest.approx(other.high, abs=1e-9)


def test_clopper_pearson_of_no_win():
    # (1 − u)^n = α
    assert clopper_pearson([0] * 20, side="upper").upper == pytest.approx(1 - 0.05**0.05)


def test_clopper_pearson_takes_two_values_only():
    with pytest.raises(InputError, match=r"gain 1 must be either 0 or 2, got 1\.0; .*betting"):
        clopper_pearson([0.0, 1.0, 2.0], low=0, high=2)


def test_halves_of_alpha():
    assert per_side(0.05, "both") == 0.025
    assert per_side(0.05, "upper") == 0.05


# The best rule in hindsight


def test_mcdiarmid_form():
    found = best_rule_upper(1.5, 800, low=1, high=3, form="mcdiarmid", alpha=0.1)
    assert found.upper == pytest.approx(1.5 + 2 * math.sqrt(math.log(10) / 1600))
    assert (found.lower, found.reason) == (1, "")


def test_self_bounding_form_solves_its_tail():
    found = best_rule_upper(0.06, 1000, low=0, high=2, form="self-bounding", alpha=0.01)
    total, expected = 1000 * 0.03, 1000 * found.upper / 2
    assert math.exp(-((expected - total) ** 2) / (2 * expected)) == pytest.approx(0.01)


def test_the_self_bounding_slack_of_a_small_vulnerability():
    # √(L/2n) = .005473 against (L + √(L² + 2·50·L))/n = .000412, with L = ln 20
    slack = {
        form: best_rule_upper(0.001, 50_000, form=form).upper - 0.001
        for form in ("mcdiarmid", "self-bounding", "better")
    }
    assert slack["mcdiarmid"] / slack["self-bounding"] == pytest.approx(13.3, abs=0.05)
    assert slack["self-bounding"] < slack["better"] < slack["mcdiarmid"]


@settings(deadline=None, max_examples=50)
@given(st.floats(0, 1), st.integers(1, 10**6), st.floats(0.001, 0.5))
def test_the_better_form_pays_for_its_choice(statistic, n, alpha):
    halves = [
        best_rule_upper(statistic, n, form=form, alpha=alpha / 2).upper
        for form in ("mcdiarmid", "self-bounding")
    ]
    assert best_rule_upper(statistic, n, alpha=alpha).upper == pytest.approx(min(halves))


def test_rules_that_always_fit_prove_no_upper_bound():
    found = best_rule_upper(2.9, 50, high=3)
    assert found.upper == math.inf
    assert found.lower == 0
    assert "earns 2.9 on 50 samples" in found.reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"statistic": 1.2}, r"the best rule's gain must be in \[0, 1\], got 1.2"),
        ({"statistic": math.nan}, "the best rule's gain must be in"),
        ({"n": 0}, "the number of samples must be at least 1, got 0"),
        ({"alpha": 2}, "between 0 and 1"),
        ({"form": "best"}, "form must be one of better, mcdiarmid, self-bounding, got 'best'"),
        ({"low": 2}, "low ≤ high"),
    ],
)
def test_what_the_best_rule_refuses(arguments, message):
    with pytest.raises(InputError, match=message):
        best_rule_upper(**{"statistic": 0.5, "n": 100, **arguments})


# Cover and Hart


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("risk", [0.0, 0.1, 0.4])
def test_cover_hart_inverts_the_largest_error_of_the_nearest_neighbour(classes, risk):
    error = risk * (2 - classes / (classes - 1) * risk)  # their upper bound on the 1-NN error
    assert cover_hart(error, classes) == pytest.approx(1 - risk)


def test_cover_hart_at_its_ends():
    assert cover_hart(0.9, 2) == 0.5  # worse than blind: all it says is that V ≥ 1/K
    assert cover_hart(0.0, 1) == 1.0
    assert cover_hart(0.375, 2, scale=4, shift=-1) == 2.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1.2, 2), r"the error of the nearest neighbour must be in \[0, 1\], got 1.2"),
        ((math.nan, 2), "the error of the nearest neighbour"),
        ((0.5, 0), "the number of classes must be at least 1, got 0"),
    ],
)
def test_what_cover_hart_refuses(arguments, message):
    with pytest.raises(InputError, match=message):
        cover_hart(*arguments)


def test_cover_hart_refuses_a_negative_scale():
    with pytest.raises(InputError, match="the scale of the gain must be finite and not negative"):
        cover_hart(0.1, 2, scale=-1)


# Ratios and differences

ends = st.tuples(st.integers(-8, 8), st.integers(-8, 8)).map(sorted)


@settings(deadline=None, max_examples=300)
@given(ends, ends)
def test_ratios_and_differences_hold_what_their_parts_hold_and_no_more(one, other):
    """The attained ends, by trying every pair of points of a fine grid of both intervals."""
    first, second = Interval(*map(float, one), 0.02), Interval(*map(float, other), 0.03)
    grid = np.linspace(0, 1, 33)
    x = first.lower + grid * first.width
    y = second.lower + grid * second.width
    gap = difference(first, second)
    assert (gap.lower, gap.upper) == ((x[:, None] - y).min(), (x[:, None] - y).max())
    quotient = ratio(first, second)
    assert quotient.alpha == gap.alpha == 0.05
    if second.lower > 0 or second.upper < 0:
        every = x[:, None] / y
        assert quotient.lower == pytest.approx(every.min())
        assert quotient.upper == pytest.approx(every.max())
        assert quotient.reason == ""
    else:
        every = x[:, None] / y[y != 0]
        assert (quotient.lower <= every).all()
        assert (quotient.upper >= every).all()
        assert "denominator" in quotient.reason


@pytest.mark.parametrize(
    ("numerator", "denominator", "lower", "upper", "reason"),
    [
        ((1, 2), (0, 4), 0.25, math.inf, "may be zero"),
        ((-2, -1), (0, 4), -math.inf, -0.25, "may be zero"),
        ((-2, 1), (0, 4), -math.inf, math.inf, "may be zero"),
        ((0, 0), (0, 4), 0, 0, "may be zero"),
        ((1, 2), (-4, 0), -math.inf, -0.25, "may be zero"),
        ((1, 2), (-4, -1), -2, -0.25, ""),
        ((1, 2), (-1, 4), -math.inf, math.inf, "sign is not settled"),
        ((1, 2), (0, 0), -math.inf, math.inf, "value is zero"),
        ((1, math.inf), (1, 2), 0.5, math.inf, ""),
        ((1, math.inf), (0, 2), 0.5, math.inf, "may be zero"),
    ],
)
def test_denominators_that_reach_zero(numerator, denominator, lower, upper, reason):
    found = ratio(Interval(*numerator, 0.0), Interval(*denominator, 0.0))
    assert (found.lower, found.upper) == (lower, upper)
    assert reason in found.reason
    assert bool(found.reason) == bool(reason)


def test_reasons_of_the_parts_are_kept():
    unproven = Interval(0.2, math.inf, 0.05, "no upper bound")
    assert difference(unproven, Interval.point(0.1)).reason == "no upper bound"
    assert difference(unproven, Interval.point(0.1)).upper == math.inf
    both = ratio(unproven, Interval(0.0, 1.0, 0.05))
    assert both.reason == "no upper bound; the denominator may be zero"


def test_a_point_is_known():
    assert Interval.point(0.3) == Interval(0.3, 0.3, 0.0)
    assert 0.3 in Interval.point(0.3)
    assert 0.31 not in Interval.point(0.3)
    assert Interval(0, 1, 0.7).alpha + Interval(0, 1, 0.7).confidence == 1
    assert difference(Interval(0, 1, 0.7), Interval(0, 1, 0.7)).alpha == 1.0
