"""How long, in what steps and at what rate a network learns."""

from dataclasses import dataclass
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gleak.adversaries._base import positive
from gleak.errors import InputError, nearest

Schedule = Literal["constant", "cosine"]

PARTS = 20
"""Parts of a training: as often is progress shown and the network judged."""

_LARGEST, _SHARE = 1000, 0.1
"""A batch, unless it is given: how many samples at most, and what share of them."""


@dataclass(frozen=True, slots=True)
class Training:
    """How a network learns, with Adam.

    It takes ``steps`` gradient steps, or goes ``epochs`` times over the samples, in batches of
    ``batch`` (None: a tenth of the samples, at most 1000). Where ``per_copy`` holds, epochs and
    batches are those of the copies of data pre-processing (Algorithm 1: one copy of a sample per
    unit of gain), although no copy is made: the gradient steps are as many, each over the
    samples whose copies a batch would hold.

    With ``early_choice`` a tenth of the samples is held out. Of twenty moments of the training
    the one that does best on them is kept: the mean of the weights of late, at the temperature
    that suits it.

    >>> plan = Training(epochs=700, per_copy=True).plan(n_samples=10_000, copies_per_sample=9)
    >>> plan.steps, plan.rows
    (63000, 111)
    """

    steps: int = 3000
    epochs: int | None = None
    batch: int | None = None
    per_copy: bool = False
    learning_rate: float = 1e-3
    schedule: Schedule = "cosine"
    early_choice: bool = True

    def plan(self, n_samples: int, copies_per_sample: float = 1.0) -> "Plan":
        """The gradient steps for so many samples."""
        self._check()
        each = copies_per_sample if self.per_copy else 1.0
        copies = round(n_samples * each)
        batch = self.batch or min(_LARGEST, ceil(_SHARE * copies))
        steps = self.steps if self.epochs is None else self.epochs * ceil(copies / batch)
        rows = min(n_samples, max(1, round(batch / each)))
        return Plan(steps, rows, self.learning_rate, self.schedule)

    def _check(self) -> None:
        for what in ("steps", "batch", "learning_rate", "epochs"):
            value = getattr(self, what)
            if value is not None and not positive(value):
                raise InputError.must(f"a training's {what}", "a positive number", repr(value))
            if what != "learning_rate" and value is not None and value != int(value):
                raise InputError.must(f"a training's {what}", "a whole number", value)
        if self.schedule not in ("constant", "cosine"):
            known = nearest(self.schedule, ["constant", "cosine"])
            raise InputError(f"unknown schedule {self.schedule!r} of a training; {known}")


@dataclass(frozen=True, slots=True)
class Plan:
    """Gradient steps, each over ``rows`` samples."""

    steps: int
    rows: int
    learning_rate: float
    schedule: Schedule

    @property
    def parts(self) -> list[int]:
        """The steps of each part, more in each than in the one before.

        A network that learns its samples by heart starts early.
        """
        share = np.linspace(0, 1, PARTS + 1) ** 2
        ends = np.unique(np.ceil(self.steps * share).astype(int))
        return np.diff(ends).tolist()

    def rates(self) -> list[NDArray[np.float32]]:
        """The learning rate of every step, part by part."""
        turn = np.pi * np.arange(self.steps) / self.steps
        share = 1.0 if self.schedule == "constant" else (1 + np.cos(turn)) / 2
        rates = np.full(self.steps, self.learning_rate * share, np.float32)
        return np.split(rates, np.cumsum(self.parts)[:-1])
