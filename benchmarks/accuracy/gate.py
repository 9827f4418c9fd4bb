"""How often the gate is wrong, how often it decides, and whether its advice on samples is good.

Each run is a simulated repository: samples of a known system, attacked by counting. Budgets lie at
the truth, a hair above (exit 1 would be wrong) or below (exit 0 would be). Wanted: wrong in at
most 5 % of 500 runs. The twin judges by the estimate, and is wrong far more often.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from gleak import Channel, Samples, matrix
from gleak.budget import QUANTITIES, Budget
from gleak.estimation import estimate
from gleak.gate import check

RUNS, STATED, HAIR = 500, 0.05, 1e-9
GRADED = matrix([[4, 1, 0], [1, 2, 1], [0, 1, 3]])
SYSTEMS = {
    "noisy, one try": (Channel([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]), "bayes"),
    "nothing leaks": (Channel(np.full((4, 8), 1 / 8)), "bayes"),
    "two tries of six": (Channel(0.4 * np.eye(6) + 0.1 * np.ones((6, 6))), "tries:2"),
    "graded gain": (Channel([[0.6, 0.3, 0.1], [0.3, 0.4, 0.3], [0.1, 0.3, 0.6]]), GRADED),
}
ROWS = (300, 3000)


def truths(channel, gain):
    leakage = channel.leakage(gain)
    return {
        "vulnerability": channel.posterior_vulnerability(gain),
        "multiplicative": leakage.multiplicative,
        "additive": leakage.additive,
        "min_entropy_bits": leakage.min_entropy_bits,
    }


def repositories(channel, gain, rows, seed=0):
    for rng in np.random.default_rng(seed).spawn(RUNS):
        samples = Samples.of(*channel.sample(rows, rng=rng))
        yield estimate(samples, gain, adversary="frequentist", rng=rng)


def share(found, budgets, code, **options):
    return np.mean([check(one, budgets, **options).exit_code == code for one in found])


def errors():
    print(
        f"{'system':<18}{'rows':>6} {'quantity':<17}{'exit 1':>8}{'ratio':>7}{'exit 0':>8}", end=""
    )
    print(f"{'ratio':>7}{'twin 1':>8}{'twin 0':>8}   (wrong; wanted at most {STATED:.0%})")
    for name, (channel, gain) in SYSTEMS.items():
        for rows in ROWS:
            found = list(repositories(channel, gain, rows))
            at = truths(channel, gain)
            for quantity in QUANTITIES:
                report(f"{name:<18}{rows:>6} {quantity:<17}", found, {quantity: at[quantity]})
            report(f"{name:<18}{rows:>6} {'all together':<17}", found, at)


def report(label, found, at):
    least = {"multiplicative": 1.0}
    over = [Budget(q, most + HAIR) for q, most in at.items()]
    below = {q: most - HAIR for q, most in at.items()}
    sane = all(most >= least.get(q, 0.0) for q, most in below.items())
    under = [Budget(q, most) for q, most in below.items()] if sane else []
    ones = share(found, over, 1)
    twin = share(found, over, 1, judge="estimate")
    print(f"{label}{ones:>8.3f}{ones / STATED:>7.2f}", end="")
    if not under:
        print(f"{'-':>8}{'-':>7}{twin:>8.3f}{'-':>8}")
        return
    zeros = share(found, under, 0)
    print(f"{zeros:>8.3f}{zeros / STATED:>7.2f}{twin:>8.3f}", end="")
    print(f"{share(found, under, 0, judge='estimate'):>8.3f}")


def advice():
    """Runs that were inconclusive are made again with as many more samples as were advised."""
    print(f"\n{'budget off by':<15}{'open of 100':>12}{'advised':>10}{'then decided':>14}", end="")
    print("   (wanted 0.80)")
    channel, gain = SYSTEMS["noisy, one try"]
    at = channel.posterior_vulnerability(gain)
    for off in (-0.06, -0.03, 0.04, 0.08):
        budget, asked, decided = [Budget("vulnerability", at + off)], [], []
        for rng in np.random.default_rng(1).spawn(100):
            found = estimate(
                Samples.of(*channel.sample(1000, rng=rng)), gain, adversary="frequentist", rng=rng
            )
            gate = check(found, budget)
            more = gate.judgements[0].more_samples
            if gate.verdict != "inconclusive" or more is None or more > 200_000:
                continue
            again = Samples.of(*channel.sample(1000 + more, rng=rng))
            asked.append(more)
            second = check(estimate(again, gain, adversary="frequentist", rng=rng), budget)
            decided.append(second.verdict != "inconclusive")
        middle = f"{np.median(asked):,.0f}" if asked else "-"
        print(f"{off:<+15.2f}{len(asked):>12}{middle:>10}{np.mean(decided or [np.nan]):>14.2f}")


if __name__ == "__main__":
    errors()
    advice()
