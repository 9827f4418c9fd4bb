"""Results as JSON."""

import json
from collections.abc import Sequence
from typing import Any, Protocol


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
