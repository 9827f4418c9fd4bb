"""What an estimate says: brackets, verdict, who won, on what, with which seed."""

import platform
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from gleak._version import __version__
from gleak.certificate import Certificate, Evidence, Verdict, certify
from gleak.certify import Bracket
from gleak.labels import Labels, key
from gleak.localisation import Localisation, localise
from gleak.payoff import Floats
from gleak.portrait import Portrait, portrait
from gleak.tournament import Choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_EXACT_IN_JSON = 2**53
"""Whole numbers from here on are not what every reader of JSON takes them for."""

_PAIRING = 0
"""The seed by which rows are paired to localise a leak: always the same numbers."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many samples were used for what."""

    total: int
    train: int
    choose: int
    certify: int
    secrets: int
    distinct_observables: int


@dataclass(frozen=True, slots=True)
class Provenance:
    """What it takes to make the result again."""

    seed: int | None
    data_sha256: str
    created: str


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The attacker's mean gain per secret, or per guess, and how many samples it is over."""

    labels: Labels
    gain: Floats
    samples: Floats

    def strongest(self, most: int = 10) -> list[tuple[str, float, int]]:
        """Labels by falling gain, with gain and number of samples."""
        order = (-self.gain).argsort(kind="stable")[:most]
        return [(key(self.labels[i]), float(self.gain[i]), int(self.samples[i])) for i in order]


@dataclass(frozen=True, eq=False)
class Estimate:
    """How much a system gives away to one attacker, and how sure that is.

    Each bracket holds at ``confidence`` by itself. ``attacker`` keeps the trained strategy,
    ``evidence`` what it takes to say the same at another confidence.
    """

    gain: str
    certificate: Certificate
    confidence: float
    attacker: Choice
    samples: Counts
    warnings: tuple[str, ...]
    provenance: Provenance
    per_secret: Shares = field(repr=False)
    per_guess: Shares = field(repr=False)
    evidence: Evidence = field(repr=False)

    def at(self, confidence: float) -> "Estimate":
        """The same estimate with every bracket proven at another confidence."""
        if confidence == self.confidence:
            return self
        proven = certify(self.evidence, confidence)
        return replace(self, certificate=proven, confidence=confidence)

    @cached_property
    def per_column(self) -> Localisation:
        """How much the attacker's gain rests on each column: worked out when first asked for."""
        return localise(
            self.attacker.strategy, self.evidence.folds[0], confidence=self.confidence, rng=_PAIRING
        )

    @cached_property
    def portrait(self) -> Portrait | None:
        """What the attack looks like, over one or two columns of numbers."""
        fresh = self.evidence.folds[0].weighing.samples.observables
        return portrait(self.attacker.strategy, fresh, rng=_PAIRING)

    @property
    def verdict(self) -> Verdict:
        """Whether a leak is proven."""
        return self.certificate.verdict

    @property
    def vulnerability(self) -> Bracket:
        """V_g(π,C): what the best attacker wins."""
        return self.certificate.vulnerability

    @property
    def prior_vulnerability(self) -> Bracket:
        """V_g(π): what a blind guess wins."""
        return self.certificate.prior_vulnerability

    @property
    def additive_leakage(self) -> Bracket:
        """V_g(π,C) − V_g(π)."""
        return self.certificate.additive

    @property
    def multiplicative_leakage(self) -> Bracket | None:
        """V_g(π,C) / V_g(π); None where a prior vulnerability of zero or less makes no ratio."""
        return self.certificate.multiplicative

    def plot(self, what: str = "bracket", ax: "Axes | None" = None) -> "Axes":
        """Draw it: its bracket, curve, leaderboard, secrets, columns or strategy."""
        return _report("figures").display(self, what).plot(ax)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return _report("html").fragment(self)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of schema version 1."""
        found, attacker = self.certificate, self.attacker
        bits = found.min_entropy_bits
        return {
            "schema_version": 1,
            "gain": self.gain,
            "vulnerability": asdict(found.vulnerability),
            "prior_vulnerability": _ends(found.prior_vulnerability) | {"known": found.prior_known},
            "leakage": {
                "multiplicative": _ends(found.multiplicative),
                "additive": _ends(found.additive),
                "min_entropy_bits": bits and _ends(bits),
            },
            "confidence": self.confidence,
            "verdict": found.verdict,
            "adversary": {
                "name": attacker.name,
                "route": attacker.route,
                "parameters": attacker.parameters,
            },
            "leaderboard": [asdict(entry) for entry in attacker.leaderboard],
            "learning_curve": [asdict(point) for point in attacker.curve],
            "payoff": self._payoff(),
            "samples": asdict(self.samples),
            "warnings": list(self.warnings),
            "provenance": {
                "gleak": __version__,
                "python": platform.python_version(),
                **asdict(self.provenance),
            },
        }

    @property
    def deviation(self) -> float:
        """The standard deviation of what the attacker earned on certifying samples."""
        folds = self.evidence.folds
        gains = np.concatenate([fold.gains for fold in folds])
        weights = np.concatenate([fold.weighing.rows for fold in folds])
        if not weights.any():  # under a prior by which none of their secrets occurs
            return 0.0
        return float(np.sqrt(np.cov(gains, aweights=weights, ddof=0)))

    def _payoff(self) -> dict[str, Any]:
        """What it takes to plan by this estimate: the gains there are, and how they deviate."""
        payoff = self.evidence.payoff
        guesses = payoff.n_guesses if payoff.n_guesses < _EXACT_IN_JSON else None
        return {
            "low": payoff.low, "high": payoff.high, "deviation": self.deviation,
            "guesses": guesses,
        }  # fmt: skip


def _report(form: str) -> Any:
    """A form of report, which rests on results and not they on it: found when it is asked for."""
    return import_module(f"gleak.report.{form}")


def _ends(bracket: Bracket | None) -> dict[str, Any]:
    if bracket is None:
        return {"lower": None, "estimate": None, "upper": None}
    return {"lower": bracket.lower, "estimate": bracket.estimate, "upper": bracket.upper}
