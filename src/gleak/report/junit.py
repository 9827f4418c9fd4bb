"""The gate as JUnit XML: a test case for each budget.

Nobody owns the format: what is written here is what Jenkins, GitLab and others read alike.
"""

import re
from xml.etree import ElementTree

from gleak.gate import Gate, Judgement
from gleak.report.check_words import attackers, basis, sentence

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML 1.0 document cannot hold, even escaped."""


def to_junit(gate: Gate) -> str:
    """A budget that is exceeded fails; one that nothing decides is an error.

    Said to pass, what is inconclusive is skipped; said to fail, it fails.
    """
    suite = ElementTree.Element("testsuite", name="gleak check")
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (("confidence", f"{gate.confidence:g}"), ("judge", gate.judge)):
        ElementTree.SubElement(properties, "property", name=name, value=value)
    for judgement in gate.judgements:
        suite.append(_case(gate, judgement))
    lines = [basis(gate), attackers(gate), *(f"warning: {line}" for line in gate.warnings)]
    ElementTree.SubElement(suite, "system-out").text = _xml("\n".join(lines))
    whole = ElementTree.Element("testsuites", name="gleak")
    whole.append(suite)
    suite.set("skipped", str(len(suite.findall("testcase/skipped"))))
    for element in (whole, suite):
        for attribute, path in (
            ("tests", "testcase"), ("failures", "testcase/failure"), ("errors", "testcase/error")
        ):  # fmt: skip
            element.set(attribute, str(len(suite.findall(path))))
    ElementTree.indent(whole)
    text = ElementTree.tostring(whole, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _case(gate: Gate, judgement: Judgement) -> ElementTree.Element:
    case = ElementTree.Element(
        "testcase", classname=_xml(f"gleak.{judgement.gain}"), name=str(judgement.budget)
    )
    said = _xml(sentence(judgement))
    outcome = _outcome(gate, judgement)
    if outcome is None:
        ElementTree.SubElement(case, "system-out").text = said
        return case
    found = ElementTree.SubElement(case, outcome, message=said)
    if outcome != "skipped":
        found.set("type", judgement.verdict)
        found.text = said
    return case


def _outcome(gate: Gate, judgement: Judgement) -> str | None:
    if judgement.verdict == "inconclusive":
        outcomes = {None: "error", "fail": "failure", "pass": "skipped"}
        return outcomes[gate.inconclusive]
    return "failure" if judgement.verdict == "over" else None


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
