"""Bucketed timing: answers are held back until the next of a few fixed times."""

import numpy as np
from numpy.typing import ArrayLike

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.labels import Codes
from gleak.mechanisms._base import as_points, check_positive
from gleak.payoff import Floats

_ROUNDING = 1e-9
"""How far, in buckets, a time may lie beyond a border by rounding alone."""


def bucketed(
    times: Channel | ArrayLike,
    buckets: float | ArrayLike,
    *,
    prior: ArrayLike | None = None,
    secrets: ArrayLike | None = None,
) -> Channel:
    """Every answer is given at the end of the bucket that its time falls in.

    ``times`` is a channel whose observables are times, or the time of each secret. ``buckets``
    is their common size, from time zero, or a growing list of their ends. Nobody learns more
    than which bucket it was: the Bayes capacity is at most their number (B. Köpf and M. Dürmuth,
    "A provably secure and efficient countermeasure against timing attacks", CSF 2009).

    >>> bucketed([3, 11, 12, 20], 10).matrix
    array([[1., 0.],
           [0., 1.],
           [0., 1.],
           [0., 1.]])
    """
    if not isinstance(times, Channel):
        times = _certain(as_points(times, "times"), prior, secrets)
    elif prior is not None or secrets is not None:
        raise InputError("a channel over times has its own prior and secrets; leave them out")
    ends, bucket_of = _buckets(moments(times), buckets)
    sorting = (bucket_of[:, None] == np.arange(len(ends))).astype(np.float64)
    return Channel(
        times.matrix @ sorting, times.prior, times.secrets, ends, attributes=times.attributes
    )


def moments(channel: Channel) -> Floats:
    """The observables of a channel over times, as numbers."""
    try:
        times = np.array([float(label) for label in channel.observables.tolist()])
    except (TypeError, ValueError):
        raise InputError.must(
            "observables", "times, all of them numbers", repr(channel.observables.tolist()[0]),
            remedy="name the channel's observables by their times",
        ) from None  # fmt: skip
    return as_points(times, "times")


def _certain(times: Floats, prior: ArrayLike | None, secrets: ArrayLike | None) -> Channel:
    """Each secret's answer always takes its own time."""
    different, which = np.unique(times, return_inverse=True)
    taken = (which[:, None] == np.arange(len(different))).astype(np.float64)
    return Channel(taken, prior, secrets, different)


def _buckets(times: Floats, buckets: float | ArrayLike) -> tuple[Floats, Codes]:
    """The ends of the buckets that there are, and the one that each time falls in."""
    if np.ndim(buckets) == 0:
        size = float(np.asarray(buckets))
        check_positive("the size of a bucket", size)
        full = times / size
        nearest = np.round(full)
        up = np.where(np.abs(full - nearest) <= _ROUNDING, nearest, np.ceil(full))
        filled, bucket_of = np.unique(up, return_inverse=True)
        return np.array([float(f"{end:.12g}") for end in filled * size]), bucket_of
    ends = as_points(buckets, "the ends of buckets")
    if (np.diff(ends) <= 0).any():
        raise InputError.must("the ends of buckets", "growing", ends.tolist())
    if times.max() > ends[-1]:
        raise InputError.must(
            "the last bucket", f"up to {times.max():g}, the longest time", f"{ends[-1]:g}",
            remedy="add a bucket that ends there or later",
        )  # fmt: skip
    return ends, np.searchsorted(ends, times)
