"""The command ``gleak``: one file per command."""

import sys
import warnings
from itertools import zip_longest
from typing import Annotated

import typer

from gleak._version import __version__
from gleak.cli.check import check
from gleak.cli.compare import compare
from gleak.cli.demo import demo
from gleak.cli.estimate import estimate
from gleak.cli.exact import exact
from gleak.cli.mechanism import mechanism
from gleak.cli.plan import plan
from gleak.cli.query import query
from gleak.cli.reproduce import reproduce
from gleak.errors import GleakError, GleakWarning

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(estimate)
app.command()(exact)
app.command()(query)
app.command()(check)
app.command()(compare)
app.command()(plan)
app.add_typer(mechanism, name="mechanism", help="Write a mechanism's channel, with its figures.")
app.command()(reproduce)
app.command()(demo)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gleak {__version__}")
        raise typer.Exit


@app.callback()
def gleak(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which gleak.")
    ] = False,
) -> None:
    """How much does a system give away, to which attacker, and how sure are we?"""


def main(arguments: list[str] | None = None) -> None:
    """Run a command: exit code 2 and one message for what a person can mend."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    warnings.simplefilter("always", GleakWarning)
    warnings.showwarning = _say
    try:
        app(
            prog_name="gleak", args=_with_json_target([word for word in given if word != "--debug"])
        )
    except (GleakError, OSError) as error:
        if debug:
            raise
        typer.echo(f"gleak: {_sentence(error)}", err=True)
        sys.exit(2)


def _sentence(error: Exception) -> str:
    """What happened, and to which file where the system says no more than that."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename} cannot be opened: {error.strerror}"
    return str(error)


def _with_json_target(given: list[str]) -> list[str]:
    """Let a bare ``--json`` mean standard output."""
    words = []
    for word, following in zip_longest(given, given[1:], fillvalue="--"):
        words.append(word)
        if word == "--json" and following.startswith("--"):
            words.append("-")
    return words


def _say(message: Warning | str, *_: object, **__: object) -> None:
    typer.echo(f"gleak: warning: {message}", err=True)
