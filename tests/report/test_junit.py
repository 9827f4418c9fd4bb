"""JUnit XML: valid, with an outcome for each budget that Jenkins and others understand."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from gleak.report.junit import to_junit

SCHEMA = xmlschema.XMLSchema(str(Path(__file__).with_name("junit.xsd")))


def outcomes(text):
    return [[child.tag for child in case] for case in ElementTree.fromstring(text).iter("testcase")]


@pytest.mark.parametrize("choice", [None, "pass", "fail"])
def test_it_is_valid_whatever_is_inconclusive(gate, choice):
    SCHEMA.validate(to_junit(replace(gate, inconclusive=choice)))


def test_the_schema_can_refuse(gate):
    whole = to_junit(gate)
    for wrong in (
        whole.replace('tests="3"', ""),
        whole.replace("<failure", "<failed").replace("</failure", "</failed"),
        whole.replace('classname="gleak.bayes"', ""),
        whole.replace('type="over"', 'type=""'),
    ):
        assert wrong != whole
        assert not SCHEMA.is_valid(wrong)


@pytest.mark.parametrize(
    ("choice", "last", "counts"),
    [
        (None, "error", ("3", "1", "1", "0")),
        ("fail", "failure", ("3", "2", "0", "0")),
        ("pass", "skipped", ("3", "1", "0", "1")),
    ],
)
def test_a_case_for_each_budget(gate, choice, last, counts):
    text = to_junit(replace(gate, inconclusive=choice))
    assert outcomes(text) == [["system-out"], ["failure"], [last]]
    suite = ElementTree.fromstring(text).find("testsuite")
    assert tuple(suite.get(k) for k in ("tests", "failures", "errors", "skipped")) == counts
    names = [(case.get("classname"), case.get("name")) for case in suite.iter("testcase")]
    assert names[1] == ("gleak.a_b.csv", "max-multiplicative = 1.5")


def test_what_xml_cannot_hold_is_replaced(gate):
    """A label in a warning may hold a control character, which no XML 1.0 document can."""
    assert "rows &lt;may&gt; not be | independent\ufffd" in to_junit(gate)


def test_the_reason_is_the_failure_s_message(gate):
    failure = ElementTree.fromstring(to_junit(gate)).find("testsuite/testcase/failure")
    said = "a_b.csv, max-multiplicative = 1.5: over, proven to be at least 1.6000"
    assert (failure.get("message"), failure.text, failure.get("type")) == (said, said, "over")
