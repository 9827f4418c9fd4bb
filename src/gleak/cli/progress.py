"""What is being done and how long it will take: on standard error, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter


@contextmanager
def watched(
    quiet: bool, first: str = "looking at the samples"
) -> Iterator[Callable[[str, float], None]]:
    """A progress hook that draws one line; none where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (
        BarColumn(bar_width=20),
        TextColumn("{task.description}"),
        TextColumn("{task.fields[left]}"),
    )
    start = perf_counter()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(first, total=1.0, left="")

        def say(what: str, done: float) -> None:
            spent = perf_counter() - start
            left = f"about {spent * (1 - done) / done:.0f} s left" if done > 0.05 else ""
            bar.update(task, description=what, completed=done, left=left)

        yield say
