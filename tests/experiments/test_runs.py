"""Runs in a folder: whole or not there, and the same when they are read again."""

import json

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.experiments.protocol import Cell, Protocol
from gleak.experiments.runs import RunFolder, run_id

CELL = Cell("vote", "one of five", "data", 10_000, 0)


def test_a_run_is_read_as_it_was_written(run, tmp_path):
    folder = RunFolder(tmp_path / "new" / "runs")
    written = run("multiple_guesses", "k-NN", 10_000, [0.25, 0.5], gap=0.1)
    assert written.id not in folder
    folder.write(written)
    assert written.id in folder
    found = folder.read(written.id)
    assert found.to_dict() == written.to_dict()
    assert (found.values == written.values).all()
    assert found.errors == pytest.approx([0.25, 0.5])


def test_the_json_comes_last_so_that_half_a_run_is_none(run, tmp_path):
    folder, whole = RunFolder(tmp_path), run("vote", "k-NN", 10, [0.5])
    folder.write(whole)
    (tmp_path / f"{whole.id}.json").unlink()
    assert whole.id not in folder


def test_no_half_written_file_is_left(run, tmp_path):
    RunFolder(tmp_path).write(run("vote", "k-NN", 10, [0.5]))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".parquet"]


@pytest.mark.parametrize("broken", ["json", "parquet"])
def test_a_damaged_run_is_named_with_what_to_do(run, tmp_path, broken):
    folder, whole = RunFolder(tmp_path), run("vote", "k-NN", 10, [0.5])
    folder.write(whole)
    (tmp_path / f"{whole.id}.{broken}").write_bytes(b"{}")
    with pytest.raises(InputError, match=r"cannot be read .*remove both"):
        folder.read(whole.id)


def test_values_are_in_a_table_of_their_own(run, tmp_path):
    import polars as pl

    whole = run("vote", "k-NN", 10, [0.5, 0.25], truth=1.0)
    RunFolder(tmp_path).write(whole)
    table = pl.read_parquet(tmp_path / f"{whole.id}.parquet")
    assert table.to_dict(as_series=False) == {"set": [0, 1], "value": [1.5, 1.25]}
    facts = json.loads((tmp_path / f"{whole.id}.json").read_text())
    assert (facts["study"], facts["truth"], facts["format"]) == ("vote", 1.0, 1)
    assert "values" not in facts


def test_an_id_tells_apart_whatever_changes_the_result():
    protocol = Protocol()
    ids = [
        run_id(CELL, "one", protocol),
        run_id(CELL, "other", protocol),
        run_id(CELL, "one", Protocol(seed=1)),
        run_id(CELL, "one", Protocol(effort=0.5)),
        run_id(Cell("vote", "one of five", "data", 10_000, 1), "one", protocol),
    ]
    assert len(set(ids)) == len(ids)
    assert ids[0] == run_id(CELL, "one", protocol)
    assert ids[0].startswith("vote-one-of-five-data-10000-0-")


def test_where_no_truth_is_known_errors_are_what_was_missed(run):
    assert np.allclose(run("mnist", "dense", 10, [0.25], truth=None).errors, 0.25)
