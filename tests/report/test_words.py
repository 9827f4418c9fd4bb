"""Numbers in the language of the gain; every figure in a sentence is worked out by hand."""

from types import SimpleNamespace

import pytest

from gleak.certificate import Certificate
from gleak.certify import Bracket
from gleak.report.words import headline, is_chance, meaning, percent, plain, verdict


def estimate(gain, found, blind, *, ratio=None, low=0.0, high=1.0, leaks=True):
    after, before = Bracket(*found), Bracket(*blind)
    extra = Bracket(0.0, after.estimate - before.estimate, None)
    certificate = Certificate(
        after, before, False, extra, None if ratio is None else Bracket(*ratio),
        "leaks" if leaks else "no leak proven",
    )  # fmt: skip
    payoff = SimpleNamespace(low=low, high=high)
    return SimpleNamespace(
        gain=gain, certificate=certificate, vulnerability=after, prior_vulnerability=before,
        verdict=certificate.verdict, additive_leakage=extra,
        multiplicative_leakage=certificate.multiplicative,
        attacker=SimpleNamespace(strategy=SimpleNamespace(payoff=payoff)),
    )  # fmt: skip


ONE = estimate("bayes", (0.6, 0.64, 0.7), (0.1, 0.16, 0.2), ratio=(3.0, 4.0, 7.0))


def test_one_try():
    assert verdict(ONE) == (
        "An attacker with one try names the secret at least 60.0 % of the time. "
        "A blind guess succeeds 16.0 % of the time."
    )
    assert meaning(ONE) == [
        "In 100 cases it names the secret about 64 times; without looking at the system, 16 times.",
        "Looking at the system multiplies what it wins by 4; at least 3 times is proven. "
        "That is 2.00 bits of min-entropy leakage.",
        "No attacker whatever, however clever, wins more than 70.0 %.",
    ]


def test_several_tries_have_no_bits():
    found = estimate("tries:3", (0.6, 0.64, 0.7), (0.1, 0.16, 0.2), ratio=(1.0, 4.0, 7.0))
    practice, more, _ = meaning(found)
    assert practice.startswith("In 100 cases it has the secret among its 3 guesses about 64 times")
    assert more == "Looking at the system multiplies what it wins by 4."


def test_small_chances_are_counted_out_of_more():
    found = estimate("bayes", (0.001, 0.002, None, "why"), (0.0004, 0.0005, 0.0006))
    assert meaning(found)[0].startswith("In 100,000 cases it names the secret about 200 times")
    assert meaning(found)[0].endswith("50 times.")
    assert meaning(found)[-1] == "A stronger attacker is not excluded: why."


def test_a_property():
    found = estimate("partition:sex", (0.6, 0.64, 0.7), (0.5, 0.5, 0.5))
    assert verdict(found).startswith("An attacker who guesses sex is right at least 60.0 %")


def test_a_distance_is_said_as_a_distance():
    """exp(−t) = 1/2 at t = ln 2: a value of .5 at scale 100 is worth 69.31 away."""
    found = estimate("distance:100", (0.4, 0.5, 0.6), (0.1, 0.25, 0.3))
    assert "is worth a guess that is always 69.31 away" in meaning(found)[0]
    assert "one that is 138.6 away" in meaning(found)[0]
    linear = estimate("distance:100:shape=linear,peak=2", (1.0, 1.5, 1.6), (0.1, 0.5, 0.6))
    assert "always 25 away" in meaning(linear)[0]
    assert "one that is 75 away" in meaning(linear)[0]


def test_within_a_distance_is_a_chance():
    found = estimate("distance:5:shape=threshold", (0.6, 0.64, 0.7), (0.5, 0.5, 0.5))
    assert "comes within 5 of the secret about 64 times" in meaning(found)[0]


def test_money():
    found = estimate("costs.csv", (1.0, 1.25, 3.0), (0.25, 0.5, 0.6), low=-2.0, high=10.0)
    assert verdict(found).endswith("earns at least 1 on average. A blind guess earns 0.5.")
    assert meaning(found)[0] == (
        "It earns 1.25 per secret on average, where a guess earns between -2 and 10 in the gain's "
        "own units. Over 1,000 secrets that is about 750 more than by guessing blindly."
    )
    assert meaning(found)[1] == "Looking at the system is worth 0.75 to it on average."


def test_no_leak_proven_is_not_no_leak():
    found = estimate("bayes", (0.4, 0.5, None, "why"), (0.4, 0.5, 0.6), leaks=False)
    assert "That is no proof that nothing leaks." in verdict(found)
    assert headline(found).startswith("no leak proven:")
    idle = estimate("bayes", (0.4, 0.5, None, "why"), (0.4, 0.5, 0.6), ratio=(1, 1, None))
    assert meaning(idle)[1] == "Looking at the system wins it nothing more."


@pytest.mark.parametrize(
    ("gain", "chance"),
    [("bayes", True), ("tries:2", True), ("partition:a", True), ("distance:2", False),
     ("distance:2:shape=threshold,peak=3", False), ("costs.csv", False)],
)  # fmt: skip
def test_which_gains_are_chances(gain, chance):
    assert is_chance(gain) is chance


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0.0 %"), (1, "100.0 %"), (0.01, "1.0 %"), (0.0012345, "0.123 %")]
)
def test_percent_keeps_three_digits_of_small_chances(value, text):
    assert percent(value) == text


def test_plain():
    assert [plain(v) for v in (0.123456, 1234567, -0.5)] == ["0.1235", "1,234,567", "-0.5"]
