"""``gleak query`` as a person runs it."""

import json
import sys

import pytest

from gleak.cli import main

ECHO = f"{sys.executable} -S -u -c 'for x in open(0): print(x.strip() * 2, flush=True)'"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text("secret,prior,side\n11,0.25,l\n12,0.25,l\n13,0.5,r\n")
    (tmp_path / "served.py").write_text(
        "def noisy(secrets, rng):\n    return secrets % 2 ^ (rng.random(len(secrets)) < 0.1)\n"
        "def one(secret):\n    return sum(range(int(secret) * 100))\n"
    )
    return tmp_path


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["query", "--secrets", "s.csv", "--out", "c.sqlite", *arguments])
    output = capsys.readouterr()
    return stop.value.code, output.out, output.err


def test_collect_and_continue(folder, capsys):
    code, out, err = run(capsys, "--command", ECHO, "--queries", "100")
    assert (code, err) == (0, "")
    assert out.startswith("100 answers of 100 wanted are in c.sqlite (complete")
    assert out.endswith("next: gleak estimate c.sqlite --secret secret\n")
    code, out, _ = run(capsys, "--command", ECHO, "--queries", "300", "--json")
    found = json.loads(out)
    assert (found["received"], found["asked"], found["reason"]) == (300, 200, "complete")


def test_estimate_reads_the_file_and_no_attribute_is_observed(folder, capsys):
    run(capsys, "--command", ECHO, "--queries", "400", "--export", "c.csv")
    assert (folder / "c.csv").read_text().startswith("secret,answer_0\n")
    with pytest.raises(SystemExit):
        main(["estimate", "c.sqlite", "--secret", "secret", "--adversary", "frequentist",
              "--gain", "partition:side", "--json"])  # fmt: skip
    found = json.loads(capsys.readouterr().out)
    assert found["vulnerability"]["estimate"] == pytest.approx(1.0)
    assert found["samples"]["total"] == 400


def test_until_it_is_precise(folder, capsys):
    options = ["--function", "served:noisy", "--precision", "0.05", "--adversary", "frequentist"]
    code, out, err = run(capsys, *options, "--json")
    first = json.loads(out)
    assert (code, err) == (0, "")
    assert first["live"]["reached"]
    # 11 and 13 are odd: guessed 13 on a 1 wins .5·.9, and 12 on a 0 wins .25·.9.
    assert first["vulnerability"]["lower"] < 0.675 < first["vulnerability"]["upper"]
    code, out, _ = run(capsys, *options)
    assert "to certify; precise enough" in out
    again = run(capsys, *options, "--json")[1]
    assert json.loads(again)["vulnerability"] == first["vulnerability"]


def test_times(folder, capsys):
    code, _, _ = run(capsys, "--function", "served:one", "--time", "--answers", "--queries", "50",
                     "--export", "t.csv")  # fmt: skip
    assert code == 0
    assert (folder / "t.csv").read_text().startswith("secret,nanoseconds,0\n")


def test_a_crash_is_one_message_with_the_index_and_resumable(folder, capsys):
    crash = f"{sys.executable} -S -u -c 'for x in open(0): print(1 if int(x) < 13 else 1/0)'"
    code, out, err = run(capsys, "--command", crash, "--queries", "100")
    assert (code, out) == (2, "")
    assert "secret number 2: it ended with exit status 1" in err
    assert "the same command continues" in err
    assert "13" not in err.split("secret number 2")[1]
    assert err.count("\n") == 1


REFUSALS = {
    "nothing asked": ([], "either a --command or a --function"),
    "both": (["--command", "cat", "--function", "served:one"], "give one of them"),
    "no number": (["--command", "cat"], "needs --queries N, or --precision"),
    "gain alone": (["--command", "cat", "--queries", "9", "--gain", "bayes"], "give both"),
    "answers alone": (["--command", "cat", "--queries", "9", "--answers"], "--time"),
    "not of a function": (["--function", "served:one", "--queries", "9", "--per-query"], "for a"),
    "not of a command": (["--command", "cat", "--queries", "9", "--one-by-one"], "is asked so"),
    "export": (["--command", "cat", "--queries", "9", "--export", "c.xyz"], "ending must be"),
    "quotes": (["--command", "'cat", "--queries", "9"], "parted into words"),
    "no such function": (["--function", "served:nix", "--queries", "9"], "has no 'nix'"),
    "no such program": (["--command", "nonesuch-x", "--queries", "9"], "cannot be started"),
    "no name": (["--function", "served", "--queries", "9"], "module:name"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals(folder, capsys, case):
    arguments, message = REFUSALS[case]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("option", "value"), [("--gain", "nonesuch"), ("--adversary", "nonesuch")])
def test_what_is_refused_leaves_no_file_behind_that_stands_in_the_way(
    folder, capsys, option, value
):
    options = ["--function", "served:noisy", "--precision", "0.1", option, value]
    code, _, err = run(capsys, *options)
    assert code == 2
    assert "nonesuch" in err
    assert not (folder / "c.sqlite").exists()
