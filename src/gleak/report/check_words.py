"""What the gate found, in sentences that every form of its report shares."""

from gleak.certify import Bracket
from gleak.gate import Gate, Judgement, Verdict

_TITLES: dict[Verdict, str] = {
    "within": "within budget",
    "over": "over budget",
    "inconclusive": "inconclusive",
}


def title(gate: Gate) -> str:
    """The verdict in two words."""
    return _TITLES[gate.verdict]


def summary(gate: Gate) -> str:
    """How many budgets the verdict is about."""
    every = len(gate.judgements)
    about = [j for j in gate.judgements if j.verdict == gate.verdict]
    which = "the budget" if every == 1 else f"{len(about)} of {every} budgets"
    verb = "is" if len(about) == 1 else "are"
    if gate.verdict == "inconclusive":
        return f"{which} {verb} neither proven to be kept nor proven to be exceeded"
    done = "kept" if gate.verdict == "within" else "exceeded"
    if all(judgement.proven for judgement in about):
        return f"{which} {verb} proven to be {done}"
    return f"{which} {verb} {done} as far as the estimate goes, which proves nothing"


def name(judgement: Judgement) -> str:
    """Whose budget it is."""
    return f"{judgement.gain}, {judgement.budget}"


def sentence(judgement: Judgement) -> str:
    """One budget, where it stands, and why it is judged so."""
    source = judgement.budget.source
    place = "" if source is None else f" ({source})"
    return f"{name(judgement)}{place}: {judgement.verdict}, {judgement.reason}"


def cells(bracket: Bracket | None) -> tuple[str, str, str]:
    """Proven lower side, estimate and proven upper side as text."""
    if bracket is None:
        return "-", "-", "-"
    upper = "-" if bracket.upper is None else f"{bracket.upper:.4f}"
    return f"{bracket.lower:.4f}", f"{bracket.estimate:.4f}", upper


def basis(gate: Gate) -> str:
    """What the judgement rests on."""
    first = gate.estimates[0]
    counts, seed = first.samples, first.provenance.seed
    return (
        f"{counts.total:,} samples, of which {counts.certify:,} certify; all judgements hold "
        f"together at {100 * gate.confidence:g} %; seed {seed}, "
        f"data {first.provenance.data_sha256[:12]}"
    )


def attackers(gate: Gate) -> str:
    """The strongest attacker of each gain."""
    found = (f"{one.attacker.name} for {one.gain}" for one in gate.estimates)
    return f"strongest attacker found: {', '.join(found)}"
