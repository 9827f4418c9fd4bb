"""Which column of a table is what: secret, observable, known beforehand, or something else."""

from collections.abc import Sequence
from dataclasses import dataclass

from gleak.errors import InputError, nearest


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns by what they hold. Without ``observables``, all others are observables."""

    secret: str
    observables: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    group: str | None = None
    attributes: tuple[str, ...] = ()
    weight: str | None = None

    @classmethod
    def among(
        cls,
        names: Sequence[str],
        secret: str,
        observables: Sequence[str] | None = None,
        *,
        public: Sequence[str] = (),
        group: str | None = None,
        attributes: Sequence[str] = (),
        weight: str | None = None,
        where: str = "",
    ) -> "Roles":
        """The roles of a table's columns, each of which must be there and have one role.

        >>> Roles.among(["key", "time", "user"], "key", group="user").observables
        ('time',)
        """
        place = f"{where}: " if where else ""
        observables = None if observables is None else listed(observables)
        public, attributes = listed(public), listed(attributes)
        taken = [secret, *attributes, *_given(weight)]
        for name in [*taken, *(observables or ()), *public, *_given(group)]:
            if name not in names:
                raise InputError(f"{place}no column {name!r}; {nearest(name, list(names))}")
        if observables is None:
            observables = [name for name in names if name not in {*taken, group}]
        seen = [*observables, *(name for name in public if name not in observables)]
        _refuse_two_roles([*taken, *seen], place)
        if not seen:
            raise InputError(f"{place}no column is left to observe besides {secret!r}; add one")
        if "" in seen:
            raise InputError(
                f"{place}a column to observe has no name; name it, or remove it "
                "(pandas writes such a column unless told index=False)"
            )
        return cls(secret, tuple(seen), tuple(public), group, tuple(attributes), weight)

    @property
    def columns(self) -> list[str]:
        """Every column that is needed, once."""
        others = (self.secret, *self.observables, *self.attributes)
        return list(dict.fromkeys([*others, *_given(self.group), *_given(self.weight)]))


def listed(names: Sequence[str]) -> tuple[str, ...]:
    """Some names; a single one need not be in a list.

    >>> listed("time"), listed(["time", "size"])
    (('time',), ('time', 'size'))
    """
    return (names,) if isinstance(names, str) else tuple(names)


def _given(name: str | None) -> list[str]:
    return [] if name is None else [name]


def _refuse_two_roles(names: list[str], place: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"{place}column {name!r} is given twice; a column is either the secret, "
                "an observable, an attribute or the weight"
            )
