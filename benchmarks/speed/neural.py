"""How long networks take: the paper's network of experiment 1, and our own beside scikit-learn's.

The paper's is trained for all its 700 epochs over the copies of 10,000 samples: 63,000 gradient
steps, each over the 111 samples whose copies fill a batch of 1000.
"""

import os
import time
import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from gleak.adversaries.neural import Neural, Training
from gleak.experiments import experiment
from gleak.experiments.paper_networks import paper_network

ONE_WANTED, FIVE_WANTED, COMPILED_WANTED = 40.0, 150.0, 3.0
SIZE, SETS, EPOCHS = 10_000, 5, 20


def seconds(work, *arguments, **more) -> float:
    start = time.perf_counter()
    work(*arguments, **more)
    return time.perf_counter() - start


def report(what: str, measured: float, wanted: float) -> None:
    ratio = measured / wanted
    verdict = "met" if ratio <= 1 else "MISSED"
    print(f"{what:<58}{measured:>9.2f}{wanted:>9.2f}{ratio:>7.2f}  {verdict}", flush=True)


def beside_scikit_learn(samples, payoff) -> tuple[float, float]:
    """The least time of an epoch of each, in alternating runs: layers 3×100, batches of 1000."""
    ours = Neural(training=Training(epochs=EPOCHS, batch=1000, early_choice=False))
    theirs = MLPClassifier((100,) * 3, batch_size=1000, max_iter=EPOCHS, n_iter_no_change=EPOCHS)
    inputs = samples.observables.matrix()
    inputs = ((inputs - inputs.mean()) / inputs.std()).astype(np.float32)
    ours.fit(samples, payoff, rng=0)
    times = []
    for _ in range(5):
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            fitted = seconds(theirs.fit, inputs, samples.codes)
        times.append((seconds(ours.fit, samples, payoff, rng=0), fitted))
    return tuple(np.min(times, axis=0) / EPOCHS)


def main() -> None:
    studied = experiment("multiple_guesses")
    payoff = studied.payoff
    sets = [studied.sample(SIZE, rng=seed) for seed in range(SETS)]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<58}{'measured':>9}{'wanted':>9}{'ratio':>7}")

    brief = Neural(training=Training(steps=20))
    first = seconds(brief.fit, sets[0], payoff, rng=0)
    report("compilation, s", first - seconds(brief.fit, sets[1], payoff, rng=1), COMPILED_WANTED)

    own, theirs = beside_scikit_learn(sets[0], payoff)
    report("an epoch of 10,000 samples, ms: ours against MLPClassifier", 1e3 * own, 1e3 * theirs)

    network = paper_network("multiple_guesses", SIZE)
    rngs = list(range(SETS))
    report("the paper's network, s", seconds(network.fit, sets[0], payoff, rng=0), ONE_WANTED)
    five = seconds(network.fit_many, sets, payoff, rngs)
    report("five of the paper's networks, s", five, FIVE_WANTED)


if __name__ == "__main__":
    main()
