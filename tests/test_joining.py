import numpy as np
import pytest

from gleak.errors import InputError
from gleak.joining import joined
from gleak.samples import Samples


def test_secrets_of_both_are_one_alphabet():
    whole = joined(Samples.of([5, 1, 5], [0, 1, 2]), Samples.of([3, 1, 9], [2, 2, 3]))
    assert whole.secrets.tolist() == [1, 3, 5, 9]
    assert whole.secrets[whole.codes].tolist() == [5, 1, 5, 3, 1, 9]
    assert whole.observables.columns[0].values.tolist() == [0, 1, 2, 2, 2, 3]


def test_categories_of_both_are_one():
    whole = joined(Samples.of([0, 1], {"c": ["a", "b"]}), Samples.of([1, 0], {"c": ["z", "b"]}))
    column = whole.observables.columns[0]
    assert column.categories[column.values].tolist() == ["a", "b", "z", "b"]
    assert len(whole.observables.distinct.first) == 3


def test_attributes_weights_and_groups_come_along():
    first = Samples.of([0, 1], [0, 1], attributes={"k": ["n", "s"]}, weights=[1, 2], groups=[4, 4])
    second = Samples.of([1, 2], [0, 1], attributes={"k": ["s", "w"]}, groups=[4, 9])
    whole = joined(first, second)
    assert whole.attributes["k"].tolist() == ["n", "s", "w"]
    assert whole.weights.tolist() == [1, 2, 1, 1]
    assert whole.groups.tolist() == [0, 0, 1, 2]


def test_numbers_and_words_meet_by_their_text():
    whole = joined(Samples.of([1, 2], [0, 1]), Samples.of(["2", "x"], [0, 1]))
    assert [str(secret) for secret in whole.secrets[whole.codes]] == ["1", "2", "2", "x"]


def test_columns_must_be_the_same():
    with pytest.raises(InputError, match="no column 'time'"):
        joined(Samples.of([0, 1], {"time": [0, 1]}), Samples.of([0, 1], {"tiem": [0, 1]}))
    with_class = Samples.of([0, 1], np.arange(2), attributes={"k": [0, 1]})
    with pytest.raises(InputError, match="the second samples lack the column 'k'"):
        joined(with_class, Samples.of([0, 1], np.arange(2)))
