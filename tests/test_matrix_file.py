import gzip

import numpy as np
import pytest
from scipy import sparse

from gleak.errors import InputError
from gleak.matrix_file import read_matrix

VALUES = [[0.25, 0.75], [0.5, 0.5]]


def text(rows, columns):
    """A file with the row and column names that are wanted."""
    lines = [",".join(([rows[0]] if rows else []) + columns)] if columns else []
    for place, row in enumerate(VALUES):
        lines.append(",".join(([rows[place + 1]] if rows else []) + [str(v) for v in row]))
    return "\n".join(lines) + "\n"


# A file whose names are all numbers cannot be told from one without names.
NAMINGS = [
    (None, None),
    (None, ["u", "v"]),
    (["", "a", "b"], None),
    (["", "a", "b"], ["u", "v"]),
    (["", "1", "2"], ["10", "20"]),
    (["secret", "1", "2"], ["u", "v"]),
    (["guess", "1", "2"], ["10", "20"]),
    (["who", "a", "b"], ["u", "v"]),
]


@pytest.mark.parametrize(("rows", "columns"), NAMINGS)
def test_names_are_found_where_they_are_not_numbers(tmp_path, rows, columns):
    path = tmp_path / "m.csv"
    path.write_text(text(rows, columns))
    read = read_matrix(path)
    np.testing.assert_array_equal(read.values, VALUES)
    assert (read.rows.tolist() if read.rows is not None else None) == (rows[1:] if rows else None)
    assert (read.columns.tolist() if read.columns is not None else None) == columns


def test_a_matrix_known_to_be_named_may_be_named_by_numbers(tmp_path):
    (tmp_path / "g.csv").write_text("0,1,2\n7,0.5,0.5\n")
    read = read_matrix(tmp_path / "g.csv", named=True)
    assert read.columns.tolist() == ["1", "2"]
    assert read.rows.tolist() == ["7"]


def test_formats_give_one_matrix(tmp_path):
    (tmp_path / "m.tsv").write_text("0.25\t0.75\n0.5\t0.5\n")
    (tmp_path / "m.csv.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf0.25, 0.75\r\n\r\n0.5,0.5\r\n"))
    np.save(tmp_path / "m.npy", np.array(VALUES, dtype=np.float32))
    np.savez(tmp_path / "m.npz", channel=np.array(VALUES))
    for name in ("m.tsv", "m.csv.gz", "m.npy", "m.npz"):
        np.testing.assert_array_equal(read_matrix(tmp_path / name).values, VALUES)
    sparse.save_npz(tmp_path / "s.npz", sparse.csr_array(VALUES))
    read = read_matrix(tmp_path / "s.npz").values
    assert sparse.issparse(read)
    np.testing.assert_array_equal(read.toarray(), VALUES)


BAD = {
    "empty.csv": (b"", "empty.csv is empty"),
    "header.csv": (b"a,b\n", "has a header but no rows"),
    "ragged.csv": (
        b"a,b\n1,2\n\n1,2,3\n",
        "line 4: a row must be of 2 fields like the first, got 3",
    ),
    "latin.csv": (
        b"a,b\n1,2\n\xe9,2\n",
        "line 3: text must be UTF-8, got byte 0xe9; save the file",
    ),
    "nan.csv": (b"a,b\n1,nan\n", "line 2, value 2: a value must be a finite number, got 'nan'"),
    "inf.csv": (b"0.5,0.5\n1,-inf\n", "line 2, value 2: a value must be a finite number"),
    "gap.csv": (b"a,b\n,2\n", "line 2, value 1: .*got an empty field"),
    "word.csv": (
        b"a,b\nx,2\ny,two\n",
        "line 3, value 1: a value must be a finite number, got 'two'",
    ),
    "grouped.csv": (b",a,b\nx,1_0,2\n", "line 2, value 1: .*got '1_0'"),
    "wide.csv": (b'a,b\n"' + b"1" * 200_000 + b'",2\n', "cannot be read as rows of fields: field"),
    "names.csv": (b"secret\na\nb\n", "has no column of numbers"),
    "m.xlsx": (b"1,2\n", "ending must be one of .csv .tsv .* got '.xlsx'"),
    "torn.npy": (b"\x93NUMPY", "torn.npy cannot be read as .npy"),
    "torn.npz": (b"PK\x03\x04", "torn.npz cannot be read as .npz"),
    "torn.csv.gz": (gzip.compress(b"1,2\n3,4\n")[:-9], "torn.csv.gz cannot be unpacked"),
    "plain.csv.gz": (b"1,2\n", "plain.csv.gz cannot be unpacked"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused_by_name_and_line(tmp_path, name):
    content, message = BAD[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as refusal:
        read_matrix(tmp_path / name)
    assert name in str(refusal.value)


def test_a_file_damaged_inside_is_refused(tmp_path):
    np.save(tmp_path / "m.npy", VALUES)
    text = (tmp_path / "m.npy").read_bytes()
    (tmp_path / "m.npy").write_bytes(text.replace(b"'shape': (", b"'shape':(("))
    np.savez_compressed(tmp_path / "m.npz", VALUES)
    text = (tmp_path / "m.npz").read_bytes()
    (tmp_path / "m.npz").write_bytes(text[:60] + bytes(20) + text[80:])
    for name in ("m.npy", "m.npz"):
        with pytest.raises(
            InputError, match=rf"{name} cannot be read as \.np[yz]: .*; is it whole"
        ):
            read_matrix(tmp_path / name)


def test_a_missing_file_and_a_directory_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv does not exist; check the path"):
        read_matrix(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_matrix(tmp_path)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"one": np.eye(2), "two": np.eye(2)}, "of one array, got 2: one, two"),
        ({"one": np.ones(3)}, "a matrix of real numbers, got 1 axes of float64"),
        ({"one": np.array([["a", "b"]])}, "a matrix of real numbers, got 2 axes of <U1"),
        ({"one": np.array([[None]])}, "cannot be read as .npz"),
    ],
)
def test_an_archive_that_is_not_one_matrix_is_refused(tmp_path, arrays, message):
    np.savez(tmp_path / "m.npz", **arrays)
    with pytest.raises(InputError, match=message):
        read_matrix(tmp_path / "m.npz")
