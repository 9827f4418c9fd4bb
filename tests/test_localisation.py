"""What is lost without a column: exact expectations, and who is paired with whom."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from gleak import Samples
from gleak.adversaries import Strategy
from gleak.certify import Scored, Weighing
from gleak.localisation import localise


@dataclass(frozen=True)
class Reads(Strategy):
    """Guesses what one column says; the truth about it needs no training."""

    payoff: object
    column: str

    def _guess(self, points):
        return points.select([self.column]).columns[0].values.astype(np.intp)


def samples_of(x, columns, **more):
    return Samples.of(x, {name: np.asarray(values) for name, values in columns.items()}, **more)


def found(samples, column="tells", prior=None, **options):
    payoff = samples.bind("bayes")
    strategy = Reads(payoff, column)
    scored = Scored(Weighing(samples, prior), payoff, strategy.guess(samples.observables))
    return localise(strategy, scored, rng=0, **options)


def test_a_column_read_by_the_attacker_is_worth_what_it_tells_beyond_chance():
    """Reading x itself wins always; a traded value is right with Σ π² = .36 + .16 = .52."""
    x = np.random.default_rng(1).choice(2, 6000, p=[0.6, 0.4])
    seen = found(samples_of(x, {"tells": x, "idle": x[::-1]}))
    assert seen.names == ("tells", "idle")
    assert seen.lower[0] < 0.48 < seen.upper[0]
    assert seen.upper[0] - seen.lower[0] < 0.08
    assert seen.loss[1] == 0
    assert seen.lower[1] < 0 < seen.upper[1]
    assert seen.proven.tolist() == [0]


def test_intervals_widen_with_the_number_of_columns_they_hold_for():
    x = np.random.default_rng(1).integers(0, 2, 2000)
    idle = {f"idle{i}": np.roll(x, 7 * i + 1) for i in range(8)}
    alone, many = found(samples_of(x, {"tells": x})), found(samples_of(x, {"tells": x} | idle))
    assert many.upper[0] - many.lower[0] > alone.upper[0] - alone.lower[0]


def test_many_columns_are_looked_at_twice_on_different_rows():
    rng = np.random.default_rng(2)
    x = rng.integers(0, 2, 9000)
    idle = {f"idle{i:02}": rng.integers(0, 2, 9000) for i in range(59)}
    seen = found(samples_of(x, idle | {"tells": x}))
    assert seen.order[0] == 59
    assert seen.rows[59] > max(seen.rows[seen.order[10:]])
    assert np.unique(seen.rows).size == 2
    assert seen.proven.tolist() == [59]


def test_rows_that_belong_together_count_once():
    x = np.repeat(np.arange(200) % 2, 10)
    seen = found(samples_of(x, {"tells": x}, groups=np.repeat(np.arange(200), 10)))
    assert seen.rows.tolist() == [200]
    assert seen.lower[0] < 0.5 < seen.upper[0]


def test_a_prior_that_is_known_weighs_the_rows():
    """Under π = (.9, .1) and even rows, a traded value is right half of the time whatever x is,
    but the reader of a column that tells of secret 0 alone loses only there."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 2, 8000)
    tells = np.where(x == 0, 0, rng.integers(0, 2, 8000))
    samples = samples_of(x, {"tells": tells})
    # P(tells = 0) = 3/4. Against x=0: 1 → 3/4; against x=1: 1/2 → 1/4. Loss 1/4 either way.
    even = found(samples)
    skew = found(samples, prior=np.array([0.9, 0.1]))
    for seen in (even, skew):
        assert seen.lower[0] < 0.25 < seen.upper[0]
    only_zero = found(samples, prior=np.array([1.0, 0.0]))
    assert only_zero.loss[0] == pytest.approx(0.25, abs=0.03)


def test_categories_trade_places_too():
    x = np.array(["a", "b"] * 1000)
    seen = found(samples_of(x, {"tells": x, "shape": np.roll(x, 3)}))
    assert seen.proven.tolist() == [0]


def test_the_same_seed_gives_the_same_numbers_and_another_does_not():
    x = np.random.default_rng(1).integers(0, 2, 501)
    samples = samples_of(x, {"tells": x})
    payoff = samples.bind("bayes")
    strategy = Reads(payoff, "tells")
    scored = Scored(Weighing(samples), payoff, strategy.guess(samples.observables))
    once, again, other = (localise(strategy, scored, rng=seed).loss[0] for seed in (0, 0, 5))
    assert once == again != other


def test_a_gain_that_cannot_vary_loses_nothing():
    samples = samples_of([0, 1] * 5, {"tells": [0, 1] * 5})
    payoff = replace(samples, secrets=samples.secrets).bind("tries:2")

    @dataclass(frozen=True)
    class Everything(Strategy):
        payoff: object

        def _guess(self, points):
            return np.tile([0, 1], (len(points), 1))

    strategy = Everything(payoff)
    scored = Scored(Weighing(samples), payoff, strategy.guess(samples.observables))
    assert localise(strategy, scored, rng=0).loss.tolist() == [0.0]
