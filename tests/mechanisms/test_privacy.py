"""Epsilon against the parameters that mechanisms promise."""

import numpy as np
import pytest
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.mechanisms import epsilon, exponential, geometric, randomised_response


@pytest.mark.parametrize("answers", [2, 5])
def test_randomised_response_is_as_private_as_asked_for(answers: int) -> None:
    assert epsilon(randomised_response(answers, 1.2)) == pytest.approx(1.2)


def test_geometric_noise_is_private_per_step_and_less_so_over_many() -> None:
    line = np.arange(7.0)
    channel = geometric(7, 0.3)
    assert epsilon(channel) == pytest.approx(6 * 0.3)
    assert epsilon(channel, np.abs(line[:, None] - line)) == pytest.approx(0.3)


def test_an_exponential_mechanism_is_at_most_twice_as_leaky_as_its_rate() -> None:
    rng = np.random.default_rng(0)
    loss = rng.random((6, 9))
    assert epsilon(exponential(loss, 0.7)) <= 2 * 0.7 * (loss.max(0) - loss.min(0)).max()


def test_an_observable_that_rules_a_secret_out_is_no_privacy_at_all() -> None:
    assert epsilon(Channel([[1, 0], [0.5, 0.5]])) == np.inf
    assert epsilon(Channel([[1, 0], [0.5, 0.5]]), [[0, 2], [2, 0]]) == np.inf


def test_what_nobody_ever_sees_tells_nothing() -> None:
    assert epsilon(Channel([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]])) == pytest.approx(np.log(2))
    assert epsilon(Channel([[0.5, 0.5], [0.5, 0.5]])) == 0.0


def test_secrets_in_one_place_must_not_be_told_apart() -> None:
    same = [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    rows = np.array([[0.5, 0.5], [0.5, 0.5], [0.25, 0.75]])
    assert epsilon(Channel(rows), same) == pytest.approx(np.log(2))
    assert epsilon(Channel(rows[[0, 2, 1]]), same) == np.inf
    assert epsilon(Channel([[0.5, 0.5], [0.5, 0.5]]), [[0, 0], [0, 0]]) == 0.0


def test_sparse_channels_have_the_same_epsilon() -> None:
    rows = np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]])
    assert epsilon(Channel(sparse.csr_array(rows))) == epsilon(Channel(rows))


def test_distances_are_between_secrets() -> None:
    with pytest.raises(InputError, match=r"distances must be a square matrix, .* got \(2, 3\)"):
        epsilon(Channel([[0.5, 0.5], [0.2, 0.8]]), np.ones((2, 3)))
