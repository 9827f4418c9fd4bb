"""Noise on a line: two-sided geometric noise on whole numbers, Laplace noise on any grid."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.mechanisms._base import (
    Ends,
    as_points,
    check_ends,
    check_positive,
    check_size,
    decay,
    rows_of,
)
from gleak.payoff import Floats

Integers = NDArray[np.int64]


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
    reported = whole_numbers(outputs)
    middles = reported.astype(np.float64) if centres is None else as_points(centres, "centres")
    check_positive("nu", nu)
    check_ends(ends)
    check_size(len(middles), len(reported))
    weights = decay(nu * np.abs(middles[:, None] - reported))
    if ends == "truncated":
        _inside(middles, reported)
        # All that lies from an end outwards is a geometric series of ratio e^−nu.
        weights[:, [0, -1]] /= -np.expm1(-nu)
    return Channel(
        rows_of(weights), prior, secrets=reported if centres is None else None, observables=reported
    )


def laplace(
    outputs: int | range | ArrayLike,
    nu: float,
    *,
    centres: ArrayLike | None = None,
    ends: Ends = "truncated",
    prior: ArrayLike | None = None,
) -> Channel:
    """Laplace noise, of density nu/2·exp(−nu·|t|), rounded to the nearest output.

    ``outputs`` grow, evenly or not. An output's probability is the integral of the density from
    half-way below it to half-way above it: exact. Truncated, all that lies beyond an end is
    rounded to it; renormalised, an end reaches as far outwards as inwards.

    On whole numbers it is not ``geometric`` noise: that has weights e^(−nu·k) at k steps, and
    rounding multiplies the weight of no step at all by 2/(1 + e^(nu/2)) beside the others. Both
    are nu-private at distance one: rounding is a function of noise that already is.

    >>> laplace(3, nu=np.log(9)).matrix.round(3)
    array([[0.833, 0.148, 0.019],
           [0.167, 0.667, 0.167],
           [0.019, 0.148, 0.833]])
    """
    reported = _growing(outputs)
    middles = reported.astype(np.float64) if centres is None else as_points(centres, "centres")
    check_positive("nu", nu)
    check_ends(ends)
    check_size(len(middles), len(reported))
    borders = _borders(reported)
    if ends == "truncated":
        borders[[0, -1]] = -np.inf, np.inf
    else:  # how far outside a centre lies changes all by one factor, which may underflow
        middles = middles.clip(borders[0], borders[-1])
    noise = nu * (borders - middles[:, None])
    weights = _between(noise[:, :-1], noise[:, 1:])
    return Channel(
        rows_of(weights), prior, secrets=reported if centres is None else None, observables=reported
    )


def whole_numbers(outputs: int | range) -> Integers:
    """At least two whole numbers in a row, from 0 where only their number is given."""
    reported = range(outputs) if isinstance(outputs, int) else outputs
    many = reported.stop - reported.start  # len() refuses very many
    if many < 2 or reported.step != 1:
        raise InputError.must("outputs", "at least two whole numbers in a row", repr(outputs))
    check_size(1, many)
    return np.arange(reported.start, reported.stop, dtype=np.int64)


def _growing(outputs: int | range | ArrayLike) -> Integers | Floats:
    if isinstance(outputs, int | range):
        return whole_numbers(outputs)
    reported = as_points(outputs, "outputs")
    if len(reported) < 2 or (np.diff(reported) <= 0).any():
        raise InputError.must("outputs", "at least two numbers that grow", reported.tolist())
    return reported


def _borders(reported: Integers | Floats) -> Floats:
    """Half-way between outputs, and as far beyond the two ends."""
    half = np.diff(reported) / 2
    ends = reported[:1] - half[:1], reported[-1:] + half[-1:]
    return np.concatenate([ends[0], reported[:-1] + half, ends[1]])


def _between(low: Floats, high: Floats) -> Floats:
    """The integral of e^−|t|/2 from low to high, without cancellation far from zero."""
    near = np.maximum(0.0, np.maximum(low, -high))
    aside = -0.5 * np.exp(-near) * np.expm1(low - high)
    around = -0.5 * (np.expm1(np.minimum(low, 0.0)) + np.expm1(-np.maximum(high, 0.0)))
    return np.where((low < 0) & (high > 0), around, aside)


def _inside(middles: Floats, reported: Integers) -> None:
    outside = middles[(middles < reported[0]) | (middles > reported[-1])]
    if outside.size:
        raise InputError.must(
            "centres of truncated noise",
            f"from {reported[0]} to {reported[-1]}, the outputs",
            f"{outside[0]:g}",
            remedy="widen the outputs or use ends='renormalised'",
        )
