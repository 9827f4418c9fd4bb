"""Logistic regression on splines: a smooth log-odds curve in each column, added up."""

import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.interpolate import BSpline

from gleak.adversaries._base import Adversary, Route, Strategy, positive
from gleak.adversaries._encoding import Design
from gleak.adversaries._learned import Rows, Shares, held_out, learned, many_labels
from gleak.errors import InputError
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

    Held-out rows say which, and how strong the penalty is; with a given ``strength`` there are
    curves. Knots lie at quantiles of a column, hence at each of its values where
    these are few. With too many columns for that there are straight lines only.
    """

    name: ClassVar[str] = "linear"
    route: Route = "secret"
    strength: float | None = None

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        if self.strength is not None and not positive(self.strength):
            got = repr(self.strength)
            raise InputError.must("the strength of 'linear'", "None or a positive number", got)
        rows = Rows.of(train, payoff, self.route)
        if not rows.differ:
            return learned(Shares.of(rows), rows, payoff, self.route)
        curves = Curves.of(rows.points, rows.point_weight)
        strength = self.strength
        if strength is None:
            held = held_out(train, payoff, self.route, rng)
            curves, strength = (curves, 1.0) if held is None else _chosen(curves, *held)
        model = _regressed(_model(strength), curves, rows)
        return learned(LinearScores(curves, model), rows, payoff, self.route)


def _chosen(curves: "Curves", fit: Rows, held: Rows) -> tuple["Curves", float]:
    """Lines or curves, and the strength: of highest likelihood on held-out rows."""
    designs = (replace(curves, knots=()), curves)
    tried = [_strongest(design, fit, held) for design in designs]
    best = int(np.argmax([likelihood for likelihood, _ in tried]))
    return designs[best], tried[best][1]


def _strongest(curves: "Curves", fit: Rows, held: Rows) -> tuple[float, float]:
    """The highest held-out likelihood and its strength, tried while the likelihood rises."""
    table, label = curves(held.points), np.searchsorted(fit.present, held.label)
    best, model = (-np.inf, 1.0), _model(1.0)
    model.set_params(warm_start=True)
    for strength in _STRENGTHS:
        model.set_params(C=strength)
        with np.errstate(divide="ignore"):  # a probability of zero is dealt with below
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
    knots: tuple[tuple[int, Floats], ...]

    @classmethod
    def of(cls, points: "Observables", weights: Floats) -> "Curves":
        """Lay the knots by training points."""
        design = Design.of(points, weights)
        numeric = design(points)[:, : len(design.numeric)]
        room = min(_MOST_KNOTS, _HATS // max(1, numeric.shape[1]))
        knots = [(place, _knots(values, weights, room)) for place, values in enumerate(numeric.T)]
        return cls(design, tuple((place, some) for place, some in knots if len(some) >= 3))

    def __call__(self, points: "Observables") -> sparse.csr_array:
        """The basis functions at some points."""
        table = self.design(points)
        parts = [sparse.csr_array(table.clip(-_FAR, _FAR))]
        parts += [_hats(table[:, place], knots) for place, knots in self.knots]
        return sparse.csr_array(sparse.hstack(parts))


def _knots(values: Floats, weights: Floats, room: int) -> Floats:
    """Where piecewise linear curves bend; with fewer than three knots a line says as much."""
    if room < _LEAST_KNOTS:
        return np.empty(0)
    levels = np.linspace(0, 1, room + 2)[1:-1]
    return np.unique(np.quantile(values, levels, weights=weights, method="inverted_cdf"))


def _hats(values: Floats, knots: Floats) -> sparse.csr_array:
    """Hat functions that span the piecewise linear curves, constant beyond the outer knots."""
    inside = np.clip(values, knots[0], knots[-1])
    return sparse.csr_array(BSpline.design_matrix(inside, np.pad(knots, 1, mode="edge"), 1))
