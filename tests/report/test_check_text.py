from dataclasses import replace

import pytest

from gleak.report.check_text import check_report
from gleak.report.check_words import summary
from gleak.report.text import render

WHOLE = """\
over budget: 1 of 3 budgets is proven to be exceeded

  gain      budget                     proven lower   estimate   proven upper   verdict
 ────────────────────────────────────────────────────────────────────────────────────────────
  bayes     max-additive = 0.5               0.1000     0.2000         0.3000   within
  a_b.csv   max-multiplicative = 1.5         1.6000     1.7000         1.8000   over
  tries:2   max-vulnerability = 0.5          0.4000     0.4500              -   inconclusive

bayes, max-additive = 0.5 (pyproject.toml, line 7): within, proven to be at most 0.3000
a_b.csv, max-multiplicative = 1.5: over, proven to be at least 1.6000
tries:2, max-vulnerability = 0.5 (pyproject.toml, line 9): inconclusive, proven to be at least
0.4000, nothing is proven above; why

400 samples, of which 200 certify; all judgements hold together at 95 %; seed 0, data 0123456789ab
strongest attacker found: frequentist for bayes
warning: rows may not be independent
"""


def test_the_whole_text(gate):
    calm = replace(gate.estimates[0], warnings=("rows may not be independent",))
    assert render(check_report(replace(gate, estimates=(calm,)))) == WHOLE


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ([0], "the budget is proven to be kept"),
        ([0, 0], "2 of 2 budgets are proven to be kept"),
        ([1, 0], "1 of 2 budgets is proven to be exceeded"),
        ([2, 0], "1 of 2 budgets is neither proven to be kept nor proven to be exceeded"),
        ([2, 2], "2 of 2 budgets are neither proven to be kept nor proven to be exceeded"),
    ],
)
def test_how_many_budgets_the_verdict_is_about(gate, kept, said):
    judgements = tuple(gate.judgements[i] for i in kept)
    assert summary(replace(gate, judgements=judgements)) == said


def test_what_the_estimate_decided_is_not_called_proven(gate):
    one = replace(gate.judgements[2], verdict="within", proven=False)
    said = summary(replace(gate, judgements=(gate.judgements[0], one)))
    assert said == "2 of 2 budgets are kept as far as the estimate goes, which proves nothing"
