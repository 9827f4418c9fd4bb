"""The protocol, on samples of known channels; cheap families, so that it is the protocol that is
tested here and not their strength."""

import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import gleak
from gleak.adversaries import Neighbours
from gleak.adversaries.frequentist import Frequentist
from gleak.channel import Channel
from gleak.errors import InputError
from gleak.estimation import Protocol, estimate, fingerprint
from gleak.samples import Samples

CHANNEL = Channel([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])


def samples(n=1200, seed=0, channel=CHANNEL, **options):
    codes, seen = channel.sample(n, rng=seed)
    return Samples.of(codes, seen, **options)


def count(recorded, gain="bayes", **options):
    return estimate(recorded, gain, adversary="frequentist", **options)


def timeless(found):
    document = found.to_dict()
    document["provenance"].pop("created")
    for entry in document["leaderboard"]:
        entry.pop("seconds")
    return json.dumps(document)


@pytest.mark.parametrize(
    "options",
    [{}, {"split": "blocked"}, {"holdout": 0.3}, {"folds": 4}, {"prior": "uniform"}],
    ids=str,
)
def test_every_protocol_brackets_the_truth(options):
    found = count(samples(), **options)
    assert found.verdict == "leaks"
    assert found.vulnerability.lower < 0.8 < found.vulnerability.upper
    assert found.prior_vulnerability.lower <= 1 / 3 <= found.prior_vulnerability.upper


@dataclass(frozen=True)
class Remembers(Frequentist):
    """Keeps the rows that it learned from, which their observables number."""

    rows: list = field(default_factory=list, compare=False, repr=False)

    def _fit(self, train, payoff, rng):
        self.rows.append(train.observables.columns[0].values.astype(int))
        return super()._fit(train, payoff, rng)


ROWS = Samples.of(np.arange(240) % 3, np.arange(240))
PROTOCOLS = {
    "random": (ROWS, {}),
    "blocked": (ROWS, {"split": "blocked"}),
    "folds": (ROWS, {"folds": 4}),
    "prior": (ROWS, {"prior": "uniform"}),
    "groups": (replace(ROWS, groups=np.arange(240) // 5), {}),
    "folds of groups": (replace(ROWS, groups=np.arange(240) // 5), {"folds": 3}),
    "two files": (ROWS.take(np.arange(100)), {"certify_on": ROWS.take(np.arange(100, 240))}),
}


@pytest.mark.parametrize("case", PROTOCOLS)
def test_no_row_that_certifies_an_attacker_has_trained_it(case):
    (recorded, options), spy, rows = PROTOCOLS[case], Remembers(), np.arange(240)
    found = estimate(recorded, adversary=spy, **options)
    for learned, fold in zip(spy.rows, found.evidence.folds, strict=True):
        certified = fold.weighing.samples.observables.columns[0].values.astype(int)
        assert set(learned) | set(certified) == set(rows)
        assert not set(learned) & set(certified)


def test_luck_on_few_fresh_samples_does_not_exceed_what_is_proven_above():
    """The attacker always guesses the first secret, which 15 of 20 fresh samples happen to have."""
    fair = samples(3000, channel=Channel(np.full((2, 2), 0.5), [0.6, 0.4]))
    few = Samples.of([0] * 15 + [1] * 5, [0, 1] * 10)
    bracket = count(fair, certify_on=few).vulnerability
    assert bracket.lower < bracket.estimate == bracket.upper < 0.7


def test_a_prior_under_which_nothing_certifies_proves_nothing():
    recorded = Samples.of([0] * 40 + [1] * 40, [0, 1] * 40)
    found = count(recorded, split="blocked", prior=[1.0, 0.0])
    assert found.verdict == "no leak proven"
    assert found.to_dict()["payoff"]["deviation"] == 0


def test_auto_finds_the_optimal_attacker_and_keeps_its_learning_curve():
    codes, seen = CHANNEL.sample(12_000, rng=1)
    found = estimate(Samples.of(codes, seen))
    guesses = found.attacker.strategy.guess(Samples.of([0, 1, 2], [0, 1, 2]).observables)
    assert CHANNEL.value(guesses) == pytest.approx(0.8)
    assert [point.samples for point in found.attacker.curve] == [1500, 4000]
    names = [entry.name for entry in found.attacker.leaderboard]
    assert {"blind", "frequentist", "neighbours"} <= set(names)
    scores = [entry.score for entry in found.attacker.leaderboard]
    assert scores == sorted(scores, reverse=True)


def test_where_nothing_leaks_auto_says_so():
    nothing = Channel(np.full((3, 4), 0.25))
    found = estimate(samples(2000, channel=nothing))
    assert found.verdict == "no leak proven"
    assert found.additive_leakage.lower == 0


def test_the_same_seed_gives_the_same_json_with_one_job_and_with_two():
    recorded = samples(600)
    alone, again, together = (estimate(recorded, rng=3, jobs=jobs) for jobs in (1, 1, 2))
    assert timeless(alone) == timeless(again) == timeless(together)
    assert timeless(alone) != timeless(estimate(recorded, rng=4))


def test_several_gains_are_answered_in_their_order():
    gains = ["tries:2", "partition:half", "bayes", "distance:1:at"]
    codes, seen = CHANNEL.sample(1200, rng=0)
    half = {"half": codes // 2, "at": codes * 1.0}
    recorded = Samples.of(codes, seen, attributes=half)
    found = count(recorded, gains)
    assert [each.gain for each in found] == gains
    truth = Channel(CHANNEL.matrix, attributes={"half": [0, 0, 1], "at": [0.0, 1.0, 2.0]})
    for each in found:
        value = truth.posterior_vulnerability(each.gain)
        assert each.vulnerability.lower < value < each.vulnerability.upper
    alone = count(recorded, "tries:2")
    assert alone.vulnerability == found[0].vulnerability


def test_samples_of_another_file_certify():
    found = estimate(samples(500), certify_on=samples(900, seed=9), adversary="frequentist")
    assert (found.samples.train, found.samples.certify, found.samples.total) == (500, 900, 1400)
    assert found.vulnerability.lower < 0.8 < found.vulnerability.upper


def test_secrets_new_in_the_other_file_are_warned_of():
    more = Samples.of([0, 1, 2, 3, 3, 3] * 50, [0, 1, 2, 0, 1, 2] * 50)
    found = estimate(samples(500), certify_on=more, adversary="frequentist")
    assert found.samples.secrets == 4
    assert any("1 of 4 secrets is never trained on (such as '3')" in w for w in found.warnings)


def test_a_prior_unlike_the_samples_weighs_them():
    """Recorded evenly, asked about a prior under which the third secret hardly occurs."""
    prior = np.array([0.7, 0.29, 0.01])
    truth = Channel(CHANNEL.matrix, prior)
    found = count(samples(6000), prior=prior)
    value = truth.posterior_vulnerability()
    assert found.vulnerability.lower < value < found.vulnerability.upper
    assert found.vulnerability.estimate == pytest.approx(value, abs=0.02)
    assert found.certificate.prior_known
    assert found.prior_vulnerability.estimate == pytest.approx(0.7)
    assert any("rows weigh unevenly: they are worth" in warning for warning in found.warnings)


def test_a_prior_reaches_the_classes_of_secrets():
    codes, seen = CHANNEL.sample(6000, rng=0)
    recorded = Samples.of(codes, seen, attributes={"half": codes // 2})
    prior = np.array([0.5, 0.1, 0.4])
    found = count(recorded, "partition:half", prior=prior)
    truth = Channel(CHANNEL.matrix, prior, attributes={"half": [0, 0, 1]})
    assert found.prior_vulnerability.estimate == pytest.approx(0.6)
    value = truth.posterior_vulnerability("partition:half")
    assert found.vulnerability.lower < value < found.vulnerability.upper


def test_public_columns_are_known_beforehand():
    """The public column tells the secret's parity; the other tells the rest, half of the time."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, 4000)
    other = np.where(rng.random(4000) < 0.5, codes // 2, 2)
    recorded = Samples.of(codes, {"parity": codes % 2, "other": other}, public=["parity"])
    found = count(recorded)
    assert found.prior_vulnerability.lower < 0.5 < found.prior_vulnerability.upper
    assert found.vulnerability.lower < 0.75 < found.vulnerability.upper
    assert found.additive_leakage.lower > 0.1
    alone = count(replace(recorded, public=()))
    assert alone.prior_vulnerability.upper < 0.35


def test_rows_of_a_group_stay_together_and_count_once():
    codes, seen = CHANNEL.sample(400, rng=0)
    groups = np.repeat(np.arange(400), 5)
    recorded = Samples.of(np.repeat(codes, 5), np.repeat(seen, 5), groups=groups)
    grouped, naive = count(recorded), count(replace(recorded, groups=None))
    assert grouped.vulnerability.lower < naive.vulnerability.lower
    assert grouped.vulnerability.upper > naive.vulnerability.upper


def test_an_adversary_may_be_an_object_and_a_route_is_passed_on():
    found = estimate(samples(), "tries:2", adversary=Neighbours(k=5), route="guess")
    assert (found.attacker.name, found.attacker.route) == ("neighbours", "guess")
    assert found.attacker.parameters["k"] == 5


def test_json_has_the_keys_of_the_contract():
    document = count(samples()).to_dict()
    assert list(document) == [
        "schema_version", "gain", "vulnerability", "prior_vulnerability", "leakage", "confidence",
        "verdict", "adversary", "leaderboard", "learning_curve", "payoff", "samples", "warnings",
        "provenance",
    ]  # fmt: skip
    assert set(document["vulnerability"]) == {"lower", "estimate", "upper", "upper_reason"}
    assert set(document["prior_vulnerability"]) == {"lower", "estimate", "upper", "known"}
    assert set(document["leakage"]) == {"multiplicative", "additive", "min_entropy_bits"}
    assert set(document["samples"]) == {
        "total", "train", "choose", "certify", "secrets", "distinct_observables",
    }  # fmt: skip
    assert document["provenance"]["seed"] == 0
    json.dumps(document, allow_nan=False)


def test_a_leakage_without_meaning_is_null_and_how_gains_deviate_is_said():
    costly = count(samples(), gleak.matrix([[1, -2, -2], [-2, 1, -2], [-2, -2, 1]])).to_dict()
    assert costly["leakage"]["min_entropy_bits"] is None
    assert set(costly["leakage"]["multiplicative"].values()) == {None}
    payoff, share = costly["payoff"], (costly["vulnerability"]["estimate"] + 2) / 3
    assert (payoff["low"], payoff["high"], payoff["guesses"]) == (-2, 1, 3)
    assert payoff["deviation"] == pytest.approx(3 * np.sqrt(share * (1 - share)))


def test_guesses_too_many_for_a_number_are_null():
    rng = np.random.default_rng(0)
    found = count(Samples.of(rng.integers(0, 200, 2000), rng.integers(0, 2, 2000)), "tries:50")
    assert found.to_dict()["payoff"]["guesses"] is None


def test_gain_per_secret_and_per_guess():
    found = count(samples(6000))
    np.testing.assert_allclose(found.per_secret.gain, 0.8, atol=0.05)
    assert found.per_secret.samples.sum() == found.samples.certify == found.per_guess.samples.sum()
    [first, *_] = found.per_secret.strongest(1)
    assert first[1] == found.per_secret.gain.max()


def test_the_fingerprint_is_that_of_the_data():
    assert fingerprint(samples()) == fingerprint(samples())
    assert fingerprint(samples()) != fingerprint(samples(seed=1))
    renamed = Samples.of(samples().codes, {"time": samples().observables.columns[0].values})
    assert fingerprint(samples()) != fingerprint(renamed)


WARNED = {
    "all observables different": (
        lambda: Samples.of([0, 1] * 50, np.random.default_rng(0).random(100)),
        "every observable is different",
    ),
    "few samples of a secret": (
        lambda: Samples.of([0] * 100 + [1] * 100 + [2] * 6, [0, 1] * 103),
        "1 secret has fewer than 10 training samples",
    ),
    "drift": (
        lambda: Samples.of([0, 1] * 600, np.r_[[0, 1] * 400, [1, 0] * 200]),
        "rows may not be independent; try --split blocked",
    ),
    "no better than blind": (
        lambda: Samples.of([0, 1, 0] * 50, np.zeros(150)),
        "does not beat the blind guess",
    ),
}


@pytest.mark.parametrize("case", WARNED)
def test_what_a_person_should_know_is_said(case):
    make, sentence = WARNED[case]
    found = count(make())
    assert any(sentence in warning for warning in found.warnings), found.warnings


def test_nothing_is_said_where_there_is_nothing_to_say():
    assert count(samples()).warnings == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 95}, "the confidence must be between 0 and 1, .* got 95; 95 % is 0.95"),
        ({"split": "rnadom"}, "the split must be 'random' or 'blocked', got 'rnadom'"),
        ({"folds": 1}, "the number of folds must be at least 2, got 1"),
        ({"route": "both"}, "the route must be 'auto', 'secret' or 'guess'"),
        ({"holdout": 1.5}, "1.5"),
        ({"holdout": 0.2, "folds": 5}, "give holdout or folds, not both"),
        ({"folds": 5, "certify_on": "it"}, "certify_on must be Samples, got a str"),
        ({"rng": -1}, "the seed must be a whole number from 0 on, got -1"),
        ({"gain": []}, "there is no gain to estimate"),
        ({"gain": 3}, "a gain must be a spec as text or one of gleak's gains, got 3"),
        ({"adversary": "neihbours"}, r"unknown adversary 'neihbours'; did you mean 'neighbours'\?"),
        ({"prior": "unifrom"}, "the prior must be 'empirical', 'uniform' or a file"),
        ({"prior": [0.5, 0.5]}, "one number for each of the 3 secrets, got 2"),
        ({"jobs": 0}, "the number of jobs must be at least 1, got 0"),
        ({"engine": "rya"}, r"unknown engine 'rya'; did you mean 'ray'\?"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        estimate(samples(), **{"adversary": "frequentist", **options})


def test_what_would_be_ignored_is_refused():
    with pytest.raises(InputError, match="nothing to part in folds"):
        estimate(samples(), certify_on=samples(), folds=4)
    grouped = replace(samples(), groups=np.arange(len(samples())) // 5)
    with pytest.raises(InputError, match="a blocked split would part groups"):
        estimate(grouped, adversary="frequentist", split="blocked")


@pytest.mark.parametrize("what", [None, "samples.csv", {"secret": [0, 1]}])
def test_what_is_neither_samples_nor_a_system_is_told_how_to_become_samples(what):
    with pytest.raises(InputError, match=r"must be Samples, or a system .*; make samples of it"):
        estimate(what)


def test_the_seed_is_kept_whoever_made_the_number():
    assert count(samples(300), rng=np.int64(3)).provenance.seed == 3
    assert count(samples(300), rng=np.random.default_rng(3)).provenance.seed is None


def test_an_attacker_that_was_asked_for_is_announced_too():
    told = []
    estimate(samples(300), adversary="frequentist", progress=lambda *line: told.append(line))
    assert told == [("training frequentist on 150 samples", 0.0)]


def test_every_option_is_documented_in_the_protocol():
    assert set(Protocol.__dataclass_fields__) == {
        "adversary", "route", "prior", "holdout", "split", "folds", "confidence", "jobs", "engine",
    }  # fmt: skip
    assert gleak.estimate is estimate


def test_progress_goes_on_from_fold_to_fold_and_from_gain_to_gain():
    """Classes of the secret are learned apart: two tournaments in each of two folds."""
    told, counted = [], samples(300)
    halves = replace(counted, attributes={"half": np.array(["a", "a", "b"])})
    estimate(halves, ["bayes", "partition:half"], folds=2, progress=lambda *line: told.append(line))
    lines, shares = zip(*told, strict=True)
    assert list(shares) == sorted(shares)
    assert [shares[i] for i, line in enumerate(lines) if line.startswith("trying blind")] == [
        0, 0.25, 0.5, 0.75,
    ]  # fmt: skip
    assert shares[-1] == 1 - 0.1 / 4


def test_who_is_chosen_among_is_counted_where_there_was_a_choice():
    assert count(samples(300)).samples.choose == 0
    assert estimate(samples(300)).samples.choose == 150
