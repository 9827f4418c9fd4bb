"""The page of a comparison as a file: whole by itself, and saying what the comparison says."""

import json
import re
from itertools import pairwise

import pytest
from tests.report.comparisons import removed, unchanged, worse
from tests.report.pages import Page

from gleak.report.compare_html import compare_html


def text_of(page):
    return " ".join(Page(page).text.split()).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("found", [removed, worse, unchanged])
def test_the_page_is_whole_and_refers_to_nothing_outside(found):
    text = compare_html([found()] * 2)
    page = Page(text)
    assert len(text) < 500_000
    outside = [
        a for a in page.seen for name in ("src", "href") if (a[1].get(name) or "#")[0] != "#"
    ]
    assert outside == []
    names = [a["id"] for _, a in page.seen if "id" in a]
    assert {"q1", "q2"} <= set(names)
    assert [a.get("type") for a in page.all("script")] == ["application/json"]


@pytest.mark.parametrize("many", [1, 2])
def test_headings_descend_tables_have_heads_and_figures_words(many):
    page = Page(compare_html([removed()] * many))
    levels = [int(tag[1]) for tag, _ in page.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {a.get("scope") for a in page.all("th")} == {"col", "row"}
    [wide, narrow] = page.all("svg")[:2]
    assert (
        wide["aria-label"]
        == narrow["aria-label"]
        == ("Before: 90.0 %, proven 85.0 % to 95.0 %. After: 60.0 %, proven 55.0 % to 65.0 %.")
    )


def test_a_removal_is_said_first_and_what_it_rests_on_last():
    text = text_of(compare_html([removed()], command="gleak compare a.csv b.csv"))
    said = [
        "Attackers win less than before",
        "The fix removed at least 20.0 percentage points of vulnerability.",
        "By estimate, not proven: the strongest attacker found wins 60.0 % instead of 90.0 %",
        "change, proven from-40.0 points", "change, proven to-20.0 points",
        "What changed After minus before, each line proven at 95 % confidence",
        "Before proven at 97.5 % confidence, after at 97.5 %",
        "1,234 samples, strongest attacker found trees", "a" * 64, "b" * 64,
        "WarningBefore, 1 of 3 secrets is never trained on.",
        "gleak compare a.csv b.csv",
    ]  # fmt: skip
    places = [text.index(words) for words in said]
    assert places == sorted(places)
    assert "Dots:" not in text


def test_worse_is_alarming_and_in_the_units_of_the_gain():
    page = compare_html([worse()])
    text = text_of(page)
    assert [a["class"] for a in Page(page).all("h1")] == ["leaks"]
    assert "Attackers win more than before" in text
    assert "Worse by at least 12,030 of vulnerability, in the gain's own units." in text
    assert "change, proven from+12,030 change, proven tonot proven" in text
    assert "Dots: nothing is proven above." in text
    assert "The baseline is proven at 97.5 % and cannot be made surer" in text
    assert "costs &lt;b&gt;.csv" in page
    assert "costs <b>.csv" not in page


def test_no_change_proven_says_what_is_left_possible():
    text = text_of(compare_html([unchanged()]))
    assert "No change proven How much more or less is won now is proven on neither side." in text
    assert "instead of 60.0 %, no more and no less" in text
    assert "Both sides are the same samples." in text
    assert "This was made in Python, by gleak.comparison.compare" in text


def test_several_comparisons_are_summed_up_first():
    text = text_of(compare_html([removed(), worse()]))
    assert "Before and after bayes – Attackers win less than before. The fix removed" in text
    assert text.index("costs <b>.csv – ") < text.index("bayes: attackers win less than before")


def test_the_result_is_embedded_as_it_is():
    page = compare_html([removed(), worse()])
    embedded = re.search(r'id="gleak-json">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(embedded)["estimates"] == [removed().to_dict(), worse().to_dict()]
