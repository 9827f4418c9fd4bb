"""``gleak exact`` as a person runs it."""

import io
import json
import subprocess
import sys

import numpy as np
import pytest

from gleak.cli import main


@pytest.fixture
def channel(tmp_path, monkeypatch):
    """Three named secrets; the gains below are worked out by hand from it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.csv").write_text("secret,lo,hi\na,1,0\nb,0.5,0.5\nc,0,1\n")
    (tmp_path / "p.csv").write_text("secret,prior,side,at\na,0.5,l,0\nb,0.25,l,1\nc,0.25,r,2\n")
    return tmp_path


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main(["exact", *arguments])
    output = capsys.readouterr()
    return stop.value.code, output.out, output.err


def test_a_table_a_person_can_read(channel, capsys):
    code, out, err = run(capsys, "c.csv", "--gain", "bayes", "--gain", "tries:2")
    assert (code, err) == (0, "")
    assert out == EXPECTED


EXPECTED = """\
3 secrets, 2 observables, uniform prior
What an attacker gains

  gain         blind   after observing   × leakage   + leakage   min-entropy bits
 ─────────────────────────────────────────────────────────────────────────────────
  bayes     0.333333          0.666667    2.000000    0.333333           1.000000
  tries:2   0.666667          1.000000    1.500000    0.333333           0.584963

Whatever the attacker is after

  measure                    value   meaning
 ────────────────────────────────────────────────────────────────────────────────
  Bayes capacity          2.000000   caps × leakage: any prior, any gain ≥ 0
  Bayes security          0.000000   1: no pair of secrets can be told apart
  Bayes risk              0.333333   one guess at the secret is wrong this often
  Shannon capacity        1.000000   bits, at the worst prior
  mutual information      0.666667   bits, at this prior
  guesses needed, blind   2.000000   on average, one by one
  guesses needed, after   1.333333   on average, one by one

"""


def test_json_alone(channel, capsys):
    for arguments in (
        ["--json", "-", "c.csv"],
        ["c.csv", "--json"],
        ["--json", "--gain", "bayes", "c.csv"],
    ):
        code, out, err = run(capsys, *arguments)
        assert (code, err) == (0, "")
        document = json.loads(out)
        assert document["vulnerability"] == pytest.approx(2 / 3)
        assert document["prior_vulnerability"] == pytest.approx(1 / 3)
        assert document["leakage"] == pytest.approx(
            {"multiplicative": 2, "additive": 1 / 3, "min_entropy_bits": 1}
        )
        assert document["capacity"]["multiplicative_bayes"] == pytest.approx(2)
        assert document["capacity"]["shannon_bits"] == pytest.approx(1, abs=1e-6)
        assert (document["schema_version"], document["gain"]) == (1, "bayes")


def test_json_of_several_gains_and_a_prior(channel, capsys):
    gains = ["bayes", "tries:2", "partition:side", "distance:2:at:shape=linear"]
    options = [word for gain in gains for word in ("--gain", gain)]
    code, out, _ = run(capsys, "c.csv", "--prior", "p.csv", *options, "--json")
    estimates = json.loads(out)["estimates"]
    assert code == 0
    assert [estimate["gain"] for estimate in estimates] == gains
    # Joint weights: lo = (.5, .125, 0), hi = (0, .125, .25).
    expected = [0.5 + 0.25, 0.625 + 0.375, 0.625 + 0.25, 0.5625 + 0.3125]
    assert [e["vulnerability"] for e in estimates] == pytest.approx(expected)
    blind = [0.5, 0.75, 0.75, 0.625]
    assert [e["prior_vulnerability"] for e in estimates] == pytest.approx(blind)


def test_json_in_a_file_beside_the_table(channel, capsys):
    code, out, _ = run(capsys, "c.csv", "--json", "out.json")
    assert code == 0
    assert "bayes" in out
    assert json.loads((channel / "out.json").read_text())["gain"] == "bayes"


def test_an_infinite_ratio_is_null_in_json(channel, capsys):
    """A gain that is nothing blindly and something after observing has no finite ratio."""
    (channel / "g.csv").write_text("guess,a,b,c\nrisk a,1,-1,-1\nrisk c,-1,-1,1\npass,0,0,0\n")
    _, out, _ = run(capsys, "c.csv", "--gain", "g.csv", "--json")
    assert json.loads(out)["leakage"]["multiplicative"] is None
    assert json.loads(out)["leakage"]["additive"] > 0


def saved(save, **arrays):
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


REFUSALS = {
    "missing file": (["none.csv"], "none.csv does not exist; check the path"),
    "directory": (["."], "is a directory; name a file in it"),
    "empty": (["empty.csv"], "empty.csv is empty"),
    "header only": (["header.csv"], "header.csv has a header but no rows"),
    "ragged": (
        ["ragged.csv"],
        "ragged.csv, line 3: a row must be of 2 fields like the first, got 3; part",
    ),
    "not utf-8": (["latin.csv"], "latin.csv, line 2: text must be UTF-8"),
    "ending": (["c.xlsx"], "c.xlsx: a file's ending must be one of .csv"),
    "nan": (["nan.csv"], "nan.csv, line 2, value 2: a value must be a finite number, got 'nan'"),
    "one secret": (["one.csv"], "two secrets or more"),
    "negative": (["negative.csv"], "not negative, got -0.5 for secret 'b' and observable 'lo'"),
    "row sum": (["sum.csv"], "row 'b' of the channel must be of sum 1, got 0.9"),
    "gain spec": (["c.csv", "--gain", "bays"], "unknown gain 'bays'; did you mean 'bayes'?"),
    "gain column": (["c.csv", "--gain", "partition:side"], "needs a column 'side'"),
    "gain lacks a secret": (["c.csv", "--gain", "g2.csv"], "g2.csv: the gain matrix lacks 'c'"),
    "gain with nan": (
        ["c.csv", "--gain", "gnan.csv"],
        "gnan.csv, line 2, value 1: a value must be",
    ),
    "prior lacks a secret": (["c.csv", "--prior", "p2.csv"], "p2.csv: the prior lacks 'c'"),
    "prior sum": (["c.csv", "--prior", "psum.csv"], "prior must be of sum 1, got 1.1"),
    "prior negative": (
        ["c.csv", "--prior", "pneg.csv"],
        "pneg.csv, line 3, column 'prior': prior must be of finite numbers, none negative,",
    ),
    "blank lines": (["blank.csv"], "blank.csv has nothing but blank lines; write a header"),
    "column twice": (
        ["twice.csv"],
        "twice.csv: observables must be all different, got 'lo' more than once; rename",
    ),
    "row twice": (["rows.csv"], "rows.csv: secrets must be all different, got 'a' more than once"),
    "empty field": (["gap.csv"], "gap.csv, line 3, value 1: a value must be a finite number, got"),
    "infinite": (["inf.csv"], "inf.csv, line 2, value 1: a value must be a finite number"),
    "transposed": (["flat.csv"], "its columns have sum 1: transpose it"),
    "not an array": (["junk.npy"], "junk.npy cannot be read as .npy: it holds no plain array; is"),
    "two arrays": (["two.npz"], "gleak: two.npz: an .npz of a matrix must be of one array, got 2"),
    "complex": (["complex.npy"], "complex.npy: the array must be a matrix of real numbers"),
    "gain twice": (
        ["c.csv", "--gain", "gtwice.csv"],
        "gtwice.csv: the names of guesses must be all different, got 'w' more than once; rename",
    ),
    "gain of another shape": (
        ["c.csv", "--gain", "gragged.csv"],
        "gragged.csv, line 3: a row must be of 4 fields like the first, got 3; part fields by",
    ),
    "gain function fails": (["c.csv", "--gain", "math:cos"], "fails for 'a' and 'a': TypeError"),
    "more tries than secrets": (["c.csv", "--gain", "tries:4"], "from 1 to 3, the number of"),
    "prior of no kind": (["c.csv", "--prior", "empirical"], "must be 'uniform' or a file of"),
    "prior without its column": (
        ["c.csv", "--prior", "pcase.csv"],
        "pcase.csv: there is no column 'prior' (its other columns: Prior); add one",
    ),
    "prior of a stranger": (["c.csv", "--prior", "pmore.csv"], "the system does not know; remove"),
    "prior blank": (["c.csv", "--prior", "blank.csv"], "blank.csv has nothing but blank lines"),
    "nowhere to write": (
        ["c.csv", "--json", "none/o.json"],
        "none/o.json cannot be written: there is no directory none",
    ),
    "json in place of a directory": (
        ["c.csv", "--json", "."],
        ". cannot be written: it is a directory; name a file",
    ),
    "json nowhere": (["c.csv", "--json", ""], ". cannot be written: it is a directory"),
    "json refused": (["c.csv", "--json", "/proc/o.json"], "/proc/o.json cannot be opened: No such"),
    "swapped": (["p.csv", "--prior", "c.csv"], "p.csv, line 2, value 2"),
}
FILES = {
    "empty.csv": b"",
    "header.csv": b"secret,lo,hi\n",
    "ragged.csv": b"0.5,0.5\n0.5,0.5\n0.5,0.25,0.25\n",
    "latin.csv": b"secret,lo\n\xe9,1\n",
    "c.xlsx": b"x",
    "nan.csv": b"secret,lo,hi\na,1,nan\n",
    "one.csv": b"secret,lo,hi\na,0.5,0.5\n",
    "negative.csv": b"secret,lo,hi\na,1,0\nb,-0.5,1.5\n",
    "sum.csv": b"secret,lo,hi\na,1,0\nb,0.4,0.5\n",
    "blank.csv": b"\n \n\n",
    "twice.csv": b"secret,lo,lo\na,1,0\nb,0.5,0.5\n",
    "rows.csv": b"secret,lo,hi\na,1,0\na,0.5,0.5\n",
    "gap.csv": b"secret,lo,hi\na,1,0\nb,,1\n",
    "inf.csv": b"secret,lo,hi\na,inf,0\nb,0.5,0.5\n",
    "flat.csv": b"0.5,0.1\n0.5,0.9\n",
    "junk.npy": b"junk",
    "two.npz": saved(np.savez, a=np.eye(2), b=np.eye(2)),
    "complex.npy": saved(np.save, arr=np.eye(2) * 1j),
    "gtwice.csv": b"guess,a,b,c\nw,1,2,3\nw,1,2,3\n",
    "gragged.csv": b"guess,a,b,c\nw,1,2,3\nv,1,2\n",
    "pcase.csv": b"secret,Prior\na,0.5\nb,0.25\nc,0.25\n",
    "pmore.csv": b"secret,prior\na,0.5\nb,0.25\nc,0.125\nd,0.125\n",
    "g2.csv": b"guess,a,b\nw,1,2\n",
    "gnan.csv": b"guess,a,b,c\nw,nan,1,2\n",
    "p2.csv": b"secret,prior\na,0.5\nb,0.5\n",
    "psum.csv": b"secret,prior\na,0.5\nb,0.5\nc,0.1\n",
    "pneg.csv": b"secret,prior\na,1.5\nb,-0.5\nc,0\n",
}


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_one_message_and_exit_code_2(channel, capsys, case):
    for name, content in FILES.items():
        (channel / name).write_bytes(content)
    arguments, message = REFUSALS[case]
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert err.startswith("gleak: ")
    assert message in err
    assert err.count("\n") == 1


def test_the_command_alone_shows_what_there_is(capsys):
    with pytest.raises(SystemExit) as stop:
        main([])
    output = capsys.readouterr()
    assert stop.value.code == 2
    assert "exact      Exact figures of a known channel." in output.out + output.err


def test_debug_shows_the_traceback(channel):
    from gleak.errors import InputError

    with pytest.raises(InputError):
        main(["exact", "none.csv", "--debug"])


def test_rows_of_single_precision_are_normalised_with_a_warning(channel, capsys):
    (channel / "f.csv").write_text("0.3333333,0.6666666\n0.5,0.5\n")
    code, _, err = run(capsys, "f.csv")
    assert code == 0
    assert err == (
        "gleak: warning: row '0' of the channel has sum 0.9999999, not 1; "
        "every row has been divided by its sum\n"
    )


def test_the_command_is_installed_and_imports_nothing_heavy_for_help():
    heavy = "numpy scipy polars jax sklearn matplotlib gleak.channel"
    script = (
        "import sys\nfrom gleak.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy.split()!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "exact" in done.stdout
    assert done.stdout.splitlines()[-1] == "[]"


def test_python_and_the_command_agree(channel, capsys):
    import gleak

    known = gleak.Channel([[1, 0], [0.5, 0.5], [0, 1]])
    _, out, _ = run(capsys, "c.csv", "--json")
    assert gleak.exact(known)[0].vulnerability == json.loads(out)["vulnerability"]
    assert np.isclose(known.posterior_vulnerability(), 2 / 3)


@pytest.mark.parametrize("names", [("0007", "0012"), ("1_1", "11_2"), ("1.0", "2.50"), ("é", "日")])
def test_secrets_are_met_again_however_their_names_look(channel, capsys, names):
    """PINs with zeros ahead, cells of a grid, decimals: in a channel, a prior and a gain."""
    one, two = names
    (channel / "n.csv").write_text(f"secret,lo,hi\n{one},1,0\n{two},0.5,0.5\n", "utf-8")
    (channel / "np.csv").write_text(f"secret,prior,side\n{two},0.25,l\n{one},0.75,r\n", "utf-8")
    (channel / "ng.csv").write_text(f"guess,{two},{one}\nw,4,0\nv,0,1\n", "utf-8")
    asked = ["n.csv", "--prior", "np.csv", "--gain", "ng.csv", "--gain", "partition:side", "--json"]
    code, out, err = run(capsys, *asked)
    assert (code, err) == (0, "")
    found = json.loads(out)["estimates"]
    assert [each["vulnerability"] for each in found] == [0.75 + 0.5, 0.875]
    assert [each["prior_vulnerability"] for each in found] == [1, 0.75]
