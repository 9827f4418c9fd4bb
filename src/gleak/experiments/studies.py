"""Every study by its name."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from gleak.errors import InputError, nearest
from gleak.experiments import (
    depth,
    differential_privacy,
    location,
    mnist,
    multiple_guesses,
    password,
    vote,
)
from gleak.experiments.study import Study

NUS = (0.1, 0.5, 1.0)
"""The delays of the password checker that are studied: the paper does not say which it has."""

MNIST = "mnist"

_MAKERS: Mapping[str, Callable[[], Study]] = {
    "multiple_guesses": multiple_guesses.study,
    "location": location.study,
    "differential_privacy": differential_privacy.study,
    **{f"password-{nu:g}": partial(password.study, nu) for nu in NUS},
    "depth": depth.study,
    "vote": vote.study,
}

STUDIES = (*_MAKERS, MNIST)
"""All names, in the order of the paper."""

_SEVERAL = {"all": STUDIES, "password": tuple(f"password-{nu:g}" for nu in NUS)}
"""Names that stand for several studies."""


def named(names: Sequence[str]) -> list[str]:
    """The studies that some names stand for, each once, in the order of the paper.

    >>> named(["password", "location"])
    ['location', 'password-0.1', 'password-0.5', 'password-1']
    """
    known = [*_SEVERAL, *STUDIES]
    wanted: set[str] = set()
    for name in names:
        if name not in known:
            raise InputError(f"unknown experiment {name!r}; {nearest(name, known)}")
        wanted.update(_SEVERAL.get(name, [name]))
    return [name for name in STUDIES if name in wanted]


@cache
def study(name: str, data: Path | None = None) -> Study:
    """A study by its name; ``data`` is the folder of MNIST's files. Made once per process."""
    if name != MNIST:
        return _MAKERS[name]()
    if data is None:
        raise InputError("MNIST is not fetched; name the folder of its four files with --data")
    return mnist.study(data)


def described(name: str) -> Study:
    """A study to be spoken of: nothing of its data is read for that."""
    return study(name, Path() if name == MNIST else None)
