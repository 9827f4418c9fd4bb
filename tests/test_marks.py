"""Texts get marks that say which are the same, by hash or by polars' dictionary."""

import numpy as np
import polars as pl
import pytest

from gleak import marks
from gleak.marks import _categorical, _hashed, marks_of


def recovered(series, found):
    """The texts, rebuilt from the marks alone."""
    texts = series.cast(pl.String).gather(found.rows).to_list()
    return [texts[code] for code in found.recoded(np.arange(len(texts)))]


@pytest.fixture
def texts():
    rng = np.random.default_rng(3)
    return pl.Series([f"user{i}" for i in rng.integers(0, 30, 500)])


def test_hashes_keep_the_texts_apart(texts):
    found = _hashed(texts)
    assert found is not None
    assert len(found.rows) == texts.n_unique()
    assert recovered(texts, found) == texts.to_list()


def test_pieces_and_shares_make_no_difference(texts, monkeypatch):
    monkeypatch.setattr(marks, "_BLOCK", 128)
    monkeypatch.setattr(marks, "_SHARE", 100)
    pieces = pl.concat([texts[:50], texts[50:]], rechunk=False)
    assert recovered(texts, _hashed(pieces)) == texts.to_list()


@pytest.mark.parametrize("shares", [1, 100])
def test_two_texts_of_one_place_fall_back_on_the_dictionary(texts, monkeypatch, shares):
    monkeypatch.setattr(marks, "_BITS", 3)  # eight places for thirty texts
    monkeypatch.setattr(marks, "_SHARE", 500 // shares)
    assert _hashed(texts) is None
    assert recovered(texts, marks_of(texts)) == texts.to_list()


def test_shares_that_disagree_on_a_place_are_noticed(monkeypatch):
    # Each share alone is free of conflicts, because it holds one text only.
    monkeypatch.setattr(marks, "_BITS", 1)
    monkeypatch.setattr(marks, "_SHARE", 1)
    assert _hashed(pl.Series(["a", "b", "c"])) is None


def test_categories_keep_the_texts_apart(texts):
    for series in (texts.cast(pl.Categorical), texts.cast(pl.Enum(texts.unique()))):
        assert recovered(series, _categorical(series)) == texts.to_list()


def test_no_text_at_all():
    assert len(marks_of(pl.Series([], dtype=pl.String)).rows) == 0
