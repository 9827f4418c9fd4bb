import numpy as np
import pandas as pd
import polars as pl
import pytest

import gleak
from gleak.errors import InputError
from gleak.gain import Gain

GRID = {"row": np.array([0, 0, 1]), "col": np.array([0, 1, 0]), "ward": np.array(["n", "n", "s"])}


def test_bayes_is_the_identity():
    np.testing.assert_array_equal(gleak.bayes().bind(["a", "b"]).matrix(), np.eye(2))


def test_tries_of_one_is_bayes():
    np.testing.assert_array_equal(gleak.tries(1).bind([3, 5, 9]).matrix(), np.eye(3))


@pytest.mark.parametrize(
    "by",
    [
        "ward",
        {"a": "n", "b": "n", "c": "s", "never there": "w"},
        lambda secret: "s" if secret == "c" else "n",
    ],
)
def test_partition_by_column_mapping_and_function(by):
    gain = gleak.partition(by)
    payoff = gain.bind(["a", "b", "c"], GRID)
    assert payoff.guesses.tolist() == ["n", "s"]
    np.testing.assert_array_equal(payoff.matrix(), [[1, 1, 0], [0, 0, 1]])
    assert gain.classes(np.array(["a", "b", "c"]), GRID).tolist() == ["n", "n", "s"]


def test_only_a_partition_reduces_secrets_to_classes():
    for gain in (gleak.bayes(), gleak.tries(2), gleak.distance(1), gleak.matrix(np.eye(2))):
        assert gain.classes(np.arange(3)) is None


def test_distance_draws_the_papers_diamond():
    """round(4·exp(−0.95·d/250)) on cells of 250 m: 4, then 2, 1, 1 and 0 with the distance."""
    east = np.array([0.0, 250, 250, 500, 500])
    north = np.array([0.0, 0, 250, 0, 250])
    gain = gleak.distance(250, ("east", "north"), peak=4, rate=0.95, step=1)
    payoff = gain.bind(np.arange(5), {"east": east, "north": north})
    assert payoff.matrix()[0].tolist() == [4, 2, 1, 1, 0]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"shape": "exponential"}, [1, np.exp(-0.5), np.exp(-1.5)]),
        ({"shape": "exponential", "rate": 2, "peak": 3}, [3, 3 * np.exp(-1), 3 * np.exp(-3)]),
        ({"shape": "linear"}, [1, 0.5, 0]),
        ({"shape": "threshold", "peak": 7}, [7, 7, 0]),
        ({"shape": "linear", "step": 0.2}, [1, 0.4, 0]),
    ],
)
def test_distance_shapes(options, expected):
    payoff = gleak.distance(2, **options).bind([0, 1, 3])
    np.testing.assert_allclose(payoff.matrix()[0], expected)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": 0}, "a distance gain's scale must be a positive number, got 0"),
        ({"scale": float("nan")}, "scale must be a positive number, got nan"),
        ({"scale": 1, "rate": -1}, "rate must be a positive number, got -1"),
        ({"scale": "2"}, "scale must be a positive number, got 2"),
        ({"scale": None}, "scale must be a positive number, got None"),
        ({"scale": 1, "step": 0}, "step must be a positive number, got 0"),
        ({"scale": 1, "shape": "linaer"}, "unknown shape 'linaer'.*did you mean 'linear'"),
    ],
)
def test_a_distance_that_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        gleak.distance(**arguments)


def test_distance_between_words_is_refused_with_the_way_out():
    with pytest.raises(InputError, match="numbers, got 'a'; name the columns"):
        gleak.distance(1).bind(["a", "b"])


@pytest.mark.parametrize(
    ("values", "got"), [([1, np.nan], "nan"), ([np.inf, 1], "inf"), (["1", "far"], "far")]
)
def test_coordinates_that_are_no_finite_numbers_are_refused(values, got):
    """As gains they would be NaN, and so would every vulnerability."""
    gain = gleak.distance(1, "east")
    with pytest.raises(InputError, match=f"column 'east' of a distance gain .*, got '{got}'"):
        gain.bind(["a", "b"], {"east": np.array(values)})


def test_a_single_column_may_be_named_without_a_sequence():
    assert gleak.distance(1, "east") == gleak.distance(1, ("east",))


def test_a_column_of_another_alphabet_is_refused():
    for gain in (gleak.distance(1, "row"), gleak.partition("ward")):
        with pytest.raises(InputError, match="of 2 values, one per secret, got 3"):
            gain.bind(["a", "b"], GRID)


@pytest.mark.parametrize("k", [0, -1, 2.0, "2", True, None])
def test_tries_are_counted_in_whole_numbers(k):
    with pytest.raises(InputError, match="the number of tries must be a whole number from 1"):
        gleak.tries(k)


def test_classes_of_any_kind_stay_what_they_are():
    classes = {"a": 1, "b": "x", "c": (1, 2), "d": (1, 2)}
    payoff = gleak.partition(classes).bind(["a", "b", "c", "d"])
    assert sorted(map(str, payoff.guesses.tolist())) == ["(1, 2)", "1", "x"]
    assert payoff.matrix().sum() == 4
    pairs = gleak.partition(lambda secret: (secret > "b", 0)).bind(["a", "b", "c"])
    assert pairs.guesses.tolist() == [(False, 0), (True, 0)]


@pytest.mark.parametrize("gap", [None, float("nan")])
def test_a_secret_without_a_class_is_refused(gap):
    with pytest.raises(InputError, match="classes must be without gaps"):
        gleak.partition({"a": 1, "b": gap}).bind(["a", "b"])


def test_what_no_partition_is_by():
    with pytest.raises(InputError, match="a column's name, a mapping or a function, got 3"):
        gleak.partition(3)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(InputError, match=r"needs a column 'wrad'.*did you mean 'ward'\?"):
        gleak.partition("wrad").bind(["a", "b", "c"], GRID)
    with pytest.raises(InputError, match="needs a column 'ward' of the secrets; nothing but their"):
        gleak.partition("ward").bind(["a", "b", "c"])


def test_too_many_secrets_for_a_matrix_are_refused_before_any_work():
    with pytest.raises(InputError, match="at most 20,000,000 gains, got 5,000 guesses × 5,000"):
        gleak.distance(1).bind(np.arange(5000))


def test_matrix_follows_the_labels_of_the_data():
    gain = gleak.matrix([[1, 2, 3], [4, 5, 6]], guesses=["u", "v"], secrets=["a", "b", "c"])
    payoff = gain.bind(["c", "a"])
    np.testing.assert_array_equal(payoff.matrix(), [[3, 1], [6, 4]])
    assert payoff.guesses.tolist() == ["u", "v"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_matrix_from_a_data_frame(frame):
    gain = gleak.matrix(frame({"guess": ["lo", "hi"], "1": [1.0, -0.5], "2": [0.0, 2.5]}))
    payoff = gain.bind([2, 1])
    np.testing.assert_array_equal(payoff.matrix(), [[0.0, 1.0], [2.5, -0.5]])
    assert (payoff.low, payoff.high) == (-0.5, 2.5)


def test_matrix_from_a_file(tmp_path):
    (tmp_path / "gain.csv").write_text("guess,0,1\nstay,1,-2\nmove,0,0.25\n")
    payoff = gleak.matrix(tmp_path / "gain.csv").bind([0, 1])
    np.testing.assert_array_equal(payoff.matrix(), [[1, -2], [0, 0.25]])
    assert payoff.guesses.tolist() == ["stay", "move"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"values": [[1, 2]], "secrets": ["a", "b", "c"]}, "of 1 guesses × 3, got 1 × 2"),
        ({"values": [[1, 2]], "guesses": ["a", "b"]}, "of 2 guesses × the secrets, got 1 × 2"),
        ({"values": [1, 2]}, "of two axes, a row per guess and a column per secret, got 1$"),
        ({"values": None}, "of two axes, .* got 0$"),
        ({"values": np.zeros((0, 2))}, "of some guesses × the secrets, got 0 × 2; give it a row"),
        ({"values": [[1, 2], [3]]}, "rows of real numbers, all of one length"),
        ({"values": [["x", 2]]}, "rows of real numbers, all of one length"),
        ({"values": [[1j, 2]]}, "rows of real numbers, all of one length"),
        (
            {"values": [[1, np.nan]], "guesses": ["w"], "secrets": ["a", "b"]},
            "a finite number, got nan for guess 'w' and secret 'b'",
        ),
        ({"values": [[1, np.inf]]}, "a finite number, got inf for guess '0' and secret '1'"),
        ({"values": [[1, 2]], "secrets": ["a", "a"]}, "all different"),
    ],
)
def test_a_gain_matrix_of_wrong_shape_or_with_gaps_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        gleak.matrix(**arguments)


def test_a_gain_that_lacks_a_secret_of_the_data_is_refused():
    with pytest.raises(InputError, match=r"the gain matrix lacks 'reed'; did you mean 'red'\?"):
        gleak.matrix(np.eye(2), secrets=["red", "blue"]).bind(["red", "reed"])
    with pytest.raises(InputError, match="of 3 columns, one per secret, got 2; give it the"):
        gleak.matrix(np.eye(2)).bind(["a", "b", "c"])
    with pytest.raises(InputError, match="the partition lacks 'c'"):
        gleak.partition({"a": 1, "b": 2}).bind(["a", "c"])


def test_a_refusal_names_the_file_of_the_matrix(tmp_path):
    path = tmp_path / "gain.csv"
    path.write_text("guess,a,b\nw,1,2\n")
    with pytest.raises(InputError, match=r"gain\.csv: the gain matrix lacks 'c'"):
        gleak.matrix(path).bind(["a", "c"])
    path.write_text("guess,a,b\nw,1,2\nw,1,2\n")
    with pytest.raises(InputError, match=r"gain\.csv: the names of guesses must be all different"):
        gleak.matrix(path)
    path.write_text("guess,a,a\nw,1,2\n")
    with pytest.raises(InputError, match=r"gain\.csv: the names of secrets must be all different"):
        gleak.matrix(path)


def test_an_index_of_names_names_the_guesses():
    frame = pd.DataFrame({"b": [0, 1], "a": [2, 3]}, index=["stay", "move"])
    payoff = gleak.matrix(frame).bind(["a", "b"])
    assert payoff.guesses.tolist() == ["stay", "move"]
    np.testing.assert_array_equal(payoff.matrix(), [[2, 0], [3, 1]])


def test_columns_of_a_frame_may_be_called_by_numbers():
    frame = pd.DataFrame([["stay", 2.0, 1.0], ["move", 0.0, 3.0]], columns=["guess", 1, 2])
    np.testing.assert_array_equal(gleak.matrix(frame).bind([2, 1]).matrix(), [[1, 2], [3, 0]])


def test_function_of_labels():
    payoff = gleak.function(lambda w, x: (w == x) * x - 1, guesses=[1, 2, 3]).bind([1, 3])
    np.testing.assert_array_equal(payoff.matrix(), [[0, -1], [-1, -1], [-1, 2]])


def test_a_function_is_given_labels_as_they_are():
    pairs = [("a", 1), ("b",)]
    payoff = gleak.function(lambda w, x: float(x in w), guesses=pairs).bind(["a", 1])
    np.testing.assert_array_equal(payoff.matrix(), [[1, 1], [0, 0]])
    assert payoff.guesses.tolist() == pairs


def test_a_function_that_gives_nan_is_refused():
    with pytest.raises(InputError, match="got nan for guess 'a' and secret 'a'"):
        gleak.function(lambda w, x: float("nan")).bind(["a", "b"])


def test_a_function_that_gives_no_number_is_refused():
    with pytest.raises(InputError, match="gains must be rows of real numbers"):
        gleak.function(lambda w, x: "much").bind(["a", "b"])


def test_a_function_that_fails_is_named_with_its_labels():
    with pytest.raises(InputError, match=r"fails for 'a' and 'b': ZeroDivisionError") as caught:
        gleak.function(lambda w, x: 1 / (w == x)).bind(["a", "b"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    with pytest.raises(InputError, match=r"gain 'partition:<lambda>' fails for 'a': TypeError"):
        gleak.partition(lambda secret: secret + 1).bind(["a", "b"])


@pytest.mark.parametrize(
    "gain",
    [gleak.bayes(), gleak.tries(2), gleak.partition("ward"), gleak.distance(1, ("row", "col"))],
)
def test_every_gain_can_be_bound_to_labelled_secrets(gain: Gain):
    payoff = gain.bind(["a", "b", "c"], GRID)
    assert payoff.secrets.tolist() == ["a", "b", "c"]
    assert np.isfinite(payoff.matrix()).all()
