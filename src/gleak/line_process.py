"""A process that is asked in lines and answers in lines, however badly it behaves."""

import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from time import monotonic, perf_counter_ns

from gleak.errors import InputError

_CHUNK = 1 << 16
_LONGEST = 1 << 20
"""Bytes of an answer without an end of line beyond which it is none."""

_KEPT = 4096
"""Bytes of standard error that are kept for the message: the last ones."""

_TOGETHER = 0.02
"""Seconds for which answers are gathered before they are handed on: their risk if we are killed."""

_SETTLES = 0.3
"""Seconds after the first answer in which a second one to the same question would show."""


class Trouble(Exception):
    """What a process did wrong. ``died`` says that a new one may do better."""

    def __init__(self, reason: str, *, died: bool = False) -> None:
        super().__init__(reason)
        self.died = died


class _Ended(Trouble):
    """Its output is at its end."""


class LineProcess:
    """A running program: a question a line on its standard input, an answer a line back.

    Questions are written ahead, as fast as the program takes them. No shell is involved.
    """

    def __init__(self, words: Sequence[str], timeout: float, *, known: bool = False) -> None:
        self.timeout = timeout
        self._fresh = not known  # whether it has yet to be seen that it answers line by line
        try:
            self._process = subprocess.Popen(
                list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, bufsize=0, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise InputError(
                f"the command {words[0]!r} cannot be started: {error.strerror}; "
                "check its name, and that it may be executed"
            ) from None
        self._in, self._out, self._err = self._pipes()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._rest = b""
        self._said = b""

    def _pipes(self) -> tuple[int, int, int]:
        found = []
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None  # all three were asked for
            os.set_blocking(pipe.fileno(), False)
            found.append(pipe.fileno())
        return found[0], found[1], found[2]

    @property
    def said(self) -> str:
        """The end of what it wrote to standard error."""
        return self._said.decode("utf-8", "replace").strip()

    def ask(self, questions: Sequence[bytes]) -> Iterator[list[bytes]]:
        """The answers to some questions, in groups, each as soon as it is there.

        Whatever was answered before something goes wrong is handed on before that is said.
        """
        if self._fresh and questions:
            yield [self.ask_one(questions[0])[0]]
            questions = questions[1:]
        self._refuse_unasked()
        pending = memoryview(b"".join(question + b"\n" for question in questions))
        left, group, since = len(questions), list[bytes](), 0.0
        deadline = monotonic() + self.timeout
        while left > 0:
            pending = pending[self._write(pending) :]
            try:
                until = since + _TOGETHER if group else deadline
                lines = self._lines(until, writing=bool(pending))
                self._refuse_surplus(left - len(lines))
                if not group and not lines:
                    self._refuse_silence(deadline)
            except (Trouble, KeyboardInterrupt):
                if group:
                    yield group
                raise
            since = since if group else monotonic()
            left, group = left - len(lines), group + lines
            if group and (left == 0 or monotonic() >= since + _TOGETHER):
                yield group
                group, deadline = [], monotonic() + self.timeout

    def ask_one(self, question: bytes) -> tuple[bytes, int]:
        """The answer to one question, and the nanoseconds from asking to the answer's end."""
        self._refuse_unasked()
        deadline = monotonic() + self.timeout
        start = perf_counter_ns()
        self._send(question, deadline)
        lines: list[bytes] = []
        while not lines:
            lines = self._lines(deadline)
            if not lines:
                self._refuse_silence(deadline)
        spent = perf_counter_ns() - start
        self._refuse_surplus(1 - len(lines))
        if self._fresh:
            self._fresh = False
            self._refuse_unasked(within=_SETTLES)
        return lines[0], spent

    def ask_last(self, question: bytes) -> bytes:
        """The answer to the only question there will be; the process has to end by itself."""
        deadline = monotonic() + self.timeout
        self._send(question, deadline)
        assert self._process.stdin is not None  # it was asked for
        self._process.stdin.close()
        lines: list[bytes] = []
        try:
            while True:
                lines += self._lines(deadline)
                self._refuse_surplus(1 - len(lines))
                self._refuse_silence(deadline)
        except _Ended:
            if self._process.wait() != 0:
                raise
        lines += [self._rest] if self._rest else []
        if len(lines) != 1:
            raise Trouble(f"it ended after {len(lines)} lines instead of one answer", died=True)
        return lines[0]

    def _send(self, question: bytes, deadline: float) -> None:
        pending = memoryview(question + b"\n")
        while True:
            pending = pending[self._write(pending) :]
            if not pending:
                return
            if self._lines(deadline, writing=True):
                raise Trouble("it answered before the whole question was asked")
            self._refuse_silence(deadline)

    def _write(self, pending: memoryview) -> int:
        if not pending:
            return 0
        try:
            return os.write(self._in, pending[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            return len(pending)  # it reads no more: what it says or how it ended will tell

    def _lines(self, deadline: float, *, writing: bool = False) -> list[bytes]:
        """The lines that arrived, if any, after waiting for anything at all to happen."""
        if writing:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        ready = {key.fd for key, _ in self._selector.select(max(0.0, deadline - monotonic()))}
        if writing:
            self._selector.unregister(self._in)
        if self._err in ready:
            self._hear()
        if self._out in ready:
            return self._read()
        return []

    def _refuse_silence(self, deadline: float) -> None:
        if monotonic() >= deadline:
            raise Trouble(
                f"no answer within {self.timeout:g} s; does it end each answer with a new line, "
                "and write it at once (python -u, stdbuf -oL)? or does it need more time?"
            )

    def _read(self) -> list[bytes]:
        data = os.read(self._out, _CHUNK)
        if not data:
            raise _Ended(self._ending(), died=True)
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST:
            raise Trouble("its answer goes on for more than a million bytes without a new line")
        return lines

    def _hear(self) -> None:
        data = os.read(self._err, _CHUNK)
        if not data:
            self._selector.unregister(self._err)
        self._said = (self._said + data)[-_KEPT:]

    def _ending(self) -> str:
        try:
            status = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "it closed its standard output"
        self._hear_the_rest()
        if status < 0:
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it ended with exit status {status} instead of an answer"

    def _hear_the_rest(self) -> None:
        with suppress(BlockingIOError):
            while data := os.read(self._err, _CHUNK):
                self._said = (self._said + data)[-_KEPT:]

    def _refuse_unasked(self, within: float = 0.0) -> None:
        """Whatever it says now, nobody has asked for."""
        deadline = monotonic() + within
        while True:
            if self._lines(deadline):
                self._refuse_surplus(-1)
            if monotonic() >= deadline:
                return

    @staticmethod
    def _refuse_surplus(left: int) -> None:
        if left < 0:
            raise Trouble(
                "it wrote more lines than it was asked questions; a line each, and no greeting"
            )

    def close(self) -> None:
        """End it, and whatever it has started."""
        self._selector.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._process.wait()
