"""Several attackers who vote on every guess."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route, Strategy, Watch
from gleak.adversaries.linear import Linear
from gleak.adversaries.neighbours import Neighbours
from gleak.adversaries.trees import Trees
from gleak.errors import InputError, nearest
from gleak.payoff import Floats, Guesses, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

By = Literal["majority", "posterior"]
"""One voice a member, or the mean of the members' posteriors."""

Sets = Literal["same", "parts", "bootstrap"]
"""What each member learns from: everything, a part of its own, or a resample."""


@dataclass(frozen=True)
class Vote(Adversary):
    """Members trained on one set, on parts of it, or on resamples of it, who then vote.

    The paper's vote of five networks is ``Vote((network,) * 5, sets="parts")``; strategies
    trained elsewhere vote by ``VoteStrategy``.
    """

    members: tuple[Adversary, ...] = (Neighbours(), Linear(), Trees())
    by: By = "majority"
    sets: Sets = "same"
    route: Route = "secret"
    name: ClassVar[str] = "vote"

    def suits(self, train: "Samples", payoff: Payoff) -> str | None:
        """Why a member would not do here, or None."""
        self._check()
        reasons = (voter.suits(train, payoff) for voter in self._voters)
        return next((reason for reason in reasons if reason), None)

    def watched(self, progress: Watch) -> Self:
        self._check()
        turns = enumerate(self.members)
        return replace(self, members=tuple(m.watched(self._turn(progress, i)) for i, m in turns))

    def _turn(self, progress: Watch, turn: int) -> Watch:
        return lambda done: progress((turn + done) / len(self.members))

    @property
    def _voters(self) -> list[Adversary]:
        """The members, on this vote's route."""
        return [replace(member, route=self.route) for member in self.members]  # type: ignore[type-var]

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        self._check()
        by_set, by_tie, *by_member = rng.spawn(2 + len(self.members))
        sets = self._sets(train, by_set)
        voters = zip(self._voters, sets, by_member, strict=True)
        strategies = [voter.fit(part, payoff, rng=child) for voter, part, child in voters]
        if self.by == "posterior":
            return MeanStrategy.of(strategies)
        return VoteStrategy(tuple(strategies), int(by_tie.integers(2**63)))

    def _sets(self, train: "Samples", rng: np.random.Generator) -> "list[Samples]":
        many, n = len(self.members), len(train)
        if self.sets == "same":
            return [train] * many
        if self.sets == "bootstrap":
            return [train.take(np.sort(rng.integers(n, size=n))) for _ in range(many)]
        unit = np.arange(n) if train.groups is None else train.groups
        part = rng.permutation(int(unit.max()) + 1)[unit] % many
        return [train.take(part == member) for member in range(many)]

    def _check(self) -> None:
        if not isinstance(self.members, tuple | list):
            raise InputError.must("the members of a vote", "a tuple", repr(self.members))
        if not self.members:
            raise InputError.must("a vote", "of at least one member", 0)
        for member in self.members:
            if not isinstance(member, Adversary):
                raise InputError.must(
                    "a member of a vote", "an adversary", repr(member),
                    remedy="gleak.adversary makes one of a name or a classifier",
                )  # fmt: skip
        for what, value, kind in (("by", self.by, By), ("sets", self.sets, Sets)):
            known = list(get_args(kind))
            if value not in known:
                raise InputError(f"unknown {what} {value!r} of 'vote'; {nearest(value, known)}")
        if self.by == "posterior" and self.route != "secret":
            raise InputError.must(
                "a vote by posterior", "on the secret route", repr(self.route),
                remedy="vote by majority",
            )  # fmt: skip


@dataclass(frozen=True)
class VoteStrategy(Strategy):
    """The guess that most strategies make; ties are broken at random.

    The draw depends on ``seed`` and on the observable, and on nothing else: whoever sees the same
    observable again guesses the same again.

    >>> from gleak.adversaries.blind import Blind
    >>> from gleak.samples import Samples
    >>> always = [Samples.of([x, x, y], [0, 0, 0]) for x, y in [("a", "b"), ("b", "a")]]
    >>> voters = [Blind().fit(samples, samples.bind("bayes")) for samples in always]
    >>> VoteStrategy((*voters, voters[1])).guess(always[0].observables)
    array([1, 1, 1])
    """

    strategies: tuple[Strategy, ...]
    seed: int = 0

    @property
    def payoff(self) -> Payoff:  # type: ignore[override]
        """What the members play for."""
        return self.strategies[0].payoff

    def _guess(self, points: "Observables") -> Guesses:
        ballots = np.stack([strategy.guess(points) for strategy in self.strategies])
        votes = ballots.reshape(*ballots.shape[:2], -1)
        backing = np.stack([(votes == vote).all(axis=2).sum(axis=0) for vote in votes])
        # A member stands for its guess: each of the tied guesses has as many members as another.
        tied = backing == backing.max(axis=0)
        drawn = np.floor(_uniform(points, self.seed) * tied.sum(axis=0)).astype(np.intp)
        member = (np.cumsum(tied, axis=0) > drawn).argmax(axis=0)
        return ballots[member, np.arange(len(points))]


@dataclass(frozen=True)
class MeanStrategy(PosteriorStrategy):
    """The mean of several posteriors over the same secrets."""

    payoff: Payoff
    strategies: tuple[PosteriorStrategy, ...]

    @classmethod
    def of(cls, strategies: Sequence[Strategy]) -> "MeanStrategy":
        """The mean of strategies that all have a posterior."""
        members = tuple(s for s in strategies if isinstance(s, PosteriorStrategy))
        if not members or len(members) < len(strategies):
            raise InputError.must(
                "a vote by posterior", "of members that learn one",
                f"{len(strategies) - len(members)} of {len(strategies)} that do not",
                remedy="vote by majority",
            )  # fmt: skip
        return cls(members[0].payoff, members)

    def _posterior(self, points: "Observables") -> Floats:
        return np.sum([member.posterior(points) for member in self.strategies], axis=0)

    def under(self, payoff: Payoff) -> "MeanStrategy":
        return replace(self, payoff=payoff)


def _uniform(points: "Observables", seed: int) -> NDArray[np.float64]:
    """A number in [0,1) for each row, fixed by the seed and the row's values."""
    import polars as pl

    columns = {
        column.name: column.values.astype(np.float64) if column.categories is None
        else column.categories[column.values].astype(str)
        for column in points.columns
    }  # fmt: skip
    hashes = pl.DataFrame(columns).hash_rows(seed).to_numpy()
    return np.asarray(hashes >> np.uint64(11), dtype=np.float64) * 2.0**-53
