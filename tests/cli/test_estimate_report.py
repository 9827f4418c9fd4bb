"""``gleak estimate --report``: the page, and the command in it that makes it again."""

import re

import numpy as np
import pytest
from tests.report.pages import command_in

FAST = ("--adversary", "frequentist", "--quiet")


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = np.array(["anna", "bert", "carl"])
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 400)
    rows = [f"{names[x]},{x + rng.integers(0, 2)},{x % 2}\n" for x in codes]
    (tmp_path / "my log.csv").write_text("who,time,odd\n" + "".join(rows))
    return tmp_path


def without_time(page):
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:+]+", "", page)


def test_the_command_in_the_report_makes_it_again(gleak, recorded):
    asked = ("estimate", "my log.csv", "--secret=who", "--gain", "bayes", "--gain", "tries:2",
             "--observable", "time", "--report", "a.html", "--hide-labels", *FAST)  # fmt: skip
    code, out, err = gleak(*asked)
    assert (code, err) == (0, "")
    assert out.startswith("leaks: ")
    page = (recorded / "a.html").read_text()
    command = command_in(page)
    assert command[:3] == ["gleak", "estimate", "my log.csv"]
    assert command[command.index("--seed") :][:2] == ["--seed", "0"]
    (recorded / "a.html").unlink()
    assert gleak(*command[1:])[0] == 0
    assert without_time((recorded / "a.html").read_text()) == without_time(page)


def test_labels_can_be_hidden(gleak, recorded):
    asked = ("estimate", "my log.csv", "--secret", "who", "--report", "a.html", *FAST)
    gleak(*asked)
    shown = (recorded / "a.html").read_text()
    gleak(*asked, "--hide-labels")
    hidden = (recorded / "a.html").read_text()
    for name in ("anna", "bert", "carl"):
        assert name in shown
        assert name not in hidden


def test_a_report_that_cannot_be_written_is_refused_before_the_work(gleak, recorded):
    asked = ("estimate", "my log.csv", "--secret", "who", "--report", "no/a.html", *FAST)
    code, _, err = gleak(*asked)
    assert code == 2
    assert "no/a.html cannot be written: there is no directory no" in err
