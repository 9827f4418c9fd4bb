"""Options that several commands share, written once."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

Command = Callable[..., None]


def spelled_out(name: str, options: type) -> Callable[[Command], Command]:
    """Let a command's parameter of that name stand for one option per field of a dataclass."""
    spelled = _parameters(options)

    def decorate(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        parameters = [
            one
            for own in inspect.signature(command).parameters.values()
            for one in (
                spelled if own.name == name else
                [own.replace(kind=own.KEYWORD_ONLY, annotation=hints[own.name])]
            )
        ]  # fmt: skip

        def run(**given: Any) -> None:
            shared = options(**{option.name: given.pop(option.name) for option in spelled})
            command(**{name: shared}, **given)

        run.__doc__, run.__name__ = command.__doc__, command.__name__
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        vars(run)["__signature__"] = inspect.Signature(parameters)
        return run

    return decorate


def _parameters(options: type) -> list[inspect.Parameter]:
    """The parameters that stand for the fields of a dataclass."""
    hints = get_type_hints(options, include_extras=True)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(options)
    ]
