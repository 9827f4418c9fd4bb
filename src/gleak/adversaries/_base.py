"""What an attacker is: it learns from samples, and what it learned guesses."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeGuard, get_args

import numpy as np

from gleak.errors import InputError
from gleak.parallel import one_thread
from gleak.payoff import Floats, Guesses, Payoff
from gleak.preprocess import check_bound

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

Route = Literal["secret", "guess"]
"""What is learned: P(x|y), which answers every gain, or the best guess for one gain."""

Watch = Callable[[float], None]
"""Told the share of a training that is done."""

_BLOCK_ENTRIES = 1 << 22
"""Posterior entries held at a time while guessing: 32 MB."""


def positive(value: object) -> TypeGuard[float]:
    """Whether a setting is a finite number above zero."""
    if not isinstance(value, int | float | np.integer | np.floating) or value is True:
        return False
    return bool(0 < value < np.inf)


class Strategy(ABC):
    """A learned attack on one payoff. It guesses once per distinct observable."""

    payoff: Payoff

    def guess(self, observables: "Observables") -> Guesses:
        """The guess for every row, as a code of ``payoff``."""
        if not len(observables):
            return self.payoff.best(np.empty((0, self.payoff.n_secrets)))
        return self._per_distinct(self._guess, observables)

    @abstractmethod
    def _guess(self, points: "Observables") -> Guesses:
        """The guess for every row of observables that are all different."""

    def gains(self, samples: "Samples") -> Floats:
        """What it earns on each sample: never call this on the samples that trained it."""
        return self.payoff.value(self.guess(samples.observables), samples.codes)

    @staticmethod
    def _per_distinct(work: Callable[["Observables"], Any], observables: "Observables") -> Any:
        distinct = observables.distinct
        return work(observables.take(distinct.first))[distinct.inverse]


class PosteriorStrategy(Strategy):
    """A learned P(x|y) that plays the best guess under it: the secret route."""

    def posterior(self, observables: "Observables") -> Floats:
        """P(x|y) for every row; rows sum to one."""
        if not len(observables):
            return np.empty((0, self.payoff.n_secrets))
        return self._per_distinct(self._normalised, observables)

    @abstractmethod
    def _posterior(self, points: "Observables") -> Floats:
        """P(x|y), or any positive multiple of each row, for observables all different."""

    @abstractmethod
    def under(self, payoff: Payoff) -> "PosteriorStrategy":
        """The same knowledge played for another gain over the same secrets."""

    def guesses_under(self, observables: "Observables", payoffs: Sequence[Payoff]) -> list[Guesses]:
        """What is guessed for several gains: the observables are looked at once for all."""
        if not len(observables):
            return [self.under(payoff).guess(observables) for payoff in payoffs]
        distinct = observables.distinct
        found = self._best(observables.take(distinct.first), payoffs)
        return [guesses[distinct.inverse] for guesses in found]

    def _guess(self, points: "Observables") -> Guesses:
        return self._best(points, [self.payoff])[0]

    def _best(self, points: "Observables", payoffs: Sequence[Payoff]) -> list[Guesses]:
        rows = max(1, _BLOCK_ENTRIES // self.payoff.n_secrets)
        found: list[list[Guesses]] = [[] for _ in payoffs]
        for start in range(0, len(points), rows):
            posterior = self._posterior(points.take(slice(start, start + rows)))
            for guesses, payoff in zip(found, payoffs, strict=True):
                guesses.append(payoff.best(posterior))
        return [np.concatenate(guesses) for guesses in found]

    def _normalised(self, points: "Observables") -> Floats:
        weights = self._posterior(points)
        return weights / weights.sum(axis=1, keepdims=True)


class Adversary(ABC):
    """A way to learn an attack. Constructors only store; ``fit`` checks.

    An adversary is handed the training samples and nothing else, so it cannot have seen the
    samples that later certify it.
    """

    name: ClassVar[str]
    route: Route

    def fit(
        self,
        train: "Samples",
        payoff: Payoff,
        *,
        rng: np.random.Generator | int | None = None,
    ) -> Strategy:
        """Learn from samples how to earn the payoff."""
        self._refuse(train, payoff)
        with one_thread():
            return self._fit(train, payoff, np.random.default_rng(rng))

    def _refuse(self, train: "Samples", payoff: Payoff) -> None:
        """Refuse what no family can learn from."""
        if self.route not in get_args(Route):
            raise InputError.must(
                f"the route of {self.name!r}", "'secret' or 'guess'", repr(self.route)
            )
        check_bound(payoff, train)
        if len(train) == 0:
            raise InputError.must("training samples", "at least one", 0)

    def suits(self, train: "Samples", payoff: Payoff) -> str | None:
        """Why this family has nothing to look for in some samples, or None where it may."""
        return None

    def watched(self, progress: Watch) -> Self:
        """The same adversary, telling the share of its training that is done if that takes long."""
        return self

    @abstractmethod
    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy: ...
