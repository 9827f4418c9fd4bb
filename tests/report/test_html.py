"""The page as a file: whole by itself, and saying what the estimate says."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from tests.report.estimates import contested, counted, mapped, silent, traced
from tests.report.pages import Page

from gleak import Channel, Samples
from gleak.estimation import estimate
from gleak.report.html import fragment, to_html


@pytest.mark.parametrize("found", [mapped, counted, silent, traced, contested])
def test_the_page_is_whole_and_refers_to_nothing_outside(found):
    text = to_html([found()])
    page = Page(text)
    assert len(text) < 2_000_000
    outside = [
        a for a in page.seen for name in ("src", "href") if (a[1].get(name) or "#")[0] != "#"
    ]
    assert outside == []
    names = [a["id"] for _, a in page.seen if "id" in a]
    assert len(names) == len(set(names))
    assert "url(http" not in text
    assert "@import" not in text
    assert [a.get("type") for a in page.all("script")] == ["application/json"]


@pytest.mark.parametrize("found", [mapped, contested])
def test_headings_descend_and_tables_have_heads(found):
    page = Page(to_html([found()] * 2))
    levels = [int(tag[1]) for tag, _ in page.seen if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(a.get("scope") in ("col", "row") for a in page.all("th"))
    assert all(a.get("role") == "img" and a["aria-label"] for a in page.all("svg"))


def test_the_verdict_comes_first():
    page = Page(to_html([mapped()], source="log.csv", command="gleak estimate log.csv"))
    text = " ".join(page.text.split())
    lower = f"{100 * mapped().vulnerability.lower:.1f} %"
    assert re.search(r"gleak · log.csv · bayes It leaks An attacker with one try names", text)
    assert text.index(lower) < text.index("What it means") < text.index("Where it leaks")
    assert text.index("What it rests on") < text.index("gleak estimate log.csv")
    assert "No leak proven" in Page(to_html([silent()])).text


def test_labels_are_text_and_never_markup():
    page = to_html([mapped()])
    assert "anna <b>" not in page
    assert "anna &lt;b&gt;" in page
    assert "🦊" in page


def test_hidden_labels_are_nowhere_in_the_file():
    page = to_html([mapped()], hide_labels=True)
    for name in ("anna", "bert", "carl", "dora", "émile", "🦊"):
        assert name not in page
    assert "secret 1" in page


def test_warnings_lose_the_names_of_hidden_secrets():
    line = "1 of 6 secrets are never trained on (such as 'anna <b>')"
    found = replace(mapped(), warnings=(line,))
    assert "1 of 6 secrets are never trained on." in to_html([found], hide_labels=True)
    assert "anna" not in to_html([found], hide_labels=True)
    assert "such as &#39;anna &lt;b&gt;&#39;" in to_html([found])


def test_the_result_is_embedded_as_it_is():
    page = to_html([mapped()])
    embedded = re.search(r'id="gleak-json">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(embedded) == mapped().to_dict()


def test_several_gains_are_summed_up_first():
    text = Page(to_html([counted("bayes"), counted("tries:3")])).text
    assert "2 of 2 attackers provably win more by looking." in text
    assert text.index("tries:3") < text.index("bayes: it leaks") < text.index("tries:3: it leaks")


def test_the_checklist_says_what_was_done_what_to_check_and_what_went_wrong():
    page = to_html([mapped()])
    kinds = re.findall(r'<li class="(\w+)"><b>', page)
    assert kinds == ["done"] * 3 + ["check"] * 3 + ["warning"] * len(mapped().warnings)
    assert "nothing can be proven above: no upper bound." in page


def test_folds_are_not_said_to_train_nothing():
    channel = Channel([[0.9, 0.1], [0.1, 0.9]])
    samples = Samples.of(*channel.sample(300, rng=0))
    found = estimate(samples, adversary="frequentist", folds=3)
    text = Page(to_html([found])).text
    assert "All 300 samples certify, in 3 folds: those of a fold certify an attacker" in text
    assert "learned from the others alone, 200 for the first fold." in text
    assert "trained nothing" not in text


def test_a_notebook_shows_the_verdict_and_the_bracket():
    page = Page(mapped()._repr_html_())
    assert "It leaks." in page.text
    assert len(page.all("svg")) == 2
    assert fragment(silent()).count("No leak proven.") == 1


def test_a_notebook_need_not_wait_for_what_it_does_not_show():
    found = replace(silent())
    found._repr_html_()
    assert "per_column" not in vars(found)
