"""Buckets against times sorted into them by hand."""

import numpy as np
import pytest
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.mechanisms import bucketed, geometric


def test_answers_wait_for_the_end_of_their_bucket() -> None:
    channel = bucketed([3, 10, 10.5, 40], 10, secrets=list("abcd"), prior=[0.1, 0.2, 0.3, 0.4])
    assert channel.observables.tolist() == [10.0, 20.0, 40.0]
    assert channel.strategy("bayes").tolist() == [1, 2, 3]
    assert channel.secrets.tolist() == list("abcd")
    assert channel.posterior_vulnerability() == pytest.approx(0.2 + 0.3 + 0.4)


def test_buckets_of_any_ends_hold_their_ends() -> None:
    channel = bucketed([0, 1, 2, 3, 5], [1, 3, 8])
    assert channel.matrix.argmax(axis=1).tolist() == [0, 0, 1, 1, 2]
    assert channel.observables.tolist() == [1.0, 3.0, 8.0]


def test_a_time_on_the_border_by_rounding_is_on_the_border() -> None:
    # 1.1/0.1 is 11.000000000000002, and 3 · 0.1 is 0.30000000000000004.
    channel = bucketed([1.1, 0.3, 0.31], 0.1)
    assert channel.observables.tolist() == [0.3, 0.4, 1.1]


def test_a_channel_over_times_is_seen_through_its_buckets() -> None:
    times = geometric(range(12), 0.4, centres=[2, 5], prior=[0.25, 0.75])
    channel = bucketed(times, 4)
    # 0 | 1..4 | 5..8 | 9..11
    wanted = np.add.reduceat(times.matrix, [0, 1, 5, 9], axis=1)
    assert channel.matrix == pytest.approx(wanted)
    assert channel.observables.tolist() == [0.0, 4.0, 8.0, 12.0]
    assert channel.prior.tolist() == [0.25, 0.75]
    assert channel.posterior_vulnerability() <= times.posterior_vulnerability()


def test_no_prior_makes_more_of_buckets_than_there_are() -> None:
    rng = np.random.default_rng(1)
    times = Channel(rng.dirichlet(np.ones(50), size=20), observables=np.sort(rng.random(50)))
    assert bucketed(times, [0.2, 0.5, 1.0]).bayes_capacity() <= 3
    assert times.bayes_capacity() > 3


def test_one_bucket_for_all_hides_everything() -> None:
    channel = bucketed([1, 2, 3], 100)
    assert channel.observables.tolist() == [100.0]
    assert channel.bayes_capacity() == 1


def test_names_of_times_may_be_text_and_channels_sparse() -> None:
    matrix = sparse.csr_array(np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]))
    channel = bucketed(Channel(matrix, observables=["1", "2", "3"]), 2)
    assert channel.matrix.tolist() == [[1.0, 0.0], [0.5, 0.5]]


def test_what_is_known_of_secrets_stays_known() -> None:
    times = Channel(np.eye(2), observables=[1, 2], attributes={"side": ["l", "r"]})
    assert bucketed(times, 5).attributes["side"].tolist() == ["l", "r"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bucketed([1, 2], 0), "the size of a bucket must be a positive number, got 0"),
        (lambda: bucketed([1, 2], [3, 3]), r"the ends of buckets must be growing, got \[3"),
        (
            lambda: bucketed([1, 2], [np.nan]),
            "the ends of buckets must be a list of finite numbers",
        ),
        (
            lambda: bucketed([1, 9], [4, 8]),
            "the last bucket must be up to 9, the longest time, got 8; add a bucket",
        ),
        (lambda: bucketed([1, np.inf], 1), "times must be a list of finite numbers"),
        (
            lambda: bucketed(Channel(np.eye(2), observables=["soon", "late"]), 1),
            "observables must be times, all of them numbers, got 'soon'; name",
        ),
        (
            lambda: bucketed(Channel(np.eye(2)), 1, prior=[0.5, 0.5]),
            "a channel over times has its own prior and secrets; leave them out",
        ),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
