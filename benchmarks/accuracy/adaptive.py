"""What an adaptive run on experiment 1 costs, against an oracle who knows the best attacker.

The oracle needs no training. It is given the smallest number of answers that could do: one look
with Clopper–Pearson at a number fixed beforehand, for which its half-width is the precision. A
second oracle pays, as we do, for the right to look whenever it likes. Also: how often brackets
miss that stop when they like, on small channels.
"""

import time

import numpy as np

from gleak.adaptive import estimate_live
from gleak.channel import Channel
from gleak.experiments import multiple_guesses
from gleak.live_stages import counted_lower

PRECISION, ALPHA = 0.005, 0.05
RATIO_WANTED = 2.0
MISSES = 1000


def oracle(value: float, precision: float, alpha: float) -> int:
    """Answers after which one Clopper–Pearson bound is within the precision."""
    few, many = 1, 1 << 20
    while many - few > 1:
        n = (few + many) // 2
        wide = value - counted_lower(round(value * n), n, alpha) > precision
        few, many = (n, many) if wide else (few, n)
    return many


def anytime_oracle(value: float, precision: float, alpha: float) -> int:
    """Answers after which Ville's bound is, at the variance of the best attacker's gains."""
    return int(np.ceil(2 * np.log(1 / alpha) * value * (1 - value) / precision**2))


def missed(channel: Channel, runs: int) -> int:
    truth = channel.posterior_vulnerability()
    misses = 0
    for seed in range(runs):
        found = estimate_live(channel, precision=0.06, rng=seed, adversary="frequentist")
        bracket = found.vulnerability
        above = bracket.upper is not None and bracket.upper < truth
        misses += above or bracket.lower > truth
    return misses


def main() -> None:
    experiment = multiple_guesses.experiment()
    value = experiment.vulnerability
    best = oracle(value, PRECISION, ALPHA / 2)
    patient = anytime_oracle(value, PRECISION, ALPHA / 2)
    print(f"experiment 1, precision {PRECISION}: oracle {best:,} queries with one look fixed")
    print(f"beforehand, {patient:,} with looks at any time")
    print(f"{'seed':>4}{'queries':>9}{'train':>8}{'ratio':>7} (≤ {RATIO_WANTED}){'at any time':>12}"
          f"{'lower':>9}{'gap':>9}{'s':>7}")  # fmt: skip
    for seed in range(3):
        start = time.perf_counter()
        found = estimate_live(experiment.system.channel, "tries:2", precision=PRECISION, rng=seed)
        spent = found.spending
        print(f"{seed:>4}{spent.queries:>9,}{spent.training:>8,}{spent.queries / best:>7.2f}"
              f"{spent.queries / patient:>20.2f}{found.vulnerability.lower:>9.4f}"
              f"{value - found.vulnerability.estimate:>9.4f}"
              f"{time.perf_counter() - start:>7.1f}")  # fmt: skip
    noisy = Channel([[0.8, 0.2, 0], [0.1, 0.6, 0.3]], prior=[0.4, 0.6])
    print(f"misses of a 95 % bracket in {MISSES} runs: {missed(noisy, MISSES)} "
          f"(≤ {ALPHA * MISSES:.0f})")  # fmt: skip


if __name__ == "__main__":
    main()
