"""The password checker of the paper as a program: one bit of 128, from a noisy time.

With ``serve`` it is the program: a bit on each line, a time on each line. Without, it is asked
until the answer is precise enough. The exact vulnerability is .6758 (the delay's parameter is .5).
"""

import sys

import numpy as np

BITS, KNOWN, NU = 128, 6, 0.5


def stops(bit: int, rng: np.random.Generator) -> int:
    """Where the check ends: at a wrong bit, else after the bits that are right by chance."""
    if not bit:
        return KNOWN
    return min(KNOWN + int(rng.geometric(0.5)), BITS - 1)


def delay(rng: np.random.Generator) -> int:
    """Two-sided geometric: the difference of two geometric ones."""
    first, second = rng.geometric(1 - np.exp(-NU), 2)
    return int(first - second)


def serve() -> None:
    """Answer each line."""
    rng = np.random.default_rng(0)
    for line in sys.stdin:
        time = stops(int(line), rng) + delay(rng)
        print(min(max(time, 0), BITS - 1), flush=True)


def found(precision: float = 0.01):
    """What the program gives away, to an attacker who can ask it."""
    from gleak.adaptive import estimate_live
    from gleak.command import Command

    with Command((sys.executable, __file__, "serve"), observables=["time"]) as checker:
        return estimate_live(checker, precision=precision, secrets=[0, 1], adversary="frequentist")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        from gleak.report.words import headline

        print(headline(found()))
