"""Observables one after the other, as one."""

from collections.abc import Sequence
from functools import reduce

import numpy as np

from gleak.columns import Column
from gleak.errors import InputError
from gleak.observables import Observables


def stacked(parts: Sequence[Observables]) -> Observables:
    """The rows of several observables with the same columns, one part after the other.

    >>> stacked([Observables.of({"c": ["b"]}), Observables.of({"c": ["a", "b"]})]).matrix().ravel()
    array([0., 1., 0.])
    """
    if not parts:
        raise InputError.must("observables", "of at least one part", 0)
    return reduce(_pair, parts)


def _pair(first: Observables, second: Observables) -> Observables:
    aligned = first.alike(second)
    pairs = zip(first.columns, aligned.columns, strict=True)
    return Observables(
        tuple(
            Column(mine.name, np.concatenate([mine.values, theirs.values]), theirs.categories)
            for mine, theirs in pairs
        )
    )
