"""What the terminal shows of estimates and plans, as whole text."""

from dataclasses import replace

from tests.report.estimates import contested

from gleak.certificate import Certificate
from gleak.certify import Bracket
from gleak.planning import Plan
from gleak.report.estimate_text import estimate_report
from gleak.report.plan_text import plan_report
from gleak.report.text import render
from gleak.result import Counts

WHOLE = """\
leaks: an attacker with 2 tries wins at least 88.9 % (best estimate 89.2 %, at most 90.2 %), blind guess 20.0 %

60,000 samples, 10 secrets, 128 distinct observables; 30,000 trained and 30,000 certify
attacker: frequentist (secret route)
warning: rows may not be independent
Gain tries:2, each line proven at 95 %

                     proven lower   estimate   proven upper
 ───────────────────────────────────────────────────────────
  vulnerability            0.8890     0.8920         0.9020
  blind guess              0.1950     0.2000         0.2050
  × leakage                4.3000     4.4600         4.7000
  + leakage                0.6800     0.6920         0.7100
  min-entropy bits         2.1043     2.1570         2.2327

Attackers compared, on samples that trained none of them

  attacker                   gain   seconds
 ───────────────────────────────────────────
  frequentist              0.1300       0.1
  gradient-boosted trees   0.1290      12.0
  linear                   0.1000       2.0
  blind                    0.0300       0.0

"""  # noqa: E501 - a line of its own is what is promised

PROVEN = Certificate(
    Bracket(0.889, 0.892, 0.902), Bracket(0.195, 0.2, 0.205), False, Bracket(0.68, 0.692, 0.71),
    Bracket(4.3, 4.46, 4.7), "leaks",
)  # fmt: skip
FOUND = replace(
    contested(), gain="tries:2", certificate=PROVEN, warnings=("rows may not be independent",),
    samples=Counts(60_000, 30_000, 20_000, 30_000, 10, 128),
)  # fmt: skip


def test_the_whole_text():
    assert render(estimate_report([FOUND]), width=None) == WHOLE


def test_nothing_proven_is_said_with_its_reason():
    nothing = replace(
        PROVEN, vulnerability=Bracket(0.15, 0.19, None, "nothing repeats"), multiplicative=None,
        verdict="no leak proven",
    )  # fmt: skip
    lines = render(estimate_report([replace(FOUND, certificate=nothing)]), width=None).splitlines()
    assert lines[0] == (
        "no leak proven: an attacker with 2 tries wins 19.0 % by best estimate (nothing is proven "
        "above), blind guess 20.0 %"
    )
    assert "no upper bound: nothing repeats" in lines
    assert "  vulnerability            0.1500     0.1900              -" in lines
    assert "  × leakage                     -          -              -" in lines


def test_a_narrow_terminal_breaks_sentences_between_words():
    lines = render(estimate_report([FOUND]), width=60).splitlines()
    assert lines[:2] == [
        "leaks: an attacker with 2 tries wins at least 88.9 % (best",
        "estimate 89.2 %, at most 90.2 %), blind guess 20.0 %",
    ]


def test_a_plan():
    plan = Plan(0.01, 0.95, 2, 500, 6_012_705, 26_819, 7_232, 0.3)
    assert render(plan_report(plan), width=None) == (
        """\
7,232 certifying samples
  bring the proven lower side within 0.01 of the estimate,
  at 95 % confidence, where gains deviate by 0.3.

6,012,705 training and 26,819 validation samples
  suffice whatever the system, by the corollary of the paper, for any of about 2^500 attack rules:
  the best rule is then found, and its gain counted, each within the precision.

Training samples for a real attacker are read off its learning curve: where the
curve of gleak estimate is flat, more of them bring little.
"""
    )
