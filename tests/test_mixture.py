import numpy as np
import pytest

from gleak.bounds import clopper_pearson
from gleak.errors import InputError
from gleak.mixture import LEVELS, histogram, mixture_lower


def two_valued(ones, n):
    counts = np.zeros(LEVELS + 1)
    counts[0], counts[-1] = n - ones, ones
    return counts


def test_values_are_rounded_down_never_up():
    values = np.random.default_rng(0).uniform(-2, 3, 500)
    counts = histogram(values, low=-2, high=3)
    levels = -2 + 5 * np.arange(LEVELS + 1) / LEVELS
    assert counts.sum() == 500
    assert 0 <= values.mean() - counts @ levels / 500 <= 5 / LEVELS
    with pytest.raises(InputError, match=r"values must be in \[0, 1\]"):
        histogram([1.5], low=0, high=1)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.892, 0.995])
@pytest.mark.parametrize("n", [200, 5_000, 100_000])
def test_fixed_bets_are_at_most_twice_as_wide_as_the_exact_interval(share, n):
    ones = round(share * n)
    exact = clopper_pearson(np.repeat([1.0, 0.0], [ones, n - ones]), alpha=0.025, side="lower")
    found = mixture_lower([two_valued(ones, n)], alpha=0.025)
    assert share - 2 * (share - exact.lower) - 2 / n < found < exact.lower


def test_the_bound_moves_with_the_scale():
    counts = two_valued(60, 100)
    unit = mixture_lower([counts])
    assert mixture_lower([counts], low=-3, high=5) == pytest.approx(-3 + 8 * unit)


def test_folds_are_averaged_not_multiplied():
    """Two folds that are the same samples twice prove no more than one of them."""
    counts = two_valued(70, 100)
    assert mixture_lower([counts, counts]) == pytest.approx(mixture_lower([counts]), abs=1e-9)
    assert mixture_lower([2 * counts]) > mixture_lower([counts]) + 0.01
    weak = two_valued(50, 100)
    assert mixture_lower([weak]) < mixture_lower([counts, weak]) < mixture_lower([counts])


def test_nothing_seen_proves_nothing():
    assert mixture_lower([]) == 0
    assert mixture_lower([np.zeros(LEVELS + 1)], low=-1) == -1
    assert mixture_lower([two_valued(0, 50)]) < 1e-9
