"""Black boxes that can be asked: what a system is, and the kinds that live in this process.

Commands are in ``command``; what times the answers of either is in ``timing``.
"""

import inspect
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter_ns
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gleak.channel import Channel
from gleak.errors import GleakError, InputError
from gleak.labels import Labels, key, locate
from gleak.observables import Observables
from gleak.population import Population
from gleak.stacking import stacked

Nanoseconds = NDArray[np.int64]

_TOGETHER = 20_000_000
"""Nanoseconds for which answers are gathered before they are handed on."""


@runtime_checkable
class System(Protocol):
    """Anything that answers secrets with observables, one for each and in their order.

    What it returns is whatever ``Observables.of`` takes: an array, a mapping of names to arrays,
    a data frame.
    """

    def draw(self, secrets: Labels, rng: np.random.Generator, /) -> Any:
        """The observable of each secret."""
        ...


@runtime_checkable
class Streaming(Protocol):
    """A system that answers bit by bit, so that what came before a failure is not lost."""

    def stream(self, secrets: Labels, rng: np.random.Generator) -> Iterator[Observables]:
        """The observables of some secrets, in their order, in pieces of any length."""
        ...


@runtime_checkable
class Timed(Protocol):
    """A system whose answers can be timed one by one."""

    def timed(
        self, secrets: Labels, rng: np.random.Generator
    ) -> Iterator[tuple[Observables, Nanoseconds]]:
        """The observables of some secrets in pieces, and how long each answer took."""
        ...


class SystemFailure(GleakError):
    """A system that did not answer as it should. Says where, and never what the secret was.

    ``position`` counts the secrets of the request; None where it cannot be told which one.
    """

    def __init__(self, position: int | None, reason: str) -> None:
        self.position, self.reason = position, reason
        at = "the request" if position is None else f"secret {position} of the request"
        super().__init__(f"{at}: {reason}")


def answers(system: System, secrets: Labels, rng: np.random.Generator) -> Iterator[Observables]:
    """What a system of any kind answers, in pieces, checked to be as many as were asked for."""
    if not isinstance(system, Streaming):
        yield from one_piece(lambda: system.draw(secrets, rng), len(secrets))
        return
    received = 0
    for piece in system.stream(secrets, rng):
        received += len(piece)
        if received > len(secrets):
            break
        yield piece
    _refuse_other_number(received, len(secrets))


def one_piece(ask: Callable[[], Any], wanted: int) -> Iterator[Observables]:
    """An answer to all secrets at once. Of another number of rows nobody knows whose they are."""
    answer = ask()
    try:
        seen = Observables.of(answer)
    except InputError as error:
        raise SystemFailure(None, _unreadable(error)) from error
    _refuse_other_number(len(seen), wanted)
    yield seen


def _refuse_other_number(received: int, wanted: int) -> None:
    if received != wanted:
        raise SystemFailure(None, f"{wanted} secrets were asked for, {received} answered")


@dataclass(frozen=True)
class Function:
    """A Python function as a system.

    Vectorised, it is given an array of secrets and returns what ``Observables.of`` takes; else
    it is given one secret and returns a number, a text, a tuple of these or a mapping. A function
    with a second parameter is given the random generator too.

    >>> doubling = Function(lambda secrets: 2 * secrets)
    >>> doubling.draw(np.array([1, 3]), np.random.default_rng(0)).columns[0].values
    array([2, 6])
    """

    call: Callable[..., Any]
    vectorised: bool = True

    @property
    def description(self) -> str:
        """What a campaign notes of it."""
        name = getattr(self.call, "__qualname__", type(self.call).__name__)
        return f"function {getattr(self.call, '__module__', '')}:{name}"

    def draw(self, secrets: Labels, rng: np.random.Generator) -> Observables:
        return stacked(list(self.stream(secrets, rng)))

    def stream(self, secrets: Labels, rng: np.random.Generator) -> Iterator[Observables]:
        """The answers in one piece, or in several where secrets are asked one by one."""
        if not self.vectorised:
            yield from (seen for seen, _ in self.timed(secrets, rng))
            return
        yield from one_piece(lambda: self._all(secrets, rng), len(secrets))

    def _all(self, secrets: Labels, rng: np.random.Generator) -> Any:
        try:
            return self._call(secrets, rng)
        except GleakError:
            raise
        except Exception as error:
            raise SystemFailure(None, _raised(error)) from error

    def timed(
        self, secrets: Labels, rng: np.random.Generator
    ) -> Iterator[tuple[Observables, Nanoseconds]]:
        if self.vectorised:
            raise InputError.must(
                "a function that is timed", "asked one secret at a time", "a vectorised one",
                remedy="pass Function(call, vectorised=False)",
            )  # fmt: skip
        rows, spent, since = list[Any](), list[int](), perf_counter_ns()
        for place, secret in enumerate(secrets.tolist()):
            try:
                start = perf_counter_ns()
                row = self._call(secret, rng)
                end = perf_counter_ns()
            except (Exception, KeyboardInterrupt) as error:
                if rows:  # what was answered comes before what went wrong
                    yield from _handed_on(rows, spent, place - len(rows))
                if isinstance(error, KeyboardInterrupt):
                    raise
                raise SystemFailure(place, _raised(error)) from error
            rows.append(0 if row is None else row)  # to answer nothing is to answer the same
            spent.append(end - start)
            if end - since > _TOGETHER:
                yield from _handed_on(rows, spent, place + 1 - len(rows))
                rows, spent, since = [], [], perf_counter_ns()
        if rows:
            yield from _handed_on(rows, spent, len(secrets) - len(rows))

    @cached_property
    def _call(self) -> Callable[..., Any]:
        call = self.call
        try:
            inspect.signature(call).bind(None, None)
        except TypeError:
            return lambda secrets, _: call(secrets)
        return call


def _handed_on(
    rows: list[Any], spent: list[int], start: int
) -> Iterator[tuple[Observables, Nanoseconds]]:
    """The answers to secrets from one on; if one of them cannot be read, those before it first."""
    try:
        yield as_rows(rows), np.array(spent)
    except GleakError as error:
        good = bisect_left(range(1, len(rows)), True, key=lambda n: not _readable(rows[:n]))
        if good:
            yield as_rows(rows[:good]), np.array(spent[:good])
        reason = error.reason if isinstance(error, SystemFailure) else _unreadable(error)
        raise SystemFailure(start + good, reason) from error


def _readable(rows: list[Any]) -> bool:
    try:
        as_rows(rows)
    except GleakError:
        return False
    return True


def _unreadable(error: GleakError) -> str:
    return f"what was answered cannot be read: {error}"


def as_rows(rows: list[Any]) -> Observables:
    """The answers to secrets asked one by one: numbers, texts, tuples of these, or mappings."""
    if rows and isinstance(rows[0], Mapping):
        names = list(rows[0])
        for place, row in enumerate(rows):
            if list(row) != names:
                raise SystemFailure(place, f"the answer has not the columns {', '.join(names)}")
        return Observables.of({name: [row[name] for row in rows] for name in names})
    if rows and isinstance(rows[0], tuple):
        width = len(rows[0])
        for place, row in enumerate(rows):
            if not isinstance(row, tuple) or len(row) != width:
                raise SystemFailure(place, f"the answer has not {width} columns like the first")
        return Observables.of(rows)
    return Observables.of(rows)


def _raised(error: Exception) -> str:
    """What a function did, without its message, in which the secret may stand."""
    return f"the function raised {type(error).__name__} (--debug shows where)"


@dataclass(frozen=True)
class KnownChannel:
    """A channel we know, asked as if it were a black box; the observable is called ``y``.

    >>> system = KnownChannel(Channel([[1, 0], [0, 1]], secrets=["no", "yes"]))
    >>> system.draw(np.array(["yes"]), np.random.default_rng(0)).columns[0].values
    array([1])
    """

    channel: Channel

    @property
    def population(self) -> Population:
        """The channel's secrets and its prior."""
        known = self.channel
        return Population(known.secrets, known.prior, known.attributes)

    @property
    def description(self) -> str:
        """What a campaign notes of it."""
        return repr(self.channel)

    def draw(self, secrets: Labels, rng: np.random.Generator) -> Observables:
        different, which = np.unique(secrets, return_inverse=True)
        places = locate(different.tolist(), self.channel.secrets, "the channel")
        seen = self.channel.draw(places[which], rng)
        return Observables.of({"y": self._shown[seen]})

    @cached_property
    def _shown(self) -> Labels:
        labels = self.channel.observables
        if labels.dtype.kind != "O":
            return labels
        return np.array([key(label) for label in labels.tolist()])


def as_system(which: Any) -> System:
    """A system from a channel, from a vectorised function, or as it is.

    >>> as_system(lambda secrets: secrets + 1)  # doctest: +ELLIPSIS
    Function(call=<function <lambda> at ...>, vectorised=True)
    """
    if isinstance(which, Channel):
        return KnownChannel(which)
    if isinstance(which, System):
        return which
    if callable(which):
        return Function(which)
    raise InputError.must(
        "a system", "a function, a channel, or anything with draw(secrets, rng)",
        f"a {type(which).__name__}",
    )  # fmt: skip


class Closing:
    """A system that holds something to give back: a context manager."""

    def close(self) -> None:
        """Give back what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
