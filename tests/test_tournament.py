"""Choosing the strongest attacker: who trains on what, who is dropped, who wins."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from gleak.adversaries import Adversary, PosteriorStrategy
from gleak.adversaries.neural import Dense, Neural, Training
from gleak.errors import InputError
from gleak.field import Candidate
from gleak.parallel import Runner
from gleak.payoff import Payoff
from gleak.samples import Samples
from gleak.tournament import fixed, tournament


def system(rows, seed=0):
    """A secret of two bits, each seen through noise in a column of its own; and a row's number."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, rows)
    flips = rng.random((2, rows)) < 0.1
    return Samples.of(
        codes, {"high": codes // 2 ^ flips[0], "low": codes % 2 ^ flips[1], "row": np.arange(rows)}
    )


@dataclass(frozen=True)
class Table(PosteriorStrategy):
    """P(x|y) by the values of some columns."""

    payoff: Payoff
    columns: tuple[str, ...]
    table: dict

    def _posterior(self, points):
        seen = zip(*(points.select([name]).columns[0].values for name in self.columns), strict=True)
        return np.array([self.table.get(y, np.ones(self.payoff.n_secrets)) for y in seen])

    def under(self, payoff):
        return Table(payoff, self.columns, self.table)


@dataclass(frozen=True)
class Looks(Adversary):
    """Counts what some columns show, and notes what it was given to learn from."""

    name: ClassVar[str] = "looks"
    columns: tuple[str, ...] = ()
    route: str = "secret"
    given: list[int] = field(default_factory=list, repr=False)

    def _fit(self, train, payoff, rng):
        self.given.append(len(train))
        seen = zip(
            *(train.observables.select([name]).columns[0].values for name in self.columns),
            strict=True,
        )
        table = {}
        for y, code in zip(seen, train.codes, strict=True):
            table.setdefault(y, np.full(payoff.n_secrets, 0.5))[code] += 1
        return Table(payoff, self.columns, table)


def candidate(label, *columns, costly=False):
    return Candidate(Looks(columns), costly, label)


def hold(train, candidates, *gains, told=None):
    payoffs = [train.bind(gain) for gain in gains or ("bayes",)]
    return tournament(
        train, payoffs, candidates, rng=np.random.default_rng(1), runner=Runner(),
        progress=lambda *line: None if told is None else told.append(line),
    )  # fmt: skip


def test_the_strongest_wins_and_is_trained_on_every_row():
    both, one = candidate("both", "high", "low"), candidate("one", "high")
    [choice], absent = hold(system(2000), [one, both])
    assert (choice.name, absent) == ("both", [])
    assert both.adversary.given == [1333, 1333, 1333, 2000]
    assert len(one.adversary.given) == 3
    assert choice.leaderboard[0].name == "both"
    assert {"one", "blind"} <= {entry.name for entry in choice.leaderboard}
    assert choice.leaderboard[0].score == pytest.approx(0.81, abs=0.03)
    assert choice.compared == 2000


def test_who_remembers_rows_is_compared_on_others():
    """On the rows that trained it, it would win every time."""
    [choice], _ = hold(system(2000), [candidate("parrot", "row")])
    score = {entry.name: entry.score for entry in choice.leaderboard}
    assert score["parrot"] < 0.3
    assert max(score.values()) < 0.3


def test_a_costly_family_that_is_behind_is_tried_on_few_rows_only():
    cheap = candidate("cheap", "high")
    slow, strong = candidate("slow", "row", costly=True), candidate("strong", "high", "low",
                                                                    costly=True)  # fmt: skip
    [choice], _ = hold(system(20_000), [cheap, slow, strong])
    assert slow.adversary.given == [1500]
    assert cheap.adversary.given == [1500, 7500, 16_000]
    assert strong.adversary.given == [1500, 7500, 16_000, 20_000]
    assert choice.name == "strong"
    assert "slow" not in {entry.name for entry in choice.leaderboard}


def test_a_gain_that_tells_nobody_apart_saves_nobody():
    cheap, slow = candidate("cheap", "high"), candidate("slow", "row", costly=True)
    hold(system(20_000), [cheap, slow], "bayes", "tries:4")
    assert slow.adversary.given == [1500]


def test_the_learning_curve_falls_out():
    [choice], _ = hold(system(20_000), [candidate("both", "high", "low")])
    assert [point.samples for point in choice.curve] == [1500, 7500, 16_000]
    for point in choice.curve:
        assert point.error == pytest.approx(np.sqrt(point.score * (1 - point.score) / 4000))


def test_families_that_know_different_things_are_blended():
    [choice], _ = hold(system(4000), [candidate("first", "high"), candidate("second", "low")])
    assert choice.name == "blend"
    assert set(choice.parameters) == {"first", "second"}
    assert sum(choice.parameters.values()) == pytest.approx(1)
    score = {entry.name: entry.score for entry in choice.leaderboard}
    assert score["blend"] > max(score["first"], score["second"]) + 0.1
    fresh = system(4000, seed=9)
    assert choice.strategy.gains(fresh).mean() == pytest.approx(score["blend"], abs=0.03)


def test_one_training_serves_every_gain():
    both = candidate("both", "high", "low")
    choices, _ = hold(system(2000), [both], "bayes", "tries:2", "tries:3")
    assert len(both.adversary.given) == 4
    scores = [choice.leaderboard[0].score for choice in choices]
    assert scores == sorted(scores)
    assert [choice.strategy.payoff.n_guesses for choice in choices] == [4, 6, 4]


@dataclass(frozen=True)
class Refuses(Adversary):
    name: ClassVar[str] = "refuses"
    route: str = "secret"

    def _fit(self, train, payoff, rng):
        raise InputError("nothing to learn here")


def test_who_cannot_take_part_is_told_of_and_stops_nobody():
    told = []
    [choice], absent = hold(
        system(2000), [Candidate(Refuses()), candidate("both", "high", "low")], told=told
    )
    assert absent == ["refuses did not take part: nothing to learn here"]
    assert choice.name == "both"
    assert any(line.startswith("refuses gave up; trying both") for line, _ in told)


def test_progress_says_who_is_tried_what_the_last_one_earned_and_how_far_it_is():
    told = []
    hold(system(20_000), [candidate("one", "high"), candidate("both", "high", "low")], told=told)
    lines, shares = zip(*told, strict=True)
    assert lines[0] == "trying blind on 1,500 samples"
    assert lines[1].startswith("blind earned 0.2")
    assert lines[1].endswith("; trying one on 1,500 samples")
    assert lines[-1] == "training both on all 20,000 training samples"
    assert list(shares) == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 0.9)
    # Before the last round: 9,000 of the 25,000 rows that rounds train on.
    assert shares[lines.index("trying blind on 16,000 samples")] == pytest.approx(0.9 * 9 / 25)


def test_a_network_that_was_asked_for_shows_how_far_its_training_is():
    train, told = system(200), []
    payoffs = [train.bind(gain) for gain in ("bayes", "tries:2")]
    network = Neural(Dense((4,)), Training(steps=40), "guess")
    generator = np.random.default_rng(0)
    fixed(network, train, payoffs, rng=generator, progress=lambda *line: told.append(line))
    assert {what for what, _ in told} == {"training neural on 200 samples"}
    shares = [share for _, share in told]
    assert shares == sorted(shares)  # of two trainings, one for each gain
    assert (shares[0], shares[-1]) == (0, 1)
    assert len(set(shares)) > 20


def test_one_that_was_asked_for_is_compared_with_nobody():
    both, train = Looks(("high", "low")), system(2000)
    payoffs = [train.bind(gain) for gain in ("bayes", "tries:2")]
    told = []
    choices = fixed(
        both, train, payoffs, rng=np.random.default_rng(0), progress=lambda *line: told.append(line)
    )
    assert told == [("training looks on 2,000 samples", 0.0)]
    assert both.given == [2000]
    assert [choice.compared for choice in choices] == [0, 0]
    assert all(choice.leaderboard == () for choice in choices)
