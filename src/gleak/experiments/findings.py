"""What the paper says of its studies, and this library of its own choice, held against the runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gleak.experiments import vote
from gleak.experiments.attacks import AUTO
from gleak.experiments.depth import DEPTHS, layers
from gleak.experiments.summary import MARGIN, Line, Reproduction

NEAR_FLOOR = 1.15
"""How near to the perfect attacker's error that of ``auto`` is wanted, as a factor."""

_FEW_SAMPLES = {("location", 100): 5.0, ("location", 1_000): 1.6}
"""By study and size: where there are few samples for 400 secrets, less is asked for."""

_ONE_OF_MANY = ("location",)
"""Studies whose system is one of many that the paper may have had, so that its figures are no more
than bounds there."""

_FAR_WORSE = 2.0
_DENSE_RISK = 0.025


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim, whether it holds in what was run, and the figures that say so."""

    claim: str
    holds: bool
    figures: str


def findings(found: Reproduction) -> list[Finding]:
    """Every claim that the runs can be held against: of attackers whose cells are all there."""
    unfinished = found.unfinished
    by_study = {
        study: [line for line in lines if (study, line.attacker) not in unfinished]
        for study, lines in found.studies.items()
    }
    return [
        finding
        for judge in (_paper_attackers, _auto)
        for lines in by_study.values()
        for finding in judge(lines)
    ] + [
        finding
        for study, judge in _OF_STUDY.items()
        if study in by_study
        for finding in judge(by_study[study])
    ]


def _paper_attackers(lines: Sequence[Line]) -> Iterator[Finding]:
    """The simple attackers come out as published; a network may do better."""
    for attacker in ("frequentist", "k-NN", "ANN"):
        published = [line for line in lines if line.attacker == attacker and line.published]
        if not published:
            continue
        may_be_better = attacker == "ANN" or published[0].study in _ONE_OF_MANY
        off = [line for line in published if _is_off(line, may_be_better)]
        word = f"at most {MARGIN:g} above what is published" if may_be_better else "as published"
        claim = f"{published[0].study}: {attacker} {word}"
        told = off or published
        figures = ", ".join(
            f"{line.preprocessing} {line.size:,}: {line.mean:.4f} (paper {line.published:.3f})"
            for line in told
        )
        yield Finding(claim, not off, figures)


def _is_off(line: Line, may_be_better: bool) -> bool:
    if may_be_better:
        return line.published is not None and line.mean > line.published + MARGIN
    return line.beside_paper != "as published"


def _auto(lines: Sequence[Line]) -> Iterator[Finding]:
    own = [(line, ratio) for line in lines if line.attacker == AUTO and (ratio := line.ratio)]
    if own:
        figures = ", ".join(f"{line.size:,}: {ratio:.2f} ×" for line, ratio in own)
        wanted = [_FEW_SAMPLES.get((line.study, line.size), NEAR_FLOOR) for line, _ in own]
        near = all(ratio <= most for (_, ratio), most in zip(own, wanted, strict=True))
        factors = ", ".join(f"{most:g}" for most in dict.fromkeys(wanted))
        yield Finding(f"{lines[0].study}: auto at most {factors} × the floor", near, figures)


def _depth(lines: Sequence[Line]) -> Iterator[Finding]:
    for size in sorted({line.size for line in lines}):
        means = {line.attacker: line.mean for line in lines if line.size == size}
        if len(means) < DEPTHS:
            continue
        flat = means.pop(layers(0))
        yield Finding(
            f"depth: from {size:,} samples no hidden layer is far worse than any",
            flat > _FAR_WORSE * max(means.values()),
            f"{flat:.4f}; " + ", ".join(f"{name} {mean:.4f}" for name, mean in means.items()),
        )


def _vote(lines: Sequence[Line]) -> Iterator[Finding]:
    means = {line.attacker: line.mean for line in lines}
    alone, five, whole = map(means.get, (vote.ALONE, vote.TOGETHER, vote.WHOLE))
    if five is not None and alone is not None:
        yield Finding("vote: better than its members", five < alone, f"{five:.4f}, {alone:.4f}")
    if five is not None and whole is not None:
        yield Finding(
            "vote: worse than one network on all samples", whole < five, f"{five:.4f}, {whole:.4f}"
        )


def _mnist(lines: Sequence[Line]) -> Iterator[Finding]:
    risk = {line.attacker: line.mean for line in lines}
    dense, lenet = map(risk.get, ("dense", "LeNet"))
    if dense is not None:
        yield Finding(
            "mnist: the dense network's risk is at most 2.5 %", dense <= _DENSE_RISK, f"{dense:.4f}"
        )
    if dense is not None and lenet is not None:
        yield Finding(
            "mnist: LeNet is stronger than the dense network", lenet < dense,
            f"{lenet:.4f}, {dense:.4f}",
        )  # fmt: skip


_OF_STUDY: Mapping[str, Callable[[Sequence[Line]], Iterator[Finding]]] = {
    "depth": _depth,
    "vote": _vote,
    "mnist": _mnist,
}
