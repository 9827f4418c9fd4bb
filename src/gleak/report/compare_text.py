"""A comparison as a person reads it in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.baseline import Side
from gleak.comparison import Change, Comparison
from gleak.report.words import ends


def compare_report(comparisons: Sequence[Comparison]) -> RenderableType:
    """Verdicts first, then what they rest on."""
    return Group(*[part for found in comparisons for part in _parts(found)])


def verdict_line(found: Comparison) -> str:
    """The verdict as a sentence."""
    if found.verdict == "removed":
        return f"the fix removed at least {found.at_least:.4f} of the vulnerability"
    if found.verdict == "worse":
        return f"worse by at least {found.at_least:.4f} of vulnerability"
    return "no change proven"


def estimate_line(found: Comparison) -> str:
    """What the attackers found say, which proves nothing of the attackers not found."""
    change = found.vulnerability.estimate
    less = "less" if change < 0 else "more"
    return (
        f"by estimate, not proven: the strongest attacker found wins "
        f"{found.after.vulnerability.estimate:.4f} instead of "
        f"{found.before.vulnerability.estimate:.4f}, {abs(change):.4f} {less}"
    )


def _parts(found: Comparison) -> list[RenderableType]:
    lines = [f"{found.before.gain}: {verdict_line(found)}", estimate_line(found), ""]
    lines += [_side("before", found.before), _side("after", found.after)]
    lines += [f"warning: {warning}" for warning in found.warnings]
    return ["\n".join(lines), _changes(found), _sides(found)]


def _side(when: str, side: Side) -> str:
    return f"{when}: {side.samples:,} samples, strongest attacker found {side.attacker}"


def _changes(found: Comparison) -> Table:
    title = f"After minus before, each line proven at {100 * found.confidence:g} %"
    table = _table(title, "proven lower", "estimate", "proven upper")
    for name, change in (
        ("vulnerability", found.vulnerability),
        ("× leakage", found.multiplicative),
        ("+ leakage", found.additive),
        ("min-entropy bits", found.min_entropy_bits),
    ):
        table.add_row(name, *_cells(change))
    return table


def _cells(change: Change | None) -> tuple[str, str, str]:
    if change is None:
        return "-", "-", "-"
    lower, upper = ("-" if end is None else f"{end:+.4f}" for end in (change.lower, change.upper))
    return lower, f"{change.estimate:+.4f}", upper


def _sides(found: Comparison) -> Table:
    before, after = (f"{100 * side.confidence:g} %" for side in (found.before, found.after))
    title = f"Either side: before proven at {before}, after at {after}"
    table = _table(title, "proven lower", "estimate", "proven upper")
    for when, side in (("before", found.before), ("after", found.after)):
        table.add_row(f"vulnerability {when}", *ends(side.vulnerability))
        table.add_row(f"blind guess {when}", *ends(side.prior_vulnerability))
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column("")
    for column in columns:
        table.add_column(column, justify="right")
    return table
