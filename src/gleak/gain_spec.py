"""Gains as text, the way the command line and configuration files write them."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gleak.errors import InputError, nearest
from gleak.gain import Distance, Function, Gain, Partition, bayes, matrix, partition, tries
from gleak.matrix_file import TEXT_ENDINGS

SPECS = (
    "bayes, tries:K, partition:COL, distance:SCALE[:COL,COL][:OPTIONS], FILE.csv or module:function"
)


def as_gain(spec: str | Gain) -> Gain:
    """A gain from its spec; a gain is passed on as it is.

    >>> as_gain("tries:2")
    Tries(k=2)
    >>> as_gain("distance:250:row,col:peak=4,rate=0.95,step=1").columns
    ('row', 'col')
    """
    if isinstance(spec, Gain):
        return spec
    if not isinstance(spec, str):
        raise InputError.must(
            "a gain", "a spec as text or one of gleak's gains", repr(spec)[:60],
            remedy="wrap a function in gleak.function and an array in gleak.matrix",
        )  # fmt: skip
    kind, _, rest = spec.partition(":")
    if spec.lower().endswith(TEXT_ENDINGS):
        return matrix(spec)
    readers: dict[str, Callable[[str, str], Gain]] = {
        "bayes": _bayes,
        "tries": _tries,
        "partition": _partition,
        "distance": _distance,
    }
    if kind in readers:
        return readers[kind](rest, spec)
    if kind and rest:
        return _imported(kind, rest, spec)
    raise InputError(f"unknown gain {spec!r}; {nearest(kind, list(readers))} (a gain is {SPECS})")


def _bayes(rest: str, spec: str) -> Gain:
    if rest:
        raise InputError.must("a gain", "'bayes' without more", repr(spec))
    return bayes()


def _tries(rest: str, spec: str) -> Gain:
    if not rest.isdecimal() or int(rest) < 1:
        raise InputError.must("a gain of tries", "'tries:K' with K at least 1", repr(spec))
    return tries(int(rest))


def _partition(rest: str, spec: str) -> Partition:
    if not rest:
        raise InputError.must("a gain of classes", "'partition:COL'", repr(spec))
    return partition(rest)


def _distance(rest: str, spec: str) -> Distance:
    scale, *more = rest.split(":")
    options: dict[str, Any] = {}
    columns: tuple[str, ...] = ()
    for part in more:
        if "=" in part:
            options |= {name: value for name, _, value in _halves(part)}
        else:
            columns = tuple(part.split(","))
    known = ["shape", "peak", "rate", "step"]
    for option in options:
        if option not in known:
            raise InputError(f"unknown option {option!r} in {spec!r}; {nearest(option, known)}")
    try:
        values: dict[str, Any] = {k: v if k == "shape" else float(v) for k, v in options.items()}
        return Distance(float(scale), columns, **values)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError.must(
            "a gain of distance", "'distance:SCALE[:COL,COL][:peak=4,rate=0.95]'", repr(spec)
        ) from None


def _halves(options: str) -> list[tuple[str, str, str]]:
    return [option.partition("=") for option in options.split(",")]


def _imported(module: str, name: str, spec: str) -> Gain:
    found = import_object(module, name, what=f"gain {spec!r}")
    if isinstance(found, Gain):
        return found
    if not callable(found):
        raise InputError.must(f"gain {spec!r}", "a function of a guess and a secret", type(found))
    return Function(found)


def import_object(module: str, name: str, *, what: str) -> Any:
    """An object of a module that stands in the working directory or is installed."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = importlib.import_module(module)
    except Exception as error:  # whatever somebody's module does while it is imported
        raise InputError(f"{what}: module {module!r} cannot be imported: {error}") from error
    if not hasattr(found, name):
        raise InputError(f"{what}: module {module!r} has no {name!r}; {nearest(name, dir(found))}")
    return getattr(found, name)
