import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import GleakWarning, InputError

FAIR = [[0.5, 0.5], [0.25, 0.75]]


def refused(message, *args, **kwargs):
    with pytest.raises(InputError, match=re.escape(message)):
        Channel(*args, **kwargs)


@pytest.mark.parametrize("form", [np.array, sparse.csr_array, sparse.coo_matrix, sparse.dok_array])
def test_every_form_of_a_matrix_is_taken(form):
    channel = Channel(form(FAIR))
    assert channel.posterior_vulnerability() == pytest.approx(0.625)
    assert isinstance(channel.matrix, np.ndarray | sparse.csr_array)


def test_a_frame_names_its_rows_and_columns():
    seen = pd.DataFrame({"who": ["bob", "ann", "bob"], "what": ["x", "y", "y"]})
    channel = Channel(
        pd.crosstab(seen.who, seen.what, normalize="index"), {"bob": 0.75, "ann": 0.25}
    )
    assert (channel.secrets.tolist(), channel.observables.tolist()) == (["ann", "bob"], ["x", "y"])
    assert channel.prior.tolist() == [0.25, 0.75]
    assert Channel(pd.DataFrame(FAIR), secrets=["a", "b"]).secrets.tolist() == ["a", "b"]
    assert Channel(pd.DataFrame(FAIR)).secrets.tolist() == [0, 1]


def test_one_observable_is_enough():
    assert Channel([[1], [1]]).leakage().additive == 0


def test_entries_given_twice_are_added_and_what_was_given_is_left_alone():
    doubled = sparse.coo_array(([0.5, 0.5, 1.0], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    np.testing.assert_array_equal(Channel(doubled).matrix.toarray(), np.eye(2))
    rows = sparse.csr_array(([0.5, 0.5, 1.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    np.testing.assert_array_equal(Channel(rows).matrix.toarray(), np.eye(2))
    assert rows.nnz == 3


# Priors


def test_a_prior_by_name_is_put_in_order():
    channel = Channel(FAIR, {"b": 0.9, "a": 0.1, "never": 0.0}, secrets=["a", "b"])
    np.testing.assert_allclose(channel.prior, [0.1, 0.9])
    np.testing.assert_allclose(Channel(FAIR, {1: 0.9, 0: 0.1}).prior, [0.1, 0.9])


def test_priors_are_refused():
    refused("prior must be of sum 1, got 1.2; divide it by its sum", FAIR, [0.5, 0.7])
    refused("none negative, got -0.5 at position 0", FAIR, [-0.5, 1.5])
    refused("prior must be of finite numbers", FAIR, [np.nan, 1.0])
    refused("one number for each of the 2 secrets, got 3 numbers", FAIR, [0.2, 0.3, 0.5])
    refused("the prior lacks 'b'", FAIR, {"a": 0.5, "c": 0.5}, ["a", "b"])
    refused(
        "the prior has the secret 'c', which the system does not know",
        FAIR, {"a": 0.5, "b": 0.25, "c": 0.25}, ["a", "b"],
    )  # fmt: skip
    refused("prior must be of sum 1, got 0.9", FAIR, {"a": 0.5, "b": 0.4}, ["a", "b"])
    refused("prior must be numbers", FAIR, ["x", "y"])


# Matrices


def test_rows_that_are_no_distribution_are_named():
    matrix = [[0.5, 0.5], [0.5, 0.4]]
    message = "row 'eve' of the channel must be of sum 1, got 0.9; divide it by its sum"
    refused(message, matrix, secrets=["ann", "eve"])
    refused(message, sparse.csr_array(matrix), secrets=["ann", "eve"])
    refused("row '1' of the channel must be of sum 1, got 0;", [[1, 0], [0, 0]])
    refused("its columns have sum 1: transpose it", [[0.5, 0.4], [0.5, 0.6]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_rows_a_little_off_are_divided_by_their_sum(form):
    def off_by(error):
        return form([[0.5, 0.5 + error], [0.25, 0.75]])

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent = Channel(off_by(5e-10))
    with pytest.warns(GleakWarning, match=r"row '0' of the channel has sum 1\.0000005, not 1"):
        warned = Channel(off_by(5e-7))
    for channel in (silent, warned):
        np.testing.assert_allclose(channel.matrix.sum(axis=1), 1, rtol=0, atol=1e-15)
    with pytest.raises(InputError, match=r"row '0' of the channel must be of sum 1, got 1\.000002"):
        Channel(off_by(2e-6))


def test_a_matrix_that_is_a_channel_is_not_copied():
    matrix = np.array(FAIR)
    assert Channel(matrix).matrix is matrix


@pytest.mark.parametrize("form", [np.array, sparse.csr_array])
def test_entries_that_are_no_probability_are_named(form):
    names = {"secrets": ["a", "b"], "observables": ["u", "v"]}
    tail = "for secret 'b' and observable 'u'; a row holds the probabilities"
    for value in (-0.5, np.nan, np.inf):
        refused(f"got {value:g} {tail}", form([[0.5, 0.5], [value, 1.5]]), **names)


def test_other_shapes_are_refused():
    refused("of two secrets or more and of at least one observable, got a single secret", [[1.0]])
    refused("got no secret", np.empty((0, 3)))
    refused("got no observable", np.empty((3, 0)))
    refused("matrix must be of two axes, a row per secret, got 1", [0.5, 0.5])
    refused("matrix must be of two axes, a row per secret, got 3", np.zeros((2, 2, 2)))
    refused("matrix must be rows of real numbers, all of one length", [[0.5, 0.5], [1]])
    refused("matrix must be rows of real numbers", [["x", "y"], ["z", "u"]])
    refused("matrix must be rows of real numbers", np.eye(2) * 1j)
    refused("matrix must be of real numbers, got complex128", sparse.csr_array(np.eye(2) * 1j))
    refused("matrix and prior are swapped: Channel(matrix, prior)", [0.5, 0.5], FAIR)


# Names


def test_names_are_refused():
    refused(
        "secrets must be one label per row of the matrix: 2, got 3", FAIR, None, ["a", "b", "c"]
    )
    refused(
        "observables must be one label per column of the matrix: 2, got 1", FAIR, None, None, ["u"]
    )
    refused("secrets must be all different, got 'a' more than once", FAIR, None, ["a", "a"])
    refused("observables must be all different", FAIR, None, None, [1, 1.0])
    refused(
        "attribute 'team' must be one value for each of the 2 secrets, got an array of shape (3,)",
        FAIR, attributes={"team": [1, 2, 3]},
    )  # fmt: skip
