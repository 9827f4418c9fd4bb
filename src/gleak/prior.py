"""A prior in whatever form a person gives it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gleak.errors import InputError
from gleak.labels import Labels, as_labels, locate
from gleak.payoff import Floats
from gleak.secrets_file import SecretsTable, align_prior, as_prior, read_secrets


def prior_over(secrets: Labels, prior: Any) -> Floats | None:
    """A distribution over an alphabet; None where it is to be learned from the samples.

    ``prior`` is "empirical", "uniform", a mapping from secrets (or a series of pandas indexed by
    them, as ``value_counts(normalize=True)`` gives), an array in the order of the alphabet, or the
    path of a secrets file with a column ``prior``.

    >>> prior_over(np.array(["a", "b"]), {"b": 0.75, "a": 0.25})
    array([0.25, 0.75])
    """
    if isinstance(prior, str) and prior == "empirical":
        return None
    if isinstance(prior, str) and prior == "uniform":
        return np.full(len(secrets), 1.0 / len(secrets))
    if isinstance(prior, str | Path):
        if isinstance(prior, str) and "." not in prior:
            raise InputError.must(
                "the prior", "'empirical', 'uniform' or a file of secrets", repr(prior)
            )
        return align_prior(read_secrets(prior), secrets, where=str(prior))
    prior = _by_name(prior)
    if not isinstance(prior, Mapping):
        return as_prior(prior, len(secrets))
    known = as_labels(list(prior), "the prior's secrets")
    locate(secrets.tolist(), known, "the prior")  # says who is lacking before it sums
    table = SecretsTable(known, as_prior(list(prior.values()), len(known)), {})
    return align_prior(table, secrets, where="prior")


def _by_name(prior: Any) -> Any:
    """A series of pandas as a mapping, unless its index only counts; anything else as it is.

    As an array it would lose its names, and its order is seldom that of the alphabet.
    """
    if not (hasattr(prior, "index") and hasattr(prior, "items") and np.ndim(prior) == 1):
        return prior
    labels = list(prior.index)
    return prior if labels == list(range(len(labels))) else dict(prior.items())
