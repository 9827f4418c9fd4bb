"""One runner for every study: what is missing is learned, scored and kept."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

from gleak.errors import InputError
from gleak.experiments.attacks import Attack, Kind, on_accelerator
from gleak.experiments.forecast import Forecast
from gleak.experiments.protocol import Cell, Protocol
from gleak.experiments.runs import Run, RunFolder, run_id
from gleak.experiments.studies import study
from gleak.experiments.study import Study
from gleak.parallel import Runner

Progress = Callable[[str, float], None]
"""Told what was done last, and the share of the work that is done."""


@dataclass(frozen=True)
class Plan:
    """Which studies, by which attackers (all of the study's unless named), under which protocol.

    ``data`` is the folder of MNIST's files.
    """

    studies: tuple[str, ...]
    protocol: Protocol
    attackers: tuple[str, ...] = ()
    data: Path | None = None

    def study(self, name: str) -> Study:
        """One of the studies."""
        return study(name, self.data)

    def attacks(self, name: str) -> list[Attack]:
        """Who attacks in a study."""
        return self.study(name).attackers(self.attackers)

    def tasks(self) -> "list[Task]":
        """Everything there is to do, study after study."""
        return [
            Task(name, place, attack.kind, tuple((cell, self._id(attack, cell)) for cell in cells))
            for name in self.studies
            for place, attack in enumerate(self.attacks(name))
            for cells in self.study(name).tasks(attack, self.protocol)
        ]

    def missing(self, runs: Sequence[Run]) -> tuple[Cell, ...]:
        """The cells that some runs leave out."""
        there = {run.cell for run in runs}
        cells = (cell for task in self.tasks() for cell, _ in task.cells)
        return tuple(cell for cell in cells if cell not in there)

    def _id(self, attack: Attack, cell: Cell) -> str:
        return run_id(cell, attack.configuration(cell, self.protocol), self.protocol)


@dataclass(frozen=True)
class Task:
    """Cells that are learned in one go, with their ids; the attacker by its place in the study."""

    study: str
    attack: int
    kind: Kind
    cells: tuple[tuple[Cell, str], ...]

    @property
    def sort(self) -> tuple[str, ...]:
        """What its seconds per sample depend on."""
        return (self.kind, self.study, self.cells[0][0].preprocessing, self.cells[0][0].attacker)

    @property
    def units(self) -> float:
        """The samples to learn from, and a little for scoring."""
        return float(sum(cell.size + 1_000 for cell, _ in self.cells))

    def missing(self, folder: RunFolder) -> "Task | None":
        """What of it is not kept yet."""
        left = tuple((cell, name) for cell, name in self.cells if name not in folder)
        return Task(self.study, self.attack, self.kind, left) if left else None


_Answer = tuple[Task, list[Run], float]
"""A task, its runs, and the seconds it took."""


def run(
    plan: Plan, folder: RunFolder, runner: Runner | None = None, progress: Progress | None = None
) -> list[Run]:
    """Every run of a plan, in its order: those kept in the folder, and the others done now."""
    tasks = _tasks(plan)
    folder.create()
    todo = [left for task in tasks if (left := task.missing(folder))]
    forecast = Forecast((task.sort, task.units) for task in todo)
    for task, runs, seconds in _answers(plan, todo, runner or Runner()):
        for found in runs:
            folder.write(found)
        forecast.done(task.sort, task.units, seconds)
        if progress is not None:
            progress(f"{task.study}: {runs[0].cell.attacker}", forecast.share)
    return [folder.read(name) for task in tasks for _, name in task.cells]


def kept(plan: Plan, folder: RunFolder) -> list[Run]:
    """The runs of a plan that are kept so far, in its order; nothing is learned or written.

    Another process may be writing into the folder meanwhile.
    """
    names = [name for task in _tasks(plan) for _, name in task.cells]
    found = [folder.read(name) for name in names if name in folder]
    if not found:
        raise InputError(
            f"none of the {len(names)} runs asked for is kept in {folder.folder}, which has "
            f"{len(folder) or 'no'} others; give the same experiments, scale, seed and attackers "
            "as the command that writes there, and the same version of gleak"
        )
    return found


def _tasks(plan: Plan) -> list[Task]:
    """What a plan has to do: something."""
    tasks = plan.tasks()
    if not tasks:
        named = ", ".join(plan.attackers)
        raise InputError(f"none of {named} attacks in {', '.join(plan.studies)}")
    return tasks


def _answers(plan: Plan, todo: list[Task], runner: Runner) -> Iterator[_Answer]:
    """What becomes of tasks, as it comes; an accelerator is used by this process alone."""
    work = partial(_answer, plan)
    here = [task for task in todo if task.kind == "ann" and on_accelerator()]
    yield from map(work, here)
    yield from runner.map(work, [task for task in todo if task not in here], ordered=False)


def _answer(plan: Plan, task: Task) -> _Answer:
    """Learn a task's cells and score them."""
    start = perf_counter()
    subject, attack = plan.study(task.study).subject, plan.attacks(task.study)[task.attack]
    learned = attack.learn(subject, [cell for cell, _ in task.cells], plan.protocol)
    validation = subject.validation(plan.protocol)
    scores = [validation.values(found.strategy) for found in learned]
    seconds = perf_counter() - start
    runs = [
        Run(
            cell, name, values, found.words, seconds / len(task.cells), subject.truth,
            subject.gap(found.strategy), found.lower, found.upper,
        )
        for (cell, name), found, values in zip(task.cells, learned, scores, strict=True)
    ]  # fmt: skip
    return task, runs, seconds
