"""The four original files of MNIST, here with a handful of tiny images."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.experiments.mnist_files import FILES, read_mnist

IMAGES = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4) + 230
DIGITS = np.array([7, 0], dtype=np.uint8)
TEST_IMAGES = np.full((1, 3, 4), 255, dtype=np.uint8)


def idx(numbers) -> bytes:
    """An idx file, written out byte by byte as its format says."""
    lengths = b"".join(length.to_bytes(4, "big") for length in numbers.shape)
    return bytes([0, 0, 8, numbers.ndim]) + lengths + numbers.astype(np.uint8).tobytes()


def folder(home: Path, **changed: bytes) -> Path:
    """The four files, plain; some of them with other bytes."""
    contents = [idx(IMAGES), idx(DIGITS), idx(TEST_IMAGES), idx(DIGITS[:1])]
    for name, raw in zip(FILES, contents, strict=True):
        (home / name).write_bytes(changed.get(name.replace("-", "_"), raw))
    return home


def test_pixels_are_observables_and_digits_secrets(tmp_path) -> None:
    read = read_mnist(folder(tmp_path))
    assert read.train.secrets.tolist() == list(range(10))
    assert read.train.codes.tolist() == [7, 0]
    assert read.train.observables.names == [str(pixel) for pixel in range(12)]
    assert (read.train.observables.matrix() == IMAGES.reshape(2, 12)).all()
    assert read.test.codes.tolist() == [7]
    assert (read.test.observables.matrix() == 255).all()


def test_files_may_be_gzipped_each_by_itself(tmp_path) -> None:
    plain = read_mnist(folder(tmp_path))
    for name in FILES[:3]:
        path = tmp_path / name
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    packed = read_mnist(str(tmp_path))
    assert (packed.train.observables.matrix() == plain.train.observables.matrix()).all()
    assert (packed.test.codes == plain.test.codes).all()


def test_the_first_length_byte_is_the_highest(tmp_path) -> None:
    # 300 images: 0x012c, of which neither byte alone is the length.
    images, digits = np.zeros((300, 3, 4), np.uint8), np.arange(300) % 10
    home = folder(
        tmp_path, train_images_idx3_ubyte=idx(images), train_labels_idx1_ubyte=idx(digits)
    )
    assert len(read_mnist(home).train.codes) == 300


def test_a_folder_that_is_not_there_or_lacks_a_file(tmp_path) -> None:
    with pytest.raises(InputError, match=r"must be there, got .*nowhere; name the one that holds"):
        read_mnist(tmp_path / "nowhere")
    folder(tmp_path)
    (tmp_path / FILES[3]).unlink()
    with pytest.raises(InputError, match=f"has neither {FILES[3]} nor .*gleak fetches nothing"):
        read_mnist(tmp_path)


@pytest.mark.parametrize(
    ("name", "raw", "message"),
    [
        (0, b"", r"begins with 0x00000803 .* got 0x in 0 bytes"),
        (0, idx(DIGITS), r"an idx file of 3 axes must be .* got 0x00000801"),
        (0, b"\x00\x00\x0d\x03" + idx(IMAGES)[4:], "got 0x00000d03"),
        (0, idx(IMAGES)[:9], "got 0x00000803 in 9 bytes"),
        (0, idx(IMAGES)[:-1], r"2 × 3 × 4 numbers must be .* 40 bytes long, got 39 bytes"),
        (0, idx(IMAGES) + b"\x00", "got 41 bytes"),
        (0, idx(IMAGES[:0]), "of at least one"),
        (1, idx(DIGITS[:1]), r"labels must be as many as the 2 images .* got 1"),
        (1, idx(np.array([3, 10])), r"label 2: a label must be a digit, got 10"),
        (2, idx(np.zeros((1, 3, 5))), "of 12 pixels, like those to train on, got 15"),
    ],
)
def test_files_that_are_not_what_they_should_be(tmp_path, name, raw, message) -> None:
    home = folder(tmp_path, **{FILES[name].replace("-", "_"): raw})
    with pytest.raises(InputError, match=message) as refused:
        read_mnist(home)
    assert FILES[name] in str(refused.value)


def test_a_length_that_no_file_has_is_refused_not_believed(tmp_path) -> None:
    huge = bytes([0, 0, 8, 3]) + b"\xff" * 12 + bytes(8)
    with pytest.raises(InputError, match="4294967295 × 4294967295 × 4294967295 numbers"):
        read_mnist(folder(tmp_path, train_images_idx3_ubyte=huge))


def test_what_cannot_be_unpacked_is_refused(tmp_path) -> None:
    folder(tmp_path)
    (tmp_path / FILES[0]).rename(tmp_path / f"{FILES[0]}.gz")
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_mnist(tmp_path)
