"""Experiment 2: the grid, the gain and the mechanism."""

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.experiments import experiment, location
from gleak.mechanisms import expected_loss, least_loss


def test_loss_is_the_least() -> None:
    channel = experiment("location").system.channel
    distances = location.GRID.distances
    assert expected_loss(channel, distances) == pytest.approx(237.642, abs=5e-4)
    assert (channel.matrix[distances > 500] == 0).all()


@pytest.mark.parametrize("unit", [1e-3, 1e9], ids=["kilometres", "nanometres"])
def test_the_unit_of_length_does_not_matter(unit) -> None:
    distances = location.GRID.distances
    counts = location.checkins().ravel()
    channel = least_loss(
        counts / counts.sum(),
        location.GAIN,
        distances * unit,
        max_vulnerability=2.0,
        allowed=distances <= 500,
        attributes=location.GRID.centres,
    )
    assert expected_loss(channel, distances) == pytest.approx(237.642, abs=5e-4)
    assert channel.posterior_vulnerability(location.GAIN) == pytest.approx(2.0, abs=1e-6)


def test_cells_are_numbered_from_the_south_west() -> None:
    centres = location.GRID.centres
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


def test_any_square_can_be_studied() -> None:
    counts = np.array([[9, 1, 0], [3, 3, 4]])
    town = location.experiment_on(counts, side=100, max_vulnerability=2.5, max_distance=150)
    assert town.prior == pytest.approx(counts.ravel() / 20)
    assert town.payoff.matrix()[0].tolist() == [4, 2, 1, 2, 1, 0]
    assert town.vulnerability == pytest.approx(2.5, abs=1e-6)
    assert {"east", "north"} == set(town.sample(50, rng=0).observables.names)
    apart = town.system.channel.matrix[0, [2, 5]]
    assert apart.tolist() == [0, 0]


@pytest.mark.parametrize("counts", [np.zeros((2, 2)), np.ones(4)])
def test_a_square_where_nobody_was_is_not_studied(counts) -> None:
    with pytest.raises(InputError, match="take a square in which somebody checked in"):
        location.experiment_on(counts, side=100)
