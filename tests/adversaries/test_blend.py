import numpy as np
import pytest

from gleak.adversaries.blend import BlendStrategy, blend_weights
from gleak.adversaries.blind import Blind, BlindStrategy
from gleak.payoff import IdentityPayoff, TriesPayoff
from gleak.samples import Samples

PAYOFF = IdentityPayoff(np.arange(3))
SEEN = Samples.of([0, 1, 2], [7, 8, 9]).observables


def test_blind_plays_the_frequencies_whatever_it_sees():
    samples = Samples.of([0, 1, 1, 2], [4, 5, 6, 7])
    strategy = Blind().fit(samples, samples.bind("bayes"))
    assert strategy.guess(SEEN).tolist() == [1, 1, 1]
    np.testing.assert_allclose(strategy.posterior(SEEN), np.tile([0.25, 0.5, 0.25], (3, 1)))
    two = strategy.under(TriesPayoff(samples.secrets, 2))
    assert two.guess(SEEN).tolist() == [[0, 1]] * 3


def test_a_blend_is_the_weighted_mean():
    one = BlindStrategy(PAYOFF, np.array([0.6, 0.4, 0.0]))
    other = BlindStrategy(PAYOFF, np.array([0.0, 0.4, 0.6]))
    blend = BlendStrategy(PAYOFF, (one, other), (0.75, 0.25))
    np.testing.assert_allclose(blend.posterior(SEEN)[0], [0.45, 0.4, 0.15])
    assert BlendStrategy(PAYOFF, (one, other), (0.5, 0.5)).guess(SEEN).tolist() == [1, 1, 1]


def test_weights_are_the_likeliest():
    rng = np.random.default_rng(0)
    tables = rng.uniform(0.05, 1, size=(2, 400))
    shares = blend_weights(list(tables), np.ones(400))
    grid = np.linspace(0, 1, 2001)
    likelihood = [np.log(share * tables[0] + (1 - share) * tables[1]).sum() for share in grid]
    assert shares[0] == pytest.approx(grid[int(np.argmax(likelihood))], abs=2e-3)
    assert shares.sum() == pytest.approx(1)


def test_samples_count_by_their_weight():
    one, other = np.array([0.9, 0.1]), np.array([0.1, 0.9])
    assert blend_weights([one, other], np.array([9.0, 1.0]))[0] > 0.9
