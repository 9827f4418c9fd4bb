"""Training samples parted again, so that an adversary can settle an option by itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gleak.samples import Samples

SHARE = 0.2
"""At most this share of the rows is held out at a time."""

ENOUGH = 10_000
"""Rows held out in all beyond which an option is settled well enough."""


def parts(train: "Samples", rng: np.random.Generator) -> Iterator[tuple["Samples", "Samples"]]:
    """Pairs of the samples to learn from and those held out; no row is held out twice.

    Rows of one group stay together. With few rows each is held out once, in five rounds; with
    many a single round is enough, so that the cost does not grow with them. Without two groups
    there is nothing to hold out.

    >>> from gleak.samples import Samples
    >>> samples = Samples.of([0, 1] * 10, range(20))
    >>> [(len(rest), len(held)) for rest, held in parts(samples, np.random.default_rng(0))]
    [(16, 4), (16, 4), (16, 4), (16, 4), (16, 4)]
    """
    if train.groups is None:
        unit, units = np.arange(len(train)), len(train)
    else:
        found, unit = np.unique(train.groups, return_inverse=True)
        units = len(found)
    if units < 2:
        return
    share = min(SHARE, ENOUGH / len(train))
    size = max(1, round(share * units))
    needed = int(np.ceil(ENOUGH / (share * len(train))))
    rounds = min(round(1 / SHARE), needed, -(-units // size))
    turn = np.empty(units, dtype=np.intp)
    turn[rng.permutation(units)] = np.arange(units) // size
    for round_ in range(rounds):
        held = turn[unit] == round_
        yield train.take(~held), train.take(held)
