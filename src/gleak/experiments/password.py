"""Experiment 4: the time a password checker takes, and one bit of the password."""

from functools import cache

import numpy as np

from gleak.channel import Channel
from gleak.experiments._base import ChannelSystem, Experiment
from gleak.experiments.study import Study, comparison
from gleak.gain import bayes
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.payoff import Floats

_BITS = 128
_KNOWN = 6
"""Bits that the attacker has found out before."""


@cache
def experiment(nu: float = 0.5) -> Experiment:
    """The seventh bit of 128, from the time of a check that stops at the first wrong bit.

    The attacker tries a 1 after the six bits it knows. Delays are two-sided geometric with
    parameter ``nu``; reported times beyond the 128 bins fall into the nearest one.

    >>> round(experiment().vulnerability, 4)
    0.6758
    """
    noise = geometric(_BITS, nu)
    channel = Channel(stops() @ noise.matrix, secrets=[0, 1], observables=noise.observables)
    return Experiment(
        name="password",
        system=ChannelSystem(channel, Observables.of({"time": channel.observables})),
        gain=bayes(),
        sizes=(10_000, 30_000, 50_000),
    )


def study(nu: float) -> Study:
    """The paper's comparison of attackers on it."""
    remark = (
        "The paper does not say how long its delays are; here they are a parameter, ν: the "
        "smaller it is, the longer they are. So no figure of the paper stands beside these."
    )
    title = f"Password checker, ν = {nu:g}"
    return comparison(experiment(nu), title, f"password-{nu:g}", remark=remark)


def stops() -> Floats:
    """Where the check of a wrong (row 0) and of a right (row 1) bit stops, without any delay.

    A right bit is followed by j − 1 further ones that are right by chance with probability 2^−j;
    whatever passes them all is done with the last bit.

    >>> stops()[:, 5:9]
    array([[0.  , 1.  , 0.  , 0.  ],
           [0.  , 0.  , 0.5 , 0.25]])
    """
    table = np.zeros((2, _BITS))
    table[0, _KNOWN] = 1.0
    table[1, _KNOWN + 1 :] = 0.5 ** np.arange(1, _BITS - _KNOWN)
    table[1, -1] *= 2  # the last bit, right or wrong
    return table
