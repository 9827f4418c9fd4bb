"""How far below the mean each lower bound lies, against the figures it should reach.

Gains are Bernoulli(.892). The figures wanted are those of 95 % on one side: at 97.5 % Hoeffding's
√(ln(1/α)/2n) is .0429 for 1,000 gains and cannot be .0387. Both levels are measured. Means over
fixed seeds; the time is the least of all runs.
"""

import time

import numpy as np

from gleak.betting import betting_interval
from gleak.bounds import clopper_pearson, empirical_bernstein, hoeffding

METHODS = {
    "Hoeffding": hoeffding,
    "empirical Bernstein": empirical_bernstein,
    "betting": betting_interval,
    "Clopper-Pearson": clopper_pearson,
}
WANTED = {
    1_000: {
        "Hoeffding": 0.0387,
        "empirical Bernstein": 0.0349,
        "betting": 0.0218,
        "Clopper-Pearson": 0.0173,
    },
    50_000: {
        "Hoeffding": 0.0055,
        "empirical Bernstein": 0.0039,
        "betting": 0.0028,
        "Clopper-Pearson": 0.0023,
    },
}
RUNS = {1_000: 400, 50_000: 60}


def measure(method, n, alpha):
    """Mean distance of the lower bound from the mean of the gains, and seconds for one bound."""
    distances, seconds = [], []
    for rng in np.random.default_rng(0).spawn(RUNS[n]):
        gains = (rng.random(n) < 0.892).astype(np.float64)
        start = time.perf_counter()
        bound = method(gains, alpha=alpha, side="lower")
        seconds.append(time.perf_counter() - start)
        distances.append(gains.mean() - bound.lower)
    return np.mean(distances), np.std(distances), min(seconds)


def main():
    print(f"{'bound':<20}{'gains':>7}{'wanted':>9}{'95 %':>9}{'spread':>9}{'ratio':>7}", end="")
    print(f"{'97.5 %':>9}{'ms':>8}")
    for n, figures in WANTED.items():
        for name, wanted in figures.items():
            found, spread, seconds = measure(METHODS[name], n, 0.05)
            stricter, _, _ = measure(METHODS[name], n, 0.025)
            print(f"{name:<20}{n:>7}{wanted:>9.4f}{found:>9.4f}{spread:>9.4f}", end="")
            print(f"{found / wanted:>7.2f}{stricter:>9.4f}{1000 * seconds:>8.2f}")


if __name__ == "__main__":
    main()
