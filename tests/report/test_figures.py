"""Figures keep their data and draw it where they are told."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from tests.report.estimates import contested, counted, mapped, silent, traced

from gleak.certify import Bracket
from gleak.errors import InputError
from gleak.report.figures import ChangeDisplay, displays
from gleak.report.figures._svg import svg
from gleak.report.figures.bracket import BracketDisplay
from gleak.report.palette import DARK, LIGHT

EVERY = {
    "bracket": mapped, "leaderboard": contested, "curve": contested, "secrets": counted,
    "columns": traced, "strategy": mapped,
}  # fmt: skip


def drawn(display, width=600):
    ax = Figure(figsize=(width / 72, display.height(width) / 72)).add_subplot()
    assert display.plot(ax) is ax
    return ax


def texts(ax):
    return [text.get_text() for text in ax.texts] + [t.get_text() for t in ax.get_yticklabels()]


@pytest.mark.parametrize("name", EVERY)
def test_every_figure_is_drawn_on_a_given_axis_and_described(name):
    figure = displays(EVERY[name]())[name]
    assert drawn(figure).has_data()
    assert len(figure.alt) > 30
    ElementTree.fromstring(svg(figure, 330, "narrow"))


def test_figures_are_there_where_their_data_is():
    assert set(displays(contested())) == set(EVERY)
    assert set(displays(traced())) == {"bracket", "secrets", "columns"}
    with pytest.raises(InputError, match="no figure 'curve': only one attacker was asked for"):
        traced().plot("curve")
    with pytest.raises(InputError, match="unknown figure 'braket'; did you mean 'bracket'"):
        traced().plot("braket")


def test_an_estimate_draws_itself_on_an_axis():
    ax = Figure().add_subplot()
    assert mapped().plot(ax=ax) is ax
    assert "after looking" in texts(ax)


def test_a_given_axis_keeps_its_size_of_text():
    with mpl.rc_context({"font.size": 7}):
        ax = mapped().plot(ax=Figure().add_subplot())
        said = [*ax.texts, *ax.get_yticklabels()]
        assert {text.get_fontsize() for text in said} == {7}


def test_the_bracket_stands_where_its_numbers_are():
    figure = BracketDisplay("bayes", Bracket(0.6, 0.65, 0.7), Bracket(0.1, 0.2, 0.3), 0.0, 1.0)
    ax = drawn(figure)
    spans = {(bar.get_x(), round(bar.get_x() + bar.get_width(), 9)) for bar in ax.patches}
    assert spans == {(0.6, 0.7), (0.1, 0.3)}
    assert ax.get_xlim() == (0, 1)
    assert "65.0 %, proven 60.0 % to 70.0 %" in figure.alt


def test_what_is_not_proven_above_is_open_to_the_end_of_the_scale():
    figure = BracketDisplay("bayes", Bracket(0.6, 0.65, None), Bracket.point(0.2), 0.0, 1.0)
    assert any(
        line.get_marker() == ">" and line.get_xdata()[0] == 1 for line in drawn(figure).lines
    )
    assert "65.0 %, proven 60.0 % or more" in figure.alt
    assert "20.0 %, known" in figure.alt


def test_a_small_vulnerability_gets_a_scale_of_its_own():
    figure = BracketDisplay("bayes", Bracket(0.01, 0.02, 0.04), Bracket.point(0.001), 0.0, 1.0)
    assert figure.ends == (0, pytest.approx(0.05))
    negative = BracketDisplay("costs.csv", Bracket(-3, -2, 0), Bracket(-4, -3, -2), -5.0, 1.0)
    assert negative.ends == (-5, 1)
    lost = BracketDisplay("costs.csv", Bracket(-40, -38, None), Bracket(-39, -37, -36), -1000, -10)
    assert lost.ends == (-41, -35)
    edge = BracketDisplay("costs.csv", Bracket(-12, -11, None), Bracket(-14, -11, -10), -1000, -10)
    assert edge.ends == (-15, -10)


def test_most_exposed_secrets_come_first_and_others_are_counted():
    figure = displays(counted())["secrets"]
    assert len(figure.rows) == 15
    assert figure.others == 25
    lowers = [row.lower for row in figure.rows]
    assert lowers == sorted(lowers, reverse=True)
    assert "25 more are less exposed." in figure.alt


def test_secrets_intervals_are_clopper_pearson():
    from scipy.stats import binomtest

    figure = displays(mapped())["secrets"]
    for row, count in zip(figure.rows, figure.counts, strict=True):
        exact = binomtest(round(row.value * count), count).proportion_ci(0.95)
        assert (row.lower, row.upper) == pytest.approx((exact.low, exact.high))


def test_hidden_labels_are_nowhere():
    for figure in displays(mapped(), hide_labels=True).values():
        whole = " ".join(texts(drawn(figure))) + figure.alt
        assert "anna" not in whole
    assert "anna <b>" in texts(drawn(displays(mapped())["strategy"]))


def test_many_columns_are_a_curve_along_them():
    figure = displays(traced())["columns"]
    ax = drawn(figure)
    curve = max(ax.lines, key=lambda line: len(line.get_xdata()))
    assert np.array_equal(curve.get_ydata(), traced().per_column.loss)
    assert texts(ax)[0] == "12"
    assert figure.alt.startswith("Gain lost without each of 30 columns; it provably rests on 1: 12")
    assert "it provably rests on none" in displays(silent())["columns"].alt


def test_the_map_colours_each_cell_as_its_guess():
    figure = displays(mapped())["strategy"]
    portrait = figure.portrait
    ax = drawn(figure)
    for i, j in [(3, 3), (36, 60), (70, 20)]:
        point = portrait.axes[0][i], portrait.axes[1][j]
        covering = [k for k, p in enumerate(ax.patches) if p.get_path().contains_point(point)]
        assert covering == [portrait.guesses[i, j]]


def test_before_and_after_share_a_scale():
    figure = ChangeDisplay("costs.csv", Bracket(2, 3, 4), Bracket(-1, 0, None))
    ax = drawn(figure)
    assert ax.get_xlim() == (-2.25, 5.25)
    assert texts(ax)[-2:] == ["before", "after"]
    assert figure.alt == "Before: 3, proven 2 to 4. After: 0, proven -1 or more."
    assert ChangeDisplay("bayes", Bracket(0.5, 0.6, 0.7), Bracket(0, 0, None)).ends == (
        0, pytest.approx(0.77)
    )  # fmt: skip


@pytest.mark.parametrize("ends", [(-40, -36, None), (-3, -2, -1), (-1, -1, -1), (0, 0, 0)])
def test_a_scale_has_room_whatever_the_gain(ends):
    low, high = ChangeDisplay("costs.csv", Bracket(*ends), Bracket(*ends)).ends
    found = [end for end in ends if end is not None]
    assert low <= min(found) <= max(found) < high


def test_svg_takes_the_colours_and_the_font_of_its_page():
    figure = svg(displays(mapped())["strategy"], 640, "wide")
    assert "DejaVu" not in figure
    assert re.findall("#[0-9a-f]{6}[^0-9a-z]", figure) == []
    assert {"var(--ink)", "var(--muted)", "var(--region0)"} <= set(
        re.findall(r"var\(--\w+\)", figure)
    )
    for word in ("<metadata", "<style", "http://"):
        assert word not in figure
    assert ElementTree.fromstring(figure).get("role") == "img"


def test_numbers_and_colours_in_a_text_stay_what_they_are():
    figure = displays(mapped())["columns"]
    named = replace(figure, found=replace(figure.found, names=("t 0.12345", "#fefefd id=")))
    drawn_ = ElementTree.fromstring(svg(named, 640, "wide"))
    said = {element.text for element in drawn_.iter("text")}
    assert {"t 0.12345", "#fefefd id="} <= said
    gains = ChangeDisplay("costs.csv", Bracket(0.1, 0.7594, 0.8), Bracket(0.1, 0.0004, 0.2))
    assert ">0.7594<" in svg(gains, 640, "wide")
    assert ">0.0004<" in svg(gains, 640, "wide")
    large = ChangeDisplay("costs.csv", Bracket(-5, 0, 5), Bracket(9_000, 14_000, 15_000))
    assert ">10,000<" in svg(large, 640, "wide")


def test_drawing_leaves_settings_alone():
    before = dict(mpl.rcParams)
    drawn(displays(mapped())["bracket"])
    assert dict(mpl.rcParams) == before


def luminance(colour):
    """WCAG 2.1, relative luminance."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    high, low = sorted([luminance(one), luminance(other)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_contrast(palette):
    for text in (palette.ink, palette.muted, palette.accent, palette.blind, palette.alarm):
        assert contrast(text, palette.paper) >= 4.5
    assert contrast(palette.ink, palette.panel) >= 4.5
    for region in palette.regions:
        assert contrast(palette.ink, region) >= 4.5
    shades = [luminance(region) for region in palette.regions]
    assert shades in (sorted(shades), sorted(shades, reverse=True))
