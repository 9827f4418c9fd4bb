"""A posterior made as sure of itself as other samples bear out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._base import PosteriorStrategy
from gleak.adversaries.blend import blend_weights
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables

_POWERS = 2.0 ** np.arange(-2, 3.25, 0.25)
_SMALLEST = 1e-9

Posterior = NDArray[np.float32] | Floats


@dataclass(frozen=True)
class Calibration:
    """p(x|y) becomes ((1 − doubt)·p(x|y) + doubt·f(x))^power, normalised, f being frequencies.

    Votes of few neighbours are too sure of themselves, those of many not sure enough; both may
    decide well. Gains with more than one answer to a posterior's order, and blends, need them to
    mean what they say. The power is that of temperature scaling (C. Guo and others, "On
    calibration of modern neural networks", ICML 2017).
    """

    doubt: float = 0.0
    power: float = 1.0

    def __call__(self, posterior: Posterior, frequencies: Floats) -> Floats:
        """The calibrated posterior."""
        mixed = (1 - self.doubt) * posterior + self.doubt * frequencies
        if self.power != 1:
            mixed = np.maximum(mixed / mixed.max(axis=1, keepdims=True), _SMALLEST) ** self.power
        return np.asarray(mixed / mixed.sum(axis=1, keepdims=True), dtype=np.float64)

    @classmethod
    def of(cls, folds: "Sequence[Judged]") -> "Calibration":
        """The likeliest on samples that trained nothing of the posteriors."""
        given = np.concatenate([fold.given(fold.posterior) for fold in folds])
        blind = np.concatenate([fold.frequencies[fold.codes] for fold in folds])
        doubt = float(blend_weights([given, blind], np.ones(len(given)))[1])
        found = [cls(share, float(power)) for share in (0.0, doubt) for power in _POWERS]
        return max(found, key=lambda each: sum(fold.log_likelihood(each) for fold in folds))


@dataclass(frozen=True)
class Judged:
    """Rows with their secrets, the posterior at the point of each, and training frequencies."""

    posterior: Posterior
    point: NDArray[np.intp]
    codes: NDArray[np.intp]
    frequencies: Floats

    def given(self, posterior: Posterior) -> Floats:
        """What a posterior gives to each row's secret."""
        return np.maximum(posterior[self.point, self.codes].astype(np.float64), _SMALLEST)

    def log_likelihood(self, calibration: Calibration) -> float:
        """The log-likelihood of the rows' secrets after calibration."""
        return float(np.log(self.given(calibration(self.posterior, self.frequencies))).sum())


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
