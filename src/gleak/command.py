"""A program as a system: it reads a secret a line and answers a line of comma-separated values."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter_ns

import numpy as np

from gleak.answer_form import AnswerForm, Garbage
from gleak.errors import InputError
from gleak.labels import Labels, key
from gleak.line_process import LineProcess, Trouble
from gleak.observables import Observables
from gleak.stacking import stacked
from gleak.system import Closing, Nanoseconds, SystemFailure

_STRIKES = 2
"""Times that a program may die at one and the same secret."""

_SHOWN, _SHOWN_LINES = 300, 3
"""Characters and lines of standard error that a message shows, the last ones."""

_REMEMBERED = 4096
"""Questions that are remembered: standard error may still speak of them."""

_TOGETHER = 20_000_000
"""Nanoseconds for which timed answers are gathered before they are handed on."""


@dataclass
class Command(Closing):
    """A program that is asked on its standard input and answers on its standard output.

    ``words`` are the program and its arguments, as they are: no shell, and no secret among them.
    It stays alive and is asked line after line, or is started anew for each secret (``per_query``).
    A program that dies is started again; one that dies twice at one secret, that is silent for
    longer than ``timeout`` seconds or that answers something else than before is a failure.
    ``observables`` names the columns; a name that ends in ``:text`` makes its column one of words.

    >>> with Command(("sed", "-u", "s/^/9/")) as system:
    ...     system.draw(np.array([1, 2]), np.random.default_rng(0)).columns[0].values
    array([91, 92])
    """

    words: Sequence[str]
    per_query: bool = False
    timeout: float = 10.0
    observables: Sequence[str] = ()
    _process: LineProcess | None = field(default=None, repr=False)
    _form: AnswerForm | None = field(default=None, repr=False)
    _asked: deque[bytes] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.words, str) or not self.words:
            raise InputError.must(
                "a command", "the program and its arguments, in a list", repr(self.words)
            )
        if not self.timeout > 0:
            raise InputError.must("the time-out", "above 0 seconds", self.timeout)

    @property
    def description(self) -> str:
        """What a campaign notes of it."""
        return f"command {list(self.words)}{' per query' if self.per_query else ''}"

    def draw(self, secrets: Labels, rng: np.random.Generator) -> Observables:
        return stacked(list(self.stream(secrets, rng)))

    def stream(self, secrets: Labels, rng: np.random.Generator) -> Iterator[Observables]:
        """The answers in pieces; what came before a failure comes before it is raised."""
        lines = self._remembered(as_lines(secrets))
        done = strikes = 0
        while done < len(lines):
            try:
                for group in self._groups(lines[done:]):
                    yield from self._read(group, done)
                    done, strikes = done + len(group), 0
            except Trouble as trouble:
                strikes += 1
                self._handle(trouble, strikes, done, lines)
            except BaseException:  # nobody waits for the answers that are still to come
                self.close()
                raise

    def timed(
        self, secrets: Labels, rng: np.random.Generator
    ) -> Iterator[tuple[Observables, Nanoseconds]]:
        """The answers, each asked for when the one before is there, and how long each took."""
        lines = self._remembered(as_lines(secrets))
        strikes, since = 0, perf_counter_ns()
        group, spent = list[bytes](), list[int]()
        done = 0
        while done < len(lines):
            try:
                answer, took = self._one(lines[done])
                group, spent = [*group, answer], [*spent, took]
                done, strikes = done + 1, 0
                if done < len(lines) and perf_counter_ns() - since < _TOGETHER:
                    continue
            except Trouble as trouble:
                strikes += 1
                failure = self._failure(trouble, strikes, done, lines)
            else:
                failure = None
            for part in self._read(group, done - len(group)):
                yield part, np.array(spent[: len(part)], dtype=np.int64)
            group, spent, since = [], [], perf_counter_ns()
            if failure is not None:
                raise failure from None

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None

    def _remembered(self, lines: list[bytes]) -> list[bytes]:
        self._asked.extend(lines)
        return lines

    def _groups(self, lines: Sequence[bytes]) -> Iterator[list[bytes]]:
        if not self.per_query:
            yield from self._running().ask(lines)
            return
        for line in lines:
            yield [self._one(line)[0]]

    def _one(self, line: bytes) -> tuple[bytes, int]:
        if not self.per_query:
            return self._running().ask_one(line)
        start = perf_counter_ns()
        answer = self._running().ask_last(line)
        spent = perf_counter_ns() - start
        self.close()
        return answer, spent

    def _running(self) -> LineProcess:
        if self._process is None:
            self._process = LineProcess(self.words, self.timeout, known=self._form is not None)
        return self._process

    def _read(self, lines: list[bytes], start: int) -> Iterator[Observables]:
        """Some answers; if one of them is garbage, those before it first."""
        if not lines:
            return
        try:
            if self._form is None:
                self._form = AnswerForm.told(lines[0], self.observables)
            yield self._form.read(lines)
        except Garbage as garbage:
            self.close()
            if self._form is not None and garbage.place:
                yield self._form.read(lines[: garbage.place])
            raise SystemFailure(start + garbage.place, garbage.reason) from None

    def _handle(self, trouble: Trouble, strikes: int, done: int, lines: list[bytes]) -> None:
        failure = self._failure(trouble, strikes, done, lines)
        if failure is not None:
            raise failure from None

    def _failure(
        self, trouble: Trouble, strikes: int, done: int, lines: list[bytes]
    ) -> SystemFailure | None:
        """End the process; a failure unless a new one deserves another try."""
        said = self._process.said if self._process is not None else ""
        self.close()
        if trouble.died and strikes < _STRIKES:
            return None
        ended = (
            f"; its standard error ends with: {_redacted(said, {*self._asked, *lines})}"
            if said
            else ""
        )
        twice = " (twice, at this secret)" if trouble.died else ""
        return SystemFailure(done, f"{trouble}{twice}{ended}")


def as_lines(secrets: Labels) -> list[bytes]:
    """Secrets as lines; one that has several lines cannot be asked about."""
    different, which = np.unique(secrets, return_inverse=True)
    texts = [key(secret).encode() for secret in different.tolist()]
    for code, text in enumerate(texts):
        if b"\n" in text or b"\r" in text:
            place = int(np.flatnonzero(which == code)[0])
            raise SystemFailure(place, "the secret has more than one line, a command reads one")
    return [texts[code] for code in which.tolist()]


def _redacted(said: str, lines: Iterable[bytes]) -> str:
    """The end of what was said, without the secrets that the program was or may be asked about."""
    for secret in sorted((line.decode() for line in lines if line), key=len, reverse=True):
        said = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "<secret>", said)
    return " | ".join(said.splitlines()[-_SHOWN_LINES:])[-_SHOWN:]
