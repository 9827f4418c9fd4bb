"""What a comparison found, in sentences and rows that every form of its report shares."""

from gleak.comparison import Change, Comparison
from gleak.report.words import ends, is_chance, percent, plain, shown

Row = tuple[str, str, str, str]
"""A name, and what is proven below, estimated and proven above of it."""


def verdict_line(found: Comparison) -> str:
    """The verdict as a sentence."""
    if found.at_least is None:
        return f"no change proven: {room(found)}"
    much = f"at least {_amount(found, found.at_least)} of vulnerability{_unit(found)}"
    return f"the fix removed {much}" if found.verdict == "removed" else f"worse by {much}"


def room(found: Comparison) -> str:
    """Every change that is left possible."""
    lower, upper = found.vulnerability.lower, found.vulnerability.upper
    less, more = (None if end is None else _amount(found, abs(end)) for end in (lower, upper))
    if less is None and more is None:
        return "how much more or less is won now is proven on neither side"
    if less is None:
        return f"at most {more} more are won now, how much less is not proven{_unit(found)}"
    if more is None:
        return f"at most {less} less are won now, how much more is not proven{_unit(found)}"
    return f"anything from {less} less to {more} more is possible{_unit(found)}"


def estimate_line(found: Comparison) -> str:
    """What the attackers found say, which proves nothing of the attackers not found."""
    show, change = shown(found.before.gain), found.vulnerability.estimate
    less = f"{_amount(found, abs(change))} {'less' if change < 0 else 'more'}"
    return (
        f"by estimate, not proven: the strongest attacker found wins "
        f"{show(found.after.vulnerability.estimate)} instead of "
        f"{show(found.before.vulnerability.estimate)}, {less if change else 'no more and no less'}"
    )


def signed(gain: str, change: float | None) -> str:
    """A change with its sign, in the gain's terms."""
    if change is None:
        return "not proven"
    sign = "" if change == 0 else "-" if change < 0 else "+"
    return f"{sign}{f'{_points(abs(change))} points' if is_chance(gain) else plain(abs(change))}"


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


def _amount(found: Comparison, size: float) -> str:
    """How much more or less: a difference of chances is no share of either."""
    return f"{_points(size)} percentage points" if is_chance(found.before.gain) else plain(size)


def _points(size: float) -> str:
    return percent(size).removesuffix(" %")


def _unit(found: Comparison) -> str:
    return "" if is_chance(found.before.gain) else ", in the gain's own units"


def _signed(change: Change | None) -> tuple[str, str, str]:
    if change is None:
        return "-", "-", "-"
    lower, upper = ("-" if end is None else f"{end:+.4f}" for end in (change.lower, change.upper))
    return lower, f"{change.estimate:+.4f}", upper
