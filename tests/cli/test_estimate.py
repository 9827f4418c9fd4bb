"""``gleak estimate``, ``plan`` and ``demo`` as a person runs them."""

import inspect
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from gleak import betting, bounds, learning_bounds
from gleak.channel import Channel
from gleak.samples import Samples

CHANNEL = Channel([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
FAST = ("--adversary", "frequentist")


@pytest.fixture
def recorded(tmp_path):
    codes, seen = CHANNEL.sample(1000, rng=0)
    rows = np.column_stack([codes, seen, codes // 2, np.arange(1000) // 4])
    header = "who,time,half,session"
    np.savetxt(tmp_path / "r.csv", rows, fmt="%d", delimiter=",", header=header, comments="")
    Samples.of(*CHANNEL.sample(500, rng=1))
    more = np.column_stack(CHANNEL.sample(500, rng=1))
    np.savetxt(tmp_path / "m.csv", more, fmt="%d", delimiter=",", header="who,time", comments="")


def test_the_verdict_comes_first(gleak, recorded):
    code, out, err = gleak("estimate", "r.csv", "--secret", "who", "--observable", "time", *FAST)
    assert (code, err) == (0, "")
    first = out.splitlines()[0]
    assert re.fullmatch(
        r"leaks: an attacker with one try wins at least \d\d\.\d % \(best estimate \d\d\.\d %, "
        r"at most \d\d\.\d %\), blind guess \d\d\.\d %",
        first,
    )
    assert "proven lower" in out
    assert "500 trained and 500 certify" in out


def test_json_alone_and_in_a_file(gleak, recorded, tmp_path):
    asked = ("estimate", "r.csv", "--secret", "who", "--observable", "time", *FAST)
    code, out, err = gleak(*asked, "--json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    assert document["verdict"] == "leaks"
    assert document["vulnerability"]["lower"] < 0.8 < document["vulnerability"]["upper"]
    gleak(*asked, "--json", "e.json")
    written = json.loads((tmp_path / "e.json").read_text())
    assert written["vulnerability"] == document["vulnerability"]


def test_several_gains_and_columns_of_the_secret(gleak, recorded):
    options = ["--gain", "tries:2", "--gain", "partition:half", "--observable", "time"]
    _, out, _ = gleak("estimate", "r.csv", "--secret", "who", *options, *FAST, "--json")
    assert [each["gain"] for each in json.loads(out)["estimates"]] == ["tries:2", "partition:half"]


def test_another_file_certifies(gleak, recorded):
    options = ["--observable", "time", "--holdout", "m.csv", *FAST, "--json"]
    _, out, _ = gleak("estimate", "r.csv", "--secret", "who", *options)
    assert json.loads(out)["samples"]["certify"] == 500


def test_groups_splits_folds_and_priors_are_options(gleak, recorded):
    base = ("estimate", "r.csv", "--secret", "who", "--observable", "time", *FAST, "--json")
    lowers = set()
    for options in (
        [],
        ["--split", "blocked"],
        ["--folds", "4"],
        ["--group", "session"],
        ["--prior", "uniform"],
        ["--confidence", "0.99"],
        ["--seed", "7"],
    ):
        code, out, _ = gleak(*base, *options)
        assert code == 0
        lowers.add(json.loads(out)["vulnerability"]["lower"])
    assert len(lowers) == 7


REFUSALS = {
    "missing file": (["none.csv", "--secret", "who"], "none.csv does not exist"),
    "unknown secret": (["r.csv", "--secret", "woh"], "did you mean 'who'?"),
    "unknown observable": (["r.csv", "--secret", "who", "--observable", "tiem"], "'time'?"),
    "unknown gain": (["r.csv", "--secret", "who", "--gain", "bays"], "did you mean 'bayes'?"),
    "unknown adversary": (
        ["r.csv", "--secret", "who", "--adversary", "tres"],
        "unknown adversary 'tres'; did you mean 'trees'?",
    ),
    "split": (["r.csv", "--secret", "who", "--split", "x"], "the split must be 'random'"),
    "holdout": (["r.csv", "--secret", "who", "--holdout", "2"], "2"),
    "holdout file": (["r.csv", "--secret", "who", "--holdout", "x.csv"], "x.csv does not exist"),
    "confidence": (["r.csv", "--secret", "who", "--confidence", "95"], "95 % is 0.95"),
    "share and folds": (
        ["r.csv", "--secret", "who", "--holdout", "0.2", "--folds", "5"],
        "not both",
    ),
    "file and folds": (
        ["r.csv", "--secret", "who", "--observable", "time", "--holdout", "m.csv", "--folds", "5"],
        "nothing to part in folds",
    ),
    "blocked groups": (
        ["r.csv", "--secret", "who", "--group", "session", "--split", "blocked"],
        "a blocked split would part groups",
    ),
    "prior": (["r.csv", "--secret", "who", "--prior", "even"], "'empirical', 'uniform' or a file"),
    "too many tries": (
        ["r.csv", "--secret", "who", "--gain", "tries:4"],
        "the number of tries must be from 1 to 3, the number of secrets, got 4",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_one_message_and_exit_code_2(gleak, recorded, case):
    arguments, message = REFUSALS[case]
    code, out, err = gleak("estimate", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("gleak: ")
    assert message in err


def test_zeros_ahead_of_a_number_are_no_part_of_a_secret(gleak, tmp_path):
    """A table makes 7 of the PIN 0007; a gain's header and a prior may write either."""
    rows = "".join(f"000{7 + i % 2},{i % 3}\n" for i in range(60))
    (tmp_path / "pins.csv").write_text("pin,time\n" + rows)
    (tmp_path / "gain.csv").write_text("guess,0007,0008\nseven,1,0\neight,0,1\n")
    (tmp_path / "prior.csv").write_text("secret,prior\n0008,0.5\n0007,0.5\n")
    options = ["--gain", "gain.csv", "--prior", "prior.csv", *FAST, "--json"]
    code, out, err = gleak("estimate", "pins.csv", "--secret", "pin", *options)
    assert (code, err) == (0, "")
    assert json.loads(out)["prior_vulnerability"]["estimate"] == 0.5


@pytest.mark.parametrize("command", [("estimate", "r.csv", "--secret", "who"), ("demo",)])
def test_a_seed_below_zero_is_no_traceback(gleak, recorded, command):
    code, out, err = gleak(*command, "--seed", "-1")
    assert (code, out) == (2, "")
    assert "--seed" in err


def test_plan_answers_twice_in_words(gleak):
    code, out, _ = gleak("plan", "--precision", "0.01", "--vulnerability", "0.9")
    assert code == 0
    assert "certifying samples" in out
    assert "by the corollary of the paper" in out


def test_plan_reads_a_pilot(gleak, recorded, tmp_path):
    gleak("estimate", "r.csv", "--secret", "who", "--observable", "time", *FAST, "--json", "e.json")
    asked = ("plan", "--precision", "0.02", "--pilot", "e.json")
    found = json.loads(gleak(*asked, "--json")[1])
    assert 0.3 < found["betting"]["standard_deviation"] < 0.5
    document = json.loads((tmp_path / "e.json").read_text())
    rules = document["payoff"]["guesses"] ** document["samples"]["distinct_observables"]
    assert found["worst_case"]["rules"] == rules > 4
    fewer = json.loads(gleak(*asked, "--observables", "2", "--json")[1])
    assert fewer["worst_case"]["rules"] == document["payoff"]["guesses"] ** 2
    (tmp_path / "no.json").write_text("{}")
    code, _, err = gleak("plan", "--precision", "0.02", "--pilot", "no.json")
    assert code == 2
    assert "no.json: a pilot must be the JSON of one estimate" in err


def test_plan_goes_by_the_pilots_gains_and_by_how_they_deviate(gleak, recorded, tmp_path):
    """A distance gain has its own range and deviates less than gains of two values."""
    gain = ("--gain", "distance:2", "--observable", "time", *FAST)
    gleak("estimate", "r.csv", "--secret", "who", *gain, "--json", "e.json")
    payoff = json.loads((tmp_path / "e.json").read_text())["payoff"]
    share = json.loads((tmp_path / "e.json").read_text())["vulnerability"]["estimate"]
    assert payoff["deviation"] < 0.8 * math.sqrt(share * (1 - share))
    asked = ("plan", "--precision", "0.02", "--json")
    by_pilot = json.loads(gleak(*asked, "--pilot", "e.json")[1])["betting"]
    assert by_pilot["standard_deviation"] == payoff["deviation"]
    by_mean = json.loads(gleak(*asked, "--vulnerability", share)[1])["betting"]
    assert by_pilot["certify"] < 0.75 * by_mean["certify"]


def test_plan_refuses_a_precision_of_nothing(gleak):
    code, _, err = gleak("plan", "--precision", "0")
    assert code == 2
    assert "the precision must be between 0 and 1, got 0" in err


def test_the_demo_brackets_the_exact_answer(gleak, tmp_path):
    _, out, _ = gleak("demo", "--samples", "4000", "--json")
    bracket = json.loads(out)["vulnerability"]
    assert bracket["lower"] < 0.6758 < bracket["upper"]
    _, text, _ = gleak("demo", "--samples", "4000", "--report", str(tmp_path / "demo.html"))
    assert "a simulated password checker" in (tmp_path / "demo.html").read_text()
    assert "The exact answer is 0.6758" in text
    assert "leaks: an attacker with one try wins at least" in text


PAGE = (Path(__file__).parents[2] / "docs/estimates.md").read_text()


@pytest.mark.parametrize("command", ["estimate", "plan"])
def test_every_option_stands_in_the_documents(gleak, command):
    options = set(re.findall(r"--[a-z-]+", gleak(command, "--help")[1])) - {"--help"}
    assert len(options) > 5
    assert {option for option in options if f"`{option}`" not in PAGE} == set()


@pytest.mark.parametrize("module", [bounds, betting, learning_bounds])
def test_every_bound_stands_in_the_documents(module):
    functions = [f for _, f in inspect.getmembers(module, inspect.isfunction)]
    names = {f.__name__ for f in functions if f.__module__ == module.__name__}
    public = {name for name in names if not name.startswith(("_", "check_", "per_", "to_"))}
    assert len(public) > 1
    assert {name for name in public if name not in PAGE} == set()
