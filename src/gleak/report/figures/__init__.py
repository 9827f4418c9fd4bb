"""Figures that keep their data and draw on a given axis."""

from collections.abc import Callable

from gleak.errors import InputError, nearest
from gleak.report.figures._base import Display
from gleak.report.figures.boxes import BoxesDisplay
from gleak.report.figures.bracket import BracketDisplay
from gleak.report.figures.change import ChangeDisplay
from gleak.report.figures.columns import ColumnsDisplay
from gleak.report.figures.curve import CurveDisplay
from gleak.report.figures.distributions import DistributionsDisplay
from gleak.report.figures.gain_map import GainMapDisplay
from gleak.report.figures.heat_map import HeatMapDisplay
from gleak.report.figures.leaderboard import LeaderboardDisplay
from gleak.report.figures.secrets import SecretsDisplay
from gleak.report.figures.sheet import Sheet
from gleak.report.figures.strategy import StrategyDisplay
from gleak.result import Estimate

__all__ = [
    "BoxesDisplay",
    "BracketDisplay",
    "ChangeDisplay",
    "ColumnsDisplay",
    "CurveDisplay",
    "Display",
    "DistributionsDisplay",
    "GainMapDisplay",
    "HeatMapDisplay",
    "LeaderboardDisplay",
    "SecretsDisplay",
    "Sheet",
    "StrategyDisplay",
    "display",
    "displays",
]


_MAKERS: dict[str, Callable[[Estimate, bool], Display | None]] = {
    "bracket": lambda found, _: BracketDisplay.of(found),
    "leaderboard": lambda found, _: LeaderboardDisplay.of(found),
    "curve": lambda found, _: CurveDisplay.of(found),
    "secrets": lambda found, hide: SecretsDisplay.of(found, hide_labels=hide),
    "columns": lambda found, _: ColumnsDisplay.of(found),
    "strategy": lambda found, hide: StrategyDisplay.of(found, hide_labels=hide),
}
"""Figures in reading order; made one by one, because some have to be worked out."""

_MISSING = {
    "leaderboard": "only one attacker was asked for",
    "curve": "only one attacker was asked for",
    "strategy": "the attacker sees more than two columns, or columns that are no numbers",
}


def displays(estimate: Estimate, *, hide_labels: bool = False) -> dict[str, Display]:
    """Every figure that an estimate has the data for, by name."""
    made = {name: maker(estimate, hide_labels) for name, maker in _MAKERS.items()}
    return {name: figure for name, figure in made.items() if figure is not None}


def display(estimate: Estimate, what: str) -> Display:
    """One figure by its name; refused with the reason where its data is missing."""
    if what not in _MAKERS:
        raise InputError(f"unknown figure {what!r}; {nearest(what, [*_MAKERS])}")
    figure = _MAKERS[what](estimate, False)
    if figure is None:
        raise InputError(f"the estimate has no figure {what!r}: {_MISSING[what]}")
    return figure
