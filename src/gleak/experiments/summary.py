"""What a reproduction found, cell by cell: the paper's error, ours, that of ``auto``, the floor."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any, Literal

import numpy as np

from gleak._version import __version__
from gleak.experiments.attacks import AUTO, PERFECT
from gleak.experiments.protocol import Cell, Preprocessing, Protocol
from gleak.experiments.published import mean_error
from gleak.experiments.runs import Run
from gleak.payoff import Floats

_Place = tuple[str, str, Preprocessing, int]
"""Where in the table cells stand that differ in their training set only."""

Beside = Literal["as published", "better", "worse"]

_SHARE, MARGIN = 0.15, 0.003
"""Errors that differ by this share, or by no more than this, are taken for the same: the paper's
are read off its plots, and training sets differ."""


@dataclass(frozen=True, slots=True)
class Line:
    """An attacker of a study at one size: errors δ over all training and validation sets.

    ``mean``, ``dispersion`` and ``total`` are the paper's measures of error, ``gap`` is the mean
    of (V_g − V(f))/V_g, which has no noise of validation sets in it. ``published`` is the paper's
    mean error; ``auto`` and ``floor`` are those of the library's choice and of the perfect
    attacker on the same validation sets. ``missing`` training sets are still to be learned from.
    """

    study: str
    attacker: str
    preprocessing: Preprocessing
    size: int
    training_sets: int
    mean: float
    dispersion: float
    total: float
    gap: float | None
    published: float | None
    auto: float | None
    floor: float | None
    missing: int = 0

    @property
    def beside_paper(self) -> Beside | None:
        """How it compares with what the paper published, where it did."""
        if self.published is None:
            return None
        if abs(self.mean - self.published) <= max(_SHARE * self.published, MARGIN):
            return "as published"
        return "better" if self.mean < self.published else "worse"

    @property
    def ratio(self) -> float | None:
        """Its mean error in units of the floor."""
        return self.mean / self.floor if self.floor else None


@dataclass(frozen=True)
class Reproduction:
    """The runs of a plan under a protocol, and what follows from them.

    ``missing`` are the plan's cells that are not run yet: their figures are left out.
    """

    runs: tuple[Run, ...]
    protocol: Protocol
    missing: tuple[Cell, ...] = ()

    @property
    def lines(self) -> list[Line]:
        """One for each attacker, pre-processing and size of each study."""
        left = Counter(map(_place, self.missing))
        return [replace(line, missing=left[_place(line)]) for line in summary(self.runs)]

    @property
    def studies(self) -> dict[str, list[Line]]:
        """The lines of each study."""
        return {study: list(lines) for study, lines in groupby(self.lines, lambda line: line.study)}

    @property
    def unfinished(self) -> set[tuple[str, str]]:
        """Attackers, each with its study, of whom not every cell is run."""
        return {(cell.study, cell.attacker) for cell in self.missing}

    @property
    def seconds(self) -> float:
        """What it took to learn and to score everything, had one machine done it."""
        return sum(run.seconds for run in self.runs)

    @property
    def machines(self) -> list[str]:
        """Where it was done."""
        return sorted({run.machine for run in self.runs})

    @property
    def created(self) -> str:
        """When the last of it was done."""
        return max(run.created for run in self.runs)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        lines = [
            asdict(line) | {"beside_paper": line.beside_paper, "ratio": line.ratio}
            for line in self.lines
        ]
        return {
            "schema_version": 1,
            "protocol": asdict(self.protocol),
            "lines": lines,
            "runs": {"kept": len(self.runs), "missing": len(self.missing)},
            "machines": self.machines,
            "seconds": round(self.seconds, 1),
            "provenance": {
                "gleak": __version__, "seed": self.protocol.seed, "created": self.created,
            },
        }  # fmt: skip


def summary(runs: Sequence[Run]) -> list[Line]:
    """A line for each attacker of each study but the perfect one, which is everybody's floor."""
    cells: dict[_Place, list[Run]] = {}
    for run in runs:
        cells.setdefault(_place(run.cell), []).append(run)
    means = {place: float(_errors(found).mean()) for place, found in cells.items()}
    return [_line(found, means) for place, found in cells.items() if place[1] != PERFECT]


def _place(of: Cell | Line) -> _Place:
    return of.study, of.attacker, of.preprocessing, of.size


def _line(runs: list[Run], means: Mapping[_Place, float]) -> Line:
    cell, errors = runs[0].cell, _errors(runs)
    gaps = [run.gap for run in runs if run.gap is not None]
    return Line(
        study=cell.study,
        attacker=cell.attacker,
        preprocessing=cell.preprocessing,
        size=cell.size,
        training_sets=len(runs),
        mean=float(errors.mean()),
        dispersion=float(errors.std()),
        total=float(np.sqrt((errors**2).mean())),
        gap=float(np.mean(gaps)) if gaps else None,
        published=mean_error(cell.study, cell.attacker, cell.preprocessing, cell.size),
        auto=means.get((cell.study, AUTO, "data", cell.size)),
        floor=means.get((cell.study, PERFECT, "data", 0)),
    )


def _errors(runs: Sequence[Run]) -> Floats:
    return np.concatenate([run.errors for run in runs])
