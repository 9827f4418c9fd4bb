"""Several posteriors as one: a weighted mean, the weights by likelihood on other samples."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gleak.adversaries._base import PosteriorStrategy
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables

_ROUNDS = 200
_FLOOR = 1e-6


@dataclass(frozen=True)
class BlendStrategy(PosteriorStrategy):
    """The weighted mean of its members' posteriors."""

    payoff: Payoff
    members: tuple[PosteriorStrategy, ...]
    weights: tuple[float, ...]

    def _posterior(self, points: "Observables") -> Floats:
        parts = zip(self.members, self.weights, strict=True)
        return sum(
            (weight * member.posterior(points) for member, weight in parts),
            start=np.zeros((len(points), self.payoff.n_secrets)),
        )

    def under(self, payoff: Payoff) -> "BlendStrategy":
        return replace(self, payoff=payoff)


def blend_weights(likelihoods: Sequence[Floats], weights: Floats) -> Floats:
    """The mixture of posteriors that makes some samples' secrets likeliest.

    ``likelihoods[j][i]`` is what member j, which did not learn from sample i, gave to its secret;
    ``weights`` say how much each sample counts. Expectation-maximisation; the likelihood is
    concave in the weights, so it has no wrong end.

    >>> sure, unsure = np.array([0.9, 0.9]), np.array([0.5, 0.5])
    >>> blend_weights([sure, unsure], np.ones(2)).round(3)
    array([1., 0.])
    """
    table = np.maximum(np.stack(likelihoods), _FLOOR)
    shares = np.full(len(table), 1.0 / len(table))
    counts = weights / weights.sum()
    for _ in range(_ROUNDS):
        joint = shares[:, None] * table
        shares = (joint / joint.sum(axis=0)) @ counts
    return shares
