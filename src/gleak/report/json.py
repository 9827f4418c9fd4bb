"""Results as JSON, and the schemas that say what is in it."""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Protocol

from gleak.errors import InputError, nearest

SCHEMAS = ("check", "compare", "estimate", "exact", "mechanism", "plan", "reproduce")
"""The commands whose JSON has a schema in ``gleak/schemas``."""


class HasDict(Protocol):
    """A result that knows its JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data with a ``schema_version``."""
        ...


def to_json(results: Sequence[HasDict]) -> str:
    """One result as an object, several as a list under ``estimates``."""
    documents = [result.to_dict() for result in results]
    whole = documents[0] if len(documents) == 1 else {"schema_version": 1, "estimates": documents}
    return json.dumps(whole, indent=2, allow_nan=False)


def schema(name: str) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of what a command prints.

    ``check`` refers to ``estimate.json`` and ``mechanism`` to ``exact.json``, beside them.

    >>> schema("plan")["title"]
    'gleak plan --json'
    """
    if name not in SCHEMAS:
        raise InputError(f"no schema is named {name!r}; {nearest(name, list(SCHEMAS))}")
    found: dict[str, Any] = json.loads((files("gleak") / "schemas" / f"{name}.json").read_text())
    return found
