"""Random answers keep the odds they promise."""

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.mechanisms import exponential, geometric, randomised_response


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
        (lambda: randomised_response(3, -1.0), "epsilon must be a positive number, got -1"),
        (lambda: exponential([[0.0, 1.0]] * 2, np.inf), "rate must be a positive number"),
        (lambda: exponential([0.0, 1.0], 1.0), "the loss must be a matrix of finite numbers"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
