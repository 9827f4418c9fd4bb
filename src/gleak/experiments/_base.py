"""What a studied system is: it can be sampled, and the truth about it is known exactly."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from gleak.adversaries._base import PosteriorStrategy, Strategy
from gleak.channel import Channel
from gleak.errors import InputError
from gleak.gain import Gain
from gleak.labels import Codes, Labels
from gleak.observables import Observables
from gleak.payoff import Floats, Guesses, Payoff
from gleak.samples import Samples

Rng = np.random.Generator | int | None


@dataclass(frozen=True, eq=False)
class Points:
    """Observables at which a strategy is examined, and P(x, y) for each (row) and each secret.

    They are all there are, or a sample of ``sampled`` equally likely ones whose joint
    probabilities P(x|y)/sampled are exact given y.
    """

    observables: Observables
    joint: Floats
    sampled: int = 0


@dataclass(frozen=True, slots=True)
class Examined:
    """What a strategy is worth: V(f), the gap (V_g − V(f))/V_g and the gap's standard error."""

    value: float
    gap: float
    standard_error: float = 0.0


class KnownSystem(ABC):
    """A system that answers secrets with observables, and whose P(x|y) is known."""

    secrets: Labels
    prior: Floats
    attributes: Mapping[str, Labels]

    @abstractmethod
    def draw(self, secret_codes: Codes, rng: Rng = None) -> Observables:
        """An observable for each secret."""

    @abstractmethod
    def posterior(self, observables: Observables) -> Floats:
        """P(x|y), or any positive multiple of it, for each row y."""

    @abstractmethod
    def vulnerability(self, payoff: Payoff) -> float:
        """V_g(π,C)."""

    @property
    @abstractmethod
    def points(self) -> Points:
        """Where strategies are examined; the same for all of them."""


@dataclass(frozen=True, eq=False)
class ChannelSystem(KnownSystem):
    """A channel, with what is shown to the attacker for each of its observables (columns)."""

    channel: Channel
    shown: Observables

    @property
    def secrets(self) -> Labels:  # type: ignore[override]
        """The channel's secrets."""
        return self.channel.secrets

    @property
    def prior(self) -> Floats:  # type: ignore[override]
        """The channel's prior."""
        return self.channel.prior

    @property
    def attributes(self) -> Mapping[str, Labels]:  # type: ignore[override]
        """What the channel knows of its secrets."""
        return self.channel.attributes

    def draw(self, secret_codes: Codes, rng: Rng = None) -> Observables:
        return self.shown.take(self.channel.draw(secret_codes, rng))

    def posterior(self, observables: Observables) -> Floats:
        joint = self.points.joint[self._places(observables)]
        possible = joint.any(axis=1, keepdims=True)
        return np.where(possible, joint, self.prior)

    def vulnerability(self, payoff: Payoff) -> float:
        return float(payoff.best_value(self.points.joint).sum())

    @cached_property
    def points(self) -> Points:
        return Points(self.shown, np.asarray(self.channel.matrix).T * self.prior)

    def _places(self, observables: Observables) -> Codes:
        """Which of the shown observables each row is."""
        both = np.concatenate([self.shown.matrix(), observables.matrix()])
        distinct = Observables.of(both).distinct
        place = np.full(len(distinct.first), -1)
        place[distinct.inverse[: len(self.shown)]] = np.arange(len(self.shown))
        places = place[distinct.inverse[len(self.shown) :]]
        if (places < 0).any():
            stranger = observables.matrix()[np.argmin(places)].tolist()
            raise InputError.must("observables", "some that the system shows", stranger)
        return places


@dataclass(frozen=True, eq=False)
class Optimal(PosteriorStrategy):
    """The perfect attacker: it knows the system."""

    payoff: Payoff
    system: KnownSystem

    def _posterior(self, points: Observables) -> Floats:
        return self.system.posterior(points)

    def under(self, payoff: Payoff) -> "Optimal":
        return replace(self, payoff=payoff)


@dataclass(frozen=True, eq=False, kw_only=True)
class Experiment:
    """A known system and what its attacker is after.

    ``sizes`` are the training sizes studied, ``metric`` the distance between observables that
    nearest neighbours are given there.
    """

    name: str
    system: KnownSystem
    gain: Gain
    sizes: tuple[int, ...]
    metric: Literal["euclidean", "manhattan"] = "euclidean"

    @property
    def secrets(self) -> Labels:
        """Every secret, also those of prior zero."""
        return self.system.secrets

    @property
    def prior(self) -> Floats:
        """The probability of each secret."""
        return self.system.prior

    @cached_property
    def payoff(self) -> Payoff:
        """The gain over the secrets."""
        return self.gain.bind(self.secrets, self.system.attributes)

    @cached_property
    def vulnerability(self) -> float:
        """V_g(π,C), exactly."""
        return self.system.vulnerability(self.payoff)

    @cached_property
    def prior_vulnerability(self) -> float:
        """V_g(π), exactly."""
        return float(self.payoff.best_value(self.prior[None])[0])

    @property
    def optimal(self) -> Optimal:
        """The perfect attacker: on samples it is the floor that nobody is expected below."""
        return Optimal(self.payoff, self.system)

    def draw(self, secret_codes: Codes, rng: Rng = None) -> Observables:
        """An observable for each secret: the system, to be queried."""
        return self.system.draw(secret_codes, rng)

    def sample(self, n: int, *, rng: Rng = None) -> Samples:
        """Independent pairs of a secret, from the prior, and an observable."""
        generator = np.random.default_rng(rng)
        codes = generator.choice(len(self.secrets), size=n, p=self.prior)
        observables = self.draw(codes, generator)
        return Samples(codes, self.secrets, observables, self.system.attributes)

    def examine(self, strategy: Strategy) -> Examined:
        """What a learned strategy is worth; exact unless the system's points are sampled.

        With sampled points, what is averaged is how far the strategy's expected gain given y
        falls short of the best one's: an estimate of the gap whose noise vanishes with the gap.
        """
        points = self.system.points
        lost = self._best - self._earned(strategy.guess(points.observables), points)
        spread = lost.std() * np.sqrt(points.sampled)
        gap = lost.sum() / self.vulnerability
        return Examined(
            value=self.vulnerability - float(lost.sum()),
            gap=float(gap),
            standard_error=float(spread / self.vulnerability),
        )

    def value(self, strategy: Strategy) -> float:
        """V(f), the expected gain of a strategy: see ``examine``."""
        return self.examine(strategy).value

    def gap(self, strategy: Strategy) -> float:
        """(V_g − V(f))/V_g: see ``examine``."""
        return self.examine(strategy).gap

    @cached_property
    def _best(self) -> Floats:
        return self.payoff.best_value(self.system.points.joint)

    def _earned(self, guesses: Guesses, points: Points) -> Floats:
        """Σ_x P(x, y) g(f(y), x) for each point y."""
        earned = np.zeros(len(guesses))
        for secret in range(len(self.secrets)):
            everywhere = np.full(len(guesses), secret)
            earned += points.joint[:, secret] * self.payoff.value(guesses, everywhere)
        return earned
