"""What a mechanism costs, how private it is, and what attackers make of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gleak.channel import Channel
from gleak.exact_answers import Exact, exact
from gleak.mechanisms import epsilon
from gleak.payoff import Floats


@dataclass(frozen=True)
class Mechanism:
    """A channel somebody wants to deploy, and what is known of it besides.

    ``expected_loss`` says in ``loss_of`` what is lost; ``distances`` are between secrets.
    """

    kind: str
    channel: Channel
    parameters: Mapping[str, Any] = field(default_factory=dict)
    expected_loss: float | None = None
    loss_of: str = ""
    distances: Floats | None = None

    def figures(self, gains: Sequence[str], file: str | None = None) -> "list[MechanismFigures]":
        """Its figures for each gain; ``file`` is where the channel was written.

        >>> from gleak.mechanisms import randomised_response
        >>> answers = Mechanism("randomised-response", randomised_response(2, epsilon=1.0))
        >>> [figures] = answers.figures(["bayes"])
        >>> round(figures.epsilon, 9), round(figures.exact.vulnerability, 6)
        (1.0, 0.731059)
        """
        whole = epsilon(self.channel)
        per_distance = None if self.distances is None else epsilon(self.channel, self.distances)
        return [
            MechanismFigures(self, answer, whole, per_distance, file)
            for answer in exact(self.channel, gains)
        ]


@dataclass(frozen=True)
class MechanismFigures:
    """What is true of a mechanism, and of an attacker of one gain.

    An epsilon is infinite where some observable rules a secret out.
    """

    mechanism: Mechanism
    exact: Exact
    epsilon: float
    epsilon_per_distance: float | None
    file: str | None

    def to_dict(self) -> dict[str, Any]:
        """The keys of ``gleak exact``, and ``mechanism``."""
        return self.exact.to_dict() | {
            "mechanism": {
                "kind": self.mechanism.kind,
                "parameters": dict(self.mechanism.parameters),
                "expected_loss": self.mechanism.expected_loss,
                "epsilon": _finite(self.epsilon),
                "epsilon_per_distance": _finite(self.epsilon_per_distance),
                "file": self.file,
            }
        }


def _finite(value: float | None) -> float | None:
    """JSON has no infinity: no privacy at all is null there."""
    return None if value is None or math.isinf(value) else value
