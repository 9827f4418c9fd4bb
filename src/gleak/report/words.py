"""Numbers of a gain in plain words: one try, several, a property, a distance, money."""

import math
from collections.abc import Callable

from gleak.certify import Bracket
from gleak.gain import Distance
from gleak.gain_spec import as_gain
from gleak.result import Estimate

_MOST_TRIALS = 1_000_000
"""Secrets out of which a chance is counted, at most."""

_NOTHING = 1.0005
"""A factor below this is written as one."""


def headline(estimate: Estimate) -> str:
    """The verdict first, then what an attacker wins and what a blind guess does."""
    attacker = _attacker(estimate.gain)
    found, blind = estimate.vulnerability, estimate.prior_vulnerability
    show = shown(estimate.gain)
    if estimate.verdict == "leaks":
        above = f", at most {show(found.upper)}" if found.upper is not None else ""
        wins = f"wins at least {show(found.lower)} (best estimate {show(found.estimate)}{above})"
        return f"leaks: {attacker} {wins}, blind guess {show(blind.estimate)}"
    ceiling = "nothing is proven above" if found.upper is None else f"at most {show(found.upper)}"
    return (
        f"no leak proven: {attacker} wins {show(found.estimate)} by best estimate ({ceiling}), "
        f"blind guess {show(blind.estimate)}"
    )


def verdict(estimate: Estimate) -> str:
    """The verdict as a sentence of its own, for those who read nothing else."""
    found, blind = estimate.vulnerability, estimate.prior_vulnerability
    show, deed = shown(estimate.gain), _deed(estimate.gain)
    if estimate.verdict == "leaks":
        who = f"{_upper_case(_attacker(estimate.gain))} {deed} at least {show(found.lower)}"
        if is_chance(estimate.gain):
            return f"{who} of the time. A blind guess succeeds {show(blind.estimate)} of the time."
        return f"{who} on average. A blind guess earns {show(blind.estimate)}."
    return (
        f"The best attacker found does not provably beat a blind guess: "
        f"{show(found.estimate)} against {show(blind.estimate)}. "
        "That is no proof that nothing leaks."
    )


def meaning(estimate: Estimate) -> list[str]:
    """What the numbers say, a sentence each, in the language of the gain."""
    return [_in_practice(estimate), *_how_much_more(estimate), _ceiling(estimate)]


def _in_practice(estimate: Estimate) -> str:
    """The estimate against the blind guess, in things that can be counted."""
    after, before = estimate.vulnerability.estimate, estimate.prior_vulnerability.estimate
    kind = estimate.gain.partition(":")[0]
    if is_chance(estimate.gain):
        trials = _trials(before)
        hits, blindly = _count(after * trials), _count(before * trials)
        return (
            f"In {trials:,} cases it {_deed(estimate.gain)} about {hits} times; "
            f"without looking at the system, {blindly} times."
        )
    if kind == "distance":
        return _in_distance(estimate, after, before)
    payoff = estimate.attacker.strategy.payoff
    more = 1000 * (after - before)
    worth = f"{plain(abs(more))} {'more' if more >= 0 else 'less'}"
    return (
        f"It earns {plain(after)} per secret on average, where a guess earns between "
        f"{plain(payoff.low)} and {plain(payoff.high)} in the gain's own units. "
        f"Over 1,000 secrets that is about {worth} than by guessing blindly."
    )


def _in_distance(estimate: Estimate, after: float, before: float) -> str:
    gain = as_gain(estimate.gain)
    assert isinstance(gain, Distance)  # its name says so
    near, far = _away(gain, after), _away(gain, before)
    return (
        f"A guess that hits the secret earns {plain(gain.peak)}. What it earns, {plain(after)}, is "
        f"worth a guess that is always {near} away; a blind guess, {plain(before)}, one that is "
        f"{far} away."
    )


def _away(gain: Distance, value: float) -> str:
    """The distance at which every guess would have to be to earn a value."""
    share = value / gain.peak
    if share <= 0:
        return "far"
    ratio = -math.log(share) / gain.rate if gain.shape == "exponential" else 1 - share
    return plain(gain.scale * max(0.0, ratio))


def _how_much_more(estimate: Estimate) -> list[str]:
    """The leakage: what looking at the system is worth."""
    ratio, extra = estimate.multiplicative_leakage, estimate.additive_leakage
    show = shown(estimate.gain)
    if ratio is None:
        return [f"Looking at the system is worth {show(extra.estimate)} to it on average."]
    if ratio.estimate < _NOTHING:
        return ["Looking at the system wins it nothing more."]
    proven = f"; at least {ratio.lower:.3g} times is proven" if ratio.lower > _NOTHING else ""
    bits = estimate.certificate.min_entropy_bits
    in_bits = ""
    if bits is not None and estimate.gain == "bayes":
        in_bits = f" That is {bits.estimate:.2f} bits of min-entropy leakage."
    times = f"{ratio.estimate:.3g}{proven}"
    return [f"Looking at the system multiplies what it wins by {times}.{in_bits}"]


def _ceiling(estimate: Estimate) -> str:
    """What is known of attackers that were not tried."""
    found, show = estimate.vulnerability, shown(estimate.gain)
    if found.upper is not None:
        return f"No attacker whatever, however clever, wins more than {show(found.upper)}."
    return f"A stronger attacker is not excluded: {found.upper_reason}."


def is_chance(gain: str) -> bool:
    """Whether a gain is a probability of winning."""
    kind = gain.partition(":")[0]
    return gain == "bayes" or kind in ("tries", "partition") or (
        kind == "distance" and "shape=threshold" in gain and "peak=" not in gain
    )  # fmt: skip


def shown(gain: str) -> Callable[[float], str]:
    """How a value of a gain is written."""
    return percent if is_chance(gain) else plain


def percent(value: float) -> str:
    """A probability as a percentage, of three digits at least where it is small.

    >>> percent(0.891726), percent(0.000123)
    ('89.2 %', '0.0123 %')
    """
    share = 100 * value
    digits = 1 if share == 0 or share >= 1 else 2 - math.floor(math.log10(abs(share)))
    return f"{share:.{digits}f} %"


def plain(value: float) -> str:
    """A gain that is no probability."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


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


def _deed(gain: str) -> str:
    """What an attacker does when it wins."""
    kind, _, rest = gain.partition(":")
    if kind == "distance" and is_chance(gain):
        return f"comes within {rest.partition(':')[0]} of the secret"
    return {
        "bayes": "names the secret",
        "tries": f"has the secret among its {rest} guesses" if rest != "1" else "names the secret",
        "partition": "is right",
    }.get(kind, "earns")


def _trials(chance: float) -> int:
    """A round number of secrets out of which a chance is some whole ones."""
    power = 2 if chance <= 0 else max(2, math.ceil(-math.log10(chance)) + 1)
    return min(10**power, _MOST_TRIALS)


def _count(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _upper_case(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
