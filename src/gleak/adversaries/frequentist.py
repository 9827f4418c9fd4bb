"""Counting: the paper's frequentist attacker, and one that falls back on something smoother."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route, positive
from gleak.adversaries._held_out import parts
from gleak.adversaries.blind import BlindStrategy
from gleak.distinct import distinct_rows
from gleak.errors import InputError
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

KAPPAS = np.geomspace(2.0**-10, 2.0**14, 25)
"""The weights κ to choose from: from next to none to more than most observables are seen."""

_BLOCK = 1 << 20
"""Posterior entries held at a time while likelihoods are taken: 8 MB."""


@dataclass(frozen=True)
class Counts:
    """How often each secret was seen with each training observable."""

    points: "Observables"
    table: sparse.csr_array
    """A row per point, and an empty one at the end: that of what was never seen."""

    @classmethod
    def of(cls, train: "Samples") -> "Counts":
        """The counts of training samples."""
        never = sparse.csr_array((1, len(train.secrets)))
        table = sparse.csr_array(sparse.vstack([train.counts, never]))
        return cls(train.observables.take(train.observables.distinct.first), table)

    def rows(self, asked: "Observables") -> NDArray[np.intp]:
        """The row of ``table`` of each observable asked for."""
        known = len(self.points)
        pairs = zip(self.points.columns, self.points.alike(asked).columns, strict=True)
        columns = [np.concatenate([mine.values, theirs.values]) for mine, theirs in pairs]
        inverse = distinct_rows(columns, known + len(asked)).inverse
        row = np.full(known + len(asked), known)
        row[inverse[:known]] = np.arange(known)
        return row[inverse[known:]]


@dataclass(frozen=True)
class FrequentistStrategy(PosteriorStrategy):
    """The counts of each observable, and κ samples' worth of a back-off.

    With κ = 0 only the observables never seen are left to the back-off.
    """

    payoff: Payoff
    counts: Counts
    backoff: PosteriorStrategy
    kappa: float

    def _posterior(self, points: "Observables") -> Floats:
        weights = self.counts.table[self.counts.rows(points)].toarray()
        if self.kappa > 0:
            return weights + self.kappa * self.backoff.posterior(points)
        unseen = np.flatnonzero(weights.sum(axis=1) == 0)
        if unseen.size:
            weights[unseen] = self.backoff.posterior(points.take(unseen))
        return weights

    def under(self, payoff: Payoff) -> "FrequentistStrategy":
        return replace(self, payoff=payoff, backoff=self.backoff.under(payoff))


@dataclass(frozen=True)
class Frequentist(Adversary):
    """P(x|y) ∝ count(x,y) + κ·b(x|y).

    As it stands this is the paper's attacker (its appendix on the frequentist approach): κ = 0,
    and an observable never seen in training is taken for the most frequent secret. ``smoothing``
    is κ, in samples, or ``"auto"``: the κ under which training samples are likeliest when each
    is predicted from the others. ``backoff`` is the adversary whose posterior is b, by default
    the secrets' frequencies; while κ is chosen it is asked only about samples it did not learn.

    Counting secrets and counting the paper's (guess, observable) rows give the same guesses.

    >>> from gleak.samples import Samples
    >>> samples = Samples.of(["a", "a", "b"], [1, 1, 2])
    >>> strategy = Frequentist().fit(samples, samples.bind("bayes"))
    >>> strategy.guess(Samples.of(["a", "b", "b"], [1, 2, 3]).observables)
    array([0, 1, 0])
    """

    name: ClassVar[str] = "frequentist"

    smoothing: float | Literal["auto"] | None = None
    backoff: Adversary | None = None
    route: Route = "secret"

    def _fit(
        self, train: "Samples", payoff: Payoff, rng: np.random.Generator
    ) -> FrequentistStrategy:
        choice, last = rng.spawn(2)
        kappa = self._kappa(train, payoff, choice)
        backoff = self._backoff(train, payoff, last)
        return FrequentistStrategy(payoff, Counts.of(train), backoff, kappa)

    def _kappa(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> float:
        if self.smoothing is None:
            return 0.0
        if self.smoothing != "auto":
            if not positive(self.smoothing):
                got = repr(self.smoothing)
                raise InputError.must("smoothing", "a positive number, 'auto' or None", got)
            return self.smoothing
        if self.backoff is None:
            return likeliest_kappa(left_one_out(train))
        found = list(self._cross_fitted(train, payoff, rng))
        return likeliest_kappa(np.concatenate(found, axis=1) if found else np.empty((4, 0)))

    def _backoff(
        self, train: "Samples", payoff: Payoff, rng: np.random.Generator
    ) -> PosteriorStrategy:
        if self.backoff is None:
            return BlindStrategy(payoff, train.frequencies if self.smoothing else _certain(train))
        if not isinstance(self.backoff, Adversary):
            raise InputError.must(
                "the back-off", "an adversary", repr(self.backoff),
                remedy="gleak.adversary makes one of a name",
            )  # fmt: skip
        strategy = self.backoff.fit(train, payoff, rng=rng)
        if not isinstance(strategy, PosteriorStrategy):
            raise InputError.must(
                "the back-off", "an adversary on the secret route", self.backoff.name
            )
        return strategy

    def _cross_fitted(
        self, train: "Samples", payoff: Payoff, rng: np.random.Generator
    ) -> Iterator[Floats]:
        splits, fits = rng.spawn(2)
        for rest, held in parts(train, splits):
            counts = Counts.of(rest)
            rows = counts.rows(held.observables)
            yield np.stack(
                [
                    np.asarray(counts.table[rows, held.codes]).ravel(),
                    np.asarray(counts.table.sum(axis=1))[rows],
                    _likelihoods(self._backoff(rest, payoff, fits), held),
                    np.ones(len(held)) if held.weights is None else held.weights,
                ]
            )


def left_one_out(train: "Samples") -> Floats:
    """What the other rows say of each row: in closed form, whatever the back-off's κ.

    Rows of the result: the count of its secret at its observable, that of all secrets there, the
    frequency of its secret, and the row's own weight. Rows of its own group are not others.
    """
    weights = np.ones(len(train)) if train.weights is None else train.weights
    group = np.arange(len(train)) if train.groups is None else train.groups
    seen = train.observables.distinct.inverse

    def others(*keys: NDArray[np.intp]) -> Floats:
        total, own = (_sums(cells, weights) for cells in (keys, (*keys, group)))
        return np.where(total - own > 1e-9 * total, total - own, 0.0)  # the rest is rounding

    all_others = others(np.zeros(len(train), dtype=np.intp))
    frequency = others(train.codes) / np.where(all_others > 0, all_others, 1.0)
    return np.stack([others(seen, train.codes), others(seen), frequency, weights])


def likeliest_kappa(evidence: Floats) -> float:
    """The κ under which rows of ``left_one_out``'s form are likeliest; the smaller among equals.

    A row whose secret nobody else has is unlikely under any κ, and says nothing.

    >>> lonely = np.array([[0.0], [3.0], [0.5], [1.0]])  # three others there, of other secrets
    >>> likeliest_kappa(lonely), likeliest_kappa(np.array([[3.0], [3.0], [0.5], [1.0]]))
    (16384.0, 0.0009765625)
    """
    same, there, back, weights = evidence[:, (evidence[0] > 0) | (evidence[2] > 0)]
    if not weights.size:
        return 1.0
    scores = [weights @ np.log((same + k * back) / (there + k)) for k in KAPPAS]
    return float(KAPPAS[int(np.argmax(scores))])


def _sums(keys: tuple[NDArray[np.intp], ...], weights: Floats) -> Floats:
    """For each row, the weight of all rows that agree with it in every key."""
    cell = distinct_rows(keys, len(weights)).inverse
    return np.bincount(cell, weights).astype(np.float64)[cell]


def _likelihoods(strategy: PosteriorStrategy, samples: "Samples") -> Floats:
    """What a strategy gives to each sample's secret."""
    size = max(1, _BLOCK // len(samples.secrets))
    blocks = [samples.take(slice(at, at + size)) for at in range(0, len(samples), size)]
    rows = [strategy.posterior(b.observables)[np.arange(len(b)), b.codes] for b in blocks]
    return np.concatenate(rows)


def _certain(train: "Samples") -> Floats:
    certain = np.zeros(len(train.secrets))
    certain[train.frequencies.argmax()] = 1.0
    return certain
