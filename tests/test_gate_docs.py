"""The pages on the gate and the JSON say what is so."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from typer.main import get_command

from gleak.budget import QUANTITIES, Budget, read_budgets
from gleak.cli import app
from gleak.cli.sampling import Sampling
from gleak.report.json import SCHEMAS, schema

DOCS = Path(__file__).parents[1] / "docs"


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


def test_the_budgets_on_the_page_are_budgets(tmp_path):
    [block] = blocks("gate.md", "toml")
    assert tomllib.loads(block)
    path = tmp_path / "pyproject.toml"
    path.write_text(block)
    assert [(str(b), b.gain) for b in read_budgets(path)] == [
        ("max-multiplicative = 1.5", None),
        ("max-vulnerability = 0.4", "tries:2"),
    ]
    page = (DOCS / "gate.md").read_text()
    for quantity in QUANTITIES:
        key = Budget(quantity, 1.0).key
        assert f"| `{key}` | `--{key}` |" in page


@pytest.mark.parametrize("command", ["check", "compare"])
def test_every_option_of_its_own_is_on_the_page(command):
    page = (DOCS / "gate.md").read_text()
    shared = {field.name for field in fields(Sampling)} | {"help"}
    options = [p for p in get_command(app).commands[command].params if p.opts[0].startswith("--")]
    own = [option.opts[0] for option in options if option.name not in shared]
    assert len(own) >= 4
    assert [name for name in own if f"`{name}" not in page] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_key_at_the_top_of_a_schema_is_on_the_page(name):
    page = (DOCS / "json.md").read_text()
    section = page.split(f"## `gleak {name}`")[1].split("\n## ")[0]
    whole = schema(name)
    bodies = [whole, *(inner for key, inner in whole.get("$defs", {}).items()
                       if key in (name, "comparison", "judgement"))]  # fmt: skip
    keys = {key for body in bodies for key in body.get("properties", {})}
    assert keys
    unsaid = {"schema_version", *(["gain"] if name == "compare" else [])}
    assert [key for key in sorted(keys - unsaid) if f"`{key}`" not in section] == []
