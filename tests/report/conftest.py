"""A gate with one judgement of each kind."""

from dataclasses import replace

import pytest

from gleak import Channel, Samples
from gleak.budget import Budget, Source
from gleak.certify import Bracket
from gleak.estimation import estimate
from gleak.gate import Gate, Judgement


@pytest.fixture(scope="session")
def found():
    """A real estimate whose fingerprint and warnings do not matter."""
    samples = Samples.of(*Channel([[0.9, 0.1], [0.1, 0.9]]).sample(400, rng=0))
    made = estimate(samples, adversary="frequentist")
    origin = replace(made.provenance, data_sha256="0123456789abcdef", created="now")
    return replace(made, provenance=origin, warnings=("rows <may> not be | independent\x01",))


@pytest.fixture
def gate(found):
    """Within, over and inconclusive; from a file and as an option."""
    source = Source("pyproject.toml", 7)
    judgements = (
        Judgement("bayes", Budget("additive", 0.5, None, source), Bracket(0.1, 0.2, 0.3), "within",
                  True, "proven to be at most 0.3000"),
        Judgement("a_b.csv", Budget("multiplicative", 1.5, "a_b.csv"), Bracket(1.6, 1.7, 1.8),
                  "over", True, "proven to be at least 1.6000"),
        Judgement("tries:2", Budget("vulnerability", 0.5, None, replace(source, line=9)),
                  Bracket(0.4, 0.45, None, "why"), "inconclusive", False,
                  "proven to be at least 0.4000, nothing is proven above; why", 1200),
    )  # fmt: skip
    return Gate((found,), judgements, 0.95)
