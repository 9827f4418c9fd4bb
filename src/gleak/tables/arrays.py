"""NumPy's formats: NPZ of named arrays, NPY of one array."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gleak.errors import InputError
from gleak.tables._base import TableFile

if TYPE_CHECKING:
    import polars as pl


class ArrayFile(TableFile):
    """NPZ of an array per column, or NPY of a structured array or of a matrix.

    The columns of a matrix are called 0, 1, 2 and so on; in an NPZ after the matrix, as in
    ``observables_0``.
    """

    endings: ClassVar = (".npz", ".npy")

    def columns(self) -> list[str]:
        return list(self._columns)

    def load(self, columns: list[str]) -> "pl.DataFrame":
        import polars as pl

        with self.readable():
            return pl.DataFrame(
                [pl.Series(name, _decoded(self._columns[name])) for name in columns]
            )

    def _explain(self, error: Exception) -> None:
        if "pickle" in str(error):  # NumPy's advice is to load it unsafely
            raise InputError(
                f"{self.name} cannot be read: it holds no plain arrays; is it whole, and saved "
                "without objects?"
            ) from None

    @cached_property
    def _columns(self) -> dict[str, NDArray[Any]]:
        with self.readable():
            arrays = _npz(self.name) if self.name.lower().endswith(".npz") else _npy(self.name)
        columns: dict[str, NDArray[Any]] = {}
        for name, array in arrays.items():
            columns |= self._split(name, array)
        lengths = {name: len(array) for name, array in columns.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{length} in {name!r}" for name, length in lengths.items())
            raise InputError.must("the arrays", "of the same length", shown, where=self.name)
        return columns

    def _split(self, name: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
        if array.ndim not in (1, 2):
            raise InputError.must(
                f"array {name!r}" if name else "the array", "of one axis or two",
                array.ndim, where=self.name,
            )  # fmt: skip
        if array.ndim == 1:
            return {name or "0": array}
        prefix = f"{name}_" if name else ""
        return {f"{prefix}{place}": part for place, part in enumerate(array.T)}


def _npz(path: str) -> dict[str, NDArray[Any]]:
    with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _npy(path: str) -> dict[str, NDArray[Any]]:
    with Path(path).open("rb") as file:
        array = np.lib.format.read_array(file, allow_pickle=False)
    if array.dtype.names is None:
        return {"": array}
    return {name: array[name] for name in array.dtype.names}


def _decoded(array: NDArray[Any]) -> NDArray[Any]:
    """The array in a kind that polars knows, which has no times by the second or coarser."""
    if array.dtype.kind == "S":
        return np.char.decode(array, "utf-8")
    if array.dtype.kind == "U" and not _is_unicode(array):
        raise ValueError("it holds text that is not Unicode")
    if array.dtype.kind in "mM" and np.datetime_data(array.dtype)[0] in ("W", "h", "m", "s"):
        return array.astype(f"{array.dtype.kind}8[ms]")
    return array


def _is_unicode(texts: NDArray[Any]) -> bool:
    """Whether every character is one: NumPy does not look, and polars panics."""
    if not texts.dtype.itemsize:
        return True
    points = np.ascontiguousarray(texts).view(f"{texts.dtype.byteorder}u4")
    surrogates = (points >= 0xD800) & (points < 0xE000)
    return not (surrogates | (points > 0x10FFFF)).any()
