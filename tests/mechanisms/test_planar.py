"""Planar noise against sums over the lattice, integrals by another route, and its privacy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import dblquad

from gleak.errors import InputError
from gleak.mechanisms import Grid, epsilon, planar_geometric, planar_laplace

SMALL = Grid(3, 4, side=2.0)


def on_the_lattice(grid: Grid, nu: float, far: int) -> np.ndarray:
    """Geometric noise over a wide stretch of cells, what lies outside moved to the nearest."""
    rows, columns = np.arange(-far, grid.rows + far), np.arange(-far, grid.columns + far)
    nearest = rows.clip(0, grid.rows - 1)[:, None] * grid.columns
    nearest = (nearest + columns.clip(0, grid.columns - 1)).ravel()
    matrix = []
    for cell in range(grid.rows * grid.columns):
        row, column = divmod(cell, grid.columns)
        distance = grid.side * np.hypot((rows - row)[:, None], columns - column)
        matrix.append(np.bincount(nearest, np.exp(-nu * distance).ravel()))
    return np.array(matrix) / np.sum(matrix[0])


@pytest.mark.parametrize("nu", [0.2, 1.0, 6.0])
def test_truncated_geometric_noise_is_a_sum_over_the_plane(nu: float) -> None:
    found = planar_geometric(SMALL, nu).matrix
    assert found == pytest.approx(on_the_lattice(SMALL, nu, far=200), rel=1e-10)


def integral(nu: float, west: float, east: float, south: float, north: float) -> float:
    """By SciPy, over pieces on which the density has no kink."""
    xs, ys = (sorted({low, high, *({0.0} if low < 0 < high else ())})
              for low, high in ((west, east), (south, north)))  # fmt: skip
    return sum(
        dblquad(lambda y, x: nu**2 / (2 * np.pi) * np.exp(-nu * np.hypot(x, y)), *x, *y,
                epsabs=0, epsrel=1e-9)[0]
        for x in pairwise(xs) for y in pairwise(ys)
    )  # fmt: skip


def borders(grid: Grid, cell: int, far: float) -> tuple[float, float, float, float]:
    row, column = divmod(cell, grid.columns)
    east, north = grid.centres["east"][cell], grid.centres["north"][cell]
    half = grid.side / 2
    return (
        east - (far if column == 0 else half),
        east + (far if column == grid.columns - 1 else half),
        north - (far if row == 0 else half),
        north + (far if row == grid.rows - 1 else half),
    )


@pytest.mark.parametrize("nu", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("truth", [0, 1, 5])
def test_laplace_noise_is_integrated_over_cells(nu: float, truth: int) -> None:
    row = planar_laplace(SMALL, nu).matrix[truth]
    east, north = SMALL.centres["east"][truth], SMALL.centres["north"][truth]
    for cell in (0, 1, 5, 6, 9, 11):
        box = borders(SMALL, cell, far=45 / nu)
        wanted = integral(nu, box[0] - east, box[1] - east, box[2] - north, box[3] - north)
        assert row[cell] == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("nu", [1e-3, 0.5, 20.0])
def test_renormalised_laplace_noise_has_square_cells_alone(nu: float) -> None:
    row = planar_laplace(Grid(3, 3), nu, ends="renormalised").matrix[4]
    beside, across = (integral(nu, 0.5, 1.5, low, low + 1) for low in (-0.5, 0.5))
    assert row[5] / row[8] == pytest.approx(beside / across, rel=1e-7)
    assert row[[1, 3, 5, 7]] == pytest.approx(np.full(4, row[5]), rel=1e-12)
    assert row[4] / row[5] == pytest.approx(integral(nu, -0.5, 0.5, -0.5, 0.5) / beside, rel=1e-7)


def test_laplace_noise_in_small_cells_is_its_density() -> None:
    row = planar_laplace(Grid(41, 41), 0.01, ends="renormalised").matrix[20 * 41 + 20]
    density = np.exp(-0.01 * Grid(41, 41).distances[20 * 41 + 20])
    assert row == pytest.approx(density / density.sum(), rel=2e-2)
    away = Grid(41, 41).distances[20 * 41 + 20] > 6
    assert row[away] / row[20] == pytest.approx(density[away] / density[20], rel=1e-4)


@pytest.mark.parametrize("make", [planar_geometric, planar_laplace])
def test_rounded_to_the_nearest_cell_noise_stays_as_private_as_it_is(make) -> None:
    grid = Grid(6, 5, side=250.0)
    for nu in (0.002, 0.01):
        assert epsilon(make(grid, nu), grid.distances) <= nu * (1 + 1e-9)
    # Renormalised, rows are divided by different sums: that costs.
    costly = make(grid, 0.002, ends="renormalised")
    assert epsilon(costly, grid.distances) > 1.2 * 0.002


def test_geometric_noise_reaches_its_privacy() -> None:
    grid = Grid(4, 4, side=3.0)
    assert epsilon(planar_geometric(grid, 0.5), grid.distances) == pytest.approx(0.5)


@pytest.mark.parametrize("make", [planar_geometric, planar_laplace])
def test_units_of_length_do_not_matter(make) -> None:
    metres, nanometres = make(Grid(4, 3, 250.0), 0.01), make(Grid(4, 3, 250e9), 0.01e-9)
    assert nanometres.matrix == pytest.approx(metres.matrix, rel=1e-12)


@pytest.mark.parametrize("make", [planar_geometric, planar_laplace])
@pytest.mark.parametrize("ends", ["truncated", "renormalised"])
def test_a_grid_turned_round_is_the_same(make, ends) -> None:
    matrix = make(Grid(3, 5), 0.7, ends=ends).matrix
    assert matrix == pytest.approx(matrix[::-1, ::-1])
    turned = make(Grid(5, 3), 0.7, ends=ends).matrix.reshape(5, 3, 5, 3)
    assert matrix == pytest.approx(turned.transpose(1, 0, 3, 2).reshape(15, 15))
    assert matrix.sum(axis=1) == pytest.approx(np.ones(15), abs=1e-14)


def test_cells_are_numbered_eastwards_and_then_northwards() -> None:
    prior = np.arange(12) / 66
    channel = planar_laplace(SMALL, 1.0, prior=prior)
    assert channel.prior == pytest.approx(prior)
    assert channel.attributes["east"].tolist() == [-3.0, -1.0, 1.0, 3.0] * 3
    assert channel.attributes["north"].tolist() == [-2.0] * 4 + [0.0] * 4 + [2.0] * 4
    assert SMALL.distances[0, 6] == pytest.approx(np.hypot(4, 2))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: Grid(1, 5),
            "a grid must be of two rows and two columns or more, got 1 × 5; along",
        ),
        (lambda: Grid(2, 2, side=0.0), "the side of a cell must be a positive number, got 0"),
        (lambda: planar_laplace(SMALL, -1.0), "nu must be a positive number, got -1"),
        (lambda: planar_geometric(SMALL, np.nan), "nu must be a positive number, got nan"),
        (lambda: planar_laplace(SMALL, 1.0, ends="cut"), "unknown ends 'cut'"),
        (lambda: planar_geometric(SMALL, 1.0, ends="truncate"), "did you mean 'truncated'"),
        (lambda: planar_geometric(SMALL, 1e-3), r"at least 0\.004, got 0\.002; take larger cells"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
