"""How far a guess at a token is right, from the time it takes to reject it.

The secret is which of four tokens it is, that is, the place of the first wrong byte. A comparison
that stops there gives it away; ``hmac.compare_digest``, which looks at every byte, does not.

The tokens are in a list: finding one in it takes as long as finding another. In a dictionary, whose
keys are compared, it would not, and the clock would see that instead.
"""

import hmac
from collections.abc import Callable

import numpy as np

from gleak.campaign import Campaign
from gleak.estimation import estimate
from gleak.population import Population
from gleak.result import Estimate
from gleak.samples import Samples
from gleak.system import Function
from gleak.timing import Timing

PLACES = (0, 300, 600, 900)
GUESS = bytes(1000)
TOKENS = [GUESS[:place] + b"\1" + GUESS[place + 1 :] for place in PLACES]


def early_exit(token: bytes) -> bool:
    return all(mine == right for mine, right in zip(GUESS, token, strict=True))


def constant_time(token: bytes) -> bool:
    return hmac.compare_digest(GUESS, token)


def measured(compare: Callable[[bytes], bool], queries: int = 4000) -> Estimate:
    """What an attacker with a clock learns of the place."""
    checker = Timing(
        Function(lambda which: compare(TOKENS[which]), vectorised=False), answers=False
    )
    population = Population.of(range(len(TOKENS)))
    codes = population.draw(queries, np.random.default_rng(0))
    with Campaign(checker, population) as campaign:
        seen = campaign.ask(codes)
    samples = Samples(codes, population.secrets, seen)
    return estimate(samples, adversary="neighbours", prior="uniform")


if __name__ == "__main__":
    from gleak.report.words import headline

    for compare in (early_exit, constant_time):
        print(f"{compare.__name__}: {headline(measured(compare))}")
