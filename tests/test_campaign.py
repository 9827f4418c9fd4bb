"""Campaigns: nothing that was received is lost, and what is asked does not depend on the stops."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from gleak.campaign import Allowance, BudgetSpent, Campaign
from gleak.campaign_file import CampaignStopped
from gleak.command import Command
from gleak.errors import InputError
from gleak.estimation import estimate
from gleak.population import Population
from gleak.reading import read, write
from gleak.system import Function

TEN = Population.of(np.arange(10))
SQUARES = Function(lambda secrets: secrets**2)


def campaign(path, system=SQUARES, **options):
    return Campaign.open(path, system, TEN, **options)


def rows(path):
    with sqlite3.connect(path) as database:
        return database.execute("SELECT * FROM samples").fetchall()


def without_time(path):
    return [row[:-1] for row in rows(path)]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "c.sqlite"


def test_what_is_collected_can_be_read_written_and_estimated(file, tmp_path):
    with campaign(file) as running:
        done = running.collect(5000)
    assert (done.received, done.reason) == (5000, "complete")
    samples = read(file, "secret")
    assert samples.observables.names == ["0"]
    assert (samples.observables.columns[0].values == samples.secrets[samples.codes] ** 2).all()
    for name in ("c.parquet", "c.csv"):
        write(samples, tmp_path / name)
        assert len(read(tmp_path / name, "secret")) == 5000
    assert estimate(samples, adversary="frequentist").vulnerability.lower > 0.99


def test_stops_leave_no_trace(file, tmp_path):
    """Whenever it was stopped, the finished file is that of an uninterrupted run."""
    for queries in (1, 700, 4096, 4100, 9000):
        with campaign(file) as running:
            running.collect(queries)
    with campaign(tmp_path / "whole.sqlite") as running:
        running.collect(9000)
    assert without_time(file) == without_time(tmp_path / "whole.sqlite")


def test_asking_again_is_answered_from_the_file(file):
    asked = []
    system = Function(lambda secrets: asked.append(len(secrets)) or secrets)
    codes = np.arange(10).repeat(50)
    with Campaign.open(file, system, TEN) as running:
        first = running.ask(codes[:200])
    with Campaign.open(file, system, TEN) as running:
        again = running.ask(codes[:200])
        running.ask(codes[200:])
    assert sum(asked) == 500
    assert (first.matrix() == again.matrix()).all()
    with (
        Campaign.open(file, system, TEN) as running,
        pytest.raises(InputError, match="other questions"),
    ):
        running.ask(codes[::-1])


def test_only_a_campaign_writes_its_file(file):
    with campaign(file) as running:
        running.collect(100)
    with pytest.raises(InputError, match="ending must be one of"):
        write(read(file, "secret"), file)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 1}, "another seed"),
        ({"system": Function(np.sqrt)}, "another system"),
        ({"purpose": "other"}, "another purpose"),
    ],
)
def test_another_plan_is_refused(file, options, message):
    with campaign(file) as running:
        running.collect(10)
    with pytest.raises(InputError, match=message):
        campaign(file, **options)
    with pytest.raises(InputError, match="another secrets"):
        Campaign.open(file, SQUARES, Population.of(np.arange(11)))


def test_a_second_campaign_on_a_file_is_refused(file):
    with campaign(file), pytest.raises(InputError, match="written by another campaign"):
        campaign(file)
    campaign(file).close()
    assert sorted(path.name for path in file.parent.iterdir()) == ["c.sqlite"]


def test_a_file_where_nothing_may_be_written_is_read(file, monkeypatch):
    """As on a disk that is mounted to be read only; there SQLite may not make files of its own."""
    with campaign(file) as running:
        running.collect(100)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert len(read(file, "secret")) == 100
    assert [path.name for path in file.parent.iterdir()] == ["c.sqlite"]


def test_progress_is_that_of_this_run(file):
    """What an earlier run did took none of this run's time, and says nothing of what is left."""
    with campaign(file) as running:
        running.collect(6000)
    told = []
    with campaign(file, progress=lambda *said: told.append(said)) as running:
        running.collect(10_000)
    (first, share), (last, all_of_it) = told[0], told[-1]
    assert first.startswith("8,192 of 10,000 answers, ")
    assert share == pytest.approx(2192 / 4000)
    assert last.startswith("10,000 of 10,000 answers, ")
    assert all_of_it == 1


def test_other_files_are_refused(tmp_path):
    (tmp_path / "text.sqlite").write_text("something else, that is no database")
    with pytest.raises(InputError, match="is no campaign"):
        campaign(tmp_path / "text.sqlite")
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE t (a)")
    with pytest.raises(InputError, match="another database"):
        campaign(tmp_path / "other.sqlite")
    with pytest.raises(InputError, match="ending"):
        campaign(tmp_path / "c.csv")
    with pytest.raises(InputError, match="no campaign of gleak query"):
        read(tmp_path / "other.sqlite", "secret")


def test_budgets(file):
    slow = Function(lambda secret: time.sleep(0.002) or secret, vectorised=False)
    with campaign(file, slow, budget=Allowance(seconds=0.2)) as running:
        done = running.collect(100_000)
    assert done.reason == "the time is spent"
    assert 20 < done.received < 200
    with campaign(file, slow, budget=Allowance(rate=200)) as running:
        start = time.monotonic()
        running.collect(done.received + 60)
        assert 0.2 < time.monotonic() - start < 2
    limited = Campaign(SQUARES, TEN, budget=Allowance(queries=100))
    with pytest.raises(BudgetSpent):
        limited.ask(np.zeros(101, dtype=int))
    with pytest.raises(InputError, match="rate must be above 0"):
        Allowance(rate=0)


def test_a_failing_system_keeps_what_it_answered_and_names_the_index(file):
    def some(secret):
        if secret == 7:
            raise RuntimeError
        return secret

    with campaign(file, Function(some, vectorised=False)) as running:
        with pytest.raises(InputError, match=r"query (\d+), secret number 7: .*RuntimeError") as e:
            running.collect(1000)
        received = running.position
    assert f"the {received} answers received before are kept" in str(e.value)
    assert len(rows(file)) == received > 0


def test_columns_may_not_change_from_one_run_to_the_next(file):
    width = [1]
    system = Function(lambda secrets: np.stack([secrets] * width[0], axis=1))
    with campaign(file, system) as running:
        running.collect(100)
    width[0] = 2
    with campaign(file, system) as running, pytest.raises(InputError, match="too many columns"):
        running.collect(200)
    assert len(rows(file)) == 100


def test_text_answers_are_the_same_from_the_file_and_from_the_system(file):
    words = Function(lambda secrets: np.array(["b", "a", "c"])[secrets % 3])
    codes = np.arange(10).repeat(3)[::-1]
    with campaign(file, words) as running:
        fresh = running.ask(codes)
    with campaign(file, words) as running:
        kept = running.ask(codes)
    assert (fresh.columns[0].values == kept.columns[0].values).all()
    assert fresh.columns[0].categories.tolist() == kept.columns[0].categories.tolist()


def test_a_full_disk_loses_nothing(file):
    with campaign(file) as running:
        running.collect(4096)
        size = running.file._db.execute("PRAGMA page_count").fetchone()[0]
        running.file._db.execute(f"PRAGMA max_page_count = {size + 20}")
        with pytest.raises(CampaignStopped, match=r"cannot grow: .*full.*free some space"):
            running.collect(100_000)
        received = running.position
    assert 4096 <= received < 100_000
    assert len(rows(file)) == received
    with campaign(file) as running:
        running.collect(received + 5000)
    assert len(rows(file)) == received + 5000


COLLECT = """
import sys, resource
from gleak.cli import main
main(["query", "--command", sys.argv[1], "--secrets", "s.csv", "--queries", sys.argv[2],
      "--out", "c.sqlite", "--timeout", "5", *sys.argv[3:]])
"""
ECHO = f"{sys.executable} -S -u -c 'for x in open(0): print(int(x) * 3, flush=True)'"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "s.csv").write_text("secret\n" + "\n".join(map(str, range(10))) + "\n")
    return tmp_path


def start(folder, queries, *more, before=""):
    return subprocess.Popen(
        [sys.executable, "-c", before + COLLECT, ECHO, str(queries), *more],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def wait_for_rows(folder, count):
    path, end = folder / "c.sqlite", time.monotonic() + 30
    while time.monotonic() < end:
        try:
            if path.exists() and len(rows(path)) >= count:
                return
        except sqlite3.Error:
            pass
        time.sleep(0.02)
    raise AssertionError("it never received that many")


COLLECTORS = """
import os, sys
import numpy as np
from gleak.campaign import Allowance, Campaign
from gleak.command import Command
from gleak.population import Population
path, wanted, *words = sys.argv[1:]
for _ in sys.stdin:
    child = os.fork()
    if child == 0:
        slowly = Allowance(rate=20_000)
        whom = Population.of(np.arange(10))
        Campaign.open(path, Command(words), whom, budget=slowly).collect(int(wanted))
        os._exit(0)
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


def test_kill_minus_nine_at_random_moments(folder):
    """Twenty kills of a process that collects, then its end: as if nothing had happened.

    The collecting process is forked from one that has done the imports and runs no threads.
    """
    rng, wanted, before = np.random.default_rng(0), 250_000, 0
    population = Population.of(np.arange(10))
    words = (sys.executable, "-S", "-c", "for x in open(0): print(int(x) * 3, flush=True)")
    path = folder / "c.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", COLLECTORS, str(path), str(wanted), *words],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    ) as collectors:  # fmt: skip
        for _ in range(20):
            collectors.stdin.write("another\n")
            child = int(collectors.stdout.readline())
            time.sleep(rng.uniform(0.28, 0.5))  # the first answer is waited on for 0.3
            os.kill(child, signal.SIGKILL)
            assert collectors.stdout.readline() == "gone\n"
            received = len(rows(path)) if _readable(path) else 0
            assert received >= before
            before = received
    assert 0 < before < wanted
    with Campaign.open(path, Command(words), population) as running:
        running.collect(wanted)
    with Campaign.open(folder / "w.sqlite", Command(words), population) as running:
        running.collect(wanted)
    assert without_time(path) == without_time(folder / "w.sqlite")


def _readable(path):
    try:
        return bool(rows(path))
    except sqlite3.OperationalError:  # killed before there was a table
        return False


def test_ctrl_c_is_a_stop_that_continues(folder):
    process = start(folder, 50_000_000, "--rate", "20000")
    wait_for_rows(folder, 2000)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command continues" in err
    assert (out, "Traceback" in err) == ("", False)
    received = len(rows(folder / "c.sqlite"))
    process = start(folder, received + 100)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert len(rows(folder / "c.sqlite")) == received + 100


def test_a_disk_that_is_full_is_said_in_one_line(folder):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))\n"
    process = start(folder, 1_000_000, before=limit)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "cannot grow" in err
    assert err.count("\n") == 1
    kept = int(err.split("the ")[1].split(" answers")[0].replace(",", ""))
    assert len(rows(folder / "c.sqlite")) == kept > 0
