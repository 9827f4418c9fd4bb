"""Optimal mechanisms by linear program: the least loss for a bound on leakage, and the reverse.

Shokri, Theodorakopoulos, Troncoso, Hubaux, Le Boudec, "Protecting location privacy: optimal
strategy against localization attacks", CCS 2012; here for any gain function and any loss.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import GleakError, InputError
from gleak.gain import Gain
from gleak.labels import Codes
from gleak.mechanisms._base import as_losses
from gleak.payoff import MATRIX_LIMIT, Floats, Payoff

_METHODS = ("highs-ds", "highs-ipm")
"""Tried in this order until a solution holds up."""

_TOLERANCE = 1e-6
"""How far, in parts of the largest possible figure, a solution may be from what it claims."""

_COMPARISONS = 10_000_000
"""Comparisons of gains beyond which guesses that never win are left in the program."""


def least_loss(
    prior: ArrayLike,
    gain: str | Gain,
    loss: ArrayLike,
    *,
    max_vulnerability: float,
    allowed: ArrayLike | None = None,
    secrets: ArrayLike | None = None,
    observables: ArrayLike | None = None,
    attributes: Mapping[str, ArrayLike] | None = None,
) -> Channel:
    """The mechanism of least expected loss whose posterior g-vulnerability is bounded.

    ``loss[x,y]`` is what reporting y costs when x is the truth. ``allowed`` marks the pairs that
    may happen at all, such as ``distances <= 500``; without it every pair may. The optimum
    usually is not unique. A secret of prior zero reports whatever costs it least.

    >>> far = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    >>> best = least_loss([0.5, 0.25, 0.25], "bayes", far, max_vulnerability=0.75)
    >>> round(expected_loss(best, far), 6)
    0.25
    """
    losses, pairs = _costs(loss, allowed)
    cheapest = Channel(_cheapest(losses, pairs), prior, secrets, observables, attributes=attributes)
    program = _Program(cheapest, cheapest.bind(gain), losses, pairs)
    matrix = program.solve(program.loss, program.vulnerability, max_vulnerability)
    if matrix is None:
        smallest = program.solve(program.vulnerability)
        least = np.inf if smallest is None else program.vulnerability.of(smallest)
        raise InputError.must(
            "max_vulnerability",
            f"at least {least:.6g}, the least that the allowed pairs can reach",
            f"{max_vulnerability:g}",
            remedy="raise it or allow more pairs",
        )
    return program.channel(matrix)


def least_vulnerability(
    prior: ArrayLike,
    gain: str | Gain,
    loss: ArrayLike,
    *,
    max_loss: float,
    allowed: ArrayLike | None = None,
    secrets: ArrayLike | None = None,
    observables: ArrayLike | None = None,
    attributes: Mapping[str, ArrayLike] | None = None,
) -> Channel:
    """The mechanism of least posterior g-vulnerability whose expected loss is bounded.

    The parameters are those of ``least_loss``.

    >>> far = np.abs(np.subtract.outer(np.arange(3), np.arange(3)))
    >>> best = least_vulnerability([0.5, 0.25, 0.25], "bayes", far, max_loss=0.25)
    >>> round(best.posterior_vulnerability("bayes"), 6)
    0.75
    """
    losses, pairs = _costs(loss, allowed)
    cheapest = Channel(_cheapest(losses, pairs), prior, secrets, observables, attributes=attributes)
    program = _Program(cheapest, cheapest.bind(gain), losses, pairs)
    matrix = program.solve(program.vulnerability, program.loss, max_loss)
    if matrix is None:
        raise InputError.must(
            "max_loss",
            f"at least {expected_loss(cheapest, losses):.6g}, what the cheapest mechanism costs",
            f"{max_loss:g}",
            remedy="raise it or allow cheaper pairs",
        )
    return program.channel(matrix)


def expected_loss(channel: Channel, loss: ArrayLike) -> float:
    """Σ π_x C[x,y] loss[x,y]: what a channel costs on average.

    >>> expected_loss(Channel([[0.5, 0.5], [0, 1]], prior=[0.5, 0.5]), [[0, 4], [4, 0]])
    1.0
    """
    costs = sparse.csr_array(channel.matrix).multiply(np.asarray(loss, dtype=np.float64))
    return float(channel.prior @ costs.sum(axis=1))


def _costs(loss: ArrayLike, allowed: ArrayLike | None) -> tuple[Floats, NDArray[np.bool_]]:
    losses = as_losses(loss)
    pairs = np.ones(losses.shape, dtype=bool) if allowed is None else np.asarray(allowed, bool)
    if pairs.shape != losses.shape:
        raise InputError.must("allowed", f"of the loss's shape {losses.shape}", pairs.shape)
    lost = np.flatnonzero(~pairs.any(axis=1))
    if lost.size:
        raise InputError.must("every secret", "allowed an output", f"none in row {lost[0]}")
    return losses, pairs


def _cheapest(losses: Floats, pairs: NDArray[np.bool_]) -> Floats:
    """Every secret reports the allowed output of least loss."""
    reported = np.where(pairs, losses, np.inf).argmin(axis=1)
    return (reported[:, None] == np.arange(losses.shape[1])).astype(np.float64)


@dataclass(frozen=True)
class _Figure:
    """What a mechanism costs or gives away: linear in the program's variables, but for its unit."""

    row: Floats
    unit: float
    largest: float
    of: Callable[[Floats], float]

    def exceeds(self, matrix: Floats, claimed: float) -> bool:
        return self.of(matrix) > claimed + _TOLERANCE * self.largest


@dataclass(frozen=True)
class _Program:
    """Variables: C[x,y] for each allowed pair whose secret has a prior, then v_y per output.

    v_y ≥ Σ_x π_x C[x,y] g(w,x) for every guess w, so that Σ_y v_y ≥ V_g, and the least such v
    make it equal. Coefficients are in units of the most that any secret can add: solvers take
    numbers below some absolute size for zero, which must not depend on metres or miles.
    """

    cheapest: Channel
    payoff: Payoff
    losses: Floats
    allowed: NDArray[np.bool_]

    def channel(self, matrix: Floats) -> Channel:
        """The mechanism of a solution."""
        start = self.cheapest
        return Channel(
            matrix, start.prior, start.secrets, start.observables, attributes=start.attributes
        )

    def solve(
        self, minimise: _Figure, keep: _Figure | None = None, at_most: float = 0.0
    ) -> Floats | None:
        """The matrix of the least figure, or None where none keeps the other one."""
        from scipy.optimize import linprog

        if not np.isfinite(at_most):
            raise InputError.must("a bound", "a finite number", at_most)
        rows, limits = self._wins, np.zeros(self._wins.shape[0])
        if keep is not None:
            rows = sparse.vstack([rows, sparse.csr_array(keep.row[None])], format="csr")
            limits = np.append(limits, at_most / keep.unit)
        for method in _METHODS:
            found = linprog(  # type: ignore[call-overload]  # its stubs know no sparse matrices
                minimise.row, rows, limits, *self._sums, bounds=self._bounds, method=method
            )
            if found.status == 2:
                return None
            if found.status == 0:
                matrix = self._matrix(found.x)
                claimed = found.fun * minimise.unit
                broken = keep is not None and keep.exceeds(matrix, at_most)
                if not broken and not minimise.exceeds(matrix, claimed):
                    return matrix
        raise GleakError(f"no solution of the linear program holds up: {found.message}")

    @cached_property
    def vulnerability(self) -> _Figure:
        x, _, outputs = self._pairs
        most = self._most[0]
        row = np.concatenate([np.zeros(len(x)), np.ones(len(outputs))])
        return _Figure(row, most.max() or 1.0, most.sum(), self._vulnerability)

    @cached_property
    def loss(self) -> _Figure:
        x, y, outputs = self._pairs
        most = self._most[1]
        unit = most.max() or 1.0
        costs = self.cheapest.prior[x] * self.losses[x, outputs[y]] / unit
        row = np.concatenate([costs, np.zeros(len(outputs))])
        return _Figure(row, unit, most.sum(), self._loss)

    def _vulnerability(self, matrix: Floats) -> float:
        return float(self.payoff.best_value(matrix.T, self.cheapest.prior).sum())

    def _loss(self, matrix: Floats) -> float:
        return float(self.cheapest.prior @ (matrix * self.losses).sum(axis=1))

    @cached_property
    def _gains(self) -> Floats:
        return self.payoff.matrix()

    @cached_property
    def _pairs(self) -> tuple[Codes, Codes, Codes]:
        """The secret of each pair, its output's place in a list of outputs, and that list."""
        possible = self.allowed & (self.cheapest.prior > 0)[:, None]
        column, x = np.nonzero(possible.T)
        outputs, y = np.unique(column, return_inverse=True)
        return x, y, outputs

    @cached_property
    def _most(self) -> tuple[Floats, Floats]:
        """The most that each secret can add to the vulnerability and to the loss, in size."""
        loss = np.where(self.allowed, np.abs(self.losses), 0.0).max(axis=1)
        prior = self.cheapest.prior
        return prior * np.abs(self._gains).max(axis=0), prior * loss

    @cached_property
    def _wins(self) -> sparse.csr_array:
        """Σ_x π_x C[x,y] g(w,x) − v_y ≤ 0: one row for each output and each guess that may win."""
        x, _, outputs = self._pairs
        if np.count_nonzero(self._gains, axis=0)[x].sum() > MATRIX_LIMIT:
            raise InputError.must(
                "the linear program", f"of at most {MATRIX_LIMIT:,} coefficients", "more",
                remedy="allow fewer pairs",
            )  # fmt: skip
        weights = self.cheapest.prior / self.vulnerability.unit
        blocks = [gains * weights[x[span]] for span, gains in self._contests()]
        gained = sparse.csr_array(sparse.block_diag(blocks))
        of_output = np.repeat(np.arange(len(outputs)), [len(block) for block in blocks])
        bound = sparse.csr_array((-np.ones(len(of_output)), (np.arange(len(of_output)), of_output)))
        return sparse.hstack([gained, bound], format="csr")

    def _contests(self) -> Iterator[tuple[slice, Floats]]:
        """The pairs of each output, and the gains there of the guesses that may win."""
        x, y, outputs = self._pairs
        known: dict[bytes, Floats] = {}
        starts = np.searchsorted(y, np.arange(len(outputs) + 1))
        for start, stop in pairwise(starts):
            secrets = x[start:stop]
            if secrets.tobytes() not in known:
                known[secrets.tobytes()] = _undominated(self._gains[:, secrets])
            yield slice(start, stop), known[secrets.tobytes()]

    @cached_property
    def _sums(self) -> tuple[sparse.csr_array, Floats]:
        """Σ_y C[x,y] = 1 for each secret that has a prior."""
        x, _, outputs = self._pairs
        likely, row = np.unique(x, return_inverse=True)
        shape = (len(likely), len(x) + len(outputs))
        return (
            sparse.csr_array((np.ones(len(x)), (row, np.arange(len(x)))), shape=shape),
            np.ones(len(likely)),
        )

    @property
    def _bounds(self) -> Floats:
        x, _, outputs = self._pairs
        lower = np.concatenate([np.zeros(len(x)), np.full(len(outputs), -np.inf)])
        return np.stack([lower, np.full(len(lower), np.inf)], axis=1)

    def _matrix(self, solution: Floats) -> Floats:
        x, y, outputs = self._pairs
        matrix = np.asarray(self.cheapest.matrix).copy()
        matrix[x] = 0.0
        matrix[x, outputs[y]] = np.maximum(solution[: len(x)], 0.0)
        return matrix / matrix.sum(axis=1, keepdims=True)


def _undominated(gains: Floats) -> Floats:
    """The different guesses (rows) that no other one beats or equals against every secret."""
    earns = np.count_nonzero(gains, axis=1) > 0
    one_idle = np.flatnonzero(~earns)[:1]  # as a rule most guesses earn nothing here
    different = np.unique(gains[np.append(np.flatnonzero(earns), one_idle)], axis=0)
    if different.size * len(different) > _COMPARISONS:
        return different
    beaten = (different[:, None] <= different).all(axis=2).sum(axis=1) > 1
    return different[~beaten]
