"""What a figure is: data, and how it is drawn on an axis."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gleak.report.palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE = 640.0
"""The width, in points, of a figure that nobody gave an axis."""

DASHES = (0, (4, 3))
"""How the blind guess is drawn."""

_ANYWHERE: dict[Any, Any] = {"text.parse_math": False}  # a label may hold a dollar sign

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with Matplotlib: the same picture everywhere
    "font.size": 13,
    "axes.labelsize": 13,
    "xtick.labelsize": 13,
    "ytick.labelsize": 13,
    "text.color": LIGHT.ink,
    "axes.labelcolor": LIGHT.muted,
    "axes.edgecolor": LIGHT.rule,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.grid": True,
    "axes.grid.axis": "x",
    "grid.color": LIGHT.rule,
    "grid.linewidth": 0.8,
    "xtick.color": LIGHT.rule,
    "xtick.labelcolor": LIGHT.muted,
    "ytick.color": LIGHT.rule,
    "ytick.labelcolor": LIGHT.ink,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "gleak",
    **_ANYWHERE,
}


@dataclass(frozen=True)
class Display(ABC):
    """A figure. ``plot`` draws it on a given axis, or on one of its own."""

    title: ClassVar[str]

    @property
    @abstractmethod
    def alt(self) -> str:
        """What it shows, for those who do not see it."""

    @abstractmethod
    def height(self, width: float) -> float:
        """How high it is, in points, when it is so wide."""

    @abstractmethod
    def draw(self, ax: "Axes") -> None:
        """Draw on an axis."""

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw on an axis, a new one unless it is given, and hand it back.

        A given axis keeps the font and the size of text of its own figure.
        """
        import matplotlib as mpl

        with mpl.rc_context(STYLE if ax is None else _ANYWHERE):
            if ax is None:
                from matplotlib import pyplot

                size = (WIDE / 72, self.height(WIDE) / 72)
                ax = pyplot.subplots(figsize=size, layout="constrained", facecolor="white")[1]
            self.draw(ax)
        return ax


def width_of(ax: "Axes") -> float:
    """How wide the figure is that an axis is on, in points."""
    figure = ax.get_figure(root=True)
    assert figure is not None  # an axis is always on a figure
    return float(figure.get_size_inches()[0] * 72)


def points(ax: "Axes") -> float:
    """How wide an axis is, in points: narrow ones get fewer ticks and shorter words."""
    return float(ax.get_position().width * width_of(ax))


def few_ticks(ax: "Axes") -> None:
    """As many ticks along the bottom as have room."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(points(ax) / 90)), steps=[1, 2, 2.5, 5, 10]))


def shortened(text: str, ax: "Axes", share: float = 0.4) -> str:
    """A name that leaves room for the drawing beside it."""
    most = max(8, int(points(ax) * share / 7))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def value_text(ax: "Axes", place: float, text: str) -> None:
    """A row's value at the right of the axis, where no mark can cover it."""
    ax.annotate(
        text, (1, place), xycoords=("axes fraction", "data"), xytext=(10, 0),
        textcoords="offset points", va="center_baseline", ha="left", color=LIGHT.ink,
    )  # fmt: skip
