"""Experiment 2: where somebody is, behind the optimal location privacy mechanism."""

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from gleak.channel import Channel
from gleak.experiments._base import ChannelSystem, Experiment
from gleak.experiments.study import Study, comparison
from gleak.gain import Distance
from gleak.observables import Observables
from gleak.mechanisms import least_loss
from gleak.payoff import Floats

CELL = 250.0
"""Side of a cell, in metres."""

CENTRE = 37.755, -122.440
"""Latitude and longitude of the middle of the region."""

_EARTH = 6_378_137.0
"""The earth's radius, in metres."""

GAIN = Distance(CELL, ("east", "north"), peak=4, rate=0.95, step=1)
"""4 for the cell itself, 2 beside it, 1 across a corner and two cells away, else 0."""


@cache
def experiment(max_vulnerability: float = 2.0, max_distance: float = 500.0) -> Experiment:
    """The cell of a check-in, seen through the mechanism of least expected distance.

    Secrets are all 400 cells, numbered eastwards and then northwards, as any of them may be
    guessed; 103 have prior zero. The attacker is shown the centre of the reported cell. The
    mechanism is bounded in its posterior vulnerability and never reports further than
    ``max_distance``; its optimum is not unique, and a solver is free to return another one.

    >>> experiment().prior.size, round(experiment().vulnerability, 6)
    (400, 2.0)
    """
    return Experiment(
        name="location",
        system=ChannelSystem(mechanism(max_vulnerability, max_distance), Observables.of(centres())),
        gain=GAIN,
        sizes=(100, 1_000, 10_000),
    )


def study() -> Study:
    """The paper's comparison of attackers on it."""
    return comparison(experiment(), "Location privacy")


def mechanism(max_vulnerability: float, max_distance: float) -> Channel:
    """The channel between cells: least expected distance for a bounded vulnerability."""
    distances = distances_between_cells()
    return least_loss(
        checkins().ravel() / checkins().sum(),
        GAIN,
        distances,
        max_vulnerability=max_vulnerability,
        allowed=distances <= max_distance,
        attributes=centres(),
    )


def distances_between_cells() -> Floats:
    """Metres between the centres of every two cells."""
    points = np.stack(list(centres().values()), axis=1)
    return np.linalg.norm(points[:, None] - points, axis=2)


def centres() -> dict[str, Floats]:
    """Metres from the middle of the region to the centre of each cell."""
    rows, columns = checkins().shape
    north, east = np.indices((rows, columns)).reshape(2, -1)
    return {
        "east": (east - (columns - 1) / 2) * CELL,
        "north": (north - (rows - 1) / 2) * CELL,
    }


def borders() -> tuple[Floats, Floats]:
    """Degrees of latitude between the rows of cells, and of longitude between the columns.

    >>> [ends.round(3).tolist() for ends in np.array(borders())[:, [0, -1]]]
    [[37.733, 37.777], [-122.468, -122.412]]
    """
    latitude, longitude = CENTRE
    rows, columns = (CELL * (np.arange(cells + 1) - cells / 2) for cells in checkins().shape)
    parallel = _EARTH * np.cos(np.radians(latitude))
    return latitude + np.degrees(rows / _EARTH), longitude + np.degrees(columns / parallel)


def gains_nearby(reach: int = 3) -> Floats:
    """What guesses earn up to so many cells from the secret, which is in the middle.

    >>> gains_nearby(reach=1)
    array([[1., 2., 1.],
           [2., 4., 2.],
           [1., 2., 1.]])
    """
    side = 2 * reach + 1
    north, east = CELL * np.indices((side, side)).reshape(2, -1)
    cells = np.arange(side**2)
    payoff = GAIN.bind(cells, {"east": east, "north": north})
    return payoff.value(cells, np.full_like(cells, side**2 // 2)).reshape(side, side)


@cache
def checkins() -> NDArray[np.int64]:
    """Check-ins per cell: the first row is the southernmost, the first column the westernmost."""
    table = files("gleak.experiments") / "data" / "gowalla_sf_cells.csv"
    with table.open() as lines:
        return np.loadtxt(lines, delimiter=",", dtype=np.int64)
