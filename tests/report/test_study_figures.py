"""The figures of the studies: their data, and files from whatever runs there are."""

from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from gleak.experiments import location
from gleak.experiments.protocol import Cell
from gleak.experiments.runs import Run
from gleak.report.figures import (
    BoxesDisplay,
    DistributionsDisplay,
    GainMapDisplay,
    HeatMapDisplay,
    Sheet,
)
from gleak.report.study_figures import study_sheets

TRUTH = 0.8


def run(study, attacker, size, training_set=0, route="data", truth=TRUTH):
    """Scores around a value that every cell has for its own."""
    rng = np.random.default_rng([size, training_set, len(attacker)])
    values = 0.5 + size / 200_000 + rng.normal(0, 0.01, 20)
    cell = Cell(study, attacker, route, size, training_set)
    return Run(cell, f"{study}-{attacker}", values, "words", 0.1, truth)


def compared(study="password-0.5", attackers=("ANN", "k-NN"), sizes=(10_000, 30_000), sets=(0, 1)):
    perfect = run(study, "perfect", 0)
    return [perfect, *(run(study, *each) for each in product(attackers, sizes, sets))]


def write_figures(runs, folder):
    by_study = study_sheets(runs).values()
    return [path for sheets in by_study for sheet in sheets for path in sheet.save(folder)]


def drawn(display, width=640):
    ax = Figure(figsize=(width / 72, display.height(width) / 72)).add_subplot()
    assert display.plot(ax) is ax
    return ax


def ticks(ax):
    return [label.get_text().strip() for label in ax.get_xticklabels()]


def legend(ax):
    found = ax.get_legend()
    return [] if found is None else [text.get_text() for text in found.get_texts()]


def names(sheets):
    return [sheet.name for sheet in sheets]


def boxes(sheet, panel=0):
    found = sheet.displays[panel]
    assert isinstance(found, BoxesDisplay)
    return found


def test_boxes_hold_the_scores_of_all_training_sets():
    runs = compared()
    (sheet,) = study_sheets(runs)["password-0.5"]
    values, errors = sheet.displays
    assert list(values.groups) == ["10K", "30K", "perfect"]
    assert list(values.groups["30K"]) == ["ANN", "k-NN"]
    mine = [r for r in runs if (r.cell.attacker, r.cell.size) == ("k-NN", 30_000)]
    assert np.array_equal(values.groups["30K"]["k-NN"], np.concatenate([r.values for r in mine]))
    assert np.array_equal(errors.groups["30K"]["k-NN"], np.concatenate([r.errors for r in mine]))
    assert (values.truth, errors.truth) == (TRUTH, None)


def test_boxes_stand_where_their_values_are():
    groups = {"10K": {"a": np.arange(9.0), "b": np.arange(5.0)}, "perfect": {"c": np.arange(3.0)}}
    ax = drawn(BoxesDisplay(groups, ("c", "a", "b"), "δ", truth=6.5))
    medians = [line for line in ax.lines if line.get_linewidth() == 1.8]
    assert [line.get_ydata()[0] for line in medians] == [4, 2, 1]
    left, right, alone = (float(np.mean(line.get_xdata())) for line in medians)
    assert (left + right) / 2 == pytest.approx(0)
    assert left < right
    assert alone == 1
    assert [line.get_ydata()[0] for line in ax.lines if line.get_linestyle() == "--"] == [6.5]
    assert ax.texts[0].get_text() == "true\n6.5"


def test_boxes_are_described():
    groups = {"10K": {"a": np.arange(9) / 10, "b": np.arange(5) / 10}, "b\n50K": {"b": np.ones(2)}}
    figure = BoxesDisplay(groups, ("a", "b"), "V", truth=2)
    assert figure.alt == (
        "Box plots of V, whose true value is 2. 10K: a, median 0.4; b, median 0.2. b 50K: median 1."
    )


def test_the_legend_has_the_names_that_the_axis_has_not():
    values = np.arange(3.0)
    shared = BoxesDisplay({"10K": {"a": values, "b": values}, "c": {"c": values}}, tuple("abc"), "")
    assert legend(drawn(shared)) == ["a", "b"]
    assert legend(drawn(replace(shared, legend=False))) == []
    named = BoxesDisplay({"a\n10K": {"a": values}, "c": {"c": values}}, tuple("abc"), "")
    assert legend(drawn(named)) == []
    assert ticks(drawn(named)) == ["a\n10K", "c"]


def test_a_legend_without_room_takes_more_lines():
    values = {f"{place} hidden layers of many": np.arange(3.0) for place in range(4)}
    figure = BoxesDisplay({"10K": values}, tuple(values), "")
    assert figure.height(330) > figure.height(1200)
    ax = drawn(figure, 400)
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().width < ax.figure.bbox.width


def test_every_name_looks_different_without_colours():
    names = tuple("abcdef")
    ax = drawn(BoxesDisplay({"10K": {n: np.arange(4.0) for n in names}}, names, ""))
    looks = {
        (patch.get_hatch() or "", round(float(np.dot(to_rgb(patch.get_facecolor()),
                                                    (0.299, 0.587, 0.114))), 1))
        for patch in ax.patches
    }  # fmt: skip
    markers = {line.get_marker() for line in ax.lines if line.get_marker() not in ("", ".")}
    assert len(looks) == len(markers) == 6


def test_a_name_looks_the_same_whoever_is_beside_it():
    def hatches(runs):
        ax = drawn(boxes(study_sheets(runs)["password-0.5"][0]))
        return [patch.get_hatch() for patch in ax.patches]

    together = hatches(compared(sizes=(10_000,)))
    assert hatches(compared(attackers=("k-NN",), sizes=(10_000,))) == [together[1], together[-1]]
    assert together[0] != together[1]


def test_those_who_are_far_off_are_left_out_once_more():
    runs = compared("multiple_guesses", ("ANN", "frequentist"))
    *_, whole, magnified = study_sheets(runs)["multiple_guesses"]
    assert (whole.name, magnified.name) == (
        "multiple_guesses-data", "multiple_guesses-data-magnified",
    )  # fmt: skip
    assert list(boxes(whole).groups["10K"]) == ["ANN", "frequentist"]
    assert list(boxes(magnified).groups["10K"]) == ["ANN"]
    assert "perfect" in boxes(magnified).groups
    for attackers in (("frequentist",), ("k-NN",)):
        sheets = study_sheets(compared("multiple_guesses", attackers))["multiple_guesses"]
        assert names(sheets)[1:] == ["multiple_guesses-data"]


def test_each_route_has_its_figure_and_the_perfect_attacker_is_on_both():
    channel = run("multiple_guesses", "k-NN", 10_000, route="channel")
    both = [*compared("multiple_guesses"), channel]
    *_, data, channel = study_sheets(both)["multiple_guesses"]
    assert channel.heading == "Multiple guesses, channel pre-processing"
    assert list(boxes(data).groups) == ["10K", "30K", "perfect"]
    assert list(boxes(channel).groups) == ["k-NN\n10K", "perfect"]


def test_attackers_with_one_size_are_named_on_the_axis():
    runs = [run("vote", "perfect", 0), run("vote", "one on all samples", 50_000),
            *(run("vote", "one of five", 10_000, place) for place in range(5)),
            run("vote", "five vote", 10_000)]  # fmt: skip
    (sheet,) = study_sheets(runs)["vote"]
    assert ticks(drawn(boxes(sheet))) == [
        "one of five\n10K", "five vote\n10K", "one on all samples\n50K", "perfect",
    ]  # fmt: skip
    assert len(boxes(sheet).groups["one of five\n10K"]["one of five"]) == 100


def test_without_a_truth_the_risk_is_drawn():
    runs = [run("mnist", name, 50_000, truth=None) for name in ("dense", "LeNet")]
    (sheet,) = study_sheets(runs)["mnist"]
    (risk,) = sheet.displays
    assert np.array_equal(risk.groups["LeNet\n50K"]["LeNet"], 1 - runs[1].values)
    assert sheet.alt.startswith("MNIST. Box plots of estimated Bayes risk. dense 50K: median 0.2")


def test_two_neighbours_of_the_first_experiment():
    sheet, *_ = study_sheets(compared("multiple_guesses"))["multiple_guesses"]
    (figure,) = sheet.displays
    assert isinstance(figure, DistributionsDisplay)
    assert [len(row) for row in figure.rows.values()] == [16_000, 16_000]
    assert [row.sum() for row in figure.rows.values()] == pytest.approx([1, 1])
    assert figure.alt.startswith("P(y | x) by y. x = 5: highest at 8499, 0.000999.")
    ax = drawn(figure)
    assert {line.get_linestyle() for line in ax.lines} == {"-", "--"}
    assert [line.get_ydata().max() for line in ax.lines] == [
        row.max() for row in figure.rows.values()
    ]
    assert len(ax.lines[0].get_xdata()) < 700


def test_the_map_and_the_diamond_of_the_second_experiment():
    checkins, gain, *_ = study_sheets(compared("location"))["location"]
    (heat,), (diamond,) = checkins.displays, gain.displays
    assert isinstance(heat, HeatMapDisplay)
    assert isinstance(diamond, GainMapDisplay)
    assert "35,153 in 400 cells, of which 103 have none" in heat.alt
    assert diamond.alt == (
        "A guess earns 4 in 1 cell, 2 in 4 cells, 1 in 8 cells around the secret, "
        "and nothing elsewhere."
    )


def test_the_heat_map_is_logarithmic_and_leaves_empty_cells_out():
    latitudes, longitudes = location.borders()
    figure = HeatMapDisplay(location.checkins(), latitudes, longitudes, "check-ins")
    ax = drawn(figure)
    (mesh,) = ax.collections
    shown = np.ma.masked_array(mesh.get_array()).reshape(20, 20)
    assert np.array_equal(shown.mask, location.checkins() == 0)
    assert (mesh.norm.vmin, mesh.norm.vmax) == (1, location.checkins().max())
    assert mesh.norm(10) - mesh.norm(1) == pytest.approx(mesh.norm(100) - mesh.norm(10))
    greys = mesh.cmap(np.linspace(0, 1, 50))[:, :3] @ [0.299, 0.587, 0.114]
    assert (np.diff(greys) < 0).all()
    figure = ax.get_figure()
    figure.canvas.draw()
    assert "122.44° W" in ticks(ax)


def test_the_gain_is_written_in_its_cell():
    ax = drawn(GainMapDisplay(location.gains_nearby()))
    said = {text.get_position(): text.get_text() for text in ax.texts}
    assert [said[0, 0], said[1, 0], said[0, -2], said[-1, 1], said[3, 0]] == list("42110")
    shades = {patch.get_facecolor() for patch in ax.patches}
    assert len(shades) == 4


def test_files_are_written_for_whatever_runs_there_are(tmp_path):
    runs = compared("depth", ("no hidden layers",), (10_000,), (0,))[1:]
    assert [path.name for path in write_figures(runs, tmp_path / "new")] == [
        "depth.png", "depth.svg",
    ]  # fmt: skip
    assert write_figures(runs[:0], tmp_path) == []
    assert write_figures([run("password-1", "perfect", 0)], tmp_path) == []
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["depth.png", "depth.svg", "new"]


def test_names_with_a_point_keep_it(tmp_path):
    written = [path.name for path in write_figures(compared("password-0.5"), tmp_path)]
    assert written == ["password-0.5.png", "password-0.5.svg"]


def test_files_are_the_same_whenever_they_are_written(tmp_path):
    first, second = (write_figures(compared(), tmp_path / name) for name in "ab")
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()
    assert b"date" not in first[1].read_bytes().lower()


def test_files_describe_themselves(tmp_path):
    from PIL import Image

    (sheet,) = study_sheets(compared())["password-0.5"]
    assert sheet.alt.startswith("Password checker, ν = 0.5. Box plots of estimated vulnerability")
    png, svg = sheet.save(tmp_path)
    with Image.open(png) as image:
        assert image.text["Description"] == sheet.alt
    root = ElementTree.parse(svg).getroot()
    described = root.find(".//{http://purl.org/dc/elements/1.1/}description")
    assert described is not None
    assert described.text == sheet.alt


def test_a_sheet_is_as_high_as_its_figures(tmp_path):
    from PIL import Image

    figure = GainMapDisplay(np.eye(3))
    heights = []
    for many in (1, 2):
        png, _ = Sheet("some", "Some", (figure,) * many).save(tmp_path)
        with Image.open(png) as image:
            heights.append(image.height)
    assert heights[1] - heights[0] == pytest.approx(2 * figure.height(640), abs=1)
