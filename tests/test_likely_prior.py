"""Frequencies without the chance in them."""

import numpy as np
import pytest

from gleak.likely_prior import evened, likely_prior
from gleak.samples import Samples

PRIORS = {
    "even": np.full(12, 1 / 12),
    "nearly even": np.linspace(0.9, 1.1, 12) / 12,
    "uneven": np.array([0.4, 0.2, 0.1, 0.1, 0.05, 0.05, 0.02, 0.02, 0.02, 0.02, 0.01, 0.01]),
    "one of all": np.eye(12)[0] * 0.989 + 0.011 / 12,
}


@pytest.mark.parametrize("name", PRIORS)
def test_on_average_it_is_nearer_to_the_truth_than_frequencies(name):
    truth, rng = PRIORS[name], np.random.default_rng(0)
    counts = rng.multinomial(500, truth, size=400)
    likely = np.mean([np.abs(likely_prior(row) - truth).sum() for row in counts])
    frequent = np.abs(counts / 500 - truth).sum(axis=1).mean()
    assert likely < frequent * {"even": 0.4, "nearly even": 0.8}.get(name, 1.02)


def test_it_is_a_distribution_also_where_a_secret_never_came():
    found = likely_prior([0, 300, 2, 0])
    assert found.sum() == pytest.approx(1)
    assert (found > 0).all()


def test_many_samples_leave_nothing_to_believe():
    counts = np.array([60_000, 30_000, 10_000])
    np.testing.assert_allclose(likely_prior(counts), counts / 100_000, rtol=1e-3)


def test_samples_are_weighed_to_it_and_keep_their_number():
    codes = np.repeat([0, 1, 2], [90, 110, 100])
    found = evened(Samples.of(codes, np.arange(300)))
    np.testing.assert_allclose(found.frequencies, 1 / 3)
    assert found.weights.sum() == pytest.approx(300)


def test_few_samples_of_many_secrets_stay_as_they_are():
    given = Samples.of(np.random.default_rng(0).integers(0, 500, 1000), np.arange(1000))
    assert evened(given) is given


def test_samples_that_are_weighed_already_stay_as_they_are():
    given = Samples.of([0, 0, 1], [1, 2, 3], weights=[1.0, 1.0, 4.0])
    assert evened(given) is given
