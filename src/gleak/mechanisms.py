"""Channels that people deploy: noise and random answers. Optimal ones: ``optimal_mechanism``."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gleak.channel import Channel
from gleak.errors import InputError, nearest
from gleak.payoff import Floats

Ends = Literal["truncated", "renormalised"]
"""What becomes of noise that falls outside the outputs: reported as the nearest end
(Ghosh, Roughgarden, Sundararajan, STOC 2009), or never drawn."""


def geometric(
    outputs: int | range,
    nu: float,
    *,
    centres: ArrayLike | None = None,
    ends: Ends = "truncated",
    prior: ArrayLike | None = None,
) -> Channel:
    """Two-sided geometric noise: an output y has probability ∝ exp(−nu·|y − centre|).

    ``outputs`` are whole numbers in a row (``5`` stands for 0..4) and each secret's noise lies
    around its centre. Without ``centres`` the secrets are the outputs themselves.

    >>> geometric(3, nu=np.log(2)).matrix.round(3)
    array([[0.667, 0.167, 0.167],
           [0.333, 0.333, 0.333],
           [0.167, 0.167, 0.667]])
    """
    reported = _outputs(outputs)
    middles = reported.astype(np.float64) if centres is None else _centres(centres)
    _positive("nu", nu)
    if ends not in get_args(Ends):
        raise InputError(f"unknown ends {ends!r}; {nearest(ends, list(get_args(Ends)))}")
    weights = _decay(nu * np.abs(middles[:, None] - reported))
    if ends == "truncated":
        _inside(middles, reported)
        # All that lies from an end outwards is a geometric series of ratio e^−nu.
        weights[:, [0, -1]] /= -np.expm1(-nu)
    return Channel(
        _rows(weights), prior, secrets=reported if centres is None else None, observables=reported
    )


def randomised_response(
    secrets: int | ArrayLike, epsilon: float, *, prior: ArrayLike | None = None
) -> Channel:
    """The truth with odds e^epsilon : 1 against each lie (Warner 1965, with any number of answers).

    ``secrets`` are the possible answers, or how many there are.

    >>> randomised_response(["no", "yes"], epsilon=np.log(3)).matrix.round(2)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    _positive("epsilon", epsilon)
    answers = np.arange(secrets) if isinstance(secrets, int) else np.asarray(secrets)
    odds = np.where(np.eye(len(answers), dtype=bool), 1.0, np.exp(-epsilon))
    return Channel(_rows(odds), prior, secrets=answers, observables=answers)


def exponential(
    loss: ArrayLike,
    rate: float,
    *,
    prior: ArrayLike | None = None,
    secrets: ArrayLike | None = None,
    observables: ArrayLike | None = None,
) -> Channel:
    """An output y has probability ∝ exp(−rate·loss[x,y]) (McSherry and Talwar, FOCS 2007).

    With distances between places as the loss this is planar noise on a grid.

    >>> exponential([[0, 1], [1, 0]], rate=np.log(3)).matrix.round(2)
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    _positive("rate", rate)
    losses = np.asarray(loss, dtype=np.float64)
    if losses.ndim != 2 or not losses.size or not np.isfinite(losses).all():
        raise InputError.must(
            "the loss", "a matrix of finite numbers, secrets × outputs", f"shape {losses.shape}"
        )
    return Channel(_rows(_decay(rate * losses)), prior, secrets=secrets, observables=observables)


def _decay(exponents: Floats) -> Floats:
    """Each row of e^−exponents up to a factor, taken so that no row underflows as a whole."""
    return np.exp(exponents.min(axis=1, keepdims=True) - exponents)


def _rows(weights: Floats) -> Floats:
    return weights / weights.sum(axis=1, keepdims=True)


def _outputs(outputs: int | range) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    reported = range(outputs) if isinstance(outputs, int) else outputs
    if len(reported) < 2 or reported.step != 1:
        raise InputError.must("outputs", "at least two whole numbers in a row", repr(outputs))
    return np.arange(reported.start, reported.stop, dtype=np.int64)


def _centres(centres: ArrayLike) -> Floats:
    middles = np.asarray(centres, dtype=np.float64)
    if middles.ndim != 1 or not middles.size or not np.isfinite(middles).all():
        raise InputError.must("centres", "a list of finite numbers", f"shape {middles.shape}")
    return middles


def _inside(middles: Floats, reported: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    outside = middles[(middles < reported[0]) | (middles > reported[-1])]
    if outside.size:
        raise InputError.must(
            "centres of truncated noise",
            f"from {reported[0]} to {reported[-1]}, the outputs",
            f"{outside[0]:g}",
            remedy="widen the outputs or use ends='renormalised'",
        )


def _positive(what: str, value: float) -> None:
    if not (np.isfinite(value) and value > 0):
        raise InputError.must(what, "a positive number", value)
