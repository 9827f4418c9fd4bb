"""Gradient-boosted trees: no scaling, no distance, categories as they are."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._base import Adversary, Route, Strategy, positive
from gleak.adversaries._learned import Rows, Shares, held_out, learned, many_labels
from gleak.errors import InputError
from gleak.payoff import Floats, Payoff

if TYPE_CHECKING:
    from gleak.observables import Observables
    from gleak.samples import Samples

_LEAVES = (2, 8, 32)
"""Sizes of a tree, tried in this order for as long as the held-out likelihood rises."""

_TREES = 4000
"""Trees grown at most, over all labels: an iteration grows one per label."""

_PATIENCE = 10
"""Iterations without progress on held-out rows before growing stops."""

_SLOW = 100
"""Labels beyond which trees cost more than they bring."""

_IN_LEAF = 20
"""Samples that a leaf must hold at least."""

_HEAVY = 100
"""Rows that stand for a heavier one where there are categories: scikit-learn leaves those out of
which it sees but few rows, whatever these weigh."""

_MOST_BINS, _LEAST_BINS = 255, 32
"""Values of a column that trees tell apart; of more categories, ranks by frequency are grouped."""

_ALL_BINS = 8192
"""Values over all columns: with many columns each has fewer, lest time goes where little is."""

_LARGEST = np.finfo(np.float64).max / 2
"""Where columns are cut: trees split halfway between two numbers, whose sum must be finite."""


@dataclass(frozen=True)
class Trees(Adversary):
    """Boosted trees whose number and size are those of highest likelihood on held-out rows.

    After the choice they are grown anew on every row. Up to 255 categories are split as sets; of
    more, the rank by frequency stands for the category.
    """

    name: ClassVar[str] = "trees"
    route: Route = "secret"
    iterations: int | None = None
    leaves: int | None = None
    learning_rate: float = 0.1

    def suits(self, train: "Samples", payoff: Payoff) -> str | None:
        """Why this would take too long, or None."""
        labels = payoff.n_secrets if self.route == "secret" else payoff.n_guesses
        return f"every iteration would grow {labels} trees" if labels > _SLOW else None

    def _fit(self, train: "Samples", payoff: Payoff, rng: np.random.Generator) -> Strategy:
        self._check()
        rows = Rows.of(train, payoff, self.route)
        if not rows.differ:
            return learned(Shares.of(rows), rows, payoff, self.route)
        encoding = Encoding.of(rows.points, rows.point_weight)
        seed = int(rng.integers(2**31))
        # Rows hold many samples each where observables repeat.
        in_leaf = round(_IN_LEAF / max(1.0, rows.weight.mean()))
        plan = _Plan(encoding, self._rate(len(rows.present)), max(1, in_leaf), seed)
        iterations, leaves = self.iterations, self.leaves
        if iterations is None or leaves is None:
            chosen = self._chosen(plan, held_out(train, payoff, self.route, rng))
            iterations, leaves = iterations or chosen[0], leaves or chosen[1]
        model = plan.grown(rows, iterations, leaves)
        return learned(TreeScores(encoding, model), rows, payoff, self.route)

    def _check(self) -> None:
        for what, value, least in (("iterations", self.iterations, 1), ("leaves", self.leaves, 2)):
            if value is not None and not (isinstance(value, int | np.integer) and value >= least):
                constraint = f"None or a whole number from {least}"
                raise InputError.must(f"the {what} of 'trees'", constraint, repr(value))
        if not positive(self.learning_rate):
            got = repr(self.learning_rate)
            raise InputError.must("the learning rate of 'trees'", "a positive number", got)

    def _chosen(self, plan: "_Plan", held_out: tuple[Rows, Rows] | None) -> tuple[int, int]:
        """Iterations and leaves of highest held-out likelihood."""
        sizes = _LEAVES if self.leaves is None else (self.leaves,)
        if held_out is None:
            return _PATIENCE, sizes[0]
        fit, held = held_out
        most = self._most(len(fit.present))
        best = (-np.inf, 1, sizes[0])
        for size in sizes:
            likelihood, iterations = plan.raced(fit, held, most, size)
            if likelihood <= best[0]:
                break
            best = (likelihood, iterations, size)
        return best[1:]

    def _most(self, labels: int) -> int:
        grown = 1 if labels == 2 else labels
        return self.iterations or int(np.clip(_TREES // grown, _PATIENCE, 400))

    def _rate(self, labels: int) -> float:
        """Few iterations must take larger steps."""
        return max(self.learning_rate, min(0.3, 10 * self.learning_rate / self._most(labels)))


@dataclass(frozen=True)
class _Plan:
    """How trees are grown, but for their number and size."""

    encoding: "Encoding"
    learning_rate: float
    in_leaf: int
    seed: int

    def grown(self, rows: Rows, iterations: int, leaves: int) -> Any:
        model = self._model(iterations, leaves, early_stopping=False)
        table, label, weight = self._table(rows)
        with many_labels():
            return model.fit(table, label, sample_weight=weight)

    def raced(self, fit: Rows, held: Rows, most: int, leaves: int) -> tuple[float, int]:
        """The highest held-out likelihood, and after how many iterations it was reached."""
        model = self._model(most, leaves, early_stopping=True)
        table, label, weight = self._table(fit)
        others = dict(zip(("X_val", "y_val", "sample_weight_val"), self._table(held), strict=True))
        with many_labels():
            model.fit(table, label, sample_weight=weight, **others)
        scores = model.validation_score_
        return float(scores.max()), max(1, int(scores.argmax()))

    def _table(self, rows: Rows) -> tuple[Floats, NDArray[np.intp], Floats]:
        """What trees are grown on; heavy rows are several where there are categories."""
        times = np.ones(len(rows.label), dtype=np.intp)
        if self.encoding.sets.any():
            times = np.clip(np.round(rows.weight), 1, _HEAVY).astype(np.intp)
        each = np.repeat(np.arange(len(times)), times)
        table = self.encoding(rows.points)[rows.point[each]]
        return table, rows.label[each], (rows.weight / times)[each]

    def _model(self, iterations: int, leaves: int, *, early_stopping: bool) -> Any:
        from sklearn.ensemble import HistGradientBoostingClassifier

        return HistGradientBoostingClassifier(
            learning_rate=self.learning_rate,
            max_iter=iterations,
            max_leaf_nodes=leaves,
            max_bins=self.encoding.bins,
            min_samples_leaf=self.in_leaf,
            categorical_features=self.encoding.sets,
            early_stopping=early_stopping,
            n_iter_no_change=_PATIENCE,
            tol=0.0,
            random_state=self.seed,
        )


@dataclass(frozen=True)
class TreeScores:
    """Probabilities of the labels that occurred."""

    encoding: "Encoding"
    model: Any

    def __call__(self, points: "Observables") -> Floats:
        """A row of probabilities for each point."""
        return self.model.predict_proba(self.encoding(points))


@dataclass(frozen=True)
class Encoding:
    """Numbers as they are and categories as ranks by frequency; strangers are missing values."""

    template: "Observables"
    sets: NDArray[np.bool_]
    ranks: tuple[tuple[int, Floats], ...]
    bins: int

    @classmethod
    def of(cls, points: "Observables", weights: Floats) -> "Encoding":
        """Learn the categories' frequencies from training points."""
        table = points.matrix()
        ranks = tuple(
            (int(column), _ranks(table[:, column].astype(np.intp), weights))
            for column in np.flatnonzero(~points.numeric)
        )
        sets = np.zeros(table.shape[1], dtype=bool)
        bins = int(np.clip(_ALL_BINS // table.shape[1], _LEAST_BINS, _MOST_BINS))
        sets[[column for column, rank in ranks if np.isfinite(rank).sum() <= bins]] = True
        return cls(points.take(slice(0, 1)), sets, ranks, bins)

    def __call__(self, points: "Observables") -> Floats:
        """The table that trees split."""
        table = self.template.alike(points).matrix()
        table.clip(-_LARGEST, _LARGEST, out=table)
        for column, ranks in self.ranks:
            codes = np.minimum(table[:, column].astype(np.intp), len(ranks) - 1)
            table[:, column] = ranks[codes]
        return table


def _ranks(codes: NDArray[np.intp], weights: Floats) -> Floats:
    """The rank of each category by falling frequency; NaN where it never occurs.

    A last entry stands for every category past the end.
    """
    totals = np.bincount(codes, weights=weights, minlength=int(codes.max()) + 2)
    order = np.argsort(-totals, kind="stable")
    ranks = np.empty(len(totals))
    ranks[order] = np.arange(len(totals))
    return np.where(totals > 0, ranks, np.nan)
