"""Figures below each other under one heading, as files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gleak.atomic import replacing
from gleak.report.figures._base import STYLE, WIDE, Display

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEADING = 28.0
"""What the heading takes, in points."""

_DPI = 144

_FILES = {"svg.fonttype": "path", "figure.facecolor": "white"}
"""A file by itself looks the same wherever it is opened, and whatever is behind it."""

_METADATA = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}
"""Nothing that says when, and by which version, it was drawn: bytes change with the picture."""


@dataclass(frozen=True)
class Sheet:
    """Figures that are looked at together; ``name`` is what their files are called."""

    name: str
    heading: str
    displays: tuple[Display, ...]

    @property
    def alt(self) -> str:
        """What it shows, for those who do not see it."""
        return " ".join([f"{self.heading}.", *(display.alt for display in self.displays)])

    def save(self, folder: Path) -> list[Path]:
        """Write it as PNG and as SVG, with its description inside."""
        import matplotlib as mpl

        folder.mkdir(parents=True, exist_ok=True)
        with mpl.rc_context(STYLE | _FILES):
            return list(self._saved(self._drawn(), folder))

    def _drawn(self) -> "Figure":
        from matplotlib.figure import Figure

        heights = [display.height(WIDE) for display in self.displays]
        size = (WIDE / 72, (sum(heights) + _HEADING) / 72)
        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(self.heading, x=0.01, ha="left", fontweight="bold", fontsize=13)
        axes = figure.subplots(len(heights), squeeze=False, height_ratios=heights)
        for display, ax in zip(self.displays, axes[:, 0], strict=True):
            display.draw(ax)
        return figure

    def _saved(self, figure: "Figure", folder: Path) -> Iterator[Path]:
        for form, metadata in _METADATA.items():
            path = folder / f"{self.name}.{form}"
            told = metadata | {"Title": self.heading, "Description": self.alt}
            with replacing(path) as target:
                figure.savefig(target, format=form, dpi=_DPI, metadata=told)
            yield path
