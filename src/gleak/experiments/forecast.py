"""How much of some work is done, and so how long the rest will take."""

from collections import defaultdict
from collections.abc import Iterable

Sort = tuple[str, ...]
"""What the seconds per unit depend on: the first words matter most."""


class Forecast:
    """Learns the seconds per unit of each sort of work from what is done.

    Work of a sort that nobody has seen is taken to go like that which shares most of its first
    words.

    >>> forecast = Forecast([(("a", "x"), 10.0), (("a", "y"), 30.0)])
    >>> forecast.done(("a", "x"), 10.0, seconds=2.0)
    >>> forecast.share
    0.25
    """

    def __init__(self, work: Iterable[tuple[Sort, float]]) -> None:
        self._left: dict[Sort, float] = defaultdict(float)
        self._units: dict[Sort, float] = defaultdict(float)
        self._seconds: dict[Sort, float] = defaultdict(float)
        for sort, units in work:
            self._left[sort] += units

    def done(self, sort: Sort, units: float, seconds: float) -> None:
        """Some work is done."""
        self._left[sort] -= units
        for words in range(len(sort) + 1):
            self._units[sort[:words]] += units
            self._seconds[sort[:words]] += seconds

    @property
    def share(self) -> float:
        """Of the seconds that everything takes, those that are over."""
        spent = self._seconds[()]
        if spent == 0:
            return 0.0
        left = sum(units * self._pace(sort) for sort, units in self._left.items())
        return spent / (spent + left)

    def _pace(self, sort: Sort) -> float:
        known = next(sort[:n] for n in range(len(sort), -1, -1) if self._units[sort[:n]])
        return self._seconds[known] / self._units[known]
