"""What the documents say is true: their Python runs, their names are the ones there are."""

import re
from pathlib import Path

import pytest

import gleak
from gleak.cli import main

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [p for p in PAGES if PYTHON.search(p.read_text())], ids=str)
def test_the_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {}
    for block in PYTHON.findall(page.read_text()):
        exec(compile(block, page.name, "exec"), scope)


def test_the_help_in_the_readme_is_the_help(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert capsys.readouterr().out.strip() in (ROOT / "README.md").read_text()


def test_every_public_name_has_its_place_in_the_documents():
    headings = re.findall(r"^## (.*)$", (ROOT / "docs/api.md").read_text(), re.MULTILINE)
    named = re.findall(r"`(\w+)", " ".join(headings))
    assert sorted(named) == sorted(gleak.__all__)


def test_every_module_stands_in_the_architecture():
    text = (ROOT / "docs/architecture.md").read_text()
    package = Path(gleak.__file__).parent
    modules = {path.name for path in package.glob("*.py")} - {"__init__.py"}
    rooms = {f"{path.name}/" for path in package.iterdir() if (path / "__init__.py").exists()}
    assert {name for name in modules | rooms if name not in text} == set()


def test_every_link_to_a_file_of_ours_leads_somewhere():
    dead = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert dead == []


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    assert [p.name for p in (ROOT / "docs").glob("*.md") if p.name not in navigation] == []
