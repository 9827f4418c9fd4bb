"""What a study attacks: samples to learn from, and the validation sets that score everybody."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

from gleak.adversaries import Strategy
from gleak.experiments._base import Experiment
from gleak.experiments.protocol import Preprocessing, Protocol
from gleak.gain import Gain, bayes
from gleak.payoff import Floats, Payoff
from gleak.preprocess import channel_preprocessing, guess_samples
from gleak.samples import Samples


@dataclass(frozen=True)
class Training:
    """Samples to learn from and the payoff to learn for.

    With channel pre-processing, these are pairs of a guess and an observable, and what is to be
    learned is to name the guess.
    """

    samples: Samples
    payoff: Payoff


@dataclass(frozen=True)
class Validation:
    """Validation sets of equal size, one after the other."""

    samples: Samples
    sets: int

    def values(self, strategy: Strategy) -> Floats:
        """The mean gain on each set; guesses are made once per distinct observable of all."""
        return strategy.gains(self.samples).reshape(self.sets, -1).mean(axis=1)

    @property
    def first(self) -> Samples:
        """The first of the sets."""
        return self.samples.take(slice(0, len(self.samples) // self.sets))


class Subject(ABC):
    """A system, known or merely recorded, and what its attackers are after."""

    gain: Gain
    payoff: Payoff
    training_sets: int | None = None
    """How many there are; None: as many as anybody wants."""

    @property
    def truth(self) -> float | None:
        """V_g, where it is known."""
        return None

    def gap(self, strategy: Strategy) -> float | None:
        """(V_g − V(f))/V_g, where it is known."""
        return None

    @abstractmethod
    def training(
        self, preprocessing: Preprocessing, size: int, training_set: int, protocol: Protocol
    ) -> Training:
        """A training set; the same whoever asks for it."""

    @abstractmethod
    def validation(self, protocol: Protocol) -> Validation:
        """The validation sets; the same whoever asks for them."""


@dataclass(frozen=True, eq=False)
class KnownSubject(Subject):
    """A system about which the truth is known."""

    experiment: Experiment

    @property
    def gain(self) -> Gain:  # type: ignore[override]
        """The experiment's."""
        return self.experiment.gain

    @property
    def payoff(self) -> Payoff:  # type: ignore[override]
        """The experiment's."""
        return self.experiment.payoff

    @property
    def truth(self) -> float:
        return self.experiment.vulnerability

    def gap(self, strategy: Strategy) -> float:
        return self.experiment.gap(strategy)

    def training(
        self, preprocessing: Preprocessing, size: int, training_set: int, protocol: Protocol
    ) -> Training:
        rng = protocol.rng(preprocessing, size, training_set)
        if preprocessing == "data":
            return Training(self.experiment.sample(size, rng=rng), self.payoff)
        reduction = channel_preprocessing(self.experiment.prior, self.payoff)
        guesses, secrets = reduction.draw(size, rng)
        pairs = guess_samples(self.payoff, guesses, self.experiment.draw(secrets, rng))
        return Training(pairs, pairs.bind(bayes()))

    def validation(self, protocol: Protocol) -> Validation:
        return _drawn(self.experiment, protocol)


@lru_cache(maxsize=1)  # up to 150 MB; tasks come study after study
def _drawn(experiment: Experiment, protocol: Protocol) -> Validation:
    many = protocol.validation_sets * protocol.validation_size
    samples = experiment.sample(many, rng=protocol.rng("validation"))
    return Validation(samples, protocol.validation_sets)
