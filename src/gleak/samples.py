"""Recorded pairs of secrets and observables, checked and encoded once."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gleak.columns import Column, encode, frozen, refuse_masked
from gleak.errors import InputError, nearest
from gleak.gain import Gain
from gleak.gain_spec import as_gain
from gleak.labels import Codes, Labels, as_given, key
from gleak.observables import Observables, Selection
from gleak.payoff import IdentityPayoff, Payoff
from gleak.roles import Roles, listed
from gleak.source import NOWHERE, Source

if TYPE_CHECKING:
    import polars as pl

_FEW = 10
"""Among so few rows, that no secret comes twice says nothing about the secret."""


@dataclass(frozen=True, eq=False)
class Samples:
    """Pairs of a secret and an observable.

    ``codes`` are positions in the sorted alphabet ``secrets``, which is kept whole by ``take``.
    ``attributes`` hold one value per secret: its class, its coordinates. ``public`` names the
    observable columns known beforehand, ``groups`` the rows that belong together, ``weights``
    how much each row counts, ``source`` the file they were read from, if any.

    >>> samples = Samples.of(["ann", "bob", "ann", "bob"], {"ms": [12, 19, 11, 12]})
    >>> len(samples), samples.secrets.tolist(), samples.codes.tolist()
    (4, ['ann', 'bob'], [0, 1, 0, 1])
    """

    codes: Codes
    secrets: Labels
    observables: Observables
    attributes: Mapping[str, Labels] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    groups: Codes | None = None
    weights: NDArray[np.float64] | None = None
    source: str = ""

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
        seen = Observables.of(observables)
        _same_length("observables", len(seen), len(codes))
        _enough(codes, alphabet, "")
        return cls(
            codes,
            alphabet,
            seen,
            {
                name: _per_secret(Column.of(name, values), codes, len(alphabet), NOWHERE)
                for name, values in (attributes or {}).items()
            },
            listed(public),
            None if groups is None else encode(groups, "groups")[0],
            None if weights is None else _weights(Column.of("weights", weights), NOWHERE),
        )

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        secret: str,
        observables: Sequence[str] | None = None,
        *,
        public: Sequence[str] = (),
        group: str | None = None,
        attributes: Sequence[str] = (),
        weight: str | None = None,
        source: Source = NOWHERE,
    ) -> "Samples":
        """Samples from the named columns of a data frame of any maker.

        Without ``observables``, every column that is nothing else is one.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"key": ["a", "b", "a"], "time": [3, 4, 3]})
        >>> Samples.from_frame(frame, "key").observables.names
        ['time']
        """
        from gleak.frames import as_frame

        table = as_frame(frame)
        roles = Roles.among(
            table.columns, secret, observables,
            public=public, group=group, attributes=attributes, weight=weight, where=source.name,
        )  # fmt: skip
        return cls.of_roles(table, roles, source)

    @classmethod
    def of_roles(cls, table: "pl.DataFrame", roles: Roles, source: Source) -> "Samples":
        """Samples from the columns of a table whose roles are known."""
        from gleak.frames import as_codes, as_column

        def column(name: str) -> Column:
            return as_column(table[name], source)

        def codes_of(name: str) -> tuple[Codes, Labels]:
            return as_codes(table[name], f"column {name!r}", source)

        if table.height < 2:
            _enough(np.zeros(table.height, dtype=np.intp), np.zeros(0), source.name)
        with ThreadPoolExecutor() as threads:  # NumPy and polars let the others run
            later = threads.submit(codes_of, roles.secret)
            columns = threads.map(column, roles.observables)
            codes, secrets = later.result()
            seen = Observables(tuple(columns))
        _enough(codes, secrets, source.name)
        return cls(
            codes,
            secrets,
            seen,
            {
                name: _per_secret(column(name), codes, len(secrets), source)
                for name in roles.attributes
            },
            roles.public,
            None if roles.group is None else codes_of(roles.group)[0],
            None if roles.weight is None else _weights(column(roles.weight), source),
            source.name,
        )

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
            self.source,
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
            source=self.source,
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
        if _never_repeats(self.codes, self.secrets):
            raise InputError.must(
                "the secret", "a label that repeats",
                f"{len(self)} different ones in {len(self)} rows", where=self.source,
                remedy="write a class of it in a column, name that column as an attribute and use "
                "the gain partition:COLUMN, or make the class itself the secret",
            )  # fmt: skip


def _one_axis(secrets: ArrayLike) -> NDArray[Any]:
    refuse_masked(secrets, "secrets")
    array = as_given(secrets)
    if array.ndim != 1:
        raise InputError.must(
            "secrets", "one label per row", f"an array of {array.ndim} axes",
            remedy="pass the secrets first and the observables second",
        )  # fmt: skip
    return array


def _weights(column: Column, source: Source) -> NDArray[np.float64]:
    what = f"weight {column.name!r}"
    if column.categories is not None:
        raise InputError.must(what, "of numbers", "categories", where=source.name)
    wrong = np.flatnonzero(column.values <= 0)
    if wrong.size:
        row = int(wrong[0])
        raise InputError.must(what, "above 0", column.values[row], where=source.at(row))
    return frozen(column.values.astype(np.float64))


def _same_length(what: str, got: int, rows: int) -> None:
    if got != rows:
        raise InputError.must(what, f"of {rows} rows, like the secrets", got)


def _enough(codes: Codes, secrets: Labels, where: str) -> None:
    """Refuse samples from which nothing about their secrets can be learned."""
    if len(codes) < 2:
        raise InputError.must(
            "samples", "at least two rows", len(codes), where=where,
            remedy="record the secret and what was observed more often",
        )  # fmt: skip
    if len(secrets) < 2:
        raise InputError.must(
            "the secret", "of at least two different secrets", f"only {key(secrets[0])!r}",
            where=where, remedy="name the column that holds what an attacker does not know",
        )  # fmt: skip


def _per_secret(column: Column, codes: Codes, n_secrets: int, source: Source) -> Labels:
    """One value per secret, of a column that must be a function of the secret."""
    what = f"attribute {column.name!r}"
    _same_length(what, len(column.values), len(codes))
    first = np.zeros(n_secrets, dtype=np.intp)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # the last one written stays
    known = column.values[first]
    wrong = np.flatnonzero(known[codes] != column.values)
    labels = (lambda marks: marks) if column.categories is None else column.categories.__getitem__
    if wrong.size:
        row = int(wrong[0])
        before = int(first[codes[row]])
        raise InputError.must(
            what, "the same wherever its secret is the same",
            f"{key(labels(column.values[row]))!r} after {key(labels(column.values[before]))!r} "
            f"in {source.row(before)}", where=source.at(row),
            remedy="name it as an observable instead",
        )  # fmt: skip
    return frozen(labels(known))


def _never_repeats(codes: Codes, secrets: Labels) -> bool:
    """Whether a secret is a measurement rather than a label, of which nothing can be learned."""
    fractions = secrets.dtype.kind == "f" and not (secrets == np.floor(secrets)).all()
    all_different = len(codes) == len(secrets) and bool((np.bincount(codes) == 1).all())
    return (fractions or len(codes) > _FEW) and all_different
