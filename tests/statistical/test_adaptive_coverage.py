"""Brackets that stop when they like: how often they miss, and that peeking elsewhere is caught."""

import numpy as np
import pytest
from scipy.stats import binom

from gleak import live_stages
from gleak.adaptive import estimate_live
from gleak.bounds import clopper_pearson
from gleak.channel import Channel
from gleak.gain import matrix
from gleak.live_attacker import Answers, Target
from gleak.live_certificate import tape_upper
from gleak.live_stages import Counted, Pilot, Staked
from gleak.observables import Observables
from gleak.population import Population

RUNS = 2_000
ALPHA = 0.1

CHANCES = {
    "alike": ([0.9, 0.88, 0.86, 0.95], [0.25] * 4),
    "uneven": ([0.99, 0.02, 0.5, 0.98], [0.4, 0.4, 0.1, 0.1]),
    "coin": ([0.6, 0.6], [0.5, 0.5]),
}
"""The chance of a win against each secret, and the prior."""


def allowed(alpha):
    return binom.ppf(1 - 1e-6, RUNS, alpha)


def wins(chances, codes, rng):
    return (rng.random(len(codes)) < np.array(chances)[codes]).astype(float)


def stopped(kind, name, rng, precision, pilots=None):
    """The lower bound at which a stage stopped: when precise enough, or ever above the truth."""
    chances, prior = CHANCES[name]
    population = Population.of(np.arange(len(prior)), prior)
    codes = population.spread(100, rng)
    pilot = Pilot(codes, wins(pilots or chances, codes, rng), np.ones(100))
    stage = kind(population, pilot, precision, ALPHA, None)
    while stage.asked == 0 or stage.estimate - stage.lower > precision:
        codes = stage.block(rng)
        stage.count(codes, wins(chances, codes, rng))
    return stage.lower, stage.asked


@pytest.mark.parametrize(
    ("kind", "name"),
    [(Counted, name) for name in CHANCES] + [(Staked, "uneven"), (Staked, "coin")],
)
def test_a_stage_that_stops_when_precise_misses_no_more_than_stated(kind, name, monkeypatch):
    monkeypatch.setattr(live_stages, "_BLOCKS", 3)
    chances, prior = CHANCES[name]
    found = [stopped(kind, name, rng, 0.15) for rng in np.random.default_rng(1).spawn(RUNS)]
    truth = float(np.dot(chances, prior))
    missed = sum(lower > truth for lower, _ in found)
    assert missed <= allowed(ALPHA)
    assert np.mean([lower for lower, _ in found]) > truth - 0.25


def test_bets_laid_by_the_pilot_of_another_attacker_miss_no_more_than_stated(monkeypatch):
    """What it says of each secret is wrong, which may cost answers but no confidence."""
    monkeypatch.setattr(live_stages, "_BLOCKS", 3)
    chances, prior = CHANCES["uneven"]
    found = [
        stopped(Staked, "uneven", rng, 0.15, chances[::-1])
        for rng in np.random.default_rng(5).spawn(RUNS)
    ]
    assert sum(lower > np.dot(chances, prior) for lower, _ in found) <= allowed(ALPHA)
    assert np.median([asked for _, asked in found]) < 1_000


def test_peeking_with_an_interval_for_one_look_is_caught():
    """The broken twin: Clopper-Pearson after every tenth answer, until it says what is hoped."""
    missed = 0
    for rng in np.random.default_rng(2).spawn(RUNS):
        gains = (rng.random(600) < 0.6).astype(float)
        looks = range(20, 601, 20)
        missed += any(
            clopper_pearson(gains[:look], alpha=ALPHA, side="lower").lower > 0.6 for look in looks
        )
    assert missed > allowed(ALPHA)


def test_counting_in_neymans_shares_is_caught():
    """The other broken twin: wins are only binomial where secrets are asked as the prior says."""
    chances, prior = CHANCES["uneven"]
    missed = 0
    for rng in np.random.default_rng(3).spawn(RUNS):
        codes = Population.of(np.arange(4), prior).spread(400, rng, np.array([0.4, 0.1, 0.4, 0.1]))
        gains = wins(chances, codes, rng)
        missed += clopper_pearson(gains, alpha=ALPHA, side="lower").lower > np.dot(chances, prior)
    assert missed > allowed(ALPHA)


# The upper side

GAIN = np.array([[2.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
MATRIX = np.array([[0.7, 0.3], [0.2, 0.8], [0.5, 0.5]])
PRIOR = np.array([0.5, 0.3, 0.2])


def asked_unwisely(rng, channel):
    """More of whatever secret has just answered 1: as adaptive as can be."""
    population = Population.of(np.arange(3), PRIOR)
    answers = Answers()
    law = PRIOR
    for _ in range(4):
        codes = population.spread(200, rng, law)
        seen = channel.draw(codes, rng)
        answers.add(codes, Observables.of(seen), np.ones(200))
        ones = np.bincount(codes, seen, 3)
        law = (ones + 30) / (ones + 30).sum()
    return answers


def upper_bounds(runs):
    channel = Channel(MATRIX, PRIOR)
    payoff = matrix(GAIN).bind(channel.secrets)
    target = Target(Population.of(np.arange(3), PRIOR), payoff, np.arange(3))
    truth = channel.posterior_vulnerability(matrix(GAIN))
    rngs = np.random.default_rng(4).spawn(runs)
    return [(tape_upper(target, asked_unwisely(rng, channel), ALPHA), truth) for rng in rngs]


def test_the_upper_bound_holds_however_the_secrets_were_chosen():
    found = upper_bounds(RUNS)
    truth = found[0][1]
    assert sum(upper is not None and upper < truth for (upper, _), _ in found) <= allowed(ALPHA)
    assert np.mean([2.0 if upper is None else upper for (upper, _), _ in found]) < truth + 0.3


@pytest.fixture(scope="module")
def whole_runs():
    """Brackets of whole runs on a small channel: trained, certified, and stopped as they like."""
    channel = Channel([[0.8, 0.2, 0], [0.1, 0.6, 0.3]], prior=[0.4, 0.6])
    options = {"precision": 0.08, "adversary": "frequentist", "confidence": 1 - ALPHA}
    found = [estimate_live(channel, rng=seed, **options) for seed in range(RUNS)]
    return channel.posterior_vulnerability(), [each.vulnerability for each in found]


def test_whole_runs_miss_no_more_than_stated(whole_runs):
    truth, brackets = whole_runs
    missed = sum(found.lower > truth or found.upper < truth for found in brackets)
    assert missed <= allowed(ALPHA)
    assert np.mean([found.lower for found in brackets]) > truth - 0.16


def test_the_estimate_of_a_whole_run_taken_for_a_bound_is_caught(whole_runs):
    """The broken twin of whole runs."""
    truth, brackets = whole_runs
    assert sum(found.estimate > truth for found in brackets) > allowed(ALPHA)
