"""Budgets: what makes sense, where they are written, and on which line."""

import math

import pytest

from gleak.budget import Budget, Source, budgets, budgets_of, gains_of, read_budgets
from gleak.errors import InputError

PROJECT = """\
# max-additive = 9
[project]
name = "x"

[tool.gleak]
max-multiplicative = 1.5   # a ratio
max-additive=0.25

[tool.gleak.gains."tries:2"]
max-vulnerability = 0.5
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_project_file_with_lines(home):
    (home / "pyproject.toml").write_text(PROJECT)
    place = "pyproject.toml"
    assert read_budgets("pyproject.toml") == [
        Budget("multiplicative", 1.5, None, Source(place, 6)),
        Budget("additive", 0.25, None, Source(place, 7)),
        Budget("vulnerability", 0.5, "tries:2", Source(place, 10)),
    ]
    assert budgets() == read_budgets("pyproject.toml")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("tool.gleak.max-additive = 1\n", [1]),
        ("[tool]\n\ngleak.max-additive = 1\ngleak.max-multiplicative = 2\n", [3, 4]),
        ("x = '''\ny = 1\n'''\n['tool' . \"gleak\"]\n  \"max-additive\" = 1\n", [5]),
        ("[tool]\ngleak = { max-additive = 1,  max-multiplicative = 2 }\n", [2, 2]),
        ("[[other]]\nmax-additive = 7\n[tool.gleak]\r\nmax-additive = 1\r\n", [4]),
        ("a = [\n  1,\n]\n[tool.gleak.gains]\nbayes = { max-additive = 1 }\n", [5]),
        ('[tool.gleak.gains]\n"a=b#c".max-additive = 1\n', [2]),
    ],
)
def test_the_line_of_every_way_to_write_it(home, text, lines):
    (home / "pyproject.toml").write_text(text)
    assert [budget.source.line for budget in read_budgets("pyproject.toml")] == lines


def test_any_other_toml_file_holds_budgets_at_its_top(home):
    (home / "b.toml").write_text('max-min-entropy-bits = 1\n[gains."tries:2"]\nmax-additive = 0\n')
    found = budgets(file="b.toml")
    assert [str(b) for b in found] == ["max-min-entropy-bits = 1", "max-additive = 0"]
    assert gains_of(found) == ["bayes", "tries:2"]


def test_the_nearest_project_upwards_counts_unless_it_is_not_about_this(home, monkeypatch):
    inner = home / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    (home / "pyproject.toml").write_text(PROJECT)
    assert [b.source.file for b in budgets()] == ["../../pyproject.toml"] * 3
    (home / "a" / "pyproject.toml").write_text("[project]\nname = 'y'\n")
    assert budgets({"additive": 0.5}) == [Budget("additive", 0.5)]


def test_an_option_replaces_what_the_file_says_of_its_quantity(home):
    (home / "pyproject.toml").write_text(PROJECT)
    found = budgets({"vulnerability": 0.75, "additive": None})
    assert [(str(b), b.gain) for b in found] == [
        ("max-multiplicative = 1.5", None),
        ("max-additive = 0.25", None),
        ("max-vulnerability = 0.75", None),
    ]


def test_a_gain_has_its_own_budgets_and_the_general_ones_it_lacks():
    general = [Budget("additive", 0.1), Budget("multiplicative", 2)]
    own = Budget("additive", 0.3, "tries:2")
    found = [*general, own]
    assert budgets_of(found, "tries:2") == [general[1], own]
    assert budgets_of(found, "bayes") == general
    assert gains_of(found) == ["bayes", "tries:2"]
    assert gains_of([own]) == ["tries:2"]
    assert gains_of([own], ["tries:3"]) == ["tries:3", "tries:2"]


@pytest.mark.parametrize(
    ("quantity", "most", "message"),
    [
        ("multiplicative", 0.9, "max-multiplicative must be at least 1, which is no leakage"),
        ("additive", -0.1, "max-additive must be at least 0"),
        ("min_entropy_bits", -1, "max-min-entropy-bits must be at least 0"),
        ("vulnerability", math.nan, "max-vulnerability must be a finite number, got nan"),
        ("additive", math.inf, "max-additive must be a finite number, got inf"),
        ("additive", True, "max-additive must be a finite number, got True"),
        ("additive", "0.1", "max-additive must be a finite number, got '0.1'"),
    ],
)
def test_a_budget_that_makes_no_sense(quantity, most, message):
    with pytest.raises(InputError) as refusal:
        Budget(quantity, most, source=Source("b.toml", 3))
    assert str(refusal.value).startswith(f"b.toml, line 3: {message}")


def test_a_budget_on_the_brink_of_sense():
    assert [Budget(q, m).most for q, m in (("multiplicative", 1), ("additive", 0.0))] == [1, 0]


@pytest.mark.parametrize(("most", "fits"), [(-0.1, 0), (0, 1), (0.999, 1), (1, 0), (2, 0)])
def test_a_vulnerability_lies_in_the_range_of_its_gain(most, fits):
    budget = Budget("vulnerability", most)
    if fits:
        budget.check_range("bayes", 0, 1)
        return
    with pytest.raises(InputError, match=r"at least 0 and below 1 for the gain bayes, got"):
        budget.check_range("bayes", 0, 1)


def test_other_quantities_and_constant_gains_have_no_range():
    Budget("additive", 5).check_range("bayes", 0, 1)
    Budget("vulnerability", 0.5).check_range("tries:2", 1, 1)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("b.toml", "max-aditive = 1", "b.toml, line 1: unknown key 'max-aditive'; did you mean"),
        ("b.toml", "\nzzz = 1", "b.toml, line 2: unknown key 'zzz'; known are: max-vulnerability"),
        ("b.toml", "gains = 3", "b.toml, line 1: [gains] must be a table, got 3"),
        ("b.toml", "[gains]\nbayes = 1", "b.toml, line 2: [gains.bayes] must be a table, got 1"),
        ("b.toml", "[gains.bayes]\ngains = 1", "b.toml, line 2: unknown key 'gains'; known are"),
        ("b.toml", "max-additive = nan", "b.toml, line 1: max-additive must be a finite number"),
        ("b.toml", "max-additive = ", "b.toml is no TOML: "),
        ("b.toml", "# nothing", "b.toml has no budget; give one of --max-vulnerability"),
        ("b.toml", "", "b.toml has no budget; give one of"),
        ("pyproject.toml", "[tool.x]", "pyproject.toml has no budget under [tool.gleak]; give"),
        ("pyproject.toml", "tool = 3", "pyproject.toml has no budget under [tool.gleak]; give"),
        ("pyproject.toml", "[tool]\ngleak = 3", "line 2: [tool.gleak] must be a table, got 3"),
        ("b.json", "{}", "b.json: a file's ending must be one of .toml"),
    ],
)
def test_a_file_that_is_refused(home, name, text, message):
    (home / name).write_text(text)
    with pytest.raises(InputError) as refusal:
        budgets(file=name)
    assert message in str(refusal.value)


def test_no_budget_at_all_says_how_to_give_one(home, monkeypatch):
    monkeypatch.setattr("gleak.budget._nearest_project", lambda: None)
    with pytest.raises(InputError) as refusal:
        budgets({"additive": None})
    for way in ("--max-vulnerability", "[tool.gleak]", "--budget", "max-multiplicative = 1.5"):
        assert way in str(refusal.value)
