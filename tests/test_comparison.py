"""The change between two systems, by hand-made sides and by real ones."""

from dataclasses import replace

import pytest

from gleak import Channel, Samples
from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.comparison import Change, Comparison, compare
from gleak.errors import InputError
from gleak.estimation import estimate


def system(p, seed=0, n=3000, **options):
    channel = Channel([[p, 1 - p], [1 - p, p]])
    return estimate(Samples.of(*channel.sample(n, rng=seed)), adversary="frequentist", **options)


@pytest.fixture(scope="module")
def leaky():
    return system(0.9)


@pytest.fixture(scope="module")
def fixed():
    return system(0.6, 1)


POINT = Bracket.point(0.5)


def side(bracket, sha="1", blind=POINT):
    leak = Bracket(0, 0, None)
    return Side("bayes", bracket, blind, leak, None, None, 0.95, "trees", 10, sha)


def changed(before, after):
    return Comparison(side(before), side(after, "2"), 0.95, from_baseline=False)


@pytest.mark.parametrize(
    ("before", "after", "change", "verdict", "at_least"),
    [
        # lower: after.lower − before.upper; upper: after.upper − before.lower
        ((6, 7, 8), (1, 2, 3), (-7, -5, -3), "removed", 3),
        ((1, 2, 3), (6, 7, 8), (3, 5, 7), "worse", 3),
        ((1, 2, 3), (2, 3, 4), (-1, 1, 3), "no change proven", None),
        ((3, 4, 5), (1, 2, 3), (-4, -2, 0), "no change proven", None),
        ((6, 7, 8), (1, 2, None), (-7, -5, None), "no change proven", None),
        ((1, 2, None), (6, 7, 8), (None, 5, 7), "no change proven", None),
        ((6, 7, None), (1, 2, 3), (None, -5, -3), "removed", 3),
        ((1, 2, 3), (6, 7, None), (3, 5, None), "worse", 3),
    ],
)
def test_the_verdict_is_the_sign_of_what_is_proven(before, after, change, verdict, at_least):
    found = changed(Bracket(*before), Bracket(*after))
    assert found.vulnerability == Change(*change)
    assert (found.verdict, found.at_least) == (verdict, at_least)


def test_a_missing_upper_side_says_what_cannot_be_proven():
    [warning] = changed(Bracket(6, 7, 8), Bracket(1, 2, None, "all differ")).warnings
    assert warning == ("no removal can be proven: there is no proven upper side after (all differ)")
    [warning] = changed(Bracket(6, 7, None, "all differ"), Bracket(1, 2, 3)).warnings
    assert warning.startswith("no worsening can be proven: there is no proven upper side before")


def test_blind_guesses_that_differ_are_pointed_at():
    before = side(Bracket(0.5, 0.6, 0.7), blind=Bracket(0.2, 0.3, 0.4))
    for blind, warned in ((Bracket(0.41, 0.5, 0.6), 1), (Bracket(0.39, 0.5, 0.6), 0),
                          (Bracket(0, 0.1, 0.19), 1), (Bracket(0, 0.1, None), 0)):  # fmt: skip
        after = side(Bracket(0.5, 0.6, 0.7), "2", blind)
        warnings = Comparison(before, after, 0.95, from_baseline=False).warnings
        assert [("look at the leakage" in line) for line in warnings] == [True] * warned


def test_either_side_is_proven_at_half_the_error(leaky, fixed):
    found = compare(leaky, fixed)
    assert (found.before.confidence, found.after.confidence) == (0.975, 0.975)
    before, after = leaky.at(0.975).vulnerability, fixed.at(0.975).vulnerability
    assert found.vulnerability.lower == after.lower - before.upper
    assert found.vulnerability.upper == after.upper - before.lower
    assert (found.confidence, found.verdict) == (0.95, "removed")
    assert 0.2 < found.at_least < 0.3 < -found.vulnerability.lower
    additive = found.additive
    assert additive.lower < -0.3 < additive.upper < 0
    assert found.multiplicative.upper < 0
    assert found.min_entropy_bits.upper < 0


def test_the_other_way_round_is_worse(leaky, fixed):
    there, back = compare(leaky, fixed), compare(fixed, leaky)
    assert (back.verdict, back.at_least) == ("worse", pytest.approx(there.at_least))


def test_a_system_compared_with_itself(leaky):
    found = compare(leaky, leaky)
    assert (found.verdict, found.vulnerability.estimate) == ("no change proven", 0)
    assert "both sides are the same samples" in found.warnings


def test_a_baseline_adds_its_error(leaky, fixed):
    found = compare(Side.of(leaky), fixed)
    assert found.confidence == pytest.approx(0.9)
    assert (found.before.confidence, found.after.confidence) == (0.95, 0.95)
    assert found.warnings[0] == (
        "the baseline is proven at 95 % and cannot be made surer, so the errors of both sides add "
        "up: changes hold at 90 %"
    )


def test_errors_that_leave_nothing_are_refused(leaky, fixed):
    weak = replace(Side.of(leaky), confidence=0.04)
    with pytest.raises(InputError, match=r"must be less than 1 together, got 0.96 before and 0.05"):
        compare(weak, fixed)


def test_another_gain_is_refused(leaky):
    other = replace(leaky, gain="tries:2")
    with pytest.raises(InputError, match="of one gain, got tries:2 before and bayes after"):
        compare(other, leaky)


def test_a_quantity_that_one_side_lacks_is_null(leaky, fixed):
    without = replace(Side.of(leaky), multiplicative=None, min_entropy_bits=None)
    document = compare(without, fixed).to_dict()
    nothing = {"lower": None, "estimate": None, "upper": None}
    assert document["change"]["leakage"]["multiplicative"] == nothing
    assert document["before"]["leakage"]["multiplicative"] == nothing
    assert document["change"]["leakage"]["min_entropy_bits"] is None
    assert document["before"]["leakage"]["min_entropy_bits"] is None
