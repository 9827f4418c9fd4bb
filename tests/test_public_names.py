import ast
import subprocess
import sys
from pathlib import Path

import gleak


def test_every_public_name_is_there_and_listed_once():
    assert sorted(gleak.__all__) == sorted(gleak._HOMES)
    for name in gleak.__all__:
        assert callable(getattr(gleak, name))


def test_every_public_name_shows_an_example():
    assert [name for name in gleak.__all__ if ">>>" not in getattr(gleak, name).__doc__] == []


def test_type_checkers_see_the_same_names():
    tree = ast.parse(Path(gleak.__file__).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    homes = {
        alias.name: statement.module.removeprefix("gleak.")
        for statement in block.body
        for alias in statement.names
    }
    assert homes == gleak._HOMES


def test_no_public_name_is_hidden_by_a_module():
    """A module imported under a public name would take its place."""
    files = {path.stem for path in Path(gleak.__file__).parent.iterdir()}
    assert not files & set(gleak.__all__)


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(gleak, "no_such_thing")


def test_importing_the_package_imports_nothing_heavy():
    script = "import sys, gleak; print([m for m in ('numpy', 'scipy', 'jax') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
