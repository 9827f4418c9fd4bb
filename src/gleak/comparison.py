"""What a change to a system did: the difference between two estimates, and what is proven of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.errors import InputError
from gleak.result import Estimate

Verdict = Literal["removed", "no change proven", "worse"]


@dataclass(frozen=True, slots=True)
class Change:
    """After minus before: what is proven below, what is estimated, what is proven above."""

    lower: float | None
    estimate: float
    upper: float | None

    @classmethod
    def between(cls, before: Bracket, after: Bracket) -> "Change":
        """The change from one bracket to another; a side misses where the one it needs does."""
        lower = None if before.upper is None else after.lower - before.upper
        upper = None if after.upper is None else after.upper - before.lower
        return cls(lower, after.estimate - before.estimate, upper)

    def to_dict(self) -> dict[str, float | None]:
        """Plain numbers."""
        return {"lower": self.lower, "estimate": self.estimate, "upper": self.upper}


@dataclass(frozen=True)
class Comparison:
    """Two systems under one gain. Each change holds at ``confidence`` by itself.

    ``from_baseline`` says that the side before came from a file, so that its error could not be
    halved: the errors of both sides are added.
    """

    before: Side
    after: Side
    confidence: float
    from_baseline: bool

    @property
    def vulnerability(self) -> Change:
        """How V_g(π,C) changed."""
        return Change.between(self.before.vulnerability, self.after.vulnerability)

    @property
    def additive(self) -> Change:
        """How V_g(π,C) − V_g(π) changed."""
        return Change.between(self.before.additive, self.after.additive)

    @property
    def multiplicative(self) -> Change | None:
        """How V_g(π,C) / V_g(π) changed."""
        return _between(self.before.multiplicative, self.after.multiplicative)

    @property
    def min_entropy_bits(self) -> Change | None:
        """How the multiplicative leakage in bits changed."""
        return _between(self.before.min_entropy_bits, self.after.min_entropy_bits)

    @property
    def verdict(self) -> Verdict:
        """Whether vulnerability provably fell or rose."""
        change = self.vulnerability
        if change.upper is not None and change.upper < 0:
            return "removed"
        if change.lower is not None and change.lower > 0:
            return "worse"
        return "no change proven"

    @property
    def at_least(self) -> float | None:
        """By how much it provably fell or rose."""
        change = self.vulnerability
        if self.verdict == "removed" and change.upper is not None:
            return -change.upper
        return change.lower if self.verdict == "worse" else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know before they believe the verdict."""
        return tuple(_warnings(self))

    def to_dict(self) -> dict[str, Any]:
        """The JSON of schema version 1."""
        bits = self.min_entropy_bits
        leakage = {
            "multiplicative": _plain(self.multiplicative),
            "additive": self.additive.to_dict(),
            "min_entropy_bits": bits and bits.to_dict(),
        }
        return {
            "schema_version": 1,
            "gain": self.before.gain,
            "verdict": self.verdict,
            "at_least": self.at_least,
            "change": {"vulnerability": self.vulnerability.to_dict(), "leakage": leakage},
            "confidence": self.confidence,
            "from_baseline": self.from_baseline,
            "before": self.before.to_dict(),
            "after": self.after.to_dict(),
            "warnings": list(self.warnings),
        }


def compare(before: Estimate | Side, after: Estimate) -> Comparison:
    """What changed from one system to another, under the same gain.

    Either bracket is proven at half the error (Bonferroni), so that the change holds at the
    confidence of the estimate ``after``. A side ``before`` that was read from a file is proven at
    the confidence it was saved with: then the change holds at what both errors leave.

    >>> from gleak import Channel, Samples
    >>> from gleak.estimation import estimate
    >>> def system(p, seed):
    ...     channel = Channel([[p, 1 - p], [1 - p, p]])
    ...     return estimate(Samples.of(*channel.sample(4000, rng=seed)), adversary="frequentist")
    >>> found = compare(system(0.9, 0), system(0.6, 1))
    >>> found.verdict, found.at_least < 0.3 < -found.vulnerability.lower
    ('removed', True)
    """
    if before.gain != after.gain:
        raise InputError.must(
            "both estimates", "of one gain", f"{before.gain} before and {after.gain} after"
        )
    error = 1 - after.confidence
    if isinstance(before, Side):
        left = after.confidence - (1 - before.confidence)
        if left <= 0:
            raise InputError.must(
                "the errors of both sides", "less than 1 together",
                f"{1 - before.confidence:g} before and {error:g} after",
                remedy="make the baseline again with a higher --confidence",
            )  # fmt: skip
        return Comparison(before, Side.of(after), left, from_baseline=True)
    one, other = (Side.of(found.at(1 - error / 2)) for found in (before, after))
    return Comparison(one, other, after.confidence, from_baseline=False)


def _between(before: Bracket | None, after: Bracket | None) -> Change | None:
    return None if before is None or after is None else Change.between(before, after)


def _plain(change: Change | None) -> dict[str, float | None]:
    nothing: dict[str, float | None] = {"lower": None, "estimate": None, "upper": None}
    return nothing if change is None else change.to_dict()


def _warnings(found: Comparison) -> Iterator[str]:
    before, after = found.before, found.after
    blind, blind_after = before.prior_vulnerability, after.prior_vulnerability
    apart = (blind.upper is not None and blind.upper < blind_after.lower) or (
        blind_after.upper is not None and blind_after.upper < blind.lower
    )
    if apart:
        yield (
            f"a blind guess wins {blind.estimate:.4f} before and {blind_after.estimate:.4f} after: "
            "vulnerability changes with it, so look at the leakage"
        )
    if before.data_sha256 == after.data_sha256:
        yield "both sides are the same samples"
    if found.from_baseline:
        yield (
            f"the baseline is proven at {100 * before.confidence:g} % and cannot be made surer, so "
            f"the errors of both sides add up: changes hold at {100 * found.confidence:g} %"
        )
    yield from _missing(found)
    for side, when in ((before, "before"), (after, "after")):
        yield from (f"{when}, {warning}" for warning in side.warnings)


def _missing(found: Comparison) -> Iterator[str]:
    """Which verdicts are out of reach because a side has nothing proven above."""
    for side, when, what in (
        (found.after, "after", "no removal"),
        (found.before, "before", "no worsening"),
    ):
        if side.vulnerability.upper is None:
            reason = side.vulnerability.upper_reason
            yield f"{what} can be proven: there is no proven upper side {when} ({reason})"
