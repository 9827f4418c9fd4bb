"""A reproduction on the terminal and as a page, literally."""

from dataclasses import replace

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

UNFINISHED = replace(
    FOUND,
    runs=FOUND.runs[:4],
    missing=(
        Cell("multiple_guesses", "k-NN", "data", 10_000, 1),
        Cell("mnist", "LeNet", "data", 50_000, 0),
    ),
)

TEXT = """\
multiple_guesses: mean error δ̄ = mean |V̂ − V|/V

            pre-                                                     ×
  attacker  processing  samples  paper    ours    auto   floor   floor
 ──────────────────────────────────────────────────────────────────────
  auto      data         10,000      -  0.0020  0.0020  0.0020    1.00
  k-NN      data         10,000  0.026  0.4000  0.0020  0.0020  200.00

mnist: risk, where no truth is known

            pre-                                                 ×
  attacker  processing  samples  paper    ours  auto  floor  floor
 ──────────────────────────────────────────────────────────────────
  dense     data         50,000      -  0.0240     -      -      -
  LeNet     data         50,000      -  0.0150     -      -      -

FAILS  multiple_guesses: k-NN as published
       data 10,000: 0.4000 (paper 0.026)
holds  multiple_guesses: auto at most 1.15 × the floor
       10,000: 1.00 ×
holds  mnist: the dense network's risk is at most 2.5 %
       0.0240
holds  mnist: LeNet is stronger than the dense network
       0.0150, 0.0240
"""


def test_text():
    assert render(reproduction_report(FOUND)) == TEXT


def test_text_of_what_is_unfinished():
    """A training set of k-NN and MNIST's LeNet are still to come."""
    text = render(reproduction_report(UNFINISHED))
    assert (
        "  k-NN      data         10,000  0.026  0.4000  0.0020  0.0020  200.00  1 of 2\n"
    ) in text
    assert (
        "\nUnfinished: 4 of 6 runs are there. Claims that need one of the others are left out.\n"
    ) in text
    assert "k-NN as published" not in text
    assert "holds  mnist: the dense network's risk is at most 2.5 %\n" in text
    assert "LeNet" not in text


def test_a_terminal_of_eighty_columns_cuts_nothing_off():
    named = replace(FOUND, runs=(run("ANN, best moment", 10_000, [0.5]), *FOUND.runs))
    text = render(reproduction_report(named), width=80)
    assert "…" not in text
    assert "  ANN, best moment  data         10,000  " in text
    assert max(map(len, text.splitlines())) <= 80


def page(found=FOUND):
    studies = {name: described(name) for name in found.studies}
    sheets = study_sheets(found.runs)
    return reproduction_page(found, studies, "gleak reproduce", sheets, "figures")


def test_page_of_what_is_unfinished():
    text = page(UNFINISHED)
    assert "\n**Unfinished: 4 of 6 runs are there. " in text
    assert "| 0.4100 | 1 of 2 |\n" in text
    assert "| yes | mnist: the dense network's risk is at most 2.5 % |" in text
    assert "LeNet is stronger" not in text


def test_page_without_claims_has_no_table_of_them():
    alone = replace(FOUND, runs=FOUND.runs[:1] + FOUND.runs[2:3], missing=UNFINISHED.missing)
    assert "What holds" not in page(alone)
    assert "## What holds\n" in page()


def test_page_says_what_differs_from_the_paper():
    assert "\n## What differs from the paper\n\n- The paper's errors are read off" in page()


def test_page_says_what_was_run_where_and_when():
    text = page()
    assert "- command: `gleak reproduce`\n" in text
    assert (
        "- protocol: of each size 1 training set, each attacker scored on 5 validation sets of "
        "50,000 samples, 4% of the paper's epochs\n"
    ) in text
    assert "- seed: 7\n- date: 2026-01-02\n- machine: a machine\n- time: 8 min of learning" in text
    assert "Unfinished" not in text


def test_page_has_every_line_and_what_holds():
    text = page()
    assert (
        "| k-NN | data | 10,000 | 0.026 | 0.4000 | 0.0020 | 0.0020 | 200.00 | 0.1000 | 0.4123 | "
        "0.4100 | 1 |\n"
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
