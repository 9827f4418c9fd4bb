import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gleak.columns import Column, encode
from gleak.errors import InputError
from gleak.observables import Observables


def rows_of(observables):
    """The rows as tuples of what a person wrote."""
    columns = [
        c.values.tolist() if c.categories is None else c.categories[c.values].tolist()
        for c in observables.columns
    ]
    return list(zip(*columns, strict=True))


MIXED = {"time": [3, 1, 3, 1], "colour": ["red", "red", "red", "blue"], "load": [0.5] * 4}


class TestOf:
    def test_numbers_keep_their_kind_and_the_rest_become_categories(self):
        seen = Observables.of(MIXED | {"late": [True, False, True, True]})
        assert [c.values.dtype.kind for c in seen.columns] == ["i", "i", "f", "i"]
        assert seen.numeric.tolist() == [True, False, True, False]
        assert seen.columns[1].categories.tolist() == ["blue", "red"]
        assert seen.columns[1].values.dtype == np.int32
        assert seen.columns[3].categories.tolist() == [False, True]
        assert seen.columns[3].values.tolist() == [1, 0, 1, 1]

    def test_matrix_has_numbers_and_codes(self):
        matrix = Observables.of(MIXED).matrix()
        assert matrix.dtype == np.float64
        assert matrix.tolist() == [[3, 1, 0.5], [1, 1, 0.5], [3, 1, 0.5], [1, 0, 0.5]]

    @pytest.mark.parametrize("data", [[1, 2], (1, 2), np.array([1, 2]), np.array([[1], [2]])])
    def test_one_column_without_a_name(self, data):
        seen = Observables.of(data)
        assert seen.names == ["0"]
        assert rows_of(seen) == [(1,), (2,)]

    def test_rows_of_mixed_values(self):
        seen = Observables.of([(1, "a", 0.5), (2, "b", 1.5)])
        assert seen.numeric.tolist() == [True, False, True]
        assert rows_of(seen) == [(1, "a", 0.5), (2, "b", 1.5)]

    def test_structured_array(self):
        table = np.array([(1, "x"), (2, "y")], dtype=[("a", int), ("b", "U1")])
        assert rows_of(Observables.of(table)) == [(1, "x"), (2, "y")]
        assert Observables.of(table).names == ["a", "b"]

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
    def test_frames_of_any_maker(self, frame):
        seen = Observables.of(frame(MIXED))
        assert seen.names == ["time", "colour", "load"]
        assert rows_of(seen) == rows_of(Observables.of(MIXED))
        assert seen.columns[0].values.dtype == np.int64

    def test_names_replace_names(self):
        assert Observables.of([[1, 2], [3, 4]], names=["x", "y"]).names == ["x", "y"]
        with pytest.raises(InputError, match=r"names must be 2, one for each column, got 1"):
            Observables.of([[1, 2], [3, 4]], names=["x"])

    def test_observables_are_passed_on(self):
        seen = Observables.of(MIXED)
        assert Observables.of(seen).columns == seen.columns

    def test_the_given_array_is_neither_changed_nor_shared(self):
        given_array = np.array([-0.0, 1.0])
        seen = Observables.of(given_array)
        given_array[1] = 9
        assert seen.columns[0].values.tolist() == [0.0, 1.0]
        assert np.signbit(given_array[0])
        with pytest.raises(ValueError, match="read-only"):
            seen.columns[0].values[0] = 3

    @pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
    def test_numbers_must_be_finite(self, odd):
        with pytest.raises(InputError) as refusal:
            Observables.of({"a": [1.0, 2.0, odd]})
        assert str(refusal.value) == (
            f"row 2: column 'a' must be of finite numbers, got {odd}; "
            "remove the row, or write as a category what happened"
        )

    @pytest.mark.parametrize("gap", [None, np.nan, "", "NA", "nan"])
    def test_categories_must_not_be_missing(self, gap):
        with pytest.raises(InputError) as refusal:
            Observables.of({"a": np.array(["x", gap], dtype=object)})
        assert str(refusal.value) == (
            "row 1: column 'a' must be without gaps, got a missing value; "
            "remove the row, or give the gap a name of its own"
        )

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
    @pytest.mark.parametrize("values", [[1.5, None], ["x", None], [True, None]])
    def test_gaps_in_frames(self, frame, values):
        with pytest.raises(InputError, match=r"row 1: column 'a' must be (without gaps|of finite)"):
            Observables.of(frame({"a": values}))

    def test_shapes_that_are_refused(self):
        with pytest.raises(InputError, match=r"of the same length, got {'a': 1, 'b': 2}"):
            Observables.of({"a": [1], "b": [1, 2]})
        with pytest.raises(InputError, match="rows × columns, got 3 axes"):
            Observables.of(np.zeros((2, 2, 2)))
        with pytest.raises(InputError, match="at least one column, got 0"):
            Observables.of({})
        with pytest.raises(InputError, match="all different, got a, a"):
            Observables.of([[1, 2]], names=["a", "a"])
        with pytest.raises(InputError, match="column 'a' must be of labels, got complex"):
            Observables.of({"a": [1j]})
        with pytest.raises(InputError, match="row 1: a row of observables must be of 2 values"):
            Observables.of([(1, "a"), (1,)])
        with pytest.raises(InputError, match=r"a row of observables .* got 'b'$"):
            Observables.of([(1, "a"), "b"])
        with pytest.raises(InputError, match=r"rows × columns, got 0 axes; .* pass \.toarray\(\)"):
            Observables.of(sparse.eye_array(3))

    def test_columns_of_a_frame_called_by_numbers_or_twice(self):
        assert Observables.of(pd.DataFrame([[1, 2.5], [3, 4.5]])).names == ["0", "1"]
        with pytest.raises(InputError, match="a data frame that can be read, got Expected unique"):
            Observables.of(pd.DataFrame([[1, 2]], columns=["y", "y"]))


class TestDistinct:
    def test_sorted_by_the_columns_values(self):
        seen = Observables.of(MIXED)
        ordered = [rows_of(seen)[row] for row in seen.distinct.first]
        assert ordered == [(1, "blue", 0.5), (1, "red", 0.5), (3, "red", 0.5)]
        assert seen.distinct.inverse.tolist() == [2, 1, 2, 0]

    def test_the_two_zeros_are_one(self):
        assert len(Observables.of(np.array([0.0, -0.0])).distinct) == 1

    def test_one_numeric_column_rises(self):
        values = np.random.default_rng(1).normal(size=50)
        seen = Observables.of(np.concatenate([values, values]))
        assert (np.diff(seen.matrix()[seen.distinct.first, 0]) > 0).all()
        assert (seen.distinct.first < 50).all()

    def test_found_once(self):
        seen = Observables.of(MIXED)
        assert seen.distinct is seen.distinct

    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("ab")), min_size=1), st.data())
    def test_what_is_known_goes_along_to_a_part(self, rows, data):
        seen = Observables.of(rows)
        picked = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1))), dtype=np.intp)
        fresh = seen.take(picked)
        assert fresh._known is None
        assert len(seen.distinct) == len(set(rows))
        known = seen.take(picked)
        assert known._known is not None
        assert known.distinct.first.tolist() == fresh.distinct.first.tolist()
        assert known.distinct.inverse.tolist() == fresh.distinct.inverse.tolist()

    def test_the_distinct_ones_are_known_to_be_different(self):
        seen = Observables.of(MIXED)
        points = seen.take(seen.distinct.first)
        assert points.distinct.first.tolist() == points.distinct.inverse.tolist() == [0, 1, 2]
        block = points.take(slice(1, 3))
        assert block.distinct.inverse.tolist() == [0, 1]


class TestTake:
    @pytest.mark.parametrize(
        "rows", [np.array([2, 3]), np.array([False, False, True, True]), slice(2, 4)]
    )
    def test_by_index_mask_and_slice(self, rows):
        assert rows_of(Observables.of(MIXED).take(rows)) == [(3, "red", 0.5), (1, "blue", 0.5)]

    def test_categories_are_kept(self):
        assert Observables.of(MIXED).take([0]).columns[1].categories.tolist() == ["blue", "red"]


class TestSelect:
    def test_order_is_the_asked_one(self):
        assert Observables.of(MIXED).select(["load", "time"]).names == ["load", "time"]

    def test_unknown_name(self):
        with pytest.raises(InputError, match="no column 'tiem'; did you mean 'time'"):
            Observables.of(MIXED).select(["tiem"])


class TestAlike:
    def test_same_categories_same_codes_whatever_the_order_of_columns(self):
        here = Observables.of(MIXED)
        there = Observables.of({"colour": ["red"], "load": [2.0], "time": [7]})
        assert there.columns[0].values.tolist() == [0]
        assert here.alike(there).matrix().tolist() == [[7, 1, 2.0]]

    def test_strangers_are_put_past_the_end(self):
        here = Observables.of({"c": ["b", "d"]})
        there = here.alike(Observables.of({"c": ["a", "b", "c", "d", "a"]}))
        assert there.columns[0].values.tolist() == [2, 0, 3, 1, 2]
        assert rows_of(there) == [("a",), ("b",), ("c",), ("d",), ("a",)]

    def test_numbers_where_categories_were(self):
        here = Observables.of({"c": ["1", "x"]})
        assert here.alike(Observables.of({"c": [2, 1]})).columns[0].values.tolist() == [2, 0]

    def test_what_is_alike_already_is_passed_on(self):
        here = Observables.of(MIXED)
        part = here.take(slice(0, 2))
        assert here.alike(part) is part

    def test_refusals(self):
        here = Observables.of({"time": [1, 2]})
        with pytest.raises(InputError, match="of numbers, as it was before, got categories"):
            here.alike(Observables.of({"time": ["a", "b"]}))
        with pytest.raises(InputError, match="no column 'time'; did you mean 'times'"):
            here.alike(Observables.of({"times": [1]}))


class TestEncode:
    @settings(deadline=None, max_examples=60)
    @given(st.lists(st.one_of(st.integers(-3, 3), st.sampled_from("abc")), min_size=1))
    def test_codes_point_at_the_label(self, values):
        codes, labels = encode(np.array(values, dtype=object), "labels")
        assert [labels.tolist()[code] for code in codes] == values

    def test_numbers_sort_as_numbers_and_texts_as_texts(self):
        assert encode([10, 9], "labels")[1].tolist() == [9, 10]
        assert encode(["10", "9"], "labels")[1].tolist() == ["10", "9"]

    def test_labels_that_read_the_same_are_the_same(self):
        codes, labels = encode(np.array([1, "1", 1.0, "x"], dtype=object), "labels")
        assert codes.tolist() == [0, 0, 0, 1]
        assert labels.tolist() == [1, "x"]

    def test_times_are_numbers_of_ticks(self):
        days = np.array(["1970-01-02", "1970-01-04"], dtype="M8[D]")
        assert Column.of("day", days).values.tolist() == [1, 3]
        with pytest.raises(InputError, match="row 0: column 'day' must be without gaps"):
            Column.of("day", np.array(["NaT"], dtype="M8[D]"))
