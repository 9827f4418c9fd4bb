"""``gleak compare`` as a person runs it."""

import json

import numpy as np
import pytest
from tests.report.pages import command_in

from gleak import Channel
from gleak.cli import main


def write(path, secrets, seen):
    rows = "".join(f"{x},{y}\n" for x, y in zip(secrets, seen, strict=True))
    path.write_text(f"secret,seen\n{rows}")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, right, seed in (("leaky.csv", 0.9, 0), ("fixed.csv", 0.6, 1)):
        channel = Channel([[right, 1 - right], [1 - right, right]])
        write(tmp_path / name, *channel.sample(1500, rng=seed))
    rng = np.random.default_rng(0)
    write(tmp_path / "c.csv", rng.integers(0, 2, 300), rng.normal(size=300))
    return tmp_path


def run(capsys, *arguments, command="compare"):
    fixed = ["--secret", "secret", "--adversary", "frequentist"]
    with pytest.raises(SystemExit) as stop:
        main([command, *arguments, *fixed])
    output = capsys.readouterr()
    return stop.value.code, output.out, output.err


@pytest.mark.parametrize(
    ("files", "verdict", "worse", "unproven"),
    [
        (["leaky.csv", "fixed.csv"], "bayes: the fix removed at least 2", 0, 0),
        (["fixed.csv", "leaky.csv"], "bayes: worse by at least 2", 1, 1),
        (["fixed.csv", "fixed.csv"], "bayes: no change proven", 0, 3),
        (["leaky.csv", "c.csv"], "bayes: no change proven", 0, 3),
    ],
)
def test_verdicts_and_exit_codes(home, capsys, files, verdict, worse, unproven):
    codes = []
    for options in ([], ["--fail-on", "worse"], ["--fail-on", "unproven"]):
        code, out, err = run(capsys, *files, *options)
        assert out.startswith(verdict)
        assert err == ""
        codes.append(code)
    assert codes == [0, worse, unproven]


def test_no_removal_can_be_proven_for_continuous_observables(home, capsys):
    _, out, _ = run(capsys, "leaky.csv", "c.csv")
    text = " ".join(out.split())
    assert "no removal can be proven: there is no proven upper side after" in text
    assert "by estimate, not proven: the strongest attacker found wins" in text


def test_a_saved_baseline_in_the_place_of_samples(home, capsys):
    run(capsys, "leaky.csv", "--json", "b.json", command="estimate")
    code, out, _ = run(capsys, "fixed.csv", "--baseline", "b.json", "--json")
    found = json.loads(out)
    assert (code, found["verdict"], found["from_baseline"]) == (0, "removed", True)
    assert found["confidence"] == pytest.approx(0.9)
    both = json.loads(run(capsys, "leaky.csv", "fixed.csv", "--json")[1])
    assert both["confidence"] == 0.95
    assert found["change"]["vulnerability"]["estimate"] == pytest.approx(
        both["change"]["vulnerability"]["estimate"]
    )
    assert found["at_least"] == -found["change"]["vulnerability"]["upper"]


def test_the_command_in_the_report_makes_it_again(home, capsys):
    code, out, _ = run(capsys, "leaky.csv", "fixed.csv", "--report", "a b.html", "--folds", "3")
    page = (home / "a b.html").read_text()
    command = command_in(page)
    assert (code, command[:4]) == (0, ["gleak", "compare", "leaky.csv", "fixed.csv"])
    (home / "a b.html").unlink()
    with pytest.raises(SystemExit):
        main(command[1:])
    assert capsys.readouterr().out == out
    assert (home / "a b.html").read_text() == page


def test_a_comparison_passes_on_what_either_side_warns_of_and_names_no_secret(home, capsys):
    rows = "".join(f"{'anna' if i % 2 else 'bert'},{i % 3}\n" for i in range(200))
    (home / "rare.csv").write_text(f"secret,seen\n{rows}carl,1\n")
    run(capsys, "rare.csv", "--json", "b.json", command="estimate")
    assert "carl" in (home / "b.json").read_text()
    for files in (["rare.csv", "rare.csv"], ["rare.csv", "--baseline", "b.json"]):
        _, out, _ = run(capsys, *files, "--report", "r.html", "--json", "c.json")
        for text in (out, *((home / name).read_text() for name in ("r.html", "c.json"))):
            assert "efore, 1 of 3 secrets is never " in text
            assert "fter, 1 of 3 secrets is never " in text
            assert "carl" not in text


def test_several_gains(home, capsys):
    _, out, _ = run(capsys, "leaky.csv", "fixed.csv", "--gain", "bayes", "--gain", "tries:1",
                    "--json")  # fmt: skip
    first, second = json.loads(out)["estimates"]
    assert (first["gain"], second["gain"]) == ("bayes", "tries:1")
    assert first["change"] == second["change"]


REFUSALS = {
    "one file": (["leaky.csv"], "the files to compare must be BEFORE and AFTER, got leaky.csv"),
    "three": (["leaky.csv"] * 3, "must be BEFORE and AFTER"),
    "two beside a baseline": (["leaky.csv", "fixed.csv", "--baseline", "b.json"],
                              "must be AFTER alone beside --baseline"),
    "no baseline": (["leaky.csv", "--baseline", "none.json"], "none.json does not exist"),
    "another gain": (["leaky.csv", "--baseline", "b.json", "--gain", "tries:1"],
                     "the baseline is of the gain bayes, not of tries:1"),
    "a version": (["leaky.csv", "--baseline", "v.json"], "schema_version must be one of those"),
    "no keys": (["leaky.csv", "--baseline", "k.json"], "the baseline lacks 'gain'"),
    "one holdout for two": (["leaky.csv", "fixed.csv", "--holdout", "c.csv"],
                            "--holdout must be a share where two files are compared"),
    "no place": (["leaky.csv", "fixed.csv", "--report", "no/r.html"],
                 "no/r.html cannot be written: there is no directory no"),
    "fail on": (["leaky.csv", "fixed.csv", "--fail-on", "wors"], "did you mean 'worse'?"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_one_message_and_exit_code_2(home, capsys, case):
    run(capsys, "leaky.csv", "--json", "b.json", command="estimate")
    (home / "v.json").write_text('{"schema_version": 9}')
    (home / "k.json").write_text('{"schema_version": 1}')
    arguments, message = REFUSALS[case]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
