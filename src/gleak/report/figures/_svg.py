"""A figure as SVG that is a part of its page: it takes the page's colours and font."""

import io
import re
import warnings
from dataclasses import asdict
from hashlib import sha256

from gleak.report.figures._base import STYLE, Display
from gleak.report.palette import LIGHT

_FONT = re.compile(r"(font(?:-family)?: (?:(?:\d+ )?[\d.]+px )?)'DejaVu Sans'[^;\"]*")
_HEAD = re.compile(r'<svg [^>]*viewBox="([^"]*)"[^>]*>')
_NOT_DRAWN = re.compile(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->", re.DOTALL)
_GROUP = re.compile(r'<g id="[^"]*">')
_NAME = re.compile(r'id="|href="#|url\(#')
"""Where something is named or referred to: names must differ from those of other figures."""

_LONG = re.compile(r"(\d+\.\d\d)\d+")
_TAG = re.compile(r"<[^>]*>")
"""What is not text: only there are colours, places and names the drawing's own."""


def svg(display: Display, width: float, css_class: str) -> str:
    """An inline SVG element, ``width`` points wide where its page has the room.

    Text stays text, colours are the variables of the palette, and nothing refers to outside.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    target = io.StringIO()
    size = (width / 72, display.height(width) / 72)
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the page's font may have it
        figure = Figure(figsize=size, layout="constrained")
        display.draw(figure.add_subplot())
        figure.savefig(target, format="svg", metadata={"Date": None})
    return _themed(target.getvalue(), css_class, display.alt)


def _themed(drawn: str, css_class: str, alt: str) -> str:
    from markupsafe import escape

    start = _HEAD.search(drawn)
    assert start is not None  # Matplotlib says how large it drew
    head = f'<svg class="{css_class}" viewBox="{start[1]}" role="img" aria-label="{escape(alt)}">'
    body = _NOT_DRAWN.sub("", drawn[start.end() :])
    mark = sha256(head.encode() + body.encode()).hexdigest()[:6]
    body = _TAG.sub(lambda tag: _themed_tag(tag[0], mark), body)
    return head + re.sub(r"\n\s*", "\n", body).strip()


def _themed_tag(tag: str, mark: str) -> str:
    """One tag with the page's colours and font; ``mark`` makes its names those of one figure."""
    tag = _FONT.sub(r"\1var(--sans)", _LONG.sub(r"\1", tag))
    for role, colour in asdict(LIGHT).items():
        tag = tag.replace(colour, f"var(--{role})")
    return _NAME.sub(rf"\g<0>{mark}", _GROUP.sub("<g>", tag).replace("xlink:href", "href"))
