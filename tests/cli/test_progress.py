"""Progress: on a terminal only, on standard error, gone when it is done."""

import os
import pty
import re
import subprocess
import sys

from gleak.cli.progress import watched


class Terminal:
    """Standard error that says it is a terminal, and keeps what was written."""

    def __init__(self):
        self.written = ""

    def isatty(self):
        return True

    def write(self, text):
        self.written += text
        return len(text)

    def flush(self):
        pass


def drawn(monkeypatch, what, done, quiet=False):
    """What a person at a terminal sees of one step."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with watched(quiet) as say:
        say(what, done)
    return terminal.written


def test_what_is_being_done_and_how_long_it_will_take(monkeypatch):
    seen = drawn(monkeypatch, "trying trees on 7,500 samples", 0.5)
    assert "trying trees on 7,500 samples" in seen
    assert "about 0 s left" in seen


def test_no_time_is_guessed_before_something_is_done(monkeypatch):
    seen = drawn(monkeypatch, "trying blind on 1,500 samples", 0.0)
    assert "trying blind" in seen
    assert "left" not in seen


def test_quiet_is_quiet(monkeypatch):
    assert drawn(monkeypatch, "trying trees", 0.5, quiet=True) == ""


def test_nothing_is_drawn_where_nobody_looks(capsys):
    with watched(quiet=False) as say:
        say("trying trees", 0.5)
    assert capsys.readouterr().err == ""


def test_a_person_at_a_terminal_sees_who_is_tried(tmp_path):
    """The installed command, its standard error a real terminal and its output a file."""
    rows = "".join(f"{x},{x ^ (i % 5 == 0)}\n" for i, x in enumerate([0, 1] * 200))
    (tmp_path / "s.csv").write_text("secret,seen\n" + rows)
    master, slave = pty.openpty()
    program = "from gleak.cli import main; main()"
    words = [sys.executable, "-c", program, "estimate", "s.csv", "--secret", "secret"]
    with (tmp_path / "out.txt").open("w") as out:
        process = subprocess.Popen(
            words, cwd=tmp_path, stdout=out, stderr=slave,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )  # fmt: skip
        os.close(slave)
        shown = b""
        while piece := _read(master):
            shown += piece
        assert process.wait() == 0
    os.close(master)
    text = shown.decode()
    assert re.search(r"earned 0\.\d{4}; trying \w+ on \d+ samples", text), text
    assert re.search(r"about \d+ s left", text), text
    assert (tmp_path / "out.txt").read_text().startswith("leaks: ")


def _read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux: the other end was closed
        return b""
