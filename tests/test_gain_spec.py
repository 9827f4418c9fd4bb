import numpy as np
import pytest

import gleak
from gleak.errors import InputError
from gleak.gain_spec import as_gain


@pytest.mark.parametrize(
    "spec",
    [
        "bayes",
        "tries:3",
        "partition:ward",
        "distance:250",
        "distance:2.5:row,col",
        "distance:250:row,col:peak=4,rate=0.95,step=1",
        "distance:1:shape=threshold",
    ],
)
def test_a_gain_is_named_by_its_spec(spec):
    assert as_gain(spec).name == spec


def test_a_gain_passes_as_it_is():
    gain = gleak.tries(2)
    assert as_gain(gain) is gain


def test_a_matrix_file_is_a_gain(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text(",a,b\nw,1,2\n")
    np.testing.assert_array_equal(as_gain(str(path)).bind(["a", "b"]).matrix(), [[1, 2]])


def test_a_function_and_a_gain_of_a_module(tmp_path, monkeypatch):
    (tmp_path / "my_gains.py").write_text(
        "import gleak\nnear = gleak.distance(3)\ndef product(w, x): return w * x\nnumber = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    payoff = as_gain("my_gains:product").bind([2, 3])
    np.testing.assert_array_equal(payoff.matrix(), [[4, 6], [6, 9]])
    assert as_gain("my_gains:product").name == "my_gains:product"
    assert as_gain("my_gains:near") == gleak.distance(3)
    with pytest.raises(InputError, match=r"module 'my_gains' has no 'prodct'; did you mean 'prod"):
        as_gain("my_gains:prodct")
    (tmp_path / "broken_gains.py").write_text("1 / 0\n")
    with pytest.raises(InputError, match="module 'broken_gains' cannot be imported: division by"):
        as_gain("broken_gains:product")
    with pytest.raises(InputError, match="a function of a guess and a secret"):
        as_gain("my_gains:number")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bays", r"unknown gain 'bays'; did you mean 'bayes'\? \(a gain is bayes, tries:K"),
        ("bayes:2", "'bayes' without more"),
        ("tries", "'tries:K' with K at least 1, got 'tries'"),
        ("tries:0", "'tries:K' with K at least 1, got 'tries:0'"),
        ("tries:two", "'tries:K' with K at least 1, got 'tries:two'"),
        ("partition", "'partition:COL', got 'partition'"),
        ("distance", "'distance:SCALE"),
        ("distance:wide", "'distance:SCALE.*got 'distance:wide'"),
        ("distance:1:peek=4", r"unknown option 'peek' in 'distance:1:peek=4'; did you mean 'peak'"),
        ("distance:-1", "a distance gain's scale must be a positive number"),
        ("no_such_module:f", "module 'no_such_module' cannot be imported"),
        ("nowhere.csv", "nowhere.csv does not exist"),
        ("distance:1:x=,y", "unknown option 'x' in 'distance:1:x=,y'"),
        (":f", r"unknown gain ':f'; known are: bayes, .* \(a gain is bayes"),
        (None, "a spec as text or one of gleak's gains, got None; wrap a function in"),
    ],
)
def test_a_spec_that_says_nothing_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        as_gain(spec)
