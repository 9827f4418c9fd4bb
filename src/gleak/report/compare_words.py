"""What a comparison found, in sentences and rows that every form of its report shares."""

from gleak.comparison import Change, Comparison
from gleak.report.words import ends

Row = tuple[str, str, str, str]
"""A name, and what is proven below, estimated and proven above of it."""


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


def change_rows(found: Comparison) -> list[Row]:
    """After minus before, of every quantity."""
    named = [
        ("vulnerability", found.vulnerability),
        ("× leakage", found.multiplicative),
        ("+ leakage", found.additive),
        ("min-entropy bits", found.min_entropy_bits),
    ]
    return [(name, *_signed(change)) for name, change in named]


def side_rows(found: Comparison) -> list[Row]:
    """Where either side stands."""
    return [
        (f"{what} {when}", *ends(bracket))
        for when, side in (("before", found.before), ("after", found.after))
        for what, bracket in (
            ("vulnerability", side.vulnerability),
            ("blind guess", side.prior_vulnerability),
        )
    ]


def _signed(change: Change | None) -> tuple[str, str, str]:
    if change is None:
        return "-", "-", "-"
    lower, upper = ("-" if end is None else f"{end:+.4f}" for end in (change.lower, change.upper))
    return lower, f"{change.estimate:+.4f}", upper
