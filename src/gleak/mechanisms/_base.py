"""What the mechanisms share: how weights become rows, and what their parameters must be."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from gleak.errors import InputError, nearest
from gleak.payoff import Floats

Ends = Literal["truncated", "renormalised"]
"""What becomes of noise that falls outside the outputs: reported as the nearest of them
(Ghosh, Roughgarden, Sundararajan, STOC 2009), or never drawn.

Truncation is a function of what was drawn, so that it costs no privacy; renormalisation divides
each secret's noise by another number, which may."""


_LARGEST = 200_000_000
"""Probabilities of a channel beyond which it is not made: 1.6 GB."""


def decay(exponents: Floats) -> Floats:
    """Each row of e^−exponents up to a factor, taken so that no row underflows as a whole."""
    return np.exp(exponents.min(axis=1, keepdims=True) - exponents)


def rows_of(weights: Floats) -> Floats:
    """Rows of weights as distributions."""
    return weights / weights.sum(axis=1, keepdims=True)


def as_losses(loss: ArrayLike) -> Floats:
    """What each output costs each secret."""
    losses = np.asarray(loss, dtype=np.float64)
    if losses.ndim != 2 or not losses.size or not np.isfinite(losses).all():
        raise InputError.must(
            "the loss", "a matrix of finite numbers, secrets × outputs", f"shape {losses.shape}"
        )
    return losses


def as_points(values: ArrayLike, what: str) -> Floats:
    """Places on a line."""
    points = np.asarray(values, dtype=np.float64)
    if points.ndim != 1 or not points.size or not np.isfinite(points).all():
        raise InputError.must(what, "a list of finite numbers", f"shape {points.shape}")
    return points


def check_size(secrets: int, outputs: int) -> None:
    """Refuse a channel that no memory holds, before it is made."""
    if secrets * outputs > _LARGEST:
        raise InputError.must(
            "a mechanism's channel", f"of at most {_LARGEST:,} probabilities",
            f"{secrets:,} secrets × {outputs:,} outputs", remedy="take fewer of them",
        )  # fmt: skip


def check_positive(what: str, value: float) -> None:
    """Refuse what is no positive number."""
    if not (np.isfinite(value) and value > 0):
        raise InputError.must(what, "a positive number", value)


def check_ends(ends: str) -> None:
    """Refuse what is no way to end."""
    if ends not in get_args(Ends):
        raise InputError(f"unknown ends {ends!r}; {nearest(ends, list(get_args(Ends)))}")
