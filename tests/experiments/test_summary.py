"""The lines of a reproduction, from errors worked out by hand."""

import json

import pytest

from gleak.experiments.protocol import Cell, protocol
from gleak.experiments.summary import Reproduction, summary


@pytest.fixture
def runs(run):
    return (
        run("multiple_guesses", "perfect", 0, [0.001, 0.003]),
        run("multiple_guesses", "auto", 10_000, [0.002, 0.004], gap=0.001),
        run("multiple_guesses", "k-NN", 10_000, [0.01, 0.03], gap=0.02),
        run("multiple_guesses", "k-NN", 10_000, [0.02, 0.04], training_set=1, gap=0.03),
        run("multiple_guesses", "k-NN", 10_000, [0.5, 0.5], route="channel"),
    )


def test_errors_are_pooled_over_training_and_validation_sets(runs):
    line = summary(runs)[1]
    assert (line.attacker, line.size, line.training_sets) == ("k-NN", 10_000, 2)
    assert line.mean == pytest.approx(0.025)
    assert line.dispersion == pytest.approx(0.000125**0.5)
    assert line.total == pytest.approx((0.003 / 4) ** 0.5)
    assert line.gap == pytest.approx(0.025)


def test_auto_and_the_floor_stand_beside_everybody(runs):
    auto, data, channel = summary(runs)
    for line in (auto, data, channel):
        assert line.auto == pytest.approx(0.003)
        assert line.floor == pytest.approx(0.002)
    assert auto.ratio == pytest.approx(1.5)
    assert channel.gap is None


def test_nobody_is_compared_with_what_was_not_run(runs):
    (line,) = summary(runs[2:3])
    assert (line.auto, line.floor, line.ratio) == (None, None, None)


@pytest.mark.parametrize(
    ("error", "beside"),
    [
        (0.026, "as published"),
        (0.0295, "as published"),
        (0.0302, "worse"),
        (0.0225, "as published"),
        (0.0219, "better"),
    ],
)
def test_figures_within_fifteen_per_cent_are_as_published(run, error, beside):
    """The paper has .026 for this cell."""
    (line,) = summary([run("multiple_guesses", "k-NN", 10_000, [error])])
    assert line.published == 0.026
    assert line.beside_paper == beside


def test_small_figures_may_differ_by_three_thousandths(run):
    (line,) = summary([run("multiple_guesses", "ANN", 50_000, [0.0059])])
    assert (line.published, line.beside_paper) == (0.003, "as published")


def test_what_was_never_published_is_not_compared(run):
    (line,) = summary([run("depth", "1 hidden layer", 10_000, [0.1])])
    assert line.beside_paper is None


def test_where_no_truth_is_known_the_error_is_the_risk(run):
    (line,) = summary([run("mnist", "dense", 50_000, [0.02, 0.04], truth=None)])
    assert line.mean == pytest.approx(0.03)
    assert (line.gap, line.floor) == (None, None)


def test_a_reproduction_says_when_and_where_and_is_json(runs):
    found = Reproduction(runs, protocol("paper", seed=3))
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["machines"] == ["a machine"]
    assert document["seconds"] == 10.0
    assert document["provenance"]["seed"] == 3
    assert document["provenance"]["created"] == "2026-01-02T03:04:05+00:00"
    assert [line["attacker"] for line in document["lines"]] == ["auto", "k-NN", "k-NN"]
    assert document["lines"][1]["beside_paper"] == "as published"
    assert document["runs"] == {"kept": 5, "missing": 0}
    assert list(found.studies) == ["multiple_guesses"]


def test_lines_know_how_many_training_sets_are_missing(runs):
    missing = (
        Cell("multiple_guesses", "k-NN", "data", 10_000, 2),
        Cell("multiple_guesses", "k-NN", "data", 30_000, 0),
    )
    found = Reproduction(runs, protocol("paper"), missing)
    assert [(line.training_sets, line.missing) for line in found.lines] == [(1, 0), (2, 1), (1, 0)]
    assert found.unfinished == {("multiple_guesses", "k-NN")}
    assert found.to_dict()["runs"] == {"kept": 5, "missing": 2}
