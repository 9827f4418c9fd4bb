"""A service that answers a question about a person truthfully only some of the time.

With ``serve`` it is the program. Of five answers the truth has odds of 3 : 1 against each lie, so
that one guess at it is right with probability 3/7 once the answer is seen, and 1/5 before.
"""

import random
import sys

ANSWERS = ("never", "rarely", "monthly", "weekly", "daily")
ODDS = 3


def serve() -> None:
    """Answer each line."""
    rng = random.Random(0)
    for line in sys.stdin:
        weights = [ODDS if answer == line.strip() else 1 for answer in ANSWERS]
        print(rng.choices(ANSWERS, weights)[0], flush=True)


def found(precision: float = 0.02):
    """What the service gives away of a person's true answer."""
    from gleak.adaptive import estimate_live
    from gleak.command import Command

    with Command((sys.executable, __file__, "serve"), observables=["answer"]) as service:
        return estimate_live(service, precision=precision, secrets=ANSWERS, adversary="frequentist")


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        from gleak.report.words import headline

        print(headline(found()))
