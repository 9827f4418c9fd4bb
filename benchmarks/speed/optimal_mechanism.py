"""The optimal location mechanism of 400 cells: time to solve, and whether units matter.

gleak and libqif solve the same linear program in turns; the least time of each counts. Then both
solve it once more with distances in another unit, where the optimum must stay the same.
"""

import time
from collections.abc import Callable

import numpy as np
import qif

from gleak.experiments import location
from gleak.mechanisms import least_loss

TURNS = 7
SECONDS_WANTED = 1.5
LOSS_WANTED = 237.642
BOUND, REACH = 2.0, 500.0

DISTANCES = location.GRID.distances
PRIOR = location.checkins().ravel() / location.checkins().sum()
PAYOFF = location.GAIN.bind(np.arange(400), location.GRID.centres)
GAINS = PAYOFF.matrix()


def gleak_matrix(unit: float = 1.0) -> np.ndarray:
    return least_loss(
        PRIOR,
        location.GAIN,
        DISTANCES / unit,
        max_vulnerability=BOUND,
        allowed=DISTANCES <= REACH,
        attributes=location.GRID.centres,
    ).matrix


def qif_matrix(unit: float = 1.0) -> np.ndarray:
    return qif.mechanism.g_vuln.min_loss_given_max_vuln(
        PRIOR,
        400,
        400,
        BOUND,
        lambda w, x: float(GAINS[w, x]),
        lambda x, y: float(DISTANCES[x, y] / unit),
        REACH / unit,
    )


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    turns = [(timed(gleak_matrix), timed(qif_matrix)) for _ in range(TURNS)]
    ours, theirs = np.min(turns, axis=0)
    print(f"{'':24}{'wanted':>12}{'measured':>12}{'ratio':>8}")
    print(f"{'seconds, gleak':24}{SECONDS_WANTED:12.2f}{ours:12.2f}{ours / SECONDS_WANTED:8.2f}")
    print(f"{'seconds, gleak/libqif':24}{theirs:12.2f}{ours:12.2f}{ours / theirs:8.2f}")
    for unit, name in ((1.0, "metres"), (1e3, "kilometres"), (1e6, "megametres")):
        for tool, matrix in (("gleak", gleak_matrix(unit)), ("libqif", qif_matrix(unit))):
            loss = float(PRIOR @ (matrix * DISTANCES).sum(axis=1))
            label = f"loss, {tool}, {name}"
            print(f"{label:24}{LOSS_WANTED:12.3f}{loss:12.3f}{loss / LOSS_WANTED:8.4f}")
    vulnerability = PAYOFF.best_value(gleak_matrix().T, PRIOR).sum()
    print(f"{'V_g − 2, gleak':24}{'< 1e-6':>12}{vulnerability - BOUND:12.1e}")


if __name__ == "__main__":
    main()
