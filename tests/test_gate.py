"""Judging estimates by hand-made brackets, and by real ones."""

from dataclasses import replace

import numpy as np
import pytest

from gleak import Channel, Samples
from gleak.bounds import clopper_pearson
from gleak.budget import Budget
from gleak.certify import Bracket
from gleak.errors import InputError
from gleak.estimation import estimate
from gleak.gate import Gate, Judgement, check, check_choices, more_samples

CHANNEL = Channel([[0.9, 0.1], [0.1, 0.9]])


@pytest.fixture(scope="module")
def found():
    samples = Samples.of(*CHANNEL.sample(2000, rng=0))
    return estimate(samples, adversary="frequentist")


def with_bracket(found, **brackets):
    return replace(found, certificate=replace(found.certificate, **brackets))


def judged(found, bracket, most, **options):
    wanted = with_bracket(found, additive=bracket)
    return check(wanted, [Budget("additive", most)], **options)


@pytest.mark.parametrize(
    ("bracket", "most", "verdict", "code"),
    [
        (Bracket(0.2, 0.3, 0.4), 0.4, "within", 0),  # a budget that is just met is kept
        (Bracket(0.2, 0.3, 0.4), 0.39, "inconclusive", 3),
        (Bracket(0.2, 0.3, 0.4), 0.2, "inconclusive", 3),
        (Bracket(0.2, 0.3, 0.4), 0.19, "over", 1),
        (Bracket(0.2, 0.3, None, "why"), 0.5, "inconclusive", 3),
        (Bracket(0.2, 0.3, None, "why"), 0.1, "over", 1),
    ],
)
def test_what_is_proven_decides(found, bracket, most, verdict, code):
    gate = judged(found, bracket, most)
    assert (gate.verdict, gate.exit_code) == (verdict, code)
    assert gate.judgements[0].proven == (verdict != "inconclusive")


@pytest.mark.parametrize(("most", "verdict", "code"), [(0.31, "within", 0), (0.29, "over", 1)])
@pytest.mark.parametrize("upper", [0.4, None])
def test_the_estimate_decides_where_it_is_asked_to(found, most, verdict, code, upper):
    gate = judged(found, Bracket(0.2, 0.3, upper, "why"), most, judge="estimate")
    assert (gate.verdict, gate.exit_code, gate.judgements[0].proven) == (verdict, code, False)
    assert gate.judgements[0].reason.endswith("judged on the estimate of 0.3000")


def test_the_estimate_never_overrules_a_proof(found):
    gate = judged(found, Bracket(0.2, 0.3, 0.4), 0.4, judge="estimate")
    assert gate.judgements[0].proven
    assert gate.judgements[0].reason == "proven to be at most 0.4000"


@pytest.mark.parametrize(("choice", "code"), [(None, 3), ("pass", 0), ("fail", 1)])
def test_what_is_inconclusive_is_what_one_says(found, choice, code):
    open_ = judged(found, Bracket(0.2, 0.3, 0.4), 0.3, inconclusive=choice)
    assert (open_.verdict, open_.exit_code) == ("inconclusive", code)
    for most, decided in ((0.5, 0), (0.1, 1)):
        assert judged(found, Bracket(0.2, 0.3, 0.4), most, inconclusive=choice).exit_code == decided


def test_the_worst_judgement_is_the_verdict(found):
    def gate(*verdicts):
        budget = Budget("additive", 0.1)
        found_ = [Judgement("bayes", budget, None, v, True, "") for v in verdicts]
        return Gate((found,), tuple(found_), 0.95).verdict

    assert gate("within", "inconclusive", "over") == "over"
    assert gate("within", "inconclusive") == "inconclusive"
    assert gate("within", "within") == "within"


def test_one_budget_is_judged_on_the_estimate_s_own_bracket(found):
    [judgement] = check(found, [Budget("vulnerability", 0.9)]).judgements
    assert judgement.bracket == found.vulnerability


def test_several_budgets_share_the_error(found):
    """With four budgets each bracket misses a quarter of 5 %, half of it on either side."""
    wanted = [Budget("vulnerability", 0.5), Budget("additive", 0.1),
              Budget("multiplicative", 1.2), Budget("min_entropy_bits", 3)]  # fmt: skip
    gate = check(found, wanted)
    held_out = found.evidence.folds[0].gains
    lower = clopper_pearson(held_out, alpha=0.05 / 8, side="lower").lower
    assert gate.judgements[0].bracket.lower == lower < found.vulnerability.lower
    assert [j.verdict for j in gate.judgements] == ["over", "over", "over", "within"]
    assert gate.estimates[0].confidence == pytest.approx(1 - 0.05 / 4)
    assert gate.confidence == 0.95


def test_an_estimate_at_another_confidence_is_what_would_have_been_estimated(found):
    samples = Samples.of(*CHANNEL.sample(2000, rng=0))
    again = estimate(samples, adversary="frequentist", confidence=0.8)
    assert found.at(0.8).certificate == again.certificate
    assert found.at(0.95) is found


def test_quantities_are_judged_by_their_own_bracket(found):
    for quantity in ("vulnerability", "multiplicative", "additive", "min_entropy_bits"):
        bracket = getattr(found.certificate, quantity)
        above = Budget(quantity, np.nextafter(bracket.upper, np.inf))
        below = Budget(quantity, np.nextafter(bracket.lower, -np.inf))
        assert check(found, [above]).verdict == "within"
        assert check(found, [below]).verdict == "over"


def test_a_ratio_that_does_not_exist_is_inconclusive_with_the_way_out(found):
    gate = check(with_bracket(found, multiplicative=None), [Budget("multiplicative", 1.5)])
    assert gate.verdict == "inconclusive"
    assert gate.judgements[0].reason.endswith("which makes no ratio: use --max-additive")
    assert gate.to_dict()["judgements"][0]["lower"] is None


def test_continuous_observables_have_no_upper_side_and_say_so():
    rng = np.random.default_rng(0)
    samples = Samples.of(rng.integers(0, 2, 300), rng.normal(size=300))
    found = estimate(samples, adversary="frequentist")
    gate = check(found, [Budget("multiplicative", 1.5)])
    assert gate.verdict == "inconclusive"
    assert gate.judgements[0].reason.endswith(
        "observables never repeat (they are continuous), so that no number of samples proves an "
        "upper side: let --judge estimate decide"
    )
    assert check(found, [Budget("multiplicative", 1.5)], judge="estimate").exit_code == 0


def test_observables_that_repeat_too_rarely_say_that_instead():
    rng = np.random.default_rng(0)
    seen = np.append(rng.normal(size=290), [0] * 10)
    found = estimate(Samples.of(rng.integers(0, 2, 300), seen), adversary="frequentist")
    [judgement] = check(found, [Budget("vulnerability", 0.95)]).judgements
    assert "more samples per observable would help" in judgement.reason
    assert "continuous" not in judgement.reason
    assert judgement.more_samples is None


def test_more_samples_as_the_root_of_their_number():
    """(0.05·(1 + 0.8416/1.96)/0.02)² = 12.77 times as many."""
    bracket = Bracket(0.45, 0.5, 0.55)
    assert more_samples(bracket, 0.52, 1000, 0.95) == 12_000
    assert more_samples(bracket, 0.48, 1000, 0.95) == 12_000
    assert more_samples(bracket, 0.5, 1000, 0.95) is None
    assert more_samples(bracket, 0.5 + 1e-9, 1000, 0.95) is None
    assert more_samples(Bracket(0.45, 0.5, None), 0.6, 1000, 0.95) is None
    assert more_samples(Bracket(0.45, 0.5, None), 0.48, 1000, 0.95) == 12_000


def test_as_many_more_samples_as_advised_decide_in_most_runs():
    """Told from a first file, tried on fresh files of the size advised: over in 0.8 of them."""
    rng = np.random.default_rng(5)
    truth, most, n, runs = 0.9, 0.88, 1000, 300
    gains = np.zeros(n)
    gains[: int(truth * n)] = 1
    lower = clopper_pearson(gains, alpha=0.025, side="lower").lower
    assert lower < most
    enough = n + more_samples(Bracket(lower, truth, 1.0), most, n, 0.95)
    wins = rng.binomial(enough, truth, runs)
    over = [
        clopper_pearson(np.arange(enough) < w, alpha=0.025, side="lower").lower > most for w in wins
    ]
    assert 0.7 < np.mean(over) < 0.92


def test_choices_that_there_are_not(found):
    with pytest.raises(InputError, match=r"unknown judge 'prof'; did you mean 'proof'\?"):
        check(found, [Budget("additive", 0.1)], judge="prof")
    with pytest.raises(InputError, match=r"inconclusive 'ignore'; known are: pass, fail"):
        check_choices("proof", "ignore")


def test_budgets_of_other_gains_alone_judge_nothing(found):
    with pytest.raises(InputError, match="a budget must be on one of the gains bayes, got none"):
        check(found, [Budget("additive", 0.1, "tries:2")])


def test_a_budget_beyond_the_gain_is_refused(found):
    with pytest.raises(InputError, match="below 1 for the gain bayes, got 1"):
        check(found, [Budget("vulnerability", 1)])
