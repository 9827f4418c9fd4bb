"""What a person should know before they trust an estimate."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from gleak.certify import Scored, Weighing
from gleak.labels import Codes, key
from gleak.samples import Samples

_FEW = 10
"""Training samples of a secret below which little can be learned of it."""

_WORTH = 0.95
"""The share of the rows that uneven ones must be worth for nothing to be said of it."""

_DRIFT = 4.0
"""Standard errors between the first and the last third of the file that chance explains badly."""


_EXAMPLE = " (such as "
"""Before a secret's name, with which a sentence then ends."""


class HasRows(Protocol):
    """Rows to learn from, and rows to certify on."""

    @property
    def learn(self) -> Codes:
        """Rows that trained the attacker."""
        ...

    @property
    def certify(self) -> Codes:
        """Rows that it had not seen."""
        ...


def concerns(
    samples: Samples,
    parts: Sequence[HasRows],
    folds: Sequence[Scored],
    blind: Sequence[Scored],
    whole: Weighing,
) -> Iterator[str]:
    """Sentences, the gravest first."""
    yield from _unseen_secrets(samples, parts)
    yield from _few_per_secret(samples, parts[0].learn)
    if len(samples.observables.distinct.first) == len(samples):
        yield "every observable is different, so nothing can be proven above: no upper bound"
    yield from _drift(samples, parts, folds)
    if whole.effective < _WORTH * len(whole.of_units):
        yield f"rows weigh unevenly: they are worth {whole.effective:,.0f} even ones"
    if np.mean([f.estimate for f in folds]) <= np.mean([f.estimate for f in blind]):
        yield (
            "the attacker does not beat the blind guess: either nothing leaks to it, or it "
            "needs more samples"
        )


def unnamed(concern: str) -> str:
    """A concern without the secret that it names as an example.

    >>> unnamed("1 of 6 secrets is never trained on (such as 'anna')")
    '1 of 6 secrets is never trained on'
    """
    return concern.partition(_EXAMPLE)[0]


def _unseen_secrets(samples: Samples, parts: Sequence[HasRows]) -> Iterator[str]:
    n = len(samples.secrets)
    certified = np.concatenate([part.certify for part in parts])
    for rows, what in ((parts[0].learn, "trained on"), (certified, "certified on")):
        missing = np.flatnonzero(np.bincount(samples.codes[rows], minlength=n) == 0)
        if missing.size:
            first = key(samples.secrets[missing[0]])
            are = "is" if missing.size == 1 else "are"
            yield f"{missing.size:,} of {n:,} secrets {are} never {what}{_EXAMPLE}{first!r})"


def _few_per_secret(samples: Samples, rows: Codes) -> Iterator[str]:
    count = np.bincount(samples.codes[rows], minlength=len(samples.secrets))
    few = int((count[count > 0] < _FEW).sum())
    if few:
        who = "1 secret has" if few == 1 else f"{few:,} secrets have"
        yield f"{who} fewer than {_FEW} training samples: the attacker may be weak"


def _drift(samples: Samples, parts: Sequence[HasRows], folds: Sequence[Scored]) -> Iterator[str]:
    """Whether the attacker earns differently early and late in the file."""
    rows = np.concatenate([part.certify for part in parts])
    gains = np.concatenate([fold.gains for fold in folds])[np.argsort(rows, kind="stable")]
    third = len(gains) // 3
    if third < 30 or samples.groups is not None:
        return
    first, last = gains[:third], gains[-third:]
    spread = max(float(gains.var()), 1e-300)
    gap = float(last.mean() - first.mean())
    if abs(gap) > _DRIFT * np.sqrt(2 * spread / third):
        yield (
            f"the attacker earns {abs(gap):.3f} {'more' if gap > 0 else 'less'} in the last third "
            "of the file than in the first: rows may not be independent; try --split blocked"
        )
