"""``gleak check``: whether what is proven of a system keeps to a budget."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gleak.cli.output import JsonTarget, check_targets, emit
from gleak.cli.sampling import Recorded, SamplesFile, Sampling, with_sampling

if TYPE_CHECKING:
    from gleak.budget import Budget
    from gleak.gate import Gate

JudgeOption = Annotated[
    str,
    typer.Option(
        help="'proof', or 'estimate': let the estimate decide what is not proven. Continuous "
        "observables never have a proven upper side."
    ),
]
InconclusiveOption = Annotated[
    str | None,
    typer.Option(metavar="pass|fail", help="Exit with 0 or 1 instead of 3 when undecided."),
]
Most = Annotated[float | None, typer.Option(metavar="NUMBER", help="The budget on it.")]
Target = Annotated[str | None, typer.Option(metavar="FILE", help="Write this form to a file.")]


@with_sampling
def check(
    file: SamplesFile,
    sampling: Sampling,
    max_vulnerability: Most = None,
    max_multiplicative: Most = None,
    max_additive: Most = None,
    max_min_entropy_bits: Most = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Budgets in TOML; [tool.gleak] of pyproject.toml unless given."
        ),
    ] = None,
    judge: JudgeOption = "proof",
    inconclusive: InconclusiveOption = None,
    json: JsonTarget = None,
    markdown: Target = None,
    junit: Target = None,
    sarif: Target = None,
) -> None:
    """Fail a build on leakage over a budget.

    Exit code 0: proven to be within every budget; 1: proven to be over one; 2: something has to
    be mended first; 3: neither is proven.
    """
    from gleak.budget import budgets, gains_of
    from gleak.gate import check as judged
    from gleak.gate import check_choices
    from gleak.report.check_text import check_report

    choices: Any = {"judge": judge, "inconclusive": inconclusive}
    check_choices(**choices)
    check_targets([json, markdown, junit, sarif])
    given = {
        "vulnerability": max_vulnerability, "multiplicative": max_multiplicative,
        "additive": max_additive, "min_entropy_bits": max_min_entropy_bits,
    }  # fmt: skip
    found = budgets(cast(Any, given), budget)
    _check_gains(found)
    wanted = replace(sampling, gain=gains_of(found, sampling.gain or []))
    recorded = wanted.read(file)
    _check_ranges(found, recorded, wanted.gains)
    gate = judged(wanted.estimates(recorded), found, **choices)
    emit([gate], json, lambda: check_report(gate))
    _write(gate, file, markdown, junit, sarif)
    raise typer.Exit(gate.exit_code)


def _check_gains(found: "Sequence[Budget]") -> None:
    """Refuse a gain that there is not with the place where it has a budget."""
    from gleak.errors import InputError
    from gleak.gain_spec import as_gain

    for budget in found:
        try:
            as_gain("bayes" if budget.gain is None else budget.gain)
        except InputError as error:
            raise InputError(f"{budget.source}: {error}") from None


def _check_ranges(found: "Sequence[Budget]", recorded: Recorded, gains: Sequence[str]) -> None:
    """Refuse budgets out of a gain's range before the attackers are trained."""
    from gleak.budget import budgets_of

    for gain in gains:
        payoff = recorded.samples.under(gain)[1]
        for budget in budgets_of(found, gain):
            budget.check_range(gain, payoff.low, payoff.high)


def _write(
    gate: "Gate", samples: str, markdown: str | None, junit: str | None, sarif: str | None
) -> None:
    """Each form that is asked for, in its file."""
    from gleak.report.junit import to_junit
    from gleak.report.markdown import to_markdown
    from gleak.report.sarif import to_sarif

    if markdown is not None:
        Path(markdown).write_text(to_markdown(gate), encoding="utf-8")
    if junit is not None:
        Path(junit).write_text(to_junit(gate), encoding="utf-8")
    if sarif is not None:
        Path(sarif).write_text(to_sarif(gate, samples), encoding="utf-8")
