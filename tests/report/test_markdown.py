from gleak.report.markdown import to_markdown

WHOLE = """\
### ❌ gleak: over budget

1 of 3 budgets is proven to be exceeded.

| | gain | budget | proven at least | estimate | proven at most |
|---|---|---|---:|---:|---:|
| ✅ within | bayes | max-additive = 0.5 | 0.1000 | 0.2000 | 0.3000 |
| ❌ over | a\\_b.csv | max-multiplicative = 1.5 | 1.6000 | 1.7000 | 1.8000 |
| ❔ inconclusive | tries:2 | max-vulnerability = 0.5 | 0.4000 | 0.4500 | - |

<details><summary>Why, and on what</summary>

- bayes, max-additive = 0.5 (pyproject.toml, line 7): within, proven to be at most 0.3000
- a\\_b.csv, max-multiplicative = 1.5: over, proven to be at least 1.6000
- tries:2, max-vulnerability = 0.5 (pyproject.toml, line 9): inconclusive, proven to be at least \
0.4000, nothing is proven above; why
- 400 samples, of which 200 certify; all judgements hold together at 95 %; seed 0, data 0123456789ab
- strongest attacker found: frequentist for bayes
- warning: rows &lt;may> not be \\| independent\x01

</details>
"""


def test_the_whole_text(gate):
    assert to_markdown(gate) == WHOLE
