import numpy as np
import pytest
from scipy import stats

import gleak
from gleak.betting import betting_interval
from gleak.bounds import best_rule_upper
from gleak.certify import Scored, Weighing, lower_bound, paired_lower, upper_bound
from gleak.observables import Observables
from gleak.samples import Samples

CODES = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 2] * 20)
SAMPLES = Samples.of(CODES, np.arange(200) % 2)


def scored(samples, guesses, gain="bayes", prior=None):
    return Scored(Weighing(samples, prior), samples.bind(gain), np.asarray(guesses))


def test_two_valued_gains_are_certified_exactly():
    found = scored(SAMPLES, np.zeros(200, dtype=int))
    expected = stats.binomtest(120, 200, alternative="greater").proportion_ci(0.975).low
    assert lower_bound([found], 0.025) == pytest.approx(expected)
    assert found.estimate == pytest.approx(0.6)


def test_other_gains_are_certified_by_betting():
    gain = gleak.matrix([[1.0, 0.5, -1.0]])
    found = scored(SAMPLES, np.zeros(200, dtype=int), gain)
    mixed = np.random.default_rng(0).permutation(found.gains)  # the order is no part of a mean
    expected = betting_interval(mixed, low=-1, high=1, alpha=0.025, side="lower").lower
    assert lower_bound([found], 0.025) == expected
    assert found.estimate == pytest.approx(0.6 + 0.15 - 0.1)


def test_a_gain_whose_range_is_a_point_is_certain():
    found = scored(SAMPLES, np.tile([0, 1, 2], (200, 1)), "tries:3")
    assert lower_bound([found], 0.025) == 1
    assert upper_bound(found.weighing, found.payoff, 0.025) == (1, None)


def test_the_upper_bound_is_that_of_the_best_rule_in_hindsight():
    payoff = SAMPLES.bind("bayes")
    # At either observable the best rule guesses secret 0 and is right 60 times of 100.
    expected = best_rule_upper(0.6, 200, alpha=0.025).upper
    assert upper_bound(Weighing(SAMPLES), payoff, 0.025) == (pytest.approx(expected), None)


def test_no_upper_bound_where_observables_do_not_repeat():
    alone = Samples.of(CODES, np.arange(200))
    bound, reason = upper_bound(Weighing(alone), alone.bind("bayes"), 0.025)
    assert bound is None
    assert "best rule in hindsight earns 1" in reason


def test_a_prior_gives_the_rows_of_a_secret_its_probability():
    weighing = Weighing(SAMPLES, np.array([0.2, 0.3, 0.5]))
    assert np.bincount(CODES, weighing.rows) == pytest.approx([0.2, 0.3, 0.5])
    assert not weighing.even
    assert weighing.effective < 200
    found = scored(SAMPLES, np.zeros(200, dtype=int), prior=np.array([0.2, 0.3, 0.5]))
    assert found.estimate == pytest.approx(0.2)
    assert 0 < lower_bound([found], 0.025) < 0.2


def test_secrets_that_the_samples_lack_count_as_lost_below_and_as_won_above():
    some = SAMPLES.take(SAMPLES.codes < 2)
    prior = np.array([0.2, 0.3, 0.5])
    found = scored(some, some.codes, prior=prior)
    assert found.estimate == pytest.approx(0.5)
    assert lower_bound([found], 0.025) < 0.5
    # In hindsight the best rule wins .3, and .5 may be won against the third secret.
    assert 0.8 < (upper_bound(found.weighing, found.payoff, 0.025)[0] or 1) < 0.9


def test_rows_of_a_group_are_one_unit():
    grouped = Samples.of(CODES, np.zeros(200), groups=np.arange(200) // 10)
    weighing = Weighing(grouped)
    assert weighing.units[1] == 20
    assert weighing.of_units == pytest.approx(np.full(20, 0.05))
    won = (CODES == 0).astype(float)
    assert weighing.unit_values(won) == pytest.approx(np.full(20, 0.6))
    alone = scored(Samples.of(CODES, np.zeros(200)), np.zeros(200, dtype=int))
    assert lower_bound([scored(grouped, np.zeros(200, dtype=int))], 0.025) != lower_bound(
        [alone], 0.025
    )


def test_groups_of_unlike_size_count_once_each():
    sizes = np.array([1, 4, 10])
    samples = Samples.of([0, 1, 0, 1, 0] * 3, np.zeros(15), groups=np.repeat([0, 1, 2], sizes))
    assert Weighing(samples).rows == pytest.approx(np.repeat(1 / (3 * sizes), sizes))


def test_paired_lower_is_the_worst_over_blind_guesses():
    right = scored(SAMPLES, CODES)
    found = paired_lower([right], 0.025)
    # The best blind guess wins 60 %: the attacker is ahead by 40 %, and by more of the others.
    assert 0.2 < found < 0.4
    assert paired_lower([scored(SAMPLES, np.zeros(200, dtype=int))], 0.025) < 0


def test_paired_lower_is_not_tried_on_guesses_that_cannot_be_gone_through():
    many = Samples.of(np.repeat(np.arange(600), 2), np.zeros(1200))
    assert paired_lower([scored(many, many.codes)], 0.025) is None


def test_public_columns_bound_what_is_known_beforehand():
    payoff = SAMPLES.bind("bayes")
    constant = Observables.of(np.zeros(200))
    blind, _ = upper_bound(Weighing(SAMPLES), payoff, 0.025, constant)
    seen, _ = upper_bound(Weighing(SAMPLES), payoff, 0.025, Observables.of(CODES))
    assert blind == pytest.approx(best_rule_upper(0.6, 200, alpha=0.025).upper)
    assert seen is None  # it tells everything, and 200 samples do not exclude that
