"""The prior that samples make likely: nearer to even than the frequencies they happen to have."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from gleak.payoff import Floats
from gleak.samples import Samples

_STRENGTHS = np.concatenate([2.0 ** np.arange(0.0, 40.0, 0.5), [np.inf]])
"""How many samples the even prior may count as."""

_ENOUGH = 30
"""Samples per secret from which it pays to weigh them: below, chance in weights costs more."""


def likely_prior(counts: ArrayLike) -> Floats:
    """The mean of the prior after so many samples of each secret.

    Beforehand it is a Dirichlet distribution about the even prior, as narrow as makes the counts
    likeliest (empirical Bayes): counts that differ by no more than chance are evened out, others
    stay as they are.

    >>> likely_prior([96, 105, 99]).round(3)
    array([0.333, 0.333, 0.333])
    >>> likely_prior([10, 20, 270]).round(2)
    array([0.03, 0.07, 0.9 ])
    """
    seen = np.asarray(counts, dtype=np.float64)
    total, even = seen.sum(), np.full(len(seen), 1.0 / len(seen))
    strength = _STRENGTHS[np.argmax([_likelihood(seen, each) for each in _STRENGTHS])]
    if np.isinf(strength):
        return even
    return (seen + strength * even) / (total + strength)


def evened(samples: Samples) -> Samples:
    """The samples, weighed so that each secret is as frequent as it is likely to be.

    Attackers take frequencies for the prior, chance and all. Few samples stay as they are, and so
    do samples that are weighed already, for a known prior say.

    >>> samples = Samples.of(["a"] * 1020 + ["b"] * 980, range(2000))
    >>> evened(samples).frequencies.round(3)
    array([0.5, 0.5])
    """
    if samples.weights is not None or len(samples) < _ENOUGH * len(samples.secrets):
        return samples
    counts = np.bincount(samples.codes, minlength=len(samples.secrets))
    weights = len(samples) * likely_prior(counts) / np.maximum(counts, 1)
    return replace(samples, weights=weights[samples.codes])


def _likelihood(counts: Floats, strength: float) -> float:
    """The logarithm of how likely the counts are, but for a factor that is always the same."""
    total, n = counts.sum(), len(counts)
    if np.isinf(strength):
        return float(-total * np.log(n))
    each = strength / n
    rising = gammaln(counts + each).sum() - n * gammaln(each)
    return float(rising + gammaln(strength) - gammaln(total + strength))
