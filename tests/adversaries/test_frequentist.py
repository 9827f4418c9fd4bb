from dataclasses import dataclass, field

import numpy as np
import pytest

from gleak.adversaries import Adversary, PosteriorStrategy, Strategy
from gleak.adversaries.frequentist import KAPPAS, Frequentist, left_one_out, likeliest_kappa
from gleak.errors import InputError
from gleak.gain import bayes, matrix
from gleak.observables import Observables
from gleak.payoff import Payoff
from gleak.samples import Samples


def learned(adversary, samples, gain="bayes", rng=0):
    return adversary.fit(samples, samples.bind(gain), rng=rng)


# --- the paper's form --------------------------------------------------------------------------


def test_posterior_is_the_share_of_counts():
    samples = Samples.of(["a", "a", "b", "c"], [1, 1, 1, 2])
    posterior = learned(Frequentist(), samples).posterior(samples.observables)
    assert posterior == pytest.approx(
        np.array([[2 / 3, 1 / 3, 0], [2 / 3, 1 / 3, 0], [2 / 3, 1 / 3, 0], [0, 0, 1]])
    )


def test_what_was_never_seen_is_taken_for_the_most_frequent_secret_with_certainty():
    # Frequencies .4 .3 .3; guess "not a" earns .6 on average, "a" earns .4: under the
    # frequencies the first is best, under certainty of "a" the second.
    samples = Samples.of(list("aaaabbbccc"), [1, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    gain = matrix([[1, 0, 0], [0, 1, 1]], guesses=["a", "not a"], secrets=["a", "b", "c"])
    strategy = learned(Frequentist(), samples, gain)
    assert strategy.guess(Observables.of([99])).tolist() == [0]
    assert strategy.posterior(Observables.of([99])).tolist() == [[1, 0, 0]]
    smoothed = learned(Frequentist(smoothing=1.0), samples, gain)
    assert smoothed.guess(Observables.of([99])).tolist() == [1]


def test_of_two_most_frequent_secrets_the_first_is_taken():
    samples = Samples.of(["b", "a", "c"] * 2, [1, 2, 3] * 2)
    assert learned(Frequentist(), samples).posterior(Observables.of([9])).tolist() == [[1, 0, 0]]


def test_guesses_are_those_of_counting_by_hand():
    rng = np.random.default_rng(0)
    secrets, seen = rng.integers(4, size=300), rng.integers(30, size=300)
    gains = rng.integers(-2, 5, size=(6, 4))
    samples = Samples.of(secrets, seen)
    strategy = learned(Frequentist(), samples, matrix(gains))
    asked = np.arange(40)
    most = np.bincount(secrets).argmax()
    for y, guess in zip(asked, strategy.guess(Observables.of(asked)), strict=True):
        there = secrets[seen == y] if (seen == y).any() else np.array([most])
        assert guess == gains[:, there].sum(axis=1).argmax()


def test_counting_literal_copies_of_guesses_gives_the_same_guesses():
    rng = np.random.default_rng(1)
    secrets, seen = rng.integers(3, size=80), rng.integers(12, size=80)
    gains = rng.integers(0, 4, size=(4, 3))
    strategy = learned(Frequentist(), Samples.of(secrets, seen), matrix(gains))
    for y, guess in enumerate(strategy.guess(Observables.of(np.arange(12)))):
        copies = [w for x in secrets[seen == y] for w in range(4) for _ in range(gains[w, x])]
        if copies:
            assert guess == np.bincount(copies, minlength=4).argmax()


def test_relabelled_secrets_relabel_the_posterior():
    rng = np.random.default_rng(2)
    secrets, seen = rng.integers(3, size=50), rng.integers(5, size=50)
    other = np.array([2, 0, 1])
    asked = Observables.of(np.arange(5))
    first = learned(Frequentist(2.0), Samples.of(secrets, seen)).posterior(asked)
    second = learned(Frequentist(2.0), Samples.of(other[secrets], seen)).posterior(asked)
    assert second[:, other] == pytest.approx(first)


def test_weights_count_as_rows_do():
    weighted = Samples.of(["a", "b", "b"], [1, 1, 2], weights=[3.0, 1.0, 0.5])
    repeated = Samples.of(["a"] * 6 + ["b"] * 3, [1] * 6 + [1] * 2 + [2])
    asked = Observables.of([1, 2, 3])
    for adversary in (Frequentist(), Frequentist(smoothing=1.0)):
        one = learned(adversary, weighted)
        half = Frequentist(2.0) if adversary.smoothing else adversary  # κ counts rows
        assert one.posterior(asked) == pytest.approx(learned(half, repeated).posterior(asked))


def test_observables_are_found_whatever_their_encoding():
    mixed = {"n": [1, 1, 2, 2], "c": ["red", "blue", "red", "blue"]}
    strategy = learned(Frequentist(), Samples.of(["a", "b", "c", "c"], mixed))
    asked = {"n": [1.0, 1.0, 2.0, 1.5, 1.0], "c": ["blue", "red", "blue", "red", "green"]}
    assert strategy.guess(Observables.of(asked)).tolist() == [1, 0, 2, 2, 2]


def test_another_gain_over_the_same_counts():
    samples = Samples.of([0, 0, 1], [5, 6, 6])
    payoff = matrix([[0, 1], [1, 0]]).bind([0, 1])
    other = learned(Frequentist(smoothing=1.0), samples).under(payoff)
    assert other.guess(Observables.of([5])).tolist() == [1]
    assert other.backoff.payoff is payoff


# --- smoothing ---------------------------------------------------------------------------------


def test_smoothing_adds_samples_of_the_frequencies():
    samples = Samples.of(["a", "a", "a", "b"], [1, 1, 2, 2])
    posterior = learned(Frequentist(smoothing=4.0), samples).posterior(Observables.of([1, 2, 3]))
    # counts (2,0), (1,1), (0,0), and 4 samples of (3/4, 1/4)
    assert posterior == pytest.approx(np.array([[5 / 6, 1 / 6], [4 / 6, 2 / 6], [3 / 4, 1 / 4]]))


def evidence_by_hand(secrets, seen, groups, weights):
    rows = []
    for i in range(len(secrets)):
        others = groups != groups[i]
        there = others & (seen == seen[i])
        same = weights[there & (secrets == secrets[i])].sum()
        total = weights[others].sum()
        rows.append(
            [
                same,
                weights[there].sum(),
                weights[others & (secrets == secrets[i])].sum() / total if total else 0.0,
                weights[i],
            ]
        )
    return np.array(rows).T


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_others_evidence_is_that_of_recounting_without_the_row(grouped, weighted):
    rng = np.random.default_rng(3)
    secrets, seen = rng.integers(4, size=60), rng.integers(7, size=60)
    groups = rng.integers(9, size=60) if grouped else np.arange(60)
    weights = rng.random(60) + 0.1 if weighted else np.ones(60)
    samples = Samples.of(
        secrets,
        seen,
        groups=groups if grouped else None,
        weights=weights if weighted else None,
    )
    by_hand = evidence_by_hand(secrets, seen, groups, weights)
    assert left_one_out(samples) == pytest.approx(by_hand)


def test_the_likeliest_kappa_is_that_of_the_whole_grid_tried_by_hand():
    rng = np.random.default_rng(4)
    seen = rng.integers(40, size=400)
    secrets = np.where(rng.random(400) < 0.5, seen % 3, rng.integers(3, size=400))
    same, there, back, weights = evidence = left_one_out(Samples.of(secrets, seen))
    likelihoods = [
        sum(weights[i] * np.log((same[i] + k * back[i]) / (there[i] + k)) for i in range(400))
        for k in KAPPAS
    ]
    assert likeliest_kappa(evidence) == KAPPAS[int(np.argmax(likelihoods))]
    assert KAPPAS[0] < likeliest_kappa(evidence) < KAPPAS[-1]


def test_rows_that_say_nothing_leave_one_sample_of_the_backoff():
    assert likeliest_kappa(np.empty((4, 0))) == 1.0
    alone = Samples.of(["a", "b", "a"], [1, 1, 2], groups=[0, 0, 0])
    assert learned(Frequentist("auto"), alone).kappa == 1.0


def test_counts_are_trusted_where_they_tell_and_left_where_they_do_not():
    rng = np.random.default_rng(5)
    seen = rng.integers(50, size=2000)
    telling = learned(Frequentist("auto"), Samples.of(seen % 5, seen))
    silent = learned(Frequentist("auto"), Samples.of(rng.integers(5, size=2000), seen))
    assert telling.kappa == KAPPAS[0]
    assert silent.kappa > 100


def test_choosing_by_the_frequencies_needs_no_chance():
    rng = np.random.default_rng(6)
    samples = Samples.of(rng.integers(3, size=200), rng.integers(20, size=200))
    assert len({learned(Frequentist("auto"), samples, rng=seed).kappa for seed in range(3)}) == 1


# --- a back-off --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told(PosteriorStrategy):
    """Gives .9 to secret y mod 3, and notes what it is asked."""

    payoff: Payoff
    trained: set
    asked: list

    def _posterior(self, points):
        seen = points.matrix()[:, 0].astype(int)
        self.asked.append((self.trained, set(seen.tolist())))
        return 0.05 + 0.85 * (seen[:, None] % 3 == np.arange(3))

    def under(self, payoff):
        return Told(payoff, self.trained, self.asked)


@dataclass(frozen=True)
class Teller(Adversary):
    name = "teller"
    asked: list = field(default_factory=list)
    draws: list = field(default_factory=list)
    route = "secret"

    def _fit(self, train, payoff, rng):
        self.draws.append(rng.random())
        trained = set(train.observables.matrix()[:, 0].astype(int).tolist())
        return Told(payoff, trained, self.asked)


def test_the_backoff_is_asked_only_about_what_it_did_not_learn_while_kappa_is_chosen():
    samples = Samples.of(np.arange(200) % 3, np.arange(200))  # every observable once
    teller = Teller()
    strategy = learned(Frequentist("auto", teller), samples)
    assert len(teller.asked) == 5
    assert set().union(*(asked for _, asked in teller.asked)) == set(range(200))
    for trained, asked in teller.asked:
        assert trained.isdisjoint(asked)
    assert strategy.backoff.trained == set(range(200))  # and learned all of it in the end


def test_a_good_backoff_is_trusted_more_than_counts_that_mislead():
    rng = np.random.default_rng(7)
    seen = rng.integers(500, size=1500)
    secrets = np.where(rng.random(1500) < 0.9, seen % 3, rng.integers(3, size=1500))
    strategy = learned(Frequentist("auto", Teller()), Samples.of(secrets, seen))
    assert strategy.kappa > 5
    blurred = learned(Frequentist("auto"), Samples.of(secrets, seen))
    assert blurred.kappa < 1


def test_the_posterior_mixes_counts_and_backoff():
    samples = Samples.of([0, 0, 1, 2], [3, 3, 4, 5])
    strategy = learned(Frequentist(2.0, Teller()), samples)
    assert strategy.posterior(Observables.of([3, 7])) == pytest.approx(
        np.array([[(2 + 1.8 / 1.0) / 4, 0.1 / 4, 0.1 / 4], [0.05, 0.9, 0.05]])
    )


def test_without_smoothing_the_backoff_gets_what_was_never_seen():
    samples = Samples.of([0, 0, 1, 2], [3, 4, 4, 5])
    strategy = learned(Frequentist(backoff=Teller()), samples)
    assert strategy.posterior(Observables.of([4, 7])) == pytest.approx(
        np.array([[0.5, 0.5, 0], [0.05, 0.9, 0.05]])
    )


def test_the_same_seed_gives_the_backoff_the_same_chance():
    samples = Samples.of(np.arange(50) % 3, np.arange(50))
    once, again, other = Teller(), Teller(), Teller()
    for teller, seed in ((once, 1), (again, 1), (other, 2)):
        learned(Frequentist("auto", teller), samples, rng=seed)
    assert once.draws == again.draws != other.draws
    assert len(set(once.draws)) == 6


def test_weights_decide_kappa_with_a_backoff_too():
    rng = np.random.default_rng(8)
    right = np.repeat(np.arange(400), 2)  # the back-off knows these, two rows each
    wrong = np.repeat(np.arange(400, 440), 20)  # and not these: the counts do
    noisy = np.where(rng.random(800) < 0.85, right % 3, rng.integers(3, size=800))
    secrets = np.concatenate([noisy, (wrong + 1) % 3])
    seen, first = np.concatenate([right, wrong]), np.arange(1600) < 800
    for weights, much in ((np.where(first, 10, 0.01), True), (np.where(first, 0.01, 10), False)):
        samples = Samples.of(secrets, seen, weights=weights)
        assert (learned(Frequentist("auto", Teller()), samples).kappa > 50) is much


# --- refusals ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Guesser(Adversary):
    name = "guesser"
    route = "guess"

    def _fit(self, train, payoff, rng):
        class Zero(Strategy):
            def _guess(self, points):
                return np.zeros(len(points), dtype=np.intp)

        return Zero()


def test_a_backoff_must_have_a_posterior():
    samples = Samples.of([0, 1, 0], [1, 2, 3])
    with pytest.raises(InputError, match="the back-off must be an adversary on the secret route"):
        Frequentist(1.0, Guesser()).fit(samples, bayes().bind(samples.secrets))
    with pytest.raises(InputError, match="the back-off must be an adversary, got 'metric'"):
        Frequentist(1.0, "metric").fit(samples, bayes().bind(samples.secrets))


@pytest.mark.parametrize("smoothing", [0, -1.0, float("nan"), float("inf"), "much", True, [1]])
def test_smoothing_must_be_positive(smoothing):
    samples = Samples.of([0, 1, 0], [1, 2, 3])
    with pytest.raises(InputError, match="smoothing must be a positive number, 'auto' or None"):
        learned(Frequentist(smoothing), samples)
