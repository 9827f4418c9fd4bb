from dataclasses import replace

import pytest

from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.comparison import Comparison
from gleak.report.compare_text import compare_report
from gleak.report.compare_words import estimate_line, signed, verdict_line
from gleak.report.text import render

BLIND = Bracket(0.45, 0.5, 0.55)


def side(vulnerability, additive, sha):
    return Side("bayes", vulnerability, BLIND, additive, None, None, 0.975, "trees", 1234, sha)


FOUND = Comparison(
    side(Bracket(0.85, 0.9, 0.95), Bracket(0.3, 0.4, 0.5), "1"),
    side(Bracket(0.55, 0.6, 0.65), Bracket(0.0, 0.1, 0.2), "2"),
    0.95,
    from_baseline=False,
)
WHOLE = """\
bayes: the fix removed at least 20.0 percentage points of vulnerability
by estimate, not proven: the strongest attacker found wins 60.0 % instead of 90.0 %, \
30.0 percentage points less

before: 1,234 samples, strongest attacker found trees
after: 1,234 samples, strongest attacker found trees
After minus before, each line proven at 95 %

                     proven lower   estimate   proven upper
 ───────────────────────────────────────────────────────────
  vulnerability           -0.4000    -0.3000        -0.2000
  × leakage                     -          -              -
  + leakage               -0.5000    -0.3000        -0.1000
  min-entropy bits              -          -              -

Either side: before proven at 97.5 %, after at 97.5 %

                         proven lower   estimate   proven upper
 ───────────────────────────────────────────────────────────────
  vulnerability before         0.8500     0.9000         0.9500
  blind guess before           0.4500     0.5000         0.5500
  vulnerability after          0.5500     0.6000         0.6500
  blind guess after            0.4500     0.5000         0.5500

"""


def test_the_whole_text():
    assert render(compare_report([FOUND]), width=None) == WHOLE


def test_the_other_verdicts():
    back = replace(FOUND, before=FOUND.after, after=FOUND.before)
    assert verdict_line(back) == "worse by at least 20.0 percentage points of vulnerability"
    assert verdict_line(replace(FOUND, after=FOUND.before)) == (
        "no change proven: "
        "anything from 10.0 percentage points less to 10.0 percentage points more is possible"
    )
    assert "30.0 percentage points more" in render(compare_report([back]), width=None)
    assert "no more and no less" in estimate_line(replace(FOUND, after=FOUND.before))
    assert (signed("bayes", -0.2), signed("bayes", 0.2)) == ("-20.0 points", "+20.0 points")
    assert signed("bayes", 0.0) == "0.0 points"


def money(before, after):
    sides = (
        replace(one, gain="costs.csv", vulnerability=Bracket(*ends))
        for one, ends in ((FOUND.before, before), (FOUND.after, after))
    )
    return Comparison(*sides, 0.95, from_baseline=False)


def test_what_is_no_chance_is_said_in_the_units_of_the_gain():
    found = money((20_000, 23_000, 35_000), (-5.5, -1, 9.75))
    assert verdict_line(found) == (
        "the fix removed at least 19,990 of vulnerability, in the gain's own units"
    )
    assert estimate_line(found).endswith("found wins -1 instead of 23,000, 23,001 less")
    assert signed("costs.csv", found.vulnerability.upper) == "-19,990"
    assert signed("costs.csv", 2.5) == "+2.5"
    assert signed("costs.csv", None) == "not proven"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ((1, 2, 4), (1, 2, 3), "anything from 3 less to 2 more is possible"),
        ((1, 2, 4), (1, 2, None), "at most 3 less are won now, how much more is not proven"),
        ((1, 2, None), (1, 2, 4), "at most 3 more are won now, how much less is not proven"),
    ],
)
def test_no_change_proven_says_what_is_left_possible(before, after, said):
    found = money(before, after)
    assert verdict_line(found) == f"no change proven: {said}, in the gain's own units"


def test_where_neither_side_ends_nothing_is_proven_of_the_change():
    assert verdict_line(money((1, 2, None), (1, 2, None))) == (
        "no change proven: how much more or less is won now is proven on neither side"
    )


@pytest.mark.parametrize("which", ["before", "after"])
def test_a_missing_upper_side_is_a_dash_and_a_reason(which):
    open_ = replace(getattr(FOUND, which), vulnerability=Bracket(0.6, 0.7, None, "all differ"))
    text = render(compare_report([replace(FOUND, **{which: open_})]))
    assert f"there is no proven upper side {which} (all differ)" in text
    assert "  -" in next(line for line in text.splitlines() if "  vulnerability  " in line)
