"""The colours of reports: one set for light and one for dark surroundings.

Figures are drawn in the light ones; in a report each of these becomes a CSS variable, so that a
figure follows its reader's theme. Blue and orange stay apart for the colour-blind, and nothing
is told by colour alone.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they are for."""

    paper: str
    panel: str
    ink: str
    muted: str
    rule: str
    accent: str
    band: str
    blind: str
    alarm: str
    region0: str
    region1: str
    region2: str
    region3: str

    def css(self) -> str:
        """The colours as CSS variables."""
        return " ".join(f"--{name}: {colour};" for name, colour in asdict(self).items())

    @property
    def regions(self) -> tuple[str, ...]:
        """Backgrounds that can be told apart, also in grey, with ink readable on each."""
        return self.region0, self.region1, self.region2, self.region3


LIGHT = Palette(
    paper="#fefefd",
    panel="#f4f5f6",
    ink="#1b1f23",
    muted="#57606b",
    rule="#d9dde2",
    accent="#0a5aa0",
    band="#bcd7ee",
    blind="#9a4a06",
    alarm="#ae2019",
    region0="#eef4fa",
    region1="#cfe1f1",
    region2="#afcde7",
    region3="#8fb9dd",
)

DARK = Palette(
    paper="#15181b",
    panel="#1e2226",
    ink="#e6e8eb",
    muted="#a4adb7",
    rule="#3a4149",
    accent="#6fb4f2",
    band="#25496b",
    blind="#f2a65e",
    alarm="#ff8f86",
    region0="#1c2731",
    region1="#223a50",
    region2="#2a4e70",
    region3="#336390",
)
