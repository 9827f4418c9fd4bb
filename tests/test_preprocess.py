from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleak.adversaries import Frequentist, Neighbours, OverGuesses
from gleak.channel import Channel
from gleak.errors import InputError
from gleak.gain import bayes, matrix, tries
from gleak.preprocess import (
    channel_preprocessing,
    check_copies,
    copies,
    data_weights,
    guess_samples,
    multiples,
)
from gleak.samples import Samples

NEGATIVE = [[1, -2, 0], [0.5, 3, -1], [-2, 0, 2.5]]


def a_channel(seed: int, secrets: int = 3, observables: int = 5) -> Channel:
    rng = np.random.default_rng(seed)
    rows = rng.dirichlet(np.full(observables, 0.5), size=secrets)
    return Channel(rows, rng.dirichlet(np.ones(secrets)))


def drawn(channel: Channel, n: int, seed: int, **more) -> Samples:
    secrets, observables = channel.sample(n, rng=seed)
    return Samples.of(channel.secrets[secrets], observables, **more)


def gains_of(rows: int, columns: int):
    cells = st.integers(-4, 6).map(float)
    table = st.lists(st.lists(cells, min_size=columns, max_size=columns), min_size=rows,
                     max_size=rows)  # fmt: skip
    return table.map(np.array).filter(lambda g: (g > min(0, g.min())).any())


def pairs_of(made: Samples) -> list[tuple[int, float]]:
    return list(zip(made.codes.tolist(), made.observables.matrix()[:, 0].tolist(), strict=True))


# --- data pre-processing -----------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(gains=gains_of(4, 3), seed=st.integers(0, 1000))
def test_data_preprocessing_keeps_the_vulnerability(gains, seed):
    """V_g(π,C) = α·V_id(ξ,E) + shift, ξ and E computed from U(w,y) as the paper defines them."""
    channel = a_channel(seed)
    lowest = min(0.0, gains.min())
    joint = channel.matrix * channel.prior[:, None]
    u = (gains - lowest) @ joint  # U(w,y), of gains that are not negative
    alpha = u.sum()
    bayes_vulnerability = (u / alpha).max(axis=0).sum()
    expected = sum((gains @ joint[:, y]).max() for y in range(joint.shape[1]))
    assert alpha * bayes_vulnerability + lowest == pytest.approx(expected)
    # The reduction of one sample of each secret, weighted by the prior, has that α.
    payoff = matrix(gains).bind(channel.secrets)
    reduction = data_weights(payoff, np.arange(3), channel.prior)
    assert reduction.alpha == pytest.approx(alpha)
    assert reduction.vulnerability(bayes_vulnerability) == pytest.approx(expected)


def test_data_preprocessing_by_simulation():
    channel = a_channel(1)
    payoff = matrix(NEGATIVE).bind(channel.secrets)
    codes, seen = channel.sample(200_000, rng=2)
    reduction = data_weights(payoff, codes)
    per_observable = np.stack(
        [reduction.weights[seen == y].sum(axis=0) for y in range(5)]
    ) / reduction.weights.sum()  # fmt: skip
    estimate = reduction.vulnerability(per_observable.max(axis=1).sum())
    # Gains span 5, so an estimate from 200,000 samples has a standard error below 5/√200,000.
    assert estimate == pytest.approx(
        channel.posterior_vulnerability(matrix(NEGATIVE)), abs=4 * 5 / np.sqrt(200_000)
    )


def test_weights_are_columns_of_the_gain():
    payoff = matrix(NEGATIVE).bind([0, 1, 2])
    reduction = data_weights(payoff, np.array([2, 0, 0]))
    raised = np.array(NEGATIVE) + 2
    assert reduction.shift == -2
    np.testing.assert_array_equal(reduction.weights.toarray(), raised.T[[2, 0, 0]])
    assert reduction.alpha == pytest.approx((raised[:, 2].sum() + 2 * raised[:, 0].sum()) / 3)


def test_importance_weights_enter_alpha():
    payoff = matrix([[1, 0], [3, 1]]).bind([0, 1])
    codes, weights = np.array([0, 1]), [3.0, 1.0]
    assert data_weights(payoff, codes, weights).alpha == pytest.approx((3 * 4 + 1 * 1) / 4)


def test_gains_that_are_not_negative_are_not_shifted():
    payoff = matrix([[1, 2], [3, 1]]).bind([0, 1])
    assert data_weights(payoff, np.array([0, 1])).shift == 0.0


@pytest.mark.parametrize(
    ("codes", "weights", "message"),
    [
        ([0, 3], None, r"codes of secrets must be whole numbers from 0 to 2, got \[0, 3\]"),
        ([0, -1], None, "codes of secrets must be whole numbers from 0 to 2"),
        ([0.0, 1.0], None, "codes of secrets must be whole numbers from 0 to 2"),
        ([], None, "the pairs to rewrite must be at least one, got 0"),
        ([0, 1], [1.0], r"weights must be 2 finite numbers from 0, .*, got \[1.0\]"),
        ([0, 1], [0, 0], "weights must be 2 finite numbers from 0, not all of them 0"),
        ([0, 1], [np.nan, 1], "weights must be 2 finite numbers from 0"),
        ([0, 1], [-1, 2], "weights must be 2 finite numbers from 0"),
    ],
)
def test_what_are_no_pairs_is_refused(codes, weights, message):
    with pytest.raises(InputError, match=message):
        data_weights(matrix(NEGATIVE).bind([0, 1, 2]), codes, weights)


def test_a_payoff_over_other_secrets_is_refused():
    samples = Samples.of(["a", "b"], [5, 6])
    with pytest.raises(InputError, match="bound to the samples' 2 secrets, got one over 2 others"):
        copies(samples, bayes().bind(["b", "a"]))


def test_codes_of_guesses_are_positions():
    payoff, seen = tries(2).bind([0, 1, 2]), Samples.of([0, 1], [5, 6]).observables
    with pytest.raises(InputError, match="codes of guesses must be whole numbers from 0 to 2"):
        guess_samples(payoff, np.array([0, 3]), seen)


def test_too_many_guesses_to_list_are_refused():
    payoff = tries(5).bind(np.arange(400))
    with pytest.raises(InputError, match="take the secret route"):
        data_weights(payoff, np.array([0]))


# --- copies ------------------------------------------------------------------------------------


def test_copies_are_those_of_algorithm_1():
    samples = Samples.of(["a", "b", "a"], [7, 8, 9])
    payoff = matrix([[2, 0], [1, 3], [0, 0]], secrets=["a", "b"], guesses=["u", "v", "w"]).bind(
        samples.secrets
    )
    made = copies(samples, payoff)
    assert made.secrets.tolist() == ["u", "v", "w"]
    u, v = 0, 1
    assert sorted(pairs_of(made)) == [
        *[(u, 7)] * 2, *[(u, 9)] * 2, (v, 7), *[(v, 8)] * 3, (v, 9),
    ]  # fmt: skip


def test_copies_of_pairs_of_tries():
    """Each secret is in 9 of the 45 pairs of ten, so that a sample becomes 9 copies."""
    samples = Samples.of(np.arange(10).repeat(2), np.arange(20))
    made = copies(samples, samples.bind("tries:2"))
    assert len(made) == 9 * 20
    assert all(samples.secrets[samples.codes[int(y)]] in made.secrets[w] for w, y in pairs_of(made))


def test_copies_of_fractions_use_the_least_common_multiple():
    samples = Samples.of([0, 1], [5, 6])
    payoff = matrix([[0.5, 0], [1 / 3, 1]]).bind(samples.secrets)
    made = copies(samples, payoff)
    # Times 6: secret 0 becomes 3 copies of guess 0 and 2 of guess 1, secret 1 six of guess 1.
    assert pairs_of(made) == [(0, 5.0)] * 3 + [(1, 5.0)] * 2 + [(1, 6.0)] * 6


def test_copies_of_negative_gains_are_raised_first():
    samples = Samples.of([0, 1], [5, 6])
    made = copies(samples, matrix([[-1, 0], [0, 1]]).bind(samples.secrets))
    assert pairs_of(made) == [(1, 5.0), (0, 6.0), (1, 6.0), (1, 6.0)]


def test_copies_keep_groups_and_weights():
    samples = Samples.of([0, 1, 0], [5, 6, 7], groups=["p", "q", "q"], weights=[1, 2, 3])
    made = copies(samples, samples.bind("bayes"))
    assert made.groups.tolist() == [0, 1, 1]
    assert made.weights.tolist() == [1, 2, 3]


def test_too_many_copies_are_refused_with_their_number():
    samples = Samples.of([0, 1, 1], [5, 6, 7])
    payoff = matrix([[1_000_000, 0], [0, 7]]).bind(samples.secrets)
    with pytest.raises(InputError, match=r"at most 1,000, got 1,000,014; train on weights"):
        copies(samples, payoff, limit=1_000)


def test_the_limit_itself_is_allowed():
    samples = Samples.of([0, 1, 1], [5, 6, 7])
    payoff = matrix([[4, 0], [0, 3]]).bind(samples.secrets)
    assert len(copies(samples, payoff, limit=10)) == 10
    with pytest.raises(InputError, match="at most 9, got 10"):
        copies(samples, payoff, limit=9)


def test_a_large_common_denominator_is_named():
    samples = Samples.of([0, 1], [5, 6])
    payoff = matrix([[1 / 997, 1 / 991], [1 / 983, 1 / 977]]).bind(samples.secrets)
    scale = f"{997 * 991 * 983 * 977:,}"
    with pytest.raises(InputError, match=rf"gains times {scale} are the first that are whole"):
        copies(samples, payoff)


def test_numbers_beyond_64_bits_are_refused_too():
    primes = [997, 991, 983, 977, 971, 967, 953]
    samples = Samples.of(np.arange(7), np.arange(7))
    payoff = matrix(np.diag(1 / np.array(primes))).bind(samples.secrets)
    with pytest.raises(InputError, match=r"times a number of 21 digits .*; train on weights"):
        copies(samples, payoff)


@pytest.mark.parametrize("gain", [np.sqrt(2), np.pi, 1e-7])
def test_irrational_gains_are_refused(gain):
    samples = Samples.of([0, 1], [5, 6])
    payoff = matrix([[gain, 0], [0, 1]]).bind(samples.secrets)
    with pytest.raises(InputError, match=r"denominator up to 1000, got .*train on weights"):
        copies(samples, payoff)
    assert data_weights(payoff, samples.codes).weights.max() == max(gain, 1)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.fractions(0, 20, max_denominator=30), min_size=1, max_size=6))
def test_multiples_are_the_least_that_are_whole(fractions):
    whole, scale = multiples([float(fraction) for fraction in fractions])
    assert [Fraction(int(number), scale) for number in whole] == fractions
    assert np.gcd.reduce([scale, *whole.tolist()]) == 1 or scale == 1


def test_a_size_may_be_checked_beforehand():
    check_copies(10, 1, 10)
    with pytest.raises(InputError, match="at most 10, got 11; train on weights"):
        check_copies(11, 1, 10)


@pytest.mark.parametrize(
    "adversary",
    [Neighbours(k=1), Neighbours(k=3), Neighbours(k=8), Frequentist()],
    ids=["1-NN", "3-NN", "8-NN", "frequentist"],
)
@pytest.mark.parametrize("gain", [matrix(NEGATIVE), tries(2), matrix([[4, 2, 0], [1, 3, 0.5]])])
def test_copies_and_weights_are_the_same_attacker(gain, adversary):
    samples = drawn(a_channel(3, observables=12), 300, seed=4)
    payoff = samples.bind(gain)
    made = copies(samples, payoff)
    naming = adversary.fit(made, bayes().bind(made.secrets))
    by_copies = OverGuesses(payoff, naming).guess(samples.observables)
    by_posterior = adversary.fit(samples, payoff).guess(samples.observables)
    np.testing.assert_array_equal(by_copies, by_posterior)


# --- channel pre-processing --------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(gains=gains_of(4, 3), seed=st.integers(0, 1000))
def test_channel_preprocessing_keeps_the_vulnerability(gains, seed):
    """V_g(π,C) = β·V_id(τ,RC) + shift, exactly and for any channel."""
    channel = a_channel(seed)
    payoff = matrix(gains).bind(channel.secrets)
    reduction = channel_preprocessing(channel.prior, payoff)
    np.testing.assert_allclose(reduction.secrets_of.sum(axis=1), 1)
    assert reduction.tau.sum() == pytest.approx(1)
    reduced = Channel(reduction.secrets_of @ channel.matrix, reduction.tau)
    assert reduction.vulnerability(reduced.posterior_vulnerability(bayes())) == pytest.approx(
        channel.posterior_vulnerability(matrix(gains))
    )


def test_the_definitions_by_hand():
    """π = (¼,¾), g = [[2,0],[1,1]]: π·g has rows (½,0) and (¼,¾), β = 3/2."""
    reduction = channel_preprocessing([0.25, 0.75], matrix([[2, 0], [1, 1]]).bind([0, 1]))
    assert reduction.beta == pytest.approx(1.5)
    np.testing.assert_allclose(reduction.tau, [1 / 3, 2 / 3])
    np.testing.assert_allclose(reduction.secrets_of, [[1, 0], [0.25, 0.75]])


def test_a_guess_that_never_earns_is_never_drawn():
    reduction = channel_preprocessing([0.5, 0.5], matrix([[1, 0], [0, 0], [0, 1]]).bind([0, 1]))
    guesses, _ = reduction.draw(500, rng=0)
    assert set(guesses.tolist()) == {0, 2}
    np.testing.assert_allclose(reduction.secrets_of[1], [0.5, 0.5])


def test_draws_follow_tau_and_its_channel():
    reduction = channel_preprocessing([0.2, 0.3, 0.5], matrix(NEGATIVE).bind([0, 1, 2]))
    n = 200_000
    guesses, secrets = reduction.draw(n, rng=5)
    drawn_share = np.zeros((3, 3))
    np.add.at(drawn_share, (guesses, secrets), 1 / n)
    expected = reduction.tau[:, None] * reduction.secrets_of
    assert np.abs(drawn_share - expected).max() < 5 * 0.5 / np.sqrt(n)  # five standard errors


def test_the_same_seed_draws_the_same():
    reduction = channel_preprocessing([0.2, 0.3, 0.5], tries(2).bind([0, 1, 2]))
    for one, other in zip(reduction.draw(50, 7), reduction.draw(50, 7), strict=True):
        np.testing.assert_array_equal(one, other)


def test_guess_samples_of_the_channel_route_train_an_attacker():
    """β·V̂_id on the reduced channel and V(f) on the ordinary one both come near V_g."""
    channel, gain = a_channel(8), matrix(NEGATIVE)
    payoff = gain.bind(channel.secrets)
    reduction = channel_preprocessing(channel.prior, payoff)
    rng = np.random.default_rng(0)
    guesses, secrets = reduction.draw(40_000, rng)
    pairs = guess_samples(payoff, guesses, drawn_from(channel, secrets, rng))
    naming = Neighbours(k=1).fit(pairs, bayes().bind(pairs.secrets))
    attack = OverGuesses(payoff, naming)
    everything = Samples.of(np.arange(5), np.arange(5)).observables
    value = channel.value(attack.guess(everything), gain)
    assert value == pytest.approx(channel.posterior_vulnerability(gain), abs=0.02)


def drawn_from(channel: Channel, secrets, rng):
    return Samples.of(secrets, channel.draw(secrets, rng)).observables


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        ([0.5, 0.3, 0.2], "one number for each of the 2 secrets, got 3"),
        ([1.5, -0.5], "none negative, got -0.5 at position 1"),
        ([0.5, 0.7], "of sum 1, got 1.2; divide it by its sum"),
    ],
)
def test_what_is_no_prior_is_refused(prior, message):
    with pytest.raises(InputError, match=message):
        channel_preprocessing(prior, bayes().bind([0, 1]))


def test_a_gain_that_cannot_be_learned_is_refused():
    nothing = matrix([[-1, -1], [-1, -1]])
    with pytest.raises(InputError, match="above its lowest value"):
        channel_preprocessing([0.5, 0.5], nothing.bind([0, 1]))
    samples = Samples.of([0, 1, 1], [5, 6, 7])
    with pytest.raises(InputError, match="above its lowest value for some secret of the samples"):
        copies(samples, samples.bind(nothing))


@pytest.mark.parametrize("n", [-1, 2.5, "many"])
def test_guesses_are_drawn_in_whole_numbers(n):
    with pytest.raises(InputError, match="a whole number from 0, got"):
        channel_preprocessing([0.5, 0.5], bayes().bind([0, 1])).draw(n)
