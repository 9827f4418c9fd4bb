"""Samples recorded apart, as one."""

import numpy as np

from gleak.errors import InputError
from gleak.labels import Codes, Labels, key
from gleak.samples import Samples
from gleak.stacking import stacked


def joined(first: Samples, second: Samples) -> Samples:
    """The rows of two samples, one after the other, over the secrets of both.

    >>> whole = joined(Samples.of(["a", "b"], [1, 2]), Samples.of(["c", "b"], [1, 3]))
    >>> whole.secrets.tolist(), whole.codes.tolist(), len(whole.observables.distinct)
    (['a', 'b', 'c'], [0, 1, 2, 1], 3)
    """
    secrets, mine, theirs = _alphabet(first.secrets, second.secrets)
    attributes = {
        name: _both(first.attributes[name], _column_of(second, name), mine, theirs, len(secrets))
        for name in first.attributes
    }
    weights = None
    if first.weights is not None or second.weights is not None:
        given = [np.ones(len(s)) if s.weights is None else s.weights for s in (first, second)]
        weights = np.concatenate(given)
    return Samples(
        np.concatenate([mine[first.codes], theirs[second.codes]]),
        secrets,
        stacked([first.observables, second.observables]),
        attributes,
        first.public,
        _groups(first, second),
        weights,
    )


def _alphabet(one: Labels, other: Labels) -> tuple[Labels, Codes, Codes]:
    """The labels of both in their order, and where those of each are among them."""
    known = {key(label): label for label in [*other.tolist(), *one.tolist()]}
    if one.dtype.kind == other.dtype.kind:
        secrets = np.array(sorted(known.values()))
    else:
        secrets = np.array(sorted(known), dtype=object)
    place = {key(label): code for code, label in enumerate(secrets.tolist())}
    return secrets, *(np.array([place[key(x)] for x in part.tolist()]) for part in (one, other))  # type: ignore[return-value]


def _both(first: Labels, second: Labels, mine: Codes, theirs: Codes, n_secrets: int) -> Labels:
    values = np.empty(n_secrets, dtype=np.result_type(first, second))
    values[theirs] = second
    values[mine] = first
    return values


def _column_of(samples: Samples, name: str) -> Labels:
    if name not in samples.attributes:
        raise InputError(f"the second samples lack the column {name!r} of the secrets")
    return samples.attributes[name]


def _groups(first: Samples, second: Samples) -> Codes | None:
    """Groups of the two stay apart: rows recorded apart do not belong together."""
    if first.groups is None or second.groups is None:
        return None
    return np.concatenate([first.groups, second.groups + first.groups.max() + 1])
