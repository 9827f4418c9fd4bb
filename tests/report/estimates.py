"""Estimates to report on: small, quick, and each with something that others lack."""

from dataclasses import replace
from functools import cache

import numpy as np

from gleak import Samples
from gleak.estimation import estimate
from gleak.tournament import CurvePoint, Entry

NAMES = np.array(["anna <b>", "bert's", "carl & co", "dora $5", "émile", "🦊"])


@cache
def mapped():
    """Six secrets with awkward names over two columns: a leak, a map, no upper bound."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, 800)
    y = np.stack([x % 3 * 2.0, x // 3 * 2.0], axis=1) + rng.normal(0, 0.5, (800, 2))
    samples = Samples.of(NAMES[x], {"north": y[:, 0], "east": y[:, 1]})
    return estimate(samples, adversary="neighbours")


@cache
def counted(gain="bayes"):
    """Forty secrets over one column of few values: an upper bound, a list that is cut."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 40, 4000)
    samples = Samples.of(x, x // 4 + rng.integers(0, 2, 4000))
    return estimate(samples, gain, adversary="frequentist")


@cache
def silent():
    """Two secrets and observables that say nothing of them."""
    rng = np.random.default_rng(2)
    samples = Samples.of(rng.integers(0, 2, 600), rng.integers(0, 3, 600))
    return estimate(samples, adversary="frequentist")


@cache
def traced():
    """Thirty columns, one of which tells: a curve along them, and nothing to draw over them."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 1200)
    y = rng.normal(size=(1200, 30))
    y[:, 12] += 4 * x
    return estimate(Samples.of(x, y), adversary="neighbours")


@cache
def contested():
    """An attacker as if chosen among several: a leaderboard, a learning curve."""
    found = counted()
    board = tuple(
        Entry(name, "secret", score, seconds)
        for name, score, seconds in [
            ("frequentist", 0.13, 0.1), ("gradient-boosted trees", 0.129, 12.0), ("linear", 0.1, 2),
            ("blind", 0.03, 0.0),
        ]
    )  # fmt: skip
    curve = tuple(
        CurvePoint(size, "linear", score, 0.01)
        for size, score in [(300, 0.06), (1500, 0.11), (1900, 0.13)]
    )
    chosen = replace(found.attacker, name="frequentist", leaderboard=board, curve=curve)
    return replace(found, attacker=chosen, samples=replace(found.samples, choose=2000))
