"""Samples from files and into files: one table a file, its columns named."""

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gleak.atomic import replacing
from gleak.errors import InputError
from gleak.files import known_ending
from gleak.labels import Labels, key
from gleak.roles import Roles
from gleak.samples import Samples
from gleak.tables import WRITTEN, open_table

if TYPE_CHECKING:
    import polars as pl


def read(
    path: str | Path,
    secret: str,
    observables: Sequence[str] | None = None,
    *,
    public: Sequence[str] = (),
    group: str | None = None,
    attributes: Sequence[str] = (),
    weight: str | None = None,
) -> Samples:
    r"""Samples from a file of recorded pairs, one a row.

    CSV and TSV (with a header) and JSON lines, all three also gzipped (.gz) or in zstandard
    (.zst); Parquet; Arrow and Feather; NPZ of one array per column; NPY of a structured array,
    or of a matrix whose columns are called 0, 1, 2 and so on; SQLite as ``gleak query`` writes it,
    where the secret is called ``secret``. Without ``observables``, every column that is nothing
    else is one. Numbers stay numbers, anything else becomes categories; in text, what looks like
    a number is one, and 007 is 7.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "log.csv")
    >>> _ = file.write_text("pin,time\n1,0.5\n2,0.75\n1,0.5\n")
    >>> read(file, "pin").secrets
    array([1, 2])
    """
    table = open_table(path)
    roles = Roles.among(
        table.columns(), secret,
        table.usual.get("observables") if observables is None else observables,
        public=public, group=group, attributes=attributes,
        weight=table.usual.get("weight") if weight is None else weight, where=table.name,
    )  # fmt: skip
    return Samples.of_roles(table.load(roles.columns), roles, table)


def write(samples: Samples, path: str | Path) -> None:
    r"""Samples into a file of any format that ``read`` reads, told by its ending.

    The columns are ``secret``, the observables, the attributes, and ``group`` and ``weight``
    where there are any.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "log.csv")
    >>> write(Samples.of(["a", "b"], {"time": [0.5, 0.75]}), file)
    >>> file.read_text()
    'secret,time\na,0.5\nb,0.75\n'
    """
    path = Path(path)
    known_ending(path, WRITTEN)
    frame = _frame(samples)
    try:
        with replacing(path) as target:
            _write(frame, target, path.name.lower())
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _frame(samples: Samples) -> "pl.DataFrame":
    import polars as pl

    columns = [("secret", _series(samples.secrets).gather(samples.codes))]
    for column in samples.observables.columns:
        if column.categories is None:
            columns.append((column.name, pl.Series(column.values)))
        else:
            columns.append((column.name, _series(column.categories).gather(column.values)))
    for name, values in samples.attributes.items():
        columns.append((name, _series(values).gather(samples.codes)))
    for name, given in (("group", samples.groups), ("weight", samples.weights)):
        if given is not None:
            columns.append((name, pl.Series(given)))
    names = [name for name, _ in columns]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two columns would be called {name!r}; rename one before writing")
    return pl.DataFrame([series.alias(name) for name, series in columns])


def _series(labels: Labels) -> "pl.Series":
    import polars as pl

    mixed = labels.dtype.kind == "O"
    return pl.Series([key(label) for label in labels.tolist()] if mixed else labels)


def _write(frame: "pl.DataFrame", path: Path, name: str) -> None:
    packing: dict[str, Any] = {".gz": {"compression": "gzip"}, ".zst": {"compression": "zstd"}}
    packed = packing.get(Path(name).suffix, {}) | {"check_extension": False}  # ours to check
    if ".csv" in name or ".tsv" in name:
        separator = "\t" if ".tsv" in name else ","
        frame.lazy().sink_csv(path, separator=separator, **packed)
    elif ".jsonl" in name or ".ndjson" in name:
        frame.lazy().sink_ndjson(path, **packed)
    elif name.endswith(".parquet"):
        frame.write_parquet(path)
    elif name.endswith(".npz"):
        _write_npz(frame, path)
    elif name.endswith(".npy"):
        with path.open("wb") as file:  # to a path NumPy would append an ending of its own
            np.save(file, _structured(frame), allow_pickle=False)
    else:
        frame.write_ipc(path)


def _write_npz(frame: "pl.DataFrame", path: Path) -> None:
    """As ``np.savez`` does it, for which no column may be called ``file``."""
    with zipfile.ZipFile(path, "w") as archive:
        for series in frame.iter_columns():
            with archive.open(f"{series.name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, _array(series), allow_pickle=False)


def _structured(frame: "pl.DataFrame") -> Labels:
    columns = {series.name: _array(series) for series in frame.iter_columns()}
    table = np.empty(frame.height, dtype=[(name, c.dtype) for name, c in columns.items()])
    for name, values in columns.items():
        table[name] = values
    return table


def _array(series: "pl.Series") -> Labels:
    import polars as pl

    if series.dtype == pl.String:
        return np.array(series.to_list(), dtype=np.str_)
    return series.to_numpy()
