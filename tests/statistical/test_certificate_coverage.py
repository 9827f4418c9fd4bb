"""The brackets of the blind guess and of leakage, and those of rows that are not alike.

Each bracket is claimed at the stated confidence by itself; twins take the prior for known, or rows
of a group for independent, or what is public for secret.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.statistical.systems import ALPHA, CHANNELS, RUNS, allowed, counted, evidence

from gleak.certificate import Evidence, certify
from gleak.certify import Scored, Weighing, lower_bound, upper_bound
from gleak.channel import Channel
from gleak.observables import Observables
from gleak.parallel import one_thread
from gleak.samples import Samples

LEAKY = ["one bit, blurred", "two tries of five", "negative gains", "perfect leak"]


def certificates(name, n, runs, seed):
    channel, gain, _ = CHANNELS[name]
    payoff = channel.bind(gain)
    with one_thread():
        return [
            certify(evidence(channel, payoff, n, rng), 1 - ALPHA)
            for rng in np.random.default_rng(seed).spawn(runs)
        ]


@cache
def certified(name):
    """Certificates of many runs, and the exact leakage."""
    channel, gain, n = CHANNELS[name]
    found = certificates(name, n, RUNS, seed=9)
    return found, channel.prior_vulnerability(gain), channel.leakage(gain)


def missed(bracket, truth):
    if bracket is None:
        return False
    above = bracket.upper is not None and bracket.upper < truth - 1e-12
    return above or bracket.lower > truth + 1e-12


@pytest.mark.parametrize("name", LEAKY)
def test_every_bracket_misses_no_more_than_it_may(name):
    found, blind, leakage = certified(name)
    for what, truth in (
        ("prior_vulnerability", blind),
        ("additive", leakage.additive),
        ("multiplicative", leakage.multiplicative),
        ("min_entropy_bits", leakage.min_entropy_bits),
    ):
        assert sum(missed(getattr(c, what), truth) for c in found) <= allowed(ALPHA), what


@pytest.mark.parametrize("name", LEAKY)
def test_the_brackets_close_in_on_the_truth(name):
    """Brackets that never excluded anything would pass every count of misses."""
    channel, gain, _ = CHANNELS[name]
    leakage, blind = channel.leakage(gain), channel.prior_vulnerability(gain)
    found = certificates(name, 6_000, 10, seed=10)
    assert np.median([c.prior_vulnerability.lower for c in found]) > 0.75 * blind
    assert np.median([c.additive.lower for c in found]) > 0.65 * leakage.additive
    if name in ("one bit, blurred", "two tries of five"):
        assert np.median([c.multiplicative.upper for c in found]) < 1.2 * leakage.multiplicative


def test_a_ratio_to_a_prior_taken_for_known_is_caught():
    found, _, leakage = certified("two tries of five")
    wrong = 0
    for c in found:
        after, blind = c.vulnerability, c.prior_vulnerability.estimate
        upper = np.inf if after.upper is None else after.upper
        wrong += not after.lower <= leakage.multiplicative * blind <= upper
    assert wrong > allowed(ALPHA)


# Rows that belong together

SESSIONS = Channel([[0.8, 0.2], [0.3, 0.7]])


def sessions(rng, n=40, copies=6):
    """The guess on each row, and rows that were recorded six at a time."""
    codes, seen = (np.repeat(part, copies) for part in SESSIONS.sample(n, rng=rng))
    rows = Samples(codes, SESSIONS.secrets, Observables.of(seen))
    grouped = replace(rows, groups=np.repeat(np.arange(n), copies))
    return seen, grouped, rows


@cache
def grouped_ends():
    """Both ends for rows in groups, and the lower one of the twin without them."""
    payoff, found = SESSIONS.bind("bayes"), []
    for rng in np.random.default_rng(12).spawn(RUNS):
        guesses, grouped, rows = sessions(rng)
        apart = Weighing(grouped)
        lower = lower_bound([Scored(apart, payoff, guesses)], ALPHA / 2)
        upper, _ = upper_bound(apart, payoff, ALPHA / 2)
        alone = lower_bound([Scored(Weighing(rows), payoff, guesses)], ALPHA / 2)
        found.append((lower, np.inf if upper is None else upper, alone))
    return np.array(found)


def test_rows_of_a_group_count_once():
    lower, upper, _ = grouped_ends().T
    truth = SESSIONS.posterior_vulnerability()
    assert (lower > truth).sum() <= allowed(ALPHA / 2)
    assert (upper < truth).sum() <= allowed(ALPHA / 2)
    assert np.median(lower) > 0.5
    assert np.isfinite(upper).mean() > 0.5


def test_rows_of_a_group_taken_for_independent_are_caught():
    assert (grouped_ends()[:, 2] > SESSIONS.posterior_vulnerability()).sum() > allowed(ALPHA / 2)


# What is public

TELLS = 0.8
"""How often the public bit is the secret one; nothing else is seen that depends on it."""


def known_beforehand(rng, public, n=200):
    """Everything that an attacker sees is public, or is taken for something that it had to see."""
    secret = rng.integers(0, 2, n)
    bit = np.where(rng.random(n) < TELLS, secret, 1 - secret)
    samples = Samples(secret, np.arange(2), Observables.of(bit))
    payoff, half = samples.bind("bayes"), n // 2
    rule = counted(payoff, secret[:half], bit[:half], 2)
    rest = Weighing(samples.take(slice(half, n)))
    seeing = Scored(rest, payoff, rule[bit[half:]])
    blind = Scored(rest, payoff, np.zeros(n - half, dtype=np.intp))
    nothing = Observables.of(np.zeros(n))
    return Evidence(
        payoff, [seeing], [seeing if public else blind], Weighing(samples),
        samples.observables if public else nothing,
    )  # fmt: skip


@cache
def of_public(public):
    rngs = np.random.default_rng(13).spawn(RUNS)
    return [certify(known_beforehand(rng, public), 1 - ALPHA) for rng in rngs]


def test_what_is_public_is_no_leak():
    found = of_public(True)
    assert sum(c.verdict == "leaks" for c in found) <= allowed(ALPHA / 2)
    assert sum(missed(c.additive, 0.0) for c in found) <= allowed(ALPHA)
    assert sum(missed(c.prior_vulnerability, TELLS) for c in found) <= allowed(ALPHA)
    assert np.median([c.prior_vulnerability.lower for c in found]) > 0.6


def test_what_is_public_taken_for_secret_is_caught():
    assert sum(c.verdict == "leaks" for c in of_public(False)) > allowed(ALPHA / 2)
