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

from gleak.errors import InputError, nearest
from gleak.labels import Labels, as_labels, key, locate
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

    @property
    def name(self) -> str:  # type: ignore[override]
        """The spec of this gain."""
        if isinstance(self.by, str):
            return f"partition:{self.by}"
        return f"partition:{getattr(self.by, '__name__', 'mapping')}"

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        alphabet = as_labels(secrets, "secrets")
        classes, class_of = np.unique(self.classes(alphabet, attributes), return_inverse=True)
        return PartitionPayoff(alphabet, class_of, as_labels(classes, "classes"))

    def classes(self, secrets: Labels, attributes: Attributes | None = None) -> Labels:
        if isinstance(self.by, str):
            return column(attributes, self.by)
        if isinstance(self.by, Mapping):
            known = as_labels(list(self.by), "the partition's secrets")
            values = list(self.by.values())
            places = locate(secrets.tolist(), known, "the partition")
            return np.array([values[place] for place in places])
        return np.array([self.by(secret) for secret in secrets.tolist()])


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
            if not (np.isfinite(value) and value > 0):
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
        found = [column(attributes, name) for name in self.columns] or [secrets]
        try:
            points = np.stack([np.asarray(values, dtype=np.float64) for values in found], axis=1)
        except (TypeError, ValueError):
            raise InputError.must(
                "the secrets of a distance gain",
                "numbers",
                f"{key(secrets.tolist()[0])!r}",
                remedy="name the columns that hold their coordinates",
            ) from None
        return points

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
        shape = (len(self.guesses), None if self.secrets is None else len(self.secrets))
        if self.values.ndim != 2 or self.values.shape[0] != shape[0] or (
            shape[1] is not None and self.values.shape[1] != shape[1]
        ):  # fmt: skip
            raise InputError.must(
                "a gain matrix",
                f"of {shape[0]} guesses × {shape[1] or 'the secrets'}",
                " × ".join(map(str, self.values.shape)),
            )
        if not np.isfinite(self.values).all():
            row, col = np.argwhere(~np.isfinite(self.values))[0]
            secret = key(self.secrets[col] if self.secrets is not None else int(col))
            raise InputError.must(
                "a gain",
                "a finite number",
                f"{self.values[row, col]} for guess {key(self.guesses[row])!r}"
                f" and secret {secret!r}",
            )

    def bind(self, secrets: ArrayLike, attributes: Attributes | None = None) -> Payoff:
        alphabet = as_labels(secrets, "secrets")
        if self.secrets is not None:
            places = locate(alphabet.tolist(), self.secrets, "the gain matrix")
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
        rows = [[self.of(guess, x) for x in alphabet.tolist()] for guess in guesses.tolist()]
        return Matrix(np.array(rows, dtype=np.float64), guesses, alphabet).bind(alphabet)


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
    columns: Sequence[str] = (),
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
    return Distance(scale, tuple(columns), shape, peak, rate, step)


def matrix(
    values: object, *, guesses: ArrayLike | None = None, secrets: ArrayLike | None = None
) -> Matrix:
    """Any gain from a matrix: an array, a data frame, or a CSV file.

    An array has a row per guess and a column per secret; without ``secrets`` its columns follow
    the data's secrets in their sorted order. In a data frame and in a file the header names the
    secrets and the first column the guesses.

    >>> matrix([[1, 0], [-1, 2.5]], secrets=["a", "b"]).bind(["b", "a"]).matrix()
    array([[ 0. ,  1. ],
           [ 2.5, -1. ]])
    """
    if isinstance(values, str | Path):
        read = read_matrix(values, named=True)
        labels = [_all_different(names) for names in (read.rows, read.columns)]
        return Matrix(np.asarray(read.values), labels[0], labels[1], str(values))
    if hasattr(values, "columns"):
        return _from_frame(values)
    table = np.asarray(values, dtype=np.float64)
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


def column(attributes: Attributes | None, name: str) -> Labels:
    """A column known of each secret, or a refusal that names the nearest one."""
    known = dict(attributes or {})
    if name not in known:
        raise InputError(
            f"the gain needs a column {name!r} of the secrets; "
            + (nearest(name, list(known)) if known else "the data has none")
        )
    return known[name]


def _all_different(labels: Labels | None) -> Labels:
    assert labels is not None  # a matrix read as named has both
    return as_labels(labels, "labels of the gain matrix")


def _from_frame(frame: Any) -> Matrix:
    import narwhals as nw

    table: nw.DataFrame[Any] = nw.from_native(frame, eager_only=True)
    guess_column, *secret_columns = table.columns
    values = table.select(secret_columns).to_numpy().astype(np.float64)
    guesses = as_labels(table[guess_column].to_list(), "guesses")
    return Matrix(values, guesses, as_labels(secret_columns, "secrets"))
