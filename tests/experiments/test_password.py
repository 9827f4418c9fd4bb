"""Experiment 4: where the check stops, by simulation."""

import numpy as np
import pytest

from gleak.experiments import password


def test_stops_by_simulation() -> None:
    rng = np.random.default_rng(0)
    tries = rng.integers(2, size=(200_000, 121), dtype=np.int8)  # the bits after the seventh
    wrong = np.concatenate([tries == 0, np.ones((len(tries), 1), dtype=bool)], axis=1)
    stopped = np.minimum(7 + wrong.argmax(axis=1), 127)
    share = np.bincount(stopped, minlength=128) / len(tries)
    assert password.stops()[1] == pytest.approx(share, abs=5 * 0.5 / np.sqrt(len(tries)))
    assert password.stops()[0].argmax() == 6


def test_rows_are_distributions() -> None:
    assert password.stops().sum(axis=1).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("nu", "wanted"), [(0.1, 0.5456), (0.5, 0.6758), (1.0, 0.7831)])
def test_password_vulnerability_for_each_delay(nu: float, wanted: float) -> None:
    assert password.experiment(nu).vulnerability == pytest.approx(wanted, abs=5e-5)
