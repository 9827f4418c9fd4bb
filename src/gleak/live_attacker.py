"""Learning to attack a live system: which secrets to ask for, and by which route to learn.

Channel pre-processing draws a guess w ~ τ, a secret x ~ R_w for it, and asks the system for x. The
joint law of (w, x) is π_x·g(w,x)/β, so that it is the same to draw x ~ ρ with ρ_x = π_x·G_x/β,
G_x = Σ_w g(w,x), and then w from g(·,x)/G_x. Said this way, one set of answers serves both routes:
the guess route learns from (w, y), the secret route from (x, y) with the weight π_x/ρ_x.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from gleak.adversaries import OverGuesses, Strategy
from gleak.adversaries import adversary as as_adversary
from gleak.field import field as everyone
from gleak.labels import Codes, Labels
from gleak.observables import Observables
from gleak.parallel import Runner
from gleak.payoff import Floats, IdentityPayoff, Payoff
from gleak.population import Population
from gleak.preprocess import channel_preprocessing, guess_samples, raised_gains
from gleak.samples import Samples
from gleak.stacking import stacked
from gleak.tournament import Choice, Progress, fixed, tournament

RouteChoice = Literal["auto", "secret", "guess"]

_MOST_GUESSES = 256
"""Guesses beyond which naming one of them is no task for a classifier."""


@dataclass(frozen=True, eq=False)
class Target:
    """What is attacked: the secrets that may be asked for, and what is earned by which guess.

    ``class_of`` says which secret of the payoff each secret asked for is: itself, or its class.
    """

    population: Population
    payoff: Payoff
    class_of: Codes

    @property
    def prior_vulnerability(self) -> float:
        """V_g(π), which is known because the prior is."""
        return float(self.payoff.best_value(self.prior[None, :])[0])

    @property
    def prior(self) -> Floats:
        """The prior over the payoff's secrets."""
        of_classes = np.bincount(self.class_of, self.population.prior, self.payoff.n_secrets)
        return np.asarray(of_classes, dtype=np.float64)

    @property
    def secrets(self) -> Labels:
        """The payoff's secrets."""
        return self.payoff.secrets

    def samples(self, codes: Codes, seen: Observables, weights: Floats | None = None) -> Samples:
        """Answers as samples over the payoff's secrets."""
        return Samples(self.class_of[codes], self.secrets, seen, weights=weights)


@dataclass
class Answers:
    """Everything asked so far, in its order, and the law that each secret was drawn from."""

    codes: list[Codes] = field(default_factory=list)
    seen: list[Observables] = field(default_factory=list)
    weights: list[Floats] = field(default_factory=list)

    def add(self, codes: Codes, seen: Observables, weights: Floats) -> None:
        """A batch; weights are π_x over the probability with which x was drawn."""
        self.codes.append(codes)
        self.seen.append(seen)
        self.weights.append(weights)

    def __len__(self) -> int:
        return sum(map(len, self.codes))

    @property
    def all_codes(self) -> Codes:
        """Every secret asked for."""
        return np.concatenate(self.codes)

    @property
    def all_weights(self) -> Floats:
        """The weight of each answer."""
        return np.concatenate(self.weights)

    @property
    def all_seen(self) -> Observables:
        """Every answer."""
        return stacked(self.seen)


@dataclass(frozen=True)
class Learner:
    """Attackers from answers, by one of two routes."""

    target: Target
    adversary: Any
    runner: Runner
    progress: Progress

    def routes(self, wanted: RouteChoice) -> list[Literal["secret", "guess"]]:
        """The routes worth trying. Where a guess is a secret, both are the same."""
        payoff = self.target.payoff
        alike = isinstance(payoff, IdentityPayoff) or payoff.high <= payoff.low
        if wanted != "auto":
            return ["secret" if alike else wanted]
        return ["secret"] if alike or payoff.n_guesses > _MOST_GUESSES else ["secret", "guess"]

    def law(self, routes: Sequence[str]) -> Floats:
        """With which probability to ask for each secret: π, or ρ where guesses are learned."""
        prior = self.target.population.prior
        if "guess" not in routes:
            return prior
        parts = channel_preprocessing(prior, self.target.payoff)
        return np.asarray(parts.tau @ parts.secrets_of)

    def fit(self, route: str, answers: Answers, rng: np.random.Generator) -> Choice:
        """The strongest attacker that a route finds in some answers."""
        by_guess, by_fit = rng.spawn(2)
        codes, seen, weights = answers.all_codes, answers.all_seen, answers.all_weights
        if route == "secret":
            even = None if np.ptp(weights) < 1e-12 else weights
            return self._strongest(
                self.target.samples(codes, seen, even), self.target.payoff, by_fit
            )
        return self._over_guesses(codes, seen, weights, by_guess, by_fit)

    def _over_guesses(
        self, codes: Codes, seen: Observables, weights: Floats,
        by_guess: np.random.Generator, by_fit: np.random.Generator,
    ) -> Choice:  # fmt: skip
        payoff = self.target.payoff
        gains = raised_gains(payoff)[0][:, self.target.class_of]
        totals = gains.sum(axis=0)
        earns = totals[codes] > 0
        codes, seen = codes[earns], seen.take(earns)
        weights = weights[earns] * totals[codes]
        cumulated = np.cumsum(gains, axis=0) / totals
        draws = by_guess.random(len(codes))
        guesses = (cumulated[:, codes] <= draws).sum(axis=0).clip(max=len(gains) - 1)
        even = None if np.ptp(weights) < 1e-12 * weights.max() else weights
        naming = guess_samples(payoff, guesses.astype(np.intp), seen, weights=even)
        found = self._strongest(naming, IdentityPayoff(payoff.guesses), by_fit)
        return replace(found, strategy=OverGuesses(payoff, found.strategy), route="guess")

    def _strongest(self, train: Samples, payoff: Payoff, rng: np.random.Generator) -> Choice:
        if self.adversary != "auto":
            wanted = as_adversary(self.adversary)
            return fixed(wanted, train, [payoff], rng=rng, progress=self.progress)[0]
        candidates = everyone(train, payoff)
        choices, _ = tournament(
            train, [payoff], candidates, rng=rng, runner=self.runner, progress=self.progress
        )
        return choices[0]

    def gains(self, strategy: Strategy, codes: Codes, seen: Observables) -> Floats:
        """What a strategy earns on answers that it has not seen."""
        return strategy.gains(self.target.samples(codes, seen))
