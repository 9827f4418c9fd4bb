"""MNIST from its four original files: handwritten digits and what they are. Nothing is fetched.

The files are idx files (Y. LeCun, C. Cortes, C. J. C. Burges, "The MNIST database of handwritten
digits"): two bytes of zero, the kind of number (8: bytes), how many axes, the length of each axis
in four bytes, the first of them the highest, and then the numbers.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gleak.errors import InputError
from gleak.files import read_packed
from gleak.observables import Observables
from gleak.samples import Samples

DIGITS = np.arange(10)

FILES = (
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte",
    "t10k-labels-idx1-ubyte",
)
"""What the original files are called; each may end in ``.gz``."""

_BYTES = 8
"""The kind of number in an idx file that is a byte without a sign."""


@dataclass(frozen=True, slots=True)
class Mnist:
    """Digits are the secrets, pixels the observables: a column for each, row by row, from 0 on."""

    train: Samples
    test: Samples


def read_mnist(folder: str | Path) -> Mnist:
    """The 60,000 images to train on and the 10,000 to test on, from a folder of the four files.

    >>> read_mnist("no/such/folder")
    Traceback (most recent call last):
    gleak.errors.InputError: the folder of MNIST must be there, got no/such/folder; name the one ...
    """
    train_images, train_labels, test_images, test_labels = mnist_paths(folder)
    read = Mnist(_samples(train_images, train_labels), _samples(test_images, test_labels))
    pixels = [len(samples.observables.columns) for samples in (read.train, read.test)]
    if pixels[0] != pixels[1]:
        raise InputError.must(
            "images to test on", f"of {pixels[0]} pixels, like those to train on", pixels[1],
            where=str(test_images),
        )  # fmt: skip
    return read


def mnist_paths(folder: str | Path) -> list[Path]:
    """The four files in a folder, in the order of ``FILES``; nothing of them is read."""
    home = Path(folder)
    if not home.is_dir():
        raise InputError.must(
            "the folder of MNIST", "there", home,
            remedy=f"name the one that holds {', '.join(FILES)} (each may end in .gz)",
        )  # fmt: skip
    return [_file(home, name) for name in FILES]


def _file(folder: Path, name: str) -> Path:
    for path in (folder / name, folder / f"{name}.gz"):
        if path.is_file():
            return path
    raise InputError(
        f"{folder} has neither {name} nor {name}.gz; put all four original files of MNIST there: "
        "gleak fetches nothing"
    )


def _samples(images: Path, labels: Path) -> Samples:
    pixels, digits = read_idx(images, axes=3), read_idx(labels, axes=1)
    if len(pixels) != len(digits):
        raise InputError.must(
            "labels", f"as many as the {len(pixels):,} images of {images.name}", f"{len(digits):,}",
            where=str(labels), remedy="take both files from the same set",
        )  # fmt: skip
    wrong = np.flatnonzero(digits >= len(DIGITS))
    if wrong.size:
        raise InputError.must(
            "a label", "a digit", digits[wrong[0]], where=f"{labels}, label {wrong[0] + 1}"
        )
    return Samples(digits.astype(np.intp), DIGITS, Observables.of(pixels.reshape(len(pixels), -1)))


def read_idx(path: Path, *, axes: int) -> NDArray[np.uint8]:
    """The bytes of an idx file of so many axes, plain or gzipped."""
    raw = read_packed(path)
    magic = bytes([0, 0, _BYTES, axes])
    start = len(magic) + 4 * axes
    if raw[: len(magic)] != magic or len(raw) < start:
        raise InputError.must(
            f"an idx file of {axes} axes",
            f"one that begins with 0x{magic.hex()} and their lengths",
            f"0x{raw[: len(magic)].hex()} in {len(raw):,} bytes", where=str(path),
            remedy="take the original file, whole and under its own name",
        )  # fmt: skip
    shape = tuple(map(int, np.frombuffer(raw, ">u4", axes, len(magic))))
    wanted = start + int(np.prod(shape, dtype=object))
    if not all(shape) or len(raw) != wanted:
        raise InputError.must(
            f"a file of {' × '.join(map(str, shape))} numbers",
            f"of at least one, {wanted:,} bytes long", f"{len(raw):,} bytes", where=str(path),
            remedy="take it anew from where it came",
        )  # fmt: skip
    return np.frombuffer(raw, np.uint8, offset=start).reshape(shape)
