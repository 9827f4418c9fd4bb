"""A reproduction on the terminal and as a page, literally."""

import numpy as np

from gleak.experiments.protocol import Cell, protocol
from gleak.experiments.runs import Run
from gleak.experiments.studies import described
from gleak.experiments.summary import Reproduction
from gleak.report.reproduction_page import reproduction_page
from gleak.report.reproduction_text import reproduction_report
from gleak.report.study_figures import study_sheets
from gleak.report.text import render


def run(attacker, size, errors, study="multiple_guesses", truth=0.5, gap=None):
    values = truth * (1 - np.array(errors)) if truth else 1 - np.array(errors)
    return Run(
        Cell(study, attacker, "data", size, 0), f"{attacker}{size}", values, "words", 90.0, truth,
        gap, machine="a machine", created="2026-01-02T03:04:05+00:00",
    )  # fmt: skip


FOUND = Reproduction(
    (
        run("perfect", 0, [0.001, 0.003]),
        run("auto", 10_000, [0.001, 0.003], gap=0.0004),
        run("k-NN", 10_000, [0.5, 0.3], gap=0.41),
        run("dense", 50_000, [0.02, 0.028], study="mnist", truth=None),
        run("LeNet", 50_000, [0.01, 0.02], study="mnist", truth=None),
    ),
    protocol("quick", seed=7),
)

TEXT = """\
multiple_guesses: mean error δ̄ = mean |V̂ − V|/V

  attacker   pre-processing   samples   paper     ours     auto    floor   × floor
 ──────────────────────────────────────────────────────────────────────────────────
  auto       data              10,000       -   0.0020   0.0020   0.0020      1.00
  k-NN       data              10,000   0.026   0.4000   0.0020   0.0020    200.00

mnist: risk, where no truth is known

  attacker   pre-processing   samples   paper     ours   auto   floor   × floor
 ───────────────────────────────────────────────────────────────────────────────
  dense      data              50,000       -   0.0240      -       -         -
  LeNet      data              50,000       -   0.0150      -       -         -

FAILS  multiple_guesses: k-NN as published
       data 10,000: 0.4000 (paper 0.026)
holds  multiple_guesses: auto within 15 % of the floor
       10,000: 1.00 ×
holds  mnist: the dense network's risk is at most 2.5 %
       0.0240
holds  mnist: LeNet is stronger than the dense network
       0.0150, 0.0240
"""


def test_text():
    assert render(reproduction_report(FOUND)) == TEXT


def page():
    studies = {name: described(name) for name in FOUND.studies}
    sheets = study_sheets(FOUND.runs)
    return reproduction_page(FOUND, studies, "gleak reproduce", sheets, "figures")


def test_page_says_what_was_run_where_and_when():
    text = page()
    assert "- command: `gleak reproduce`\n" in text
    assert (
        "- protocol: training sets of each size: 1, scored on 5 validation sets of 50,000, "
        "4% of the paper's epochs\n"
    ) in text
    assert "- seed 7; done by 2026-01-02 on a machine: 8 minutes of learning and scoring\n" in text


def test_page_has_every_line_and_what_holds():
    text = page()
    assert (
        "| k-NN | data | 10,000 | 0.026 | 0.4000 | 0.0020 | 0.0020 | 200.00 | 0.1000 | 0.4123 | "
        "0.4100 |\n"
    ) in text
    assert "| **no** | multiple_guesses: k-NN as published | data 10,000: 0.4000 " in text
    assert "| yes | mnist: LeNet is stronger than the dense network |" in text
    assert "\n## MNIST\n\nThe paper does not say how long it trains" in text


def test_page_shows_the_figures_with_words_for_who_cannot_see_them():
    text = page()
    assert text.count("](figures/") == len(
        [s for of in study_sheets(FOUND.runs).values() for s in of]
    )
    assert "![Multiple guesses, two neighbouring secrets." in text
