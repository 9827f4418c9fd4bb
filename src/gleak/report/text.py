"""Results as tables that a person reads in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table

from gleak.channel import Channel
from gleak.exact_answers import Exact, Measures


def exact_report(channel: Channel, results: Sequence[Exact], prior: str) -> RenderableType:
    """What each attacker makes of a known channel, and what holds for all of them."""
    rows, columns = channel.matrix.shape
    title = f"{rows:,} secrets, {columns:,} observables, {prior} prior"
    return Group(title, _gains(results), _measures(results[0].measures))


def _gains(results: Sequence[Exact]) -> Table:
    table = Table(box=SIMPLE_HEAD, title="What an attacker gains", title_justify="left")
    table.add_column("gain", overflow="fold")
    for name in ("blind", "after observing", "× leakage", "+ leakage", "min-entropy bits"):
        table.add_column(name, justify="right")
    for result in results:
        leakage = result.leakage
        table.add_row(
            result.gain,
            f"{result.prior_vulnerability:.6f}",
            f"{result.vulnerability:.6f}",
            "-" if leakage.multiplicative is None else f"{leakage.multiplicative:.6f}",
            f"{leakage.additive:.6f}",
            "-" if leakage.min_entropy_bits is None else f"{leakage.min_entropy_bits:.6f}",
        )
    return table


def _measures(measures: Measures) -> Table:
    table = Table(box=SIMPLE_HEAD, title="Whatever the attacker is after", title_justify="left")
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("meaning")
    for name, value, meaning in (
        ("Bayes capacity", measures.bayes_capacity, "caps × leakage: any prior, any gain ≥ 0"),
        ("Bayes security", measures.bayes_security, "1: no pair of secrets can be told apart"),
        ("Bayes risk", measures.bayes_risk, "one guess at the secret is wrong this often"),
        ("Shannon capacity", measures.shannon_capacity, "bits, at the worst prior"),
        ("mutual information", measures.mutual_information, "bits, at this prior"),
        ("guesses needed, blind", measures.guessing_entropy_prior, "on average, one by one"),
        ("guesses needed, after", measures.guessing_entropy_posterior, "on average, one by one"),
    ):
        table.add_row(name, f"{value:.6f}", meaning)
    return table


def render(report: RenderableType, *, width: int | None = 100) -> str:
    """A report as plain text of some width; of none, where every sentence is a line of its own."""
    console = Console(width=width or 100, no_color=True)
    with console.capture() as capture:
        console.print(report, soft_wrap=width is None)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
