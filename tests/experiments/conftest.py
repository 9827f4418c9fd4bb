"""Runs whose errors are known, for whatever is made of runs."""

import numpy as np
import pytest

from gleak.experiments.protocol import Cell
from gleak.experiments.runs import Run


def _run(study, attacker, size, errors, training_set=0, route="data", truth=0.5, gap=None):
    values = np.asarray(errors) * (-1.0 if truth is None else truth) + (truth or 1.0)
    cell = Cell(study, attacker, route, size, training_set)
    name = f"{study}-{attacker}-{route}-{size}-{training_set}"
    return Run(
        cell, name, values, "words", 2.0, truth, gap, machine="a machine",
        created="2026-01-02T03:04:05+00:00",
    )  # fmt: skip


@pytest.fixture
def run():
    """Make a run with given errors δ."""
    return _run
