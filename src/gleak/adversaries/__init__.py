"""Ways to learn an attack: one file per family, one contract, one registry."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gleak.adversaries._base import Adversary, PosteriorStrategy, Route, Strategy
from gleak.adversaries._learned import OverGuesses
from gleak.adversaries.blind import Blind
from gleak.adversaries.classifier import Classifier, made
from gleak.adversaries.frequentist import Frequentist
from gleak.adversaries.linear import Linear
from gleak.adversaries.metric import Metric
from gleak.adversaries.neighbours import Neighbours
from gleak.adversaries.neural import Neural
from gleak.adversaries.trees import Trees
from gleak.adversaries.vote import MeanStrategy, Vote, VoteStrategy
from gleak.errors import InputError, nearest
from gleak.gain_spec import import_object

__all__ = [
    "FAMILIES",
    "Adversary",
    "Blind",
    "Classifier",
    "Frequentist",
    "Linear",
    "MeanStrategy",
    "Metric",
    "Neighbours",
    "Neural",
    "OverGuesses",
    "PosteriorStrategy",
    "Route",
    "Strategy",
    "Trees",
    "Vote",
    "VoteStrategy",
    "adversary",
]

_FAMILIES: tuple[type[Adversary], ...] = (
    Blind,
    Frequentist,
    Neighbours,
    Metric,
    Trees,
    Linear,
    Neural,
    Vote,
)

FAMILIES: Mapping[str, type[Adversary]] = MappingProxyType({cls.name: cls for cls in _FAMILIES})
"""Every family that needs no more than its name."""


def adversary(which: Any) -> Adversary:
    """An adversary from its family's name, from ``module:Class`` or from a classifier.

    What is named may be an adversary or a scikit-learn classifier, as a class or as an object;
    an adversary is passed on as it is.

    >>> adversary("trees")
    Trees(route='secret', iterations=None, leaves=None, learning_rate=0.1)
    >>> adversary("sklearn.naive_bayes:GaussianNB")
    Classifier(estimator=GaussianNB(), route='secret')
    """
    if isinstance(which, str):
        return _named(which)
    found = made(which) if isinstance(which, type) else which
    if isinstance(found, Adversary):
        return found
    if not (hasattr(found, "fit") and hasattr(found, "predict")):
        raise InputError.must(
            "an adversary", "a family's name, an adversary or a classifier", repr(which)
        )
    return Classifier(found)


def _named(which: str) -> Adversary:
    module, _, name = which.partition(":")
    if which in FAMILIES:
        return FAMILIES[which]()
    if module and name:
        return adversary(import_object(module, name, what=f"adversary {which!r}"))
    raise InputError(
        f"unknown adversary {which!r}; {nearest(which, list(FAMILIES))} "
        "(a classifier is named module:Class)"
    )
