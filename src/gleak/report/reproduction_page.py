"""A reproduction as a page of Markdown: every figure beside the paper's, and what holds."""

from collections.abc import Mapping, Sequence
from itertools import chain

from gleak.experiments.findings import Finding, findings
from gleak.experiments.study import Study
from gleak.experiments.summary import Line, Reproduction
from gleak.report.figures import Sheet
from gleak.report.reproduction_text import cells, figure

_COLUMNS = (
    "attacker", "pre-processing", "samples", "paper", "ours", "`auto`", "floor", "× floor",
    "dispersion", "total error", "gap",
)  # fmt: skip


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
        "*Estimating g-Leakage via Machine Learning* (CCS 2020), by this package: the paper's",
        "attackers as the paper sets them, and `auto`, which knows nothing of the studies. This",
        "page is written by the command that runs them.",
        "",
        f"- command: `{command}`",
        f"- protocol: training sets of each size: {protocol.training_sets}, scored on "
        f"{protocol.validation_sets} validation sets of {protocol.validation_size:,}{epochs}",
        f"- seed {protocol.seed}; done by {found.created[:10]} "
        f"on {'; '.join(found.machines)}: {found.seconds / 60:.0f} minutes of learning and scoring",
        "",
        "**paper** is the mean error δ̄ = mean |V̂ − V~g~|/V~g~ read off the paper's plots,",
        "**ours** the same attacker's here, **`auto`** the library's choice from as many",
        "samples, **floor** that of an attacker who knows the system, on the same validation",
        "sets: nobody is expected below it. **gap** is (V~g~ − V(f))/V~g~, which has no noise of",
        "validation sets in it and is exact where the system's observables can be listed.",
        "",
    ]


def _held(found: Sequence[Finding]) -> list[str]:
    rows = [
        f"| {'yes' if one.holds else '**no**'} | {one.claim} | {one.figures} |" for one in found
    ]
    return ["## What holds", "", "| holds | claim | figures |", "|---|---|---|", *rows, ""]


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
    return [*cells(line), figure(line.dispersion), figure(line.total), figure(line.gap)]
