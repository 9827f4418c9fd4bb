"""Which rows learn and which are kept back: splitters yield sorted rows, never data."""

import heapq
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gleak.distinct import Rows
from gleak.errors import InputError, nearest
from gleak.samples import Samples

Kind = Literal["random", "stratified", "blocked", "grouped"]
"""How rows are parted: at random; at random within each secret; in their order, so that the
past learns and the future certifies; or by whole groups."""

Seed = np.random.Generator | int | None


def holdout(
    samples: Samples, fraction: float, *, kind: Kind | None = None, rng: Seed = None
) -> tuple[Rows, Rows]:
    """The rows that learn, and the ``fraction`` of rows that is kept back.

    Without a ``kind``, rows that belong together stay together, and others part at random.

    >>> samples = Samples.of([0, 1, 0, 1], [5, 6, 7, 8])
    >>> holdout(samples, 0.25, kind="blocked")
    (array([0, 1, 2]), array([3]))
    """
    if not (isinstance(fraction, float | int | np.number) and 0 < fraction < 1):
        raise InputError.must("the fraction kept back", "above 0 and below 1", fraction)
    kind = _kind(samples, kind)
    order = _order(samples, kind, rng)
    rows = len(samples)
    wanted = round(rows * fraction)
    if kind == "grouped":
        back = _groups_near(samples, order, wanted)
    else:
        # Every (rows/wanted)-th row of the order: from each secret its share, give or take one.
        evenly = np.arange(rows) * wanted % rows < wanted
        back = np.zeros(rows, dtype=bool)
        back[order[evenly if kind == "stratified" else slice(rows - wanted, None)]] = True
    if back.all() or not back.any():
        raise InputError.must(
            "each part", "of at least one row", f"none in one of them, at fraction {fraction}",
            remedy="choose a fraction nearer to one half, or bring more samples",
        )  # fmt: skip
    return np.flatnonzero(~back), np.flatnonzero(back)


def folds(samples: Samples, k: int, *, kind: Kind | None = None, rng: Seed = None) -> list[Rows]:
    """K sets of rows, of nearly equal size, of which each row is in one.

    >>> folds(Samples.of([0, 1, 0, 1], [5, 6, 7, 8]), 2, kind="blocked")
    [array([0, 1]), array([2, 3])]
    """
    kind = _kind(samples, kind)
    order = _order(samples, kind, rng)
    units, what = (len(order), "groups") if kind == "grouped" else (len(samples), "rows")
    if not (isinstance(k, int | np.integer) and 2 <= k <= units):
        raise InputError.must("the number of folds", f"from 2 to {units}, the number of {what}", k)
    if kind == "grouped":
        fold_of = _spread(samples, order, k)
    else:
        fold_of = np.empty(len(samples), dtype=np.intp)
        place = np.arange(len(samples))
        fold_of[order] = place * k // len(samples) if kind == "blocked" else place % k
    by_fold = np.argsort(fold_of, kind="stable")
    return np.split(by_fold, np.cumsum(np.bincount(fold_of, minlength=k))[:-1])


def _kind(samples: Samples, kind: Kind | None) -> Kind:
    if kind is None:
        return "random" if samples.groups is None else "grouped"
    if kind not in get_args(Kind):
        raise InputError(f"unknown kind of split {kind!r}; {nearest(kind, list(get_args(Kind)))}")
    if kind == "grouped" and samples.groups is None:
        raise InputError("a split by groups needs a group for each row; the samples have none")
    return kind


def _order(samples: Samples, kind: Kind, rng: Seed) -> Rows:
    """The rows, or the groups, in the order in which they are dealt out."""
    generator = np.random.default_rng(rng)
    if kind == "blocked":
        return np.arange(len(samples))
    if kind == "grouped":
        return generator.permutation(np.unique(_groups(samples)))
    order = generator.permutation(len(samples))
    if kind == "random":
        return order
    turn = generator.permutation(len(samples.secrets))  # no secret is always first
    return order[np.argsort(turn[samples.codes[order]], kind="stable")]


def _groups(samples: Samples) -> NDArray[np.intp]:
    assert samples.groups is not None  # asked before a split by groups begins
    return samples.groups


def _groups_near(samples: Samples, order: Rows, wanted: int) -> NDArray[np.bool_]:
    """The rows of the first groups of the order that hold about as many rows as wanted."""
    if len(order) < 2:
        raise InputError.must("groups", "at least two, to part them", len(order))
    groups = _groups(samples)
    held = np.cumsum(np.bincount(groups)[order])[:-1]
    taken = 1 + int(np.argmin(np.abs(held - wanted)))
    return np.isin(groups, order[:taken])


def _spread(samples: Samples, order: Rows, k: int) -> NDArray[np.intp]:
    """The fold of each row: groups, the largest first, go where there are the fewest rows."""
    groups = _groups(samples)
    sizes = np.bincount(groups)
    fold_of = np.empty(len(sizes), dtype=np.intp)
    room = [(0, fold) for fold in range(k)]
    for group in order[np.argsort(-sizes[order], kind="stable")].tolist():
        rows, fold = room[0]
        heapq.heapreplace(room, (rows + int(sizes[group]), fold))
        fold_of[group] = fold
    return fold_of[groups]
