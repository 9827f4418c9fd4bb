"""``gleak check`` as a person runs it."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from gleak import Channel
from gleak.cli import main

NOISY = Channel([[0.75, 0.25], [0.25, 0.75]])
BUDGETS = """\
[tool.gleak]
max-multiplicative = 1.8
"""


def write(path, secrets, seen):
    rows = "".join(f"{x},{y}\n" for x, y in zip(secrets, seen, strict=True))
    path.write_text(f"secret,seen\n{rows}")


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "s.csv", *NOISY.sample(1500, rng=0))
    rng = np.random.default_rng(0)
    write(tmp_path / "c.csv", rng.integers(0, 2, 300), rng.normal(size=300))
    (tmp_path / "pyproject.toml").write_text(BUDGETS)
    return tmp_path


def run(capsys, *arguments):
    fixed = ["--secret", "secret", "--adversary", "frequentist"]
    with pytest.raises(SystemExit) as stop:
        main(["check", *arguments, *fixed])
    output = capsys.readouterr()
    return stop.value.code, output.out, output.err


@pytest.mark.parametrize(
    ("options", "code", "verdict"),
    [
        ([], 0, "within budget: the budget is proven to be kept"),
        (["--max-multiplicative", "1.2"], 1, "over budget: the budget is proven to be exceeded"),
        (["--max-multiplicative", "1.5"], 3, "inconclusive: the budget is neither proven to be"),
        (["--max-multiplicative", "1.5", "--inconclusive", "pass"], 0, "inconclusive: "),
        (["--max-multiplicative", "1.5", "--inconclusive", "fail"], 1, "inconclusive: "),
        (["--max-multiplicative", "1.55", "--judge", "estimate"], 0, "within budget: "),
        (["--max-multiplicative", "1.45", "--judge", "estimate"], 1, "over budget: "),
        (["--max-vulnerability", "0.9"], 0, "within budget: 2 of 2 budgets are proven"),
        (["--max-additive", "0.1"], 1, "over budget: 1 of 2 budgets is proven"),
        (["--max-min-entropy-bits", "0.9"], 0, "within budget: 2 of 2"),
    ],
)
def test_exit_codes(home, capsys, options, code, verdict):
    found, out, err = run(capsys, "s.csv", *options)
    assert (found, err) == (code, "")
    assert out.startswith(verdict)


def test_continuous_observables(home, capsys):
    code, out, _ = run(capsys, "c.csv")
    assert code == 3
    assert "observables never repeat (they are continuous)" in " ".join(out.split())
    code, out, _ = run(capsys, "c.csv", "--judge", "estimate")
    assert code == 0
    assert "as far as the estimate goes, which proves nothing" in out


def test_every_form_at_once(home, capsys):
    forms = ["--json", "o.json", "--markdown", "o.md", "--junit", "o.xml", "--sarif", "o.sarif"]
    code, out, _ = run(capsys, "s.csv", "--max-additive", "0.1", *forms)
    assert code == 1
    assert out.startswith("over budget")
    document = json.loads((home / "o.json").read_text())
    assert (document["verdict"], document["exit_code"]) == ("over", 1)
    assert [j["source"] for j in document["judgements"]] == [
        {"file": "pyproject.toml", "line": 2},
        None,
    ]
    assert (home / "o.md").read_text().startswith("### ❌ gleak: over budget\n")
    assert ElementTree.parse(home / "o.xml").getroot().get("failures") == "1"
    assert len(json.loads((home / "o.sarif").read_text())["runs"][0]["results"]) == 1


def test_json_alone(home, capsys):
    code, out, _ = run(capsys, "s.csv", "--json", "-")
    assert (code, json.loads(out)["verdict"]) == (0, "within")


def test_the_same_file_and_seed_give_the_same_answer(home, capsys):
    """Forms that carry no time of their own are the same to the byte."""
    forms = ["--markdown", "o.md", "--junit", "o.xml", "--sarif", "o.sarif"]
    answers = []
    for _ in range(2):
        out = run(capsys, "s.csv", "--max-multiplicative", "1.5", *forms)
        answers.append([out, *((home / name).read_bytes() for name in forms[1::2])])
    assert answers[0] == answers[1]


def test_gains_come_from_the_budgets_too(home, capsys):
    (home / "b.toml").write_text('max-additive = 0.35\n[gains."tries:1"]\nmax-additive = 0.1\n')
    code, out, _ = run(capsys, "s.csv", "--budget", "b.toml", "--json")
    found = json.loads(out)
    assert code == 1
    assert [(j["gain"], j["budget"], j["verdict"]) for j in found["judgements"]] == [
        ("bayes", 0.35, "within"),
        ("tries:1", 0.1, "over"),
    ]


def test_samples_that_certify_from_another_file(home, capsys):
    write(home / "t.csv", *NOISY.sample(1500, rng=1))
    code, out, _ = run(capsys, "s.csv", "--holdout", "t.csv", "--json")
    samples = json.loads(out)["estimates"][0]["samples"]
    assert (code, samples["train"], samples["certify"]) == (0, 1500, 1500)


REFUSALS = {
    "no file": (["none.csv"], "none.csv does not exist"),
    "no budget": (["s.csv", "--budget", "none.toml"], "none.toml does not exist"),
    "unknown key": (["s.csv", "--budget", "bad.toml"], "bad.toml, line 2: unknown key 'max-add'; "
                    "did you mean 'max-additive'?"),
    "below one": (["s.csv", "--max-multiplicative", "0.5"], "max-multiplicative must be at least"),
    "negative": (["s.csv", "--max-additive", "-0.5"], "max-additive must be at least 0"),
    "nan": (["s.csv", "--max-vulnerability", "nan"], "max-vulnerability must be a finite number"),
    "out of range": (["s.csv", "--max-vulnerability", "1.5"], "below 1 for the gain bayes, got"),
    "judge": (["s.csv", "--judge", "estimat"], "unknown judge 'estimat'; did you mean 'estimate'?"),
    "inconclusive": (["s.csv", "--inconclusive", "ok"], "inconclusive 'ok'; known are: pass, fail"),
    "target": (["s.csv", "--junit", "no/o.xml"], "no/o.xml cannot be written: there is no"),
    "one file for two": (
        ["s.csv", "--sarif", "a.json", "--json", "a.json"],
        "a.json cannot hold two results; name a file for each",
    ),
    "a directory": (["s.csv", "--sarif", "."], ". cannot be written: it is a directory; name a"),
    "a gain that is none": (["s.csv", "--budget", "gain.toml"], "gain.toml, line 2: a gain of"),
    "nothing in it": (["s.csv", "--budget", "empty.toml"], "empty.toml has no budget; give one of"),
    "json target": (["s.csv", "--json", "no/o.json"], "no/o.json cannot be written"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_one_message_and_exit_code_2(home, capsys, case):
    (home / "bad.toml").write_text("# budgets\nmax-add = 1\n")
    (home / "gain.toml").write_text('[gains."tries:x"]\nmax-additive = 0.2\n')
    (home / "empty.toml").write_text("")
    arguments, message = REFUSALS[case]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("gleak: ")
    assert message in err
    assert err.count("\n") == 1


def test_an_empty_project_file_holds_no_budget_and_is_in_nobody_s_way(home, capsys):
    (home / "pyproject.toml").write_text("")
    assert run(capsys, "s.csv", "--max-multiplicative", "1.8")[0] == 0
    code, _, err = run(capsys, "s.csv")
    assert code == 2
    assert "there is no budget to check" in err


def test_no_budget_at_all(home, capsys):
    (home / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    code, _, err = run(capsys, "s.csv")
    assert code == 2
    assert "there is no budget to check; give one of --max-vulnerability" in err


def test_budgets_are_refused_before_anybody_is_trained(home, capsys, monkeypatch):
    def never(*_, **__):
        raise AssertionError("an attacker was trained")

    monkeypatch.setattr("gleak.estimation.estimate", never)
    code, _, err = run(capsys, "s.csv", "--max-vulnerability", "1")
    assert code == 2
    assert "below 1" in err


def test_options_of_sampling_are_those_of_estimate(capsys):
    helps = {}
    for command in ("estimate", "check", "compare"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        out = capsys.readouterr().out
        helps[command] = {word for word in out.split() if word.startswith("--")}
    assert helps["estimate"] - {"--json", "--report", "--hide-labels"} < helps["check"]
    assert helps["estimate"] - {"--json", "--report", "--hide-labels"} < helps["compare"]
