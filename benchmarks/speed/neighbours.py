"""Nearest neighbours: learning and guessing, at the paper's sizes, and the cost of choosing k."""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

from gleak.adversaries.neighbours import Neighbours, ladder
from gleak.experiments import differential_privacy, multiple_guesses
from gleak.experiments._base import Experiment
from gleak.samples import Samples

REPEATS = 5


def parts(experiment: Experiment, train: int, asked: int = 50_000) -> tuple[Samples, Samples]:
    return experiment.sample(train, rng=0), experiment.sample(asked, rng=1)


def run(experiment: Experiment, adversary: Neighbours, train: Samples, asked: Samples) -> None:
    # Taken anew, so that nothing found in an earlier run is remembered.
    fresh, questions = (samples.take(slice(None)) for samples in (train, asked))
    adversary.fit(fresh, experiment.payoff, rng=0).guess(questions.observables)


def seconds(work: Callable[[], None]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def peak_megabytes(work: Callable[[], None]) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def show(what: str, wanted: float, measured: float) -> None:
    print(f"{what:<58} {wanted:>8.2f} {measured:>9.3f} {measured / wanted:>6.2f}")


def paper(name: str, experiment: Experiment, train: int, wanted: float) -> None:
    adversary = Neighbours(k="paper", metric=experiment.metric)
    work = partial(run, experiment, adversary, *parts(experiment, train))
    show(f"{name}, paper's k, {train:,} learned, seconds", wanted, seconds(work))
    show(f"{name}, paper's k, {train:,} learned, MB", 300, peak_megabytes(work))


def choice(name: str, experiment: Experiment, train: int) -> None:
    """On a line neighbours cost next to nothing: there, look at the seconds."""
    learn, asked = parts(experiment, train)
    auto = Neighbours(metric=experiment.metric)
    widest = Neighbours(ladder(auto.near(learn))[-1], experiment.metric)
    once = seconds(partial(run, experiment, widest, learn, asked))
    work = partial(run, experiment, auto, learn, asked)
    chosen = seconds(work)
    show(f"{name}, k chosen, {train:,}: runs at the largest k", 3, chosen / once)
    show(f"{name}, k chosen, {train:,}, seconds", 3 * max(once, 0.05), chosen)
    show(f"{name}, k chosen, {train:,}, MB", 300, peak_megabytes(work))


def main() -> None:
    print(f"{'':<58} {'at most':>8} {'measured':>9} {'ratio':>6}")
    one, three = multiple_guesses.experiment(), differential_privacy.experiment()
    paper("experiment 1", one, 50_000, 0.15)
    paper("experiment 3", three, 10_000, 1.5)
    choice("experiment 1", one, 10_000)
    choice("experiment 1", one, 50_000)
    choice("experiment 3", three, 10_000)


if __name__ == "__main__":
    main()
