"""What single families leave on the table in experiments 1 to 3: the gap (V_g − V(f))/V_g.

Means over five training sets, on points where the truth is known. The figure wanted is that of
the best single family of an experiment, best in hindsight: which one it is, an attacker has to
find out from samples. A ratio up to 1 reaches it.

In experiment 2 the place shown is itself a best guess: distances without a prior always name it,
hence their gap of exactly 0, which says nothing about learning.
"""

import sys
import time
from dataclasses import dataclass

import numpy as np

from gleak.adversaries import Adversary, Frequentist, Linear, Metric, Trees
from gleak.experiments import Experiment, experiment

TRAINING_SETS = 5

TREES = {"trees": Trees(), "splines": Linear()}
DISTANCE = {
    "distance": Metric(),
    "distance, no prior": Metric(prior="none"),
    "counts, distance": Frequentist("auto", Metric()),
    "counts, distance, no prior": Frequentist("auto", Metric(prior="none")),
}


@dataclass(frozen=True)
class Study:
    """Families on an experiment, and the gap wanted of the best of them at each size."""

    experiment: str
    families: dict[str, Adversary]
    wanted: tuple[float, ...]


STUDIES = {
    "1": Study("multiple_guesses", TREES, (0.0056, 0.0017, 0.0011)),
    "2": Study("location", DISTANCE, (0.010, 0.004, 0.0015)),
    "3": Study("differential_privacy", TREES, (0.0012, 0.0010, 0.0008)),
}


def gaps(studied: Experiment, adversary: Adversary, size: int) -> tuple[list[float], float]:
    """The gap after each training set, and seconds for one training."""
    found, seconds = [], []
    for seed in range(TRAINING_SETS):
        train = studied.sample(size, rng=seed)
        start = time.perf_counter()
        strategy = adversary.fit(train, studied.payoff, rng=seed)
        seconds.append(time.perf_counter() - start)
        found.append(studied.examine(strategy).gap)
    return found, min(seconds)


def main(names: list[str]) -> None:
    print(f"{'experiment':<22}{'samples':>8}  {'family':<28}{'wanted':>8}{'gap':>9}", end="")
    print(f"{'worst':>9}{'ratio':>7}{'s':>7}")
    for name in names or STUDIES:
        study = STUDIES[name]
        studied = experiment(study.experiment)
        for size, wanted in zip(studied.sizes, study.wanted, strict=True):
            for label, adversary in study.families.items():
                found, seconds = gaps(studied, adversary, size)
                gap = float(np.mean(found))
                print(f"{studied.name:<22}{size:>8}  {label:<28}{wanted:>8.4f}{gap:>9.5f}", end="")
                print(f"{max(found):>9.5f}{gap / wanted:>7.2f}{seconds:>7.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
