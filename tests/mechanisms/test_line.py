"""Noise on a line against sums over the integers, SciPy's Laplace law and its privacy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gleak.errors import InputError
from gleak.mechanisms import epsilon, geometric, laplace

FAR = 20_000
"""Integers summed on either side: e^(−0.05·20000) is beyond double precision."""


def brute_force(centre: float, low: int, high: int, nu: float) -> np.ndarray:
    """Noise over a wide stretch of integers, what lies outside moved to the ends."""
    whole = np.arange(low - FAR, high + FAR + 1)
    weights = np.exp(-nu * np.abs(whole - centre))
    reported = np.clip(whole, low, high) - low
    return np.bincount(reported, weights) / weights.sum()


@settings(deadline=None, max_examples=25)
@given(
    nu=st.floats(0.05, 3),
    low=st.integers(-30, 30),
    width=st.integers(1, 40),
    share=st.floats(0, 1),
)
def test_truncated_noise_is_accumulated_at_the_ends(nu, low, width, share) -> None:
    centre = low + share * width
    row = geometric(range(low, low + width + 1), nu, centres=[centre, low]).matrix[0]
    assert row == pytest.approx(brute_force(centre, low, low + width, nu), abs=1e-12)


def test_renormalised_noise_is_the_same_inside() -> None:
    row = geometric(range(100), 0.1, centres=[0, 31.5], ends="renormalised").matrix[1]
    weights = np.exp(-0.1 * np.abs(np.arange(100) - 31.5))
    assert row == pytest.approx(weights / weights.sum())


def test_renormalised_noise_may_have_its_centre_far_outside() -> None:
    row = geometric(3, 2.0, centres=[-1e4, 0], ends="renormalised").matrix[0]
    weights = np.exp(-2.0 * np.arange(3))
    assert row == pytest.approx(weights / weights.sum())


@pytest.mark.parametrize("nu", [0.1, 1.0, 4.0])
def test_neighbouring_counts_are_as_private_as_promised(nu: float) -> None:
    # Differential privacy at distance one is a ratio of at most e^nu, reached.
    rows = geometric(range(50), nu).matrix
    assert np.abs(np.log(rows[1:] / rows[:-1])).max() == pytest.approx(nu)


def test_secrets_of_geometric_noise_are_the_outputs_or_numbered() -> None:
    channel = geometric(range(3, 6), 1.0, prior=[0.5, 0.25, 0.25])
    assert channel.secrets.tolist() == channel.observables.tolist() == [3, 4, 5]
    assert channel.prior.tolist() == [0.5, 0.25, 0.25]
    assert geometric(4, 1.0, centres=[1.5, 2.5]).secrets.tolist() == [0, 1]


@settings(deadline=None, max_examples=25)
@given(nu=st.floats(0.05, 3), steps=st.lists(st.floats(0.1, 5), min_size=1, max_size=8),
       share=st.floats(0, 1))  # fmt: skip
def test_laplace_noise_is_rounded_to_the_nearest_output(nu, steps, share) -> None:
    outputs = np.cumsum([-3.0, *steps])
    centre = outputs[0] + share * (outputs[-1] - outputs[0])
    between = (outputs[1:] + outputs[:-1]) / 2
    law = stats.laplace(centre, 1 / nu)
    for ends, borders in {
        "truncated": [-np.inf, *between, np.inf],
        "renormalised": [2 * outputs[0] - between[0], *between, 2 * outputs[-1] - between[-1]],
    }.items():
        row = laplace(outputs, nu, centres=[centre, 0.0], ends=ends).matrix[0]
        weights = np.diff(law.cdf(borders))
        assert row == pytest.approx(weights / weights.sum(), abs=1e-12)


def test_rounded_laplace_noise_is_not_geometric() -> None:
    nu = 0.8
    rounded, drawn = (
        laplace(range(-30, 31), nu).matrix[30],
        geometric(range(-30, 31), nu).matrix[30],
    )
    steps = rounded[31:60] / rounded[30:59], drawn[31:60] / drawn[30:59]
    assert steps[1] == pytest.approx(np.full(29, np.exp(-nu)))
    assert steps[0][1:] == pytest.approx(np.full(28, np.exp(-nu)))
    assert steps[0][0] == pytest.approx(np.exp(-nu) * (1 + np.exp(nu / 2)) / 2)


@pytest.mark.parametrize("nu", [0.1, 1.0, 4.0])
def test_rounding_costs_no_privacy(nu: float) -> None:
    line = np.arange(20.0)
    apart = np.abs(line[:, None] - line)
    assert epsilon(laplace(20, nu), apart) == pytest.approx(nu)
    assert epsilon(laplace(20, nu, ends="renormalised"), apart) > nu * (1 + 1e-6)


def test_laplace_noise_is_exact_far_away() -> None:
    row = laplace(range(600), 1.0).matrix[0]
    assert row[1:598] / row[2:599] == pytest.approx(np.full(597, np.e))
    assert np.log(row[500] / row[400]) == pytest.approx(-100.0)


def test_renormalised_laplace_noise_may_have_its_centre_far_outside() -> None:
    row = laplace(3, 2.0, centres=[-1e4, 0], ends="renormalised").matrix[0]
    weights = np.exp(-2.0 * np.arange(3))
    assert row == pytest.approx(weights / weights.sum())


def test_outputs_of_laplace_noise_are_any_that_grow() -> None:
    channel = laplace([0.0, 0.5, 10.0], 1.0, prior=[0.5, 0.25, 0.25])
    assert channel.secrets.tolist() == channel.observables.tolist() == [0.0, 0.5, 10.0]
    assert channel.prior.tolist() == [0.5, 0.25, 0.25]
    assert laplace(range(3, 6), 1.0).observables.tolist() == [3, 4, 5]
    assert laplace(3, 1.0, centres=[0.5, 7]).secrets.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: geometric(5, 0.0), "nu must be a positive number, got 0"),
        (lambda: geometric(5, np.nan), "nu must be a positive number"),
        (lambda: geometric(1, 1.0), "outputs must be at least two whole numbers in a row"),
        (lambda: geometric(range(0, 10, 2), 1.0), "two whole numbers in a row"),
        (lambda: geometric(5, 1.0, ends="cut"), "unknown ends 'cut'"),
        (lambda: geometric(5, 1.0, ends="truncate"), "did you mean 'truncated'"),
        (lambda: geometric(5, 1.0, centres=[[1.0]]), "centres must be a list of finite numbers"),
        (lambda: laplace(5, -1.0), "nu must be a positive number, got -1"),
        (lambda: laplace([1.0, 1.0], 1.0), r"outputs must be at least two numbers that grow, got"),
        (lambda: laplace([1.0], 1.0), r"at least two numbers that grow, got \[1\.0\]"),
        (lambda: laplace([0.0, np.inf], 1.0), "outputs must be a list of finite numbers"),
        (lambda: laplace(5, 1.0, ends="cut"), "unknown ends 'cut'"),
        (lambda: laplace(5, 1.0, centres=[np.nan]), "centres must be a list of finite numbers"),
        (lambda: geometric(5, 1.0, centres=[0, 9]), "from 0 to 4, the outputs, got 9; widen"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
