import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from gleak import information
from gleak.errors import GleakWarning, InputError

few = settings(max_examples=40, deadline=None)
seeds = st.integers(0, 10_000)


def entropy(*probabilities):
    return -sum(p * math.log2(p) for p in probabilities if p > 0)


def random_case(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 6, size=2)
    matrix = rng.dirichlet(np.full(m, 0.5), n)
    matrix[matrix < 0.05] = 0
    prior = rng.dirichlet(np.ones(n)) * (rng.random(n) < 0.8)
    prior[0] += 1e-3
    return prior / prior.sum(), matrix / matrix.sum(axis=1, keepdims=True)


# Shannon


@few
@given(seeds)
def test_mutual_information_is_its_definition(seed):
    prior, matrix = random_case(seed)
    marginal = prior @ matrix
    expected = sum(
        prior[x] * matrix[x, y] * math.log2(matrix[x, y] / marginal[y])
        for x, y in np.ndindex(matrix.shape)
        if prior[x] * matrix[x, y] > 0
    )
    assert information.mutual_information(prior, matrix) == pytest.approx(expected, abs=1e-12)
    thin = sparse.csr_array(matrix)
    assert information.mutual_information(prior, thin) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("p", [0.0, 0.11, 0.3, 0.5])
def test_capacity_of_the_symmetric_channel(p):
    capacity = information.shannon_capacity(np.array([[1 - p, p], [p, 1 - p]]), 1e-10)
    assert capacity.bits == pytest.approx(1 - entropy(p, 1 - p), abs=1e-9)
    np.testing.assert_allclose(capacity.prior, [0.5, 0.5])


@pytest.mark.parametrize("e", [0.0, 0.25, 0.9])
def test_capacity_of_the_erasure_channel(e):
    capacity = information.shannon_capacity(np.array([[1 - e, e, 0], [0, e, 1 - e]]), 1e-10)
    assert capacity.bits == pytest.approx(1 - e, abs=1e-9)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_capacity_of_the_z_channel(p):
    """Only 1 is mistaken, with probability p: log2(1 + (1−p)·p^(p/(1−p)))."""
    capacity = information.shannon_capacity(np.array([[1.0, 0.0], [p, 1 - p]]), 1e-10)
    assert capacity.bits == pytest.approx(math.log2(1 + (1 - p) * p ** (p / (1 - p))), abs=1e-9)
    odds = 2 ** (entropy(p, 1 - p) / (1 - p))
    assert capacity.prior[1] == pytest.approx(1 / ((1 - p) * (1 + odds)), abs=1e-4)


def test_capacity_of_the_noiseless_and_of_the_silent():
    assert information.shannon_capacity(np.eye(5)).bits == pytest.approx(math.log2(5))
    assert information.shannon_capacity(np.full((3, 4), 0.25)).bits == pytest.approx(0, abs=1e-12)


def test_a_useless_secret_is_left_out():
    """The middle row is the mean of the others, so that using it can only blur."""
    matrix = np.array([[1, 0], [0.5, 0.5], [0, 1]])
    capacity = information.shannon_capacity(matrix, 1e-10)
    assert capacity.bits == pytest.approx(1, abs=1e-9)
    assert capacity.prior[1] < 1e-6


@few
@given(seeds)
def test_the_capacity_is_attained_and_never_exceeded(seed):
    prior, matrix = random_case(seed)
    capacity = information.shannon_capacity(matrix, 1e-7)
    assert capacity.gap <= 1e-7
    attained = information.mutual_information(capacity.prior, matrix)
    assert attained == pytest.approx(capacity.bits, abs=1e-12)
    assert information.mutual_information(prior, matrix) <= capacity.bits + capacity.gap + 1e-12


def test_a_capacity_not_reached_says_how_far_it_is(monkeypatch):
    monkeypatch.setattr(information, "_MOST_STEPS", 2)
    matrix = np.array([[1.0, 0.0], [0.3, 0.7]])
    with pytest.warns(GleakWarning, match=r"known to .* bits only, not to the 1\.0e-10 wanted"):
        capacity = information.shannon_capacity(matrix, 1e-10)
    assert capacity.bits <= math.log2(1 + 0.7 * 0.3 ** (0.3 / 0.7)) <= capacity.bits + capacity.gap


@pytest.mark.parametrize("tolerance", [0.0, -1.0, math.nan, math.inf])
def test_tolerances_are_refused(tolerance):
    with pytest.raises(InputError, match="tolerance must be a positive number of bits"):
        information.shannon_capacity(np.eye(2), tolerance)


# Guessing


@few
@given(seeds)
def test_guessing_entropy_is_the_least_mean_over_all_orders(seed):
    prior, matrix = random_case(seed)

    def least(weights):
        orders = itertools.permutations(range(1, len(weights) + 1))
        return min(float(np.dot(weights, order)) for order in orders)

    assert information.guessing_entropy(prior) == pytest.approx(least(prior))
    expected = sum(least(prior * column) for column in matrix.T)
    for columns in (matrix.T, sparse.csr_array(matrix.T)):
        assert information.guessing_entropy(prior, columns) == pytest.approx(expected)


# Blocks


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_blocks_change_nothing(monkeypatch, form):
    rng = np.random.default_rng(0)
    matrix, prior = form(rng.dirichlet(np.ones(6), 5)), rng.dirichlet(np.ones(5))
    columns = form(matrix.T)

    def measures():
        return [
            information.mutual_information(prior, matrix),
            information.bayes_security(matrix),
            information.guessing_entropy(prior, columns),
        ]

    whole = measures()
    monkeypatch.setattr(information, "_BLOCK", 12)
    assert measures() == pytest.approx(whole, rel=1e-14)


@pytest.mark.parametrize("pair", list(itertools.combinations(range(5), 2)), ids=str)
def test_security_looks_at_every_pair(monkeypatch, pair):
    """One row leans to either side, the others are even: 1 − (|.9−.1| + |.1−.9|)/2."""
    matrix = np.full((5, 2), 0.5)
    matrix[pair, :] = [[0.9, 0.1], [0.1, 0.9]]
    for block in (2, 4, 100):
        monkeypatch.setattr(information, "_BLOCK", block)
        assert information.bayes_security(matrix) == pytest.approx(0.2)
        assert information.bayes_security(sparse.csr_array(matrix)) == pytest.approx(0.2)
