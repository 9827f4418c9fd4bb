"""Where it leaks: what an attacker loses when one column no longer tells it anything.

Permutation importance (L. Breiman, "Random forests", Machine Learning 45, 2001, section 10), on
samples that trained nothing. Certifying rows are paired at random and the two rows of a pair
trade their values of one column: the values stay those of the system, what they say of the
secret is gone. Pairs are independent of each other, which whole permutations are not, so that
bets on the pairs' mean give intervals that hold at any number of samples. A column that is
independent of the secret and of the other columns has a mean of exactly zero, whatever the
attacker does with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gleak.adversaries import Strategy
from gleak.betting import betting_interval
from gleak.certify import Scored, Weighing
from gleak.columns import Column
from gleak.labels import Codes
from gleak.observables import Observables
from gleak.payoff import Floats

_WORK = 50_000
"""Guesses for which a round of looking may ask, or as many as there are certifying rows."""

_CLOSER = 10
"""Columns that are looked at again, on other rows, where the first look had to be coarse."""

_AT_ONCE = 4_000_000
"""Values that an attacker is shown at a time: 32 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Localisation:
    """The mean gain lost without each column. The intervals hold together at ``confidence``."""

    names: tuple[str, ...]
    loss: Floats
    lower: Floats
    upper: Floats
    rows: Codes
    confidence: float

    @property
    def order(self) -> Codes:
        """Columns by falling loss."""
        return (-self.loss).argsort(kind="stable")

    @property
    def proven(self) -> Codes:
        """Columns whose interval excludes zero, by falling loss."""
        order = self.order
        return order[(self.lower[order] > 0) | (self.upper[order] < 0)]


def localise(
    strategy: Strategy,
    scored: Scored,
    *,
    confidence: float = 0.95,
    rng: np.random.Generator | int | None = None,
) -> Localisation:
    """How much a strategy's gain on samples it never saw rests on each column.

    >>> from gleak import Samples, adversary
    >>> x = np.arange(4000) % 2
    >>> samples = Samples.of(x, {"tells": x, "idle": np.arange(4000) // 2 % 2})
    >>> payoff = samples.bind("bayes")
    >>> strategy = adversary("frequentist").fit(samples.take(slice(0, 2000)), payoff)
    >>> fresh = samples.take(slice(2000, 4000))
    >>> seen = Scored(Weighing(fresh), payoff, strategy.guess(fresh.observables))
    >>> found = localise(strategy, seen, rng=0)
    >>> [found.names[i] for i in found.proven], bool(found.lower[0] > 0.4)
    (['tells'], True)
    """
    pairing = _Pairing.of(scored.weighing, np.random.default_rng(rng))
    look = _Look(strategy, scored, pairing)
    names = scored.weighing.samples.observables.names
    work = max(_WORK, len(scored.gains))
    coarse = max(1, work // (2 * len(names)))
    twice = len(names) > _CLOSER and len(pairing) > 2 * coarse
    alpha = (1 - confidence) / len(names) / (2 if twice else 1)
    first = slice(0, coarse if twice else 2 * coarse)
    table = np.array(list(look.at(range(len(names)), first, alpha)))
    if twice:  # other rows, so that having been chosen does not flatter a column
        chosen = (-table[:, 0]).argsort(kind="stable")[:_CLOSER]
        fresh = slice(coarse, coarse + work // (2 * _CLOSER))
        table[chosen] = list(look.at(chosen.tolist(), fresh, alpha))
    loss, lower, upper, rows = table.T
    return Localisation(tuple(names), loss, lower, upper, rows.astype(np.intp), confidence)


@dataclass(frozen=True)
class _Pairing:
    """Rows that trade places, pair by pair, and how much each counts: one on average."""

    left: Codes
    right: Codes
    weights: Floats

    @classmethod
    def of(cls, weighing: Weighing, rng: np.random.Generator) -> "_Pairing":
        """Every unit in one pair; of rows that belong together, one stands for all."""
        unit, n_units = weighing.units
        order = rng.permutation(len(unit))
        _, first = np.unique(unit[order], return_index=True)
        rows = order[np.sort(first)]
        alike = np.bincount(unit, minlength=n_units)[unit]
        half = len(rows) // 2
        return cls(rows[:half], rows[half : 2 * half], weighing.rows * alike * n_units)

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True)
class _Look:
    """What the attacker earns on pairs that traded a column."""

    strategy: Strategy
    scored: Scored
    pairing: _Pairing

    def at(
        self, columns: Sequence[int], pairs: slice, alpha: float
    ) -> Iterator[tuple[float, float, float, int]]:
        """Mean loss, its interval and the number of rows, for each column."""
        left, right = self.pairing.left[pairs], self.pairing.right[pairs]
        rows, others = np.concatenate([left, right]), np.concatenate([right, left])
        size = self._seen.columns
        step = max(1, _AT_ONCE // (max(1, len(rows)) * len(size)))
        for start in range(0, len(columns), step):
            some = columns[start : start + step]
            for lost in self._losses(some, rows, others):
                yield (*self._interval(lost, rows, alpha), len(rows))

    @property
    def _seen(self) -> Observables:
        return self.scored.weighing.samples.observables

    def _losses(self, columns: Sequence[int], rows: Codes, others: Codes) -> list[Floats]:
        """The gain each row loses, column by column; the attacker is asked once for all."""
        moved = [self._moved(column, rows, others) for column in columns]
        where = np.concatenate([rows[at] for at in moved])
        losses = [np.zeros(len(rows)) for _ in columns]
        if not len(where):
            return losses
        bounds = np.cumsum([0, *map(len, moved)])
        shown = list(self._seen.take(where).columns)
        for column, at, start in zip(columns, moved, bounds, strict=False):
            shown[column] = _with(shown[column], start, self._values(column)[others[at]])
        codes = self.scored.weighing.samples.codes[where]
        left = self.scored.payoff.value(self.strategy.guess(Observables(tuple(shown))), codes)
        lost = self.scored.gains[where] - left
        for loss, at, start in zip(losses, moved, bounds, strict=False):
            loss[at] = lost[start : start + len(at)]
        return losses

    def _values(self, column: int) -> Floats:
        return self._seen.columns[column].values

    def _moved(self, column: int, rows: Codes, others: Codes) -> Codes:
        """Where trading makes a difference."""
        values = self._values(column)
        return np.flatnonzero(values[rows] != values[others])

    def _interval(self, lost: Floats, rows: Codes, alpha: float) -> tuple[float, float, float]:
        payoff, weights = self.scored.payoff, self.pairing.weights
        width = (payoff.high - payoff.low) * float(weights.max(initial=1.0))
        if not len(rows) or width <= 0:
            return 0.0, -width, width
        per_pair = (lost * weights[rows]).reshape(2, -1).mean(axis=0)
        found = betting_interval(per_pair, low=-width, high=width, alpha=alpha)
        return float(per_pair.mean()), found.lower, found.upper


def _with(column: Column, start: int, values: Floats) -> Column:
    """A column with other values from some row on."""
    changed = column.values.copy()
    changed[start : start + len(values)] = values
    return replace(column, values=changed)
