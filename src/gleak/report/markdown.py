"""The gate as Markdown, for a comment on a pull request."""

from gleak.gate import Gate, Judgement, Verdict
from gleak.report.check_words import attackers, basis, cells, sentence, summary, title

_MARKS: dict[Verdict, str] = {"within": "✅", "over": "❌", "inconclusive": "❔"}


def to_markdown(gate: Gate) -> str:
    """The verdict as a heading, each budget as a row, the reasons folded away below."""
    lines = [
        f"### {_MARKS[gate.verdict]} gleak: {title(gate)}",
        "",
        f"{_text(summary(gate)).capitalize()}.",
        "",
        "| | gain | budget | proven at least | estimate | proven at most |",
        "|---|---|---|---:|---:|---:|",
        *map(_row, gate.judgements),
        "",
        "<details><summary>Why, and on what</summary>",
        "",
        *(f"- {_text(sentence(judgement))}" for judgement in gate.judgements),
        f"- {_text(basis(gate))}",
        f"- {_text(attackers(gate))}",
        *(f"- warning: {_text(warning)}" for warning in gate.warnings),
        "",
        "</details>",
        "",
    ]
    return "\n".join(lines)


def _row(judgement: Judgement) -> str:
    verdict = f"{_MARKS[judgement.verdict]} {judgement.verdict}"
    found = (verdict, judgement.gain, str(judgement.budget), *cells(judgement.bracket))
    return f"| {' | '.join(map(_text, found))} |"


def _text(text: str) -> str:
    """Text that Markdown and the HTML inside it leave as it is, on one line."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    for mark in ("\\", "`", "*", "_", "|", "[", "]"):
        escaped = escaped.replace(mark, f"\\{mark}")
    return " ".join(escaped.split())
