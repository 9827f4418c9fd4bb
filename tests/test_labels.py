import numpy as np
import pytest

from gleak.errors import InputError
from gleak.labels import as_labels, key, locate


@pytest.mark.parametrize("label", [7, 7.0, np.int8(7), np.float32(7), "7", np.str_("7")])
def test_one_label_has_one_key_however_it_was_read(label):
    assert key(label) == "7"


@pytest.mark.parametrize(("one", "other"), [("07", 7), (0.5, 0), (True, 1), ("a", "A")])
def test_different_labels_have_different_keys(one, other):
    assert key(one) != key(other)


def test_locate_finds_positions_across_kinds():
    assert locate([3.0, "1"], np.array([1, 2, 3]), "the data").tolist() == [2, 0]


def test_locate_names_what_is_lacking_and_the_nearest():
    with pytest.raises(InputError, match=r"the prior lacks 'calss'; did you mean 'class'\?"):
        locate(["calss"], np.array(["class", "name"]), "the prior")


@pytest.mark.parametrize("gap", [None, float("nan"), ""])
def test_a_missing_label_is_refused(gap):
    with pytest.raises(InputError, match="labels without gaps, got a missing one at position 1"):
        as_labels(np.array(["a", gap], dtype=object), "secrets")


def test_a_label_twice_is_refused_across_kinds():
    with pytest.raises(InputError, match="secrets must be all different, got '1' more than once"):
        as_labels(np.array([1, 2, "1"], dtype=object), "secrets")


@pytest.mark.parametrize(
    "labels",
    [[(0, 1), (1, 0)], [("a", 1), ("b", 2)], [("a",), ("a", "b"), ()], [1, "a", 2.5, True], [0.5]],
)
def test_labels_of_any_kinds_stay_what_they_are(labels):
    kept = as_labels(labels, "guesses").tolist()
    assert kept == labels
    assert list(map(type, kept)) == list(map(type, labels))


def test_rows_of_an_array_are_tuples():
    assert as_labels(np.array([[0, 1], [1, 0]]), "guesses").tolist() == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("values", "got"), [([], "none"), ("ab", "'ab'"), (3, "3"), (None, "None")]
)
def test_what_is_no_sequence_of_labels_is_refused(values, got):
    with pytest.raises(InputError, match=f"a sequence of labels, at least one, got {got}$"):
        as_labels(values, "secrets")


@pytest.mark.parametrize("kind", [np.float16, np.float32])
def test_labels_of_low_precision_are_the_numbers_they_were_written_as(kind):
    assert as_labels(np.array([0.1, 7], dtype=kind), "secrets").tolist() == [0.1, 7.0]


@pytest.mark.parametrize(
    ("wanted", "known"),
    [
        ([8, 7], ["0007", "0008"]),
        (["0008", "7.0"], ["7", "8"]),
        ([8, 7.0], ["7.00", "8e0"]),
        ([True, False], ["false", "true"]),
        (["true", "FALSE"], [False, True]),
    ],
)
def test_numbers_and_truth_values_are_found_however_they_are_spelled(wanted, known):
    assert locate(wanted, np.array(known), "the prior").tolist() == [1, 0]


def test_a_label_spelled_the_same_comes_before_one_of_the_same_value():
    assert locate(["07", "7"], np.array(["7", "07"]), "the prior").tolist() == [1, 0]


@pytest.mark.parametrize("known", [["07", "007"], ["7_0", "x"]])
def test_no_label_is_guessed_among_several_nor_within_names(known):
    for wanted in (7, 70):
        with pytest.raises(InputError, match=f"the prior lacks '{wanted}'"):
            locate([wanted], np.array(known), "the prior")


def test_what_is_lacking_and_like_nothing_there_is_to_be_added():
    with pytest.raises(InputError, match=r"the prior lacks 'c'; known are: a, b; add it$"):
        locate(["a", "c"], np.array(["a", "b"]), "the prior")
