"""What every family must do, checked on all of them through one table."""

import pickle
import warnings
from dataclasses import dataclass, replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from gleak.adversaries import (
    FAMILIES,
    Adversary,
    Blind,
    Classifier,
    Frequentist,
    Linear,
    Metric,
    Neighbours,
    Neural,
    OverGuesses,
    PosteriorStrategy,
    Trees,
    Vote,
)
from gleak.adversaries.neural import Dense, Training
from gleak.channel import Channel
from gleak.errors import InputError
from gleak.gain import bayes, matrix, tries
from gleak.mechanisms import geometric
from gleak.observables import Observables
from gleak.preprocess import copies
from gleak.samples import Samples

PLACES = np.array([0.0, 3.0, 6.0, 9.0])
CHANNEL = geometric(range(-2, 12), nu=0.6, centres=PLACES, prior=[0.4, 0.3, 0.2, 0.1])
GAINS = {
    "bayes": bayes(),
    "tries:2": tries(2),
    "matrix": matrix([[1, 0, 0, -1], [0, 2, 0.5, 0], [0, 0, 3, 0], [0, 0.5, 0, 4]]),
}

LARGEST = np.finfo(float).max

BRIEF = Training(steps=120, batch=100, learning_rate=0.02, early_choice=False)
NETWORK = Neural(Dense((8,)), BRIEF)


@dataclass(frozen=True)
class Case:
    """An adversary, and what may be asked of it.

    ``exact``: it depends on samples through their weighted counts alone, and neither on the
    order of secrets nor on a draw. ``learns``: it beats the prior where something leaks.
    ``distance``: it needs secrets and observables in one space.
    """

    adversary: Adversary
    exact: bool = False
    learns: bool = True
    distance: bool = False

    @property
    def posterior(self) -> bool:
        """Whether it learns P(x|y): on the secret route, unless guesses are put to the vote."""
        secret = self.adversary.route == "secret"
        return secret and getattr(self.adversary, "by", "posterior") == "posterior"


CASES = {
    "blind": Case(Blind(), exact=True, learns=False),
    "frequentist": Case(Frequentist(), exact=True),
    "frequentist, smoothed": Case(Frequentist(smoothing=2.0), exact=True),
    "frequentist, backed off": Case(Frequentist(2.0, Metric()), exact=True, distance=True),
    "neighbours": Case(Neighbours(k=2), exact=True),
    "neighbours, auto": Case(Neighbours()),
    "metric": Case(Metric(), exact=True, distance=True),
    "trees": Case(Trees()),
    "trees, on guesses": Case(Trees(iterations=20, leaves=4, route="guess"), exact=True),
    "linear": Case(Linear()),
    "linear, on guesses": Case(Linear(strength=10.0, route="guess"), exact=True),
    "neural": Case(NETWORK),
    "neural, on guesses": Case(replace(NETWORK, route="guess")),
    "vote": Case(Vote((Neighbours(k=2), Linear(strength=1.0), Trees(iterations=10, leaves=4)))),
    "vote, by posterior": Case(
        Vote((Neighbours(k=2), Frequentist()), by="posterior"), exact=True
    ),
    "classifier": Case(Classifier(GaussianNB()), exact=True),
    "classifier, on guesses": Case(Classifier(GaussianNB(), route="guess"), exact=True),
}  # fmt: skip

CHEAP = {name: case for name, case in CASES.items() if "neural" not in name}
"""Networks compile anew for every shape of data: where that is all that changes, one will do."""

every = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
every_shape = pytest.mark.parametrize(
    "case", [*CHEAP.values(), CASES["neural"]], ids=[*CHEAP.keys(), "neural"]
)


def leaky(n: int, seed: int, *, secrets="abcd", **more) -> Samples:
    codes, seen = CHANNEL.sample(n, rng=seed)
    labels, shown = np.array(list(secrets)), CHANNEL.observables[seen]
    return Samples.of(labels[codes], {"y": shown}, attributes={"y": PLACES[codes]}, **more)


def everything() -> Observables:
    return Observables.of({"y": CHANNEL.observables})


def fitted(case: Case, samples: Samples, gain="bayes", seed=0):
    return case.adversary.fit(samples, samples.bind(gain), rng=seed)


def value(strategy, gain="bayes") -> float:
    return CHANNEL.value(strategy.guess(everything()), GAINS.get(gain, gain))


def test_every_family_is_checked():
    assert set(FAMILIES) <= {case.adversary.name for case in CASES.values()}


# --- learning ----------------------------------------------------------------------------------


@every
@pytest.mark.parametrize("gain", GAINS)
def test_beats_the_prior_on_a_leaky_channel(case, gain):
    strategy = fitted(case, leaky(1500, seed=1), GAINS[gain])
    earned = value(strategy, gain)
    best, blind = CHANNEL.posterior_vulnerability(GAINS[gain]), CHANNEL.prior_vulnerability(
        GAINS[gain]
    )  # fmt: skip
    assert earned <= best + 1e-12
    if case.learns:
        assert earned > blind + 0.8 * (best - blind)
    else:
        assert earned == pytest.approx(blind)


@every
def test_never_above_the_prior_without_a_leak(case):
    """V(f) ≤ V_g(π) for every f where y says nothing; and what is learned is near the prior."""
    prior = np.array([0.1, 0.55, 0.2, 0.15])
    mute = Channel(np.full((4, 14), 1 / 14), prior, observables=CHANNEL.observables)
    values = []
    for seed in range(3):
        codes, seen = mute.sample(600, rng=seed)
        samples = Samples.of(np.array(list("abcd"))[codes], {"y": mute.observables[seen]},
                             attributes={"y": PLACES[codes]})  # fmt: skip
        strategy = fitted(case, samples, seed=seed)
        values.append(mute.value(strategy.guess(everything())))
    assert max(values) <= 0.55 + 1e-12
    assert np.mean(values) > 0.5


# --- sameness ----------------------------------------------------------------------------------


@every
def test_the_same_seed_guesses_the_same(case):
    samples = leaky(300, seed=2)
    one, other = (fitted(case, samples, "tries:2", seed=7) for _ in range(2))
    np.testing.assert_array_equal(one.guess(everything()), other.guess(everything()))


@every
def test_guesses_do_not_depend_on_company(case):
    strategy = fitted(case, leaky(300, seed=2))
    together = strategy.guess(everything())
    backwards = strategy.guess(everything().take(np.arange(13, -1, -1)))[::-1]
    alone = [strategy.guess(everything().take(slice(i, i + 1)))[0] for i in (0, 5, 13)]
    np.testing.assert_array_equal(together, backwards)
    assert alone == together[[0, 5, 13]].tolist()


@every
def test_permuting_the_secrets_permutes_the_answer(case):
    samples, permuted = leaky(1500, seed=3), leaky(1500, seed=3, secrets="cadb")
    to = np.array([2, 0, 3, 1])  # a, b, c, d are now called c, a, d, b
    one, other = fitted(case, samples), fitted(case, permuted)
    if not isinstance(one, PosteriorStrategy):
        same = to[one.guess(everything())] == other.guess(everything())
        assert same.mean() >= (0.9 if case.exact else 0.7)
        return
    posterior = one.posterior(everything())
    np.testing.assert_allclose(
        other.posterior(everything())[:, to], posterior, atol=1e-3 if case.exact else 0.25
    )


@every
def test_inputs_are_left_alone(case):
    samples = leaky(200, seed=4, groups=np.arange(200) // 4, weights=np.ones(200) + np.arange(200))
    arrays = [samples.codes, samples.observables.columns[0].values, samples.attributes["y"],
              samples.groups, samples.weights]  # fmt: skip
    before = [array.copy() for array in arrays]
    adversary = pickle.dumps(case.adversary)
    fitted(case, samples, "tries:2").guess(samples.observables)
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert pickle.dumps(case.adversary) == adversary


@every
def test_pickles(case):
    samples = leaky(200, seed=5)
    copy = replace(case, adversary=pickle.loads(pickle.dumps(case.adversary)))
    strategy = fitted(copy, samples)
    again = pickle.loads(pickle.dumps(strategy))
    expected = fitted(case, samples).guess(everything())
    np.testing.assert_array_equal(strategy.guess(everything()), expected)
    np.testing.assert_array_equal(again.guess(everything()), expected)


@every
def test_only_the_secret_route_and_no_majority_has_a_posterior(case):
    strategy = fitted(case, leaky(300, seed=6))
    assert isinstance(strategy, PosteriorStrategy) == case.posterior


POSTERIORS = {name: case for name, case in CASES.items() if case.posterior}


@pytest.mark.parametrize("case", POSTERIORS.values(), ids=POSTERIORS.keys())
def test_a_posterior_is_one_and_serves_every_gain(case):
    samples = leaky(300, seed=6)
    strategy = fitted(case, samples)
    posterior = strategy.posterior(samples.observables)
    assert posterior.shape == (300, 4)
    assert (posterior >= 0).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    payoff = samples.bind("tries:2")
    guesses = strategy.under(payoff).guess(samples.observables)
    np.testing.assert_array_equal(guesses, payoff.best(posterior))


@every
def test_nothing_asked_is_nothing_guessed(case):
    samples = leaky(200, seed=5)
    for gain, shape in (("bayes", (0,)), ("tries:2", (0, 2))):
        strategy = fitted(case, samples, gain)
        assert strategy.guess(everything().take(slice(0, 0))).shape == shape
        if case.posterior:
            assert strategy.posterior(everything().take(slice(0, 0))).shape == (0, 4)


@every
def test_single_precision_is_answered_as_double(case):
    """Noise is in steps of one: every observable is the same number in either precision."""
    samples = leaky(300, seed=2)
    column = samples.observables.matrix()[:, 0].astype(np.float32)
    single = replace(samples, observables=Observables.of({"y": column}))
    np.testing.assert_array_equal(
        fitted(case, single).guess(everything()), fitted(case, samples).guess(everything())
    )


@every
def test_what_it_cannot_learn_from_is_refused(case):
    samples = leaky(100, seed=1)
    for other in (["a", "b", "c"], ["a", "b", "c", "e"], ["b", "a", "c", "d"]):
        with pytest.raises(InputError, match="bound to the samples' 4 secrets, got one over"):
            case.adversary.fit(samples, bayes().bind(other), rng=0)
    with pytest.raises(InputError, match="training samples must be at least one, got 0"):
        fitted(case, samples.take(slice(0, 0)))
    astray = replace(case.adversary, route="scret")
    with pytest.raises(InputError, match=r"the route of '.*' must be 'secret' or 'guess'"):
        astray.fit(samples, samples.bind("bayes"), rng=0)


# --- weights and routes ------------------------------------------------------------------------


def exact_cases():
    return {name: case for name, case in CASES.items() if case.exact}


exactly = pytest.mark.parametrize("case", exact_cases().values(), ids=exact_cases().keys())


@exactly
def test_a_weight_of_two_is_a_row_given_twice(case):
    samples = leaky(120, seed=7)
    twice = np.arange(0, 120, 3)
    weights = np.where(np.arange(120) % 3 == 0, 2.0, 1.0)
    repeated = samples.take(np.concatenate([np.arange(120), twice]))
    weighted = replace(samples, weights=weights)
    one, other = fitted(case, repeated), fitted(case, weighted)
    np.testing.assert_array_equal(one.guess(everything()), other.guess(everything()))
    if isinstance(one, PosteriorStrategy):
        np.testing.assert_allclose(one.posterior(everything()), other.posterior(everything()),
                                   atol=1e-4)  # fmt: skip


@every
def test_weights_matter(case):
    """With weight on secret d alone, d is what is guessed wherever it can be."""
    samples = leaky(400, seed=8)
    weights = np.where(samples.codes == 3, 1000.0, 1e-3)
    guesses = fitted(case, replace(samples, weights=weights)).guess(samples.observables)
    near = samples.observables.matrix()[:, 0] >= 8
    assert (guesses[near] == 3).all()


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("name", ["frequentist", "neighbours"])
def test_both_routes_are_one_attacker(name, gain):
    """Counts and neighbours learned from Algorithm 1's copies guess as those from secrets do."""
    samples, adversary = leaky(400, seed=9), CASES[name].adversary
    payoff = samples.bind(GAINS[gain])
    pairs = copies(samples, payoff)
    naming = adversary.fit(pairs, bayes().bind(pairs.secrets))
    np.testing.assert_array_equal(
        OverGuesses(payoff, naming).guess(samples.observables),
        adversary.fit(samples, payoff).guess(samples.observables),
    )


@pytest.mark.parametrize("gain", ["bayes", "tries:2"])
def test_trees_of_weights_and_of_copies_are_the_same(gain):
    """Of whole gains, that is: how many samples a leaf must hold depends on what a row weighs."""
    samples, adversary = leaky(400, seed=10), CASES["trees, on guesses"].adversary
    payoff = samples.bind(GAINS[gain])
    pairs = copies(samples, payoff)
    naming = replace(adversary, route="secret").fit(pairs, bayes().bind(pairs.secrets), rng=0)
    np.testing.assert_array_equal(
        OverGuesses(payoff, naming).guess(everything()),
        adversary.fit(samples, payoff, rng=0).guess(everything()),
    )


@pytest.mark.parametrize("gain", GAINS)
@pytest.mark.parametrize("name", ["linear, on guesses", "classifier, on guesses"])
def test_weights_and_copies_are_one_attacker(name, gain):
    samples, adversary = leaky(400, seed=10), CASES[name].adversary
    payoff = samples.bind(GAINS[gain])
    pairs = copies(samples, payoff)
    weighted = replace(adversary, strength=30.0) if name.startswith("linear") else adversary
    # Copies are K = 2 times the weights of gains in halves: half the penalty for as much data.
    scale = len(pairs) / copies_wanted(samples, payoff)
    copied = replace(adversary, strength=30.0 / scale) if name.startswith("linear") else adversary
    naming = replace(copied, route="secret").fit(pairs, bayes().bind(pairs.secrets))
    same = OverGuesses(payoff, naming).guess(everything()) == weighted.fit(
        samples, payoff, rng=0
    ).guess(everything())  # fmt: skip
    assert same.all()


def copies_wanted(samples, payoff) -> float:
    gains = payoff.matrix()
    return (gains - min(0.0, gains.min())).sum(axis=0)[samples.codes].sum()


# --- shapes of data ----------------------------------------------------------------------------


@every_shape
def test_a_secret_seen_once_and_one_never_seen(case):
    samples = leaky(300, seed=11)
    some = np.flatnonzero(samples.codes < 2)
    few = samples.take(np.append(some, np.flatnonzero(samples.codes == 2)[0]))
    strategy = fitted(case, few)
    assert set(strategy.guess(everything())) <= {0, 1, 2, 3}
    if isinstance(strategy, PosteriorStrategy):
        np.testing.assert_allclose(strategy.posterior(everything()).sum(axis=1), 1)


@every_shape
def test_one_observable_only(case):
    """Where nothing else was seen the prior's best guess is all there is to learn."""
    samples = leaky(300, seed=12)
    same = replace(samples, observables=Observables.of({"y": np.full(300, 4.0)}))
    shares = np.bincount(samples.codes) / 300
    strategy = fitted(case, same)
    # Networks and distances are still to find out how often each secret is.
    near = 0.1 if isinstance(case.adversary, Neural) or case.distance else 1e-3
    if isinstance(strategy, PosteriorStrategy):
        np.testing.assert_allclose(strategy.posterior(same.observables)[0], shares, atol=near)
    assert set(strategy.guess(same.observables)) == {0}


@every_shape
def test_one_secret_only(case):
    samples = leaky(300, seed=12)
    alone = samples.take(samples.codes == 1)
    assert set(fitted(case, alone).guess(samples.observables.take(slice(0, 5)))) == {1}


@every
def test_observables_never_seen(case):
    samples = leaky(300, seed=13)
    strangers = Observables.of({"y": [-LARGEST, -1e6, 0.5, 7.25, 1e6, LARGEST]})
    strategy = fitted(case, samples)
    assert set(strategy.guess(strangers)) <= {0, 1, 2, 3}
    if isinstance(strategy, PosteriorStrategy):
        np.testing.assert_allclose(strategy.posterior(strangers).sum(axis=1), 1)


@every_shape
def test_the_largest_number_there_is_may_stand_for_no_answer(case):
    """Its square is infinite; it says nothing here, and the other column as much as before."""
    samples = leaky(600, seed=13)
    missing = np.where(np.arange(600) % 30, 0.0, LARGEST)
    seen = {"y": samples.observables.matrix()[:, 0], "other": missing}
    told = replace(samples, observables=Observables.of(seen))
    half = np.arange(600) < 450
    strategy = fitted(case, told.take(half))
    earned = strategy.gains(told.take(~half)).mean()
    if case.learns:
        assert earned > 0.6


@every_shape
def test_columns_are_found_by_their_names(case):
    samples = leaky(300, seed=13)
    strategy = fitted(case, samples)
    among_others = Observables.of({"x": np.zeros(14), "y": CHANNEL.observables})
    np.testing.assert_array_equal(strategy.guess(among_others), strategy.guess(everything()))
    if case.learns:
        with pytest.raises(InputError, match="no column 'y'"):
            strategy.guess(Observables.of({"x": [1.0]}))
        with pytest.raises(InputError, match="column 'y' must be of numbers, as it was before"):
            strategy.guess(Observables.of({"y": ["1"]}))


@every_shape
@pytest.mark.parametrize("shape", ["constant", "wide"])
def test_columns_that_say_nothing(case, shape):
    samples = leaky(600, seed=14)
    rng = np.random.default_rng(0)
    many = 1 if shape == "constant" else 199
    extra = rng.normal(size=(600, many)) * (0.0 if shape == "constant" else 1.0) + 5
    columns = {"y": samples.observables.matrix()[:, 0]} | {
        f"x{i}": extra[:, i] for i in range(many)
    }
    told = replace(samples, observables=Observables.of(columns))
    half = np.arange(600) < 450
    strategy = fitted(case, told.take(half))
    earned = strategy.gains(told.take(~half)).mean()
    if shape == "constant" and case.learns:
        assert earned > 0.6
    assert 0.2 < earned <= 1


@every_shape
@pytest.mark.parametrize("many", [2, 500])
def test_two_and_five_hundred_secrets(case, many):
    rng = np.random.default_rng(1)
    step = 10 if many == 2 else 1
    codes = np.concatenate([np.arange(many), rng.integers(0, many, 700)])
    shown = np.round(step * codes + rng.normal(size=len(codes)) * np.sqrt(step) / 2)
    samples = Samples.of(codes, {"y": shown}, attributes={"y": codes * step})
    strategy = fitted(slimmed(case) if many == 500 else case, samples)
    guesses = strategy.guess(Observables.of({"y": np.arange(many) * step}))
    assert guesses.shape == (many,)
    if case.learns and not (many == 500 and "trees" in case.adversary.name):
        assert np.abs(guesses - np.arange(many)).mean() <= (0 if many == 2 else 100)


def slimmed(case: Case, iterations: int = 2) -> Case:
    """The same with few trees: every iteration grows one per secret, out of every column."""
    adversary = case.adversary
    if isinstance(adversary, Trees):
        fewer = replace(adversary, iterations=iterations, leaves=4)
        return replace(case, adversary=fewer)
    if isinstance(adversary, Vote):
        members = tuple(m for m in adversary.members if not isinstance(m, Trees))
        return replace(case, adversary=replace(adversary, members=members))
    return case


@every_shape
def test_categorical_columns(case):
    """The colour tells half of the secrets from the others; strangers are answered too."""
    samples = leaky(400, seed=15)
    colours = np.array(["red", "blue", "green", "black"])[samples.codes]
    columns = {"y": samples.observables.matrix()[:, 0], "colour": colours}
    told = replace(samples, observables=Observables.of(columns))
    strategy = fitted(case, told)
    if case.learns and not case.distance:
        assert strategy.gains(told).mean() > 0.9
    stranger = Observables.of({"y": [4, 0], "colour": ["pink", "red"]})
    assert set(strategy.guess(stranger)) <= {0, 1, 2, 3}


PLACELESS = {name: case for name, case in CHEAP.items() if not case.distance}


@pytest.mark.parametrize("case", PLACELESS.values(), ids=PLACELESS.keys())
def test_only_categories(case):
    colours = np.array(["red", "blue", "green"])
    codes = np.random.default_rng(0).integers(0, 3, 200)
    samples = Samples.of(codes, {"colour": colours[codes]})
    guesses = fitted(case, samples).guess(Observables.of({"colour": colours}))
    if case.learns:
        assert guesses.tolist() == [0, 1, 2]


@every_shape
def test_groups_are_allowed(case):
    samples = leaky(300, seed=16, groups=np.arange(300) // 30)
    assert value(fitted(case, samples)) <= CHANNEL.posterior_vulnerability() + 1e-12


@every
def test_two_samples_are_enough_to_start(case):
    samples = leaky(300, seed=17).take(slice(0, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fitted(case, samples).guess(everything()).shape == (14,)
