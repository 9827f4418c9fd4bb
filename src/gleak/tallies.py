"""What an estimate's claims rest on, told per secret and per guess; what the data was."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gleak.certify import Scored
from gleak.labels import Codes
from gleak.payoff import Floats
from gleak.result import Shares
from gleak.samples import Samples


def per_secret(folds: Sequence[Scored]) -> Shares:
    """The attacker's mean gain against each secret, over the certifying samples."""
    codes = np.concatenate([fold.weighing.samples.codes for fold in folds])
    gains = np.concatenate([fold.gains for fold in folds])
    return _shares(folds[0].weighing.samples.secrets, codes, gains)


def per_guess(folds: Sequence[Scored]) -> Shares:
    """The attacker's mean gain for each guess it made."""
    guesses = np.concatenate([fold.guesses for fold in folds])
    gains = np.concatenate([fold.gains for fold in folds])
    made, codes = np.unique(guesses, axis=0, return_inverse=True)
    return _shares(folds[0].payoff.labels(made), codes.ravel(), gains)


def _shares(labels: Any, codes: Codes, gains: Floats) -> Shares:
    count = np.bincount(codes, minlength=len(labels)).astype(np.float64)
    total = np.bincount(codes, gains, len(labels))
    seen = count > 0
    return Shares(labels[seen], (total[seen] / count[seen]), count[seen])


def fingerprint(samples: Samples) -> str:
    """The SHA-256 of what was recorded: secrets and observables, in their order."""
    digest = hashlib.sha256()
    parts: list[ArrayLike] = [samples.codes]
    labels = [str(samples.secrets.tolist())]
    for column in samples.observables.columns:
        parts.append(column.values)
        kinds = "" if column.categories is None else str(column.categories.tolist())
        labels.append(f"{column.name}:{kinds}")
    for part in parts:
        digest.update(np.ascontiguousarray(part).tobytes())
    digest.update("|".join(labels).encode())
    return digest.hexdigest()
