"""Experiment 1 against its formula."""

import numpy as np
import pytest

from gleak.experiments import experiment


def test_channel_is_the_formula() -> None:
    rows = experiment("multiple_guesses").system.channel.matrix
    y = np.arange(16_000)
    for secret in range(10):
        weights = np.exp(-0.002 * np.abs(1000 * secret + 3499.5 - y))
        assert rows[secret] == pytest.approx(weights / weights.sum(), rel=1e-12)


def test_vulnerability_is_that_of_the_two_likeliest() -> None:
    study = experiment("multiple_guesses")
    columns = np.sort(study.system.channel.matrix, axis=0)
    assert study.vulnerability == pytest.approx(columns[-2:].sum() / 10)
    assert study.payoff.n_guesses == 45
