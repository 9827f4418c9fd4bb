"""``gleak reproduce`` as a person runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gleak.experiments import studies
from gleak.experiments.protocol import Protocol

WORDS = ("reproduce", "password-0.5", "--adversary", "frequentist", "--adversary", "k-nn")


@pytest.fixture
def small(monkeypatch):
    """Validation sets of which there are few, and small ones."""
    tiny = Protocol(training_sets=1, validation_sets=2, validation_size=300)
    monkeypatch.setattr("gleak.experiments.protocol.protocol", lambda *_: tiny)


def test_table_page_and_figures(gleak, small):
    code, out, err = gleak(*WORDS, "--jobs", 1)
    assert code == 0
    assert out.startswith("password-0.5: mean error")
    assert err == (
        "reproduction/reproduction.md has the table and the figures, reproduction/runs every run\n"
    )
    page = Path("reproduction/reproduction.md").read_text()
    command = "gleak reproduce password-0.5 --adversary frequentist --adversary k-nn --seed 0"
    assert f"- command: `{command}`\n" in page
    for line in page.splitlines():
        if line.startswith("!["):
            figure = Path("reproduction") / line.rsplit("(", 1)[1].rstrip(")")
            assert figure.is_file()
            assert figure.with_suffix(".png").is_file()
    assert len(list(Path("reproduction/runs").glob("*.parquet"))) == 7


def test_kept_shows_what_is_there_and_runs_nothing(gleak, small):
    gleak("reproduce", "password-0.5", "--adversary", "k-nn", "--jobs", 1)
    kept = sorted(Path("reproduction/runs").iterdir())
    code, out, err = gleak("reproduce", "--kept", "--json", "some.json")
    assert code == 0
    assert "\nUnfinished: 4 of " in out
    assert "mnist" not in err
    assert sorted(Path("reproduction/runs").iterdir()) == kept
    page = Path("reproduction/reproduction.md").read_text()
    assert "**Unfinished: 4 of " in page
    assert "`gleak reproduce --seed 0`" in page
    assert json.loads(Path("some.json").read_text())["runs"]["kept"] == 4


def test_kept_without_anything_kept_is_refused_and_leaves_nothing(gleak, small):
    code, out, err = gleak("reproduce", "--kept")
    assert (code, out) == (2, "")
    assert "kept in reproduction/runs, which has no others; give the same experiments" in err
    assert not Path("reproduction").exists()


def test_the_page_names_folders_but_not_where_they_are(gleak, small, tmp_path):
    words = ("--kept", "--data", tmp_path / "digits", "--out", tmp_path / "out")
    gleak("reproduce", "password-0.5", "--adversary", "k-nn", "--jobs", 1, *words[3:])
    assert gleak("reproduce", "password-0.5", "--adversary", "k-nn", *words)[0] == 0
    page = (tmp_path / "out" / "reproduction.md").read_text()
    assert (
        "- command: `gleak reproduce password-0.5 --data digits --adversary k-nn --seed 0`" in page
    )
    assert str(tmp_path) not in page


def test_json_alone(gleak, small):
    code, out, _ = gleak(*WORDS, "--jobs", 1, "--json")
    document = json.loads(out)
    assert code == 0
    assert {line["attacker"] for line in document["lines"]} == {"k-NN", "frequentist"}
    assert document["protocol"]["validation_sets"] == 2


def test_digits_are_left_out_of_all_unless_their_folder_is_named(gleak, small, monkeypatch):
    monkeypatch.setattr(studies, "STUDIES", ("password-0.5", "mnist"))
    monkeypatch.setitem(studies._SEVERAL, "all", ("password-0.5", "mnist"))
    code, out, err = gleak("reproduce", "--adversary", "frequentist", "--jobs", 1)
    assert code == 0
    assert "mnist is left out: name the folder of its four files with --data" in err
    assert "mnist" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("reproduce", "locaton"), "location"),
        (("reproduce", "mnist"), "MNIST is not fetched; name the folder"),
        (("reproduce", "mnist", "--data", "nowhere"), "the folder of MNIST must be there"),
        (("reproduce", "--scale", "papers"), "unknown scale 'papers'"),
        (("reproduce", "depth", "--adversary", "auto"), "none of auto attacks in depth"),
        (("reproduce", "password", "--adversary", "treees"), "treees"),
        (("reproduce", "--jobs", "0"), "the number of jobs must be at least 1"),
        (("reproduce", "--engine", "spark"), "unknown engine 'spark'"),
        (("reproduce", "--json", "no/where.json"), "no directory"),
    ],
)
def test_refusals(gleak, words, message):
    code, out, err = gleak(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert len([line for line in err.splitlines() if line.startswith("gleak:")]) == 1


def start(folder):
    program = (
        "from gleak.experiments import protocol\n"
        "tiny = protocol.Protocol(training_sets=3, validation_sets=2, validation_size=300)\n"
        "protocol.protocol = lambda *_: tiny\n"
        "from gleak.cli import main\n"
        f"main({[*WORDS, '--jobs', '2', '--json', f'{folder}.json', '--out', str(folder)]!r})\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip


def lines(folder):
    assert start(folder).wait() == 0
    return json.loads(Path(f"{folder}.json").read_text())["lines"]


def test_killed_at_any_moment_and_started_again_it_ends_with_the_same_table(tmp_path):
    runs = tmp_path / "killed" / "runs"
    for kept in (1, 7):
        process = start(tmp_path / "killed")
        while len(list(runs.glob("*.json"))) < kept and process.poll() is None:
            time.sleep(0.001)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert 0 < len(list(runs.glob("*.json"))) < 19
    assert lines(tmp_path / "killed") == lines(tmp_path / "whole")
