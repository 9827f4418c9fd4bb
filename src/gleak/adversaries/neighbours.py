"""Nearest neighbours: what was seen nearby votes, as in the paper or with k chosen from data."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route
from gleak.adversaries._held_out import parts
from gleak.adversaries._search import MINKOWSKI, Scattered, Space
from gleak.adversaries._windows import Line, Ties
from gleak.errors import InputError
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

Place = Callable[["Observables"], Any]
"""Observables as the coordinates in which neighbours are sought."""

_CHOICES = 12
"""Values of k that are tried."""

_LOWER = 8
"""How many of them are tried first."""

_WIDEST = 512
"""In several columns, where every neighbour has to be fetched, the most that are tried."""


@dataclass(frozen=True)
class Near:
    """Training points ready to be searched."""

    place: Place
    index: Line | Scattered

    @property
    def size(self) -> int:
        """How many distinct training observables there are."""
        return self.index.counts.shape[0]

    def votes(self, points: "Observables", k: int) -> Floats:
        """The votes of each point's k nearest."""
        votes = np.empty((len(points), self.index.counts.shape[1]))
        for rows, (vote,) in self.index.votes(self.place(points), [k]):
            votes[rows] = vote
        return votes


@dataclass(frozen=True)
class NeighboursStrategy(PosteriorStrategy):
    """The votes of the k nearest training points, all their rows counted."""

    payoff: Payoff
    near: Near
    k: int

    def _posterior(self, points: "Observables") -> Floats:
        return self.near.votes(points, self.k)

    def under(self, payoff: Payoff) -> "NeighboursStrategy":
        return replace(self, payoff=payoff)


@dataclass(frozen=True)
class Neighbours(Adversary):
    """The k nearest among the distinct training observables vote, with all their rows.

    ``k`` is a number; ``"paper"``, the paper's formula; or ``"auto"``, chosen from held-out
    training samples. ``metric`` is any of scikit-learn's, except that categorical columns ask
    for a Minkowski one. The paper's form takes observables as they are and, of the points tied
    for the last places, those seen first; the others bring numeric columns to like spread and
    share the last places among the tied, unless ``standardise`` and ``ties`` say otherwise.
    (Were ties broken by the observables' order, small numbers would be favoured wherever points
    lie on a lattice: on the paper's third experiment that alone costs a fifth of the accuracy.)

    The votes for a guess w are Σ_x votes(x)·g(w,x), whether taken from secrets or from the
    paper's (guess, observable) rows: the two routes are one attacker here.

    >>> from gleak.samples import Samples
    >>> samples = Samples.of([0, 0, 1, 1], [1.0, 2.0, 8.0, 9.0])
    >>> strategy = Neighbours(k=1).fit(samples, samples.bind("bayes"))
    >>> strategy.guess(samples.observables)
    array([0, 0, 1, 1])
    """

    name: ClassVar[str] = "neighbours"

    k: int | Literal["auto", "paper"] = "auto"
    metric: str = "euclidean"
    standardise: bool | None = None
    ties: Ties | None = None
    route: Route = "secret"

    def _fit(
        self, train: "Samples", payoff: Payoff, rng: np.random.Generator
    ) -> NeighboursStrategy:
        self._check()
        near = self.near(train)
        return NeighboursStrategy(payoff, near, self._k(train, payoff, near, rng))

    def _check(self) -> None:
        number = isinstance(self.k, int | np.integer) and self.k is not True and self.k >= 1
        if not number and self.k not in ("auto", "paper"):
            raise InputError.must("k", "a whole number from 1, 'auto' or 'paper'", repr(self.k))
        if not isinstance(self.metric, str):
            raise InputError.must("the metric", "one of scikit-learn's names", repr(self.metric))
        if self.ties not in (None, "first", "shared"):
            raise InputError.must("ties", "'first' or 'shared'", repr(self.ties))

    def near(self, train: "Samples") -> Near:
        literal = self.k == "paper"
        standardise = not literal if self.standardise is None else self.standardise
        ties: Ties = self.ties or ("first" if literal else "shared")
        first = train.observables.distinct.first
        points = train.observables.take(first)
        if len(points.columns) == 1 and points.numeric.all() and self.metric in MINKOWSKI:
            place = Only(points.take(slice(0, 1)))
            return Near(place, Line(place(points), train.counts, first, ties))
        seen = np.argsort(first)
        points, counts = points.take(seen), train.counts[seen]
        weights = np.asarray(counts.sum(axis=1), dtype=np.float64)
        space = Space.of(points, weights, self.metric, standardise)
        return Near(space, Scattered(space(points), counts, ties, self.metric))

    def _k(self, train: "Samples", payoff: Payoff, near: Near, rng: np.random.Generator) -> int:
        if self.k == "paper":
            return by_formula(near.size)
        if self.k == "auto":
            return self._chosen(train, payoff, near, rng)
        return min(int(self.k), near.size)

    def _chosen(
        self, train: "Samples", payoff: Payoff, near: Near, rng: np.random.Generator
    ) -> int:
        rounds = [(self.near(rest), held) for rest, held in parts(train, rng)]
        if not rounds:
            return by_formula(near.size)
        for ks in climbs(near):
            pairs = [earned(*round_, payoff, ks) for round_ in rounds]
            gains, weights = (np.concatenate(column) for column in zip(*pairs, strict=True))
            chosen = settled(gains, weights)
            if chosen < len(ks) - 1:
                break
        return ks[chosen]


@dataclass(frozen=True)
class Only:
    """The values of a single column: what a line is made of."""

    template: "Observables"

    def __call__(self, points: "Observables") -> Floats:
        """That column of some points."""
        return self.template.alike(points).matrix()[:, 0]


def by_formula(points: int) -> int:
    """The paper's k: the natural logarithm of the number of distinct observables, rounded.

    >>> by_formula(8000)
    9
    """
    return max(1, round(np.log(points)))


def ladder(near: Near) -> list[int]:
    """The values of k to try, from one neighbour to half of the points, in even ratios."""
    most = max(1, near.size // 2)
    top = most if isinstance(near.index, Line) else min(most, _WIDEST)
    return sorted({round(k) for k in np.geomspace(1, top, _CHOICES).tolist()})


def climbs(near: Near) -> list[list[int]]:
    """The ladder's lower part, then all of it: to be climbed only if the lower part's top is best.

    Neighbours on a line cost the same however many; elsewhere most of the cost is in the widest.
    """
    ks = ladder(near)
    return [ks] if isinstance(near.index, Line) or len(ks) <= _LOWER else [ks[:_LOWER], ks]


def earned(near: Near, held: "Samples", payoff: Payoff, ks: Sequence[int]) -> tuple[Floats, Floats]:
    """What each k (column) earns on each held-out pair of a secret and an observable (row).

    With it comes the weight of each pair. All k's are served by one search, and pairs that come
    twice are scored once.
    """
    points = held.observables.take(held.observables.distinct.first)
    reach = [min(k, near.size) for k in ks]
    gains, weights = [], []
    for rows, votes in near.index.votes(near.place(points), reach):
        cells = held.counts[rows].tocoo()
        secrets = cells.col.astype(np.intp)
        columns = [payoff.value(payoff.best(vote)[cells.row], secrets) for vote in votes]
        gains.append(np.stack(columns, axis=1))
        weights.append(cells.data)
    return np.concatenate(gains), np.concatenate(weights)


def settled(gains: Floats, weights: Floats) -> int:
    """The last column that is no more than half a standard error behind the best one.

    Held-out gains are the right measure but a coarse one: many k's earn nearly the same, and the
    best of them is partly luck. As in the one-standard-error rule (Breiman, Friedman, Olshen,
    Stone 1984, section 3.4.3) the smoothest of the nearly best is preferred. Half an error did
    better than a whole one, than none, than log-loss and than Brier's score, over noise on a
    line, on a lattice and in several dimensions, with 500 to 50,000 samples: the last two choose
    a k that is too small where the best guess is easier to learn than the probabilities.
    """
    total = weights.sum()
    mean = weights @ gains / total
    behind = gains[:, [mean.argmax()]] - gains
    lag = weights @ behind / total
    error = np.sqrt(weights @ (behind - lag) ** 2 / total / total)
    return int(np.flatnonzero(lag <= error / 2)[-1])
