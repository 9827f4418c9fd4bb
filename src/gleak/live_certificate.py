"""Everything that is claimed of a live system whose prior is known."""

import math

import numpy as np

from gleak.certificate import Certificate
from gleak.certify import Bracket
from gleak.labels import Codes
from gleak.live_attacker import Answers, Target
from gleak.payoff import Floats

_SMALLEST_TAPE = 64


def live_certificate(target: Target, bracket: Bracket) -> Certificate:
    """The leakage from the bracket of V_g(π,C): V_g(π) is known, so that nothing more is paid."""
    blind = target.prior_vulnerability
    low = max(0.0, bracket.lower - blind)
    high = None if bracket.upper is None else max(0.0, bracket.upper - blind)
    gap = Bracket(low, max(0.0, bracket.estimate - blind), high, bracket.upper_reason)
    ratio = None
    if blind > 0:
        top = None if high is None else 1 + high / blind
        ratio = Bracket(
            1 + low / blind, 1 + gap.estimate / blind, top, bracket.upper_reason
        ).around(1 + low / blind, top)
    return Certificate(
        bracket,
        Bracket.point(blind),
        True,
        gap.around(low, high),
        ratio,
        "leaks" if low > 0 else "no leak proven",
    )


def tape_upper(target: Target, answers: Answers, alpha: float) -> tuple[float | None, str | None]:
    """An upper bound of V_g(π,C) from answers of which one asked for as many as one liked.

    Each secret has a tape of answers, of which asking reads the next one. Of every tape the first
    ⌊k·π_x⌋ are taken, for the largest k = 64·2^j that was read: whatever made us ask as we did,
    the answers on these places are what they are, independent, and the gain of the best rule in
    hindsight on them is above V_g on average (Jensen) and moves by at most its weight when one
    answer changes (McDiarmid). The union over all j is paid by δ_j = α/((j+1)(j+2)).
    """
    payoff, population = target.payoff, target.population
    codes = answers.all_codes
    place = _place_on_tape(codes)
    read = np.bincount(codes, minlength=len(population))
    level = _level(population.prior, read)
    if level is None:
        return None, "too few answers to each secret for any value to be excluded"
    wanted = np.floor(_SMALLEST_TAPE * 2**level * population.prior)
    rows = np.flatnonzero(place < wanted[codes])
    weights = (population.prior / np.maximum(wanted, 1))[codes[rows]]
    hindsight = _best_rule(target, codes[rows], answers, rows, weights)
    missing = max(0.0, 1 - float(weights.sum()))
    log = math.log((level + 1) * (level + 2) / alpha)
    slack = (payoff.high - payoff.low) * math.sqrt(float((weights**2).sum()) * log / 2)
    upper = hindsight + missing * payoff.high + slack
    if upper < payoff.high:
        return upper, None
    return None, (
        f"the best rule in hindsight earns {hindsight:.6g}, which leaves every value up to the "
        f"largest gain {payoff.high:g} possible; more answers per observable would help"
    )


def _best_rule(
    target: Target, codes: Codes, answers: Answers, rows: Codes, weights: Floats
) -> float:
    samples = target.samples(codes, answers.all_seen.take(rows), weights)
    return float(target.payoff.best_value(samples.counts).sum())


def _place_on_tape(codes: Codes) -> Codes:
    """How often each secret had been asked for before."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.searchsorted(ordered, ordered, side="left")
    place = np.empty(len(codes), dtype=np.intp)
    place[order] = np.arange(len(codes)) - starts
    return place


def _level(prior: Floats, read: Codes) -> int | None:
    """The largest j for which the first ⌊64·2^j·π_x⌋ answers of every secret have been read."""
    level = None
    for j in range(40):
        if (read < np.floor(_SMALLEST_TAPE * 2.0**j * prior)).any():
            break
        level = j
    return level
