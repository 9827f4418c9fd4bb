"""Experiment 2: the grid, the gain and the mechanism."""

import numpy as np
import pytest

from gleak.experiments import experiment, location
from gleak.mechanisms import expected_loss


def test_loss_is_the_least() -> None:
    channel = experiment("location").system.channel
    distances = location.distances_between_cells()
    assert expected_loss(channel, distances) == pytest.approx(237.642, abs=5e-4)
    assert (channel.matrix[distances > 500] == 0).all()


def test_cells_are_numbered_from_the_south_west() -> None:
    centres = location.centres()
    assert (centres["east"][0], centres["north"][0]) == (-2375.0, -2375.0)
    assert (centres["east"][1], centres["north"][1]) == (-2125.0, -2375.0)
    assert (centres["east"][-1], centres["north"][-1]) == (2375.0, 2375.0)
    assert location.checkins().sum() == 35_153
    assert (location.checkins() == 0).sum() == 103


def test_gain_falls_from_four_to_nothing() -> None:
    gains = experiment("location").payoff.matrix().reshape(400, 20, 20)
    assert gains[10 * 20 + 10, 7:14, 7:14].tolist() == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 0, 0, 0],
        [0, 0, 1, 2, 1, 0, 0],
        [0, 1, 2, 4, 2, 1, 0],
        [0, 0, 1, 2, 1, 0, 0],
        [0, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_observables_are_the_reported_cell_s_centre() -> None:
    study = experiment("location")
    samples = study.sample(500, rng=0)
    assert samples.observables.names == ["east", "north"]
    truth = np.stack([samples.attributes[name][samples.codes] for name in ("east", "north")], 1)
    assert np.linalg.norm(samples.observables.matrix() - truth, axis=1).max() <= 500
