import numpy as np
import pytest
from scipy import sparse

from gleak.channel import Channel
from gleak.errors import InputError

MATRIX = np.random.default_rng(0).dirichlet(np.ones(3), 2)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".csv.gz", ".tsv.gz"])
@pytest.mark.parametrize(
    ("secrets", "observables"),
    [
        (None, None),
        (["a, b", "c"], ["low", "middle", "high"]),
        ([3, 7], [0.5, 1.0, 2.25]),
        (["007", "7"], [10, 20, 30]),
    ],
)
def test_text_keeps_every_digit_and_every_name(tmp_path, ending, secrets, observables):
    written = Channel(MATRIX, None, secrets, observables)
    written.write(tmp_path / f"c{ending}")
    read = Channel.read(tmp_path / f"c{ending}", prior=[0.25, 0.75])
    np.testing.assert_array_equal(read.matrix, MATRIX)
    assert read.secrets.tolist() == written.secrets.tolist()
    assert read.observables.tolist() == written.observables.tolist()
    np.testing.assert_array_equal(read.prior, [0.25, 0.75])


def test_the_text_is_literally_this(tmp_path):
    Channel([[0.5, 0.5], [0, 1]], None, [3, 4], ["u", "v"]).write(tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text() == ",u,v\n3,0.5,0.5\n4,0.0,1.0\n"


@pytest.mark.parametrize("ending", [".csv", ".npz"])
def test_sparse_channels_are_read_back(tmp_path, ending):
    Channel(sparse.csr_array(MATRIX)).write(tmp_path / f"c{ending}")
    read = Channel.read(tmp_path / f"c{ending}").matrix
    assert sparse.issparse(read) == (ending == ".npz")
    np.testing.assert_array_equal(read.toarray() if sparse.issparse(read) else read, MATRIX)


@pytest.mark.parametrize("ending", [".CSV", ".TSV.GZ", ".NPY", ".NPZ"])
def test_an_ending_may_be_written_large(tmp_path, ending):
    path = tmp_path / f"C{ending}"
    Channel(MATRIX).write(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    np.testing.assert_array_equal(Channel.read(path).matrix, Channel(MATRIX).matrix)


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"c\.csv cannot be written: No such file"):
        Channel(MATRIX).write(tmp_path / "nowhere" / "c.csv")


@pytest.mark.parametrize("ending", [".npy", ".npz"])
def test_bare_arrays_are_read_back(tmp_path, ending):
    Channel(MATRIX).write(tmp_path / f"c{ending}")
    np.testing.assert_array_equal(Channel.read(tmp_path / f"c{ending}").matrix, MATRIX)


def test_what_is_refused_names_the_file(tmp_path):
    with pytest.raises(InputError, match=r"c\.txt: a file's ending must be one of"):
        Channel(MATRIX).write(tmp_path / "c.txt")
    with pytest.raises(InputError, match=r"sparse matrix must be \.npz or text, got '\.npy'"):
        Channel(sparse.csr_array(MATRIX)).write(tmp_path / "c.npy")
    (tmp_path / "bad.csv").write_text(",u,v\na,0.5,0.5\nb,0.5,0.6\n")
    with pytest.raises(InputError, match=r"bad\.csv: row 'b' of the channel must be of sum 1"):
        Channel.read(tmp_path / "bad.csv")
