"""Systems to study attackers on: what is true of each is known exactly."""

from collections.abc import Callable, Mapping

from gleak.errors import InputError, nearest
from gleak.experiments import differential_privacy, location, multiple_guesses, password
from gleak.experiments._base import Examined, Experiment

__all__ = ["EXPERIMENTS", "Examined", "Experiment", "experiment"]

EXPERIMENTS: Mapping[str, Callable[[], Experiment]] = {
    "multiple_guesses": multiple_guesses.experiment,
    "location": location.experiment,
    "differential_privacy": differential_privacy.experiment,
    "password": password.experiment,
}
"""Every experiment at its default parameters, made when called for."""


def experiment(name: str) -> Experiment:
    """An experiment by its name.

    >>> experiment("multiple_guesses").prior_vulnerability
    0.2
    """
    if name not in EXPERIMENTS:
        raise InputError(f"unknown experiment {name!r}; {nearest(name, list(EXPERIMENTS))}")
    return EXPERIMENTS[name]()
