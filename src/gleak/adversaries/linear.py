"""Logistic regression on splines: a smooth log-odds curve in each column, added up."""

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse

from gleak.adversaries._base import Adversary, Route, Strategy
from gleak.adversaries._encoding import Design
from gleak.adversaries._learned import Certain, Rows, held_out, learned, many_labels
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

_HATS = 240
"""Basis functions over all numeric columns together."""

_MOST_KNOTS, _LEAST_KNOTS = 48, 5
"""Knots of one column; where columns are so many that fewer would be left, there are none."""

_STRENGTHS = (0.1, 1.0, 10.0, 100.0, 1000.0)
"""What the samples weigh against the penalty, tried while the held-out likelihood rises."""

_FAR = 6.0
"""Standard deviations at which a column is cut: one outlier must not outweigh all the rest."""


@dataclass(frozen=True)
class Linear(Adversary):
    """Multinomial logistic regression: straight lines, or a piecewise linear curve per column.

    Held-out rows say which. Knots lie at quantiles of a column, hence at each of its values where
    these are few. With too many columns for that there are straight lines only.
    """

    name: ClassVar[str] = "linear"
    route: Route = "secret"
    strength: float | None = None

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        rows = Rows.of(train, payoff, self.route)
        if len(rows.present) == 1:
            return learned(Certain(), rows, payoff, self.route)
        curves = Curves.of(rows.points, rows.point_weight)
        strength, held = self.strength or 1.0, held_out(train, payoff, self.route, rng)
        if held is not None:
            strengths = _STRENGTHS if self.strength is None else (self.strength,)
            curves, strength = _chosen(curves, strengths, *held)
        model = _regressed(_model(strength), curves, rows)
        return learned(LinearScores(curves, model), rows, payoff, self.route)


def _chosen(
    curves: "Curves", strengths: tuple[float, ...], fit: Rows, held: Rows
) -> tuple["Curves", float]:
    """Lines or curves, and the strength: of highest likelihood on held-out rows."""
    lines = replace(curves, hats=())
    tried = [_strongest(each, strengths, fit, held) for each in (lines, curves)]
    likelihoods, found = [likelihood for likelihood, _ in tried], [best for _, best in tried]
    best = int(np.argmax(likelihoods))
    return (lines, curves)[best], found[best]


def _strongest(
    curves: "Curves", strengths: tuple[float, ...], fit: Rows, held: Rows
) -> tuple[float, float]:
    """The highest held-out likelihood and its strength, tried while the likelihood rises."""
    table, label = curves(held.points), np.searchsorted(fit.present, held.label)
    best, model = (-np.inf, strengths[0]), _model(strengths[0])
    model.set_params(warm_start=True)
    for strength in strengths:
        model.set_params(C=strength)
        logs = _regressed(model, curves, fit).predict_log_proba(table)
        likelihood = float(held.weight @ np.maximum(logs[held.point, label], -700.0))
        if likelihood <= best[0]:
            break
        best = (likelihood, strength)
    return best


def _model(strength: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, max_iter=200)


def _regressed(model: Any, curves: "Curves", rows: Rows) -> Any:
    from sklearn.exceptions import ConvergenceWarning

    with many_labels():
        # A regression stopped early is an attacker too; held-out rows say how good it is.
        warnings.simplefilter("ignore", ConvergenceWarning)
        table = curves(rows.points)[rows.point]
        return model.fit(table, rows.label, sample_weight=rows.weight)


@dataclass(frozen=True)
class LinearScores:
    """Probabilities of the labels that occurred."""

    curves: "Curves"
    model: Any

    def __call__(self, points: "Observables") -> Floats:
        """A row of probabilities for each point."""
        return self.model.predict_proba(self.curves(points))


@dataclass(frozen=True)
class Curves:
    """The design matrix with a basis of hat functions for each numeric column."""

    design: Design
    hats: tuple[tuple[int, Any], ...]

    @classmethod
    def of(cls, points: "Observables", weights: Floats) -> "Curves":
        """Lay the knots by training points."""
        design = Design.of(points, weights)
        numeric = design(points)[:, : len(design.numeric)]
        room = min(_MOST_KNOTS, _HATS // max(1, numeric.shape[1]))
        hats = [(place, _hats(values, weights, room)) for place, values in enumerate(numeric.T)]
        return cls(design, tuple((place, hat) for place, hat in hats if hat is not None))

    def __call__(self, points: "Observables") -> sparse.csr_array:
        """The basis functions at some points."""
        table = self.design(points)
        parts = [sparse.csr_array(table.clip(-_FAR, _FAR))]
        parts += [hat.transform(table[:, place, None]) for place, hat in self.hats]
        return sparse.csr_array(sparse.hstack(parts))


def _hats(values: Floats, weights: Floats, room: int) -> Any:
    """Hat functions that span the piecewise linear curves; None where a line says as much."""
    from sklearn.preprocessing import SplineTransformer

    if room < _LEAST_KNOTS:
        return None
    levels = np.linspace(0, 1, room + 2)[1:-1]
    knots = np.unique(np.quantile(values, levels, weights=weights, method="inverted_cdf"))
    if len(knots) < 3:
        return None
    basis = SplineTransformer(
        degree=1, knots=knots[:, None], extrapolation="constant", sparse_output=True
    )
    return basis.fit(values[:, None])
