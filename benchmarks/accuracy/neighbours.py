"""The paper's two simplest attackers, and k chosen from data, on its experiments 1 and 3.

δ̄ is the paper's: the mean of |V̂ − V_g|/V_g over 5 training sets × 50 validation sets of 50,000.
The gap is (V_g − V(f))/V_g without validation noise, the mean over the training sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from gleak.adversaries import Adversary, Strategy
from gleak.adversaries.frequentist import Frequentist
from gleak.adversaries.neighbours import Neighbours
from gleak.experiments import differential_privacy, multiple_guesses
from gleak.experiments._base import Experiment
from gleak.gain import bayes
from gleak.observables import Observables
from gleak.payoff import Guesses
from gleak.preprocess import channel_preprocessing
from gleak.samples import Samples

TRAINING_SETS = 5
VALIDATION_SETS = 50
VALIDATION_SIZE = 50_000

Route = Callable[[Experiment, Adversary, int, int], Strategy]
"""How an adversary learns an experiment, from so many samples and with a seed."""


@dataclass(frozen=True)
class Attack(Strategy):
    """A strategy that names guesses, learned as if they were the secrets."""

    learned: Strategy
    experiment: Experiment

    def _guess(self, points: Observables) -> Guesses:
        return self.experiment.payoff.listed(self.learned.guess(points))


def by_data(experiment: Experiment, adversary: Adversary, size: int, seed: int) -> Strategy:
    return adversary.fit(experiment.sample(size, rng=[1, seed]), experiment.payoff, rng=seed)


def by_channel(experiment: Experiment, adversary: Adversary, size: int, seed: int) -> Strategy:
    rng = np.random.default_rng([2, seed])
    reduction = channel_preprocessing(experiment.prior, experiment.payoff)
    guesses, secrets = reduction.draw(size, rng)
    names = np.arange(experiment.payoff.n_guesses)
    pairs = Samples(guesses, names, experiment.draw(secrets, rng))
    return Attack(adversary.fit(pairs, pairs.bind(bayes()), rng=seed), experiment)


def deviation(experiment: Experiment, strategy: Strategy, validation: Samples) -> float:
    """The mean of |V̂ − V_g|/V_g over validation sets."""
    gains = experiment.payoff.value(strategy.guess(validation.observables), validation.codes)
    means = gains.reshape(VALIDATION_SETS, VALIDATION_SIZE).mean(axis=1)
    return float(np.abs(means / experiment.vulnerability - 1).mean())


def study(
    what: str,
    experiment: Experiment,
    adversary: Adversary,
    wanted: tuple[float, float, float],
    learn: Route = by_data,
    of: str = "δ̄",
) -> None:
    validation = drawn(experiment)
    for size, figure in zip(experiment.sizes, wanted, strict=True):
        learned = [learn(experiment, adversary, size, seed) for seed in range(TRAINING_SETS)]
        noisy = np.mean([deviation(experiment, strategy, validation) for strategy in learned])
        gap = np.mean([experiment.gap(strategy) for strategy in learned])
        measured = noisy if of == "δ̄" else gap
        print(
            f"{what:<30} {size:>6} {of:>4} {figure:>8.4f} {measured:>9.4f} "
            f"{measured / figure:>6.2f}   δ̄ {noisy:.4f}  gap {gap:.5f}",
            flush=True,
        )


@cache
def drawn(experiment: Experiment) -> Samples:
    return experiment.sample(VALIDATION_SETS * VALIDATION_SIZE, rng=0)


def main() -> None:
    print(f"{'':<30} {'n':>6} {'':>4} {'wanted':>8} {'measured':>9} {'ratio':>6}")
    one, three = multiple_guesses.experiment(), differential_privacy.experiment()
    paper, paper_3 = Neighbours("paper"), Neighbours("paper", three.metric)
    study("1 k-NN, paper", one, paper, (0.026, 0.011, 0.007))
    study("1 k-NN, paper, channel route", one, paper, (0.231, 0.203, 0.186), by_channel)
    study("1 frequentist, paper", one, Frequentist(), (0.483, 0.226, 0.133))
    study("1 k-NN, k chosen", one, Neighbours(), (0.0005, 0.0003, 0.0002), of="gap")
    study("3 k-NN, paper", three, paper_3, (0.045, 0.030, 0.024))
    study("3 k-NN, paper, channel route", three, paper_3, (0.040, 0.026, 0.022), by_channel)
    chosen = Neighbours(metric=three.metric)
    study("3 k-NN, k chosen", three, chosen, (0.020, 0.020, 0.020), of="gap")


if __name__ == "__main__":
    main()
