"""A list of secrets, with what is known of each: its prior, its class, its coordinates."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gleak.errors import InputError
from gleak.files import existing, is_number, known_ending, numbers, read_rows, text_to
from gleak.labels import Labels, as_labels, key, locate
from gleak.matrix_file import TEXT_ENDINGS


@dataclass(frozen=True, slots=True)
class SecretsTable:
    """The rows of a secrets file: secrets in the first column, the others by their names."""

    secrets: Labels
    prior: NDArray[np.float64] | None
    attributes: Mapping[str, Labels]


def read_secrets(path: str | Path) -> SecretsTable:
    """Read a CSV whose first column is the secret; a column ``prior`` is the prior."""
    path = existing(path, TEXT_ENDINGS)
    rows = read_rows(path)
    header, body = rows[0][1], rows[1:]
    if not body:
        raise InputError(f"{path} has a header but no rows; write a secret under it")
    columns = {
        name: _column([fields[place] for _, fields in body], name, path)
        for place, name in enumerate(header)
    }
    if len(columns) != len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise InputError(f"{path} has two columns {twice!r}; rename or remove one")
    secrets = as_labels(columns.pop(header[0]), "secrets", where=str(path))
    prior = columns.pop("prior", None)
    if prior is None:
        return SecretsTable(secrets, None, columns)
    for (line, _), share in zip(body, prior.tolist(), strict=True):
        if share < 0:
            raise _negative(share, f"{path}, line {line}, column 'prior'")
    return SecretsTable(
        secrets, as_prior(prior, len(secrets), where=f"{path}, column 'prior'"), columns
    )


def write_secrets(path: str | Path, table: SecretsTable) -> None:
    """Write a file that ``read_secrets`` reads; the column of secrets is called ``secret``."""
    path = Path(path)
    known_ending(path, TEXT_ENDINGS)
    columns = {"secret": table.secrets, **table.attributes}
    columns |= {} if table.prior is None else {"prior": table.prior}
    with text_to(path) as file:
        separator = "\t" if ".tsv" in path.name.lower() else ","
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerow(columns)
        rows = zip(*(values.tolist() for values in columns.values()), strict=True)
        writer.writerows([key(value) for value in row] for row in rows)


def _column(fields: list[str], name: str, path: Path) -> Labels:
    if name == "prior" or all(map(is_number, fields)):
        return numbers(fields, f"{path}, column {name!r}")
    return np.array(fields)


def as_prior(values: ArrayLike, n_secrets: int, *, where: str = "") -> NDArray[np.float64]:
    """A distribution over secrets: as many as there are, none negative, sum one."""
    try:
        prior = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError.must("prior", "numbers", repr(values)[:60], where=where) from None
    if prior.ndim != 1 or len(prior) != n_secrets:
        raise InputError.must(
            "prior", f"one number for each of the {n_secrets} secrets",
            f"{prior.shape[0]} numbers" if prior.ndim == 1 else f"{prior.ndim} axes", where=where,
            remedy="give each secret its probability",
        )  # fmt: skip
    if not np.isfinite(prior).all() or (prior < 0).any():
        place = int(np.flatnonzero(~(prior >= 0) | ~np.isfinite(prior))[0])
        raise _negative(f"{prior[place]} at position {place}", where)
    total = float(prior.sum())
    if abs(total - 1.0) > 1e-6:
        raise InputError.must(
            "prior", "of sum 1", f"{total:.9g}", where=where, remedy="divide it by its sum"
        )
    return prior / total


def _negative(got: object, where: str) -> InputError:
    return InputError.must(
        "prior", "of finite numbers, none negative", got, where=where,
        remedy="a secret that never comes has probability 0",
    )  # fmt: skip


def align_prior(table: SecretsTable, secrets: Labels, *, where: str = "") -> NDArray[np.float64]:
    """The prior of a secrets file, in the order of another alphabet; none may be lacking."""
    if table.prior is None:
        names = ", ".join(table.attributes) or "none but the secrets"
        raise InputError(
            f"{where}: there is no column 'prior' (its other columns: {names}); "
            "add one, or take the uniform prior"
        )
    places = locate(secrets.tolist(), table.secrets, "the prior", where=where)
    extra = np.setdiff1d(np.arange(len(table.secrets)), places)
    if extra.size and table.prior[extra].sum() > 0:
        stranger = key(table.secrets[extra[0]])
        raise InputError(
            f"{where}: the prior has the secret {stranger!r}, which the system does not know; "
            "remove it, and divide the others by their sum"
        )
    return as_prior(table.prior[places], len(secrets), where=where)
