"""Recorded pairs of secrets and observables, checked and encoded once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gleak.columns import as_array, encode, frozen
from gleak.errors import InputError, nearest
from gleak.gain import Gain
from gleak.gain_spec import as_gain
from gleak.labels import Codes, Labels, key
from gleak.observables import Observables, Selection
from gleak.payoff import IdentityPayoff, Payoff

_FEW = 10
"""Among so few rows, that no secret comes twice says nothing about the secret."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Pairs of a secret and an observable.

    ``codes`` are positions in the sorted alphabet ``secrets``, which is kept whole by ``take``.
    ``attributes`` hold one value per secret: its class, its coordinates. ``public`` names the
    observable columns known beforehand, ``groups`` the rows that belong together, ``weights``
    how much each row counts.
    """

    codes: Codes
    secrets: Labels
    observables: Observables
    attributes: Mapping[str, Labels] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    groups: Codes | None = None
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        _same_length("observables", len(self.observables), len(self.codes))
        for what, values in (("groups", self.groups), ("weights", self.weights)):
            if values is not None:
                _same_length(what, len(values), len(self.codes))
        for name, values in self.attributes.items():
            if len(values) != len(self.secrets):
                raise InputError.must(
                    f"attribute {name!r}", f"of {len(self.secrets)} values, one per secret",
                    len(values),
                )  # fmt: skip
        for name in self.public:
            if name not in self.observables.names:
                known = nearest(name, self.observables.names)
                raise InputError(f"public column {name!r} is not among the observables; {known}")

    @classmethod
    def of(
        cls,
        secrets: ArrayLike,
        observables: Any,
        *,
        attributes: Mapping[str, ArrayLike] | None = None,
        public: Sequence[str] = (),
        groups: ArrayLike | None = None,
        weights: ArrayLike | None = None,
    ) -> "Samples":
        """Samples from arrays of one entry per row; ``attributes`` too are given per row.

        >>> samples = Samples.of(["b", "a", "b"], [0.5, 0.5, 1.5])
        >>> samples.secrets, samples.codes
        (array(['a', 'b'], dtype='<U1'), array([1, 0, 1]))
        """
        codes, alphabet = encode(_one_axis(secrets), "secrets")
        return cls.encoded(
            codes,
            alphabet,
            Observables.of(observables),
            attributes={name: as_labels_of(values) for name, values in (attributes or {}).items()},
            public=tuple(public),
            groups=None if groups is None else encode(groups, "groups")[0],
            weights=None if weights is None else _weights(weights),
        )

    @classmethod
    def encoded(
        cls,
        codes: Codes,
        secrets: Labels,
        observables: Observables,
        *,
        attributes: Mapping[str, Labels],
        public: tuple[str, ...] = (),
        groups: Codes | None = None,
        weights: NDArray[np.float64] | None = None,
        where: str = "",
    ) -> "Samples":
        """Samples whose columns are encoded already, checked; ``attributes`` are per row."""
        _same_length("observables", len(observables), len(codes), where)
        _enough(codes, secrets, where)
        if not attributes and _never_repeats(codes, secrets):
            _refuse_continuous(len(codes), where)
        per_secret = {
            name: _per_secret(name, values, codes, len(secrets), where)
            for name, values in attributes.items()
        }
        return cls(codes, secrets, observables, per_secret, public, groups, weights)

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Selection) -> "Samples":
        """Some rows, over the same alphabet: a secret may then have none."""
        return Samples(
            self.codes[rows],
            self.secrets,
            self.observables.take(rows),
            self.attributes,
            self.public,
            None if self.groups is None else self.groups[rows],
            None if self.weights is None else self.weights[rows],
        )

    def bind(self, gain: Gain | str) -> Payoff:
        """The payoff of a gain over these secrets.

        >>> Samples.of([0, 1, 2, 2], [5, 5, 6, 7]).bind("tries:2").n_guesses
        3
        """
        gain = as_gain(gain)
        if gain.classes(self.secrets, self.attributes) is None:
            self._refuse_unrepeated()
        return gain.bind(self.secrets, self.attributes)

    def under(self, gain: Gain | str) -> "tuple[Samples, Payoff]":
        """These samples as a gain sees them, and its payoff over them.

        Where only a class of the secret matters, the classes become the secrets: what is to be
        learned shrinks, and the gain is one try at them.

        >>> from gleak import partition
        >>> parity = partition(lambda secret: secret % 2)
        >>> samples, payoff = Samples.of([3, 4, 5, 5], [0, 1, 0, 0]).under(parity)
        >>> samples.codes, payoff.matrix()
        (array([1, 0, 1, 1]), array([[1., 0.],
               [0., 1.]]))
        """
        gain = as_gain(gain)
        classes = gain.classes(self.secrets, self.attributes)
        if classes is None:
            self._refuse_unrepeated()
            return self, gain.bind(self.secrets, self.attributes)
        class_of, alphabet = encode(classes, "classes")
        reduced = Samples(
            frozen(class_of[self.codes]),
            alphabet,
            self.observables,
            public=self.public,
            groups=self.groups,
            weights=self.weights,
        )
        return reduced, IdentityPayoff(alphabet)

    @cached_property
    def counts(self) -> sparse.csr_array:
        """The weight of each secret (column) at each distinct observable (row)."""
        shape = (len(self.observables.distinct), len(self.secrets))
        weights = np.ones(len(self)) if self.weights is None else self.weights
        places = (self.observables.distinct.inverse, self.codes)
        return sparse.csr_array(sparse.coo_array((weights, places), shape=shape))

    @cached_property
    def frequencies(self) -> NDArray[np.float64]:
        """The share of each secret in the rows' weight."""
        totals = np.bincount(self.codes, self.weights, len(self.secrets))
        return totals / totals.sum()

    def _refuse_unrepeated(self) -> None:
        if len(self) > _FEW and _all_different(self.codes, self.secrets):
            _refuse_continuous(len(self), "")


def _one_axis(secrets: ArrayLike) -> NDArray[Any]:
    array = np.asarray(secrets)
    if array.ndim != 1:
        raise InputError.must(
            "secrets", "one label per row", f"an array of {array.ndim} axes",
            remedy="pass the secrets first and the observables second",
        )  # fmt: skip
    return array


def as_labels_of(values: ArrayLike) -> Labels:
    """What is given for each row, as an array of one axis."""
    array = np.asarray(values)
    return array if array.ndim == 1 else as_array(array.tolist())


def _weights(values: ArrayLike) -> NDArray[np.float64]:
    weights = np.array(values, dtype=np.float64)
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
    if wrong.size:
        got = f"{weights[wrong[0]]} in row {wrong[0]}"
        raise InputError.must("weights", "finite and above 0", got)
    return frozen(weights)


def _same_length(what: str, got: int, rows: int, where: str = "") -> None:
    if got != rows:
        raise InputError.must(what, f"of {rows} rows, like the secrets", got, where=where)


def _enough(codes: Codes, secrets: Labels, where: str) -> None:
    if len(codes) < 2:
        raise InputError.must("samples", "at least two rows", len(codes), where=where)
    if len(secrets) < 2:
        raise InputError.must(
            "the secret", "of at least two different secrets", f"only {key(secrets[0])!r}",
            where=where, remedy="name the column that holds what an attacker does not know",
        )  # fmt: skip


def _per_secret(name: str, values: Labels, codes: Codes, n_secrets: int, where: str) -> Labels:
    """One value per secret, of a column that must be a function of the secret."""
    _same_length(f"attribute {name!r}", len(values), len(codes), where)
    first = np.zeros(n_secrets, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    known = values[first]
    wrong = np.flatnonzero(known[codes] != values)
    if wrong.size:
        row = int(wrong[0])
        raise InputError.must(
            f"attribute {name!r}", "the same wherever its secret is the same",
            f"{key(values[row])!r} in row {row} after {key(known[codes[row]])!r} in row "
            f"{first[codes[row]]}", where=where,
            remedy="name it as an observable instead",
        )  # fmt: skip
    return frozen(known)


def _never_repeats(codes: Codes, secrets: Labels) -> bool:
    fractions = secrets.dtype.kind == "f" and not (secrets == np.floor(secrets)).all()
    return (fractions or len(codes) > _FEW) and _all_different(codes, secrets)


def _all_different(codes: Codes, secrets: Labels) -> bool:
    return len(codes) == len(secrets) and bool((np.bincount(codes) == 1).all())


def _refuse_continuous(rows: int, where: str) -> None:
    raise InputError.must(
        "the secret", "a label that repeats", f"{rows} different ones in {rows} rows",
        where=where,
        remedy="write a class of it in a column, name that column as an attribute and use the "
        "gain partition:COLUMN, or make the class itself the secret",
    )  # fmt: skip
