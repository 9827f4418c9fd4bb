import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse, stats

import gleak
from gleak.channel import Channel, Leakage
from gleak.errors import InputError
from gleak.gain_spec import as_gain

few = settings(max_examples=60, deadline=None)


def shares(shape):
    """Rows of probabilities with many zeros and many equal entries."""

    def divided(counts):
        counts = counts.astype(float)
        counts[counts.sum(axis=-1) == 0, ..., 0] = 1
        return counts / counts.sum(axis=-1, keepdims=True)

    return arrays(np.int64, shape, elements=st.integers(0, 4)).map(divided)


@st.composite
def channels(draw, n_secrets=None):
    secrets = n_secrets or draw(st.integers(2, 5))
    matrix = draw(shares((secrets, draw(st.integers(1, 5)))))
    return Channel(matrix, draw(shares((1, secrets)))[0])


@st.composite
def cases(draw, lowest=-3):
    """A channel and a gain over its secrets, with zeros and, as wished, losses."""
    channel = draw(channels())
    shape = (draw(st.integers(2, 5)), channel.n_secrets)
    steps = arrays(np.int64, shape, elements=st.integers(2 * lowest, 6))
    return channel, gleak.matrix(draw(steps) / 2)


def brute(channel, table):
    """V_g(π,C) by its definition, a term at a time."""
    total = 0.0
    matrix = channel.matrix.toarray() if sparse.issparse(channel.matrix) else channel.matrix
    for y in range(channel.n_observables):
        scores = [
            sum(channel.prior[x] * matrix[x, y] * row[x] for x in range(channel.n_secrets))
            for row in table
        ]
        total += max(scores)
    return total


def skewed(seed=0, shape=(6, 40)):
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.full(shape[1], 0.2), shape[0])
    matrix[matrix < 0.01] = 0
    return Channel(matrix / matrix.sum(axis=1, keepdims=True), rng.dirichlet(np.ones(shape[0])))


# Known systems


def test_two_tries_at_one_of_ten_timings():
    """The paper's first experiment: C[x,y] ∝ exp(−0.002·|1000x+3499.5−y|) over 0..15999."""
    secrets, times = np.arange(10)[:, None], np.arange(16_000)
    matrix = np.exp(-0.002 * np.abs(1000 * secrets + 3499.5 - times))
    system = Channel(matrix / matrix.sum(axis=1, keepdims=True))
    assert system.prior_vulnerability("tries:2") == pytest.approx(0.2, abs=1e-12)
    assert round(system.posterior_vulnerability("tries:2"), 6) == 0.891726


@pytest.mark.parametrize(("nu", "expected"), [(0.1, 0.5456), (0.5, 0.6758), (1.0, 0.7831)])
def test_one_bit_of_a_password_from_a_noisy_clock(nu, expected):
    """The paper's fourth: a wrong bit stops the check at 6, a right one at 6+j with 2^−j."""
    stops = np.zeros((2, 128))
    stops[0, 6] = 1
    stops[1, 7:] = 0.5 ** np.arange(1, 122)
    stops[1, 127] *= 2  # the check ends there at the latest
    decay, times = np.exp(-nu), np.arange(128)
    noise = (1 - decay) / (1 + decay) * decay ** np.abs(times[:, None] - times)
    noise[:, 0] = decay**times / (1 + decay)
    noise[:, -1] = decay ** (127 - times) / (1 + decay)
    system = Channel(stops).cascade(Channel(noise))
    assert round(system.posterior_vulnerability(), 4) == expected


def test_randomised_response_by_hand():
    """Four answers, the true one with odds 3:1 against each other one: 1/2 against 1/6."""
    response = Channel(np.full((4, 4), 1 / 6) + np.eye(4) / 3)
    entropy = 0.5 * math.log2(2) + 3 / 6 * math.log2(6)
    assert response.posterior_vulnerability() == pytest.approx(1 / 2)
    assert response.leakage().multiplicative == pytest.approx(2)
    assert response.leakage().additive == pytest.approx(1 / 4)
    assert response.leakage().min_entropy_bits == pytest.approx(1)
    assert response.posterior_vulnerability("tries:2") == pytest.approx(1 / 2 + 1 / 6)
    assert response.bayes_risk() == pytest.approx(1 / 2)
    assert response.bayes_capacity() == pytest.approx(2)
    assert response.bayes_security() == pytest.approx(1 - (1 / 2 - 1 / 6))
    assert response.mutual_information() == pytest.approx(2 - entropy)
    assert response.shannon_capacity().bits == pytest.approx(2 - entropy)
    assert response.prior_guessing_entropy() == pytest.approx(10 / 4)
    assert response.guessing_entropy() == pytest.approx(1 / 2 + (2 + 3 + 4) / 6)


# Vulnerability and strategies


@few
@given(cases())
def test_vulnerabilities_are_their_definitions(case):
    channel, gain = case
    table = gain.values
    assert channel.posterior_vulnerability(gain) == pytest.approx(brute(channel, table))
    assert channel.prior_vulnerability(gain) == pytest.approx((table @ channel.prior).max())


@few
@given(cases(), st.data())
def test_no_strategy_beats_the_best_one(case, data):
    channel, gain = case
    best = channel.posterior_vulnerability(gain)
    assert channel.value(channel.strategy(gain), gain) == pytest.approx(best)
    guesses = st.integers(0, len(gain.values) - 1)
    other = data.draw(arrays(np.int64, channel.n_observables, elements=guesses))
    joint = channel.prior[:, None] * channel.matrix
    earned = sum(joint[x, y] * gain.values[other[y], x] for x, y in np.ndindex(joint.shape))
    assert channel.value(other, gain) == pytest.approx(earned)
    assert earned <= best + 1e-12


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_tries_without_listing_the_subsets(k):
    channel = skewed()
    subsets = list(itertools.combinations(range(6), k))
    table = [[float(x in subset) for x in range(6)] for subset in subsets]
    assert channel.posterior_vulnerability(f"tries:{k}") == pytest.approx(brute(channel, table))
    guesses = channel.strategy(f"tries:{k}")
    assert guesses.shape == (40, k)
    assert channel.value(guesses, f"tries:{k}") == pytest.approx(brute(channel, table))


def test_a_sparse_channel_is_valued_in_blocks(monkeypatch):
    channel = skewed()
    expected = channel.value(channel.strategy(), "bayes")
    monkeypatch.setattr("gleak.channel._BLOCK", 45)  # two rows or fewer at a time
    for form in (channel, Channel(sparse.csr_array(channel.matrix), channel.prior)):
        assert form.value(form.strategy(), "bayes") == pytest.approx(expected, rel=1e-14)


def test_gains_may_ask_for_what_is_known_of_the_secrets():
    matrix = [[0.5, 0.5], [0.5, 0.5], [0, 1]]
    people = Channel(matrix, secrets=["ann", "bob", "eve"], attributes={"team": [1, 1, 2]})
    assert people.posterior_vulnerability("partition:team") == pytest.approx(1 / 3 + 1 / 3)
    assert people.bind("partition:team").labels(people.strategy("partition:team")).tolist() == [
        1,
        1,
    ]
    assert people.with_prior([0, 0, 1]).posterior_vulnerability("partition:team") == 1


def test_leakage_where_the_ratio_says_nothing():
    channel = Channel([[1, 0], [0, 1]])
    costly = gleak.matrix([[1, -2], [-2, 1]])
    idle = gleak.matrix([[1, -1], [-1, 1], [0, 0]])
    nothing = gleak.matrix([[0, 0], [0, 0]])
    assert channel.leakage(costly) == Leakage(None, 1.5)
    assert channel.leakage(costly).min_entropy_bits is None
    assert channel.leakage(idle) == Leakage(math.inf, 1.0)
    assert channel.leakage(idle).min_entropy_bits == math.inf
    assert channel.leakage(nothing) == Leakage(None, 0.0)


@few
@given(channels())
def test_leakage_is_never_below_none(channel):
    silent = Channel(np.repeat(channel.matrix[:1], channel.n_secrets, axis=0), channel.prior)
    assert silent.leakage() == Leakage(1.0, 0.0) or silent.leakage().additive < 1e-15
    assert silent.leakage().min_entropy_bits >= 0
    assert channel.leakage().multiplicative >= 1


# Worst cases


@few
@given(cases(lowest=0))
def test_bayes_capacity_caps_the_leakage_of_every_gain_under_every_prior(case):
    channel, gain = case
    assume(channel.prior_vulnerability(gain) > 0)
    capacity = channel.bayes_capacity()
    assert channel.leakage(gain).multiplicative <= capacity * (1 + 1e-12)
    assert channel.with_prior(None).leakage().multiplicative == pytest.approx(capacity)


@few
@given(channels())
def test_bayes_security_is_the_least_ratio_of_risks(channel):
    beta = channel.bayes_security()
    prior_risk = 1 - channel.prior_vulnerability()
    if prior_risk > 1e-9:
        assert channel.bayes_risk() / prior_risk >= beta - 1e-9
    pairs = itertools.combinations(np.eye(channel.n_secrets), 2)
    on_pairs = [channel.with_prior((a + b) / 2).bayes_risk() / 0.5 for a, b in pairs]
    assert min(on_pairs) == pytest.approx(beta, abs=1e-12)


def test_no_risk_is_below_none():
    assert all(Channel(np.eye(n)).bayes_risk() >= 0 for n in range(2, 100))


# Channels made of channels


@few
@given(cases(), st.data())
def test_post_processing_never_helps(case, data):
    channel, gain = case
    assume(channel.n_observables >= 2)
    after = channel.cascade(Channel(data.draw(shares((channel.n_observables, 4)))))
    slack = 1e-9
    assert after.posterior_vulnerability(gain) <= channel.posterior_vulnerability(gain) + slack
    assert after.mutual_information() <= channel.mutual_information() + slack
    assert after.bayes_capacity() <= channel.bayes_capacity() + slack
    assert after.bayes_security() >= channel.bayes_security() - slack
    assert after.guessing_entropy() >= channel.guessing_entropy() - slack


def test_a_cascade_meets_by_names():
    first = Channel([[1, 0], [0, 1]], [0.75, 0.25], ["a", "b"], ["low", "high"])
    second = [[0.5, 0.5], [0, 1]]
    named = first.cascade(Channel(second, secrets=["high", "low"], observables=["u", "v"]))
    np.testing.assert_array_equal(named.matrix, [[0, 1], [0.5, 0.5]])
    assert (named.secrets.tolist(), named.observables.tolist()) == (["a", "b"], ["u", "v"])
    np.testing.assert_array_equal(named.prior, [0.75, 0.25])
    np.testing.assert_array_equal(first.cascade(Channel(second)).matrix, second)
    numbered = Channel([[1, 0], [0, 1]], observables=[1, 0]).cascade(Channel(second))
    np.testing.assert_array_equal(numbered.matrix, second[::-1])
    with pytest.raises(InputError, match="second channel's secrets lacks 'low'"):
        first.cascade(Channel(second, secrets=["high", "lower"]))
    with pytest.raises(InputError, match=r"second channel's secrets must be 2, .* got 3"):
        first.cascade(Channel(np.eye(3)))


@few
@given(st.integers(2, 4).flatmap(lambda n: st.tuples(channels(n), channels(n))))
def test_parallel_is_a_product_for_every_secret(pair):
    left, right = pair
    both = left.parallel(right)
    for (x, a), b in itertools.product(np.ndindex(left.matrix.shape), range(right.n_observables)):
        y = a * right.n_observables + b
        assert both.matrix[x, y] == pytest.approx(left.matrix[x, a] * right.matrix[x, b])
        assert both.observables[y] == (a, b)
    assert both.posterior_vulnerability() >= left.posterior_vulnerability() - 1e-12
    mixed = Channel(sparse.csr_array(left.matrix), left.prior).parallel(right)
    np.testing.assert_allclose(mixed.matrix.toarray(), both.matrix)


@few
@given(cases())
def test_a_hyper_says_all_that_a_channel_says(case):
    channel, gain = case
    hyper = channel.hyper()
    assert hyper.outer.sum() == pytest.approx(1)
    assert (hyper.outer > 0).all()
    np.testing.assert_allclose(hyper.inners.sum(axis=1), 1)
    np.testing.assert_allclose(hyper.outer @ hyper.inners, channel.prior, atol=1e-15)
    value = hyper.outer @ (hyper.inners @ gain.values.T).max(axis=1)
    assert value == pytest.approx(channel.posterior_vulnerability(gain))
    for one, other in itertools.combinations(hyper.inners, 2):
        assert np.abs(one - other).max() > 1e-12


def test_equal_posteriors_are_one_and_the_unseen_are_none():
    matrix = [[0.1, 0.3, 0.0, 0.6], [0.2, 0.6, 0.0, 0.2], [0.0, 0.0, 1.0, 0.0]]
    hyper = Channel(matrix, [0.5, 0.5, 0.0]).hyper()
    np.testing.assert_allclose(hyper.outer, [0.6, 0.4])
    np.testing.assert_allclose(hyper.inners, [[1 / 3, 2 / 3, 0], [3 / 4, 1 / 4, 0]])


def test_posteriors_that_differ_by_rounding_are_one():
    """Each observable split at random, without a look at the secret: nothing more is told."""
    channel = skewed(shape=(5, 6))
    splits = np.random.default_rng(1).dirichlet(np.ones(9), 6)
    split = Channel((channel.matrix[:, :, None] * splits).reshape(5, -1), channel.prior)
    np.testing.assert_allclose(split.hyper().outer, channel.hyper().outer)
    np.testing.assert_allclose(split.hyper().inners, channel.hyper().inners, atol=1e-14)


# Reductions to Bayes vulnerability


@few
@given(cases())
def test_both_reductions_keep_the_vulnerability(case):
    channel, gain = case
    raised = gain.values - min(0, gain.values.min())
    assume((raised @ channel.prior).max() > 0)
    expected = pytest.approx(channel.posterior_vulnerability(gain), abs=1e-9)
    for reduction in (channel.data_reduction(gain), channel.channel_reduction(gain)):
        assert reduction.vulnerability == expected
        assert reduction.channel.n_secrets == len(gain.values)


@few
@given(cases())
def test_the_reductions_are_the_papers(case):
    """α, ξ, E and β, τ, R by their defining sums, where these are defined."""
    channel, gain = case
    raised = gain.values - min(0, gain.values.min())
    joint = np.einsum("x,xy,wx->wy", channel.prior, channel.matrix, raised)
    assume(joint.sum() > 0)
    data, by_channel = channel.data_reduction(gain), channel.channel_reduction(gain)
    assert data.factor == pytest.approx(joint.sum())
    assert data.shift == min(0, gain.values.min())
    np.testing.assert_allclose(
        data.channel.prior[:, None] * data.channel.matrix, joint / joint.sum(), atol=1e-12
    )
    secrets_of = by_channel.secrets_of
    assert by_channel.factor == pytest.approx((raised * channel.prior).sum())
    np.testing.assert_allclose(
        secrets_of.prior[:, None] * secrets_of.matrix,
        raised * channel.prior / by_channel.factor,
        atol=1e-12,
    )
    np.testing.assert_allclose(
        by_channel.channel.matrix, secrets_of.matrix @ channel.matrix, atol=1e-12
    )


def test_reductions_keep_names_and_sparseness():
    channel = Channel(sparse.eye_array(3), None, ["a", "b", "c"], ["u", "v", "w"])
    reduction = channel.channel_reduction("tries:2")
    assert reduction.channel.secrets.tolist() == [("a", "b"), ("a", "c"), ("b", "c")]
    assert reduction.channel.observables.tolist() == ["u", "v", "w"]
    assert reduction.secrets_of.observables.tolist() == ["a", "b", "c"]
    assert sparse.issparse(reduction.channel.matrix)
    assert reduction.vulnerability == pytest.approx(1)


def test_a_single_guess_is_not_rewritten():
    for rewritten in (Channel.data_reduction, Channel.channel_reduction):
        with pytest.raises(InputError, match="two guesses or more, got 1; with a single guess"):
            rewritten(Channel(np.eye(2)), gleak.matrix([[1, 3]]))


# Sparse and dense


def test_sparse_and_dense_agree_on_everything():
    dense = skewed()
    thin = Channel(sparse.csr_array(dense.matrix), dense.prior)
    gains = ["bayes", "tries:3", gleak.partition(lambda x: x % 2), gleak.distance(2.0)]
    for gain in map(as_gain, gains):
        assert thin.posterior_vulnerability(gain) == pytest.approx(
            dense.posterior_vulnerability(gain), rel=1e-13
        )
        np.testing.assert_array_equal(thin.strategy(gain), dense.strategy(gain))
        assert thin.value(dense.strategy(gain), gain) == pytest.approx(
            dense.value(dense.strategy(gain), gain), rel=1e-13
        )
        assert thin.data_reduction(gain).vulnerability == pytest.approx(
            dense.data_reduction(gain).vulnerability, rel=1e-12
        )
    for measure in ("bayes_risk", "bayes_capacity", "bayes_security", "mutual_information",
                    "guessing_entropy", "prior_guessing_entropy"):  # fmt: skip
        assert getattr(thin, measure)() == pytest.approx(getattr(dense, measure)(), rel=1e-12)
    capacities = [form.shannon_capacity(1e-9).bits for form in (thin, dense)]
    assert capacities[0] == pytest.approx(capacities[1], abs=2e-9)
    np.testing.assert_allclose(thin.hyper().inners.toarray(), dense.hyper().inners)
    assert sparse.issparse(thin.cascade(Channel(sparse.eye_array(40))).matrix)
    assert repr(thin) == "Channel(6 secrets × 40 observables, sparse)"
    assert repr(dense) == "Channel(6 secrets × 40 observables, dense)"


# Samples


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_samples_follow_prior_and_channel(form):
    dense = skewed(shape=(4, 5))
    channel = Channel(form(dense.matrix), dense.prior)
    secrets, observables = channel.sample(40_000, rng=3)
    counts = np.zeros((4, 5))
    np.add.at(counts, (secrets, observables), 1)
    expected = 40_000 * dense.prior[:, None] * dense.matrix
    assert (counts[expected == 0] == 0).all()
    possible = expected > 0
    assert stats.chisquare(counts[possible], expected[possible]).pvalue > 1e-3


def test_samples_are_independent_of_their_order():
    """A pair tells nothing of the next one: the table of neighbours is the product of its sides."""
    channel = skewed(shape=(3, 4))
    secrets, observables = channel.sample(40_000, rng=5)
    cells = secrets * 4 + observables
    table = np.zeros((12, 12))
    np.add.at(table, (cells[:-1:2], cells[1::2]), 1)
    table = table[np.ix_(table.sum(axis=1) > 50, table.sum(axis=0) > 50)]
    assert stats.chi2_contingency(table).pvalue > 1e-3
    halves = np.array([np.bincount(half, minlength=12) for half in np.split(cells, 2)])
    assert stats.chi2_contingency(halves[:, halves.sum(axis=0) > 0]).pvalue > 1e-3


def test_the_same_seed_draws_the_same():
    channel = skewed()
    for one, other in zip(channel.sample(500, rng=7), channel.sample(500, rng=7), strict=True):
        np.testing.assert_array_equal(one, other)
    assert (channel.sample(500, rng=8)[0] != channel.sample(500, rng=7)[0]).any()
    assert [len(codes) for codes in channel.sample(0, rng=1)] == [0, 0]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_channel_answers_the_secrets_it_is_asked(form):
    channel = Channel(form([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]))
    answers = channel.draw([1, 0, 0, 1, 0], rng=1)
    assert (answers[[1, 2, 4]] == 1).all()
    assert (answers[[0, 3]] != 1).all()
    assert channel.draw([], rng=1).tolist() == []


# What is refused


def test_codes_that_are_none_are_refused():
    channel = Channel(np.eye(3))
    with pytest.raises(InputError, match=r"secrets to draw for must be codes.*0 to 2, got 1 to 3"):
        channel.draw([1, 3])
    with pytest.raises(InputError, match=r"draw for must be codes, .* got values of type"):
        channel.draw([0.5])
    with pytest.raises(InputError, match=r"draw for must be codes, .* got values of type <U1"):
        channel.draw(["a", "b"])
    with pytest.raises(InputError, match=r"secrets to draw for must be of one axis, got 2"):
        channel.draw([[0, 1]])
    for wrong in (-1, 2.5, "many"):
        with pytest.raises(InputError, match=r"number of samples must be a whole number from 0"):
            channel.sample(wrong)
    with pytest.raises(InputError, match=r"guesses must be codes.*0 to 2, got -1 to 2"):
        channel.value([0, 2, -1])
    with pytest.raises(InputError, match=r"strategy must be an array of shape \(3,\).*\(2,\)"):
        channel.value([0, 1])


def test_three_guesses_are_not_valued_as_two_tries():
    everything = np.tile(np.arange(3), (3, 1))
    with pytest.raises(InputError, match=r"shape \(3, 2\), a guess per observable.*\(3, 3\)"):
        Channel(np.eye(3)).value(everything, "tries:2")
