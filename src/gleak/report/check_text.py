"""The gate as a person reads it in a terminal."""

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table

from gleak.gate import Gate
from gleak.report.check_words import attackers, basis, cells, sentence, summary, title


def check_report(gate: Gate) -> RenderableType:
    """The verdict first, then each budget, then what they rest on."""
    lines = [*map(sentence, gate.judgements), "", basis(gate), attackers(gate)]
    lines += [f"warning: {warning}" for warning in gate.warnings]
    return Group(f"{title(gate)}: {summary(gate)}", _table(gate), "\n".join(lines))


def _table(gate: Gate) -> Table:
    table = Table(box=SIMPLE_HEAD)
    table.add_column("gain", overflow="fold")
    table.add_column("budget")
    for name in ("proven lower", "estimate", "proven upper"):
        table.add_column(name, justify="right")
    table.add_column("verdict")
    for judgement in gate.judgements:
        bracket = cells(judgement.bracket)
        table.add_row(judgement.gain, str(judgement.budget), *bracket, judgement.verdict)
    return table
