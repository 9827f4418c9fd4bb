"""The gate as SARIF 2.1.0: a result for each budget that is not kept, where the budget stands.

OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (2020). A budget that is
kept has no result: readers show every result as something to act on.
"""

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gleak._version import __version__
from gleak.gate import Gate, Judgement
from gleak.report.check_words import sentence

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_RULES = (
    ("budget-exceeded", "The system gives away more than the budget.", "error"),
    ("budget-unproven", "Nothing decides whether the budget is kept.", "warning"),
)


def to_sarif(gate: Gate, samples: str) -> str:
    """A log of one run. Budgets given as options stand nowhere: they point at the samples."""
    open_ = [judgement for judgement in gate.judgements if judgement.verdict != "within"]
    driver = {"name": "gleak", "version": __version__, "rules": [_rule(*rule) for rule in _RULES]}
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, "exitCode": gate.exit_code}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(gate, judgement, samples) for judgement in open_],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, allow_nan=False) + "\n"


def _rule(name: str, text: str, level: str) -> dict[str, Any]:
    return {
        "id": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _result(gate: Gate, judgement: Judgement, samples: str) -> dict[str, Any]:
    unproven = judgement.verdict == "inconclusive"
    levels = {None: "warning", "fail": "error", "pass": "note"}
    same = f"{judgement.gain}|{judgement.budget.quantity}"
    return {
        "ruleId": _RULES[unproven][0],
        "ruleIndex": int(unproven),
        "level": levels[gate.inconclusive] if unproven else "error",
        "message": {"text": sentence(judgement)},
        "locations": [{"physicalLocation": _location(judgement, samples)}],
        "partialFingerprints": {"gleakBudget/v1": hashlib.sha256(same.encode()).hexdigest()},
        "properties": judgement.to_dict(),
    }


def _location(judgement: Judgement, samples: str) -> dict[str, Any]:
    source = judgement.budget.source
    if source is None:
        return {"artifactLocation": {"uri": _uri(samples)}}
    return {
        "artifactLocation": {"uri": _uri(source.file)},
        "region": {"startLine": source.line},
    }


def _uri(file: str) -> str:
    """Relative inside the working directory, which is the repository where the gate is run."""
    whole, here = Path(file).resolve(), Path.cwd().resolve()
    if whole.is_relative_to(here):
        return quote(whole.relative_to(here).as_posix())
    return whole.as_uri()
