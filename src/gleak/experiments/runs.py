"""What a study found, cell by cell, in a folder: written as it comes, found again afterwards."""

import hashlib
import json
import os
import platform
import re
import sys
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from gleak._version import __version__
from gleak.atomic import replacing
from gleak.errors import InputError
from gleak.experiments.protocol import Cell, Protocol
from gleak.payoff import Floats

FORMAT = 1
"""Of the files; another number is another format."""


@cache
def this_machine() -> str:
    """What learns and scores here: the processor, and the accelerator where there is one."""
    model = platform.processor() or platform.machine()
    listed = Path("/proc/cpuinfo")  # Linux names the model nowhere else
    if listed.exists():
        named = re.search(r"^model name\s*:\s*(.+)$", listed.read_text(), re.MULTILINE)
        model = named[1] if named else model
    cores = os.cpu_count()
    return f"{model}, {cores} cores{_accelerator()}"


def _accelerator() -> str:
    """What JAX trains on, where it has been started and that is not the processor."""
    if "jax" not in sys.modules:
        return ""
    import jax

    device = jax.devices()[0]
    return "" if device.platform == "cpu" else f", {device.device_kind}"


@dataclass(frozen=True, eq=False)
class Run:
    """One cell, learned and scored.

    ``values`` are the mean gains on the validation sets, ``truth`` is V_g and ``gap`` is
    (V_g − V(f))/V_g where they are known, ``lower`` and ``upper`` are proven of V_g.
    """

    cell: Cell
    id: str
    values: Floats = field(repr=False)
    words: str
    seconds: float
    truth: float | None = None
    gap: float | None = None
    lower: float | None = None
    upper: float | None = None
    machine: str = field(default_factory=this_machine)
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    @property
    def errors(self) -> Floats:
        """δ on each validation set; where no truth is known, what the attacker missed."""
        if self.truth is None:
            return 1.0 - self.values
        return np.abs(self.values - self.truth) / self.truth

    def to_dict(self) -> dict[str, Any]:
        """Everything but the values on the validation sets."""
        facts = {key: value for key, value in vars(self).items() if key not in ("cell", "values")}
        return {"format": FORMAT, **asdict(self.cell), **facts}

    @classmethod
    def from_dict(cls, facts: dict[str, Any], values: Floats) -> Self:
        """The run that was written so."""
        cell = Cell(**{key: facts.pop(key) for key in Cell.__slots__})
        facts.pop("format")
        return cls(cell=cell, values=values, **facts)


def run_id(cell: Cell, configuration: str, protocol: Protocol) -> str:
    """A name that says which cell it is and that changes with whatever changes its result."""
    said = json.dumps([FORMAT, __version__, asdict(cell), configuration, asdict(protocol)])
    words = [cell.study, cell.attacker, cell.preprocessing, cell.size, cell.training_set]
    readable = re.sub(r"[^a-z0-9.]+", "-", " ".join(map(str, words)).lower())
    return f"{readable}-{hashlib.sha256(said.encode()).hexdigest()[:8]}"


class RunFolder:
    """The runs kept in a folder: for each a JSON file and a Parquet file.

    Files take their names when they are complete, the JSON file last: whoever is killed leaves a
    whole run or none. Folders may be copied into each other.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __contains__(self, name: str) -> bool:
        return self._json(name).exists()

    def __len__(self) -> int:
        return sum(1 for _ in self.folder.glob("*.json"))

    def create(self) -> None:
        """Make the folder, so that runs that could not be kept are not even begun."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError.must(
                "the folder of runs", "one that can be made", f"{self.folder} ({error.strerror})",
                remedy="name another place",
            ) from None  # fmt: skip

    def write(self, run: Run) -> None:
        """Keep a run."""
        import polars as pl

        self.create()
        table = pl.DataFrame({"set": np.arange(len(run.values)), "value": run.values})
        with replacing(self._parquet(run.id)) as target:
            table.write_parquet(target)
        with replacing(self._json(run.id)) as target:
            target.write_text(json.dumps(run.to_dict(), indent=2) + "\n", encoding="utf-8")

    def read(self, name: str) -> Run:
        """A run that was kept."""
        import polars as pl

        try:
            facts = json.loads(self._json(name).read_text(encoding="utf-8"))
            values = pl.read_parquet(self._parquet(name))["value"].to_numpy()
            return Run.from_dict(facts, values)
        except (OSError, ValueError, TypeError, KeyError, pl.exceptions.PolarsError) as error:
            raise InputError(
                f"{self._json(name)} or the Parquet file beside it cannot be read ({error}); "
                "remove both, and the run will be done again"
            ) from None

    def _json(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _parquet(self, name: str) -> Path:
        return self.folder / f"{name}.parquet"
