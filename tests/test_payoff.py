"""Every payoff against its own matrix: one table, an independent answer for each."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gleak import payoff as module
from gleak.errors import InputError
from gleak.gain import distance
from gleak.payoff import IdentityPayoff, MatrixPayoff, PartitionPayoff, TriesPayoff

SECRETS = np.arange(6)
RNG = np.random.default_rng(5)
PAYOFFS = {
    "identity": IdentityPayoff(SECRETS),
    "tries": TriesPayoff(SECRETS, 3),
    "every try": TriesPayoff(SECRETS, 6),
    "partition": PartitionPayoff(SECRETS, np.array([0, 1, 1, 2, 0, 2]), np.array(list("abc"))),
    "matrix": MatrixPayoff(RNG.normal(size=(9, 6)), np.arange(9), SECRETS),
}
every = pytest.mark.parametrize("payoff", PAYOFFS.values(), ids=PAYOFFS)


@every
def test_best_is_the_first_best_row_of_the_matrix(payoff):
    weights = RNG.random((40, 6))
    scores = weights @ payoff.matrix().T
    expected = payoff.listed(scores.argmax(axis=1))
    np.testing.assert_array_equal(payoff.best(weights), expected)
    np.testing.assert_allclose(payoff.best_value(weights), scores.max(axis=1))


@every
def test_a_prior_multiplies_the_weights(payoff):
    weights, prior = RNG.random((10, 6)), RNG.dirichlet(np.ones(6))
    np.testing.assert_array_equal(payoff.best(weights, prior), payoff.best(weights * prior))
    np.testing.assert_allclose(
        payoff.best_value(weights, prior), payoff.best_value(weights * prior)
    )


@every
def test_sparse_weights_and_small_blocks_change_nothing(payoff, monkeypatch):
    weights = RNG.random((25, 6)) * (RNG.random((25, 6)) < 0.4)
    whole, value = payoff.best(weights), payoff.best_value(weights)
    monkeypatch.setattr(module, "_BLOCK", 8)
    np.testing.assert_array_equal(payoff.best(sparse.csr_array(weights)), whole)
    np.testing.assert_allclose(payoff.best_value(sparse.csr_array(weights)), value)


@every
def test_ties_go_to_the_lowest_index(payoff):
    nothing = np.zeros((3, 6))
    np.testing.assert_array_equal(payoff.best(nothing), payoff.listed(np.zeros(3, dtype=int)))


@every
def test_the_range_is_that_of_the_matrix(payoff):
    assert payoff.low == payoff.matrix().min()
    assert payoff.high == payoff.matrix().max()


@every
def test_value_reads_the_matrix(payoff):
    guesses = RNG.integers(payoff.n_guesses, size=50)
    secrets = RNG.integers(6, size=50)
    np.testing.assert_array_equal(
        payoff.value(payoff.listed(guesses), secrets), payoff.matrix()[guesses, secrets]
    )


@every
def test_there_is_a_label_for_every_guess(payoff):
    assert len(payoff.guesses) == payoff.n_guesses == len(payoff.matrix())


@every
def test_no_rows_of_weights_give_no_guesses(payoff):
    assert len(payoff.best(np.empty((0, 6)))) == 0


def test_ties_do_not_depend_on_how_many_rows_are_decided_together():
    """The two middle cells of a line earn the same, whatever the last bit of a product says."""
    middle = [distance(scale).bind(np.arange(10)) for scale in (1, 3, 7.3)]
    for payoff, rows in itertools.product(middle, (1, 2, 3, 5, 64, 1001)):
        assert set(payoff.best(np.full((rows, 10), 0.1)).tolist()) == {4}
    thirds = PartitionPayoff(np.arange(4), np.array([0, 1, 1, 1]), np.array(["one", "three"]))
    assert thirds.best(np.array([[0.3, 0.1, 0.1, 0.1]])).tolist() == [0]


def test_a_small_gain_is_not_lost_beside_a_large_one():
    """Only the terms of the best guess say what rounding is."""
    payoff = MatrixPayoff(
        np.array([[1.0, 0.0], [0.0, 1.001], [-1e15, 0]]), np.arange(3), SECRETS[:2]
    )
    assert payoff.best(np.array([[0.5, 0.5]])).tolist() == [1]


@pytest.mark.parametrize("shape", [(2, 5), (6,), (2, 6, 1)])
def test_weights_of_another_alphabet_are_refused(shape):
    with pytest.raises(InputError, match="weights must be of 6 columns, one per secret, got an"):
        PAYOFFS["identity"].best(np.ones(shape))


@every
@pytest.mark.parametrize("nonsense", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_refused(payoff, nonsense):
    """NaN compares as the highest: the first such secret would be guessed."""
    weights = np.ones((3, 6))
    weights[1, 2] = nonsense
    for ask in (payoff.best, payoff.best_value):
        with pytest.raises(InputError, match="weights must be finite numbers, got NaN or infinity"):
            ask(weights)


@every
def test_weights_may_be_lists_of_any_kind_and_sparse_in_any_form(payoff):
    weights = RNG.integers(0, 3, (5, 6))
    expected = payoff.best(weights.astype(float))
    for form in (weights.tolist(), weights.astype(np.float32), sparse.csc_array(weights * 1.0),
                 sparse.coo_matrix(weights * 1.0)):  # fmt: skip
        np.testing.assert_array_equal(payoff.best(form), expected)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(0, 3), min_size=2, max_size=7).flatmap(
        lambda row: st.tuples(st.just(row), st.integers(1, len(row)))
    )
)
def test_tries_takes_the_lexicographically_first_best_subset(case):
    row, tries = case
    weights = np.array([row], dtype=float)
    subsets = list(itertools.combinations(range(len(row)), tries))
    sums = [sum(row[x] for x in subset) for subset in subsets]
    payoff = TriesPayoff(np.arange(len(row)), tries)
    assert tuple(payoff.best(weights)[0]) == subsets[int(np.argmax(sums))]
    assert payoff.best_value(weights)[0] == max(sums)


def test_tries_names_subsets_by_their_labels():
    payoff = TriesPayoff(np.array(["a", "b", "c"]), 2)
    assert payoff.guesses.tolist() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert payoff.labels(np.array([[1, 2]])).tolist() == [("b", "c")]


def test_an_unlistable_guess_set_plays_but_is_not_listed():
    payoff = TriesPayoff(np.arange(400), 5)
    assert payoff.n_guesses == math.comb(400, 5)
    weights = np.random.default_rng(0).random((400, 400))
    start = time.perf_counter()
    best = payoff.best(weights)
    assert time.perf_counter() - start < 1
    np.testing.assert_array_equal(best, np.sort(np.argsort(-weights, axis=1)[:, :5], axis=1))
    for ask in (payoff.matrix, lambda: payoff.guesses):
        with pytest.raises(InputError, match=r"83,218,600,080 guesses × 400 secrets.*secret route"):
            ask()


@pytest.mark.parametrize("tries", [0, 7, -1])
def test_tries_must_fit_the_secrets(tries):
    with pytest.raises(InputError, match=f"from 1 to 6, the number of secrets, got {tries}"):
        TriesPayoff(SECRETS, tries)
