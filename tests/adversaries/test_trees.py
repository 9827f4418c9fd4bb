from dataclasses import replace

import numpy as np
import pytest

from gleak.adversaries import Trees
from gleak.adversaries.trees import Encoding
from gleak.errors import InputError
from gleak.observables import Observables
from gleak.samples import Samples


def fit(samples: Samples, adversary: Trees | None = None, gain="bayes"):
    return (adversary or Trees()).fit(samples, samples.bind(gain), rng=0)


def bits(n: int, seed: int) -> Samples:
    """The secret is the exclusive or of two bits shown among noise: no column tells a thing."""
    rng = np.random.default_rng(seed)
    shown = rng.integers(0, 2, (n, 5))
    return Samples.of(shown[:, 1] ^ shown[:, 3], shown)


def steps(n: int, seed: int) -> Samples:
    """Four bits, each shown with noise in a column of its own; the secret is one of them."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 4, n)
    shown = rng.geometric(0.6, (n, 4)) - rng.geometric(0.6, (n, 4))
    shown[np.arange(n), codes] += 1
    return Samples.of(codes, shown)


def test_finds_what_only_two_columns_together_tell():
    samples = bits(2000, seed=1)
    assert fit(samples).gains(bits(500, seed=2)).mean() > 0.99


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (Trees(iterations=0), "iterations of 'trees' must be None or a whole number from 1, got 0"),
        (Trees(iterations=2.5), "iterations of 'trees' must be .* got 2.5"),
        (Trees(leaves=1), "leaves of 'trees' must be None or a whole number from 2, got 1"),
        (Trees(learning_rate=0), "learning rate of 'trees' must be a positive number, got 0"),
        (Trees(learning_rate="fast"), "learning rate of 'trees' must be .* got 'fast'"),
        (Trees(learning_rate=float("nan")), "learning rate of 'trees' must be .* got nan"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        fit(bits(30, seed=0), wrong)


def test_trees_stay_small_where_columns_add_up():
    strategy = fit(steps(4000, seed=1))
    assert strategy.scores.scores.model.max_leaf_nodes == 2


def test_the_number_of_trees_is_chosen():
    """Where nothing is to be learned growing stops at once; where much is, it goes on."""
    rng = np.random.default_rng(0)
    mute = Samples.of(rng.integers(0, 3, 1000), rng.normal(size=1000))
    shown = rng.uniform(0, 10, 4000)
    fine = Samples.of((shown * 3).astype(int) % 2, shown)
    few, many = (fit(s).scores.scores.model.max_iter for s in (mute, fine))
    assert few <= 5
    assert many > 50


def test_what_was_chosen_is_grown_on_every_row():
    samples = steps(600, seed=1)
    chosen = fit(samples)
    model = chosen.scores.scores.model
    again = fit(samples, Trees(iterations=model.max_iter, leaves=model.max_leaf_nodes))
    np.testing.assert_array_equal(
        chosen.posterior(samples.observables), again.posterior(samples.observables)
    )


def test_options_given_are_kept():
    strategy = fit(steps(500, seed=1), Trees(iterations=7, leaves=3))
    model = strategy.scores.scores.model
    assert (model.n_iter_, model.max_leaf_nodes) == (7, 3)
    model = fit(steps(500, seed=1), Trees(iterations=7)).scores.scores.model
    assert model.n_iter_ <= 7


def test_scale_does_not_matter():
    samples = steps(600, seed=1)
    table = samples.observables.matrix()
    stretched = Observables.of(np.sign(table) * np.abs(table) ** 3 * 1e6)
    moved = Samples(samples.codes, samples.secrets, stretched)
    np.testing.assert_array_equal(
        fit(samples).guess(samples.observables), fit(moved).guess(stretched)
    )


def test_sets_of_categories_are_split_as_sets():
    """The secret is whether a colour is in a set of half of the 40; rank by name tells nothing."""
    rng = np.random.default_rng(3)
    inside = rng.permutation(40) < 20
    colour = rng.integers(0, 40, 3000)
    names = np.array([f"c{i:02}" for i in range(40)])
    samples = Samples.of(inside[colour].astype(int), {"colour": names[colour]})
    strategy = fit(samples, Trees(iterations=10, leaves=2))
    assert strategy.scores.scores.encoding.sets.tolist() == [True]
    assert strategy.gains(samples).mean() == 1.0  # a single split of a set, of any number, does


def test_more_categories_than_trees_can_hold_are_ranked():
    rng = np.random.default_rng(4)
    codes = np.minimum(rng.geometric(0.01, 6000), 400) - 1
    names = np.array([f"c{i}" for i in rng.permutation(400)])
    samples = Samples.of((codes < 40).astype(int), {"c": names[codes]})
    strategy = fit(samples)
    assert strategy.scores.scores.encoding.sets.tolist() == [False]
    assert strategy.gains(samples).mean() > 0.97  # frequent categories come first


def test_ranks_follow_frequency_and_strangers_are_missing():
    points = Observables.of({"c": ["b", "a", "c", "a"], "y": [1.0, 2, 3, 4]})
    encoding = Encoding.of(points, np.array([5.0, 1.0, 9.0, 1.0]))
    asked = Observables.of({"c": ["c", "b", "a", "new", "newer"], "y": [0.0] * 5})
    np.testing.assert_array_equal(encoding(asked)[:, 0], [0, 1, 2, np.nan, np.nan])
    assert encoding.sets.tolist() == [True, False]


def test_many_columns_get_fewer_bins():
    wide = Observables.of(np.zeros((3, 200)))
    assert Encoding.of(wide, np.ones(3)).bins == 40
    assert Encoding.of(Observables.of(np.zeros((3, 4))), np.ones(3)).bins == 255


def test_few_distinct_observables_are_told_apart():
    """Leaves hold samples, not distinct rows: 12 rows that stand for 1,200 can be split."""
    shown = np.tile(np.arange(6), 200)
    codes = np.where(np.random.default_rng(0).random(1200) < 0.9, shown % 2, 1 - shown % 2)
    samples = Samples.of(codes, shown)
    everything = Observables.of({"0": np.arange(6)})
    assert fit(samples).guess(everything).tolist() == [0, 1, 0, 1, 0, 1]


def test_many_secrets_are_named_as_slow_but_work():
    rng = np.random.default_rng(5)
    codes = np.concatenate([np.arange(150), rng.integers(0, 150, 800)])
    samples = Samples.of(codes, codes + rng.normal(size=950))
    payoff = samples.bind("bayes")
    assert Trees().suits(samples, payoff) == "every iteration would grow 150 trees"
    assert Trees(route="guess").suits(samples, samples.bind("tries:2")).endswith("11175 trees")
    assert Trees().suits(steps(20, seed=0), steps(20, seed=0).bind("bayes")) is None
    strategy = Trees(iterations=3).fit(samples, payoff, rng=0)
    assert strategy.guess(samples.observables).shape == (950,)


def test_groups_are_held_out_whole():
    """A column that names the group is worthless on other groups; choosing by held-out groups
    finds out, choosing by held-out rows does not."""
    rng = np.random.default_rng(6)
    group = np.arange(1200) // 12
    codes = rng.integers(0, 2, 100)[group]
    samples = Samples.of(codes, rng.permutation(100)[group].astype(float))
    whole = fit(replace(samples, groups=group)).scores.scores.model.max_iter
    apart = fit(samples).scores.scores.model.max_iter
    assert whole < 30 < apart


@pytest.mark.parametrize("route", ["secret", "guess"])
def test_importance_weights_may_sum_to_one(route):
    samples = steps(600, seed=2)
    light = replace(samples, weights=np.full(600, 1 / 600))
    one, other = (fit(s, Trees(iterations=20, leaves=4, route=route)) for s in (samples, light))
    np.testing.assert_array_equal(one.guess(samples.observables), other.guess(samples.observables))
