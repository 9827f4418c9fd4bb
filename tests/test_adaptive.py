"""Estimates from live systems, asked until they are precise enough."""

import numpy as np
import pytest

import gleak
from gleak.adaptive import estimate_live
from gleak.channel import Channel
from gleak.errors import GleakWarning, InputError
from gleak.estimation import estimate
from gleak.live_attacker import Learner, Target
from gleak.live_stages import Counted, Pilot, Staked, counted_lower, strata_of
from gleak.parallel import Runner
from gleak.population import Population
from gleak.staking import LEVELS, Ledger, staked_lower, stakes_for

NOISY = Channel([[0.9, 0.1], [0.2, 0.8]], secrets=["no", "yes"])
"""V = (.9 + .8)/2 under the uniform prior."""


@pytest.fixture(scope="module")
def found():
    return estimate_live(NOISY, precision=0.03, adversary="frequentist")


def test_it_stops_when_precise_and_the_bracket_holds(found):
    bracket = found.vulnerability
    assert bracket.lower <= 0.85 <= bracket.upper
    assert bracket.estimate - bracket.lower <= 0.03
    assert found.spending.reached
    assert found.spending.still == 0
    assert found.verdict == "leaks"


def test_the_prior_is_known_and_so_are_the_leakages(found):
    assert found.prior_vulnerability.lower == found.prior_vulnerability.upper == 0.5
    assert found.additive_leakage.lower == pytest.approx(found.vulnerability.lower - 0.5)
    ratio = found.multiplicative_leakage
    assert ratio.lower == pytest.approx(found.vulnerability.lower / 0.5)


def test_what_was_spent_adds_up_and_is_in_the_json(found):
    spent = found.spending
    assert spent.training + spent.certifying == spent.queries == found.samples.total
    assert found.to_dict()["live"]["queries"] == spent.queries


def test_it_holds_at_the_confidence_it_was_collected_for(found):
    assert found.at(0.95) is found
    with pytest.raises(InputError, match="as it was asked for"):
        found.at(0.99)


def test_estimate_takes_a_system_instead_of_samples(found):
    again = estimate(NOISY, "bayes", precision=0.03, adversary="frequentist")
    assert again.vulnerability == found.vulnerability


def test_a_system_takes_no_other_samples():
    recorded = gleak.Samples.of([0, 1], [0, 1])
    with pytest.raises(InputError, match="certify_on is for samples"):
        estimate(NOISY, precision=0.1, certify_on=recorded)


def test_a_budget_that_is_too_small_says_what_is_missing():
    found = estimate_live(NOISY, precision=0.005, adversary="frequentist", queries=1500)
    assert found.spending.queries <= 1500
    assert not found.spending.reached
    assert found.spending.still > 5_000
    assert found.vulnerability.lower < 0.85
    assert "would still cost about" in found.warnings[0]


class Fragile:
    """A deterministic system that breaks after so many answers."""

    description = "fragile"

    def __init__(self, lasts):
        self.left = lasts

    def draw(self, secrets, rng):
        self.left -= len(secrets)
        if self.left < 0:
            raise InputError("it broke")
        return (secrets + np.arange(len(secrets)) // 7 % 2) % 3


def test_a_run_that_broke_continues_as_if_it_had_not(tmp_path):
    options = {"precision": 0.05, "secrets": [0, 1, 2], "adversary": "frequentist"}
    for lasts in (500, 1500):
        with pytest.raises(InputError, match="it broke"):
            estimate_live(Fragile(lasts), out=tmp_path / "c.sqlite", **options)
    found = estimate_live(Fragile(10**6), out=tmp_path / "c.sqlite", **options)
    whole = estimate_live(Fragile(10**6), **options)
    assert found.vulnerability == whole.vulnerability
    assert found.spending == whole.spending
    with pytest.warns(GleakWarning, match="until it was precise enough"):
        assert len(gleak.read(tmp_path / "c.sqlite", "secret")) == whole.spending.queries


def test_a_budget_may_be_raised_on_the_way(tmp_path):
    """What was asked under the smaller budget is not asked again, and the run comes to its end."""
    options = {"precision": 0.03, "adversary": "frequentist", "out": tmp_path / "c.sqlite"}
    for queries in (800, 1000, None):
        found = estimate_live(NOISY, queries=queries, **options)
        if queries is not None:
            assert found.spending.queries <= queries
            assert found.spending.stopped == "the queries are spent"
    assert found.spending.reached
    assert found.spending.training <= 400
    assert found.vulnerability.lower <= 0.85


def test_another_attacker_may_not_certify_itself_on_answers_that_were_seen(tmp_path):
    options = {"precision": 0.1, "out": tmp_path / "c.sqlite"}
    estimate_live(NOISY, adversary="frequentist", **options)
    with pytest.raises(InputError, match="another purpose"):
        estimate_live(NOISY, adversary="neighbours", **options)


def test_answers_that_were_not_asked_as_the_prior_says_are_weighted(tmp_path):
    """Three gains make bets, and bets ask in Neyman's shares; the file's weights undo them."""
    table = gleak.matrix([[2.0, 0, 1], [0, 1, 1]])
    prior = [0.5, 0.3, 0.2]
    channel = Channel([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], prior=prior)
    file = tmp_path / "c.sqlite"
    estimate_live(channel, table, precision=0.2, adversary="frequentist", out=file)
    with pytest.warns(GleakWarning):
        samples = gleak.read(file, "secret")
    assert np.bincount(samples.codes) / len(samples) != pytest.approx(prior, abs=0.02)
    assert samples.frequencies == pytest.approx(prior)


def test_no_leak_is_not_proven_where_there_is_none():
    silent = Channel([[0.5, 0.5], [0.5, 0.5]])
    found = estimate_live(silent, precision=0.03, adversary="frequentist")
    assert found.verdict == "no leak proven"


def test_channel_preprocessing_reaches_the_same_value():
    """The guess route asks for secrets by R and names guesses; it is scored with the gain."""
    table = gleak.matrix([[2.0, 0, 1], [0, 1, 1]])
    channel = Channel([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], prior=[0.5, 0.3, 0.2])
    exact = channel.posterior_vulnerability(table)
    for route in ("guess", "auto", "secret"):
        found = estimate_live(channel, table, precision=0.1, adversary="frequentist", route=route)
        assert found.vulnerability.lower <= exact <= found.vulnerability.upper
        assert found.vulnerability.estimate == pytest.approx(exact, abs=0.07)
        if route != "auto":
            assert found.attacker.route == route


def test_the_law_of_channel_preprocessing_is_the_prior_times_what_can_be_earned():
    """ρ_x = π_x·Σ_w g(w,x)/β: here π·G = (1, .3, .4), of sum 1.7."""
    payoff = gleak.matrix([[2.0, 0, 1], [0, 1, 1]]).bind([0, 1, 2])
    target = Target(Population.of([0, 1, 2], [0.5, 0.3, 0.2]), payoff, np.arange(3))
    learner = Learner(target, "frequentist", Runner(), lambda *_: None)
    assert learner.law(["guess"]) == pytest.approx(np.array([1.0, 0.3, 0.4]) / 1.7)
    assert learner.law(["secret"]) == pytest.approx([0.5, 0.3, 0.2])


def test_classes_of_secrets():
    """Four secrets, of which only the parity matters and shows."""
    channel = Channel(np.array([[1.0, 0], [0, 1], [1, 0], [0, 1]]))
    parity = gleak.partition(lambda secret: secret % 2)
    found = estimate_live(channel, parity, precision=0.05, adversary="frequentist")
    assert found.vulnerability.estimate == 1.0
    assert found.samples.secrets == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 0}, "the precision must be above 0"),
        ({"precision": 0.1, "route": "both"}, "the route must be"),
        ({"precision": 0.1, "rng": None}, "rng must be a whole number"),
        ({"precision": 0.1, "prior": "empirical"}, "known beforehand"),
        ({}, "pass precision"),
    ],
)
def test_refusals(options, message):
    with pytest.raises(InputError, match=message):
        estimate_live(NOISY, **options)


def test_a_function_needs_its_secrets():
    with pytest.raises(InputError, match="pass secrets="):
        estimate_live(lambda secrets: secrets, precision=0.1)


# Stages


def pilot_of(gains):
    return Pilot(np.arange(len(gains)) % 2, np.array(gains, dtype=float), np.ones(len(gains)))


PAIR = Population.of(["a", "b"])


def test_counting_plans_for_the_answers_it_needs():
    stage = Counted(PAIR, pilot_of([1, 1, 1, 0] * 100), 0.02, 0.025, None)
    n = stage.planned
    share = 0.75 - 1.5 * pilot_of([1, 1, 1, 0] * 100).error
    assert share - counted_lower(round(share * n), n, 0.85 * 0.025) <= 0.02 + 1 / n
    looks = [stage._size(i) for i in range(4)]
    assert looks == [n // 4, n, 2 * n, 4 * n]


@pytest.mark.parametrize("only", [None, 50])
def test_all_looks_together_spend_no_more_than_there_is(only):
    stage = Counted(PAIR, pilot_of([1, 0] * 50), 0.05, 0.1, only)
    assert sum(stage._share(look) for look in range(60)) == pytest.approx(1.0)


def test_nothing_is_claimed_within_one_win_of_the_mean():
    assert counted_lower(0, 10, 0.05) == 0
    assert counted_lower(1, 10, 0.05) == 0
    assert counted_lower(10, 10, 0.4) <= 0.9


def test_neymans_shares_follow_prior_and_deviation():
    """Secret a always wins in the pilot, b half the time: b is asked more often."""
    gains = np.array([1.0, 0, 1, 1] * 200)
    codes = np.array([0, 1] * 400)
    stage = Staked(PAIR, Pilot(codes, gains, np.ones(800)), 0.05, 0.05, None)
    deviation = np.sqrt(np.array([0.25, 100.25]) / 401)
    assert stage.share == pytest.approx(0.9 * deviation / deviation.sum() + 0.1 * 0.5)


def test_a_pilot_of_another_attacker_is_not_believed_for_long():
    """Of two secrets that look alike the attacker names one, the pilot's attacker the other."""
    population = Population.of(np.arange(10))
    codes = np.repeat(np.arange(10), 100)
    pilot = Pilot(codes, (codes % 2 == 0).astype(float), np.ones(1000))
    stage, rng = Staked(population, pilot, 0.02, 0.025, None), np.random.default_rng(0)
    while stage.asked == 0 or stage.estimate - stage.lower > 0.02:
        asked = stage.block(rng)
        stage.count(asked, ((asked % 2 == 1) & (rng.random(len(asked)) < 0.9)).astype(float))
    assert stage.lower <= 0.45
    assert stage.asked < 5_000


def test_many_secrets_share_strata_of_about_equal_prior():
    strata = strata_of(Population.of(np.arange(1000)))
    assert strata.max() == 63
    assert np.bincount(strata).min() >= 15
    assert (np.diff(strata) >= 0).all()


def brute(ledger, prior, alpha, steps=400):
    """The minimum over two strata's means by trying a grid of them."""
    grid = np.linspace(1e-4, 1, steps)
    capital = []
    for stratum in (0, 1):
        mine = ledger.stratum == stratum
        ratio = ledger.value[mine] / grid[:, None] - 1
        capital.append(np.log1p(ledger.stake[mine] * ratio) @ ledger.times[mine])
    total = capital[0][:, None] + capital[1][None, :]
    means = prior[0] * grid[:, None] + prior[1] * grid[None, :]
    return means[total <= np.log(1 / alpha)].min()


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_of_bets_is_the_minimum_over_all_means(seed):
    rng = np.random.default_rng(seed)
    prior = rng.dirichlet([1, 1])
    strata = rng.integers(0, 2, 300)
    values = np.floor(rng.random(300) ** [0.3, 1][seed % 2] * LEVELS) / LEVELS
    ledger = Ledger.empty().betting(strata[:100], values[:100], np.array([0.1, 0.3]))
    ledger = ledger.betting(strata[100:], values[100:], np.array([0.2, 0.05]))
    found = staked_lower(ledger, prior, 0.05)
    assert found == pytest.approx(brute(ledger, prior, 0.05), abs=0.005)


def test_stakes_are_the_exponent_of_chernoffs_bound():
    prior, deviation, share = np.array([0.5, 0.5]), np.array([0.3, 0.1]), np.array([0.75, 0.25])
    stakes = stakes_for(prior, np.ones(2), deviation, share, 10_000, 0.05)
    variance = (0.25 * deviation**2 / (10_000 * share)).sum()
    expected = np.sqrt(2 * np.log(20) / variance) * prior / (10_000 * share)
    assert stakes == pytest.approx(expected)


def test_secrets_spread_over_the_prior_are_as_frequent_as_it_says():
    population = Population.of([0, 1, 2], [0.5, 0.5, 0.0])
    rng = np.random.default_rng(0)
    totals = sum(np.bincount(population.spread(7, rng), minlength=3) for _ in range(2000))
    assert totals[2] == 0
    assert totals[0] == pytest.approx(7000, abs=150)
    assert np.bincount(population.draw(10_000, rng), minlength=3)[2] == 0
