"""What a person did wrong, said so that they can mend it."""

from difflib import get_close_matches
from typing import Self


class GleakError(ValueError):
    """Anything gleak refuses: its message is meant for a person, without a traceback.

    >>> import gleak
    >>> try:
    ...     gleak.tries(0)
    ... except GleakError as refusal:
    ...     print(refusal)
    the number of tries must be a whole number from 1, got 0
    """


class InputError(GleakError):
    """An input gleak cannot work with: a file, a column, a value, an option.

    >>> raise InputError("log.csv is empty; write a header and rows into it")
    Traceback (most recent call last):
    gleak.errors.InputError: log.csv is empty; write a header and rows into it
    """

    @classmethod
    def must(
        cls, what: str, constraint: str, got: object, *, where: str = "", remedy: str = ""
    ) -> Self:
        """The house's one sentence: what must be how, what it was, where, and the way out.

        >>> print(InputError.must("prior", "a distribution", "a sum of 1.2",
        ...                       where="p.csv, line 3", remedy="divide it by its sum"))
        p.csv, line 3: prior must be a distribution, got a sum of 1.2; divide it by its sum
        """
        place = f"{where}: " if where else ""
        way_out = f"; {remedy}" if remedy else ""
        return cls(f"{place}{what} must be {constraint}, got {got}{way_out}")


class GleakWarning(UserWarning):
    """Something a person should know although the work could go on.

    >>> import warnings
    >>> warnings.simplefilter("error", GleakWarning)  # for those who will not let it go on
    """


def nearest(name: str, known: list[str], *, shown: int = 8) -> str:
    """The end of a message on an unknown name: the nearest one, or the ones there are.

    >>> nearest("secert", ["secret", "time"])
    "did you mean 'secret'?"
    >>> nearest("zzz", ["secret", "time"])
    'known are: secret, time'
    """
    folded = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold(), list(folded), n=1)
    if close:
        return f"did you mean {folded[close[0]]!r}?"
    more = f" and {len(known) - shown} more" if len(known) > shown else ""
    return f"known are: {', '.join(known[:shown])}{more}"
