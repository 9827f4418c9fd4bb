"""Distinct rows agree with sorting Python tuples, whatever the columns are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.distinct import distinct_keys, distinct_rows

SIZES = st.integers(0, 40)
COLUMNS = {
    "few whole numbers": st.integers(-2, 2),
    "any whole numbers": st.integers(-(2**63), 2**63 - 1),
    "whole floats": st.integers(-3, 3).map(float),
    "floats": st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0),
    "huge floats": st.sampled_from([1e300, -1e300, 2.0**53, 2.0**53 + 2, 0.0]),
}


def by_sorting(columns):
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    ordered = sorted(set(rows))
    return [rows.index(row) for row in ordered], [ordered.index(row) for row in rows]


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_agrees_with_sorted_tuples(data):
    length = data.draw(st.integers(0, 30))
    kinds = data.draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=1, max_size=4))
    columns = [
        np.array(
            data.draw(st.lists(COLUMNS[kind], min_size=length, max_size=length)),
            dtype=np.float64 if "float" in kind else np.int64,
        )
        for kind in kinds
    ]
    found = distinct_rows(columns, length)
    first, inverse = by_sorting(columns)
    assert found.first.tolist() == first
    assert found.inverse.tolist() == inverse


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "float32", "float16"])
def test_any_width_of_number(dtype):
    values = np.array([120, 3, 120, 0], dtype=dtype)
    found = distinct_rows([values], 4)
    assert found.first.tolist() == [3, 1, 0]
    assert found.inverse.tolist() == [2, 1, 2, 0]


def test_unsigned_numbers_beyond_the_signed_ones():
    values = np.array([2**64 - 1, 0, 2**63], dtype=np.uint64)
    assert distinct_rows([values], 3).inverse.tolist() == [2, 0, 1]


def test_many_wide_columns_do_not_overflow_into_each_other():
    # Three columns of 2^40 values each would need 120 bits for one key.
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2**40, 50)[rng.integers(0, 50, 200)] for _ in range(3)]
    first, inverse = by_sorting(columns)
    found = distinct_rows(columns, 200)
    assert found.first.tolist() == first
    assert found.inverse.tolist() == inverse


def test_sparse_keys_are_sorted_and_dense_ones_counted_alike():
    keys = np.array([7, 2, 7, 0, 2])
    sparse, dense = distinct_keys(keys * 10**9, 8 * 10**9), distinct_keys(keys, 8)
    assert sparse.first.tolist() == dense.first.tolist() == [3, 1, 0]
    assert sparse.inverse.tolist() == dense.inverse.tolist() == [2, 1, 2, 0, 1]


def test_rising_keys_are_all_different():
    found = distinct_keys(np.array([3, 5, 900]), 901)
    assert found.first.tolist() == found.inverse.tolist() == [0, 1, 2]
    assert len(found) == 3


def test_what_was_found_cannot_be_changed():
    found = distinct_rows([np.array([1, 0, 1])], 3)
    with pytest.raises(ValueError, match="read-only"):
        found.inverse[0] = 5
