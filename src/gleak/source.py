"""Where values came from, so that a refusal can name the place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or nothing in particular; rows are counted from 0, as in an array.

    >>> Source("log.parquet").at(3), Source().at(3)
    ('log.parquet, row 3', 'row 3')
    """

    name: str = ""

    @property
    def is_text(self) -> bool:
        """Whether values were written as text, so that numbers have to be recognised in it."""
        return False

    def row(self, row: int) -> str:
        """A row's number, as a person would look it up."""
        return f"row {row}"

    def at(self, row: int) -> str:
        """The place of a row."""
        return f"{self.name}, {self.row(row)}" if self.name else self.row(row)


NOWHERE = Source()
"""Where an array in memory comes from."""
