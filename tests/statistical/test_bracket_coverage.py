"""The bracket of an estimate misses the truth in at most the stated share of runs.

In each run samples are drawn and parted, an attacker is trained on one part, its gains on the other
are certified. The attacker is a cheap one, for it is the claim that is tested
here; a weak attacker makes the lower side safer and does nothing to the upper one. Broken twins
show that the tests can fail.
"""

from functools import cache

import numpy as np
import pytest
from scipy import stats
from tests.statistical.systems import ALPHA, CHANNELS, RUNS, allowed, counted, evidence

from gleak.certify import Scored, Weighing, lower_bound, upper_bound
from gleak.channel import Channel
from gleak.observables import Observables
from gleak.parallel import one_thread
from gleak.samples import Samples


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


@pytest.mark.parametrize("n", [200, 1_000, 10_000])
def test_a_twin_that_compares_estimates_proves_leaks_that_are_not_there(n):
    assert proven_leaks(n)[1] > allowed(ALPHA / 2)


def test_a_known_prior_unlike_the_samples_keeps_the_claim():
    """Samples are drawn evenly, the claim is about another prior; rows weigh accordingly."""
    channel, prior = Channel([[1.0, 0.0], [0.5, 0.5]]), np.array([0.4, 0.6])
    truth = channel.with_prior(prior).posterior_vulnerability()
    payoff, missed, unweighed, ends = channel.bind("bayes"), 0, 0, []
    for rng in np.random.default_rng(5).spawn(RUNS):
        codes, seen = channel.sample(300, rng=rng)
        samples = Samples(codes, channel.secrets, Observables.of(seen))
        weighed = Scored(Weighing(samples, prior), payoff, seen)
        lower = lower_bound([weighed], ALPHA / 2)
        upper, _ = upper_bound(weighed.weighing, payoff, ALPHA / 2)
        missed += lower > truth or (upper is not None and upper < truth)
        unweighed += lower_bound([Scored(Weighing(samples), payoff, seen)], ALPHA / 2) > truth
        ends.append((lower, upper))
    assert missed <= allowed(ALPHA)
    assert unweighed > allowed(ALPHA)
    assert truth - 0.15 < np.median([lower for lower, _ in ends])
    assert np.median([upper for _, upper in ends if upper is not None]) < truth + 0.15


def cross_fitted(channel, n, k, rng):
    """Folds of which each is attacked by what was counted on the others."""
    codes, seen = channel.sample(n, rng=rng)
    samples = Samples(codes, channel.secrets, Observables.of(seen))
    payoff, folds = channel.bind("bayes"), []
    for part in np.split(np.arange(n), k):
        rest = np.setdiff1d(np.arange(n), part)
        rule = counted(payoff, codes[rest], seen[rest], channel.n_observables)
        folds.append(Scored(Weighing(samples.take(part)), payoff, rule[seen[part]]))
    return folds


@cache
def crossed():
    """Lower bounds of folds, and of the twin that counts their wins as if they were independent.

    A majority that chance made shows in every fold: where nothing leaks, all folds win together.
    """
    channel, found = Channel(np.ones((2, 1))), []
    for rng in np.random.default_rng(3).spawn(RUNS):
        folds = cross_fitted(channel, 60, 4, rng)
        gains = np.concatenate([fold.gains for fold in folds])
        pooled = stats.binomtest(int(gains.sum()), len(gains)).proportion_ci(1 - ALPHA).low
        found.append((lower_bound(folds, ALPHA / 2), pooled))
    return np.array(found)


def test_folds_that_trained_each_other_keep_the_claim():
    assert (crossed()[:, 0] > 0.5).sum() <= allowed(ALPHA / 2)


def test_folds_counted_as_if_independent_are_caught():
    assert (crossed()[:, 1] > 0.5).sum() > allowed(ALPHA / 2)


def test_folds_say_something():
    channel = Channel([[0.9, 0.1], [0.1, 0.9]])
    rngs = np.random.default_rng(4).spawn(100)
    lower = [lower_bound(cross_fitted(channel, 200, 4, rng), ALPHA / 2) for rng in rngs]
    assert 0.65 < np.median(lower) < 0.9
