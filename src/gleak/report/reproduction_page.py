"""A reproduction as a page of Markdown: every figure beside the paper's, and what holds."""

from collections.abc import Mapping, Sequence
from itertools import chain

from gleak.experiments.findings import Finding, findings
from gleak.experiments.study import Study
from gleak.experiments.summary import Line, Reproduction
from gleak.report.figures import Sheet
from gleak.report.reproduction_text import cells, figure, training_sets, unfinished

_COLUMNS = (
    "attacker", "pre-processing", "samples", "paper", "ours", "`auto`", "floor", "× floor",
    "dispersion", "total error", "gap", "sets",
)  # fmt: skip

_DIFFERENCES = (
    "The paper's errors are read off its plots. Training and validation sets are drawn anew.",
    "Data pre-processing copies a sample once for each unit of gain. No copy is made here: each "
    "sample is weighted by the gains of all guesses, which is the same objective, in as many "
    "gradient steps of the same size. A step sees whole samples rather than some of their copies, "
    "and so has less noise in it: networks may come out better than published.",
    "What the paper leaves open for its networks is set here: inputs on [0, 1], weights at the "
    "start, and the order of samples.",
    "`auto`, the floor and the gap are not in the paper.",
)
"""What a reader who compares figures has to know, whatever the study."""


def reproduction_page(
    found: Reproduction,
    studies: Mapping[str, Study],
    command: str,
    figures: Mapping[str, Sequence[Sheet]],
    folder: str,
) -> str:
    """The page; ``folder`` is where the figures of each study are, seen from the page."""
    parts = [
        _head(found, command),
        _held(findings(found)),
        _differences(),
        *(
            _section(studies[study], lines, figures[study], folder)
            for study, lines in found.studies.items()
        ),
    ]
    return "\n".join(chain.from_iterable(parts))


def _head(found: Reproduction, command: str) -> list[str]:
    protocol = found.protocol
    epochs = "" if protocol.effort == 1 else f", {protocol.effort:.0%} of the paper's epochs"
    return [
        "# Reproduction",
        "",
        "The studies of M. Romanelli, K. Chatzikokolakis, C. Palamidessi and P. Piantanida,",
        "*Estimating g-Leakage via Machine Learning* (CCS 2020), run again: the paper's attackers",
        "as the paper sets them, and `auto`, the attacker that gleak chooses by itself and that",
        "is told nothing of the studies. The command below wrote this page.",
        "",
        *([f"**{told}**", ""] if (told := unfinished(found)) else []),
        f"- command: `{command}`",
        f"- protocol: of each size {_counted(protocol.training_sets, 'training set')}, each "
        f"attacker scored on {protocol.validation_sets} validation sets of "
        f"{protocol.validation_size:,} samples{epochs}",
        f"- seed: {protocol.seed}",
        f"- date: {found.created[:10]}",
        f"- machine: {'; '.join(found.machines)}",
        f"- time: {_time(found.seconds)} of learning and scoring, all processes together",
        "",
        "Figures are mean errors, so less is better. On each validation set an attacker's mean",
        "gain V̂ is compared with the true vulnerability V_g: the error is δ = |V̂ − V_g| / V_g.",
        "",
        "- **paper**: the mean δ of the paper's attacker;",
        "- **ours**: that of the same attacker here, over all training and validation sets;",
        "- **`auto`**: that of gleak's choice from as many samples;",
        "- **floor**: that of an attacker who knows the system, on the same validation sets. It is",
        "  the noise of these sets: nobody is expected below it;",
        "- **× floor**: ours in units of the floor;",
        "- **dispersion** and **total error**: the standard deviation of δ, and the root of its",
        "  mean square;",
        "- **gap**: (V_g − V(f)) / V_g, by what the attacker f falls short of the best one. It has",
        "  no noise of validation sets in it, and is exact where observables can be listed;",
        "- **sets**: how many training sets the line is over.",
        "",
        "Where no truth is known, as for MNIST, **ours** is the estimated risk.",
        "",
    ]


def _held(found: Sequence[Finding]) -> list[str]:
    rows = [
        f"| {'yes' if one.holds else '**no**'} | {one.claim} | {one.figures} |" for one in found
    ]
    if not rows:
        return []
    return ["## What holds", "", "| holds | claim | figures |", "|---|---|---|", *rows, ""]


def _differences() -> list[str]:
    return [
        "## What differs from the paper", "", *(f"- {one}" for one in _DIFFERENCES), "",
        "What is particular to a study is said there.", "",
    ]  # fmt: skip


def _section(
    study: Study, lines: Sequence[Line], figures: Sequence[Sheet], folder: str
) -> list[str]:
    rule = "|".join("---" if place < 2 else "---:" for place in range(len(_COLUMNS)))
    return [
        f"## {study.title}",
        "",
        *([study.remark, ""] if study.remark else []),
        f"| {' | '.join(_COLUMNS)} |",
        f"|{rule}|",
        *(f"| {' | '.join(_cells(line))} |" for line in lines),
        "",
        *(part for one in figures for part in (f"![{one.alt}]({folder}/{one.name}.svg)", "")),
    ]


def _cells(line: Line) -> list[str]:
    more = [figure(value) for value in (line.dispersion, line.total, line.gap)]
    return [*cells(line), *more, training_sets(line)]


def _counted(many: int, what: str) -> str:
    return f"{many} {what}{'' if many == 1 else 's'}"


def _time(seconds: float) -> str:
    """As people say it, to two digits or so.

    >>> _time(40), _time(400), _time(40_000)
    ('40 s', '7 min', '11.1 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
