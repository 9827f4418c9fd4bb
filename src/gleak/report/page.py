"""What every page needs: its style, its figures drawn for two widths, the result as JSON."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gleak.report.figures import Display
from gleak.report.figures._svg import svg
from gleak.report.json import HasDict, to_json
from gleak.report.palette import DARK, LIGHT

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_NARROW, _WIDE = 330.0, 640.0
"""Widths for which each figure is drawn, in CSS pixels: on a phone and beyond."""


@dataclass(frozen=True)
class Figure:
    """A figure as a page shows it."""

    display: Display

    @property
    def title(self) -> str:
        """Its heading."""
        return self.display.title

    @cached_property
    def drawing(self) -> "Markup":
        """Drawn twice: which one is shown depends on the room there is."""
        from markupsafe import Markup

        sizes = (_WIDE, "wide"), (_NARROW, "narrow")
        return Markup("\n".join(svg(self.display, *size) for size in sizes))


def unbroken(line: str) -> str:
    """A sentence in which no number is parted from its sign."""
    return line.replace(" %", "\N{NO-BREAK SPACE}%")


def sentence(line: str) -> str:
    """A warning as pages have their sentences."""
    return f"{line[:1].upper()}{line[1:]}."


def embedded(results: Sequence[HasDict]) -> "Markup":
    """The JSON, so written that no label can end the element it stands in."""
    from markupsafe import Markup

    document = json.dumps(json.loads(to_json(results)), separators=(",", ":"))
    return Markup(document.replace("<", "\\u003c"))


def style() -> "Markup":
    """The style sheet with the palette's colours, on as few lines as can be."""
    from markupsafe import Markup

    source = environment().get_template("report.css.j2").render(light=LIGHT, dark=DARK)
    return Markup(re.sub(r"\s*\n\s*", "\n", source))


def environment() -> "Environment":
    """Where pages' templates are, and how they are filled."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("gleak.report"),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
