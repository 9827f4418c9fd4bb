"""How long ``gleak estimate`` takes as a user runs it, and the most memory it holds.

Every run is the installed command in a process of its own, from its start to its end: imports,
reading the CSV file, the tournament, the bracket and the printed answer are all in it. The least
of two runs counts; the memory is the high-water mark of the process. Run with some of the words
``one``, ``few``, ``wide`` and ``gains`` to do only these.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gleak.experiments import experiment
from gleak.reading import write
from gleak.samples import Samples

RUNS = 2
COMMAND = Path(sys.executable).with_name("gleak")
TEN_GAINS = ("bayes", *(f"tries:{k}" for k in range(2, 10)), "distance:2")


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    seconds: float
    megabytes: float


def cost(file: Path, *gains: str, jobs: int = 1) -> Cost:
    """One run of the command."""
    asked = [word for gain in gains for word in ("--gain", gain)]
    words = [COMMAND, "estimate", file, "--secret", "secret", *asked, "--jobs", str(jobs)]
    start = time.perf_counter()
    with subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"gleak estimate failed: exit code {process.returncode}")
    return Cost(time.perf_counter() - start, usage.ru_maxrss * 1024 / 1e6)


def least(file: Path, *gains: str, **options: int) -> Cost:
    runs = [cost(file, *gains, **options) for _ in range(RUNS)]
    return Cost(min(run.seconds for run in runs), max(run.megabytes for run in runs))


def report(what: str, measured: float, wanted: float) -> None:
    verdict = "met" if measured <= wanted else "MISSED"
    ratio = measured / wanted
    print(f"{what:<58}{measured:>9.2f}{wanted:>9.2f}{ratio:>7.2f}  {verdict}", flush=True)


def studied(folder: Path, size: int) -> Path:
    """Experiment 1 as a file."""
    file = folder / f"{size}.csv"
    write(experiment("multiple_guesses").sample(size, rng=0), file)
    return file


def columns(folder: Path) -> Path:
    """Ten columns of numbers, three of which tell sixteen secrets apart a little."""
    rng = np.random.default_rng(1)
    secrets = rng.integers(0, 16, 100_000)
    seen = rng.standard_normal((len(secrets), 10))
    seen[:, :3] += 1.2 * rng.standard_normal((16, 3))[secrets]
    file = folder / "columns.csv"
    write(Samples.of(secrets, {f"column{i}": values for i, values in enumerate(seen.T)}), file)
    return file


def one(folder: Path) -> None:
    found = least(studied(folder, 60_000), "tries:2")
    report("experiment 1, 60,000 samples, s", found.seconds, 20.0)
    report("experiment 1, 60,000 samples, MB at most", found.megabytes, 1_000.0)


def few(folder: Path) -> None:
    report("experiment 1, 5,000 samples, s", least(studied(folder, 5_000), "tries:2").seconds, 6.0)


def wide(folder: Path) -> None:
    file = columns(folder)
    alone, both = least(file, "bayes"), least(file, "bayes", jobs=2)
    report("100,000 samples, 10 columns, 16 secrets, s", alone.seconds, 60.0)
    report("the same with two jobs, s", both.seconds, 60.0)


def gains(folder: Path) -> None:
    file = studied(folder, 60_000)
    ratio = least(file, *TEN_GAINS).seconds / least(file, "tries:2").seconds
    report("ten gains at once, times one gain", ratio, 1.5)


PARTS = {"one": one, "few": few, "wide": wide, "gains": gains}


def main(names: list[str]) -> None:
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<58}{'measured':>9}{'wanted':>9}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name in names or PARTS:
            PARTS[name](Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
