"""Exact posterior g-vulnerability: gleak against libqif, in time and in memory.

Times are the least of several alternating runs, so that other work on the machine counts for
little; what is wanted is a ratio, because both ran in the same minute on the same cores.
"""

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import qif

import gleak
from gleak.channel import Channel

SIZES = [(10, 16_000, 45), (400, 400, 400), (1000, 10_000, 1000)]
"""Secrets, observables and guesses."""

RUNS_A_TURN = 5
RATIO_WANTED = 1.1
MEMORY_WANTED_MB = 64
TRIES_WANTED_MS = 50


def least_times(*works: Callable[[], object], seconds: float = 12.0) -> list[float]:
    """The least time of each, in milliseconds.

    They take turns for so many seconds in all. A turn is several runs: in the first of them
    the threads of the other's matrix library may still be spinning.
    """
    least = [float("inf")] * len(works)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for place, work in enumerate(works):
            for _ in range(RUNS_A_TURN):
                start = time.perf_counter()
                work()
                least[place] = min(least[place], 1000 * (time.perf_counter() - start))
    return least


def allocated_mb(work: Callable[[], object]) -> float:
    """The most memory that NumPy and Python held for it at once; tracemalloc sees both."""
    tracemalloc.start()
    work()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def random_case(secrets: int, observables: int, guesses: int) -> tuple[Channel, np.ndarray]:
    rng = np.random.default_rng(0)
    matrix = rng.dirichlet(np.ones(observables), size=secrets)
    channel = Channel(matrix, prior=rng.dirichlet(np.ones(secrets)))
    return channel, rng.random((guesses, secrets))


def report(what: str, measured: str, wanted: str, met: bool) -> None:
    print(f"{what:<34} {measured:<34} {wanted:<10} {'met' if met else 'MISSED'}")


def main() -> None:
    print(f"{'posterior vulnerability':<34} {'gleak / libqif':<34} wanted")
    for size in SIZES:
        channel, table = random_case(*size)
        gain = gleak.matrix(table)

        def ours(channel: Channel = channel, gain: gleak.gain.Gain = gain) -> float:
            return channel.posterior_vulnerability(gain)

        def theirs(channel: Channel = channel, table: np.ndarray = table) -> float:
            return qif.measure.g_vuln.posterior(table, channel.prior, channel.matrix)

        assert abs(ours() - theirs()) < 1e-9
        a, b = least_times(ours, theirs)
        name = "|X|, |Y|, |W| = " + ", ".join(f"{n:,}" for n in size)
        measured = f"{a:.2f} / {b:.2f} ms = {a / b:.2f}"
        report(name, measured, f"<= {RATIO_WANTED}", a / b <= RATIO_WANTED)
    extra = allocated_mb(ours)
    report("extra memory at the largest", f"{extra:.1f} MB", f"<= {MEMORY_WANTED_MB} MB",
           extra <= MEMORY_WANTED_MB)  # fmt: skip
    square, _ = random_case(400, 400, 1)
    (tries,) = least_times(lambda: square.posterior_vulnerability("tries:5"), seconds=1)
    report("tries:5 on 400 × 400", f"{tries:.2f} ms", f"< {TRIES_WANTED_MS} ms",
           tries < TRIES_WANTED_MS)  # fmt: skip


if __name__ == "__main__":
    main()
