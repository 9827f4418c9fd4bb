"""The bracket of an estimate misses the truth in at most the stated share of runs.

Each run is a whole estimate: samples are drawn, parted, an attacker is trained on one part, its
gains on the other are certified. The attacker is a cheap one, for it is the claim that is tested
here; a weak attacker makes the lower side safer and does nothing to the upper one. Broken twins
show that the tests can fail.
"""

from functools import cache

import numpy as np
import pytest
from scipy import stats

import gleak
from gleak.certificate import Evidence, blind_guesses
from gleak.certify import Scored, Weighing, lower_bound, upper_bound
from gleak.channel import Channel
from gleak.observables import Observables
from gleak.parallel import one_thread
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


def evidence(channel, gain, n, rng):
    """What an attacker that counts proves with half of n samples."""
    codes, seen = channel.sample(n, rng=rng)
    samples = Samples(codes, channel.secrets, Observables.of(seen))
    payoff = gain if not isinstance(gain, str) else channel.bind(gain)
    half = n // 2
    train = np.zeros((channel.n_observables, channel.n_secrets))
    np.add.at(train, (seen[:half], codes[:half]), 1)
    guesses = payoff.best(train)[seen[half:]]
    rest = Weighing(samples.take(slice(half, n)))
    blind = blind_guesses(payoff, train.sum(axis=0), n - half)
    known = Observables.of(np.zeros(n))
    folds, blinds = [Scored(rest, payoff, guesses)], [Scored(rest, payoff, blind)]
    return Evidence(payoff, folds, blinds, Weighing(samples), known)


@cache
def brackets(name):
    """Lower and upper ends of many runs, and the truth."""
    channel, gain, n = CHANNELS[name]
    payoff = channel.bind(gain)
    ends = []
    with one_thread():
        for rng in np.random.default_rng(7).spawn(RUNS):
            found = evidence(channel, payoff, n, rng)
            upper, _ = upper_bound(found.whole, payoff, ALPHA / 2)
            ends.append((lower_bound(found.folds, ALPHA / 2), np.inf if upper is None else upper))
    return np.array(ends), channel.posterior_vulnerability(gain)


def allowed(alpha, runs=RUNS):
    """Misses that a valid claim exceeds once in a million test runs."""
    return stats.binom.ppf(1 - 1e-6, runs, alpha)


@pytest.mark.parametrize("name", CHANNELS)
def test_the_bracket_misses_no_more_than_it_may(name):
    ends, truth = brackets(name)
    below, above = (ends[:, 0] > truth + 1e-12).sum(), (ends[:, 1] < truth - 1e-12).sum()
    assert below + above <= allowed(ALPHA)
    assert below <= allowed(ALPHA / 2)
    assert above <= allowed(ALPHA / 2)


@pytest.mark.parametrize("name", CHANNELS)
def test_the_bracket_says_something(name):
    ends, truth = brackets(name)
    channel, gain, _ = CHANNELS[name]
    payoff = channel.bind(gain)
    assert np.median(ends[:, 0]) > payoff.low + 0.3 * (truth - payoff.low)
    assert np.isfinite(ends[:, 1]).any() or truth == payoff.high


def test_a_twin_that_certifies_on_its_training_samples_misses_too_often():
    channel, gain, n = Channel(np.full((3, 40), 1 / 40)), "bayes", 80
    payoff, missed = channel.bind(gain), 0
    for rng in np.random.default_rng(7).spawn(300):
        codes, seen = channel.sample(n, rng=rng)
        counts = np.zeros((40, 3))
        np.add.at(counts, (seen, codes), 1)
        samples = Weighing(Samples(codes, channel.secrets, Observables.of(seen)))
        cheat = Scored(samples, payoff, payoff.best(counts)[seen])
        missed += lower_bound([cheat], ALPHA / 2) > 1 / 3
    assert missed > allowed(ALPHA / 2, 300)


def test_a_twin_whose_upper_bound_is_the_attackers_misses_too_often():
    """What one attacker earned, plus its confidence margin, bounds that attacker only."""
    channel, gain, _ = CHANNELS["two tries of five"]
    payoff, truth, missed = channel.bind(gain), channel.posterior_vulnerability(gain), 0
    for rng in np.random.default_rng(7).spawn(300):
        found = evidence(channel, payoff, 30, rng)
        gains = found.folds[0].gains
        upper = stats.binomtest(int(gains.sum()), len(gains)).proportion_ci(1 - ALPHA).high
        missed += upper < truth
    assert missed > allowed(ALPHA / 2, 300)


@cache
def proven_leaks(n):
    """In how many runs a leak is proven where there is none, and by a twin that does not pair."""
    channel = Channel(np.full((3, 12), 1 / 12), [0.35, 0.33, 0.32])
    payoff, proven, naive = channel.bind("bayes"), 0, 0
    with one_thread():
        for rng in np.random.default_rng(11).spawn(RUNS):
            found = evidence(channel, payoff, n, rng)
            proven += found.additive_lower(ALPHA / 2) > 0
            naive += found.folds[0].estimate > found.blind[0].estimate
    return proven, naive


@pytest.mark.parametrize("n", [200, 1_000, 10_000])
def test_no_leak_is_proven_where_there_is_none(n):
    proven, _ = proven_leaks(n)
    assert proven <= allowed(ALPHA / 2)


def test_a_twin_that_compares_estimates_proves_leaks_that_are_not_there():
    assert proven_leaks(200)[1] > allowed(ALPHA / 2)


def test_a_known_prior_unlike_the_samples_keeps_the_claim():
    """Samples are drawn evenly, the claim is about another prior; rows weigh accordingly."""
    channel, prior, runs = Channel([[1.0, 0.0], [0.5, 0.5]]), np.array([0.4, 0.6]), 600
    truth = channel.with_prior(prior).posterior_vulnerability()
    payoff, missed, unweighed = channel.bind("bayes"), 0, 0
    for rng in np.random.default_rng(5).spawn(runs):
        codes, seen = channel.sample(600, rng=rng)
        samples = Samples(codes, channel.secrets, Observables.of(seen))
        weighed = Scored(Weighing(samples, prior), payoff, seen)
        lower = lower_bound([weighed], ALPHA / 2)
        upper, _ = upper_bound(weighed.weighing, payoff, ALPHA / 2)
        missed += lower > truth or (upper is not None and upper < truth)
        unweighed += lower_bound([Scored(Weighing(samples), payoff, seen)], ALPHA / 2) > truth
    assert missed <= allowed(ALPHA, runs)
    assert unweighed > allowed(ALPHA, runs)


def test_folds_that_trained_each_other_keep_the_claim():
    channel, n, missed = Channel(np.full((2, 12), 1 / 12)), 60, 0
    payoff = channel.bind("bayes")
    for rng in np.random.default_rng(3).spawn(RUNS):
        codes, seen = channel.sample(n, rng=rng)
        samples = Samples(codes, channel.secrets, Observables.of(seen))
        folds = []
        for start in range(0, n, 15):
            part = np.arange(start, start + 15)
            rest = np.setdiff1d(np.arange(n), part)
            counts = np.zeros((12, 2))
            np.add.at(counts, (seen[rest], codes[rest]), 1)
            guesses = payoff.best(counts)[seen[part]]
            folds.append(Scored(Weighing(samples.take(part)), payoff, guesses))
        missed += lower_bound(folds, ALPHA / 2) > 0.5
    assert missed <= allowed(ALPHA / 2)
