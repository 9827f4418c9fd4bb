"""Small known systems, an attacker that counts, and how many misses a claim may have."""

import numpy as np
from scipy import stats

import gleak
from gleak.certificate import Evidence, blind_guesses
from gleak.certify import Scored, Weighing
from gleak.channel import Channel
from gleak.observables import Observables
from gleak.samples import Samples

RUNS = 2_000
ALPHA = 0.1
NEGATIVE = gleak.matrix([[2.0, -1.0, 0.25], [-1.0, 1.5, 0.0], [0.0, 0.0, 0.5]], secrets=range(3))

CHANNELS = {
    "one bit, blurred": (Channel([[0.7, 0.3], [0.3, 0.7]]), "bayes", 60),
    "two tries of five": (
        Channel([[0.6, 0.2, 0.1, 0.1], [0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.6, 0.2],
                 [0.2, 0.1, 0.1, 0.6], [0.25, 0.25, 0.25, 0.25]]),
        "tries:2", 120,
    ),
    "negative gains": (Channel([[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]]), NEGATIVE, 100),
    "unbalanced prior": (Channel([[0.9, 0.1], [0.2, 0.8]], [0.95, 0.05]), "bayes", 150),
    "perfect leak": (Channel(np.eye(3)), "bayes", 50),
    "no leak": (Channel(np.full((3, 3), 1 / 3), [0.5, 0.3, 0.2]), "bayes", 80),
}  # fmt: skip
"""A channel, a gain, and how many samples a run has."""


def allowed(alpha, runs=RUNS):
    """Misses that a valid claim exceeds once in a million test runs."""
    return stats.binom.ppf(1 - 1e-6, runs, alpha)


def counted(payoff, codes, seen, n_observables):
    """What the best rule on some samples guesses for each observable."""
    train = np.zeros((n_observables, payoff.n_secrets))
    np.add.at(train, (seen, codes), 1)
    return payoff.best(train)


def evidence(channel, payoff, n, rng):
    """What an attacker that counts proves with half of n samples."""
    codes, seen = channel.sample(n, rng=rng)
    samples = Samples(codes, channel.secrets, Observables.of(seen))
    half = n // 2
    rule = counted(payoff, codes[:half], seen[:half], channel.n_observables)
    rest = Weighing(samples.take(slice(half, n)))
    before = np.bincount(codes[:half], minlength=channel.n_secrets)
    blind = blind_guesses(payoff, before, n - half)
    known = Observables.of(np.zeros(n))
    folds, blinds = [Scored(rest, payoff, rule[seen[half:]])], [Scored(rest, payoff, blind)]
    return Evidence(payoff, folds, blinds, Weighing(samples), known)
