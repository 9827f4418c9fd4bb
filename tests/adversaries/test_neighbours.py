"""Every search against one written for the eye: all distances, sorted, in plain Python."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.adversaries import _search, _windows
from gleak.adversaries._windows import window_starts
from gleak.adversaries.neighbours import Neighbours, by_formula, ladder, settled
from gleak.errors import InputError
from gleak.gain import matrix
from gleak.observables import Observables
from gleak.samples import Samples

POWERS = {"manhattan": 1, "euclidean": 2, "chebyshev": np.inf}


def learned(adversary, samples, gain="bayes", rng=0):
    return adversary.fit(samples, samples.bind(gain), rng=rng)


def apart(a, b, power):
    """A distance, or what rises with it: exact for numbers with few binary digits."""
    gaps = [
        (0 if p == q else 1) if isinstance(p, str) else abs(Fraction(p) - Fraction(q))
        for p, q in zip(a, b, strict=True)
    ]
    return max(gaps) if power == np.inf else sum(gap**power for gap in gaps)


def votes_by_hand(rows, secrets, weights, query, k, power, ties, n_secrets):
    """Votes of the k nearest distinct rows; dictionaries keep the order of first appearance."""
    counts = {}
    for row, secret, weight in zip(rows, secrets, weights, strict=True):
        counts.setdefault(tuple(row), np.zeros(n_secrets))[secret] += weight
    ranked = sorted((apart(point, query, power), i) for i, point in enumerate(counts))
    table = list(counts.values())
    if ties == "first":
        return sum(table[i] for _, i in ranked[:k])
    farthest = ranked[k - 1][0]
    sure = [i for distance, i in ranked if distance < farthest]
    tied = [i for distance, i in ranked if distance == farthest]
    share = (k - len(sure)) / len(tied)
    return sum(table[i] for i in sure) + share * sum(table[i] for i in tied)


def check(rows, secrets, queries, k, metric, ties, weights=None, n_secrets=3):
    """The posterior of every query, against the votes by hand; raw coordinates."""
    samples = Samples.of(secrets, as_columns(rows), weights=weights)
    adversary = Neighbours(k, metric, standardise=False, ties=ties)
    posterior = learned(adversary, samples).posterior(Observables.of(as_columns(queries)))
    weights = np.ones(len(rows)) if weights is None else weights
    for query, row in zip(queries, posterior, strict=True):
        votes = votes_by_hand(
            rows, secrets, weights, query, k, POWERS[metric], ties, len(samples.secrets)
        )
        assert row == pytest.approx(votes / votes.sum(), abs=1e-9)


def as_columns(rows):
    return {f"c{i}": [row[i] for row in rows] for i in range(len(rows[0]))}


def lattice(rng, n, columns, side=5, unit=1):
    return (rng.integers(side, size=(n, columns)) * unit).tolist()


# --- against all distances, sorted ---------------------------------------------------------------


@pytest.mark.parametrize("ties", ["first", "shared"])
@pytest.mark.parametrize("metric", list(POWERS))
@pytest.mark.parametrize("columns", [1, 2, 5])
@pytest.mark.parametrize("unit", [1, 0.25])
def test_votes_on_a_lattice_full_of_ties(columns, metric, ties, unit):
    rng = np.random.default_rng(columns)
    rows, queries = (lattice(rng, n, columns, 5 if columns > 1 else 40, unit) for n in (90, 25))
    secrets = rng.permutation(np.arange(90) % 3)
    for k in (1, 4, 20):
        check(rows, secrets, queries, k, metric, ties)


@pytest.mark.parametrize("ties", ["first", "shared"])
@pytest.mark.parametrize("columns", [1, 3, 12, 200])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
def test_votes_among_scattered_floats_with_weights(columns, metric, ties):
    rng = np.random.default_rng(columns)
    rows, queries = rng.normal(size=(40, columns)).tolist(), rng.normal(size=(6, columns)).tolist()
    secrets, weights = rng.permutation(np.arange(40) % 3), rng.random(40) + 0.1
    for k in (1, 7, 40):
        check(rows, secrets, queries, k, metric, ties, weights)


@pytest.mark.parametrize("ties", ["first", "shared"])
@pytest.mark.parametrize("metric", ["manhattan", "euclidean"])
def test_votes_in_many_columns_of_small_integers(metric, ties):
    rng = np.random.default_rng(0)
    rows, queries = (lattice(rng, n, 15, side=2) for n in (60, 12))
    check(rows, rng.permutation(np.arange(60) % 3), queries, 9, metric, ties)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(-30, 30), min_size=1, max_size=25, unique=True),
    st.lists(st.integers(-40, 40), min_size=1, max_size=10),
    st.data(),
)
def test_a_window_holds_the_nearest_and_starts_left_of_a_tie(points, queries, data):
    points, k = np.sort(points) / 2, data.draw(st.integers(1, len(points)))
    starts = window_starts(points, np.array(queries) / 2, k)
    for start, query in zip(starts.tolist(), np.array(queries) / 2, strict=True):
        order = np.lexsort((points, np.abs(points - query)))[:k]
        assert sorted(order.tolist()) == list(range(start, start + k))


@pytest.mark.parametrize("ties", ["first", "shared"])
def test_sums_one_by_one_are_those_of_cumulated_counts(ties, monkeypatch):
    rng = np.random.default_rng(1)
    samples = Samples.of(rng.integers(3, size=300), rng.integers(150, size=300))
    asked = Observables.of(rng.integers(170, size=200))
    strategy = Neighbours(11, ties=ties)
    cumulated = learned(strategy, samples).posterior(asked)
    monkeypatch.setattr(_windows, "DENSE", 0)
    assert learned(strategy, samples).posterior(asked) == pytest.approx(cumulated)


@pytest.mark.parametrize("ties", ["first", "shared"])
def test_small_blocks_and_sparse_counts_change_nothing(ties, monkeypatch):
    rng = np.random.default_rng(2)
    rows, asked = rng.integers(4, size=(200, 3)), Observables.of(rng.integers(5, size=(150, 3)))
    samples = Samples.of(rng.integers(3, size=200), rows)
    at_once = learned(Neighbours(6, ties=ties), samples).posterior(asked)
    monkeypatch.setattr(_search, "BLOCK", 50)
    monkeypatch.setattr(_search, "DENSE", 0)
    assert learned(Neighbours(6, ties=ties), samples).posterior(asked) == pytest.approx(at_once)


@pytest.mark.parametrize("columns", [2, 11])
def test_a_search_reaches_all_that_tie_however_many(columns):
    # Unit vectors and their opposites: all equally far from the origin.
    rows = np.vstack([np.eye(columns), -np.eye(columns)]).astype(int)
    samples = Samples.of(np.arange(len(rows)) % 2, rows)
    asked = Observables.of(np.zeros((1, columns), dtype=int))
    posterior = learned(Neighbours(1, standardise=False), samples).posterior(asked)
    assert posterior == pytest.approx(np.bincount(samples.codes)[None] / len(rows))


def test_ties_of_decimal_fractions_are_ties():
    assert abs(0.1 - 0.1) + abs(0.3 - 0.2) < abs(0.2 - 0.1) + abs(0.2 - 0.2)  # in binary ones
    samples = Samples.of([0, 1], [[0.1, 0.3], [0.2, 0.2]])
    strategy = learned(Neighbours(1, "manhattan"), samples)
    assert strategy.posterior(Observables.of([[0.1, 0.2]])).tolist() == [[0.5, 0.5]]


def test_other_metrics_are_those_of_scikit_learn():
    rng = np.random.default_rng(3)
    rows, queries = rng.random((30, 3)) + 0.1, rng.random((8, 3)) + 0.1
    samples = Samples.of(np.arange(30) % 3, rows)
    strategy = learned(Neighbours(1, "cosine", standardise=False), samples)

    def unit(vectors):
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    # Space moves points by whole numbers: an angle is seen from there.
    moved = np.round(rows.mean(axis=0))
    nearest = (unit(queries - moved) @ unit(rows - moved).T).argmax(axis=1)
    assert strategy.guess(Observables.of(queries)).tolist() == (nearest % 3).tolist()


# --- the paper's form ----------------------------------------------------------------------------


def test_k_is_the_logarithm_of_the_number_of_distinct_observables():
    assert [by_formula(n) for n in (1, 2, 20, 12_000)] == [1, 1, 3, 9]
    samples = Samples.of(np.arange(3000) % 2, np.arange(3000) % 20)
    assert learned(Neighbours("paper"), samples).k == 3


def test_voting_with_literal_copies_of_guesses_gives_the_same_guesses():
    rng = np.random.default_rng(4)
    rows, secrets = lattice(rng, 80, 2), rng.integers(3, size=80)
    gains = rng.integers(0, 4, size=(5, 3))
    strategy = learned(Neighbours("paper", "manhattan"), Samples.of(secrets, rows), matrix(gains))
    pairs = [(row, w) for row, x in zip(rows, secrets, strict=True)
             for w in range(5) for _ in range(gains[w, x])]  # fmt: skip
    copies, guesses = zip(*pairs, strict=True)
    queries = lattice(rng, 20, 2, side=6)
    for query, guess in zip(queries, strategy.guess(Observables.of(queries)), strict=True):
        # Each secret earns something, so that every point keeps its place among the copies.
        assert set(map(tuple, copies)) == set(map(tuple, rows))
        votes = votes_by_hand(
            copies, guesses, np.ones(len(copies)), query, strategy.k, 1, "first", 5
        )
        assert guess == votes.argmax()


def test_the_paper_takes_coordinates_as_they_are_and_the_others_bring_them_to_like_spread():
    # The second column alone tells the secret, in small numbers.
    rng = np.random.default_rng(5)
    secrets = np.arange(60) % 2
    rows = np.column_stack([1000 * rng.normal(size=60), secrets + 0.01 * rng.normal(size=60)])
    asked = Observables.of(np.column_stack([1000 * rng.normal(size=40), np.arange(40) % 2]))
    samples = Samples.of(secrets, rows)
    right = [
        (learned(Neighbours(3, standardise=like), samples).guess(asked) == np.arange(40) % 2).mean()
        for like in (True, False)
    ]
    assert right[0] == 1.0
    assert right[1] < 0.8
    defaults = [learned(Neighbours(k), samples).near.place.scale.tolist() for k in (3, "paper")]
    assert defaults[0] != [1.0, 1.0]
    assert defaults[1] == [1.0, 1.0]


# --- columns -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
@pytest.mark.parametrize("labels", [2, 30])  # few: a tree; many: sparse blocks
def test_a_categorical_column_adds_one_where_it_differs(metric, labels):
    rng = np.random.default_rng(labels)
    names = [f"n{i}" for i in range(labels)]
    rows = [(int(rng.integers(3)), str(rng.choice(names))) for _ in range(70)]
    queries = [(int(rng.integers(3)), str(rng.choice(names))) for _ in range(15)]
    known = {name for _, name in rows}
    queries = [query for query in queries if query[1] in known]
    check(rows, np.arange(70) % 3, queries, 5, metric, "shared")


@pytest.mark.parametrize("metric", ["manhattan", "euclidean", "chebyshev"])
def test_a_category_never_seen_is_equally_far_from_all(metric):
    rows = [(0, "a"), (2, "b"), (5, "a"), (9, "b")]
    samples = Samples.of([0, 1, 0, 1], as_columns(rows))
    strategy = learned(Neighbours(1, metric, standardise=False), samples)
    asked = Observables.of(as_columns([(0, "z"), (8, "z")]))
    assert strategy.guess(asked).tolist() == [0, 1]


def test_one_categorical_column():
    samples = Samples.of(["x", "x", "y", "y"], {"c": ["a", "a", "b", "c"]})
    strategy = learned(Neighbours(1), samples)
    asked = Observables.of({"c": ["a", "b", "never"]})
    assert strategy.posterior(asked) == pytest.approx(np.array([[1, 0], [0, 1], [0.5, 0.5]]))


@pytest.mark.parametrize("k", [3, "auto", "paper"])
def test_a_constant_column_changes_nothing(k):
    rng = np.random.default_rng(6)
    values, secrets = rng.normal(size=(60, 2)), np.arange(60) % 3
    more = np.column_stack([values, np.full(60, 7.5)])
    asked = rng.normal(size=(20, 2))
    without = learned(Neighbours(k), Samples.of(secrets, values)).posterior(Observables.of(asked))
    asked = np.column_stack([asked, np.full(20, 7.5)])
    with_it = learned(Neighbours(k), Samples.of(secrets, more)).posterior(Observables.of(asked))
    assert with_it == pytest.approx(without)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("k", ["auto", "paper", 4])
def test_a_single_point_answers_with_what_it_saw(columns, k):
    samples = Samples.of([0, 0, 1], np.ones((3, columns)))
    strategy = learned(Neighbours(k), samples)
    assert strategy.posterior(Observables.of(np.full((2, columns), 5.0))) == pytest.approx(
        np.array([[2 / 3, 1 / 3]] * 2)
    )


def test_units_of_a_column_do_not_matter_and_spread_is_that_of_training():
    rng = np.random.default_rng(7)
    rows, asked = rng.normal(size=(80, 2)), rng.normal(size=(30, 2))
    secrets, units = np.arange(80) % 3, np.array([1024.0, 1.0])
    strategy = learned(Neighbours(5), Samples.of(secrets, rows))
    scaled = learned(Neighbours(5), Samples.of(secrets, rows * units))
    expected = strategy.posterior(Observables.of(asked))
    assert scaled.posterior(Observables.of(asked * units)) == pytest.approx(expected)
    outlier = np.vstack([asked, [1e9, 1e9]])  # among the questions, it moves nobody else
    assert strategy.posterior(Observables.of(outlier))[:-1] == pytest.approx(expected)


def test_columns_of_like_spread_keep_their_ties():
    rng = np.random.default_rng(8)
    rows = np.column_stack([rng.integers(7, size=200), rng.integers(8, size=200)])
    samples, asked = Samples.of(np.arange(200) % 3, rows), Observables.of(rows[:20])
    like, raw = (Neighbours(4, standardise=choice) for choice in (True, False))
    assert np.array_equal(
        learned(like, samples).posterior(asked), learned(raw, samples).posterior(asked)
    )


def test_what_was_never_seen_is_judged_by_what_is_near():
    samples = Samples.of([0, 0, 1, 1], [1, 2, 100, 101])
    strategy = learned(Neighbours(1), samples)
    assert strategy.guess(Observables.of([-1000, 50, 52, 10_000])).tolist() == [0, 0, 1, 1]


def test_relabelled_secrets_relabel_the_posterior():
    rng = np.random.default_rng(9)
    secrets, rows = rng.integers(3, size=90), rng.normal(size=(90, 2))
    other, asked = np.array([2, 0, 1]), Observables.of(rng.normal(size=(20, 2)))
    first = learned(Neighbours(), Samples.of(secrets, rows)).posterior(asked)
    second = learned(Neighbours(), Samples.of(other[secrets], rows)).posterior(asked)
    assert second[:, other] == pytest.approx(first)


# --- k chosen from data --------------------------------------------------------------------------


def test_few_neighbours_where_secrets_alternate_and_many_where_they_blur():
    rng = np.random.default_rng(10)
    seen = rng.integers(400, size=4000)
    fine = learned(Neighbours(), Samples.of(seen % 2, seen))
    blurred = learned(Neighbours(), Samples.of((rng.random(4000) < 0.3 + 0.001 * seen) * 1, seen))
    assert fine.k == 1
    assert blurred.k > 20


@pytest.mark.parametrize("wide", [False, True])
def test_in_several_columns_many_are_fetched_only_where_many_are_best(wide, monkeypatch):
    rng = np.random.default_rng(14)
    rows = rng.normal(size=(3000, 2))
    blurred = rows[:, 0] + 4 * rng.normal(size=3000) > 0
    secrets = np.where(wide, blurred, np.floor(2 * rows).sum(axis=1) % 2 == 0) * 1  # a chessboard
    asked, found = [], _search.Scattered._found
    monkeypatch.setattr(
        _search.Scattered, "_found", lambda self, q, w: asked.append(w) or found(self, q, w)
    )
    k = learned(Neighbours(), Samples.of(secrets, rows)).k
    assert (k > 100) is wide
    assert (max(asked) > 500) is wide


def test_rows_of_one_group_do_not_vouch_for_each_other():
    # Each group repeats one point with one random secret: a neighbour of its own group is always
    # right, one of another group never better than chance. The first half of the line leans to 0.
    rng = np.random.default_rng(11)
    places = rng.permutation(300) / 300
    secrets = (rng.random(300) < np.where(places < 0.5, 0.3, 0.7)) * 1
    rows, groups = np.repeat(places, 8), np.repeat(np.arange(300), 8)
    rows = rows + rng.random(2400) * 1e-6
    secrets = np.repeat(secrets, 8)
    alone = learned(Neighbours(), Samples.of(secrets, rows))
    grouped = learned(Neighbours(), Samples.of(secrets, rows, groups=groups))
    assert alone.k < 8
    assert grouped.k > 40


def test_without_two_groups_the_formula_decides():
    samples = Samples.of(np.arange(300) % 2, np.arange(300), groups=np.zeros(300))
    assert learned(Neighbours(), samples).k == by_formula(300)


def test_weights_decide_k():
    # Odd places follow their own number, even ones, with noise, the half of the line they are in.
    rng = np.random.default_rng(13)
    seen = np.repeat(np.arange(400), 5)
    odd, later = seen % 2 == 1, seen >= 200
    secrets = np.where(odd, seen // 2 % 2, rng.random(2000) < np.where(later, 0.7, 0.3)) * 1
    for weights, few in ((np.where(odd, 1, 1e-3), True), (np.where(odd, 1e-3, 1), False)):
        k = learned(Neighbours(), Samples.of(secrets, seen, weights=weights)).k
        assert k <= 2 if few else k > 10


def test_choosing_is_repeatable():
    rng = np.random.default_rng(12)
    samples = Samples.of(rng.integers(3, size=500), rng.normal(size=(500, 2)))
    assert len({learned(Neighbours(), samples, rng=5).k for _ in range(3)}) == 1


def test_the_ladder_rises_in_even_ratios_to_half_of_the_points():
    line = Neighbours().near(Samples.of(np.arange(9000) % 2, np.arange(9000)))
    assert ladder(line) == [round(4500 ** (step / 11)) for step in range(12)]
    plane = Neighbours().near(Samples.of(np.arange(9000) % 2, np.ones((9000, 2)).cumsum(axis=0)))
    assert ladder(plane)[-1] == 512
    assert ladder(Neighbours().near(Samples.of([0, 1], [4, 4]))) == [1]


def test_the_smoothest_of_the_nearly_best_is_chosen():
    # Second against first on 100 rows: it earns 1 more on 50 of them and 1 less on the other 48;
    # behind by .02 with a standard error of .099. The third is behind by .1 on every row.
    weights = np.ones(100)
    first = np.r_[np.ones(50), np.zeros(50)]
    second = np.r_[np.zeros(50), np.ones(48), np.zeros(2)]
    assert settled(np.column_stack([first, second, first - 0.1]), weights) == 1
    assert settled(np.column_stack([second, first, first - 0.1]), weights) == 1
    assert settled(np.column_stack([first, first - 0.1]), weights) == 0
    assert settled(np.column_stack([first, first]), weights) == 1
    # A pair that comes often counts as often: now the second is behind by 9 of 100.
    assert settled(np.array([[1.0, 0], [0, 1], [0, 0]]), np.array([20.0, 11, 69])) == 0


def test_another_gain_with_the_same_neighbours():
    samples = Samples.of([0, 0, 1], [5, 6, 9])
    strategy = learned(Neighbours(1), samples)
    other = strategy.under(matrix([[0, 1], [1, 0]]).bind([0, 1]))
    assert other.guess(Observables.of([5, 9])).tolist() == [1, 0]
    assert other.k == strategy.k


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("adversary", "message"),
    [
        (Neighbours(0), "k must be a whole number from 1, 'auto' or 'paper', got 0"),
        (Neighbours(2.5), "k must be a whole number from 1, 'auto' or 'paper', got 2.5"),
        (Neighbours("ln"), "k must be a whole number from 1, 'auto' or 'paper', got 'ln'"),
        (Neighbours(ties="last"), "ties must be 'first' or 'shared', got 'last'"),
        (Neighbours(metric=["l1"]), "the metric must be one of scikit-learn's names, got ['l1']"),
        (Neighbours(metric="euclidian"), "unknown metric 'euclidian'; did you mean 'euclidean'?"),
    ],
)
def test_unknown_options_are_refused(adversary, message):
    with pytest.raises(InputError) as refused:
        learned(adversary, Samples.of([0, 1, 0], [[1, 2], [3, 4], [5, 6]]))
    assert str(refused.value) == message


@pytest.mark.parametrize("k", [0, True, 2.0, None])
def test_neighbours_are_counted_in_whole_numbers(k):
    samples = Samples.of([0, 1, 0], [1, 2, 3])
    with pytest.raises(InputError, match="k must be a whole number from 1, 'auto' or 'paper', got"):
        learned(Neighbours(k=k), samples)


def test_a_number_may_be_numpys():
    samples = Samples.of([0, 1, 0], [1, 2, 3])
    strategy = learned(Neighbours(k=np.int64(1)), samples)
    assert strategy.guess(samples.observables).tolist() == [0, 1, 0]


@pytest.mark.parametrize("metric", ["mahalanobis", "seuclidean", "precomputed"])
def test_metrics_that_want_more_than_a_name_are_refused(metric):
    samples = Samples.of([0, 1, 0], [[1, 2], [3, 4], [5, 6]])
    with pytest.raises(InputError, match=f"unknown metric '{metric}'"):
        learned(Neighbours(metric=metric), samples)


def test_a_metric_that_does_not_suit_the_columns_is_refused():
    samples = Samples.of([0, 1, 0], [[1, 2, 3], [3, 4, 5], [5, 6, 7]])
    with pytest.raises(InputError, match="the metric 'haversine' does not suit these columns: "):
        learned(Neighbours(k=1, metric="haversine"), samples).guess(samples.observables)


def test_categories_need_a_metric_of_sums():
    samples = Samples.of([0, 1, 0], {"a": [1, 2, 3], "b": ["x", "y", "x"]})
    with pytest.raises(InputError, match="the metric of categorical columns must be one of euc"):
        learned(Neighbours(metric="cosine"), samples)
