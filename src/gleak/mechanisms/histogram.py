"""A table of counts published with noise, one count beside the other: too many answers to list."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gleak.channel import Channel
from gleak.channel_parts import as_codes
from gleak.errors import InputError
from gleak.labels import Labels
from gleak.mechanisms._base import check_positive, decay
from gleak.mechanisms.line import geometric, whole_numbers
from gleak.observables import Observables
from gleak.payoff import Floats
from gleak.population import Population
from gleak.secrets_file import as_prior

_LISTED = 16
"""Classes up to which patterns of bits are listed."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts per class plus one person more, each published with two-sided geometric noise.

    The secret is that person's class. Every count has noise of its own (parallel composition),
    and noise beyond the ends of ``published`` is accumulated there. It is a ``System``: the
    tuples that may be published are too many to list.

    A count z grown by one changes the probability of what is published by a factor that depends
    on nothing but whether it exceeds z. So the bits [published_d > counts_d] say all there is to
    know of the class: ``channel`` is what they make of it, and leaks to every attacker exactly
    what the published counts do.
    """

    counts: tuple[int, ...]
    nu: float
    published: range
    prior: Floats

    @cached_property
    def secrets(self) -> Labels:
        """The classes, by number."""
        return np.arange(len(self.counts))

    @property
    def population(self) -> Population:
        """The classes and their prior."""
        return Population(self.secrets, self.prior)

    @property
    def description(self) -> str:
        """What a campaign notes of it."""
        return f"Histogram(counts={self.counts}, nu={self.nu}, published={self.published})"

    def draw(self, secrets: Labels, rng: np.random.Generator) -> Observables:
        """Published counts, a column each."""
        classes = as_codes(secrets, len(self.counts), "the classes to publish for")
        counts = np.array(self.counts) + np.eye(len(self.counts), dtype=np.intp)[classes]
        noisy = [self.noise.draw(count - self.published.start, rng) for count in counts.T]
        return Observables.of(
            {f"count{place}": codes + self.published.start for place, codes in enumerate(noisy)}
        )

    @cached_property
    def noise(self) -> Channel:
        """From a count to what is published for it."""
        return geometric(self.published, self.nu)

    @cached_property
    def channel(self) -> Channel:
        """From the class to the bits that tell which published counts exceed the known ones.

        An observable is named by its bits, the first count's first.
        """
        classes = len(self.counts)
        if classes > _LISTED:
            raise InputError.must(
                "a histogram whose leakage is listed", f"of at most {_LISTED} classes", classes,
                remedy="draw samples of it and estimate",
            )  # fmt: skip
        bits = np.array(list(itertools.product([False, True], repeat=classes)))
        grown = np.eye(classes, dtype=bool)[:, None, :]
        # The noise is positive with probability e^−nu/(1 + e^−nu), and not negative otherwise.
        exceeds = 1.0 / (1.0 + np.exp(np.where(grown, -self.nu, self.nu)))
        matrix = np.where(bits, exceeds, 1.0 - exceeds).prod(axis=2)
        names = ["".join(map(str, row)) for row in bits.astype(int).tolist()]
        return Channel(matrix, self.prior, self.secrets, names)

    def likelihoods(self, observables: Observables) -> Floats:
        """P(published | class) for each row, up to a factor of the row."""
        exceeds = observables.matrix() > np.array(self.counts)
        return decay(np.where(exceeds, 0.0, 2 * self.nu))

    def mean_error(self) -> float:
        """By how much a published count is off on average, over counts and classes."""
        values = np.array(self.published)
        true = np.array(self.counts) - self.published.start
        stays, grows = (
            (np.asarray(self.noise.matrix)[rows] * np.abs(values - values[rows][:, None])).sum(1)
            for rows in (true, true + 1)
        )
        return float((stays + self.prior * (grows - stays)).mean())


def histogram(
    counts: Sequence[float],
    nu: float,
    *,
    published: range | None = None,
    prior: ArrayLike | None = None,
) -> Histogram:
    """Noisy counts of classes, one person of a secret class among them.

    ``counts`` leave that person out. Whole numbers in ``published`` may be reported; unless
    given they reach from nothing to where noise hardly comes. The person is as likely of each
    class as the others are, unless a ``prior`` is given.

    >>> noisy = histogram([3, 1], nu=np.log(2))
    >>> noisy.channel.matrix.round(3)
    array([[0.222, 0.111, 0.444, 0.222],
           [0.222, 0.444, 0.111, 0.222]])
    >>> round(noisy.channel.posterior_vulnerability(), 4)
    0.7778
    """
    check_positive("nu", nu)
    if len(counts) < 2 or any(count < 0 or not float(count).is_integer() for count in counts):
        raise InputError.must("counts", "at least two whole numbers, none negative", list(counts))
    known = tuple(map(int, counts))
    if published is None:
        published = range(max(known) + 2 + int(np.ceil(40 / nu)))
    whole_numbers(published)
    if min(known) < published[0] or max(known) + 1 > published[-1]:
        raise InputError.must(
            "published counts", f"from {min(known)} or below to {max(known) + 1} or above",
            f"{published[0]} to {published[-1]}", remedy="widen them",
        )  # fmt: skip
    if prior is None and not sum(known):
        raise InputError("counts of nobody say nothing of who joins them; give a prior")
    shares = np.array(known) / sum(known) if prior is None else as_prior(prior, len(known))
    return Histogram(known, nu, published, shares)
