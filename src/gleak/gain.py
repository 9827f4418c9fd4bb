"""What an attacker is after, said independently of any data.

A ``Gain`` becomes a ``Payoff`` when it is bound to an alphabet of secrets.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from gleak.columns import encode
from gleak.errors import InputError, nearest
from gleak.files import is_number
from gleak.labels import Labels, as_array, as_labels, key, locate
from gleak.matrix_file import read_matrix
from gleak.payoff import (
    MATRIX_LIMIT,
    Floats,
    IdentityPayoff,
    MatrixPayoff,
    PartitionPayoff,
    Payoff,
    TriesPayoff,
)

Attributes = Mapping[str, Labels]
"""What is known of each secret besides its label: columns aligned with the alphabet."""

Shape = Literal["exponential", "linear", "threshold"]


class Gain(ABC):
    """What an attacker is after. ``name`` is its spec, as the command line writes it."""

    name: str

    @abstractmethod
    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        """The payoff of this gain over an alphabet of secrets."""

    def classes(self, secrets: Labels, attributes: Attributes | None = None) -> Labels | None:
        """The class of each secret where nothing else of it matters, else None.

        Samples of such a gain can be reduced to classes before anything is learned, which is
        what makes 128-bit passwords as easy as one bit of them.
        """
        return None


@dataclass(frozen=True)
class Bayes(Gain):
    """One try at the whole secret."""

    name = "bayes"

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        return IdentityPayoff(as_labels(secrets, "secrets"))


@dataclass(frozen=True)
class Tries(Gain):
    """k tries at the whole secret."""

    k: int

    def __post_init__(self) -> None:
        if not isinstance(self.k, int | np.integer) or isinstance(self.k, bool) or self.k < 1:
            raise InputError.must("the number of tries", "a whole number from 1", repr(self.k))

    @property
    def name(self) -> str:  # type: ignore[override]
        """The spec of this gain."""
        return f"tries:{self.k}"

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        return TriesPayoff(as_labels(secrets, "secrets"), self.k)


@dataclass(frozen=True)
class Partition(Gain):
    """One try at a property of the secret: a column, a mapping or a function says which."""

    by: str | Mapping[object, object] | Callable[[object], object]

    def __post_init__(self) -> None:
        if not (isinstance(self.by, str | Mapping) or callable(self.by)):
            raise InputError.must(
                "what a partition is by", "a column's name, a mapping or a function", repr(self.by)
            )

    @property
    def name(self) -> str:  # type: ignore[override]
        """The spec of this gain."""
        if isinstance(self.by, str):
            return f"partition:{self.by}"
        return f"partition:{getattr(self.by, '__name__', 'mapping')}"

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        alphabet = as_labels(secrets, "secrets")
        class_of, classes = encode(self.classes(alphabet, attributes), "classes")
        return PartitionPayoff(alphabet, class_of, classes)

    def classes(self, secrets: Labels, attributes: Attributes | None = None) -> Labels:
        if isinstance(self.by, str):
            return column(attributes, self.by, len(secrets))
        if isinstance(self.by, Mapping):
            known = as_labels(list(self.by), "the partition's secrets")
            values = list(self.by.values())
            places = locate(secrets.tolist(), known, "the partition")
            return as_array([values[place] for place in places])
        return as_array([_asked(self.by, secret, gain=self.name) for secret in secrets.tolist()])


@dataclass(frozen=True)
class Distance(Gain):
    """A guess earns the more the closer it is to the secret; guesses are the secrets themselves.

    Distances are Euclidean, between numeric secrets or between the coordinates found in the
    named ``columns``. With d/scale = t a guess earns, before rounding to a multiple of ``step``,

    - exponential: peak · exp(−rate · t)
    - linear: peak · max(0, 1 − t)
    - threshold: peak where t ≤ 1, else 0
    """

    scale: float
    columns: tuple[str, ...] = ()
    shape: Shape = "exponential"
    peak: float = 1.0
    rate: float = 1.0
    step: float | None = None

    def __post_init__(self) -> None:
        for what in ("scale", "peak", "rate") + (("step",) if self.step is not None else ()):
            value = getattr(self, what)
            number = isinstance(value, int | float | np.number)
            if not (number and np.isfinite(value) and value > 0):
                raise InputError.must(f"a distance gain's {what}", "a positive number", value)
        if self.shape not in ("exponential", "linear", "threshold"):
            raise InputError(
                f"unknown shape {self.shape!r} of a distance gain; "
                + nearest(self.shape, ["exponential", "linear", "threshold"])
            )

    @property
    def name(self) -> str:  # type: ignore[override]
        """The spec of this gain."""
        parts = [f"distance:{self.scale:.12g}"]
        if self.columns:
            parts.append(",".join(self.columns))
        options = [f"shape={self.shape}"] if self.shape != "exponential" else []
        options += [f"peak={self.peak:.12g}"] if self.peak != 1 else []
        options += [f"rate={self.rate:.12g}"] if self.rate != 1 else []
        options += [f"step={self.step:.12g}"] if self.step is not None else []
        return ":".join(parts + ([",".join(options)] if options else []))

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        from scipy.spatial.distance import cdist

        alphabet = as_labels(secrets, "secrets")
        check_listable(len(alphabet), len(alphabet))
        points = self._points(alphabet, attributes)
        return MatrixPayoff(self._gains(cdist(points, points) / self.scale), alphabet, alphabet)

    def _points(self, secrets: Labels, attributes: Attributes | None) -> Floats:
        if not self.columns:
            way_out = "name the columns that hold their coordinates"
            return _coordinates(secrets, "the secrets", way_out)[:, None]
        found = [(name, column(attributes, name, len(secrets))) for name in self.columns]
        way_out = "name the columns that hold the secrets' coordinates"
        return np.stack(
            [_coordinates(values, f"column {name!r}", way_out) for name, values in found], axis=1
        )

    def _gains(self, ratio: Floats) -> Floats:
        if self.shape == "exponential":
            gains = self.peak * np.exp(-self.rate * ratio)
        elif self.shape == "linear":
            gains = self.peak * np.maximum(0.0, 1.0 - ratio)
        else:
            gains = np.where(ratio <= 1.0, self.peak, 0.0)
        return gains if self.step is None else np.round(gains / self.step) * self.step


@dataclass(frozen=True, eq=False)
class Matrix(Gain):
    """Any gain, listed: a row per guess, a column per secret, both with labels."""

    values: Floats
    guesses: Labels
    secrets: Labels | None
    name: str = "matrix"

    def __post_init__(self) -> None:
        n_guesses = len(self.guesses)
        n_secrets = self.values.shape[-1] if self.secrets is None else len(self.secrets)
        if self.values.shape != (n_guesses, n_secrets) or not self.values.size:
            raise InputError.must(
                "a gain matrix",
                f"of {n_guesses or 'some'} guesses × "
                + ("the secrets" if self.secrets is None else str(n_secrets)),
                " × ".join(map(str, self.values.shape)),
                where=self._where,
                remedy="give it a row per guess and a column per secret",
            )
        if not np.isfinite(self.values).all():
            row, col = np.argwhere(~np.isfinite(self.values))[0]
            secret = key(self.secrets[col] if self.secrets is not None else int(col))
            raise InputError.must(
                "a gain",
                "a finite number",
                f"{self.values[row, col]} for guess {key(self.guesses[row])!r}"
                f" and secret {secret!r}",
                where=self._where,
                remedy="say what that guess earns",
            )

    @property
    def _where(self) -> str:
        return "" if self.name == "matrix" else self.name

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        alphabet = as_labels(secrets, "secrets")
        if self.secrets is not None:
            wanted = alphabet.tolist()
            places = locate(wanted, self.secrets, "the gain matrix", where=self._where)
            return MatrixPayoff(self.values[:, places], self.guesses, alphabet)
        if self.values.shape[1] != len(alphabet):
            raise InputError.must(
                "a gain matrix without labels",
                f"of {len(alphabet)} columns, one per secret",
                self.values.shape[1],
                remedy="give it the secrets' labels",
            )
        return MatrixPayoff(self.values, self.guesses, alphabet)


@dataclass(frozen=True)
class Function(Gain):
    """Any gain, computed: ``of(guess, secret)`` for labels; guesses default to the secrets."""

    of: Callable[[object, object], float]
    guesses: tuple[object, ...] | None = None

    @property
    def name(self) -> str:  # type: ignore[override]
        """The spec of this gain, where its function can be imported."""
        return f"{self.of.__module__}:{getattr(self.of, '__name__', 'function')}"

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        alphabet = as_labels(secrets, "secrets")
        guesses = alphabet if self.guesses is None else as_labels(self.guesses, "guesses")
        check_listable(len(guesses), len(alphabet))
        rows = [
            [_asked(self.of, guess, secret, gain=self.name) for secret in alphabet.tolist()]
            for guess in guesses.tolist()
        ]
        return Matrix(_as_numbers(rows), guesses, alphabet, self.name).bind(alphabet)


def bayes() -> Bayes:
    """One try at the secret: the gain of Bayes vulnerability.

    >>> bayes().bind(["a", "b"]).matrix()
    array([[1., 0.],
           [0., 1.]])
    """
    return Bayes()


def tries(k: int) -> Tries:
    """K tries at the secret.

    >>> tries(2).bind(["a", "b", "c"]).guesses.tolist()
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return Tries(k)


def partition(by: str | Mapping[object, object] | Callable[[object], object]) -> Partition:
    """One try at a property of the secret: a column's name, a mapping, or a function of it.

    >>> partition(lambda secret: secret % 2).bind([1, 2, 3]).matrix()
    array([[0., 1., 0.],
           [1., 0., 1.]])
    """
    return Partition(by)


def distance(
    scale: float,
    columns: str | Sequence[str] = (),
    *,
    shape: Shape = "exponential",
    peak: float = 1.0,
    rate: float = 1.0,
    step: float | None = None,
) -> Distance:
    """The closer the guess, the higher the gain; see ``Distance`` for the shapes.

    >>> distance(1, shape="linear").bind([0, 0.25, 5]).matrix()
    array([[1.  , 0.75, 0.  ],
           [0.75, 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    return Distance(scale, names, shape, peak, rate, step)


def matrix(
    values: object, *, guesses: ArrayLike | None = None, secrets: ArrayLike | None = None
) -> Matrix:
    """Any gain from a matrix: an array, a data frame, or a CSV file.

    An array has a row per guess and a column per secret; without ``secrets`` its columns follow
    the data's secrets in their sorted order. In a data frame and in a file the header names the
    secrets and the first column the guesses; an index of names, as pandas has it, names them too.

    >>> matrix([[1, 0], [-1, 2.5]], secrets=["a", "b"]).bind(["b", "a"]).matrix()
    array([[ 0. ,  1. ],
           [ 2.5, -1. ]])
    """
    if isinstance(values, str | Path):
        read = read_matrix(values, named=True)
        assert read.rows is not None  # what is read as named has names for both
        assert read.columns is not None
        where = str(values)
        guesses = as_labels(read.rows, "the names of guesses", where=where)
        secrets = as_labels(read.columns, "the names of secrets", where=where)
        return Matrix(np.asarray(read.values), guesses, secrets, where)
    if hasattr(values, "columns"):
        return _from_frame(values)
    table = _as_numbers(values)
    if table.ndim != 2:
        raise InputError.must(
            "a gain matrix", "of two axes, a row per guess and a column per secret",
            f"{table.ndim}",
        )  # fmt: skip
    names = np.arange(len(table)) if guesses is None else as_labels(guesses, "guesses")
    return Matrix(table, names, None if secrets is None else as_labels(secrets, "secrets"))


def function(
    of: Callable[[object, object], float], guesses: Sequence[object] | None = None
) -> Function:
    """Any gain from a Python function of a guess and a secret.

    >>> function(lambda w, x: w - x, guesses=[0, 1]).bind([0, 1]).matrix()
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    return Function(of, None if guesses is None else tuple(guesses))


def check_listable(n_guesses: int, n_secrets: int, limit: int = MATRIX_LIMIT) -> None:
    """Refuse to list more gains than fit, before any is computed."""
    if n_guesses * n_secrets > limit:
        raise InputError.must(
            "a gain matrix",
            f"of at most {limit:,} gains",
            f"{n_guesses:,} guesses × {n_secrets:,} secrets",
            remedy="use partition or tries, which need no matrix",
        )


def column(attributes: Attributes | None, name: str, n_secrets: int) -> Labels:
    """A column known of each secret, or a refusal that names the nearest one."""
    known = dict(attributes or {})
    if name not in known:
        raise InputError(
            f"the gain needs a column {name!r} of the secrets; "
            + (nearest(name, list(known)) if known else "nothing but their names is known of them")
        )
    if len(known[name]) != n_secrets:
        raise InputError.must(
            f"column {name!r}", f"of {n_secrets} values, one per secret", len(known[name])
        )
    return known[name]


def _asked(function: Callable[..., object], *labels: object, gain: str) -> Any:
    """What somebody's function says of some labels, or a refusal that says of which it fails."""
    try:
        return function(*labels)
    except Exception as error:
        shown = " and ".join(repr(label) for label in labels)
        raise InputError(
            f"the function of gain {gain!r} fails for {shown}: {type(error).__name__}: {error}"
        ) from error


def _as_numbers(values: object) -> Floats:
    try:
        table = np.asarray(values)
        if not np.iscomplexobj(table):
            return table.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise InputError.must("gains", "rows of real numbers, all of one length", repr(values)[:60])


def _coordinates(values: Labels, what: str, way_out: str) -> Floats:
    """Coordinates of secrets, or a refusal that names the first that is none."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        numbers = np.array([float(x) if is_number(str(x)) else np.nan for x in values.tolist()])
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if wrong.size:
        got = repr(key(values.tolist()[wrong[0]]))
        raise InputError.must(f"{what} of a distance gain", "finite numbers", got, remedy=way_out)
    return numbers


def _from_frame(frame: Any) -> Matrix:
    import narwhals as nw

    table: Any = nw.from_native(frame, eager_only=True)
    columns = list(table.iter_columns())
    index: Any = nw.maybe_get_index(table)
    numbered = index is None or index.dtype.kind in "iu"
    guesses = columns.pop(0).to_list() if numbered else list(index)
    values = _as_numbers([column.to_list() for column in columns]).T
    secrets = [column.name for column in columns]
    return Matrix(values, as_labels(guesses, "guesses"), as_labels(secrets, "secrets"))
