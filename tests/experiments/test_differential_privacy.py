"""Experiment 3 against closed forms and its noise."""

import itertools

import numpy as np
import pytest
from scipy import stats

from gleak.experiments import differential_privacy, experiment


def test_vulnerability_in_closed_form() -> None:
    # With q = e^−1: P(noise ≥ 1) = q/(1+q) for a count that stays, 1/(1+q) for one that
    # grows. Given the bits, the growing count's factor is e for a one and 1/e for a zero.
    q, prior = np.exp(-1.0), np.array([164, 55, 36, 35, 13]) / 303
    total = 0.0
    for bits in itertools.product([0, 1], repeat=5):
        stays = np.prod([q / (1 + q) if bit else 1 / (1 + q) for bit in bits])
        factor = np.where(bits, 1 / q, q)
        total += (stays * factor * prior * [1, 1, 1, 2, 2]).max()
    assert experiment("differential_privacy").vulnerability == pytest.approx(total, rel=1e-12)


def test_posterior_depends_on_the_bits_alone() -> None:
    study = experiment("differential_privacy")
    samples = study.sample(2_000, rng=1)
    bits = samples.observables.matrix() > differential_privacy.CLEVELAND
    weights = study.prior * np.exp(np.where(bits, 1.0, -1.0))
    wanted = weights / weights.sum(axis=1, keepdims=True)
    assert study.optimal.posterior(samples.observables) == pytest.approx(wanted)


def test_noise_is_accumulated_at_the_ends() -> None:
    study = experiment("differential_privacy")
    published = study.sample(200_000, rng=2).observables.matrix()
    assert published[:, 4].min() == 3  # e^−10 · 1/(1+q) of them: 6.6
    assert published[:, 0].max() == 174
    assert published.min() == 3


def test_noise_has_its_distribution() -> None:
    published = experiment("differential_privacy").draw(np.full(20_000, 2), 4).matrix()[:, 2]
    offsets = np.arange(-4, 5)
    wanted = np.exp(-np.abs(offsets)) * (1 - np.exp(-1)) / (1 + np.exp(-1))
    wanted[[0, -1]] += (1 - wanted.sum()) / 2
    counts = np.bincount((published - 37).clip(-4, 4).astype(int) + 4, minlength=9)
    assert stats.chisquare(counts, 20_000 * wanted).pvalue > 1e-3
