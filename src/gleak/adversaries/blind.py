"""The attacker who looks at nothing: what every other one must beat."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples


@dataclass(frozen=True)
class Blind(Adversary):
    """The best guess under the training samples' frequencies, whatever is observed."""

    name: ClassVar[str] = "blind"
    route: Route = "secret"

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> "BlindStrategy":
        return BlindStrategy(payoff, train.frequencies)


@dataclass(frozen=True)
class BlindStrategy(PosteriorStrategy):
    """One posterior for every observable."""

    payoff: Payoff
    frequencies: Floats

    def _posterior(self, points: "Observables") -> Floats:
        return np.broadcast_to(self.frequencies, (len(points), len(self.frequencies)))

    def under(self, payoff: Payoff) -> "BlindStrategy":
        return replace(self, payoff=payoff)
