"""Whom a live system is asked about: secrets, how likely each is, what is known of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gleak.errors import InputError
from gleak.labels import Codes, Labels, as_labels
from gleak.payoff import Floats
from gleak.prior import prior_over
from gleak.secrets_file import read_secrets

_BELOW_ONE = float(np.nextafter(1.0, 0.0))


@dataclass(frozen=True, eq=False)
class Population:
    """The secrets that may be asked about, and the prior, which is known: it is ours to choose.

    >>> Population.of(["ann", "bob", "eve"], [0.5, 0.25, 0.25]).draw(4, np.random.default_rng(0))
    array([1, 0, 0, 0])
    """

    secrets: Labels
    prior: Floats
    attributes: Mapping[str, Labels] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        secrets: ArrayLike | Sequence[object],
        prior: Any = "uniform",
        attributes: Mapping[str, Labels] | None = None,
    ) -> "Population":
        """Secrets in their given order, under a uniform prior unless told otherwise.

        >>> Population.of(["a", "b"], {"a": 0.25, "b": 0.75}).prior
        array([0.25, 0.75])
        """
        labels = as_labels(secrets, "secrets")
        if len(labels) < 2:
            raise InputError.must("the secrets", "at least two", len(labels))
        weights = prior_over(labels, prior)
        if weights is None:
            raise InputError.must(
                "the prior of a system that is queried", "known beforehand", "'empirical'",
                remedy="take 'uniform', an array, or a file of secrets with a column 'prior'",
            )  # fmt: skip
        return cls(labels, weights, dict(attributes or {}))

    @classmethod
    def read(cls, path: str | Path, prior: Any = None) -> "Population":
        """The secrets of a file; its column ``prior`` counts unless another prior is given."""
        table = read_secrets(path)
        given = table.prior if prior is None else prior
        return cls.of(
            _whole(table.secrets), "uniform" if given is None else given, table.attributes
        )

    def __len__(self) -> int:
        return len(self.secrets)

    def draw(self, n: int, rng: np.random.Generator) -> Codes:
        """Independent secrets, each from the prior."""
        return _at(self.prior, rng.random(n))

    def spread(self, n: int, rng: np.random.Generator, weights: Floats | None = None) -> Codes:
        """Secrets spread over the prior as evenly as can be, in random order.

        The i-th of n equal pieces of the prior gives one secret, drawn within that piece: the
        draws are independent and their laws average to the prior exactly, whatever n. Other
        ``weights`` than the prior may be given.

        >>> pair = Population.of(["a", "b"])
        >>> np.bincount(pair.spread(100, np.random.default_rng(0)))
        array([50, 50])
        """
        pieces = (np.arange(n) + rng.random(n)) / max(n, 1)
        return rng.permutation(_at(self.prior if weights is None else weights, pieces))


def _whole(labels: Labels) -> Labels:
    """Whole numbers of a file as such: a function may want to count with them."""
    if labels.dtype.kind == "f" and (np.floor(labels) == labels).all():
        return labels.astype(np.int64)
    return labels


def _at(weights: Floats, places: Floats) -> Codes:
    """The secret that lies at some places of the cumulated weights, never one of weight zero."""
    cumulated = np.cumsum(weights)
    places = np.minimum(places, _BELOW_ONE)
    found = np.searchsorted(cumulated / cumulated[-1], places, side="right")
    return found.astype(np.intp)
