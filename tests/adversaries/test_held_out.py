import numpy as np
import pytest

from gleak.adversaries._held_out import ENOUGH, parts
from gleak.samples import Samples


def numbered(rows, **more):
    """Samples whose observable is the number of the row."""
    return Samples.of(np.arange(rows) % 3, np.arange(rows), **more)


def rows_of(samples):
    return samples.observables.matrix()[:, 0].astype(int).tolist()


def test_few_rows_are_held_out_once_each():
    found = list(parts(numbered(103), np.random.default_rng(0)))
    held = [row for _, part in found for row in rows_of(part)]
    assert len(found) == 5
    assert len(held) == len(set(held)) >= 100
    for rest, part in found:
        assert sorted(rows_of(rest) + rows_of(part)) == list(range(103))


def test_with_many_rows_one_round_of_enough_rows_will_do():
    found = list(parts(numbered(200_000), np.random.default_rng(0)))
    assert [len(held) for _, held in found] == [ENOUGH]
    assert len(found[0][0]) == 200_000 - ENOUGH


def test_groups_stay_together():
    groups = np.arange(60) // 6
    found = list(parts(numbered(60, groups=groups), np.random.default_rng(0)))
    assert len(found) == 5
    for rest, held in found:
        assert set(rest.groups.tolist()).isdisjoint(held.groups.tolist())
        assert len(np.unique(held.groups)) == 2


def test_two_groups_give_two_rounds_and_one_gives_none():
    two = numbered(10, groups=[0] * 7 + [1] * 3)
    assert sorted(len(held) for _, held in parts(two, np.random.default_rng(0))) == [3, 7]
    assert list(parts(numbered(10, groups=[5] * 10), np.random.default_rng(0))) == []


@pytest.mark.parametrize("groups", range(2, 30))
def test_no_round_is_without_rows_on_either_side(groups):
    """Eight parted by two leave nothing for a fifth round."""
    for samples in (numbered(groups), numbered(groups * 5, groups=np.arange(groups * 5) // 5)):
        for rest, held in parts(samples, np.random.default_rng(0)):
            assert len(rest)
            assert len(held)


def test_the_same_seed_gives_the_same_parts():
    once, again = (list(parts(numbered(50), np.random.default_rng(3))) for _ in range(2))
    assert [rows_of(held) for _, held in once] == [rows_of(held) for _, held in again]
    other = list(parts(numbered(50), np.random.default_rng(4)))
    assert [rows_of(held) for _, held in once] != [rows_of(held) for _, held in other]
