"""What every classifier needs on either route: weighted rows to learn, and what it learned."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.adversaries._base import PosteriorStrategy, Route, Strategy
from gleak.adversaries._held_out import parts
from gleak.payoff import Floats, Guesses, Payoff
from gleak.preprocess import raised_gains

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

Scores = Callable[["Observables"], Floats]
"""Rows of weights over the labels learned, for observables all different. A picklable object."""


@dataclass(frozen=True)
class Rows:
    """Weighted (label, observable) pairs.

    On the secret route labels are secrets; on the guess route they are guesses, with weight
    Σ_x u(x,y)·g(w,x): what Algorithm 1 would hold as copies. Importance weights that sum to less
    than there are samples are scaled up, as a regulariser would take them for fewer samples.
    """

    points: "Observables"
    point: NDArray[np.intp]
    label: NDArray[np.intp]
    weight: Floats
    n_labels: int

    @classmethod
    def of(cls, train: "Samples", payoff: Payoff, route: Route) -> "Rows":
        """The pairs that training samples hold for a route, each combination once."""
        table = sparse.csr_array(train.counts)
        if route == "guess":
            table = sparse.csr_array(table @ sparse.csr_array(raised_gains(payoff)[0].T))
        table.eliminate_zeros()
        pairs = table.tocoo()
        points = train.observables.take(train.observables.distinct.first)
        return cls(
            points,
            pairs.row.astype(np.intp),
            pairs.col.astype(np.intp),
            pairs.data * _upscaling(train),
            table.shape[1],
        )

    @classmethod
    def each(cls, train: "Samples") -> "Rows":
        """The samples as they are: one pair a row, repeated where it was recorded again."""
        distinct = train.observables.distinct
        weight = np.ones(len(train)) if train.weights is None else train.weights
        weight = weight * _upscaling(train)
        points = train.observables.take(distinct.first)
        return cls(points, distinct.inverse, train.codes, weight, len(train.secrets))

    @property
    def present(self) -> NDArray[np.intp]:
        """The labels that occur, in rising order."""
        return np.unique(self.label)

    @property
    def differ(self) -> bool:
        """Whether there is anything to learn: two labels, and two observables to tell them by."""
        return len(self.present) > 1 and len(self.points) > 1

    @property
    def point_weight(self) -> Floats:
        """How many samples each point stands for."""
        totals = np.zeros(len(self.points))
        np.add.at(totals, self.point, self.weight)
        return totals

    def among(self, labels: NDArray[np.intp]) -> "Rows":
        """The pairs whose label is one of some labels."""
        kept = np.isin(self.label, labels)
        return replace(
            self, point=self.point[kept], label=self.label[kept], weight=self.weight[kept]
        )


@contextmanager
def many_labels() -> Iterator[None]:
    """Nearly as many labels as rows are nothing to warn of: they are secrets."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        yield


def _upscaling(train: "Samples") -> float:
    return 1.0 if train.weights is None else max(1.0, len(train) / float(train.weights.sum()))


def held_out(
    train: "Samples", payoff: Payoff, route: Route, rng: np.random.Generator
) -> tuple[Rows, Rows] | None:
    """The pairs to learn from and the pairs to choose settings by; None where none can be held.

    What certifies is none of an adversary's business: these are all training samples.
    """
    split = next(parts(train, rng), None)
    if split is None:
        return None
    fit, held = (Rows.of(part, payoff, route) for part in split)
    held = held.among(fit.present)
    return (fit, held) if len(fit.present) > 1 and len(held.label) else None


@dataclass(frozen=True)
class Spread:
    """Scores over the labels that occurred, spread over all of them: the others get zero."""

    scores: Scores
    present: NDArray[np.intp]
    n_labels: int

    def __call__(self, points: "Observables") -> Floats:
        """Scores over every label."""
        spread = np.zeros((len(points), self.n_labels))
        spread[:, self.present] = self.scores(points)
        return spread


@dataclass(frozen=True)
class Shares:
    """The answer where training held one label or one observable only: how often each label was."""

    of_labels: Floats

    @classmethod
    def of(cls, rows: Rows) -> "Shares":
        """The shares of the labels that occur."""
        totals = np.bincount(rows.label, rows.weight)[rows.present]
        return cls(totals / totals.sum())

    def __call__(self, points: "Observables") -> Floats:
        """The same row for each point."""
        return np.tile(self.of_labels, (len(points), 1))


@dataclass(frozen=True)
class LearnedPosterior(PosteriorStrategy):
    """A posterior computed by a learned object."""

    payoff: Payoff
    scores: Scores

    def _posterior(self, points: "Observables") -> Floats:
        return self.scores(points)

    def under(self, payoff: Payoff) -> "LearnedPosterior":
        return replace(self, payoff=payoff)


@dataclass(frozen=True)
class LearnedGuess(Strategy):
    """The guess of highest score, scores being over the rows of the payoff's matrix."""

    payoff: Payoff
    scores: Scores

    def _guess(self, points: "Observables") -> Guesses:
        return self.payoff.listed(self.scores(points).argmax(axis=1))


@dataclass(frozen=True)
class OverGuesses(Strategy):
    """What was learned from (guess, observable) pairs, played for the gain they were made for.

    The pairs are those of ``preprocess.copies`` and ``preprocess.guess_samples``.
    """

    payoff: Payoff
    naming: Strategy

    def _guess(self, points: "Observables") -> Guesses:
        return self.payoff.listed(self.naming.guess(points))


def learned(scores: Scores, rows: Rows, payoff: Payoff, route: Route) -> Strategy:
    """The strategy that plays what was learned from some rows."""
    everyone = Spread(scores, rows.present, rows.n_labels)
    kind = LearnedPosterior if route == "secret" else LearnedGuess
    return kind(payoff, everyone)
