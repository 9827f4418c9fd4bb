"""Any scikit-learn classifier as an attacker."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._base import Adversary, Route, Strategy
from gleak.adversaries._encoding import Design
from gleak.adversaries._learned import Rows, Shares, learned, many_labels
from gleak.errors import GleakWarning, InputError
from gleak.gain_spec import import_object
from gleak.payoff import Floats, Payoff
from gleak.preprocess import check_copies, multiples

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples


@dataclass(frozen=True)
class Classifier(Adversary):
    """A scikit-learn classifier, or the text ``module:Class`` of one, on either route.

    It is cloned, never changed, and shown numeric columns centred and scaled and categorical
    ones one-hot. Labels are numbers from 0. The secret route needs ``predict_proba``. Rows carry
    weights where the classifier takes them and are copied where not.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from gleak.samples import Samples
    >>> samples = Samples.of(["a", "b"] * 3, [0.0, 9.0, 0.1, 9.1, 0.2, 9.2])
    >>> strategy = Classifier(GaussianNB()).fit(samples, samples.bind("bayes"), rng=0)
    >>> strategy.guess(samples.observables.take(slice(0, 2)))
    array([0, 1])
    """

    estimator: Any
    route: Route = "secret"
    name: ClassVar[str] = "classifier"

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        estimator = _prepared(self.estimator, rng)
        if self.route == "secret" and not hasattr(estimator, "predict_proba"):
            raise InputError.must(
                f"{type(estimator).__name__} on the secret route",
                "able to give probabilities (predict_proba)",
                "a classifier that only predicts",
                remedy="take the guess route, or wrap it in CalibratedClassifierCV",
            )
        rows = Rows.each(train) if self.route == "secret" else Rows.of(train, payoff, "guess")
        if not rows.differ:
            return learned(Shares.of(rows), rows, payoff, self.route)
        design = Design.of(rows.points, rows.point_weight)
        with many_labels(), named(type(estimator).__name__, "learn"):
            _train(estimator, design(rows.points), rows, len(train))
        return learned(ClassifierScores(design, estimator), rows, payoff, self.route)


@dataclass(frozen=True)
class ClassifierScores:
    """Probabilities of the labels that occurred, or certainty of the one predicted."""

    design: Design
    estimator: Any

    def __call__(self, points: "Observables") -> Floats:
        """A row of scores for each point."""
        table, name = self.design(points), type(self.estimator).__name__
        with named(name, "guess"):
            if not hasattr(self.estimator, "predict_proba"):
                predicted = np.asarray(self.estimator.predict(table), dtype=np.intp)
                return np.eye(len(self.estimator.classes_))[predicted]
            scores = np.asarray(self.estimator.predict_proba(table), dtype=np.float64)
        if not np.isfinite(scores).all():
            raise InputError.must(f"the probabilities of {name}", "finite numbers", "NaN")
        if scores.shape != (len(points), len(self.estimator.classes_)):
            raise InputError.must(
                f"the probabilities of {name}",
                f"one for each of the {len(self.estimator.classes_)} labels it learned",
                f"a table of {scores.shape} for {len(points)} observables",
            )
        return scores


def made(kind: type) -> Any:
    """An object of a class, with its own settings."""
    try:
        return kind()
    except Exception as error:
        raise InputError(
            f"adversary {kind.__name__!r} cannot be made without arguments: {error}; "
            "name an object that is made already, as in module:name"
        ) from error


@contextmanager
def named(name: str, work: str) -> Iterator[None]:
    """What goes wrong inside somebody's classifier as a refusal that names it."""
    try:
        yield
    except (InputError, Warning):
        raise
    except Exception as error:
        raise InputError(
            f"{name} cannot {work} here: {error} "
            "(columns are centred and scaled, categories one-hot)"
        ) from error


def _prepared(estimator: Any, rng: np.random.Generator) -> Any:
    """A fresh classifier whose randomness is ours."""
    from sklearn.base import clone, is_classifier

    if isinstance(estimator, str):
        module, _, name = estimator.partition(":")
        if not name:
            raise InputError.must("a classifier as text", "'module:Class'", repr(estimator))
        estimator = import_object(module, name, what=f"adversary {estimator!r}")
    if isinstance(estimator, type):
        estimator = made(estimator)
    if not (hasattr(estimator, "__sklearn_tags__") and is_classifier(estimator)):
        raise InputError.must(
            "an adversary", "a classifier", type(estimator).__name__,
            remedy="derive one of your own from scikit-learn's ClassifierMixin and BaseEstimator",
        )  # fmt: skip
    fresh = clone(estimator)
    seeds = {
        name: int(rng.integers(2**31))
        for name in sorted(fresh.get_params())
        if name == "random_state" or name.endswith("__random_state")
    }
    return fresh.set_params(**seeds)


def _train(estimator: Any, table: Floats, rows: Rows, n: int) -> None:
    from sklearn.utils.validation import has_fit_parameter

    table, label = table[rows.point], np.searchsorted(rows.present, rows.label)
    if not has_fit_parameter(estimator, "sample_weight"):
        times = _times(rows, n, type(estimator).__name__)
        estimator.fit(np.repeat(table, times, axis=0), np.repeat(label, times))
    elif (rows.weight == 1.0).all():
        estimator.fit(table, label)
    else:
        estimator.fit(table, label, sample_weight=rows.weight)


def _times(rows: Rows, n: int, name: str) -> NDArray[np.int64]:
    """How often each row is copied where it cannot be weighted."""
    try:
        times, scale = multiples(rows.weight)
        size = sum(times.tolist())
        check_copies(size, scale)
    except InputError as error:
        reason = f"{name} takes no sample_weight and must be shown copies"
        raise InputError(f"{reason}: {error}") from error
    if size > n:
        warnings.warn(
            f"{name} takes no sample_weight: its {n:,} samples become {size:,} copies",
            GleakWarning, stacklevel=2,
        )  # fmt: skip
    return times
