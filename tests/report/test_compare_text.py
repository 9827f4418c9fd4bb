from dataclasses import replace

import pytest

from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.comparison import Comparison
from gleak.report.compare_text import compare_report
from gleak.report.compare_words import verdict_line
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
bayes: the fix removed at least 0.2000 of the vulnerability
by estimate, not proven: the strongest attacker found wins 0.6000 instead of 0.9000, 0.3000 less

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
    assert render(compare_report([FOUND])) == WHOLE


def test_the_other_verdicts():
    back = replace(FOUND, before=FOUND.after, after=FOUND.before)
    assert verdict_line(back) == "worse by at least 0.2000 of vulnerability"
    assert verdict_line(replace(FOUND, after=FOUND.before)) == "no change proven"
    assert "0.3000 more" in render(compare_report([back]))


@pytest.mark.parametrize("which", ["before", "after"])
def test_a_missing_upper_side_is_a_dash_and_a_reason(which):
    open_ = replace(getattr(FOUND, which), vulnerability=Bracket(0.6, 0.7, None, "all differ"))
    text = render(compare_report([replace(FOUND, **{which: open_})]))
    assert f"there is no proven upper side {which} (all differ)" in text
    assert "  -" in next(line for line in text.splitlines() if "  vulnerability  " in line)
