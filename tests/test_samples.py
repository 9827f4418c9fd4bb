import numpy as np
import pandas as pd
import polars as pl
import pytest

import gleak
from gleak.errors import InputError
from gleak.gain import matrix, partition
from gleak.samples import Samples

SECRETS = ["b", "a", "c", "a", "b"]
TIMES = [1, 2, 1, 2, 2]


def refusal(*args, **options):
    with pytest.raises(InputError) as caught:
        Samples.of(*args, **options)
    return str(caught.value)


class TestOf:
    def test_secrets_are_a_sorted_alphabet_and_codes(self):
        samples = Samples.of(SECRETS, TIMES)
        assert samples.secrets.tolist() == ["a", "b", "c"]
        assert samples.codes.tolist() == [1, 0, 2, 0, 1]
        assert samples.codes.dtype == np.intp
        assert len(samples) == 5
        assert samples.groups is samples.weights is None

    def test_attributes_become_one_value_per_secret(self):
        samples = Samples.of(
            SECRETS, TIMES, attributes={"x": [2.0, 1.0, 3.0, 1.0, 2.0], "vowel": list("nynyn")}
        )
        assert samples.attributes["x"].tolist() == [1.0, 2.0, 3.0]
        assert samples.attributes["vowel"].tolist() == ["y", "n", "n"]

    def test_an_attribute_must_be_a_function_of_the_secret(self):
        assert refusal(SECRETS, TIMES, attributes={"x": [2, 1, 3, 1, 4]}) == (
            "row 4: attribute 'x' must be the same wherever its secret is the same, "
            "got '4' after '2' in row 0; name it as an observable instead"
        )

    def test_groups_are_codes(self):
        samples = Samples.of(SECRETS, TIMES, groups=["u2", "u1", "u1", "u3", "u2"])
        assert samples.groups.tolist() == [1, 0, 0, 2, 1]

    def test_inputs_are_neither_changed_nor_shared(self):
        weights, codes = np.ones(5), np.array([1, 0, 2, 0, 1])
        samples = Samples.of(codes, TIMES, weights=weights)
        weights[0], codes[0] = 9, 2
        assert samples.weights.tolist() == [1.0] * 5
        assert samples.codes.tolist() == [1, 0, 2, 0, 1]
        with pytest.raises(ValueError, match="read-only"):
            samples.codes[0] = 0

    def test_swapped_arguments(self):
        assert refusal(np.zeros((5, 2)), SECRETS) == (
            "secrets must be one label per row, got an array of 2 axes; "
            "pass the secrets first and the observables second"
        )

    def test_lengths(self):
        assert refusal(SECRETS, [1, 2]) == (
            "observables must be of 5 rows, like the secrets, got 2"
        )
        assert refusal(SECRETS, TIMES, groups=[1]) == (
            "groups must be of 5 rows, like the secrets, got 1"
        )
        assert refusal(SECRETS, TIMES, weights=[1.0]) == (
            "weights must be of 5 rows, like the secrets, got 1"
        )
        assert refusal(SECRETS, TIMES, attributes={"x": [1]}) == (
            "attribute 'x' must be of 5 rows, like the secrets, got 1"
        )

    def test_too_little_to_learn_from(self):
        remedy = "record the secret and what was observed more often"
        assert refusal(["a"], [1]) == f"samples must be at least two rows, got 1; {remedy}"
        assert refusal([], []) == f"samples must be at least two rows, got 0; {remedy}"
        assert refusal(["a", "a"], [1, 2]) == (
            "the secret must be of at least two different secrets, got only 'a'; "
            "name the column that holds what an attacker does not know"
        )

    @pytest.mark.parametrize(
        ("odd", "message"),
        [
            (0.0, "row 2: weight 'weights' must be above 0, got 0.0"),
            (-1.0, "row 2: weight 'weights' must be above 0, got -1.0"),
            (np.nan, "row 2: column 'weights' must be of finite numbers, got nan"),
            (np.inf, "row 2: column 'weights' must be of finite numbers, got inf"),
            ("much", "weight 'weights' must be of numbers, got categories"),
        ],
    )
    def test_weights_are_positive_numbers(self, odd, message):
        assert refusal(SECRETS, TIMES, weights=[1, 1, odd, 1, 1]).startswith(message)

    def test_public_columns_are_observables(self):
        data = {"time": TIMES, "user": SECRETS}
        assert Samples.of(SECRETS, data, public=["user"]).public == ("user",)
        assert Samples.of(SECRETS, data, public="user").public == ("user",)
        assert refusal(SECRETS, data, public=["usr"]) == (
            "public column 'usr' is not among the observables; did you mean 'user'?"
        )

    def test_missing_secret(self):
        assert refusal(["a", None, "b"], [1, 2, 3]) == (
            "row 1: secrets must be without gaps, got a missing value; "
            "remove the row, or give the gap a name of its own"
        )

    def test_masked_values_are_missing(self):
        masked = np.ma.array([1, 2, 3], mask=[0, 0, 1])
        table = np.ma.array(np.eye(3), mask=np.eye(3) > 0)
        message = "must be without gaps, got a missing value"
        assert message in refusal(masked, [1, 2, 3])
        for observables in (masked, {"t": masked}, table):
            assert message in refusal(["a", "b", "a"], observables)
        whole = np.ma.array([1, 2, 3], mask=False)
        assert Samples.of(whole, whole).codes.tolist() == [0, 1, 2]


class TestContinuousSecrets:
    NUMBERS = np.linspace(0.1, 0.9, 30)
    REFUSAL = (
        "the secret must be a label that repeats, got 30 different ones in 30 rows; "
        "write a class of it in a column, name that column as an attribute and use the gain "
        "partition:COLUMN, or make the class itself the secret"
    )

    @pytest.mark.parametrize("secrets", [NUMBERS, np.arange(30), list(map(str, range(30)))])
    def test_refused_where_the_secret_itself_is_to_be_guessed(self, secrets):
        samples = Samples.of(secrets, np.zeros(30))
        for work in (samples.under, samples.bind):
            with pytest.raises(InputError) as caught:
                work("bayes")
            assert str(caught.value) == self.REFUSAL

    def test_few_labels_say_nothing_but_fractions_do(self):
        assert Samples.of(["a", "b"], [1, 2]).bind("bayes").n_secrets == 2
        assert Samples.of(np.arange(10), np.zeros(10)).bind("bayes").n_secrets == 10
        with pytest.raises(InputError, match="must be a label that repeats"):
            Samples.of([0.5, 1.5], [1, 2]).bind("bayes")

    def test_a_function_of_it_may_be_the_gain(self):
        """Passwords of which none comes twice, and what of them matters."""
        passwords = [f"{'ab'[i % 2]}{i:030x}" for i in range(30)]
        samples = Samples.of(passwords, np.arange(30) % 2)
        reduced, payoff = samples.under(partition(lambda password: password[0]))
        assert reduced.secrets.tolist() == payoff.guesses.tolist() == ["a", "b"]
        assert reduced.codes.tolist() == [0, 1] * 15

    def test_a_class_of_it_may_be_the_gain(self):
        high = (self.NUMBERS > 0.5).astype(int)
        samples = Samples.of(self.NUMBERS, np.zeros(30), attributes={"high": high})
        reduced, payoff = samples.under("partition:high")
        assert reduced.codes.tolist() == high.tolist()
        assert payoff.n_guesses == 2
        assert samples.bind("partition:high").n_guesses == 2
        for work in (samples.under, samples.bind):
            with pytest.raises(InputError) as caught:
                work("bayes")
            assert str(caught.value) == self.REFUSAL

    def test_a_small_part_of_good_samples_is_not_continuous(self):
        rng = np.random.default_rng(0)
        samples = Samples.of(rng.integers(0, 20, 200), np.zeros(200))
        assert samples.take(slice(0, 20)).bind("bayes").n_secrets == 20


class TestKindsOfSecrets:
    def test_numbers_and_words_in_one_list_stay_what_they_are(self):
        samples = Samples.of([1, "a", 2.5, 1], [0, 1, 0, 1])
        assert samples.secrets.tolist() == [1, 2.5, "a"]
        kinds = partition(lambda secret: type(secret).__name__)
        assert samples.under(kinds)[0].secrets.tolist() == ["float", "int", "str"]

    def test_single_precision_says_the_same_as_double(self):
        """0.1 in single precision is 0.100000001…, but it was written 0.1."""
        single = Samples.of(np.array([0.1, 2, 0.1], dtype=np.float32), [0, 1, 0])
        assert single.secrets.tolist() == [0.1, 2.0]
        gain = matrix([[1, 0], [0, 1]], secrets=["0.1", "2"])
        assert single.bind(gain).matrix().tolist() == [[1, 0], [0, 1]]


class TestTake:
    def test_everything_is_taken_and_the_alphabet_kept(self):
        samples = Samples.of(
            SECRETS, TIMES, attributes={"x": [2, 1, 3, 1, 2]}, groups=TIMES, weights=[1, 2, 3, 4, 5]
        )
        part = samples.take(np.array([4, 1]))
        assert part.codes.tolist() == [1, 0]
        assert part.secrets.tolist() == ["a", "b", "c"]
        assert part.attributes["x"].tolist() == [1, 2, 3]
        assert part.observables.matrix().tolist() == [[2.0], [2.0]]
        assert part.groups.tolist() == [1, 1]
        assert part.weights.tolist() == [5, 2]


class TestCounts:
    def test_every_pair_is_counted(self):
        samples = Samples.of(SECRETS, TIMES)
        assert samples.counts.toarray().tolist() == [[0, 1, 1], [2, 1, 0]]
        assert samples.frequencies.tolist() == [0.4, 0.4, 0.2]

    def test_weights_are_honoured(self):
        samples = Samples.of(SECRETS, TIMES, weights=[1, 2, 3, 4, 5])
        assert samples.counts.toarray().tolist() == [[0, 1, 3], [6, 5, 0]]
        assert samples.frequencies == pytest.approx([6 / 15, 6 / 15, 3 / 15])

    def test_secrets_without_a_row_count_nothing(self):
        part = Samples.of(SECRETS, TIMES).take([0, 4])
        assert part.counts.toarray().tolist() == [[0, 1, 0], [0, 1, 0]]
        assert part.frequencies.tolist() == [0, 1, 0]

    def test_agree_with_a_loop(self):
        rng = np.random.default_rng(4)
        samples = Samples.of(
            rng.integers(0, 6, 300), rng.integers(0, 4, (300, 2)), weights=rng.random(300) + 0.1
        )
        expected = np.zeros((len(samples.observables.distinct), 6))
        for row, code in enumerate(samples.codes):
            expected[samples.observables.distinct.inverse[row], code] += samples.weights[row]
        assert samples.counts.toarray() == pytest.approx(expected)


class TestUnder:
    def test_only_the_class_is_left(self):
        samples = Samples.of(
            SECRETS, TIMES, attributes={"vowel": list("nynyn")}, weights=[1, 2, 3, 4, 5]
        )
        reduced, payoff = samples.under("partition:vowel")
        assert reduced.secrets.tolist() == payoff.secrets.tolist() == ["n", "y"]
        assert reduced.codes.tolist() == [0, 1, 0, 1, 0]
        assert reduced.counts.toarray().tolist() == [[4, 0], [5, 6]]
        assert payoff.matrix().tolist() == [[1, 0], [0, 1]]

    def test_its_values_are_those_of_the_gain_itself(self):
        samples = Samples.of(SECRETS, TIMES)
        gain = gleak.partition({"a": "x", "b": "y", "c": "y"})
        reduced, payoff = samples.under(gain)
        whole = samples.bind(gain)
        for guess in range(2):
            guesses = np.full(5, guess)
            assert payoff.labels(guesses).tolist() == whole.labels(guesses).tolist()
            assert (
                payoff.value(guesses, reduced.codes).tolist()
                == whole.value(guesses, samples.codes).tolist()
            )

    def test_other_gains_leave_the_samples_alone(self):
        samples = Samples.of(SECRETS, TIMES)
        same, payoff = samples.under("tries:2")
        assert same is samples
        assert payoff.n_guesses == 3

    def test_coordinates_are_attributes(self):
        samples = Samples.of(SECRETS, TIMES, attributes={"x": [2.0, 1.0, 3.0, 1.0, 2.0]})
        payoff = samples.bind("distance:1:x:shape=linear")
        assert payoff.matrix().tolist() == np.eye(3).tolist()


class TestFromFrame:
    DATA = {  # noqa: RUF012 - the table of these tests
        "pin": [1, 2, 1, 3],
        "even": [False, True, False, False],
        "time": [0.5, 0.25, 0.5, 0.5],
        "user": ["u", "v", "u", "u"],
        "day": [1, 1, 2, 2],
        "w": [1.0, 2.0, 1.0, 1.0],
    }

    @pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
    def test_columns_by_name(self, frame):
        samples = Samples.from_frame(
            frame(self.DATA),
            "pin",
            public=["user"],
            group="day",
            attributes=["even"],
            weight="w",
        )
        assert samples.secrets.tolist() == [1, 2, 3]
        assert samples.observables.names == ["time", "user"]
        assert samples.public == ("user",)
        assert samples.groups.tolist() == [0, 0, 1, 1]
        assert samples.weights.tolist() == [1.0, 2.0, 1.0, 1.0]
        assert samples.attributes["even"].tolist() == [False, True, False]

    def test_named_observables_and_public_ones_beside_them(self):
        samples = Samples.from_frame(pl.DataFrame(self.DATA), "pin", ["time"], public=["user"])
        assert samples.observables.names == ["time", "user"]

    def test_categories_do_not_depend_on_the_order_of_rows(self):
        one = pl.DataFrame(
            {"s": ["b", "a"] * 20, "c": pl.Series(["z", "y"] * 20).cast(pl.Enum(["z", "y"]))}
        )
        for frame in (one, one.reverse()):
            samples = Samples.from_frame(frame, "s")
            assert samples.secrets.tolist() == ["a", "b"]
            assert samples.observables.columns[0].categories.tolist() == ["y", "z"]

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"secret": "pn"}, "no column 'pn'; did you mean 'pin'?"),
            ({"secret": "pin", "observables": ["tme"]}, "no column 'tme'; did you mean 'time'?"),
            (
                {"secret": "pin", "observables": ["time", "pin"]},
                "column 'pin' is given twice; a column is either the secret, an observable, "
                "an attribute or the weight",
            ),
            (
                {"secret": "pin", "observables": ["time", "time"]},
                "column 'time' is given twice; a column is either the secret, an observable, "
                "an attribute or the weight",
            ),
            (
                {"secret": "pin", "observables": []},
                "no column is left to observe besides 'pin'; add one",
            ),
            (
                {"secret": "pin", "weight": "day", "observables": ["time"], "attributes": ["time"]},
                "column 'time' is given twice; a column is either the secret, an observable, "
                "an attribute or the weight",
            ),
        ],
    )
    def test_refused_roles(self, options, message):
        with pytest.raises(InputError) as caught:
            Samples.from_frame(pl.DataFrame(self.DATA), **options)
        assert str(caught.value) == message

    def test_nested_values(self):
        with pytest.raises(InputError) as caught:
            Samples.from_frame(pl.DataFrame({"s": [1, 2], "a": [[1], [2]]}), "s")
        assert str(caught.value) == (
            "column 'a' must be of numbers, texts, truth values or times, "
            "got values of type List(Int64)"
        )

    def test_columns_of_one_name(self):
        frame = pd.DataFrame([[1, 2, 3], [2, 3, 4]], columns=["s", "a", "a"])
        with pytest.raises(ValueError, match="a"):
            Samples.from_frame(frame, "s")

    def test_whole_numbers_too_long_for_numpy_stay_apart(self):
        long = 2**100
        frame = pl.DataFrame(
            {"s": pl.Series([long, long + 1, long], dtype=pl.Int128), "a": [1, 2, 3]}
        )
        assert Samples.from_frame(frame, "s").secrets.tolist() == [str(long), str(long + 1)]
