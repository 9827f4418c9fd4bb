"""Durable collection from a live system: what was received is never lost, nor asked for twice."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Literal, Self

import numpy as np

from gleak.campaign_file import CampaignFile, Values, as_observables, plain_values
from gleak.errors import InputError
from gleak.labels import Codes, key
from gleak.observables import Observables
from gleak.population import Population
from gleak.system import Closing, System, SystemFailure, answers

Progress = Callable[[str, float], None]
"""Told what is being done, and the share of the work that is done."""

_BLOCK = 4096
"""Secrets drawn, and asked for, at a time."""

_TICK = 0.05
"""Seconds between two requests where the rate is limited."""

Reason = Literal["complete", "the time is spent", "the queries are spent"]


class BudgetSpent(Exception):
    """The queries or the time that were allowed are used up: a stop, not a mistake."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much may be asked: queries in all, seconds of this run, and queries a second."""

    queries: int | None = None
    seconds: float | None = None
    rate: float | None = None

    def __post_init__(self) -> None:
        for what in ("queries", "seconds", "rate"):
            value = getattr(self, what)
            if value is not None and not value > 0:
                raise InputError.must(f"the budget's {what}", "above 0", value)


@dataclass(frozen=True, slots=True)
class Collected:
    """How a collection ended."""

    received: int
    wanted: int
    reason: Reason
    seconds: float
    """Of this run, as ``asked`` is."""
    asked: int


@dataclass
class Campaign:
    """A system being asked, with a budget, and a file that remembers if one is given.

    Questions are asked in the order given to ``ask``. What the file holds already is answered
    from it, so that the same questions in the same order continue where they stopped.
    """

    system: System
    population: Population
    seed: int = 0
    budget: Allowance = field(default_factory=Allowance)
    file: CampaignFile | None = None
    progress: Progress = lambda *_: None

    def __post_init__(self) -> None:
        _check_seed(self.seed)
        self.position = 0
        self.asked = 0
        self._start = monotonic()
        self._shape: dict[str, bool] | None = None if self.file is None else self.file.columns

    @classmethod
    def open(
        cls, path: str | Path, system: System, population: Population, *, seed: int = 0,
        budget: Allowance | None = None, purpose: str = "samples", progress: Progress | None = None,
    ) -> Self:  # fmt: skip
        """A campaign that is kept in a file, begun or continued."""
        _check_seed(seed)  # before there is a file
        plan = {
            "format": 1, "purpose": purpose, "seed": seed,
            "system": getattr(system, "description", type(system).__name__),
            "secrets": fingerprint(population),
        }  # fmt: skip
        file = CampaignFile(path, plan, population)
        return cls(
            system, population, seed, budget or Allowance(), file, progress or (lambda *_: None)
        )

    def ask(self, codes: Codes) -> Observables:
        """The observables of some secrets, given as codes: from the file, or from the system."""
        found: list[Values] = []
        known = self._remembered(codes)
        if known:
            assert self.file is not None  # nothing is remembered without one
            asked, values = self.file.answers(self.position, self.position + known)
            if not (asked == codes[:known]).all():
                raise InputError(
                    f"{self.file.path} holds answers to other questions than this command asks; "
                    "was it begun by another version?"
                )
            found.append(values)
            self.position += known
        found += list(self._answers(codes[known:]))
        return as_observables(_joined(found))

    def collect(self, queries: int) -> Collected:
        """Secrets drawn from the prior, until there are so many answers."""
        self.position = 0 if self.file is None else self.file.received
        reason: Reason = "complete"
        try:
            while self.position < queries:
                for _ in self._answers(self._drawn(self.position, queries)):
                    self._tell(queries)
        except BudgetSpent as spent:
            reason = spent.reason
        seconds = monotonic() - self._start
        return Collected(self.position, queries, reason, seconds, self.asked)

    def _drawn(self, start: int, stop: int) -> Codes:
        """What is asked from one number on to the end of its block: the same whoever asks."""
        block, skipped = divmod(start, _BLOCK)
        rng = np.random.default_rng([self.seed, 0, block])
        return self.population.draw(_BLOCK, rng)[skipped : stop - start + skipped]

    def _remembered(self, codes: Codes) -> int:
        if self.file is None:
            return 0
        return min(max(self.file.received - self.position, 0), len(codes))

    def _answers(self, codes: Codes) -> Iterator[Values]:
        done = 0
        while done < len(codes):
            block = codes[done : done + self._pause()]
            for values in self._block(block):
                done += len(next(iter(values.values())))
                yield values

    def _block(self, codes: Codes) -> Iterator[Values]:
        """The answers to one request; each piece is safe before the next one is waited for."""
        rng = np.random.default_rng([self.seed, 1, self.position])
        pieces = answers(self.system, self.population.secrets[codes], rng)
        done = 0
        try:
            for seen in pieces:
                self._refuse_other_columns(seen, done)
                values = plain_values(seen)
                self._keep(codes[done : done + len(seen)], values)
                done += len(seen)
                yield values
                self._refuse_late()
        except SystemFailure as failure:
            raise self._placed(failure, codes, done) from failure

    def _keep(self, codes: Codes, values: Values) -> None:
        assert self._shape is not None  # the answer's own, if it was the first
        if self.file is not None:
            self.file.record(codes, values, self._shape)
        self.position += len(codes)
        self.asked += len(codes)

    def _refuse_other_columns(self, seen: Observables, place: int) -> None:
        shape = dict(zip(seen.names, seen.numeric.tolist(), strict=True))
        if self._shape is None:
            self._shape = shape
        if shape == self._shape:
            return
        if len(shape) != len(self._shape):
            few = "too few" if len(shape) < len(self._shape) else "too many"
            raise SystemFailure(
                place, f"the answer has {few} columns: {len(shape)} instead of {len(self._shape)}"
            )
        raise SystemFailure(
            place, f"the answer's columns are now {_told(shape)} instead of {_told(self._shape)}"
        )

    def _placed(self, failure: SystemFailure, codes: Codes, done: int) -> InputError:
        """A failure, said with the number of the question and the index of the secret."""
        kept = f"the {self.position:,} answers received before are kept" if self.file else ""
        way_out = f"; {kept}, and the same command continues" if kept else ""
        if failure.position is None:
            last = self.position + len(codes) - done
            return InputError(
                f"queries {self.position + 1:,} to {last:,}: {failure.reason}{way_out}"
            )
        code = int(codes[failure.position])
        number = self.position - done + failure.position + 1
        return InputError(f"query {number:,}, secret number {code}: {failure.reason}{way_out}")

    # Allowance

    def _pause(self) -> int:
        """Wait until something may be asked; how much may be."""
        self._refuse_late()
        budget, most = self.budget, _BLOCK
        if budget.queries is not None:
            most = min(most, budget.queries - self.position)
            if most <= 0:
                raise BudgetSpent("the queries are spent")
        if budget.rate is not None:
            due = self._start + self.asked / budget.rate - monotonic()
            if due > 0:
                sleep(due)
            self._refuse_late()
            most = min(most, max(1, int(budget.rate * _TICK)))
        return most

    def _refuse_late(self) -> None:
        seconds = self.budget.seconds
        if seconds is not None and monotonic() - self._start >= seconds:
            raise BudgetSpent("the time is spent")

    def _tell(self, wanted: int) -> None:
        """The share is that of this run, from which the time left follows."""
        rate = self.asked / max(monotonic() - self._start, 1e-9)
        self.progress(
            f"{self.position:,} of {wanted:,} answers, {rate:,.0f} a second",
            self.asked / (self.asked + wanted - self.position),
        )

    def close(self) -> None:
        """Close the file, and the system if it holds anything."""
        if self.file is not None:
            self.file.close()
        if isinstance(self.system, Closing):
            self.system.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()


def _check_seed(seed: int) -> None:
    if seed < 0:
        raise InputError.must("the seed of a campaign", "0 or more", seed)


def fingerprint(population: Population) -> str:
    """What tells one list of secrets and prior from another, without telling the secrets."""
    texts: list[Any] = [key(label) for label in population.secrets.tolist()]
    digest = hashlib.sha256(repr(texts).encode())
    digest.update(np.ascontiguousarray(population.prior).tobytes())
    return f"{len(population)} secrets, SHA-256 {digest.hexdigest()[:16]}"


def _joined(parts: list[Values]) -> Values:
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def _told(shape: dict[str, bool]) -> str:
    return ", ".join(f"{name} ({'number' if n else 'text'})" for name, n in shape.items())
