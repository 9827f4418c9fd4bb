"""A posterior made as sure of itself as other samples bear out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax

from gleak.adversaries._base import PosteriorStrategy
from gleak.adversaries.blend import blend_weights
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables

_POWERS = (0.25, 8.0)
"""Between which powers are looked for."""

_SMALLEST = 1e-9

Posterior = NDArray[np.float32] | Floats


@dataclass(frozen=True)
class Calibration:
    """A posterior p becomes q^power, normalised; with a power above 1, f·(q/f)^power.

    f are frequencies, and q = (1 − doubt)·p + doubt·f. Votes of few neighbours are too sure of
    themselves, those of many not sure enough; both may decide well. Gains with more than one
    answer to a posterior's order, and blends, need them to mean what they say. A power is
    temperature scaling (C. Guo and others, "On calibration of modern neural networks", ICML
    2017). But who is not sure enough has mostly stopped learning early, on the way from the
    frequencies: what he makes too little of is how y changes these, and his whole posterior, made
    surer, would still wrong rare secrets.
    """

    doubt: float = 0.0
    power: float = 1.0

    def __call__(self, posterior: Posterior, frequencies: Floats) -> Floats:
        """The calibrated posterior."""
        told, common = _logs(posterior, frequencies, self.doubt)
        return np.asarray(softmax(_powered(told, common, self.power), axis=1))

    @classmethod
    def of(cls, folds: "Sequence[Judged]") -> Self:
        """The likeliest on samples that trained nothing of the posteriors."""
        given = np.concatenate([fold.given for fold in folds])
        blind = np.concatenate([fold.frequencies[fold.codes] for fold in folds])
        doubt = float(blend_weights([given, blind], np.ones(len(given)))[1])
        return cls(*max(_likeliest(folds, share) for share in (0.0, doubt))[1:])


@dataclass(frozen=True)
class Judged:
    """Rows with their secrets, the posterior at the point of each, and training frequencies."""

    posterior: Posterior
    point: NDArray[np.intp]
    codes: NDArray[np.intp]
    frequencies: Floats

    @cached_property
    def given(self) -> Floats:
        """What the posterior gives to each row's secret."""
        return np.maximum(self.posterior[self.point, self.codes].astype(np.float64), _SMALLEST)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """How many rows are at each point."""
        return np.bincount(self.point, minlength=len(self.posterior))


@dataclass(frozen=True)
class CalibratedStrategy(PosteriorStrategy):
    """A learned posterior, calibrated."""

    payoff: Payoff
    member: PosteriorStrategy
    frequencies: Floats
    calibration: Calibration

    def _posterior(self, points: "Observables") -> Floats:
        return self.calibration(self.member.posterior(points), self.frequencies)

    def under(self, payoff: Payoff) -> "CalibratedStrategy":
        return replace(self, payoff=payoff)


def _likeliest(folds: Sequence[Judged], doubt: float) -> tuple[float, float, float]:
    """The highest log-likelihood of the rows' secrets under a doubt, the doubt, and the power."""
    logs = [_logs(fold.posterior, fold.frequencies, doubt) for fold in folds]
    pairs = list(zip(folds, logs, strict=True))

    def surprise(log_power: float) -> float:
        lost = 0.0
        for fold, (told, common) in pairs:
            scores = _powered(told, common, float(np.exp(log_power)))
            lost += fold.rows @ logsumexp(scores, axis=1) - scores[fold.point, fold.codes].sum()
        return float(lost)

    low, high = map(float, np.log(_POWERS))
    found = minimize_scalar(surprise, bounds=(low, high), method="bounded")
    return -float(found.fun), doubt, float(np.exp(found.x))


def _logs(posterior: Posterior, frequencies: Floats, doubt: float) -> tuple[Floats, Floats]:
    """The logarithms of a posterior under a doubt, and of the frequencies."""
    mixed = (1 - doubt) * posterior + doubt * frequencies
    common = np.log(np.maximum(frequencies, frequencies[frequencies > 0].min()))
    return np.log(np.maximum(mixed, _SMALLEST, dtype=np.float64)), common


def _powered(told: Floats, common: Floats, power: float) -> Floats:
    return power * told - max(power - 1, 0.0) * common
