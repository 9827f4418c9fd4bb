"""Exact answers against libqif, an independent implementation, on random channels."""

import numpy as np
import pytest
import qif

import gleak
from gleak.channel import Channel

measure = qif.measure
CASES = [(2, 2, 2), (3, 5, 4), (5, 3, 2), (10, 30, 8), (40, 25, 60)]


@pytest.fixture(params=[(size, seed) for size in CASES for seed in (0, 1)], ids=str)
def case(request):
    (secrets, observables, guesses), seed = request.param
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.full(observables, 0.4), secrets)
    matrix[matrix < 0.02] = 0
    channel = Channel(matrix / matrix.sum(axis=1, keepdims=True), rng.dirichlet(np.ones(secrets)))
    return channel, rng.random((guesses, secrets)).round(2)


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


def test_g_vulnerability(case):
    channel, table = case
    prior, matrix, gain = channel.prior, channel.matrix, gleak.matrix(table)
    assert channel.prior_vulnerability(gain) == close(measure.g_vuln.prior(table, prior))
    assert channel.posterior_vulnerability(gain) == close(
        measure.g_vuln.posterior(table, prior, matrix)
    )
    leakage = channel.leakage(gain)
    assert leakage.multiplicative == close(measure.g_vuln.mult_leakage(table, prior, matrix))
    assert leakage.additive == close(measure.g_vuln.add_leakage(table, prior, matrix))
    theirs = np.ravel(measure.g_vuln.strategy(table, prior, matrix)).astype(np.intp)
    assert channel.value(theirs, gain) == close(channel.posterior_vulnerability(gain))


def test_bayes_vulnerability_and_risk(case):
    channel, _ = case
    prior, matrix = channel.prior, channel.matrix
    assert channel.prior_vulnerability() == close(measure.bayes_vuln.prior(prior))
    assert channel.posterior_vulnerability() == close(measure.bayes_vuln.posterior(prior, matrix))
    assert channel.leakage().min_entropy_bits == close(
        measure.bayes_vuln.min_entropy_leakage(prior, matrix)
    )
    assert channel.bayes_capacity() == close(measure.bayes_vuln.mult_capacity(matrix))
    assert channel.bayes_risk() == close(measure.bayes_risk.posterior(prior, matrix))


def test_bayes_security(case):
    """libqif's capacity is the largest ratio of prior to posterior risk: the other way up."""
    channel, _ = case
    ratio, _ = measure.bayes_risk.mult_capacity(channel.matrix)
    assert channel.bayes_security() == pytest.approx(1 / ratio, abs=1e-9)


def test_shannon(case):
    channel, _ = case
    prior, matrix = channel.prior, channel.matrix
    assert channel.mutual_information() == close(measure.shannon.add_leakage(prior, matrix))
    bits, _ = measure.shannon.add_capacity(matrix, 1e-10)
    assert channel.shannon_capacity(1e-10).bits == pytest.approx(bits, abs=1e-8)


def test_guessing_entropy(case):
    channel, _ = case
    prior, matrix = channel.prior, channel.matrix
    assert channel.prior_guessing_entropy() == close(measure.guessing.prior(prior))
    assert channel.guessing_entropy() == close(measure.guessing.posterior(prior, matrix))


def test_hyper(case):
    channel, _ = case
    outer, inners = qif.channel.hyper(channel.matrix, channel.prior)
    ours = channel.hyper()
    order, theirs = np.lexsort(ours.inners.T), np.lexsort(inners)
    np.testing.assert_allclose(ours.outer[order], np.ravel(outer)[theirs], rtol=1e-9)
    np.testing.assert_allclose(ours.inners[order], inners.T[theirs], atol=1e-9)


def test_channel_reduction(case):
    channel, table = case
    prior, secrets_of, factor, shift = measure.g_vuln.g_to_bayes(table, channel.prior)
    ours = channel.channel_reduction(gleak.matrix(table))
    assert (ours.factor, ours.shift) == (close(factor), close(shift))
    np.testing.assert_allclose(ours.secrets_of.prior, np.ravel(prior), rtol=1e-9)
    np.testing.assert_allclose(ours.secrets_of.matrix, secrets_of, atol=1e-9)
