"""Who attacks in a study, and how a cell of the study's table is learned."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeVar

from gleak.adversaries import (
    Adversary,
    Neural,
    OverGuesses,
    Strategy,
)
from gleak.estimation import estimate
from gleak.experiments._base import Experiment
from gleak.experiments.protocol import Cell, Preprocessing, Protocol
from gleak.experiments.subject import Subject, Training

if TYPE_CHECKING:
    from gleak.samples import Samples

Some = TypeVar("Some", bound=Adversary)

Kind = Literal["frequentist", "k-nn", "ann", "auto", "perfect", "other"]
"""What attackers can be asked for by; ``other`` are those a person names."""

KINDS: tuple[Kind, ...] = ("frequentist", "k-nn", "ann", "auto")
"""The attackers of the studies, as they are asked for."""

PERFECT = "perfect"
AUTO = "auto"


@dataclass(frozen=True)
class Learned:
    """What an attacker came to: a strategy, in words, and its bracket where it made one."""

    strategy: Strategy
    words: str
    lower: float | None = None
    upper: float | None = None


class Attack(ABC):
    """An attacker as a study meets it."""

    name: str
    kind: Kind
    preprocessing: Preprocessing

    def tasks(self, study: str, sizes: Sequence[int], protocol: Protocol) -> Iterator[list[Cell]]:
        """The cells, those that are learned in one go together."""
        for size in sizes:
            for place in range(protocol.training_sets):
                yield [Cell(study, self.name, self.preprocessing, size, place)]

    @abstractmethod
    def configuration(self, cell: Cell, protocol: Protocol) -> str:
        """Everything that sets what is learned, but the cell and the protocol."""

    @abstractmethod
    def learn(
        self, subject: Subject, cells: Sequence[Cell], protocol: Protocol
    ) -> Sequence[Learned]:
        """What is learned for each of some cells of one task."""


@dataclass(frozen=True)
class Fixed(Attack):
    """One adversary, given by training size."""

    name: str
    kind: Kind
    by_size: Callable[[int], Adversary]
    preprocessing: Preprocessing = "data"

    def tasks(self, study: str, sizes: Sequence[int], protocol: Protocol) -> Iterator[list[Cell]]:
        tasks = super().tasks(study, sizes, protocol)
        if not self._together(sizes[0]):
            yield from tasks
            return
        by_size: dict[int, list[Cell]] = {}
        for (cell,) in tasks:
            by_size.setdefault(cell.size, []).append(cell)
        yield from by_size.values()

    def _together(self, size: int) -> bool:
        """An accelerator trains the networks of a size as one."""
        return isinstance(self.by_size(size), Neural) and on_accelerator()

    def _adversary(self, size: int, protocol: Protocol) -> Adversary:
        return shortened(self.by_size(size), protocol.effort)

    def configuration(self, cell: Cell, protocol: Protocol) -> str:
        return repr(self._adversary(cell.size, protocol))

    def learn(
        self, subject: Subject, cells: Sequence[Cell], protocol: Protocol
    ) -> Sequence[Learned]:
        adversary = self._adversary(cells[0].size, protocol)
        trainings = [self._training(subject, cell, protocol) for cell in cells]
        payoff, seeds = trainings[0].payoff, [cell.training_set for cell in cells]
        trains = [training.samples for training in trainings]
        if isinstance(adversary, Neural):
            strategies = adversary.fit_many(trains, payoff, seeds)
        else:
            jobs = zip(trains, seeds, strict=True)
            strategies = [adversary.fit(train, payoff, rng=seed) for train, seed in jobs]
        if self.preprocessing == "channel":
            strategies = [OverGuesses(subject.payoff, naming) for naming in strategies]
        return [Learned(strategy, adversary.name) for strategy in strategies]

    def _training(self, subject: Subject, cell: Cell, protocol: Protocol) -> Training:
        return subject.training(self.preprocessing, cell.size, cell.training_set, protocol)


@dataclass(frozen=True)
class Auto(Attack):
    """The strongest attacker that the library finds; the first validation set certifies it."""

    name: str = AUTO
    kind: Kind = "auto"
    preprocessing: Preprocessing = "data"

    def configuration(self, cell: Cell, protocol: Protocol) -> str:
        return "auto"

    def learn(
        self, subject: Subject, cells: Sequence[Cell], protocol: Protocol
    ) -> Sequence[Learned]:
        fresh = subject.validation(protocol).first
        return [self._learned(subject, cell, protocol, fresh) for cell in cells]

    @staticmethod
    def _learned(subject: Subject, cell: Cell, protocol: Protocol, fresh: "Samples") -> Learned:
        training = subject.training("data", cell.size, cell.training_set, protocol)
        found = estimate(training.samples, subject.gain, certify_on=fresh, rng=cell.training_set)
        bracket = found.vulnerability
        return Learned(found.attacker.strategy, found.attacker.name, bracket.lower, bracket.upper)


@dataclass(frozen=True)
class Perfect(Attack):
    """Who knows the system: the floor, below which nobody is expected on the validation sets."""

    experiment: Experiment
    name: str = PERFECT
    kind: Kind = "perfect"
    preprocessing: Preprocessing = "data"

    def tasks(self, study: str, sizes: Sequence[int], protocol: Protocol) -> Iterator[list[Cell]]:
        yield [Cell(study, self.name, self.preprocessing, 0, 0)]

    def configuration(self, cell: Cell, protocol: Protocol) -> str:
        return "the system itself"

    def learn(
        self, subject: Subject, cells: Sequence[Cell], protocol: Protocol
    ) -> Sequence[Learned]:
        return [Learned(self.experiment.optimal, "knows the system")] * len(cells)


@cache
def on_accelerator() -> bool:
    """Whether networks are trained on something faster than the processor."""
    import jax

    return jax.default_backend() != "cpu"


def shortened(adversary: Some, effort: float) -> Some:
    """A network that is trained for a share of its epochs; any other adversary as it is."""
    if not isinstance(adversary, Neural) or adversary.training.epochs is None:
        return adversary
    epochs = max(1, round(effort * adversary.training.epochs))
    return replace(adversary, training=replace(adversary.training, epochs=epochs))
