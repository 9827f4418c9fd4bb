"""How much may be given away: budgets, and the files and options they are written in."""

import math
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from gleak.errors import InputError, nearest
from gleak.files import present, read_text

Quantity = Literal["vulnerability", "multiplicative", "additive", "min_entropy_bits"]
"""What a budget can be on; the names are those of an estimate's JSON."""

QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)

_LEAST: dict[Quantity, float] = {
    "vulnerability": -math.inf,
    "multiplicative": 1.0,
    "additive": 0.0,
    "min_entropy_bits": 0.0,
}
"""What each quantity is for a system that gives nothing away: no budget can be below."""

_HOW = (
    "give one of --max-vulnerability, --max-multiplicative, --max-additive and "
    "--max-min-entropy-bits, or write for instance 'max-multiplicative = 1.5' under [tool.gleak] "
    "in pyproject.toml, or in a TOML file named with --budget"
)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a budget is written; lines count from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


@dataclass(frozen=True, slots=True)
class Budget:
    """The most of one quantity that may be given away, of one gain or of every gain.

    >>> print(Budget("multiplicative", 1.5))
    max-multiplicative = 1.5
    """

    quantity: Quantity
    most: float
    gain: str | None = None
    source: Source | None = None

    def __post_init__(self) -> None:
        where = "" if self.source is None else str(self.source)
        number = isinstance(self.most, int | float) and not isinstance(self.most, bool)
        if not (number and math.isfinite(self.most)):
            raise InputError.must(self.key, "a finite number", repr(self.most), where=where)
        least = _LEAST[self.quantity]
        if self.most < least:
            raise InputError.must(
                self.key, f"at least {least:g}, which is no leakage at all", f"{self.most:g}",
                where=where,
            )  # fmt: skip

    @property
    def key(self) -> str:
        """Its name as an option and in a file."""
        return _key(self.quantity)

    def __str__(self) -> str:
        return f"{self.key} = {self.most:g}"

    def check_range(self, gain: str, low: float, high: float) -> None:
        """Refuse a vulnerability that every attacker of this gain keeps to, or none."""
        if self.quantity == "vulnerability" and low < high and not low <= self.most < high:
            raise InputError.must(
                self.key, f"at least {low:g} and below {high:g} for the gain {gain}",
                f"{self.most:g}", where="" if self.source is None else str(self.source),
                remedy="budgets of one gain alone go in a table [tool.gleak.gains.\"GAIN\"]",
            )  # fmt: skip


def budgets(
    options: Mapping[Quantity, float | None] | None = None, file: str | Path | None = None
) -> list[Budget]:
    """The budgets given as options and in a file; an option replaces the file's of its quantity.

    Without a file, the nearest ``pyproject.toml`` upwards counts where it has ``[tool.gleak]``.

    >>> [str(budget) for budget in budgets({"additive": 0.1}, None)]
    ['max-additive = 0.1']
    """
    given = {name: most for name, most in (options or {}).items() if most is not None}
    path = _nearest_project() if file is None else Path(file)
    written = [] if path is None else read_budgets(path, required=file is not None)
    kept = [budget for budget in written if budget.quantity not in given]
    found = [*kept, *(Budget(name, most) for name, most in given.items())]
    if not found:
        raise InputError(f"there is no budget to check; {_HOW}")
    return found


def gains_of(found: Sequence[Budget], asked: Sequence[str] = ()) -> list[str]:
    """The gains to judge: those asked for and those with budgets of their own.

    >>> gains_of([Budget("additive", 0.1), Budget("additive", 0.2, gain="tries:2")])
    ['bayes', 'tries:2']
    """
    general = any(budget.gain is None for budget in found)
    named = [budget.gain for budget in found if budget.gain is not None]
    return list(dict.fromkeys([*(asked or (["bayes"] if general else [])), *named]))


def budgets_of(found: Sequence[Budget], gain: str) -> list[Budget]:
    """The budgets of one gain: its own, and the general ones it has no own for."""
    own = [budget for budget in found if budget.gain == gain]
    quantities = {budget.quantity for budget in own}
    general = [b for b in found if b.gain is None and b.quantity not in quantities]
    return [*general, *own]


def read_budgets(path: str | Path, *, required: bool = True) -> list[Budget]:
    """Budgets from ``[tool.gleak]`` of a pyproject.toml, or from any other TOML file's top level.

    ``[tool.gleak.gains."tries:2"]`` (``[gains."tries:2"]`` elsewhere) holds those of one gain.
    """
    known = present(path, (".toml",))
    text = read_text(known)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {error}") from None
    home = ("tool", "gleak") if known.name == "pyproject.toml" else ()
    table: Any = document
    for name in home:
        table = table.get(name, {}) if isinstance(table, Mapping) else {}
    if required and not table:
        raise InputError(f"{path} has no budget{' under [tool.gleak]' if home else ''}; {_HOW}")
    return list(_Written(str(path), _lines(text)).budgets(table, home))


@dataclass(frozen=True)
class _Written:
    """A budget file: its name and the line on which each key stands."""

    file: str
    lines: dict[tuple[str, ...], int]

    def budgets(self, table: Any, place: tuple[str, ...]) -> Iterator[Budget]:
        """The budgets of a whole file."""
        own = dict(self._table(table, place))
        gains = self._table(own.pop("gains", {}), (*place, "gains"))
        yield from self._of_gain(own, place, None, ["gains"])
        for gain, inner in gains.items():
            inside = (*place, "gains", gain)
            yield from self._of_gain(self._table(inner, inside), inside, gain, [])

    def _of_gain(
        self, table: Mapping[str, Any], place: tuple[str, ...], gain: str | None, more: list[str]
    ) -> Iterator[Budget]:
        known = {_key(quantity): quantity for quantity in QUANTITIES}
        for key, most in table.items():
            source = self._source((*place, key))
            if key not in known:
                hint = nearest(key, [*known, *more])
                raise InputError(f"{source}: unknown key {key!r}; {hint}")
            yield Budget(known[key], most, gain, source)

    def _table(self, value: Any, place: tuple[str, ...]) -> Mapping[str, Any]:
        if isinstance(value, Mapping):
            return value
        raise InputError.must(
            f"[{'.'.join(place)}]", "a table", repr(value), where=str(self._source(place))
        )

    def _source(self, place: tuple[str, ...]) -> Source:
        """Where a key stands, or the nearest table around it (inline tables share a line)."""
        inside = (place[:size] for size in range(len(place), 0, -1))
        return Source(self.file, next((self.lines[p] for p in inside if p in self.lines), 1))


def _key(quantity: str) -> str:
    return f"max-{quantity.replace('_', '-')}"


_KEY = r"""(?:"[^"]*"|'[^']*'|[^=#"'\s])(?:"[^"]*"|'[^']*'|[^=#"'])*?"""
_LINE = re.compile(rf"\s*(?:(?P<header>\[[^\[].*?\])\s*(?:#.*)?|(?P<key>{_KEY})\s*=.*)$")


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of each table and key, which the TOML reader does not tell."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.match(line)
        if match is None:
            continue
        if match["header"]:
            table = _path(match["header"])
            found.setdefault(table, number)
        else:
            found.setdefault((*table, *_path(f"{match['key']} = 0")), number)
    return found


def _path(fragment: str) -> tuple[str, ...]:
    """The names along a dotted key, quoted or not, as the TOML reader understands them."""
    try:
        inner: Any = tomllib.loads(fragment)
    except tomllib.TOMLDecodeError:  # a line of a longer text or array
        return ("",)
    names = []
    while isinstance(inner, dict) and inner:
        [(name, inner)] = inner.items()
        names.append(name)
    return tuple(names)


def _nearest_project() -> Path | None:
    here = Path.cwd()
    found = (d / "pyproject.toml" for d in (here, *here.parents))
    path = next((path for path in found if path.is_file()), None)
    return None if path is None else Path(os.path.relpath(path))
