"""The command that makes a result again."""

import shlex
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def command_of(context: "typer.Context", leave_out: Collection[str] = ()) -> str:
    """The command as it was given, with its seed even where that was left out.

    Options stand as the command line declares them, whatever order or form they were given in.
    Those that are of no use to others may be left out, and a folder is told by its own name:
    where it lies is nobody else's business.
    """
    words = ["gleak", str(context.info_name)]
    options: list[str] = []
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if parameter.name in leave_out or value in (None, [], ()):
            continue
        if parameter.param_type_name == "argument":
            words += map(str, value if isinstance(value, list) else [value])
        elif parameter.name == "seed" or value != parameter.default:
            options += _written(parameter.opts[0], value)
    return shlex.join([*words, *options])


def _written(name: str, value: object) -> list[str]:
    if value is True:
        return [name]
    if value is False:
        return []
    values = value if isinstance(value, list | tuple) else [value]
    said = [one.name if isinstance(one, Path) else str(one) for one in values]
    return [word for one in said for word in (name, one)]
