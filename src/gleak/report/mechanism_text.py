"""A mechanism as a person reads it in a terminal."""

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.mechanism_figures import MechanismFigures
from gleak.report.text import exact_report


def mechanism_report(results: Sequence[MechanismFigures], prior: str) -> RenderableType:
    """What it costs and how private it is, before what attackers make of it."""
    mechanism = results[0].mechanism
    given = [f"{name.replace('_', '-')} {said}" for name, said in mechanism.parameters.items()]
    answers = [result.exact for result in results]
    return Group(
        f"{mechanism.kind}: {', '.join(given)}",
        _costs(results[0]),
        exact_report(mechanism.channel, answers, prior),
    )


def _costs(figures: MechanismFigures) -> Table:
    mechanism = figures.mechanism
    table = Table(box=SIMPLE_HEAD, title="What it costs and hides", title_justify="left")
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("meaning")
    if mechanism.expected_loss is not None:
        table.add_row("expected loss", f"{mechanism.expected_loss:.6f}", mechanism.loss_of)
    table.add_row("epsilon", *_private(figures.epsilon, "of any two secrets, by any observable"))
    if figures.epsilon_per_distance is not None:
        row = _private(figures.epsilon_per_distance, "per unit of distance between two secrets")
        table.add_row("epsilon per distance", *row)
    if figures.file is not None:
        table.add_row("channel", "written", f"in {figures.file}")
    return table


def _private(epsilon: float, meaning: str) -> tuple[str, str]:
    if math.isinf(epsilon):
        return "none", "some observable rules a secret out"
    return f"{epsilon:.6g}", meaning
