"""An estimate as one self-contained page: no network, no script, light and dark, on paper too."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gleak._version import __version__
from gleak.concerns import unnamed
from gleak.report.figures import SecretsDisplay, display, displays
from gleak.report.page import Figure, embedded, environment, sentence, style, unbroken
from gleak.report.words import ends, meaning, shown, verdict
from gleak.result import Estimate

_TELLING = 10
"""Columns listed where they are too many to list all."""


def to_html(
    estimates: Sequence[Estimate],
    *,
    command: str | None = None,
    source: str | None = None,
    hide_labels: bool = False,
) -> str:
    """The whole report. ``command`` makes it again, ``source`` is what the samples are called."""
    views = [_View(estimate, hide_labels) for estimate in estimates]
    return environment().get_template("report.html.j2").render(
        views=views, command=command, source=source, css=style(), version=__version__,
        embedded=embedded(views),
    )  # fmt: skip


def fragment(estimate: Estimate) -> str:
    """The verdict and the bracket, as a notebook shows them."""
    view, bracket = _View(estimate, hide_labels=False), Figure(display(estimate, "bracket"))
    template = environment().get_template("fragment.html.j2")
    return template.render(view=view, bracket=bracket, css=style())


@dataclass(frozen=True)
class _View:
    """An estimate in the words of the page."""

    estimate: Estimate
    hide_labels: bool

    @property
    def leaks(self) -> bool:
        return self.estimate.verdict == "leaks"

    @property
    def heading(self) -> str:
        return "It leaks" if self.leaks else "No leak proven"

    @property
    def lead(self) -> str:
        return unbroken(verdict(self.estimate))

    @property
    def meaning(self) -> list[str]:
        return [unbroken(line) for line in meaning(self.estimate)]

    @cached_property
    def figures(self) -> dict[str, Figure]:
        found = displays(self.estimate, hide_labels=self.hide_labels)
        return {name: Figure(figure) for name, figure in found.items()}

    @property
    def key_numbers(self) -> list[tuple[str, str]]:
        """What those remember who remember three numbers."""
        found, show = self.estimate.vulnerability, shown(self.estimate.gain)
        above = "not proven" if found.upper is None else show(found.upper)
        return [
            ("proven at least", show(found.lower)),
            ("best estimate", show(found.estimate)),
            ("proven at most", above),
            ("blind guess", show(self.estimate.prior_vulnerability.estimate)),
        ]

    @property
    def rows(self) -> list[tuple[str, str, str, str]]:
        """Every bracket, to four digits."""
        found = self.estimate.certificate
        named = [
            ("after looking", found.vulnerability),
            ("blind guess", found.prior_vulnerability),
            ("leakage, factor", found.multiplicative),
            ("leakage, difference", found.additive),
            ("min-entropy, bits", found.min_entropy_bits),
        ]
        return [(name, *ends(bracket)) for name, bracket in named]

    @property
    def leaderboard(self) -> list[tuple[str, str, str, str]]:
        show = shown(self.estimate.gain)
        return [
            (e.name, e.route, "–" if e.score is None else show(e.score), f"{e.seconds:.1f}")
            for e in self.estimate.attacker.leaderboard
        ]

    @property
    def secrets(self) -> list[tuple[str, str, str, str]]:
        """Name, gain, interval and number of samples of the secrets that are drawn."""
        figure = self.figures["secrets"].display
        assert isinstance(figure, SecretsDisplay)
        pairs = zip(figure.rows, figure.counts, strict=True)
        return [(row.name, row.text, self._span(row.lower, row.upper), f"{count:,}")
                for row, count in pairs]  # fmt: skip

    @property
    def others(self) -> int:
        """Secrets that are not listed."""
        figure = self.figures["secrets"].display
        assert isinstance(figure, SecretsDisplay)
        return figure.others

    @property
    def columns(self) -> list[tuple[str, str, str, str]]:
        """Name, loss, interval and rows of the most telling columns."""
        found, show = self.estimate.per_column, shown(self.estimate.gain)
        return [
            (found.names[i], show(float(found.loss[i])),
             self._span(float(found.lower[i]), float(found.upper[i])), f"{found.rows[i]:,}")
            for i in found.order[:_TELLING].tolist()
        ]  # fmt: skip

    @property
    def other_columns(self) -> int:
        """Columns that are not listed."""
        return max(0, len(self.estimate.per_column.names) - _TELLING)

    def _span(self, lower: float | None, upper: float | None) -> str:
        show = shown(self.estimate.gain)
        return "–" if lower is None or upper is None else f"{show(lower)} to {show(upper)}"

    @property
    def checklist(self) -> list[tuple[str, str]]:
        """What was done, what its reader has to see to, and what went wrong."""
        return [
            *(("done", line) for line in self._done),
            *(("check", line) for line in _ASSUMED),
            *(("warning", line) for line in self.warnings),
        ]

    @property
    def _done(self) -> list[str]:
        counts, sure = self.estimate.samples, 100 * self.estimate.confidence
        return [
            self._kept_apart,
            "The attacker was chosen on training samples alone, so the choice flatters nothing."
            if counts.choose else "One attacker was asked for; no other was tried.",
            f"Each bracket holds at {sure:g} % confidence, whatever the system, at any number of "
            "samples.",
        ]  # fmt: skip

    @property
    def _kept_apart(self) -> str:
        """That nobody certifies who trained what is certified."""
        counts, folds = self.estimate.samples, len(self.estimate.evidence.folds)
        if folds > 1:
            return (
                f"All {counts.certify:,} samples certify, in {folds} folds: those of a fold "
                f"certify an attacker that learned from the others alone, {counts.train:,} for the "
                "first fold."
            )
        return (
            f"{counts.certify:,} samples that trained nothing certify the attacker; it learned "
            f"from {counts.train:,} others."
        )

    @property
    def warnings(self) -> list[str]:
        """The estimate's warnings, without the names of secrets where these are hidden."""
        return [sentence(self._unnamed(line)) for line in self.estimate.warnings]

    def _unnamed(self, line: str) -> str:
        return unnamed(line) if self.hide_labels else line

    @property
    def provenance(self) -> list[tuple[str, str]]:
        counts, made = self.estimate.samples, self.estimate.to_dict()["provenance"]
        attacker = self.estimate.attacker
        options = ", ".join(f"{name}={value}" for name, value in attacker.parameters.items())
        return [
            ("gain", self.estimate.gain),
            ("attacker", f"{attacker.name}, {attacker.route} route"),
            *([("its options", options)] if options else []),
            ("samples", f"{counts.total:,} of {counts.secrets:,} secrets, "
                        f"{counts.distinct_observables:,} distinct observables"),
            ("data, SHA-256", made["data_sha256"]),
            ("seed", "none: a generator was given" if made["seed"] is None else str(made["seed"])),
            ("made with", f"gleak {made['gleak']}, Python {made['python']}"),
            ("made at", made["created"]),
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The estimate's JSON, without the names of secrets where these are hidden."""
        found = self.estimate.to_dict()
        return found | {"warnings": [self._unnamed(line) for line in found["warnings"]]}


_ASSUMED = (
    "Rows are independent of each other; rows that belong together were grouped.",
    "Secrets and conditions were those of the system in use: another prior, another answer.",
    "The columns are all that an attacker sees; one who sees more may win more.",
)
