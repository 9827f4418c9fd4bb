"""Which secrets are most exposed: what the attacker earns against each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gleak.labels import key
from gleak.payoff import Floats
from gleak.report.figures._base import Display
from gleak.report.figures._rows import MARGIN, ROW, Row, draw_rows
from gleak.report.figures.bracket import tick
from gleak.report.words import shown
from gleak.result import Estimate, Shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = 15
"""Secrets that are drawn; the others are counted."""


@dataclass(frozen=True)
class SecretsDisplay(Display):
    """The most exposed secrets, by what is proven of each where its gain takes two values."""

    title: ClassVar[str] = "Which secrets are exposed"
    gain: str
    rows: tuple[Row, ...]
    counts: tuple[int, ...]
    others: int
    blind: float
    confidence: float

    @classmethod
    def of(cls, estimate: Estimate, *, hide_labels: bool = False) -> "SecretsDisplay":
        """The figure of an estimate; its secrets may go unnamed."""
        shares, payoff = estimate.per_secret, estimate.attacker.strategy.payoff
        proven = None
        if payoff.two_valued and (payoff.low, payoff.high) == (0.0, 1.0):
            proven = _chances(shares, 1 - estimate.confidence)
        keys = [-shares.samples, -shares.gain]
        order = np.lexsort(keys if proven is None else [*keys, -proven[0]])[:SHOWN]
        show = shown(estimate.gain)
        rows = []
        for place, secret in enumerate(order.tolist()):
            name = f"secret {place + 1}" if hide_labels else key(shares.labels[secret])
            ends = () if proven is None else (float(proven[0][secret]), float(proven[1][secret]))
            gain = float(shares.gain[secret])
            rows.append(Row(name, gain, show(gain), *ends))
        return cls(
            estimate.gain, tuple(rows), tuple(int(n) for n in shares.samples[order]),
            len(shares.labels) - len(order), estimate.prior_vulnerability.estimate,
            estimate.confidence,
        )  # fmt: skip

    @property
    def alt(self) -> str:
        lines = "; ".join(f"{row.name} {row.text}" for row in self.rows)
        more = f" {self.others:,} more are less exposed." if self.others else ""
        return f"Gain against each secret, the most exposed first: {lines}.{more}"

    def height(self, width: float) -> float:
        return ROW * len(self.rows) + MARGIN

    def draw(self, ax: "Axes") -> None:
        draw_rows(ax, self.rows, "gain against this secret")
        ax.xaxis.set_major_formatter(lambda value, _: tick(self.gain, value))


def _chances(shares: Shares, alpha: float) -> tuple[Floats, Floats]:
    """The Clopper–Pearson interval of each secret's chance."""
    from scipy.stats import beta

    wins, losses = shares.gain * shares.samples, (1 - shares.gain) * shares.samples
    with np.errstate(invalid="ignore"):
        lower = beta.ppf(alpha / 2, wins, losses + 1)
        upper = beta.ppf(1 - alpha / 2, wins + 1, losses)
    return np.nan_to_num(lower, nan=0.0), np.nan_to_num(upper, nan=1.0)
