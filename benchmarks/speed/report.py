"""What a report costs beyond its estimate: 100,000 samples, 200 columns. Wanted: at most 10 s.

Once for an attacker that guesses fast, once for one that guesses slowly: to localise a leak, the
attacker guesses anew. The size of the file is measured too; wanted: at most 2 MB.
"""

import time

import numpy as np

from gleak import Samples
from gleak.adversaries import Linear, Trees
from gleak.estimation import estimate
from gleak.report.html import to_html

ROWS, COLUMNS, SECRETS = 100_000, 200, 10
WANTED_SECONDS, WANTED_BYTES = 10, 2_000_000
ATTACKERS = {"linear": Linear(strength=1.0), "trees": Trees(iterations=100, leaves=8)}


def system():
    rng = np.random.default_rng(0)
    x = rng.integers(0, SECRETS, ROWS)
    y = rng.normal(size=(ROWS, COLUMNS))
    y[:, :3] += 0.5 * x[:, None]
    return Samples.of(x, y)


def timed(work):
    start = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - start


def main():
    samples = system()
    print(f"{'attacker':<10}{'estimate s':>12}{'columns s':>11}{'page s':>8}{'both':>8}", end="")
    print(f"{'wanted':>8}{'ratio':>7}{'kB':>7}")
    for name, attacker in ATTACKERS.items():
        found, whole = timed(lambda attacker=attacker: estimate(samples, adversary=attacker))
        _, columns = timed(lambda found=found: found.per_column)
        page, drawn = timed(lambda found=found: to_html([found]))
        both = columns + drawn
        print(f"{name:<10}{whole:>12.1f}{columns:>11.2f}{drawn:>8.2f}{both:>8.2f}", end="")
        print(f"{WANTED_SECONDS:>8}{both / WANTED_SECONDS:>7.2f}{len(page.encode()) / 1000:>7.0f}")
        assert len(page.encode()) <= WANTED_BYTES


if __name__ == "__main__":
    main()
