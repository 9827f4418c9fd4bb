"""What the commands print as JSON, against the schemas that the package publishes."""

import json
from dataclasses import replace
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from referencing import Registry, Resource

from gleak import Channel, exact
from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.comparison import compare
from gleak.errors import InputError
from gleak.experiments.protocol import Cell, protocol
from gleak.experiments.runs import Run
from gleak.experiments.summary import Reproduction
from gleak.mechanism_figures import Mechanism
from gleak.mechanisms import bucketed, randomised_response
from gleak.planning import plan
from gleak.report.json import SCHEMAS, schema, to_json

REGISTRY = Registry().with_resources(
    (f"{name}.json", Resource.from_contents(schema(name))) for name in SCHEMAS
)


def validator(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    return jsonschema.Draft202012Validator({"$ref": f"{name}.json"}, registry=REGISTRY)


@pytest.fixture
def documents(gate, found):
    """A document of each kind, with what may be null being null in one of them."""
    open_ = replace(found.certificate, vulnerability=Bracket(0.5, 0.6, None, "why"),
                    multiplicative=None)  # fmt: skip
    vague = replace(found, certificate=open_)
    private = Mechanism("randomised-response", randomised_response(2, 1.0), {"epsilon": 1.0})
    sharp = Mechanism(
        "bucketed", bucketed([1, 2, 3], 2), {"size": 2}, 0.5, "delay", np.ones((3, 3))
    )
    known = exact(Channel([[1, 0], [0.5, 0.5]]), ["bayes", "tries:2"])
    return {
        "check": [[gate], [replace(gate, inconclusive="fail", estimates=(vague,))]],
        "compare": [[compare(found, found)], [compare(Side.of(vague), found)] * 2],
        "estimate": [[found], [vague, found]],
        "exact": [known[:1], known],
        "mechanism": [private.figures(["bayes"]), sharp.figures(["bayes", "tries:2"], "m.csv")],
        "plan": [[plan(0.05)], [plan(0.05, observables=200)]],
        "reproduce": [[reproduction(0.5)], [reproduction(None)]],
    }


def reproduction(truth):
    """What is found of a system of known truth, and of one of which none is known."""
    names = ("perfect", "auto", "k-NN") if truth else ("dense",)
    study = "multiple_guesses" if truth else "mnist"
    runs = [
        Run(
            Cell(study, name, "data", 10_000, 0), name, np.array([0.4, 0.45]), "", 1.0, truth, truth
        )
        for name in names
    ]
    missing = [replace(runs[-1].cell, training_set=1)]
    return Reproduction(tuple(runs), protocol("paper"), tuple(missing))


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_printed_is_valid(documents, name):
    for results in documents[name]:
        validator(name).validate(json.loads(to_json(results)))


def described(schema_, root):
    """A schema with its references followed and its alternatives merged: key → what is inside."""
    if "$ref" in schema_:
        file, _, name = schema_["$ref"].partition("#/$defs/")
        home = schema(file.removesuffix(".json")) if file else root
        return described(home["$defs"][name], home)
    found = {}
    for option in schema_.get("oneOf", []) + schema_.get("allOf", []):
        found |= described(option, root)
    found |= {key: described(inner, root) for key, inner in schema_.get("properties", {}).items()}
    if "items" in schema_:
        found |= described(schema_["items"], root)
    return found


def keys(document):
    if isinstance(document, list):
        merged = {}
        for item in document:
            merged |= keys(item)
        return merged
    if not isinstance(document, dict):
        return {}
    return {key: keys(value) for key, value in document.items()}


def missing(document, schema_, path=""):
    for key, inner in document.items():
        if key not in schema_:
            yield f"{path}{key}"
        elif schema_[key]:
            yield from missing(inner, schema_[key], f"{path}{key}.")


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_key_that_is_printed_is_described(documents, name):
    """Schemas allow keys to be added: this is what makes whoever adds one describe it."""
    for results in documents[name]:
        whole = keys(json.loads(to_json(results)))
        assert list(missing(whole, described(schema(name), schema(name)))) == []


def test_a_key_that_is_not_described_would_be_found(found):
    document = keys(json.loads(to_json([found])))
    document["leakage"]["additive"]["new"] = {}
    known = described(schema("estimate"), schema("estimate"))
    assert list(missing(document, known)) == ["leakage.additive.new"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_can_refuse(documents, name):
    document = json.loads(to_json(documents[name][0]))
    for wrong in (
        {**document, "schema_version": 2},
        {key: value for key, value in document.items() if key != "schema_version"},
        dict.fromkeys(document),
        {"schema_version": 1, "estimates": []},
    ):
        assert not validator(name).is_valid(wrong)


def test_schemas_are_in_the_package_and_known_by_name():
    folder = files("gleak") / "schemas"
    assert sorted(p.name for p in folder.iterdir()) == [f"{name}.json" for name in sorted(SCHEMAS)]
    with pytest.raises(InputError, match=r"no schema is named 'chek'; did you mean 'check'\?"):
        schema("chek")
