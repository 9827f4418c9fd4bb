"""Experiment 2: where somebody is, behind the optimal location privacy mechanism."""

from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.experiments._base import ChannelSystem, Experiment
from gleak.experiments.checkins import Counts, Square
from gleak.experiments.study import Study, comparison
from gleak.gain import Distance
from gleak.mechanisms import Grid, least_loss
from gleak.observables import Observables
from gleak.payoff import Floats

SAN_FRANCISCO = Square(37.755, -122.440, side=250, cells=20)
"""Where the paper's check-ins are."""

GRID = Grid(SAN_FRANCISCO.cells, SAN_FRANCISCO.cells, SAN_FRANCISCO.side)
"""Its cells; distances are metres in the plane."""

GAIN = Distance(GRID.side, ("east", "north"), peak=4, rate=0.95, step=1)
"""4 for the cell itself, 2 beside it, 1 across a corner and two cells away, else 0."""


@cache
def experiment(max_vulnerability: float = 2.0, max_distance: float = 500.0) -> Experiment:
    """The cell of a check-in in San Francisco, behind a mechanism: see ``experiment_on``.

    103 of the 400 cells have prior zero.

    >>> experiment().prior.size, round(experiment().vulnerability, 6)
    (400, 2.0)
    """
    return experiment_on(checkins(), GRID.side, max_vulnerability, max_distance)


def experiment_on(
    counts: Counts, side: float, max_vulnerability: float = 2.0, max_distance: float = 500.0
) -> Experiment:
    """The cell of a check-in in any square, seen through the mechanism of least expected distance.

    ``counts`` has a number for each cell, as ``count_checkins`` returns them for a square, whose
    cells have the given ``side``. Secrets are all cells, numbered eastwards and then northwards,
    as any of them may be guessed. The attacker is after the gain of the paper, and is shown the
    centre of the reported cell. The mechanism is bounded in its posterior vulnerability and never
    reports further than ``max_distance``; its optimum is not unique, and a solver is free to
    return another one.

    >>> town = experiment_on(np.array([[5, 1], [2, 0]]), side=100, max_vulnerability=3.5)
    >>> round(town.vulnerability, 6)
    3.5
    """
    channel = mechanism(counts, side, max_vulnerability, max_distance)
    return Experiment(
        name="location",
        system=ChannelSystem(channel, Observables.of(channel.attributes)),
        gain=_gain(side),
        sizes=(100, 1_000, 10_000),
    )


def study() -> Study:
    """The paper's comparison of attackers on it."""
    remark = (
        "The mechanism is one of many of least loss, and the paper's may be another: only the "
        "order of figures compares. It is made for 35,153 check-ins; the paper counts 35,162. "
        "Nearest neighbours and networks are shown the two coordinates of a cell; the paper's "
        "network saw its number, which is harder to learn from."
    )
    return comparison(experiment(), "Location privacy", remark=remark)


def mechanism(
    counts: Counts, side: float, max_vulnerability: float, max_distance: float
) -> Channel:
    """The channel between cells: least expected distance for a bounded vulnerability."""
    if counts.ndim != 2 or not counts.sum():
        raise InputError.must(
            "counts", "a row per row of cells, with a check-in at least", f"shape {counts.shape}",
            remedy="take a square in which somebody checked in",
        )  # fmt: skip
    rows, columns = counts.shape
    grid = Grid(rows, columns, side)
    return least_loss(
        counts.ravel() / counts.sum(),
        _gain(side),
        grid.distances,
        max_vulnerability=max_vulnerability,
        allowed=grid.distances <= max_distance,
        attributes=grid.centres,
    )


def _gain(side: float) -> Distance:
    return replace(GAIN, scale=side)


def borders() -> tuple[Floats, Floats]:
    """Degrees of latitude between the rows of cells, and of longitude between the columns.

    >>> [ends.round(3).tolist() for ends in np.array(borders())[:, [0, -1]]]
    [[37.733, 37.777], [-122.468, -122.412]]
    """
    return SAN_FRANCISCO.latitudes, SAN_FRANCISCO.longitudes


def gains_nearby(reach: int = 3) -> Floats:
    """What guesses earn up to so many cells from the secret, which is in the middle.

    >>> gains_nearby(reach=1)
    array([[1., 2., 1.],
           [2., 4., 2.],
           [1., 2., 1.]])
    """
    side = 2 * reach + 1
    north, east = GRID.side * np.indices((side, side)).reshape(2, -1)
    cells = np.arange(side**2)
    payoff = GAIN.bind(cells, {"east": east, "north": north})
    return payoff.value(cells, np.full_like(cells, side**2 // 2)).reshape(side, side)


@cache
def checkins() -> Counts:
    """Check-ins per cell of San Francisco, counted by ``count_checkins``: see data/SOURCES.md."""
    table = files("gleak.experiments") / "data" / "gowalla_sf_cells.csv"
    with table.open() as lines:
        return np.loadtxt(lines, delimiter=",", dtype=np.int64)
