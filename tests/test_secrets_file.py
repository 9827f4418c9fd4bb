import numpy as np
import pytest

from gleak.errors import InputError
from gleak.secrets_file import SecretsTable, align_prior, as_prior, read_secrets, write_secrets


def table(tmp_path, text):
    path = tmp_path / "secrets.csv"
    path.write_text(text)
    return read_secrets(path)


def test_secrets_with_prior_and_what_is_known_of_them(tmp_path):
    read = table(tmp_path, "cell,prior,ward,east\n7,0.25,n,1.5\n9,0.75,s,-2\n")
    assert read.secrets.tolist() == [7, 9]
    np.testing.assert_array_equal(read.prior, [0.25, 0.75])
    assert read.attributes["ward"].tolist() == ["n", "s"]
    assert read.attributes["east"].tolist() == [1.5, -2]


def test_a_prior_is_aligned_by_label(tmp_path):
    read = table(tmp_path, "secret,prior\na,0.2\nb,0.8\nnever,0\n")
    np.testing.assert_array_equal(align_prior(read, np.array(["b", "a"])), [0.8, 0.2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("secret,prior\n", "has a header but no rows"),
        ("secret,prior\na,0.5\nb,0.6\n", "column 'prior': prior must be of sum 1, got 1.1; divide"),
        ("secret,prior\na,1.5\n\nb,-0.5\n", "line 4, column .*none negative, got -0.5; a secret"),
        ("secret,prior\na,1\nb,\n", "column 'prior', value 2: .*got an empty field"),
        ("secret,prior\na,1\nb,x\n", "column 'prior', value 2: .*got 'x'"),
        ("secret,prior\na,0.5\na,0.5\n", "secrets must be all different, got 'a' more than once"),
        ("secret,prior\n,0.5\na,0.5\n", "labels without gaps, got a missing one at position 0"),
        ("secret,prior,prior\na,1,0\n", "has two columns 'prior'; rename or remove one"),
    ],
)
def test_a_bad_secrets_file_is_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        table(tmp_path, text)


def test_a_prior_that_does_not_fit_the_system_is_refused(tmp_path):
    read = table(tmp_path, "secret,prior\na,0.2\nbee,0.8\n")
    with pytest.raises(InputError, match=r"p.csv: the prior lacks 'be'; did you mean 'bee'\?"):
        align_prior(read, np.array(["a", "be"]), where="p.csv")
    with pytest.raises(
        InputError, match="the prior has the secret 'bee', which the system does not"
    ):
        align_prior(read, np.array(["a"]))
    with pytest.raises(
        InputError,
        match=r"there is no column 'prior' \(its other columns: .*\); add one, or take the uniform",
    ):
        align_prior(table(tmp_path, "secret\na\nb\n"), np.array(["a", "b"]), where="p.csv")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.5, 0.5], "one number for each of the 3 secrets, got 2 numbers"),
        ([[1, 0, 0]], "one number for each of the 3 secrets, got 2 axes"),
        ([0.2, 0.2, np.nan], "got nan at position 2"),
        ([np.inf, 0, 0], "got inf at position 0"),
        (["a", "b", "c"], "prior must be numbers"),
        ([0.5, 0.5, 0.00001], "of sum 1, got 1.00001"),
    ],
)
def test_an_array_that_is_no_prior_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        as_prior(values, 3)


def test_a_prior_in_single_precision_is_normalised():
    assert as_prior(np.array([0.1, 0.2, 0.7], dtype=np.float32), 3).sum() == 1


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.csv.gz"])
def test_what_is_written_is_read(tmp_path, name):
    table = SecretsTable(
        np.array(["a", "b,c"]), np.array([1 / 3, 2 / 3]), {"at": np.array([0.1, 2.0])}
    )
    write_secrets(tmp_path / name, table)
    found = read_secrets(tmp_path / name)
    assert found.secrets.tolist() == ["a", "b,c"]
    assert found.prior.tolist() == [1 / 3, 2 / 3]
    assert found.attributes["at"].tolist() == [0.1, 2.0]


def test_a_prior_need_not_be_written(tmp_path):
    write_secrets(tmp_path / "s.csv", SecretsTable(np.array([1, 2]), None, {}))
    assert (tmp_path / "s.csv").read_text() == "secret\n1\n2\n"
    with pytest.raises(InputError, match=r"s\.parquet: a file's ending must be one of \.csv"):
        write_secrets(tmp_path / "s.parquet", SecretsTable(np.array([1, 2]), None, {}))
