"""Experiment 3: the diagnosis of one patient, from counts published with geometric noise."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from gleak.channel import Channel
from gleak.experiments._base import Experiment, KnownSystem, Points, Rng
from gleak.experiments.study import Study, comparison
from gleak.gain import matrix
from gleak.labels import Codes, Labels
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.payoff import Floats, Payoff

CLEVELAND = (164, 55, 36, 35, 13)
"""Patients per diagnosis, from healthy (0) to grave (4): see data/SOURCES.md."""


@cache
def experiment() -> Experiment:
    """One more patient joins a table of counts; grave diagnoses are worth twice as much.

    >>> round(experiment().vulnerability, 6)
    0.683512
    """
    worth = np.diag([1.0, 1.0, 1.0, 2.0, 2.0])
    return Experiment(
        name="differential_privacy",
        system=NoisyCounts(CLEVELAND, nu=1.0, published=range(3, 175)),
        gain=matrix(worth, guesses=range(5), secrets=range(5)),
        sizes=(10_000, 30_000, 50_000),
        metric="manhattan",
    )


def study() -> Study:
    """The paper's comparison of attackers on it."""
    return comparison(experiment(), "Differential privacy", overshadowing=("frequentist",))


@dataclass(frozen=True, eq=False)
class NoisyCounts(KnownSystem):
    """Counts per class plus one new patient, each published with two-sided geometric noise.

    Noise beyond the ends of ``published`` is accumulated there. A count z grown by one changes
    the probability of what is published by a factor that depends on nothing but whether it
    exceeds z. So the bits [published_d > counts_d] say all there is to know of the new patient's
    class, and V_g is a sum over their patterns. The tuples of counts are too many to list:
    strategies are examined at ``examined`` of them, drawn once and for all.
    """

    counts: tuple[int, ...]
    nu: float
    published: range
    examined: int = 200_000

    @cached_property
    def secrets(self) -> Labels:  # type: ignore[override]
        """The classes."""
        return np.arange(len(self.counts))

    @cached_property
    def prior(self) -> Floats:  # type: ignore[override]
        """The new patient is like the others."""
        return np.array(self.counts) / sum(self.counts)

    @property
    def attributes(self) -> Mapping[str, Labels]:  # type: ignore[override]
        """Nothing more is known of a class."""
        return {}

    def draw(self, secret_codes: Codes, rng: Rng = None) -> Observables:
        generator = np.random.default_rng(rng)
        counts = np.array(self.counts) + np.eye(len(self.counts), dtype=np.intp)[secret_codes]
        noisy = [self._noise.draw(count - self.published.start, generator) for count in counts.T]
        return Observables.of(
            {f"count{place}": codes + self.published.start for place, codes in enumerate(noisy)}
        )

    def posterior(self, observables: Observables) -> Floats:
        codes = observables.matrix().astype(np.intp) - self.published.start
        return self.prior * self._ratios[np.arange(len(self.counts)), codes]

    def vulnerability(self, payoff: Payoff) -> float:
        return float(payoff.best_value(self._patterns).sum())

    @cached_property
    def points(self) -> Points:
        # A seed of its own, so that nobody's training samples are these points.
        generator = np.random.default_rng([*self.counts, self.examined])
        codes = generator.choice(len(self.counts), size=self.examined, p=self.prior)
        observables = self.draw(codes, generator)
        weights = self.posterior(observables)
        joint = weights / (weights.sum(axis=1, keepdims=True) * self.examined)
        return Points(observables, joint, sampled=self.examined)

    @cached_property
    def _noise(self) -> Channel:
        return geometric(self.published, self.nu)

    @cached_property
    def _patterns(self) -> Floats:
        """P(x, bits) for each pattern of bits (row)."""
        classes = len(self.counts)
        patterns = np.array(list(itertools.product([False, True], repeat=classes)))
        joint = np.tile(self.prior, (len(patterns), 1))
        for place, count in enumerate(self.counts):
            above = [self._above(count, count), self._above(count + 1, count)]
            of_secret = np.where(np.arange(classes) == place, above[1], above[0])
            joint *= np.where(patterns[:, [place]], of_secret, 1.0 - of_secret)
        return joint

    def _above(self, count: int, than: int) -> float:
        """The probability that what is published for a count exceeds a number."""
        row = np.asarray(self._noise.matrix)[count - self.published.start]
        return float(row[than + 1 - self.published.start :].sum())

    @cached_property
    def _ratios(self) -> Floats:
        """P(y | count + 1)/P(y | count) for each class (row) and each number y."""
        rows = np.asarray(self._noise.matrix)
        start = np.array(self.counts) - self.published.start
        return rows[start + 1] / rows[start]
