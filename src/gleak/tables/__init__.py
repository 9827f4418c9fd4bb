"""Files that hold a table, one module a format, and how the format is told from the name."""

from pathlib import Path

from gleak.files import existing
from gleak.tables._base import TableFile
from gleak.tables.arrays import ArrayFile
from gleak.tables.arrow import ArrowFile
from gleak.tables.campaign import CampaignTable
from gleak.tables.json_lines import JsonLinesFile
from gleak.tables.text import TextFile

KINDS: tuple[type[TableFile], ...] = (TextFile, JsonLinesFile, ArrowFile, ArrayFile, CampaignTable)
ENDINGS = tuple(ending for kind in KINDS for ending in kind.endings)

WRITTEN = tuple(ending for ending in ENDINGS if ending not in CampaignTable.endings)
"""Endings of files that samples can be written into; a campaign writes its own."""

__all__ = ["ENDINGS", "WRITTEN", "TableFile", "open_table"]


def open_table(path: str | Path) -> TableFile:
    """The table in a file, not yet read."""
    name = str(existing(path, ENDINGS))
    return next(kind(name) for kind in KINDS if name.lower().endswith(kind.endings))
