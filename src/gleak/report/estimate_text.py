"""An estimate as a person reads it in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.report.words import ends, headline
from gleak.result import Estimate

_SHOWN = 6
"""Lines of a leaderboard that are shown."""


def estimate_report(estimates: Sequence[Estimate]) -> RenderableType:
    """Verdicts first, then what they rest on."""
    return Group(*[part for estimate in estimates for part in _parts(estimate)])


def _parts(estimate: Estimate) -> list[RenderableType]:
    counts, attacker = estimate.samples, estimate.attacker
    basis = (
        f"{counts.total:,} samples, {counts.secrets:,} secrets, "
        f"{counts.distinct_observables:,} distinct observables; "
        f"{counts.train:,} trained and {counts.certify:,} certify"
    )
    lines = [headline(estimate), "", basis, f"attacker: {attacker.name} ({attacker.route} route)"]
    lines += [f"warning: {warning}" for warning in estimate.warnings]
    reason = estimate.vulnerability.upper_reason
    if reason:
        lines.append(f"no upper bound: {reason}")
    parts: list[RenderableType] = ["\n".join(lines), _brackets(estimate)]
    if attacker.leaderboard:
        parts.append(_leaderboard(estimate))
    return parts


def _brackets(estimate: Estimate) -> Table:
    title = f"Gain {estimate.gain}, each line proven at {100 * estimate.confidence:g} %"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("")
    for name in ("proven lower", "estimate", "proven upper"):
        table.add_column(name, justify="right")
    found = estimate.certificate
    for name, bracket in (
        ("vulnerability", found.vulnerability),
        ("blind guess", found.prior_vulnerability),
        ("× leakage", found.multiplicative),
        ("+ leakage", found.additive),
        ("min-entropy bits", found.min_entropy_bits),
    ):
        table.add_row(name, *ends(bracket))
    return table


def _leaderboard(estimate: Estimate) -> Table:
    title = "Attackers compared, on samples that trained none of them"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("attacker")
    table.add_column("gain", justify="right")
    table.add_column("seconds", justify="right")
    for entry in estimate.attacker.leaderboard[:_SHOWN]:
        score = "-" if entry.score is None else f"{entry.score:.4f}"
        table.add_row(entry.name, score, f"{entry.seconds:.1f}")
    return table
