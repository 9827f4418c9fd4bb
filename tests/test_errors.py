import pickle

from gleak.errors import GleakError, InputError, nearest


def test_the_sentence_of_the_house():
    error = InputError.must(
        "prior", "a distribution", "a sum of 2", where="p.csv", remedy="mend it"
    )
    assert str(error) == "p.csv: prior must be a distribution, got a sum of 2; mend it"
    assert isinstance(error, GleakError)
    assert isinstance(error, ValueError)


def test_errors_survive_a_trip_between_processes():
    error = pickle.loads(pickle.dumps(InputError.must("k", "positive", -1)))
    assert str(error) == "k must be positive, got -1"


def test_nearest_counts_what_it_does_not_show():
    assert nearest("zzz", [f"c{i}" for i in range(10)], shown=2) == "known are: c0, c1 and 8 more"


def test_nearest_looks_past_capitals():
    assert nearest("TIME", ["pin", "Time"]) == "did you mean 'Time'?"
