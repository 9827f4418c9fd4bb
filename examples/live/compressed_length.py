"""A digit of a page that is compressed together with what an attacker wrote into it.

The attacker writes ``pin=0``, ``pin=1`` and so on into ten requests and sees how long each
compressed answer is: the right digit repeats what is there already, and is shorter. The rest of
the page is new each time, so that the lengths are noisy.
"""

import zlib

import numpy as np

from gleak.adaptive import LiveEstimate, estimate_live
from gleak.system import Function

DIGITS = np.arange(10)
WORDS = ["balance", "account", "transfer", "welcome", "settings", "logout", "history", "cards"]


def lengths(digit: int, rng: np.random.Generator) -> tuple[int, ...]:
    """The length of each of the ten answers to a user with this digit."""
    page = " ".join(rng.choice(WORDS, size=20)).encode()
    user = b"user=%d" % rng.integers(10**6)
    return tuple(
        len(zlib.compress(b"%s; pin=%d; %s; search=pin=%d;" % (page, digit, user, guess)))
        for guess in DIGITS
    )


def found(precision: float = 0.05) -> LiveEstimate:
    """What the lengths give away of the digit."""
    system = Function(lengths, vectorised=False)
    return estimate_live(system, precision=precision, secrets=DIGITS, adversary="linear")


if __name__ == "__main__":
    from gleak.report.words import headline

    result = found()
    print(headline(result))
    print(result.spending)
