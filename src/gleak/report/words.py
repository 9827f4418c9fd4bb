"""Numbers of a gain in plain words."""

from gleak.certify import Bracket
from gleak.result import Estimate


def headline(estimate: Estimate) -> str:
    """The verdict first, then what an attacker wins and what a blind guess does."""
    attacker = _attacker(estimate.gain)
    found, blind = estimate.vulnerability, estimate.prior_vulnerability
    show = percent if is_chance(estimate.gain) else plain
    if estimate.verdict == "leaks":
        above = f", at most {show(found.upper)}" if found.upper is not None else ""
        wins = f"wins at least {show(found.lower)} (best estimate {show(found.estimate)}{above})"
        return f"leaks: {attacker} {wins}, blind guess {show(blind.estimate)}"
    ceiling = "nothing is proven above" if found.upper is None else f"at most {show(found.upper)}"
    return (
        f"no leak proven: {attacker} wins {show(found.estimate)} by best estimate ({ceiling}), "
        f"blind guess {show(blind.estimate)}"
    )


def is_chance(gain: str) -> bool:
    """Whether a gain is a probability of winning."""
    return gain == "bayes" or gain.partition(":")[0] in ("tries", "partition")


def percent(value: float) -> str:
    """A probability as a percentage."""
    return f"{100 * value:.1f} %"


def plain(value: float) -> str:
    """A gain that is no probability."""
    return f"{value:.4g}"


def ends(bracket: Bracket | None, show: str = ".4f") -> tuple[str, str, str]:
    """Lower end, estimate and upper end as text."""
    if bracket is None:
        return "-", "-", "-"
    upper = "-" if bracket.upper is None else format(bracket.upper, show)
    return format(bracket.lower, show), format(bracket.estimate, show), upper


def _attacker(gain: str) -> str:
    kind, _, rest = gain.partition(":")
    if kind == "tries":
        return f"an attacker with {rest} {'try' if rest == '1' else 'tries'}"
    if kind == "bayes":
        return "an attacker with one try"
    if kind == "partition":
        return f"an attacker who guesses {rest}"
    if kind == "distance":
        return "an attacker who guesses nearby"
    return f"an attacker after {gain}"
