import numpy as np
import pytest

from gleak.adversaries._inputs import Encoder
from gleak.errors import InputError
from gleak.observables import Observables
from gleak.samples import Samples


def samples(columns, **more):
    observables = Observables.of(columns)
    return Samples.of(np.arange(len(observables)) % 2, observables, **more)


def encoded(columns, scaling="standard", shown=None):
    encoder = Encoder.of(samples(columns), scaling)
    return encoder(Observables.of(columns if shown is None else shown))


def test_standard_columns_have_mean_zero_and_variance_one():
    table = np.random.default_rng(0).normal([5, 1e6], [0.1, 300], (500, 2))
    inputs = encoded(table)
    assert inputs.dtype == np.float32
    assert inputs.mean(axis=0) == pytest.approx([0, 0], abs=1e-3)
    assert inputs.std(axis=0) == pytest.approx([1, 1], abs=1e-3)


def test_standard_columns_count_samples_by_their_weight():
    encoder = Encoder.of(samples({"y": [0, 0, 4]}, weights=[1, 1, 2]), "standard")
    assert encoder(Observables.of({"y": [2, 4]})).tolist() == [[0], [1]]  # mean 2, deviation 2


def test_minmax_scales_each_column_and_pixels_all_alike():
    table = np.array([[0.0, 10], [5, 20], [10, 60]])
    assert encoded(table, "minmax").tolist() == [[0, 0], [0.5, np.float32(0.2)], [1, 1]]
    assert encoded(table, "pixels")[:, 1] == pytest.approx([1 / 6, 1 / 3, 1])


@pytest.mark.parametrize("scaling", ["standard", "minmax", "pixels"])
def test_a_constant_column_says_nothing(scaling):
    assert (encoded({"y": np.full(4, 9)}, scaling) == 0).all()


def test_large_integers_keep_their_differences():
    start = 1_700_000_000_000_000_000
    inputs = encoded({"nanoseconds": start + 1_000_000_000 * np.arange(4)})[:, 0]
    assert np.diff(inputs) == pytest.approx(np.diff(inputs)[0], rel=0.2)
    assert np.diff(inputs)[0] > 0.5


@pytest.mark.parametrize("unit", [1e-300, 1e-14, 1e300])
def test_units_do_not_matter(unit):
    """Squares of the first are all zero and of the last infinite; picoamperes are no rounding."""
    column = np.random.default_rng(1).normal(size=500)
    assert encoded({"y": column * unit}) == pytest.approx(encoded({"y": column}), abs=1e-5)


@pytest.mark.parametrize("value", [0.1, -1e16 / 3, 1e-300, np.finfo(float).max])
def test_rounding_is_no_spread(value):
    assert (encoded({"y": np.full(4999, value)}) == 0).all()


def test_what_is_infinitely_far_is_cut():
    encoder = Encoder.of(samples({"y": [0.0, 0.5, 1.0]}), "standard")
    largest = np.finfo(float).max
    assert np.isfinite(encoder(Observables.of({"y": [largest, -largest]}))).all()


def test_categories_get_a_column_each_and_strangers_none():
    columns = {"kind": ["a", "b", "a"], "y": [1.0, 1, 1]}
    shown = {"kind": ["b", "z"], "y": [1.0, 1]}
    assert encoded(columns, shown=shown).tolist() == [[0, 0, 1], [0, 0, 0]]


def test_long_tails_are_cut_and_ranked():
    bulk = np.linspace(0, 1, 999)
    column = np.append(bulk, 1e9)
    inputs = encoded({"y": column})
    assert inputs.shape == (1000, 2)
    assert np.abs(inputs).max() <= 6
    assert inputs[:999, 0].std() < 1e-6  # beside the outlier the bulk is one point ...
    assert inputs[:, 1] == pytest.approx(
        np.linspace(-1, 1, 1000) * np.sqrt(3), abs=0.02
    )  # ... here


def test_a_rank_is_shared_by_equals():
    # Nine of ten are 0: their rank is the middle of theirs.
    column = np.r_[np.zeros(900), np.arange(1, 100), 1e6]
    ranks = encoded({"y": column})[:, 1]
    assert ranks[0] == pytest.approx(-0.1 * np.sqrt(3), abs=0.02)
    assert ranks[-1] == pytest.approx(np.sqrt(3))


def test_a_column_of_few_values_is_also_shown_as_steps():
    # A value seen four times (7) has no step of its own; the lowest one needs none.
    column = np.repeat([1, 2, 5, 7], [6, 6, 6, 4])
    inputs = encoded({"count": column}, shown={"count": [1, 2, 3, 5, 9]})
    assert inputs[:, 1:].tolist() == [
        [-0.5, -0.5],
        [0.5, -0.5],
        [0.5, -0.5],
        [0.5, 0.5],
        [0.5, 0.5],
    ]


@pytest.mark.parametrize("values", [2, 129])
def test_columns_of_two_values_or_of_many_have_no_steps(values):
    assert encoded({"y": np.arange(20 * values) % values}).shape[1] == 1


def test_columns_too_many_for_steps_have_none():
    column = np.arange(1280) % 128
    few, many = ({f"{i}": column for i in range(n)} for n in (16, 17))  # 16 · 127 < 2048 < 17 · 127
    assert encoded(few).shape[1] == 16 * 128
    assert encoded(many).shape[1] == 17


def test_blocks_are_joined():
    column = {"y": np.arange(10_000.0)}
    assert encoded(column, "minmax")[:, 0] == pytest.approx(np.linspace(0, 1, 10_000), abs=1e-6)


def test_an_unknown_scaling_is_refused():
    with pytest.raises(InputError, match=r"unknown scaling 'min-max' .* did you mean 'minmax'"):
        Encoder.of(samples({"y": [1, 2]}), "min-max")
