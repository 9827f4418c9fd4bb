"""How families are parted from the rows they are compared on, and what a trial keeps."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from gleak.adversaries import Adversary, Strategy
from gleak.adversaries.blind import Blind
from gleak.adversaries.frequentist import Frequentist
from gleak.errors import InputError
from gleak.field import Candidate
from gleak.payoff import Payoff
from gleak.samples import Samples
from gleak.trials import Attempt, bouts, run


def samples(rows, seed=0):
    """Each row's observable tells its number, so that rows can be told apart."""
    return Samples.of(np.random.default_rng(seed).integers(0, 3, rows), np.arange(rows))


def rows_of(part):
    return part.observables.columns[0].values.astype(int).tolist()


@pytest.mark.parametrize(("rows", "rounds"), [(900, 5), (1001, 3), (12_000, 3), (12_001, 1)])
def test_few_rows_are_each_compared_on_once(rows, rounds):
    found = bouts(samples(rows), np.random.default_rng(0))
    assert len(found) == rounds
    compared = [row for bout in found for row in rows_of(bout.compare)]
    assert len(compared) == len(set(compared)) == (rows if rounds > 1 else 2400)
    for bout in found:
        assert not set(rows_of(bout.train)) & set(rows_of(bout.compare))
        assert len(bout.train) + len(bout.compare) == rows


def test_enough_rows_are_enough_to_compare_on():
    [bout] = bouts(samples(200_000), np.random.default_rng(0))
    assert len(bout.compare) == 20_000


@pytest.mark.parametrize("rows", [2, 3])
def test_fewer_rows_than_rounds_are_compared_on_one_by_one(rows):
    assert [len(bout.compare) for bout in bouts(samples(rows), np.random.default_rng(0))] == [
        1
    ] * rows


def test_fewer_groups_than_rounds():
    grouped = Samples.of(np.arange(60) % 3, np.arange(60), groups=np.arange(60) // 20)
    assert len(bouts(grouped, np.random.default_rng(0))) == 3


@pytest.mark.parametrize("groups", [None, np.zeros(60)])
def test_where_there_is_nothing_to_compare_on_an_attacker_is_to_be_named(groups):
    one = Samples.of(np.arange(60) % 3, np.arange(60), groups=groups)
    with pytest.raises(InputError, match=r"to learn from must be at least two.*name an adversary"):
        bouts(one if groups is not None else one.take([0]), np.random.default_rng(0))


def test_groups_are_not_parted():
    grouped = Samples.of(np.arange(900) % 3, np.arange(900), groups=np.arange(900) // 9)
    for bout in bouts(grouped, np.random.default_rng(0)):
        train, compare = ({row // 9 for row in rows_of(p)} for p in (bout.train, bout.compare))
        assert not train & compare


def test_training_rows_are_in_random_order_so_that_the_first_of_them_are_any():
    [bout] = bouts(samples(20_000), np.random.default_rng(0))
    first = rows_of(bout.train)[:1000]
    assert 9_000 < np.mean(first) < 11_000
    assert first != sorted(first)


def attempt(adversary, train, *gains, size=10**6, seed=0):
    payoffs = tuple(train.bind(gain) for gain in gains or ("bayes",))
    parts = bouts(train, np.random.default_rng(seed))
    return run(Attempt(Candidate(adversary), parts, size, payoffs, np.random.default_rng(1))), parts


def test_a_trial_earns_on_rows_that_it_did_not_train_on():
    """Every observable is new there: whoever counts can only guess the most frequent secret."""
    train = samples(900)
    found, parts = attempt(Frequentist(), train)
    most = [np.bincount(bout.train.codes).argmax() for bout in parts]
    expected = [bout.compare.codes == guess for bout, guess in zip(parts, most, strict=True)]
    np.testing.assert_array_equal(found.gains[0], np.concatenate(expected))


@dataclass(frozen=True)
class Names(Strategy):
    """Guesses the first secret."""

    payoff: Payoff

    def _guess(self, points):
        return np.zeros(len(points), dtype=np.intp)


@dataclass(frozen=True)
class Spy(Adversary):
    """Notes how many rows it was given."""

    name: ClassVar[str] = "spy"
    route: str = "guess"
    given: list[int] = field(default_factory=list, repr=False)

    def _fit(self, train, payoff, rng):
        self.given.append(len(train))
        return Names(payoff)


def test_only_as_many_rows_train_as_are_asked_for():
    spy = Spy()
    attempt(spy, samples(900), size=100)
    assert spy.given == [100] * 5
    attempt(spy, samples(900))
    assert spy.given[5:] == [720] * 5


def test_an_attacker_without_posteriors_is_compared_by_its_gain_alone():
    found, parts = attempt(Spy(), samples(900))
    assert (found.posteriors, found.log_loss) == (None, np.inf)
    first = np.concatenate([bout.compare.codes == 0 for bout in parts])
    np.testing.assert_array_equal(found.gains[0], first)


def test_one_training_serves_every_payoff():
    found, _ = attempt(Frequentist(), samples(900), "bayes", "tries:2")
    assert len(found.gains) == 2
    assert found.gains[1].mean() > found.gains[0].mean()


def test_a_posterior_is_judged_by_its_log_loss():
    train = Samples.of([0, 1] * 450, [0, 0] * 450)
    found, _ = attempt(Blind(), train)
    assert found.log_loss == pytest.approx(np.log(2), abs=0.01)


@dataclass(frozen=True)
class Refuses(Adversary):
    name: ClassVar[str] = "refuses"
    route: str = "secret"

    def _fit(self, train, payoff, rng) -> Strategy:
        raise InputError("nothing to learn here")


def test_a_family_that_cannot_take_part_says_why():
    found, _ = attempt(Refuses(), samples(900))
    assert found == "refuses did not take part: nothing to learn here"
