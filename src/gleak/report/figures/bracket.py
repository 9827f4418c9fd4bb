"""The bracket on its scale: proven below, estimated, proven above, beside the blind guess."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gleak.certify import Bracket
from gleak.report.figures._base import DASHES, Display, few_ticks, value_text
from gleak.report.palette import LIGHT
from gleak.report.words import is_chance, plain, shown
from gleak.result import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 132.0
"""Of two rows with an axis below, in points."""

_BAR = 0.2
"""Half the height of a bar, of one row."""

_SMALL = 0.35
"""The share of the whole scale below which the scale is cut to what is drawn."""


@dataclass(frozen=True)
class BracketDisplay(Display):
    """What an attacker wins and what a blind guess wins, on the gain's scale."""

    title: ClassVar[str] = "How much it gives away"
    gain: str
    found: Bracket
    blind: Bracket
    low: float
    high: float

    @classmethod
    def of(cls, estimate: Estimate) -> "BracketDisplay":
        """The figure of an estimate."""
        payoff = estimate.attacker.strategy.payoff
        found, blind = estimate.vulnerability, estimate.prior_vulnerability
        return cls(estimate.gain, found, blind, payoff.low, payoff.high)

    @property
    def alt(self) -> str:
        show = shown(self.gain)
        return (
            f"A scale from {show(self.ends[0])} to {show(self.ends[1])}. "
            f"After looking: {bracket_text(self.gain, self.found)}. "
            f"Blind guess: {bracket_text(self.gain, self.blind)}."
        )

    @property
    def ends(self) -> tuple[float, float]:
        """The part of the scale that is drawn: all of it, unless all happens in a small one."""
        values = drawn_values(self.found, self.blind)
        least, most = (0.0 if self.low >= 0 else min(values)), max(values)
        if most - least >= _SMALL * (self.high - self.low):
            return self.low, self.high
        if self.low >= 0:
            return 0.0, 1.25 * most or self.high
        start, stop = around(least, most)
        return max(start, self.low), min(stop, self.high)

    def height(self, width: float) -> float:
        return HEIGHT

    def draw(self, ax: "Axes") -> None:
        blind = self.blind.estimate
        ax.plot([blind, blind], [-0.5, 1], color=LIGHT.blind, linewidth=1.3, linestyle=DASHES)
        draw_brackets(ax, self.gain, {"after looking": self.found}, self.ends, LIGHT.accent)
        draw_bracket(ax, self.blind, 1, self.ends[1], LIGHT.blind)
        label_rows(ax, ["after looking", "blind guess"])
        value_text(ax, 1, shown(self.gain)(blind))


def bracket_text(gain: str, bracket: Bracket) -> str:
    """A bracket in words, for those who do not see it."""
    show = shown(gain)
    if bracket.lower == bracket.upper:
        return f"{show(bracket.estimate)}, known"
    end = "or more" if bracket.upper is None else f"to {show(bracket.upper)}"
    return f"{show(bracket.estimate)}, proven {show(bracket.lower)} {end}"


def drawn_values(*brackets: Bracket) -> list[float]:
    """Everything that has a place on the scale."""
    ends = (end for b in brackets for end in (b.lower, b.estimate, b.upper))
    return [end for end in ends if end is not None]


def around(low: float, high: float) -> tuple[float, float]:
    """A scale with room left and right of what is drawn, also where that is a single point."""
    room = 0.25 * (high - low) or 0.25 * abs(high) or 1.0
    return low - room, high + room


def draw_brackets(
    ax: "Axes", gain: str, rows: Mapping[str, Bracket], ends: tuple[float, float], colour: str
) -> None:
    """Brackets below each other on one scale, their estimates as text at the right."""
    for place, bracket in enumerate(rows.values()):
        draw_bracket(ax, bracket, place, ends[1], colour)
        value_text(ax, place, shown(gain)(bracket.estimate))
    label_rows(ax, list(rows))
    ax.set_xlim(*ends)
    few_ticks(ax)
    ax.xaxis.set_major_formatter(lambda value, _: tick(gain, value))


def label_rows(ax: "Axes", names: list[str]) -> None:
    """The rows' names at the left."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)


def draw_bracket(ax: "Axes", bracket: Bracket, place: float, end: float, strong: str) -> None:
    """A bar from what is proven below to what is proven above, or open towards the end."""
    upper = bracket.upper
    ax.barh(
        place, (bracket.estimate if upper is None else upper) - bracket.lower, 2 * _BAR,
        left=bracket.lower, color=LIGHT.band, edgecolor="none", zorder=2,
    )  # fmt: skip
    if upper is None:
        dots = (0, (1, 3))
        ax.plot([bracket.estimate, end], [place, place], color=strong, linestyle=dots, zorder=2)
        ax.plot([end], [place], ">", color=strong, markersize=6, clip_on=False, zorder=3)
    for value in (bracket.lower, upper):
        if value is not None:
            ends = [place - _BAR, place + _BAR]
            ax.plot([value, value], ends, color=strong, linewidth=2, zorder=3, clip_on=False)
    marker = "D" if strong == LIGHT.blind else "o"
    ax.plot([bracket.estimate], [place], marker, color=strong, markersize=8, zorder=4,
            clip_on=False)  # fmt: skip


def tick(gain: str, value: float) -> str:
    """A value below the scale, short."""
    return f"{100 * value:.4g} %" if is_chance(gain) else plain(value)
