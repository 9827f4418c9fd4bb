"""How attackers are compared: training sets, validation sets, and where their numbers come from."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gleak.errors import InputError, nearest

Preprocessing = Literal["data", "channel"]
"""The paper's two ways to any gain: recorded pairs rewritten, or the system asked anew."""

Scale = Literal["quick", "paper"]

_KINDS = {"data": 0, "channel": 1, "validation": 2}
"""What numbers are drawn for: each kind has random numbers of its own."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """Training sets of each size, validation sets that score all attackers, and the seed.

    Every attacker of a study learns from the same training sets. ``effort`` is the share of the
    paper's epochs that networks are trained for.
    """

    training_sets: int = 5
    validation_sets: int = 50
    validation_size: int = 50_000
    effort: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise InputError.must("the seed", "a whole number, not negative", self.seed)

    def rng(self, kind: Preprocessing | Literal["validation"], *place: int) -> np.random.Generator:
        """Random numbers of one kind, for one size and training set."""
        return np.random.default_rng([self.seed, _KINDS[kind], *place])


def protocol(scale: str, seed: int = 0) -> Protocol:
    """The paper's protocol, or one that shows the same in minutes.

    >>> protocol("paper").validation_sets, protocol("quick").validation_sets
    (50, 5)
    """
    if scale == "paper":
        return Protocol(seed=seed)
    if scale == "quick":
        return Protocol(training_sets=1, validation_sets=5, effort=0.04, seed=seed)
    raise InputError(f"unknown scale {scale!r}; {nearest(scale, ['quick', 'paper'])}")


@dataclass(frozen=True, slots=True)
class Cell:
    """One attacker of one study, trained on one training set of one size."""

    study: str
    attacker: str
    preprocessing: Preprocessing
    size: int
    training_set: int
