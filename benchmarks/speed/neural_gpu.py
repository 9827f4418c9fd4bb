"""All fifteen networks of experiment 1 as the paper trains them, on whatever JAX finds.

Meant for a machine with an accelerator (``pip install "gleak[cuda]"``), where the five of a
training size are trained together: 63,000, 189,000 and 315,000 gradient steps.
"""

import time

import jax
import numpy as np

from gleak.experiments import experiment
from gleak.experiments.paper_networks import paper_network

SECONDS_WANTED = 60.0
PUBLISHED = {10_000: 0.021, 30_000: 0.005, 50_000: 0.003}
"""The paper's mean errors, read off its plots; they contain the noise of validation sets."""

SEEDS = range(5)


def main() -> None:
    studied = experiment("multiple_guesses")
    print(f"{jax.devices()[0].device_kind}, JAX {jax.__version__}")
    print(f"{'samples':>8}{'steps':>9}{'s':>8}{'gap':>9}{'paper':>8}")
    total = 0.0
    for size, published in PUBLISHED.items():
        network = paper_network(studied.name, size)
        sets = [studied.sample(size, rng=seed) for seed in SEEDS]
        start = time.perf_counter()
        strategies = network.fit_many(sets, studied.payoff, SEEDS)
        spent = time.perf_counter() - start
        total += spent
        steps = network.training.plan(size, copies_per_sample=9).steps
        gap = np.mean([studied.gap(strategy) for strategy in strategies])
        print(f"{size:>8,}{steps:>9,}{spent:>8.1f}{gap:>9.4f}{published:>8.3f}", flush=True)
    verdict = "met" if total <= SECONDS_WANTED else "MISSED"
    print(f"all fifteen: {total:.1f} s, wanted {SECONDS_WANTED:.0f} s: {verdict}")


if __name__ == "__main__":
    main()
