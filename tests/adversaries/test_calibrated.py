import numpy as np
import pytest

from gleak.adversaries.blind import BlindStrategy
from gleak.adversaries.calibrated import CalibratedStrategy, Calibration, Judged
from gleak.payoff import IdentityPayoff
from gleak.samples import Samples


def judged(posterior, rng, n=4000):
    """Secrets drawn from a posterior over two secrets at each of some points."""
    point = rng.integers(0, len(posterior), n)
    codes = (rng.random(n) < posterior[point, 1]).astype(np.intp)
    return point, codes


def test_what_is_not_sure_enough_is_sharpened_and_what_is_too_sure_is_blunted():
    rng = np.random.default_rng(0)
    truth = np.column_stack([1 - np.linspace(0.02, 0.98, 30), np.linspace(0.02, 0.98, 30)])
    point, codes = judged(truth, rng)
    for power in (0.5, 2.0):
        told = truth**power / (truth**power).sum(axis=1, keepdims=True)
        found = Calibration.of([Judged(told, point, codes, np.array([0.5, 0.5]))])
        given = found(told, np.array([0.5, 0.5]))
        assert np.abs(given - truth).mean() < 0.03 < np.abs(told - truth).mean()


def test_votes_without_doubt_are_given_some():
    rng = np.random.default_rng(0)
    truth = np.array([[0.9, 0.1], [0.1, 0.9]])
    point, codes = judged(truth, rng)
    found = Calibration.of([Judged(np.eye(2), point, codes, np.array([0.5, 0.5]))])
    np.testing.assert_allclose(found(np.eye(2), np.array([0.5, 0.5])), truth, atol=0.02)


def test_who_kept_a_share_of_the_frequencies_does_rare_secrets_justice():
    rng = np.random.default_rng(0)
    common = np.array([0.95, 0.05])
    change = np.exp(np.linspace(-5, 5, 40))
    truth = np.column_stack([common[0] * np.ones(40), common[1] * change])
    truth /= truth.sum(axis=1, keepdims=True)
    told = np.column_stack([common[0] * np.ones(40), common[1] * change**0.5])
    told /= told.sum(axis=1, keepdims=True)
    point, codes = judged(truth, rng, n=40_000)
    found = Calibration.of([Judged(told, point, codes, common)])
    assert found.power == pytest.approx(2, abs=0.1)
    given, heated = found(told, common), told**2 / (told**2).sum(axis=1, keepdims=True)
    assert np.abs(given - truth).mean() < 0.01 < np.abs(heated - truth).mean()


def test_a_calibrated_posterior_still_sums_to_one_and_keeps_its_order():
    rng = np.random.default_rng(0)
    posterior = rng.dirichlet(np.ones(5), 50)
    for power in (0.25, 1.0, 8.0):
        found = Calibration(0.0, power)(posterior, np.full(5, 0.2))
        np.testing.assert_allclose(found.sum(axis=1), 1)
        np.testing.assert_array_equal(found.argmax(axis=1), posterior.argmax(axis=1))


def test_the_strategy_plays_the_calibrated_posterior():
    payoff = IdentityPayoff(np.arange(2))
    member = BlindStrategy(payoff, np.array([0.8, 0.2]))
    strategy = CalibratedStrategy(payoff, member, np.array([0.5, 0.5]), Calibration(0.5, 1.0))
    seen = Samples.of([0, 1], [3, 4]).observables
    np.testing.assert_allclose(strategy.posterior(seen), np.tile([0.65, 0.35], (2, 1)))
