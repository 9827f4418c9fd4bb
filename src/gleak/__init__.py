"""gleak: how much a system gives away, to which attacker, and how sure that is."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gleak._version import __version__ as __version__

if TYPE_CHECKING:
    from gleak.adversaries import adversary
    from gleak.budget import Budget
    from gleak.channel import Channel
    from gleak.command import Command
    from gleak.comparison import compare
    from gleak.errors import GleakError, GleakWarning, InputError
    from gleak.estimation import estimate
    from gleak.exact_answers import exact
    from gleak.gain import bayes, distance, function, matrix, partition, tries
    from gleak.gate import check
    from gleak.observables import Observables
    from gleak.planning import plan
    from gleak.population import Population
    from gleak.reading import read, write
    from gleak.samples import Samples
    from gleak.system import Function
    from gleak.timing import Timing

# Public names and where they live. They are imported when they are first asked for, so that
# `gleak --help` answers at once.
_HOMES = {
    "Budget": "budget",
    "Channel": "channel",
    "Command": "command",
    "Function": "system",
    "GleakError": "errors",
    "GleakWarning": "errors",
    "InputError": "errors",
    "Observables": "observables",
    "Population": "population",
    "Samples": "samples",
    "Timing": "timing",
    "adversary": "adversaries",
    "bayes": "gain",
    "check": "gate",
    "compare": "comparison",
    "distance": "gain",
    "estimate": "estimation",
    "exact": "exact_answers",
    "function": "gain",
    "matrix": "gain",
    "partition": "gain",
    "plan": "planning",
    "read": "reading",
    "tries": "gain",
    "write": "reading",
}

__all__ = [
    "Budget",
    "Channel",
    "Command",
    "Function",
    "GleakError",
    "GleakWarning",
    "InputError",
    "Observables",
    "Population",
    "Samples",
    "Timing",
    "adversary",
    "bayes",
    "check",
    "compare",
    "distance",
    "estimate",
    "exact",
    "function",
    "matrix",
    "partition",
    "plan",
    "read",
    "tries",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gleak' has no attribute {name!r}")
    return getattr(import_module(f"gleak.{_HOMES[name]}"), name)
