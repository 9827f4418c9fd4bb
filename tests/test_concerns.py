"""What is said before an estimate is trusted, and what is not."""

from dataclasses import dataclass

import numpy as np
import pytest

from gleak.certify import Scored, Weighing
from gleak.concerns import concerns
from gleak.samples import Samples


@dataclass(frozen=True)
class Part:
    learn: np.ndarray
    certify: np.ndarray


def said(samples, parts, prior=None):
    """The concerns about an attacker that always guesses the first secret."""
    payoff = samples.bind("bayes")
    folds = [
        Scored(
            Weighing(samples.take(part.certify), prior), payoff, np.zeros(len(part.certify), int)
        )
        for part in parts
    ]
    return list(concerns(samples, parts, folds, folds, Weighing(samples, prior)))


def halves(n):
    return [Part(np.arange(0, n, 2), np.arange(1, n, 2))]


def alternating(n=400):
    """Two secrets, two by two, and two observables."""
    return Samples.of(np.arange(n) // 2 % 2, np.arange(n) // 4 % 2)


def test_an_attacker_that_is_no_better_than_blind_is_all_that_is_said_here():
    assert [line.partition(":")[0] for line in said(alternating(), halves(400))] == [
        "the attacker does not beat the blind guess"
    ]


def test_a_secret_seen_in_one_part_only_is_named():
    """Rows 3 and 399 are odd: they certify, and train nobody."""
    codes = np.arange(400) // 2 % 2
    codes[[3, 399]] = 2
    found = said(Samples.of(codes, np.arange(400) // 4 % 2), halves(400))
    assert found[0] == "1 of 3 secrets is never trained on (such as '2')"
    assert not any("certified on" in line for line in found)


def test_a_secret_is_certified_on_in_whichever_fold():
    codes = np.arange(400) // 2 % 2
    codes[[396, 398]] = 2
    everyone, folds = np.arange(400), np.split(np.arange(400), 4)
    parts = [Part(np.setdiff1d(everyone, rows), rows) for rows in folds]
    found = said(Samples.of(codes, np.arange(400) // 4 % 2), parts)
    assert not any("certified on" in line for line in found)


@pytest.mark.parametrize(("count", "who"), [(1, "1 secret has"), (2, "2 secrets have")])
def test_few_samples_of_a_secret(count, who):
    codes = np.arange(400) // 2 % 2
    codes[:20] = 2 + np.arange(20) // 2 % count
    found = said(Samples.of(codes, np.arange(400) // 4 % 2), halves(400))
    assert (f"{who} fewer than 10 training samples: the attacker may be weak" in found) == (
        count == 2
    )
    codes[8:20] = 0
    found = said(Samples.of(codes, np.arange(400) // 4 % 2), halves(400))
    assert f"{who} fewer than 10 training samples: the attacker may be weak" in found


def test_how_many_even_rows_uneven_ones_are_worth():
    samples = alternating()
    even = said(samples, halves(400), np.array([0.5, 0.5]))
    nearly = said(samples, halves(400), np.array([0.55, 0.45]))
    uneven = said(samples, halves(400), np.array([0.9, 0.1]))
    assert not any("weigh" in line for line in [*even, *nearly])
    # 200 rows share 0.9 and 200 share 0.1: (0.9 + 0.1)² / (0.81/200 + 0.01/200) = 243.9
    assert "rows weigh unevenly: they are worth 244 even ones" in uneven


def test_drift_is_what_chance_explains_badly():
    codes = np.r_[np.zeros(300, int), np.arange(300) % 2, np.ones(300, int)]
    found = said(Samples.of(codes, np.arange(900) % 2), halves(900))
    [line] = [line for line in found if "third" in line]
    assert line.startswith("the attacker earns 1.000 less in the last third of the file")
    mixed = np.random.default_rng(0).permutation(codes)
    assert not any("third" in line for line in said(Samples.of(mixed, codes % 2), halves(900)))


def test_rows_of_groups_are_not_judged_by_their_order():
    codes = np.r_[np.zeros(450, int), np.ones(450, int)]
    samples = Samples.of(codes, np.arange(900) % 2, groups=np.arange(900) // 3)
    assert not any("third" in line for line in said(samples, halves(900)))
