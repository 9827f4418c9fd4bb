"""Noisy counts against all that may be published, listed where it can be."""

import itertools

import numpy as np
import pytest

from gleak.channel import Channel
from gleak.errors import InputError
from gleak.mechanisms import epsilon, geometric, histogram
from gleak.system import System, answers

COUNTS, NU, PUBLISHED = (3, 1, 2), 0.7, range(9)


def listed() -> Channel:
    """Every tuple of counts that may be published, one beside the other."""
    noise = geometric(PUBLISHED, NU).matrix
    rows = []
    for joined in range(3):
        true = np.array(COUNTS) + (np.arange(3) == joined)
        row = noise[true[0]]
        for count in true[1:]:
            row = np.multiply.outer(row, noise[count])
        rows.append(row.ravel())
    return Channel(rows, np.array(COUNTS) / 6)


@pytest.mark.parametrize("gain", ["bayes", "tries:2", "distance:1.5:shape=linear"])
@pytest.mark.parametrize("prior", [None, [0.2, 0.2, 0.6]])
def test_the_bits_leak_what_the_counts_do(gain, prior) -> None:
    noisy = histogram(COUNTS, NU, published=PUBLISHED, prior=prior)
    whole = listed().with_prior(noisy.prior)
    assert noisy.channel.n_observables == 8
    for measure in ("posterior_vulnerability", "prior_vulnerability"):
        wanted = getattr(whole, measure)(gain)
        assert getattr(noisy.channel, measure)(gain) == pytest.approx(wanted, rel=1e-12)
    assert noisy.channel.mutual_information() == pytest.approx(whole.mutual_information())


def test_changing_the_class_of_one_changes_two_counts() -> None:
    noisy = histogram(COUNTS, NU)
    assert epsilon(noisy.channel) == pytest.approx(2 * NU)
    assert epsilon(listed()) == pytest.approx(2 * NU)


def test_it_is_a_system_that_can_be_asked() -> None:
    noisy = histogram(COUNTS, NU, published=PUBLISHED)
    assert isinstance(noisy, System)
    [seen] = answers(noisy, np.array([0, 2, 2]), np.random.default_rng(0))
    assert seen.names == ["count0", "count1", "count2"]
    assert seen.matrix().min() >= 0
    assert seen.matrix().max() <= 8
    assert noisy.population.prior.tolist() == [0.5, 1 / 6, 1 / 3]
    assert "nu=0.7" in noisy.description


def test_what_is_drawn_has_the_listed_distribution() -> None:
    noisy = histogram(COUNTS, NU, published=PUBLISHED)
    drawn = noisy.draw(np.full(200_000, 1), np.random.default_rng(3)).matrix().astype(int)
    found = np.bincount(drawn @ [81, 9, 1], minlength=729) / len(drawn)
    assert np.abs(found - listed().matrix[1]).max() < 0.003


def test_likelihoods_are_those_of_the_published_counts() -> None:
    noisy = histogram(COUNTS, NU, published=PUBLISHED)
    seen = noisy.draw(np.arange(3).repeat(50), np.random.default_rng(4))
    columns = listed().matrix[:, seen.matrix().astype(int) @ [81, 9, 1]].T
    found = noisy.likelihoods(seen)
    wanted = columns / columns.sum(axis=1, keepdims=True)
    assert found / found.sum(axis=1, keepdims=True) == pytest.approx(wanted)


def test_the_names_of_observables_are_their_bits() -> None:
    channel = histogram(COUNTS, NU).channel
    assert channel.observables.tolist() == ["".join(b) for b in itertools.product("01", repeat=3)]
    # A count that grew exceeds what it was with probability 1/(1 + e^−nu), another one does not.
    high = 1 / (1 + np.exp(-NU))
    assert channel.matrix[2, 1] == pytest.approx(high**3)


def test_the_mean_error_is_that_of_each_count() -> None:
    noisy = histogram(COUNTS, NU, published=PUBLISHED)
    noise, values = geometric(PUBLISHED, NU).matrix, np.arange(9)
    off = lambda count: noise[count] @ np.abs(values - count)  # noqa: E731
    wanted = np.mean([
        np.dot(noisy.prior, [off(count + (joined == place)) for joined in range(3)])
        for place, count in enumerate(COUNTS)
    ])  # fmt: skip
    assert noisy.mean_error() == pytest.approx(wanted)
    free = histogram([500, 400], NU, published=range(1000)).mean_error()
    q = np.exp(-NU)
    assert free == pytest.approx(2 * q / (1 - q * q))  # of noise without ends


def test_counts_are_published_without_end_unless_told() -> None:
    wide = histogram([5, 0], 2.0)
    assert wide.published == range(27)
    assert wide.noise.matrix[5, -1] < 1e-15


def test_too_many_classes_are_asked_not_listed() -> None:
    many = histogram([3] * 40, 1.0)
    seen = many.draw(np.arange(40), np.random.default_rng(0))
    assert many.likelihoods(seen).shape == (40, 40)
    with pytest.raises(InputError, match=r"at most 16 classes, got 40; draw samples"):
        _ = many.channel


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: histogram([3], 1.0), r"counts must be at least two whole numbers, .* got \[3\]"),
        (lambda: histogram([3, -1], 1.0), "none negative"),
        (lambda: histogram([3, 1.5], 1.0), "whole numbers"),
        (lambda: histogram([3, 1], 0.0), "nu must be a positive number, got 0"),
        (
            lambda: histogram([3, 1], 1.0, published=range(2, 9)),
            "published counts must be from 1 or below to 4 or above, got 2 to 8; widen them",
        ),
        (lambda: histogram([3, 1], 1.0, published=range(4)), "got 0 to 3"),
        (lambda: histogram([3, 1], 1.0, published=range(0, 9, 2)), "whole numbers in a row"),
        (lambda: histogram([0, 0], 1.0), "counts of nobody say nothing of who joins them; give a"),
        (lambda: histogram([1, 1], 1.0, prior=[0.5, 0.6]), "prior must be of sum 1, got 1.1"),
    ],
)
def test_refusals(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()


def test_only_its_classes_can_be_asked_about() -> None:
    with pytest.raises(InputError, match=r"the classes to publish for must be codes, .* 0 to 2"):
        histogram(COUNTS, NU).draw(np.array([3]), np.random.default_rng(0))
