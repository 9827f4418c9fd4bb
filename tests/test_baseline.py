"""Saved estimates: read back as they were, refused with the key that is wrong."""

import json

import pytest

from gleak import Channel, Samples
from gleak.baseline import Side, read_baseline
from gleak.errors import InputError
from gleak.estimation import estimate
from gleak.report.json import to_json


@pytest.fixture(scope="module")
def found():
    channel = Channel([[0.9, 0.1, 0], [0.1, 0.9, 0], [0, 0.1, 0.9]])
    samples = Samples.of(*channel.sample(1500, rng=0))
    return estimate(samples, ["bayes", "tries:2"], adversary="frequentist")


def test_a_saved_estimate_is_the_side_it_was(tmp_path, found):
    path = tmp_path / "e.json"
    path.write_text(to_json(found))
    sides = [Side.of(one) for one in found]
    read = read_baseline(path)
    assert [side.to_dict() for side in read] == [side.to_dict() for side in sides]
    assert [side.vulnerability for side in read] == [side.vulnerability for side in sides]
    assert "leaves every value" in read[1].vulnerability.upper_reason
    assert read_baseline(path, ["tries:2"]) == read[1:]
    path.write_text(to_json(found[:1]))
    assert read_baseline(path, ["bayes"]) == read[:1]


def test_continuous_observables_are_saved_without_an_upper_side(tmp_path, found):
    document = found[0].to_dict()
    document["vulnerability"]["upper"] = None
    document["leakage"]["multiplicative"] = dict.fromkeys(("lower", "estimate", "upper"))
    document["leakage"]["min_entropy_bits"] = None
    path = tmp_path / "e.json"
    path.write_text(json.dumps(document))
    [side] = read_baseline(path)
    assert side.vulnerability.upper is None
    assert side.multiplicative is None
    assert side.min_entropy_bits is None


def without(path):
    def change(document):
        *outer, last = path.split(".")
        for name in outer:
            document = document[name]
        del document[last]

    return change


def setting(path, value):
    def change(document):
        *outer, last = path.split(".")
        for name in outer:
            document = document[name]
        document[last] = value

    return change


REFUSALS = {
    "version": (setting("schema_version", 2), "schema_version must be one of those understood "
                "here (1), got 2; make the baseline again with this gleak"),
    "version of another kind": (setting("schema_version", "1"), "must be a whole number, got '1'"),
    "no version": (without("schema_version"), "lacks 'schema_version'; known are: gain"),
    "no gain": (without("gain"), "the baseline lacks 'gain'"),
    "no vulnerability": (without("vulnerability"), "the baseline lacks 'vulnerability'; did "
                         "you mean 'prior_vulnerability'?"),
    "no upper": (without("vulnerability.upper"), "lacks 'vulnerability.upper'; known are: "
                 "lower, estimate, upper_reason"),
    "no leakage": (without("leakage.additive"), "the baseline lacks 'leakage.additive'"),
    "no confidence": (without("confidence"), "the baseline lacks 'confidence'"),
    "no adversary": (setting("adversary", 3), "the baseline lacks 'adversary.name'"),
    "no sentences": (setting("warnings", [1]), "'warnings' must be sentences, got 1"),
    "no warnings": (setting("warnings", "none"), "'warnings' must be a list, got 'none'"),
    "text": (setting("vulnerability.lower", "0"), "'vulnerability.lower' must be a number, got"),
    "truth": (setting("vulnerability.lower", True), "must be a number, got True"),
    "null": (setting("vulnerability.lower", None), "must be a number, got None"),
    "confidence of 1": (setting("confidence", 1), "confidence must be between 0 and 1, got 1.0"),
    "crossed": (setting("vulnerability.lower", 0.99), "numbers of which 'lower' is the smallest"),
    "infinite": (setting("vulnerability.upper", float("inf")), "must be finite numbers"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_names_the_file_and_the_key(tmp_path, found, case):
    change, message = REFUSALS[case]
    document = found[0].to_dict()
    change(document)
    path = tmp_path / "e.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError) as refusal:
        read_baseline(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("e.json", "{\n 'x'", "e.json, line 2: no JSON: Expecting property name"),
        ("e.json", "[]", "the baseline lacks 'schema_version'"),
        ("e.json", '{"schema_version": 1, "estimates": []}', "'estimates' must be a list"),
        ("e.json", "", "e.json is empty"),
        ("e.csv", "x", "a file's ending must be one of .json"),
    ],
)
def test_a_file_that_is_no_estimate(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as refusal:
        read_baseline(tmp_path / name)
    assert message in str(refusal.value)


def test_another_gain_is_refused_with_the_way_out(tmp_path, found):
    path = tmp_path / "e.json"
    path.write_text(to_json(found))
    with pytest.raises(InputError) as refusal:
        read_baseline(path, ["bayes", "tries:1"])
    assert "of the gain bayes, tries:2, not of tries:1" in str(refusal.value)
    assert "--gain tries:1" in str(refusal.value)
