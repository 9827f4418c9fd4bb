"""Mechanisms against sums over the integers and against the properties they are deployed for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.errors import InputError
from gleak.mechanisms import exponential, geometric, randomised_response

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


@pytest.mark.parametrize("n", [2, 3, 10])
def test_randomised_response_keeps_its_odds(n: int) -> None:
    rows = randomised_response(n, 1.2).matrix
    assert np.diag(rows) == pytest.approx(np.full(n, np.exp(1.2) / (np.exp(1.2) + n - 1)))
    assert rows.max() / rows.min() == pytest.approx(np.exp(1.2))


def test_randomised_response_names_its_answers() -> None:
    channel = randomised_response(["never", "once"], 2.0, prior=[0.9, 0.1])
    assert channel.secrets.tolist() == channel.observables.tolist() == ["never", "once"]
    # Bayes vulnerability: max(.9p, .1(1−p)) + max(.9(1−p), .1p) with p = e²/(e² + 1) = .8808 < .9.
    assert channel.posterior_vulnerability() == pytest.approx(0.9)


def test_exponential_noise_decays_with_the_loss() -> None:
    loss = np.array([[0.0, 1.0, 5.0], [1e6, 1e6 + 1, 1e6]])
    channel = exponential(loss, 0.7, secrets=["here", "there"], observables=list("abc"))
    assert channel.matrix[0, 0] / channel.matrix[0, 2] == pytest.approx(np.exp(3.5))
    assert channel.matrix[1] == pytest.approx(np.array([1, np.exp(-0.7), 1]) / (2 + np.exp(-0.7)))
    assert channel.secrets.tolist() == ["here", "there"]


def test_exponential_noise_along_a_line_is_renormalised_geometric_noise() -> None:
    line = np.arange(6.0)
    both = exponential(np.abs(line[:, None] - line), 0.4), geometric(6, 0.4, ends="renormalised")
    assert both[0].matrix == pytest.approx(both[1].matrix)


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
        (lambda: geometric(5, 1.0, centres=[0, 9]), "from 0 to 4, the outputs, got 9; widen"),
        (lambda: randomised_response(3, -1.0), "epsilon must be a positive number, got -1"),
        (lambda: exponential([[0.0, 1.0]] * 2, np.inf), "rate must be a positive number"),
        (lambda: exponential([0.0, 1.0], 1.0), "the loss must be a matrix of finite numbers"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
