"""Where an attack can be drawn, and that the drawing is the attack."""

import numpy as np

from gleak import Samples, adversary
from gleak.portrait import portrait


def drawn(observables, gain="bayes", secrets=None):
    rows = len(observables) if isinstance(observables, np.ndarray) else 0
    x = np.arange(rows) % 2 if secrets is None else secrets
    samples = Samples.of(x, observables)
    strategy = adversary("neighbours").fit(samples, samples.bind(gain), rng=0)
    return portrait(strategy, samples.observables, rng=0), strategy, samples


def test_few_values_are_drawn_as_they_are():
    y = np.tile([3, 1, 2, 8], 50)
    seen, strategy, samples = drawn(y, secrets=y > 2)
    assert seen.axes[0].tolist() == [1, 2, 3, 8]
    assert seen.labels[seen.guesses].tolist() == [False, False, True, True]
    at = np.searchsorted(seen.axes[0], y)
    assert (seen.guesses[at] == strategy.guess(samples.observables)).all()


def test_many_values_are_drawn_in_even_steps_between_outliers():
    y = np.append(np.random.default_rng(0).normal(size=2000), 1e9)
    (axis,) = drawn(y)[0].axes
    assert len(axis) == 400
    assert np.allclose(np.diff(axis), axis[1] - axis[0])
    assert axis[-1] < 5


def test_whole_numbers_stay_whole():
    y = np.arange(100_000, 104_000)
    (axis,) = drawn(y)[0].axes
    assert (axis == np.floor(axis)).all()


def test_two_columns_make_a_map():
    y = np.random.default_rng(0).normal(size=(600, 2))
    seen, *_ = drawn(y, secrets=(y[:, 1] > 0).astype(int))
    assert seen.guesses.shape == (72, 72)
    high = seen.axes[1] > 0.5
    assert seen.labels[seen.guesses[:, high]].mean() > 0.95  # columns are the second axis


def test_several_tries_are_one_label():
    y = np.tile([0, 1, 2], 40)
    seen, *_ = drawn(y, "tries:2", secrets=y)
    assert seen.guesses.shape == (3,)
    assert all(len(label) == 2 for label in seen.labels.tolist())


def test_nothing_else_has_a_picture():
    rng = np.random.default_rng(0)
    assert drawn(rng.normal(size=(60, 3)))[0] is None
    assert drawn(np.array(["u", "v"] * 30))[0] is None
