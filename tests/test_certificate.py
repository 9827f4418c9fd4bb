import numpy as np
import pytest

import gleak
from gleak.certificate import Evidence, blind_guesses, certify
from gleak.certify import Bracket, Scored, Weighing
from gleak.observables import Observables
from gleak.samples import Samples


def evidence(samples, guesses, gain="bayes", prior=None, public=None):
    payoff = samples.bind(gain)
    weighing = Weighing(samples, prior)
    blind = blind_guesses(payoff, samples.frequencies, len(samples))
    known = Observables.of(np.zeros(len(samples))) if public is None else public
    folds = [Scored(weighing, payoff, np.asarray(guesses))]
    return Evidence(payoff, folds, [Scored(weighing, payoff, blind)], weighing, known, prior)


def leaking(n=1000, seed=0):
    codes = np.random.default_rng(seed).integers(0, 4, n)
    return Samples.of(codes, codes % 2)


def test_a_leak_is_bracketed_on_every_scale():
    samples = leaking()
    found = certify(evidence(samples, samples.codes % 2), 0.95)
    assert found.verdict == "leaks"
    assert found.vulnerability.lower < 0.5 < found.vulnerability.upper
    assert found.prior_vulnerability.lower < 0.25 < found.prior_vulnerability.upper
    assert found.additive.lower < 0.25 < found.additive.upper
    assert found.multiplicative.lower < 2 < found.multiplicative.upper
    assert found.min_entropy_bits.lower == pytest.approx(np.log2(found.multiplicative.lower))
    assert not found.prior_known


def test_a_blind_attacker_proves_no_leak():
    samples = leaking()
    found = certify(evidence(samples, np.zeros(1000, dtype=int)), 0.95)
    assert found.verdict == "no leak proven"
    assert found.additive.lower == 0
    assert found.multiplicative.lower == 1


def test_a_known_prior_makes_the_prior_vulnerability_a_point():
    samples = leaking()
    found = certify(evidence(samples, samples.codes % 2, prior=np.full(4, 0.25)), 0.95)
    assert found.prior_known
    assert found.prior_vulnerability == Bracket.point(0.25)
    assert found.additive.lower > 0


def test_who_sees_more_wins_no_less_than_who_is_blind():
    samples = leaking(60)
    prior = np.array([0.7, 0.1, 0.1, 0.1])
    found = certify(evidence(samples, np.zeros(60, dtype=int), prior=prior), 0.95)
    assert found.vulnerability.lower == found.prior_vulnerability.lower == pytest.approx(0.7)
    assert found.verdict == "no leak proven"


def test_what_is_public_is_no_leak():
    samples = leaking()
    public = evidence(samples, samples.codes % 2, public=Observables.of(samples.codes % 2))
    found = certify(public, 0.95)
    assert found.verdict == "no leak proven"
    assert not found.prior_known


def test_higher_confidence_claims_less():
    samples = leaking()
    low, high = (certify(evidence(samples, samples.codes % 2), c) for c in (0.9, 0.999))
    assert high.vulnerability.lower < low.vulnerability.lower
    assert high.vulnerability.upper > low.vulnerability.upper
    assert high.additive.lower < low.additive.lower


def test_negative_gains_have_additive_leakage_only():
    samples = leaking()
    gain = gleak.matrix(2 * np.eye(4) - 1)
    found = certify(evidence(samples, samples.codes % 2, gain), 0.95)
    assert found.verdict == "leaks"
    assert found.multiplicative is None
    assert found.min_entropy_bits is None


def test_no_upper_bound_is_said_with_its_reason():
    samples = Samples.of(leaking().codes, np.arange(1000))
    found = certify(evidence(samples, samples.codes % 2), 0.95)
    for bracket in (found.vulnerability, found.additive, found.multiplicative):
        assert bracket.upper is None
        assert "best rule in hindsight" in bracket.upper_reason


def test_an_estimate_outside_its_bounds_is_moved_to_the_nearest():
    assert Bracket(0, 0.5, 1).around(0.6, 0.9) == Bracket(0.6, 0.6, 0.9)
    assert Bracket(0, 0.95, 1).around(0.6, 0.9) == Bracket(0.6, 0.9, 0.9)
    assert Bracket(0, 0.95, None, "why").around(0.6, None) == Bracket(0.6, 0.95, None, "why")
