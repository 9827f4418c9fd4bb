"""A comparison as one self-contained page, in the style of an estimate's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gleak._version import __version__
from gleak.comparison import Comparison
from gleak.report.compare_words import (
    Row,
    change_rows,
    estimate_line,
    room,
    side_rows,
    signed,
    verdict_line,
)
from gleak.report.figures import ChangeDisplay
from gleak.report.page import Figure, embedded, environment, sentence, style, unbroken
from gleak.report.words import shown

_HEADINGS = {
    "removed": "Attackers win less than before",
    "worse": "Attackers win more than before",
    "no change proven": "No change proven",
}


def compare_html(comparisons: Sequence[Comparison], *, command: str | None = None) -> str:
    """The whole page. ``command`` makes it again."""
    return environment().get_template("compare.html.j2").render(
        views=[_View(found) for found in comparisons], command=command, css=style(),
        version=__version__, embedded=embedded(comparisons),
    )  # fmt: skip


@dataclass(frozen=True)
class _View:
    """A comparison in the words of the page."""

    found: Comparison

    @property
    def gain(self) -> str:
        return self.found.before.gain

    @property
    def heading(self) -> str:
        return _HEADINGS[self.found.verdict]

    @property
    def worse(self) -> bool:
        return self.found.verdict == "worse"

    @property
    def lead(self) -> str:
        """The verdict as a sentence, and what the attackers found say beside it."""
        known = verdict_line(self.found) if self.found.at_least is not None else room(self.found)
        return unbroken(f"{sentence(known)} {sentence(estimate_line(self.found))}")

    @cached_property
    def figure(self) -> Figure:
        found = self.found
        return Figure(
            ChangeDisplay(self.gain, found.before.vulnerability, found.after.vulnerability)
        )

    @property
    def key_numbers(self) -> list[tuple[str, str]]:
        """The four numbers to remember."""
        found, show = self.found, shown(self.gain)
        return [
            ("before, estimate", show(found.before.vulnerability.estimate)),
            ("after, estimate", show(found.after.vulnerability.estimate)),
            ("change, proven from", signed(self.gain, found.vulnerability.lower)),
            ("change, proven to", signed(self.gain, found.vulnerability.upper)),
        ]

    @property
    def changes(self) -> list[Row]:
        return change_rows(self.found)

    @property
    def open(self) -> bool:
        """Whether nothing is proven above of some side."""
        sides = self.found.before, self.found.after
        return any(side.vulnerability.upper is None for side in sides)

    @property
    def sure(self) -> tuple[str, str]:
        """At what each side is proven."""
        before, after = self.found.before.confidence, self.found.after.confidence
        return f"{100 * before:g} %", f"{100 * after:g} %"

    @property
    def sides(self) -> list[Row]:
        return side_rows(self.found)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Who attacked what, on either side."""
        return [
            fact
            for when, side in (("before", self.found.before), ("after", self.found.after))
            for fact in (
                (when, f"{side.samples:,} samples, strongest attacker found {side.attacker}, "
                       f"proven at {100 * side.confidence:g} %"),
                ("data, SHA-256", side.data_sha256),
            )
        ]  # fmt: skip

    @property
    def warnings(self) -> list[str]:
        return [sentence(line) for line in self.found.warnings]
