"""Exact answers about a known channel: one result per gain."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gleak.channel import Channel, Leakage
from gleak.gain import Gain


@dataclass(frozen=True, slots=True)
class Measures:
    """What is true of a channel whatever the attacker is after; entropies in bits."""

    bayes_capacity: float
    shannon_capacity: float
    bayes_security: float
    bayes_risk: float
    mutual_information: float
    guessing_entropy_prior: float
    guessing_entropy_posterior: float

    @classmethod
    def of(cls, channel: Channel) -> "Measures":
        """Every measure of a channel under its prior."""
        return cls(
            bayes_capacity=channel.bayes_capacity(),
            shannon_capacity=channel.shannon_capacity().bits,
            bayes_security=channel.bayes_security(),
            bayes_risk=channel.bayes_risk(),
            mutual_information=channel.mutual_information(),
            guessing_entropy_prior=channel.prior_guessing_entropy(),
            guessing_entropy_posterior=channel.guessing_entropy(),
        )


@dataclass(frozen=True, slots=True)
class Exact:
    """What an optimal attacker of one gain makes of a known channel."""

    gain: str
    vulnerability: float
    prior_vulnerability: float
    leakage: Leakage
    measures: Measures

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers under the keys of an estimate's JSON."""
        measures = asdict(self.measures)
        return {
            "schema_version": 1,
            "gain": self.gain,
            "vulnerability": self.vulnerability,
            "prior_vulnerability": self.prior_vulnerability,
            "leakage": {
                "multiplicative": _finite(self.leakage.multiplicative),
                "additive": self.leakage.additive,
                "min_entropy_bits": _finite(self.leakage.min_entropy_bits),
            },
            "capacity": {
                "multiplicative_bayes": measures.pop("bayes_capacity"),
                "shannon_bits": measures.pop("shannon_capacity"),
            },
            "bayes_security": measures.pop("bayes_security"),
            "bayes_risk": measures.pop("bayes_risk"),
            "mutual_information_bits": measures.pop("mutual_information"),
            "guessing_entropy": {
                "prior": measures.pop("guessing_entropy_prior"),
                "posterior": measures.pop("guessing_entropy_posterior"),
            },
        }


def _finite(value: float | None) -> float | None:
    """JSON has no infinity: a ratio to nothing is null there."""
    return None if value is None or math.isinf(value) else value


def exact(channel: Channel, gains: str | Gain | Sequence[str | Gain] = "bayes") -> list[Exact]:
    """The exact figures of a channel for one gain or several.

    >>> [result] = exact(Channel([[0.75, 0.25], [0.25, 0.75]]))
    >>> result.vulnerability, result.prior_vulnerability, result.leakage.multiplicative
    (0.75, 0.5, 1.5)
    """
    wanted = [gains] if isinstance(gains, str | Gain) else list(gains)
    measures = Measures.of(channel)
    return [
        Exact(
            gain=gain if isinstance(gain, str) else gain.name,
            vulnerability=channel.posterior_vulnerability(gain),
            prior_vulnerability=channel.prior_vulnerability(gain),
            leakage=channel.leakage(gain),
            measures=measures,
        )
        for gain in wanted
    ]
