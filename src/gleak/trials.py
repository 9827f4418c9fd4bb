"""Trying a family: it trains on one part of some samples and is compared on another."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries import PosteriorStrategy
from gleak.adversaries.calibrated import Calibration, Judged
from gleak.errors import GleakError, InputError
from gleak.field import Candidate
from gleak.likely_prior import evened
from gleak.observables import Observables
from gleak.payoff import Floats, Payoff
from gleak.samples import Samples
from gleak.splits import folds, holdout

_FOLDED, _FEW = 12_000, 1_000
"""Rows up to which each of them is compared on in turn, in folds; in more folds if they are few."""

_COMPARED = 0.2
"""The share of the rows compared on where one part is enough, ..."""

_ENOUGH = 20_000
"""... and how many rows are enough."""

_SMALLEST = 1e-6
"""Likelihoods below this count as this: a posterior of zero is an overstatement, not a ruin."""

Posterior = NDArray[np.float32]
"""A posterior per distinct observable: half the memory, and more digits than it deserves."""


@dataclass(frozen=True)
class Bout:
    """Samples to train on, in random order, and samples to compare on."""

    train: Samples
    compare: Samples

    @property
    def points(self) -> Observables:
        """The distinct observables compared on."""
        return self.compare.observables.take(self.compare.observables.distinct.first)

    def gains(self, posterior: Posterior, payoff: Payoff) -> Floats:
        """What the best guesses under a posterior earn on each row compared on."""
        guesses = payoff.best(posterior)[self.compare.observables.distinct.inverse]
        return payoff.value(guesses, self.compare.codes)

    def likelihood(self, posterior: Posterior) -> Floats:
        """What a posterior gave to the secret of each row compared on."""
        given = posterior[self.compare.observables.distinct.inverse, self.compare.codes]
        return np.maximum(given.astype(np.float64), _SMALLEST)

    def judged(self, posterior: Posterior) -> Judged:
        """A posterior beside what it is to be judged by."""
        point = self.compare.observables.distinct.inverse
        return Judged(posterior, point, self.compare.codes, self.train.frequencies)


def bouts(train: Samples, rng: np.random.Generator) -> tuple[Bout, ...]:
    """How training samples are parted to compare families: folds where they are few."""
    by_split, by_order = rng.spawn(2)
    units = len(train) if train.groups is None else len(np.unique(train.groups))
    if units < 2:
        what = "rows to learn from" if train.groups is None else "groups to learn from"
        raise InputError.must(
            what, "at least two, to choose an attacker", units,
            remedy="bring more samples, or name an adversary",
        )  # fmt: skip
    if len(train) <= _FOLDED:
        rounds = 5 if len(train) <= _FEW else 3
        compared = folds(train, min(rounds, units), rng=by_split)
    else:
        share = min(_COMPARED, _ENOUGH / len(train))
        compared = [holdout(train, share, rng=by_split)[1]]
    everyone = np.arange(len(train))
    return tuple(
        Bout(evened(train.take(order.permutation(np.setdiff1d(everyone, rows)))), train.take(rows))
        for rows, order in zip(compared, by_order.spawn(len(compared)), strict=True)
    )


@dataclass(frozen=True)
class Trial:
    """What one candidate did on the samples compared on, fold after fold.

    ``gains`` has one array per payoff; an attacker without posteriors has no ``likelihood``.
    Posteriors, and what follows from them, are calibrated.
    """

    candidate: Candidate
    gains: tuple[Floats, ...]
    posteriors: tuple[Posterior, ...] | None
    likelihood: Floats | None
    seconds: float
    calibration: Calibration | None = None

    @property
    def name(self) -> str:
        """The family's name."""
        return self.candidate.label

    @property
    def log_loss(self) -> float:
        """The mean log-loss; infinite for an attacker without posteriors."""
        return np.inf if self.likelihood is None else -float(np.log(self.likelihood).mean())


@dataclass(frozen=True)
class Attempt:
    """One trial to be carried out, here or in another process."""

    candidate: Candidate
    bouts: tuple[Bout, ...]
    size: int
    payoffs: tuple[Payoff, ...]
    rng: np.random.Generator

    def __call__(self) -> Trial | str:
        """The trial, or why this family could not take part."""
        start = perf_counter()
        adversary, first = self.candidate.adversary, self.payoffs[0]
        try:
            strategies = [
                adversary.fit(bout.train.take(slice(0, self.size)), first, rng=rng)
                for bout, rng in zip(self.bouts, self.rng.spawn(len(self.bouts)), strict=True)
            ]
            if not all(isinstance(strategy, PosteriorStrategy) for strategy in strategies):
                pairs = zip(strategies, self.bouts, strict=True)
                gains = np.concatenate([s.gains(bout.compare) for s, bout in pairs])
                return Trial(self.candidate, (gains,), None, None, perf_counter() - start)
            posteriors = tuple(
                strategy.posterior(bout.points).astype(np.float32)
                for strategy, bout in zip(strategies, self.bouts, strict=True)
                if isinstance(strategy, PosteriorStrategy)
            )
        except GleakError as error:
            return f"{self.candidate.label} did not take part: {error}"
        seconds = perf_counter() - start
        return judged(self.candidate, posteriors, self.bouts, self.payoffs, seconds)


def judged(
    candidate: Candidate,
    posteriors: tuple[Posterior, ...],
    parts: Sequence[Bout],
    payoffs: Sequence[Payoff],
    seconds: float,
) -> Trial:
    """The trial of someone whose posteriors, one array per fold, are there."""
    judged_by = [bout.judged(p) for p, bout in zip(posteriors, parts, strict=True)]
    calibration = Calibration.of(judged_by)
    posteriors = tuple(
        calibration(fold.posterior, fold.frequencies).astype(np.float32) for fold in judged_by
    )
    pairs = list(zip(posteriors, parts, strict=True))
    gains = tuple(
        np.concatenate([bout.gains(p, payoff) for p, bout in pairs]) for payoff in payoffs
    )
    likelihood = np.concatenate([bout.likelihood(p) for p, bout in pairs])
    return Trial(candidate, gains, posteriors, likelihood, seconds, calibration)


def run(attempt: Attempt) -> Trial | str:
    """Carry an attempt out: a function, so that it can be sent to another process."""
    return attempt()
