"""Every format gives the same samples; every mistake in a file is one sentence with its place."""

import contextlib
import gzip
import threading

import numpy as np
import polars as pl
import pytest

from gleak.errors import InputError
from gleak.reading import read, write
from gleak.samples import Samples
from gleak.tables import WRITTEN

CSV = "secret,time,colour,level\nb,0.5,red,3\na,-0.0,blue,2\nb,0.0,red,3\nc,1e3,red,7\n"
FRAME = pl.DataFrame(
    {
        "secret": ["b", "a", "b", "c"],
        "time": [0.5, -0.0, 0.0, 1e3],
        "colour": ["red", "blue", "red", "red"],
        "level": [3, 2, 3, 7],
    }
)


def arrays():
    return {
        s.name: np.array(s.to_list(), dtype=str) if s.dtype == pl.String else s.to_numpy()
        for s in FRAME.iter_columns()
    }


def write_npy(path):
    columns = arrays()
    table = np.empty(4, dtype=[(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        table[name] = values
    np.save(path, table)


# Written without our own writer, so that reading is tested alone.
WRITERS = {
    ".csv": lambda path: path.write_text(CSV),
    ".tsv": lambda path: path.write_text(CSV.replace(",", "\t")),
    ".csv.gz": lambda path: path.write_bytes(gzip.compress(CSV.encode())),
    ".tsv.gz": lambda path: path.write_bytes(gzip.compress(CSV.replace(",", "\t").encode())),
    ".csv.zst": lambda path: FRAME.lazy().sink_csv(path, compression="zstd"),
    ".tsv.zst": lambda path: FRAME.lazy().sink_csv(path, compression="zstd", separator="\t"),
    ".jsonl": FRAME.write_ndjson,
    ".ndjson": FRAME.write_ndjson,
    ".jsonl.gz": lambda path: path.write_bytes(gzip.compress(FRAME.write_ndjson().encode())),
    ".ndjson.gz": lambda path: path.write_bytes(gzip.compress(FRAME.write_ndjson().encode())),
    ".jsonl.zst": lambda path: FRAME.lazy().sink_ndjson(path, compression="zstd"),
    ".ndjson.zst": lambda path: FRAME.lazy().sink_ndjson(path, compression="zstd"),
    ".parquet": FRAME.write_parquet,
    ".arrow": FRAME.write_ipc,
    ".feather": FRAME.write_ipc,
    ".ipc": FRAME.write_ipc_stream,
    ".npz": lambda path: np.savez(path, **arrays()),
    ".npy": write_npy,
}


@pytest.fixture
def file(tmp_path):
    """Write a file and say where it is."""

    def written(content, name="log.csv"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return path

    return written


def refusal(*args, work=read, **options):
    with pytest.raises(InputError) as caught:
        work(*args, **options)
    return str(caught.value)


def is_the_frame(samples):
    time, colour, level = samples.observables.columns
    assert samples.secrets.tolist() == ["a", "b", "c"]
    assert samples.codes.tolist() == [1, 0, 1, 2]
    assert samples.observables.names == ["time", "colour", "level"]
    assert time.values.tolist() == [0.5, 0.0, 0.0, 1e3]
    assert not np.signbit(time.values).any()
    assert level.values.tolist() == [3, 2, 3, 7]
    assert level.values.dtype == np.int64
    assert colour.categories.tolist() == ["blue", "red"]
    assert colour.values.tolist() == [1, 0, 1, 1]


class TestFormats:
    def test_none_is_forgotten_here(self):
        assert set(WRITERS) == set(WRITTEN)

    @pytest.mark.parametrize("ending", WRITERS)
    def test_every_format_gives_the_same_samples(self, tmp_path, ending):
        path = tmp_path / f"log[1] *{ending}"  # a name, not a pattern
        WRITERS[ending](path)
        is_the_frame(read(path, "secret"))

    @pytest.mark.parametrize("ending", WRITTEN)
    def test_what_was_written_is_read_again(self, tmp_path, ending):
        samples = Samples.of(
            ["b", "a", "b", "c"],
            {"time": [0.5, -0.0, 0.0, 1e3], "colour": FRAME["colour"].to_list(), "n": [1, 2, 3, 4]},
            attributes={"vowel": [False, True, False, False]},
            groups=[7, 7, 8, 9],
            weights=[1.0, 2.0, 3.0, 0.5],
        )
        path = tmp_path / f"log{ending}"
        write(samples, path)
        again = read(path, "secret", group="group", weight="weight", attributes=["vowel"])
        assert again.secrets.tolist() == samples.secrets.tolist()
        assert again.codes.tolist() == samples.codes.tolist()
        assert again.observables.names == samples.observables.names
        assert again.observables.matrix().tolist() == samples.observables.matrix().tolist()
        assert again.groups.tolist() == [0, 0, 1, 2]
        assert again.weights.tolist() == samples.weights.tolist()
        assert again.attributes["vowel"].tolist() == [True, False, False]

    def test_endings_may_be_in_capitals(self, tmp_path):
        samples = Samples.of(["a", "b"], {"t": [1, 2]})
        for ending in WRITTEN:
            path = tmp_path / f"LOG{ending.upper()}"
            write(samples, path)
            assert read(path, "secret").secrets.tolist() == ["a", "b"]

    def test_a_matrix_names_its_columns_by_number(self, tmp_path):
        np.save(tmp_path / "m.npy", np.array([[1, 0.5, 3], [2, 0.5, 4]]))
        samples = read(tmp_path / "m.npy", "0")
        assert samples.secrets.tolist() == [1.0, 2.0]
        assert samples.observables.names == ["1", "2"]

    def test_named_arrays_of_secrets_and_observables(self, tmp_path):
        path = tmp_path / "m.npz"
        np.savez(path, secrets=np.array(["x", "y"]), observables=np.array([[1, 2], [3, 4]]))
        samples = read(path, "secrets")
        assert samples.observables.names == ["observables_0", "observables_1"]
        assert samples.observables.matrix().tolist() == [[1, 2], [3, 4]]

    def test_bytes_are_texts(self, tmp_path):
        np.savez(tmp_path / "m.npz", s=np.array([b"x", b"y"]), a=np.array([1, 2]))
        assert read(tmp_path / "m.npz", "s").secrets.tolist() == ["x", "y"]

    @pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns"])
    def test_times_of_any_resolution(self, tmp_path, unit):
        times = np.array([3, 1, 2], dtype=f"M8[{unit}]")
        np.savez(tmp_path / "log.npz", s=["x", "y", "x"], at=times)
        [column] = read(tmp_path / "log.npz", "s").observables.columns
        assert column.values.argsort().tolist() == [1, 2, 0]

    def test_roles(self, file):
        path = file("pin,t,u,day,even,w\n1,5,x,1,n,2\n2,6,y,1,y,1\n1,6,x,2,n,1\n")
        samples = read(
            path, "pin", ["t"], public=["u"], group="day", attributes=["even"], weight="w"
        )
        assert samples.observables.names == ["t", "u"]
        assert samples.public == ("u",)
        assert samples.groups.tolist() == [0, 0, 1]
        assert samples.attributes["even"].tolist() == ["n", "y"]
        assert samples.weights.tolist() == [2, 1, 1]


class TestText:
    def test_byte_order_mark_carriage_returns_and_spaces(self, file):
        path = file("\ufeff s , a,b\r\nx , 1,u\r\ny, 2, u\r\n".encode())
        samples = read(path, "s")
        assert samples.secrets.tolist() == ["x", "y"]
        assert samples.observables.columns[0].values.tolist() == [1, 2]
        assert samples.observables.columns[1].categories.tolist() == ["u"]

    def test_blank_lines_are_no_rows(self, file):
        samples = read(file("s,a\nx,1\n\ny,2\n\n"), "s")
        assert samples.observables.columns[0].values.tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("fields", "values"),
        [
            (["1", "2"], [1, 2]),
            (['"1"', '"2"'], [1, 2]),
            (["+1", "2"], [1, 2]),
            (["1"] * 200 + ["2.5"], [1.0] * 200 + [2.5]),
            ([" 1", " 2.5"], [1.0, 2.5]),
        ],
    )
    def test_what_looks_like_a_number_is_one(self, file, fields, values):
        rows = "".join(f"{'xy'[i % 2]},{field}\n" for i, field in enumerate(fields))
        column = read(file("s,a\n" + rows), "s").observables.columns[0]
        assert column.categories is None
        assert column.values.tolist() == values
        assert column.values.dtype.kind == ("i" if isinstance(values[0], int) else "f")

    def test_a_word_after_many_numbers_makes_categories(self, file):
        rows = "".join(f"{i % 2},{i % 3}\n" for i in range(200))
        column = read(file(f"s,a\n{rows}1,timeout\n"), "s").observables.columns[0]
        assert column.categories.tolist() == ["0", "1", "2", "timeout"]

    def test_long_whole_numbers_stay_apart(self, file):
        long = 2**127 + 5
        path = file(f"s,a\n{long},1\n{long + 1},2\n{long},3\n")
        assert read(path, "s").secrets.tolist() == [str(long), str(long + 1)]

    def test_no_order_of_threads_is_seen(self, file):
        rng = np.random.default_rng(0)
        names = [f"user{i}" for i in rng.integers(0, 50, 2000)]
        path = file("s,a\n" + "".join(f"{name},1\n" for name in names))
        assert read(path, "s").secrets.tolist() == sorted(set(names))


class TestFilesThatAreRefused:
    def test_missing(self, tmp_path):
        path = tmp_path / "no.csv"
        assert refusal(path, "s").startswith(f"{path} does not exist; check the path")

    def test_directory(self, tmp_path):
        assert refusal(tmp_path, "s") == f"{tmp_path} is a directory; name a file in it"

    def test_unknown_ending(self, file):
        path = file("s,a\n", "log.xls")
        assert refusal(path, "s").startswith(f"{path}: a file's ending must be one of .csv .tsv ")
        assert refusal(path, "s").endswith("got '.xls'")

    def test_empty(self, file):
        path = file("")
        assert refusal(path, "s") == f"{path} is empty; write a header and rows into it"

    def test_header_only(self, file):
        path = file("s,a\n")
        assert refusal(path, "s") == f"{path} has a header but no rows; write rows under it"

    @pytest.mark.parametrize("ending", [".parquet", ".arrow", ".npz"])
    def test_no_rows(self, tmp_path, ending):
        path = tmp_path / f"log{ending}"
        if ending == ".npz":
            np.savez(path, s=np.zeros(0), a=np.zeros(0))
        else:
            empty = pl.DataFrame({"s": [], "a": []})
            (empty.write_parquet if ending == ".parquet" else empty.write_ipc)(path)
        assert refusal(path, "s").startswith(f"{path}: samples must be at least two rows, got 0; ")

    def test_not_writeable(self, tmp_path):
        path = tmp_path / "none" / "log.npz"
        samples = Samples.of(["a", "b"], [1, 2])
        assert refusal(samples, path, work=write) == (
            f"{path} cannot be written: No such file or directory"
        )

    def test_a_name_taken_twice_is_not_written(self, tmp_path):
        samples = Samples.of(["a", "b"], {"secret": [1, 2]})
        assert refusal(samples, tmp_path / "x.csv", work=write) == (
            "two columns would be called 'secret'; rename one before writing"
        )

    @pytest.mark.parametrize(
        "ending", [".parquet", ".npz", ".npy", ".arrow", ".csv.gz", ".csv.zst", ".jsonl.gz"]
    )
    def test_corrupt(self, tmp_path, ending):
        whole = tmp_path / f"whole{ending}"
        WRITERS[ending](whole)
        path = tmp_path / f"half{ending}"
        path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
        message = refusal(path, "secret")
        assert message.startswith(f"{path} cannot be read: ")
        assert message.endswith("; is it whole, and what its ending says?")
        assert "\n" not in message

    def test_damaged_inside(self, tmp_path):
        """NumPy raises what its parts raise: zip, zlib, Python reading headers."""
        path = tmp_path / "log.npy"
        write_npy(path)
        path.write_bytes(path.read_bytes().replace(b"'shape': (4,)", b"'shape': ((4,"))
        assert refusal(path, "secret").startswith(f"{path} cannot be read: ")
        path = tmp_path / "log.npz"
        np.savez_compressed(path, **arrays())
        whole = path.read_bytes()
        path.write_bytes(whole[:60] + bytes(40) + whole[100:])
        assert refusal(path, "secret").startswith(f"{path} cannot be read: ")
        np.savez(path, secret=[1, 2], a=np.array(["x", "\ud800"]))
        assert refusal(path, "secret").startswith(f"{path} cannot be read: it holds text that is")

    @pytest.mark.parametrize("ending", WRITTEN)
    def test_damage_anywhere_is_read_or_refused(self, tmp_path, ending):
        path, rng = tmp_path / f"log{ending}", np.random.default_rng(0)
        WRITERS[ending](path)
        whole = path.read_bytes()
        for _ in range(30):
            torn = bytearray(whole)
            for place in rng.integers(0, len(torn), 3):
                torn[place] = rng.choice([0, 9, 10, 13, 34, 44, 255, rng.integers(256)])
            path.write_bytes(torn)
            with contextlib.suppress(InputError):
                read(path, "secret")

    def test_a_panic_is_a_refusal_too(self, file, monkeypatch):
        def panic(*_, **__):
            raise pl.exceptions.PanicException("range end index out of range")

        monkeypatch.setattr(pl, "scan_ipc", panic)
        path = file(b"ARROW1 and no more", "log.arrow")
        assert refusal(path, "s").startswith(f"{path} cannot be read: range end index out of range")

    def test_arrays_of_objects_are_not_unpickled(self, tmp_path):
        path = tmp_path / "log.npz"
        np.savez(path, s=np.array([{}, 1], dtype=object))
        assert refusal(path, "s").startswith(f"{path} cannot be read: it holds no plain arrays;")

    def test_arrays_of_different_lengths(self, tmp_path):
        path = tmp_path / "log.npz"
        np.savez(path, secrets=np.zeros(3), observables=np.zeros(4))
        assert refusal(path, "secrets") == (
            f"{path}: the arrays must be of the same length, got 3 in 'secrets', 4 in 'observables'"
        )

    def test_arrays_of_three_axes(self, tmp_path):
        path = tmp_path / "log.npy"
        np.save(path, np.zeros((2, 2, 2)))
        assert refusal(path, "0") == f"{path}: the array must be of one axis or two, got 3"


class TestRowsThatAreRefused:
    @pytest.mark.parametrize("row", ["y,2", "y,2,3,4"])
    @pytest.mark.parametrize("observables", [None, ["a"]])
    def test_ragged(self, file, row, observables):
        path = file(f"s,a,b\nx,1,2\n{row}\nz,2,3\n")
        assert refusal(path, "s", observables) == (
            f"{path}, line 3: a row must be of 3 fields like the header, got {len(row) // 2 + 1}"
        )

    def test_a_lone_carriage_return_ends_no_line(self, file):
        path = file("s,a\n\rx,1\ny,2\nx,\n")
        assert refusal(path, "s").startswith(f"{path}, line 4: column 'a' must be without gaps")

    def test_a_quote_that_never_ends_still_has_a_place(self, file):
        path = file('s,a,b\nx,1,2\ny,"2,\nx,1,2\n')
        assert str(path) in refusal(path, "s")

    def test_lines_are_counted_as_an_editor_does(self, file):
        path = file('s,a,b\n"x\nx",1,2\n\ny,2\n')
        assert refusal(path, "s").startswith(f"{path}, line 5: a row must be of 3 fields")

    @pytest.mark.parametrize("name", ["log.csv", "log.csv.gz"])
    def test_not_utf8(self, file, name):
        raw = b"s,a\nx,1\n\xe9t\xe9,2\n"
        path = file(gzip.compress(raw) if name.endswith("gz") else raw, name)
        assert refusal(path, "s") == (
            f"{path}, line 3: text must be UTF-8, got other bytes; save the file as UTF-8"
        )

    def test_header_that_is_not_utf8(self, file):
        path = file(b"s\xe9,a\nx,1\ny,2\n")
        assert refusal(path, "a").startswith(f"{path}, line 1: text must be UTF-8")

    @pytest.mark.parametrize("gap", ["", '""', "NA", "null", "None"])
    @pytest.mark.parametrize("others", [("1", "2"), ("u", "v")])
    def test_missing(self, file, gap, others):
        path = file(f"s,a,b\nx,{others[0]},1\ny,{others[1]},2\n\nx,{gap},3\n")
        assert refusal(path, "s") == (
            f"{path}, line 5: column 'a' must be without gaps, got a missing value; "
            "remove the row, or give the gap a name of its own"
        )

    def test_missing_secret(self, file):
        path = file("s,a\nx,1\n,2\n")
        assert refusal(path, "s").startswith(f"{path}, line 3: column 's' must be without gaps")

    def test_a_row_of_gaps_is_not_a_blank_line(self, file):
        path = file("s,a\nx,1\n,\ny,2\n")
        assert "line 3: column 's' must be without gaps" in refusal(path, "s")

    @pytest.mark.parametrize(
        ("field", "got"),
        [("NaN", "nan"), ("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), ("1e400", "inf")],
    )
    @pytest.mark.parametrize("before", [2, 200])
    def test_not_finite(self, file, field, got, before):
        path = file("s,a\n" + "x,1.5\ny,2.5\n" * (before // 2) + f"x,{field}\n")
        assert refusal(path, "s") == (
            f"{path}, line {before + 2}: column 'a' must be of finite numbers, got {got}; "
            "remove the row, or write as a category what happened"
        )

    @pytest.mark.parametrize("field", ["Infinity", "-Inf", "INF"])
    def test_infinities_by_other_names(self, file, field):
        path = file(f"s,a\nx,1.5\ny,{field}\n")
        assert f"{path}, line 3: column 'a' must be of finite numbers" in refusal(path, "s")

    def test_rows_of_other_formats(self, tmp_path):
        path = tmp_path / "log.parquet"
        pl.DataFrame({"s": ["x", "y"], "a": [1.0, None], "b": [1.0, np.nan]}).write_parquet(path)
        assert f"{path}, row 1: column 'a' must be without gaps" in refusal(path, "s", ["a"])
        assert f"{path}, row 1: column 'b' must be of finite" in refusal(path, "s", ["b"])

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ('{"s": "y", "a"', "line 3: a line must be a JSON object, got "),
            ('{"s": "y", "a": NaN}', "line 3: a line must be a JSON object, got NaN, which JSON"),
            ("[1, 2]", "line 3: a line must be a JSON object, got a list"),
            ('{"s": "y"}', "line 3: column 'a' must be without gaps, got a missing value"),
            ('{"s": "y", "a": null}', "line 3: column 'a' must be without gaps"),
            ('{"s": "y", "a": [1]}', "column 'a' must be of numbers, texts, truth values or"),
        ],
    )
    def test_json_lines(self, file, line, message):
        path = file(f'{{"s": "x", "a": {[1] if "[1]" in line else 1}}}\n\n{line}\n', "log.jsonl")
        assert message in refusal(path, "s")
        assert refusal(path, "s").startswith(str(path))

    def test_json_lines_that_are_not_utf8(self, file):
        path = file(b'{"s": "x", "a": 1}\n{"s": "\xe9", "a": 2}\n', "log.jsonl")
        assert refusal(path, "s").startswith(f"{path}, line 2: text must be UTF-8")


class TestColumnsThatAreRefused:
    def test_unknown(self, file):
        path = file("pin,time\n1,2\n2,3\n")
        assert refusal(path, "pni") == f"{path}: no column 'pni'; did you mean 'pin'?"
        assert refusal(path, "pin", ["tme"]) == f"{path}: no column 'tme'; did you mean 'time'?"
        for role in ("group", "weight"):
            assert refusal(path, "pin", **{role: "q"}) == (
                f"{path}: no column 'q'; known are: pin, time"
            )
        for role in ("public", "attributes"):
            assert refusal(path, "pin", **{role: ["q"]}).startswith(f"{path}: no column 'q'")

    def test_twice_in_the_header(self, file):
        path = file("s,a,a\n1,2,3\n2,3,4\n")
        assert refusal(path, "s") == f"{path} has two columns 'a'; rename or remove one"

    @pytest.mark.parametrize("observables", [["s"], ["a", "a"]])
    def test_given_twice(self, file, observables):
        path = file("s,a\n1,2\n2,3\n")
        assert refusal(path, "s", observables) == (
            f"{path}: column {observables[-1]!r} is given twice; a column is either the secret, "
            "an observable, an attribute or the weight"
        )

    def test_none_left(self, file):
        path = file("s\n1\n2\n")
        assert refusal(path, "s") == f"{path}: no column is left to observe besides 's'; add one"
        path = file("s,a\n1,2\n2,3\n")  # none is none, not all
        assert refusal(path, "s", []).startswith(f"{path}: no column is left to observe")

    def test_without_a_name(self, file):
        path = file(",s,a\n0,x,1\n1,y,2\n")
        assert refusal(path, "s") == (
            f"{path}: a column to observe has no name; name it, or remove it "
            "(pandas writes such a column unless told index=False)"
        )
        assert read(path, "s", ["a"]).observables.names == ["a"]

    def test_one_secret_only(self, file):
        path = file("s,a\nx,1\nx,2\n")
        assert refusal(path, "s") == (
            f"{path}: the secret must be of at least two different secrets, got only 'x'; "
            "name the column that holds what an attacker does not know"
        )

    def test_one_row(self, file):
        path = file("s,a\nx,1\n")
        assert refusal(path, "s").startswith(f"{path}: samples must be at least two rows, got 1; ")

    def test_continuous_secret(self, file):
        rows = "".join(f"{i / 7},{i % 2}\n" for i in range(1, 50))
        path = file("s,class\n" + rows)
        samples = read(path, "s")
        for ask in (samples.bind, samples.take(slice(None)).under):
            with pytest.raises(InputError) as caught:
                ask("bayes")
            assert str(caught.value).startswith(
                f"{path}: the secret must be a label that repeats, got 49 different ones in 49 "
                "rows; write a class of it in a column"
            )
        path = file("s,class,a\n" + rows.replace("\n", ",1\n"))
        samples = read(path, "s", attributes=["class"])
        assert samples.under("partition:class")[0].secrets.tolist() == [0, 1]

    def test_attribute_that_is_no_function_of_the_secret(self, file):
        path = file("s,class,a\nx,u,1\ny,v,1\n\nx,v,2\n")
        assert refusal(path, "s", attributes=["class"]) == (
            f"{path}, line 5: attribute 'class' must be the same wherever its secret is the same, "
            "got 'v' after 'u' in line 2; name it as an observable instead"
        )

    def test_weights(self, file):
        path = file("s,a,w\nx,1,2\ny,1,0\n")
        assert refusal(path, "s", weight="w") == (
            f"{path}, line 3: weight 'w' must be above 0, got 0"
        )
        path = file("s,a,w\nx,1,2\ny,1,much\n")
        assert refusal(path, "s", weight="w") == (
            f"{path}: weight 'w' must be of numbers, got categories"
        )


def test_a_single_column_need_not_be_in_a_list(file):
    path = file("s,time,user,class\na,1,x,u\nb,2,y,v\na,3,x,u\n")
    listed = read(path, "s", ["time"], public=["user"], attributes=["class"])
    single = read(path, "s", "time", public="user", attributes="class")
    assert single.observables.names == listed.observables.names == ["time", "user"]
    assert single.public == listed.public
    assert list(single.attributes) == list(listed.attributes) == ["class"]


def test_threads_end_with_the_reading(file):
    before = threading.active_count()
    read(file(CSV), "secret")
    assert threading.active_count() == before
