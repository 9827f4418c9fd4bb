"""Ctrl-C in work that is kept as it comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


@contextmanager
def resumable(kept: str, where: str | Path) -> Iterator[None]:
    """Say where what was done is kept, when a person stops the work."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(
            f"gleak: stopped; {kept} is kept in {where}, and the same command continues", err=True
        )
        raise typer.Exit(INTERRUPTED) from None
