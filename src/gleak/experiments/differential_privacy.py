"""Experiment 3: the diagnosis of one patient, from counts published with geometric noise."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from gleak.experiments._base import Experiment, KnownSystem, Points, Rng
from gleak.experiments.study import Study, comparison
from gleak.gain import matrix
from gleak.labels import Codes, Labels
from gleak.mechanisms import Histogram, histogram
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
        system=NoisyCounts(histogram(CLEVELAND, nu=1.0, published=range(3, 175))),
        gain=matrix(worth, guesses=range(5), secrets=range(5)),
        sizes=(10_000, 30_000, 50_000),
        metric="manhattan",
    )


def study() -> Study:
    """The paper's comparison of attackers on it."""
    remark = (
        "The paper's networks learn until the last of their epochs, and with so many of them they "
        "learn their samples by heart. *ANN, best moment* is the same network as it was when it "
        "did best on a tenth of the samples, held out."
    )
    return comparison(
        experiment(), "Differential privacy", remark=remark,
        overshadowing=("frequentist",), best_moment=True,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class NoisyCounts(KnownSystem):
    """A histogram of patients, one of whom is new, and the truth about it.

    Tuples of counts are too many to list: strategies are examined at ``examined`` of them, drawn
    once and for all.
    """

    published: Histogram
    examined: int = 200_000

    @property
    def secrets(self) -> Labels:  # type: ignore[override]
        """The classes."""
        return self.published.secrets

    @property
    def prior(self) -> Floats:  # type: ignore[override]
        """The new patient is like the others."""
        return self.published.prior

    @property
    def attributes(self) -> Mapping[str, Labels]:  # type: ignore[override]
        """Nothing more is known of a class."""
        return {}

    def draw(self, secret_codes: Codes, rng: Rng = None) -> Observables:
        return self.published.draw(secret_codes, np.random.default_rng(rng))

    def posterior(self, observables: Observables) -> Floats:
        return self.prior * self.published.likelihoods(observables)

    def vulnerability(self, payoff: Payoff) -> float:
        joint = np.asarray(self.published.channel.matrix).T * self.prior
        return float(payoff.best_value(joint).sum())

    @cached_property
    def points(self) -> Points:
        # A seed of its own, so that nobody's training samples are these points.
        generator = np.random.default_rng([*self.published.counts, self.examined])
        codes = generator.choice(len(self.secrets), size=self.examined, p=self.prior)
        observables = self.draw(codes, generator)
        weights = self.posterior(observables)
        joint = weights / (weights.sum(axis=1, keepdims=True) * self.examined)
        return Points(observables, joint, sampled=self.examined)
