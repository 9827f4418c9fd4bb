"""Experiment 1: two tries at one of ten numbers, seen through geometric noise."""

from functools import cache

import numpy as np

from gleak.channel import Channel
from gleak.experiments._base import ChannelSystem, Experiment
from gleak.experiments.study import Study, comparison
from gleak.gain import tries
from gleak.mechanisms import geometric
from gleak.observables import Observables


@cache
def experiment() -> Experiment:
    """Ten numbers, 1000 apart among 16000 observables; rows renormalised over these.

    >>> round(experiment().vulnerability, 6)
    0.891726
    """
    return Experiment(
        name="multiple_guesses",
        system=ChannelSystem(channel(), Observables.of({"y": channel().observables})),
        gain=tries(2),
        sizes=(10_000, 30_000, 50_000),
    )


@cache
def channel() -> Channel:
    """Geometric noise around each number's place."""
    centres = 1000.0 * np.arange(10) + 3499.5
    return geometric(16_000, nu=0.002, centres=centres, ends="renormalised")


def study() -> Study:
    """The paper's comparison of attackers on it."""
    return comparison(experiment(), "Multiple guesses", overshadowing=("frequentist",))
