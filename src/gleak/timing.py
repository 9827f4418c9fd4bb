"""How long a system takes to answer, as what an attacker sees."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gleak.columns import Column
from gleak.errors import InputError
from gleak.labels import Labels
from gleak.observables import Observables
from gleak.stacking import stacked
from gleak.system import Closing, Nanoseconds, SystemFailure, Timed

NANOSECONDS = "nanoseconds"


@dataclass
class Timing(Closing):
    """A function (one secret at a time) or a command, and how many nanoseconds each answer took.

    The clock is monotonic. ``draw`` asks in a random order, so that a machine that slows down
    does not look like a leak, and answers in the order asked for; ``stream`` keeps the order it
    is given, which a campaign has shuffled. The first ``warm_up`` answers are thrown away. With
    ``answers`` the system's own answer is seen too.

    >>> from gleak.system import Function
    >>> system = Timing(Function(lambda secret: None, vectorised=False))
    >>> system.draw(np.array([1, 2]), np.random.default_rng(0)).names
    ['nanoseconds']
    """

    system: Timed
    answers: bool = False
    warm_up: int = 100
    _warm: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.system, Timed):
            raise InputError.must(
                "what is timed", "a Function or a Command", f"a {type(self.system).__name__}"
            )
        if self.warm_up < 0:
            raise InputError.must("the warm-up", "0 answers or more", self.warm_up)

    @property
    def description(self) -> str:
        """What a campaign notes of it."""
        inner = getattr(self.system, "description", type(self.system).__name__)
        return f"{inner} timed{' with its answers' if self.answers else ''}"

    def draw(self, secrets: Labels, rng: np.random.Generator) -> Observables:
        order = rng.permutation(len(secrets))
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return stacked(list(self.stream(secrets[order], rng))).take(back)

    def stream(self, secrets: Labels, rng: np.random.Generator) -> Iterator[Observables]:
        """The times, in the order of the secrets and in pieces."""
        if not self._warm:
            self._warm_up(secrets, rng)
            self._warm = True
        for seen, spent in self.system.timed(secrets, rng):
            yield self._shown(seen, spent)

    def _warm_up(self, secrets: Labels, rng: np.random.Generator) -> None:
        places = rng.integers(len(secrets), size=self.warm_up)
        try:
            for _ in self.system.timed(secrets[places], rng):
                pass
        except SystemFailure as failure:
            at = None if failure.position is None else int(places[failure.position])
            raise SystemFailure(at, f"while warming up, {failure.reason}") from failure

    def _shown(self, seen: Observables, spent: Nanoseconds) -> Observables:
        time = Column(NANOSECONDS, spent)
        return Observables((time, *seen.columns) if self.answers else (time,))

    def close(self) -> None:
        if isinstance(self.system, Closing):
            self.system.close()
