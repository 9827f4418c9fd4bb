"""How fast live systems are asked, and what the log costs.

The overhead is measured against the same system without a file, in turns; times are the least of
several, so that other work on the machine counts for little. The function is one that takes five
microseconds an answer, as a vectorised simulator does that reaches 200,000 a second.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from gleak.campaign import Campaign
from gleak.command import Command
from gleak.population import Population
from gleak.system import Function, System

SECRETS = Population.of(np.arange(10))
ECHO = "import sys\nfor x in sys.stdin: print(int(x) * 3, flush=True)"
WANTED = {"vectorised function": 200_000, "line-based command": 20_000}
OVERHEAD_WANTED = 1.25
TURNS = 4


def simulated(secrets: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An answer is the number of rising steps of a walk of 300 steps: about five microseconds."""
    steps = rng.standard_normal((len(secrets), 300), dtype=np.float32)
    return (steps + 0.01 * secrets[:, None] > 0).sum(axis=1)


def seconds(system: System, queries: int, *, log: bool) -> float:
    with tempfile.TemporaryDirectory() as folder:
        campaign = (
            Campaign.open(Path(folder, "c.sqlite"), system, SECRETS)
            if log
            else Campaign(system, SECRETS)
        )
        with campaign:
            start = time.perf_counter()
            campaign.collect(queries)
            return time.perf_counter() - start


def main() -> None:
    command = (sys.executable, "-S", "-c", ECHO)
    works = {
        "vectorised function, trivial": (lambda: Function(lambda x: 3 * x), 400_000),
        "vectorised function": (lambda: Function(simulated), 200_000),
        "line-based command": (lambda: Command(command), 100_000),
    }
    print(
        f"{'answers a second':<30}{'without log':>13}{'with log':>12}{'wanted':>10}{'overhead':>10}"
    )
    for name, (make, queries) in works.items():
        pairs = [
            (seconds(make(), queries, log=False), seconds(make(), queries, log=True))
            for _ in range(TURNS)
        ]
        bare, logged = (min(column) for column in zip(*pairs, strict=True))
        wanted = WANTED.get(name)
        goal = "" if wanted is None else f"{wanted:,}"
        print(f"{name:<30}{queries / bare:>13,.0f}{queries / logged:>12,.0f}{goal:>10}", end="")
        print(f"{logged / bare:>10.2f}" + ("" if wanted is None else f" (≤ {OVERHEAD_WANTED})"))


if __name__ == "__main__":
    main()
