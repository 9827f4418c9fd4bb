"""Figures that keep their data and draw on a given axis."""

from gleak.errors import InputError, nearest
from gleak.report.figures._base import Display
from gleak.report.figures.bracket import BracketDisplay
from gleak.report.figures.change import ChangeDisplay
from gleak.report.figures.columns import ColumnsDisplay
from gleak.report.figures.curve import CurveDisplay
from gleak.report.figures.deltas import DeltasDisplay
from gleak.report.figures.leaderboard import LeaderboardDisplay
from gleak.report.figures.secrets import SecretsDisplay
from gleak.report.figures.strategy import StrategyDisplay
from gleak.result import Estimate

__all__ = [
    "BracketDisplay",
    "ChangeDisplay",
    "ColumnsDisplay",
    "CurveDisplay",
    "DeltasDisplay",
    "Display",
    "LeaderboardDisplay",
    "SecretsDisplay",
    "StrategyDisplay",
    "display",
    "displays",
]


def displays(estimate: Estimate, *, hide_labels: bool = False) -> dict[str, Display]:
    """Every figure that an estimate has the data for, by name, in reading order."""
    found: dict[str, Display | None] = {
        "bracket": BracketDisplay.of(estimate),
        "leaderboard": LeaderboardDisplay.of(estimate),
        "curve": CurveDisplay.of(estimate),
        "secrets": SecretsDisplay.of(estimate, hide_labels=hide_labels),
        "columns": ColumnsDisplay.of(estimate),
        "strategy": StrategyDisplay.of(estimate, hide_labels=hide_labels),
    }
    return {name: figure for name, figure in found.items() if figure is not None}


def display(estimate: Estimate, what: str) -> Display:
    """One figure by its name; refused with the reason where its data is missing."""
    found = displays(estimate)
    if what in found:
        return found[what]
    why = {
        "leaderboard": "only one attacker was asked for",
        "curve": "only one attacker was asked for",
        "columns": "estimate with localise=True",
        "strategy": "estimate with localise=True, over one or two columns of numbers",
    }
    if what in why:
        raise InputError(f"the estimate has no figure {what!r}: {why[what]}")
    raise InputError(f"unknown figure {what!r}; {nearest(what, [*found])}")
