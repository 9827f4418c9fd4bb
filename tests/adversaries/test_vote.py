from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from gleak.adversaries import (
    Adversary,
    Frequentist,
    Linear,
    MeanStrategy,
    Metric,
    Neighbours,
    Trees,
    Vote,
    VoteStrategy,
)
from gleak.adversaries._base import Strategy
from gleak.errors import InputError
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.samples import Samples


@dataclass(frozen=True)
class Fixed(Strategy):
    """Guesses what it is told to, whatever it sees."""

    payoff: object
    answer: object

    def _guess(self, points):
        return np.array([self.answer] * len(points))


@dataclass(frozen=True)
class Noting(Adversary):
    """Notes what it was trained on."""

    name: ClassVar[str] = "noting"
    route: str = "secret"

    def _fit(self, train, payoff, rng):
        strategy = Fixed(payoff, int(np.bincount(train.codes).argmax()))
        object.__setattr__(strategy, "train", train)
        return strategy


def samples_of(n: int, seed: int = 0, **more) -> Samples:
    channel = geometric(12, nu=0.5, centres=[1, 4, 7, 10])
    codes, seen = channel.sample(n, rng=seed)
    return Samples.of(codes, seen, **more)


def ballot(*answers, seed=0, n=1000):
    samples = samples_of(20)
    payoff = samples.bind("tries:2" if np.ndim(answers[0]) else "bayes")
    strategy = VoteStrategy(tuple(Fixed(payoff, answer) for answer in answers), seed)
    return strategy.guess(Observables.of(np.arange(n)))


def test_the_majority_wins():
    assert set(ballot(2, 1, 2)) == {2}
    assert set(ballot(3, 0, 3, 0, 1, 3)) == {3}


def test_guesses_of_several_secrets_are_voted_on_as_a_whole():
    assert (ballot([0, 1], [2, 3], [0, 1]) == [0, 1]).all()
    assert (ballot([0, 1], [0, 2], [0, 2], [1, 2]) == [0, 2]).all()


def test_ties_are_broken_evenly_at_random():
    guesses = ballot(0, 1, 2, 2, 1, n=10_000)
    shares = np.bincount(guesses, minlength=4) / 10_000
    assert shares[[0, 3]].tolist() == [0, 0]
    assert shares[1] == pytest.approx(0.5, abs=4 * 0.5 / 100)  # four standard errors


def test_the_same_observable_is_answered_the_same():
    strategy = VoteStrategy(tuple(Fixed(samples_of(20).bind("bayes"), a) for a in range(4)), 5)
    many = strategy.guess(Observables.of(np.arange(300)))
    assert len(set(many.tolist())) == 4
    few = strategy.guess(Observables.of(np.array([250, 7, 250])))
    assert few.tolist() == many[[250, 7, 250]].tolist()
    coloured = Observables.of({"c": ["red", "blue", "green"]})
    other = Observables.of({"c": ["violet", "blue"]})
    assert strategy.guess(coloured)[1] == strategy.guess(other)[1]


def test_another_seed_breaks_ties_otherwise():
    one, same, other = (ballot(0, 1, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert 0.3 < (one != other).mean() < 0.7


def test_parts_are_disjoint_and_together_everything():
    samples = samples_of(100)
    strategy = Vote((Noting(),) * 3, sets="parts").fit(samples, samples.bind("bayes"), rng=1)
    sizes = [len(member.train) for member in strategy.strategies]
    assert sorted(sizes) == [33, 33, 34]
    together = np.concatenate([m.train.codes for m in strategy.strategies])
    assert np.bincount(together).tolist() == np.bincount(samples.codes).tolist()


def test_parts_keep_groups_whole():
    samples = samples_of(120, groups=np.arange(120) // 10)
    strategy = Vote((Noting(),) * 3, sets="parts").fit(samples, samples.bind("bayes"), rng=1)
    groups = [set(member.train.groups.tolist()) for member in strategy.strategies]
    assert sum(map(len, groups)) == len(set.union(*groups)) == 12


def test_resamples_are_as_large_and_all_different():
    samples = samples_of(200)
    strategy = Vote((Noting(),) * 3, sets="bootstrap").fit(samples, samples.bind("bayes"), rng=1)
    trains = [member.train for member in strategy.strategies]
    assert [len(train) for train in trains] == [200] * 3
    assert len({train.codes.tobytes() for train in trains}) == 3


def test_a_vote_on_resamples_beats_one_unstable_member():
    channel = geometric(400, nu=0.02, centres=np.arange(5) * 90 + 20)
    everything = Observables.of(np.arange(400))
    gaps = []
    for seed in range(3):
        codes, seen = channel.sample(500, rng=seed)
        samples = Samples.of(codes, seen)
        member = Neighbours(k=1)
        for adversary in (member, Vote((member,) * 15, sets="bootstrap")):
            strategy = adversary.fit(samples, samples.bind("bayes"), rng=seed)
            gaps.append(channel.posterior_vulnerability() - channel.value(
                strategy.guess(everything)
            ))  # fmt: skip
    assert np.mean(gaps[1::2]) < np.mean(gaps[::2])


def test_the_mean_of_posteriors_by_hand():
    samples = samples_of(300)
    members = (Frequentist(), Neighbours(k=3))
    strategy = Vote(members, by="posterior").fit(samples, samples.bind("bayes"), rng=0)
    assert isinstance(strategy, MeanStrategy)
    parts = [m.fit(samples, samples.bind("bayes")).posterior(samples.observables) for m in members]
    np.testing.assert_allclose(strategy.posterior(samples.observables), np.mean(parts, axis=0))
    payoff = samples.bind("tries:2")
    np.testing.assert_array_equal(
        strategy.under(payoff).guess(samples.observables), payoff.best(np.mean(parts, axis=0))
    )


def test_the_route_is_the_votes_own():
    samples = samples_of(300)
    trees = Trees(iterations=3, leaves=3)
    strategy = Vote((trees, Linear()), route="guess").fit(samples, samples.bind("tries:2"), rng=0)
    kinds = {type(member).__name__ for member in strategy.strategies}
    assert kinds == {"LearnedGuess"}


def test_a_member_that_does_not_suit_is_named():
    named = Samples.of(["a", "b"] * 5, {"y": np.arange(10.0), "z": np.arange(10.0)})
    payoff = named.bind("bayes")
    assert "no coordinates" in Vote((Neighbours(), Metric())).suits(named, payoff)
    assert Vote((Neighbours(), Linear())).suits(named, payoff) is None


@pytest.mark.parametrize(
    ("vote", "message"),
    [
        (Vote(()), "a vote must be of at least one member, got 0"),
        (Vote(by="majorty"), "unknown by 'majorty' of 'vote'; did you mean 'majority'"),
        (Vote(sets="part"), "unknown sets 'part' of 'vote'; did you mean 'parts'"),
        (Vote(by="posterior", route="guess"), "must be on the secret route, got 'guess'"),
        (Vote(("trees",)), "a member of a vote must be an adversary, got 'trees'; gleak.adversary"),
        (Vote(Noting()), r"the members of a vote must be a tuple, got Noting\("),
        (Vote((Noting(),), by="posterior"), "1 of 1 that do not; vote by majority"),
    ],
)
def test_what_cannot_be_is_refused(vote, message):
    samples = samples_of(50)
    with pytest.raises(InputError, match=message):
        vote.fit(samples, samples.bind("bayes"))


@pytest.mark.parametrize("members", [Noting(), ("trees",)])
def test_what_is_no_member_is_refused_whatever_is_asked_first(members):
    samples = samples_of(50)
    with pytest.raises(InputError, match="of a vote must be"):
        Vote(members).suits(samples, samples.bind("bayes"))
    with pytest.raises(InputError, match="of a vote must be"):
        Vote(members).watched(print)


@dataclass(frozen=True)
class Slow(Noting):
    """Says when it is half done and when it is done."""

    tell: Callable[[float], None] = print

    def watched(self, progress):
        return replace(self, tell=progress)

    def _fit(self, train, payoff, rng):
        self.tell(0.5)
        self.tell(1.0)
        return super()._fit(train, payoff, rng)


def test_progress_is_that_of_the_members_in_turn():
    samples, told = samples_of(50), []
    vote = Vote((Slow(), Noting(), Slow(), Slow())).watched(told.append)
    vote.fit(samples, samples.bind("bayes"), rng=0)
    assert told == [0.125, 0.25, 0.625, 0.75, 0.875, 1.0]


def test_more_members_than_samples_are_refused_by_the_member():
    samples = samples_of(50).take(slice(0, 2))
    with pytest.raises(InputError, match="training samples must be at least one"):
        Vote((Noting(),) * 3, sets="parts").fit(samples, samples.bind("bayes"), rng=0)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float16, np.float32, np.longdouble])
def test_a_tie_falls_the_same_however_a_number_is_kept(kind):
    samples = samples_of(50)
    tied = VoteStrategy(tuple(Fixed(samples.bind("bayes"), answer) for answer in range(3)), seed=4)
    numbers = np.arange(40)
    np.testing.assert_array_equal(
        tied.guess(Observables.of(numbers.astype(kind))),
        tied.guess(Observables.of(numbers.astype(float))),
    )


def test_weights_reach_every_member():
    samples = replace(samples_of(60), weights=np.arange(1.0, 61.0))
    strategy = Vote((Noting(),) * 2, sets="bootstrap").fit(samples, samples.bind("bayes"), rng=0)
    for member in strategy.strategies:
        assert set(member.train.weights) <= set(samples.weights)
