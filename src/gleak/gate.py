"""The gate: whether what is proven of a system keeps to its budgets."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import Any, Literal, get_args

from gleak.budget import Budget, Quantity, budgets_of
from gleak.certificate import Certificate
from gleak.certify import Bracket
from gleak.errors import InputError, nearest
from gleak.result import Estimate

Verdict = Literal["within", "over", "inconclusive"]

Judge = Literal["proof", "estimate"]
"""What decides where neither side is proven: nothing, or the estimate."""

Inconclusive = Literal["pass", "fail"]
"""What becomes of a budget that nothing decides; left open unless said."""

EXIT_CODES: dict[Verdict, int] = {"within": 0, "over": 1, "inconclusive": 3}

_PROBABLY = 0.8
"""How likely as many more samples as are asked for should decide."""

_TOO_MANY = 10**9
"""More samples than this are no advice."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """One budget of one gain: what is proven of it, and what that makes of it.

    ``proven`` is False where the estimate alone decided, or nothing. ``more_samples`` is how many
    more would probably decide, None where that cannot be said.
    """

    gain: str
    budget: Budget
    bracket: Bracket | None
    verdict: Verdict
    proven: bool
    reason: str
    more_samples: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        bracket, source = self.bracket, self.budget.source
        return {
            "gain": self.gain,
            "quantity": self.budget.quantity,
            "budget": self.budget.most,
            "source": None if source is None else asdict(source),
            "lower": None if bracket is None else bracket.lower,
            "estimate": None if bracket is None else bracket.estimate,
            "upper": None if bracket is None else bracket.upper,
            "upper_reason": None if bracket is None else bracket.upper_reason,
            "verdict": self.verdict,
            "proven": self.proven,
            "reason": self.reason,
            "more_samples": self.more_samples,
        }


@dataclass(frozen=True)
class Gate:
    """Every budget judged. All judgements hold together at ``confidence``."""

    estimates: tuple[Estimate, ...]
    judgements: tuple[Judgement, ...]
    confidence: float
    judge: Judge = "proof"
    inconclusive: Inconclusive | None = None

    @property
    def verdict(self) -> Verdict:
        """Over where any budget is, within where all are."""
        found = {judgement.verdict for judgement in self.judgements}
        worst: tuple[Verdict, ...] = ("over", "inconclusive", "within")
        return next(verdict for verdict in worst if verdict in found)

    @property
    def exit_code(self) -> int:
        """0 within, 1 over, 3 inconclusive unless that was said to pass or to fail."""
        if self.verdict == "inconclusive" and self.inconclusive is not None:
            return 0 if self.inconclusive == "pass" else 1
        return EXIT_CODES[self.verdict]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the estimates, each said once."""
        return tuple(dict.fromkeys(line for found in self.estimates for line in found.warnings))

    def to_dict(self) -> dict[str, Any]:
        """The JSON of schema version 1."""
        return {
            "schema_version": 1,
            "verdict": self.verdict,
            "exit_code": self.exit_code,
            "confidence": self.confidence,
            "judge": self.judge,
            "inconclusive": self.inconclusive,
            "judgements": [judgement.to_dict() for judgement in self.judgements],
            "estimates": [found.to_dict() for found in self.estimates],
        }


def check(
    estimates: Estimate | Sequence[Estimate],
    budgets: Sequence[Budget],
    *,
    judge: Judge = "proof",
    inconclusive: Inconclusive | None = None,
) -> Gate:
    """Judge estimates against budgets.

    A budget is kept where the proven upper side is within it, and exceeded where the proven lower
    side is over it. With several budgets each is judged at a share of the error, so that the
    chance that any of them is judged wrongly stays what the estimates state.

    >>> from gleak import Channel, Samples
    >>> from gleak.estimation import estimate
    >>> channel = Channel([[0.9, 0.1], [0.1, 0.9]])
    >>> found = estimate(Samples.of(*channel.sample(4000, rng=0)), adversary="frequentist")
    >>> gate = check(found, [Budget("multiplicative", 1.5)])
    >>> gate.verdict, gate.exit_code, gate.judgements[0].proven
    ('over', 1, True)
    """
    given = [estimates] if isinstance(estimates, Estimate) else list(estimates)
    check_choices(judge, inconclusive)
    pairs = [(found, budget) for found in given for budget in budgets_of(budgets, found.gain)]
    if not pairs:
        gains = [found.gain for found in given]
        raise InputError.must("a budget", f"on one of the gains {', '.join(gains)}", "none")
    for found, budget in pairs:
        payoff = found.evidence.payoff
        budget.check_range(found.gain, payoff.low, payoff.high)
    confidence = given[0].confidence
    each = confidence if len(pairs) == 1 else 1 - (1 - confidence) / len(pairs)
    shown = {id(found): found.at(each) for found in given}
    return Gate(
        tuple(shown.values()),
        tuple(_judged(shown[id(found)], budget, judge) for found, budget in pairs),
        confidence, judge, inconclusive,
    )  # fmt: skip


def check_choices(judge: str, inconclusive: str | None) -> None:
    """Refuse choices that there are not, before anything is estimated."""
    for what, got, known in (
        ("judge", judge, get_args(Judge)),
        ("choice for what is inconclusive", inconclusive, (None, *get_args(Inconclusive))),
    ):
        if got not in known:
            names = [name for name in known if name is not None]
            raise InputError(f"unknown {what} {got!r}; {nearest(str(got), names)}")


def bracket_of(certificate: Certificate, quantity: Quantity) -> Bracket | None:
    """What is proven of the quantity that a budget is on."""
    found: Bracket | None = getattr(certificate, quantity)
    return found


def _judged(found: Estimate, budget: Budget, judge: Judge) -> Judgement:
    bracket = bracket_of(found.certificate, budget.quantity)
    if bracket is None:
        reason = "a blind guess may win nothing or lose, which makes no ratio: use --max-additive"
        return Judgement(found.gain, budget, None, "inconclusive", False, reason)
    if bracket.lower > budget.most:
        reason = f"proven to be at least {bracket.lower:.4f}"
        return Judgement(found.gain, budget, bracket, "over", True, reason)
    if bracket.upper is not None and bracket.upper <= budget.most:
        reason = f"proven to be at most {bracket.upper:.4f}"
        return Judgement(found.gain, budget, bracket, "within", True, reason)
    more = more_samples(bracket, budget.most, found.samples.total, found.confidence)
    if judge == "estimate":
        verdict: Verdict = "over" if bracket.estimate > budget.most else "within"
        reason = f"{_unproven(bracket)}; judged on the estimate of {bracket.estimate:.4f}"
        return Judgement(found.gain, budget, bracket, verdict, False, reason, more)
    reason = f"{_unproven(bracket)}; {_advice(found, bracket, budget, more)}"
    return Judgement(found.gain, budget, bracket, "inconclusive", False, reason, more)


def _unproven(bracket: Bracket) -> str:
    if bracket.upper is None:
        return f"proven to be at least {bracket.lower:.4f}, nothing is proven above"
    return f"proven to be between {bracket.lower:.4f} and {bracket.upper:.4f}"


def _advice(found: Estimate, bracket: Bracket, budget: Budget, more: int | None) -> str:
    """What would decide: more samples, coarser observables, or the estimate."""
    if more is not None:
        return f"about {more:,} more samples would probably decide"
    if bracket.upper is None and bracket.estimate <= budget.most:
        counts = found.samples
        if counts.distinct_observables == counts.total:
            return (
                "observables never repeat (they are continuous), so that no number of samples "
                "proves an upper side: let --judge estimate decide"
            )
        return f"{bracket.upper_reason}; or let --judge estimate decide"
    return "the estimate is at the budget: more samples may never decide"


def more_samples(bracket: Bracket, most: float, samples: int, confidence: float) -> int | None:
    """How many more samples would probably decide, to two digits; None where nobody can say.

    Both sides of a bracket close in on the estimate as 1/√n. The side that has to pass the budget
    is then at (side ± noise)·√(n/n') from it, the noise such that it passes in four of five
    runs, were the estimate the truth. An upper side closes in faster than that while observables
    begin to repeat: then fewer are needed.

    >>> more_samples(Bracket(0.45, 0.5, 0.55), 0.52, 1000, 0.95)
    12000
    """
    above = bracket.estimate > most
    side = bracket.lower if above else bracket.upper
    gap = abs(bracket.estimate - most)
    if side is None or gap == 0:
        return None
    normal = NormalDist()
    noise = normal.inv_cdf(_PROBABLY) / normal.inv_cdf((1 + confidence) / 2)
    distance = abs(side - bracket.estimate) * (1 + noise)
    wanted = samples * ((distance / gap) ** 2 - 1)
    return None if wanted > _TOO_MANY else _two_digits(wanted)


def _two_digits(count: float) -> int:
    """Rounded up to two leading digits: more would promise what is not known."""
    unit = 10 ** max(0, math.floor(math.log10(count)) - 1) if count >= 1 else 1
    return math.ceil(count / unit) * unit
