"""The figures of the studies, from whatever runs there are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter

import numpy as np

from gleak.experiments import location, multiple_guesses
from gleak.experiments.attacks import PERFECT
from gleak.experiments.protocol import Preprocessing
from gleak.experiments.runs import Run
from gleak.experiments.studies import described
from gleak.experiments.study import Study
from gleak.payoff import Floats
from gleak.report.figures import (
    BoxesDisplay,
    DistributionsDisplay,
    GainMapDisplay,
    HeatMapDisplay,
    Sheet,
)

NEIGHBOURS = (5, 6)
"""The secrets of experiment 1 whose distributions are drawn."""


def study_sheets(runs: Sequence[Run]) -> dict[str, list[Sheet]]:
    """Every figure that some runs have the data for, by study."""
    by_study: dict[str, list[Run]] = {}
    for run in runs:
        by_study.setdefault(run.cell.study, []).append(run)
    return {name: list(_of_study(name, found)) for name, found in by_study.items()}


def _of_study(name: str, runs: Sequence[Run]) -> Iterator[Sheet]:
    """What the system is like, and how its attackers did."""
    if name in _SYSTEMS:
        yield from _SYSTEMS[name]()
    study = described(name)
    for route in study.routes:
        yield from _of_route(study, route, [run for run in runs if _on(route, run)])


def _on(route: Preprocessing, run: Run) -> bool:
    """Who knows the system needs no route, and is shown on each."""
    return run.cell.attacker == PERFECT or run.cell.preprocessing == route


def _of_route(study: Study, route: Preprocessing, runs: Sequence[Run]) -> Iterator[Sheet]:
    """All attackers, and again without those beside whom the others cannot be told apart."""
    several = len(study.routes) > 1
    name = f"{study.name}-{route}" if several else study.name
    heading = f"{study.title}, {route} pre-processing" if several else study.title
    attackers = {run.cell.attacker for run in runs} - {PERFECT}
    near = attackers - set(study.overshadowing)
    if attackers:
        yield Sheet(name, heading, _panels(study, runs))
    if near and near != attackers:
        magnified = [run for run in runs if run.cell.attacker in near | {PERFECT}]
        yield Sheet(f"{name}-magnified", f"{heading}, magnified", _panels(study, magnified))


def _panels(study: Study, runs: Sequence[Run]) -> tuple[BoxesDisplay, ...]:
    """V̂ above δ; where no truth is known, the risk alone."""
    known, met = (attack.name for attack in study.attacks), (run.cell.attacker for run in runs)
    names = tuple(dict.fromkeys([*known, *met]))
    alone = _have_one_size(runs)
    values, errors = (
        _grouped(runs, names, alone, of) for of in (attrgetter("values"), attrgetter("errors"))
    )
    across = "training samples per model" if alone else "training samples"
    truth = runs[0].truth
    if truth is None:
        return (BoxesDisplay(errors, names, "estimated Bayes risk", across),)
    return (
        BoxesDisplay(values, names, "estimated vulnerability V\u0302", truth=truth),
        BoxesDisplay(errors, names, "normalised error δ", across, legend=False),
    )


def _have_one_size(runs: Sequence[Run]) -> bool:
    """Whether each attacker has but one training size, and so one box."""
    sizes = {(run.cell.attacker, run.cell.size) for run in runs}
    return len(sizes) == len({name for name, _ in sizes})


def _grouped(
    runs: Sequence[Run], names: Sequence[str], alone: bool, of: Callable[[Run], Floats]
) -> Mapping[str, Mapping[str, Floats]]:
    """By training size, the perfect attacker last; by attacker where each is alone."""
    gathered: dict[str, dict[str, list[Floats]]] = {}
    for run in sorted(runs, key=lambda run: _order(run, names)):
        group = gathered.setdefault(_group(run, alone), {})
        group.setdefault(run.cell.attacker, []).append(of(run))
    return {
        group: {name: np.concatenate(values) for name, values in boxes.items()}
        for group, boxes in gathered.items()
    }


def _order(run: Run, names: Sequence[str]) -> tuple[bool, int, int]:
    cell = run.cell
    return cell.attacker == PERFECT, cell.size, names.index(cell.attacker)


def _group(run: Run, alone: bool) -> str:
    name, size = run.cell.attacker, run.cell.size
    if name == PERFECT:
        return name
    return f"{name}\n{_short(size)}" if alone else _short(size)


def _short(size: int) -> str:
    """A number of samples as the paper writes it: 10K."""
    return f"{size / 1000:g}K" if size >= 1000 else str(size)


def _distributions() -> Iterator[Sheet]:
    """What is observed of two secrets of experiment 1."""
    channel = multiple_guesses.channel()
    rows = {f"x = {secret}": np.asarray(channel.matrix)[secret] for secret in NEIGHBOURS}
    figure = DistributionsDisplay(np.asarray(channel.observables, dtype=float), rows)
    heading = "Multiple guesses, two neighbouring secrets"
    yield Sheet("multiple_guesses-distributions", heading, (figure,))


def _map() -> Iterator[Sheet]:
    """Where experiment 2 takes place, and what its attacker is after."""
    figure = HeatMapDisplay(location.checkins(), *location.borders(), "check-ins")
    yield Sheet("location-checkins", "Location privacy, check-ins", (figure,))
    gain = GainMapDisplay(location.gains_nearby())
    yield Sheet("location-gain", "Location privacy, gain by guessed cell", (gain,))


_SYSTEMS: Mapping[str, Callable[[], Iterator[Sheet]]] = {
    "multiple_guesses": _distributions,
    "location": _map,
}
"""Figures of the systems themselves."""
