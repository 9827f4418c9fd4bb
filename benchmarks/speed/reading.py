"""Reading ten million rows of a label and two numbers, against polars reading the same file.

    python benchmarks/speed/reading.py [ROWS]

Polars and gleak read by turns; times are medians, and the ratio is the median of the turns' own
ratios, which a busy machine disturbs least. Memory is the high-water mark of
a fresh process, less the interpreter's own with everything imported.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

import gleak.reading

TURNS = 15
TIME_WANTED, MEMORY_WANTED = 1.5, 3.0

_READ = """
import sys
import polars, scipy.sparse
import gleak.reading

def high_water():
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0]) << 10

base = high_water()
if sys.argv[1]:
    samples = gleak.reading.read(sys.argv[1], "secret")
    columns = samples.observables.columns
    arrays = samples.codes.nbytes + sum(column.values.nbytes for column in columns)
    print(base, high_water(), arrays)
"""


def table(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    labels = pl.Series([f"user{i:03d}" for i in range(400)])
    return pl.DataFrame(
        {
            "secret": labels.gather(rng.integers(0, 400, rows)),
            "time": rng.normal(size=rows),
            "size": rng.normal(size=rows) * 1000,
        }
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def times(path: Path, peer: Callable[[Path], object]) -> tuple[float, float, float]:
    theirs, ours = [], []
    for _ in range(TURNS):
        theirs.append(seconds(lambda: peer(path)))
        ours.append(seconds(lambda: gleak.reading.read(path, "secret")))
    ratio = np.median(np.divide(ours, theirs))
    return float(np.median(theirs)), float(np.median(ours)), float(ratio)


def memory(path: Path) -> tuple[int, int]:
    """The memory taken beyond the interpreter's, and the size of the resulting arrays."""
    command = [sys.executable, "-c", _READ, str(path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    base, high, arrays = map(int, printed.split())
    return high - base, arrays


def main(rows: int) -> None:
    print(f"{rows:,} rows of a label and two numbers, medians of {TURNS} turns")
    print(f"{'':10}{'polars s':>10}{'gleak s':>10}{'ratio':>8}{'wanted':>8}"
          f"{'memory/arrays':>16}{'wanted':>8}")  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        frame = table(rows)
        files = {
            "CSV": (Path(folder, "rows.csv"), pl.read_csv),
            "Parquet": (Path(folder, "rows.parquet"), pl.read_parquet),
        }
        frame.write_csv(files["CSV"][0])
        frame.write_parquet(files["Parquet"][0])
        del frame
        for name, (path, peer) in files.items():
            taken, arrays = memory(path)
            theirs, ours, ratio = times(path, peer)
            print(f"{name:10}{theirs:10.3f}{ours:10.3f}{ratio:8.2f}{TIME_WANTED:8.2f}"
                  f"{taken / arrays:16.2f}{MEMORY_WANTED:8.2f}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
