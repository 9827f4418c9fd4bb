"""Who competes: the families that fit the data, cheap ones first."""

from collections.abc import Iterator
from dataclasses import dataclass

from gleak.adversaries import Adversary, Linear, Metric, Neighbours, Neural, Trees
from gleak.adversaries.frequentist import Frequentist
from gleak.payoff import Payoff
from gleak.samples import Samples

_REPEATS = 1.2
"""Rows per distinct observable from which counting them can tell more than the blind guess."""

_MOST_NEIGHBOUR_COLUMNS = 60
"""Columns beyond which distances hardly differ and cost much."""

_FEW_NEIGHBOUR_COLUMNS = 4
"""Columns up to which a tree finds neighbours at once; beyond, it has to look nearly everywhere."""

_MOST_LINEAR_SECRETS = 200
"""Secrets beyond which a logistic regression is slow to converge."""

_FEWEST_FOR_NETWORK = 4_000
"""Rows below which a network cannot be expected to find what simpler families miss."""

_CROWDED = 2
"""Rows per distinct value of a single column from which those nearby tell as much as a network."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An adversary in the tournament; a costly one is dropped as soon as it falls behind."""

    adversary: Adversary
    costly: bool = False
    label: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", self.adversary.name)


def field(train: Samples, payoff: Payoff) -> list[Candidate]:
    """The families that have a chance on these samples, in the order in which they are tried."""
    return [
        candidate
        for candidate in _everyone(train, payoff)
        if candidate.adversary.suits(train, payoff) is None
    ]


def _everyone(train: Samples, payoff: Payoff) -> Iterator[Candidate]:
    secrets, columns = len(train.secrets), len(train.observables.columns)
    repeats = len(train) >= _REPEATS * len(train.observables.distinct.first)
    if repeats:
        yield Candidate(Frequentist(smoothing="auto"))
    yield Candidate(Metric())
    yield Candidate(Metric(prior="none"), label="metric without prior")
    if repeats and Metric().suits(train, payoff) is None:
        yield Candidate(Frequentist(smoothing="auto", backoff=Metric()), label="counts+metric")
    if columns <= _MOST_NEIGHBOUR_COLUMNS:
        yield Candidate(Neighbours(k="auto"), costly=columns > _FEW_NEIGHBOUR_COLUMNS)
    if secrets <= _MOST_LINEAR_SECRETS:
        yield Candidate(Linear(), costly=secrets * columns > 200)
    yield Candidate(Trees(), costly=True)
    crowded = columns == 1 and len(train) >= _CROWDED * len(train.observables.distinct.first)
    if len(train) >= _FEWEST_FOR_NETWORK and not crowded:
        yield Candidate(Neural(), costly=True)
