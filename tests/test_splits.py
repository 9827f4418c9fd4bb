import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.errors import InputError
from gleak.samples import Samples
from gleak.splits import folds, holdout

KINDS = ["random", "stratified", "blocked", "grouped"]


def samples_of(rows, *, secrets=3, groups=7, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(secrets), rng.integers(0, secrets, rows - secrets)])
    return Samples.of(codes, np.zeros(rows), groups=rng.integers(0, groups, rows))


def is_partition(parts, rows):
    together = np.concatenate(parts)
    return sorted(together.tolist()) == list(range(rows))


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(KINDS), st.integers(20, 200), st.floats(0.2, 0.8), st.integers(0, 99))
def test_a_holdout_parts_the_rows_in_two_sorted_sets(kind, rows, fraction, seed):
    samples = samples_of(rows)
    train, rest = holdout(samples, fraction, kind=kind, rng=seed)
    assert is_partition([train, rest], rows)
    assert (np.diff(train) > 0).all()
    assert (np.diff(rest) > 0).all()
    if kind != "grouped":
        assert len(rest) == round(rows * fraction)


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(KINDS), st.integers(20, 200), st.integers(2, 5), st.integers(0, 99))
def test_folds_part_the_rows(kind, rows, k, seed):
    samples = samples_of(rows, seed=seed)
    parts = folds(samples, k, kind=kind, rng=seed)
    assert len(parts) == k
    assert is_partition(parts, rows)
    assert all(len(part) and (np.diff(part) > 0).all() for part in parts)
    if kind != "grouped":
        assert max(map(len, parts)) - min(map(len, parts)) <= 1


@settings(deadline=None, max_examples=50)
@given(st.integers(20, 200), st.integers(2, 6), st.integers(0, 99))
def test_each_secret_is_spread_evenly(rows, k, seed):
    samples = samples_of(rows, secrets=4, seed=seed)
    totals = np.bincount(samples.codes, minlength=4)
    for part in folds(samples, k, kind="stratified", rng=seed):
        here = np.bincount(samples.codes[part], minlength=4)
        assert (np.abs(here - totals / k) <= 1).all()
    _, rest = holdout(samples, 0.3, kind="stratified", rng=seed)
    here = np.bincount(samples.codes[rest], minlength=4)
    assert (np.abs(here - totals * round(rows * 0.3) / rows) <= 1).all()


@settings(deadline=None, max_examples=50)
@given(st.integers(20, 200), st.integers(2, 4), st.integers(0, 99))
def test_groups_are_never_torn(rows, k, seed):
    samples = samples_of(rows, seed=seed)
    for parts in (folds(samples, k, rng=seed), holdout(samples, 0.4, rng=seed)):
        owners = [set(samples.groups[part].tolist()) for part in parts]
        assert sum(map(len, owners)) == len(set.union(*owners))


def test_blocked_keeps_the_order_of_time():
    samples = samples_of(10)
    train, rest = holdout(samples, 0.3, kind="blocked")
    assert train.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert rest.tolist() == [7, 8, 9]
    assert [part.tolist() for part in folds(samples, 3, kind="blocked")] == [
        [0, 1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
    ]


def test_many_small_groups_make_even_parts():
    rng = np.random.default_rng(5)
    samples = Samples.of(
        rng.integers(0, 3, 1000), np.zeros(1000), groups=rng.integers(0, 200, 1000)
    )
    sizes = [len(part) for part in folds(samples, 4, rng=1)]
    assert max(sizes) - min(sizes) <= 2
    assert abs(len(holdout(samples, 0.25, rng=1)[1]) - 250) <= 10


@pytest.mark.parametrize("kind", ["random", "stratified", "grouped"])
def test_the_seed_decides(kind):
    samples = samples_of(60, groups=30)
    one, same, other = (holdout(samples, 0.5, kind=kind, rng=seed)[0] for seed in (1, 1, 2))
    assert one.tolist() == same.tolist()
    assert one.tolist() != other.tolist()
    one, same, other = (folds(samples, 3, kind=kind, rng=seed)[0] for seed in (1, 1, 2))
    assert one.tolist() == same.tolist()
    assert one.tolist() != other.tolist()


@pytest.mark.parametrize("kind", ["random", "stratified"])
def test_every_row_has_its_chance(kind):
    """Over 400 seeds each row is kept back about 100 times: within 5 standard deviations."""
    samples = samples_of(12)
    times = np.zeros(12)
    for seed in range(400):
        times[holdout(samples, 0.25, kind=kind, rng=seed)[1]] += 1
    assert (np.abs(times - 100) < 5 * np.sqrt(400 * 0.25 * 0.75)).all()


def test_without_groups_rows_part_at_random():
    samples = Samples.of([0, 1] * 10, np.zeros(20))
    assert holdout(samples, 0.5, rng=3)[1].tolist() == (
        holdout(samples, 0.5, kind="random", rng=3)[1].tolist()
    )


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (
            lambda s: holdout(s, 0.0),
            "the fraction kept back must be above 0 and below 1, got 0.0",
        ),
        (
            lambda s: holdout(s, float("nan")),
            "the fraction kept back must be above 0 and below 1, got nan",
        ),
        (
            lambda s: holdout(s, 1),
            "the fraction kept back must be above 0 and below 1, got 1",
        ),
        (
            lambda s: holdout(s, "half"),
            "the fraction kept back must be above 0 and below 1, got half",
        ),
        (
            lambda s: folds(s, 2.5, kind="random"),
            "the number of folds must be from 2 to 20, the number of rows, got 2.5",
        ),
        (
            lambda s: holdout(s, 0.01, kind="random"),
            "each part must be of at least one row, got none in one of them, at fraction 0.01; "
            "choose a fraction nearer to one half, or bring more samples",
        ),
        (
            lambda s: folds(s, 1, kind="random"),
            "the number of folds must be from 2 to 20, the number of rows, got 1",
        ),
        (
            lambda s: folds(s, 21, kind="random"),
            "the number of folds must be from 2 to 20, the number of rows, got 21",
        ),
        (
            lambda s: folds(s, 4, kind="grouped"),
            "the number of folds must be from 2 to 3, the number of groups, got 4",
        ),
        (
            lambda s: holdout(s, 0.5, kind="blockd"),
            "unknown kind of split 'blockd'; did you mean 'blocked'?",
        ),
        (
            lambda s: holdout(s.take(s.groups == 0), 0.5),
            "groups must be at least two, to part them, got 1",
        ),
    ],
)
def test_refusals(work, message):
    samples = Samples.of([0, 1] * 10, np.zeros(20), groups=[0, 1, 2, 0] * 5)
    with pytest.raises(InputError) as caught:
        work(samples)
    assert str(caught.value) == message


def test_groups_must_be_there():
    with pytest.raises(InputError, match="needs a group for each row; the samples have none"):
        folds(Samples.of([0, 1], [0, 0]), 2, kind="grouped")
