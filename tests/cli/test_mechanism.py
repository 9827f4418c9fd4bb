"""``gleak mechanism`` as a person runs it."""

import json

import jsonschema
import numpy as np
import pytest
from referencing import Registry, Resource

from gleak.cli.values import numbers_in, sides_in, whole_numbers_in
from gleak.mechanisms import geometric, histogram, planar_laplace
from gleak.report.json import SCHEMAS, schema

PLACES = "secret,prior,east,north\nhome,0.5,0,0\nwork,0.25,300,0\nshop,0.25,300,400\n"
LOSS = ",low,high\na,0,2\nb,1,0.5\nc,3,0\n"
TIMES = "secret,took,side\na,3,l\nb,11,l\nc,12,r\n"


@pytest.fixture
def files(gleak, tmp_path):
    """The command, beside a few files."""
    (tmp_path / "places.csv").write_text(PLACES)
    (tmp_path / "loss.csv").write_text(LOSS)
    (tmp_path / "times.csv").write_text(TIMES)
    (tmp_path / "soon.csv").write_text("secret,1,2,4\na,0.5,0.5,0\nb,0,0.5,0.5\n")
    return lambda *words: gleak("mechanism", *words)


def test_what_a_person_reads(files):
    code, out, err = files("geometric", "--outputs", 3, "--nu", 0.7, "--out", "c.csv")
    assert (code, err) == (0, "")
    assert out == EXPECTED


EXPECTED = """\
geometric: outputs 3, nu 0.7, ends truncated
What it costs and hides

  measure                   value   meaning
 ────────────────────────────────────────────────────────────────────────────
  expected loss          0.552265   how far off a report is
  epsilon                     1.4   of any two secrets, by any observable
  epsilon per distance        0.7   per unit of distance between two secrets
  channel                 written   in c.csv

3 secrets, 3 observables, uniform prior
What an attacker gains

  gain       blind   after observing   × leakage   + leakage   min-entropy bits
 ───────────────────────────────────────────────────────────────────────────────
  bayes   0.333333          0.557584    1.672751    0.224250           0.742223

Whatever the attacker is after

  measure                    value   meaning
 ────────────────────────────────────────────────────────────────────────────────
  Bayes capacity          1.672751   caps × leakage: any prior, any gain ≥ 0
  Bayes security          0.496585   1: no pair of secrets can be told apart
  Bayes risk              0.442416   one guess at the secret is wrong this often
  Shannon capacity        0.235278   bits, at the worst prior
  mutual information      0.182305   bits, at this prior
  guesses needed, blind   2.000000   on average, one by one
  guesses needed, after   1.607945   on average, one by one

"""


def test_the_figures_are_the_channel_s(files):
    """Noise of three outputs, by hand: q = e^−0.7, inner weight (1−q)/(1+q)."""
    document = json.loads(files("geometric", "--outputs", 3, "--nu", 0.7, "--json")[1])
    q = np.exp(-0.7)
    end, middle = 1 / (1 + q), (1 - q) / (1 + q)
    assert document["vulnerability"] == pytest.approx((2 * end + middle) / 3)
    rows = [[end, middle * q, q * q / (1 + q)], [q / (1 + q), middle, q / (1 + q)]]
    off = (2 * (rows[0][1] + 2 * rows[0][2]) + 2 * rows[1][0]) / 3
    assert document["mechanism"]["expected_loss"] == pytest.approx(off)


KINDS = {
    "geometric": "--outputs -3..3 --nu 0.5 --centres -1,0,2.5 --ends renormalised",
    "laplace": "--outputs 0,0.5,2 --nu 2 --gain tries:2",
    "randomised-response": "--answers no,yes,perhaps --epsilon 1.5",
    "exponential": "--loss loss.csv --rate 0.8",
    "planar-geometric": "--grid 3x4 --side 250 --nu 0.004 --gain distance:250:east,north",
    "planar-laplace": "--grid 4x3 --side 250 --nu 0.004 --gain distance:250:east,north",
    "bucketed": "--secrets times.csv --times took --size 10 --gain partition:side",
    "optimal": "--secrets places.csv --coordinates east,north --max-vulnerability 0.75 "
    "--max-distance 450 --gain bayes --gain distance:300:east,north",
    "histogram": "--counts 16,5,3 --nu 0.5 --gain tries:2",
}


def figures(document):
    """What the round trip must keep; capacities are found by a search of small steps."""
    several = document.get("estimates", [document])
    return [
        [found["gain"], found["vulnerability"], found["prior_vulnerability"], found["leakage"],
         found["bayes_risk"], found["mutual_information_bits"], found["bayes_security"]]
        for found in several
    ]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", [".csv", ".npz", ".tsv.gz"])
def test_the_file_has_the_same_figures(files, gleak, kind, ending):
    words = KINDS[kind].split()
    to = f"channel{ending}"
    code, out, err = files(kind, *words, "--out", to, "--out-secrets", "s.csv", "--json")
    assert (code, err) == (0, "")
    made = json.loads(out)
    if ending == ".npz":  # has no names, so that secrets are numbered
        return_to_numbers()
    gains = [word for at, word in enumerate(words) if words[at - 1] == "--gain"] or ["bayes"]
    asked = [word for gain in gains for word in ("--gain", gain)]
    code, out, err = gleak("exact", to, "--prior", "s.csv", *asked, "--json")
    assert (code, err) == (0, "")
    assert figures(json.loads(out)) == figures(made)
    assert all(found["mechanism"]["kind"] == kind for found in made.get("estimates", [made]))


def return_to_numbers():
    with open("s.csv") as file:
        header, *rows = file.read().splitlines()
    numbered = [f"{n},{row.partition(',')[2]}" for n, row in enumerate(rows)]
    with open("s.csv", "w") as file:
        file.write("\n".join([header, *numbered]) + "\n")


@pytest.mark.parametrize("kind", KINDS)
def test_the_json_is_what_its_schema_says(files, kind):
    registry = Registry().with_resources(
        (f"{name}.json", Resource.from_contents(schema(name))) for name in SCHEMAS
    )
    check = jsonschema.Draft202012Validator({"$ref": "mechanism.json"}, registry=registry)
    document = json.loads(files(kind, *KINDS[kind].split(), "--json", "-")[1])
    check.validate(document)
    given = document.get("estimates", [document])[0]["mechanism"]["parameters"]
    options = [word for word in KINDS[kind].split() if word.startswith("--")]
    named = {option.removeprefix("--").replace("-", "_") for option in options} - {"gain"}
    assert named <= set(given)


FIRST_LINES = {
    "laplace": """\
laplace: outputs 0,0.5,2, nu 2.0, ends truncated
What it costs and hides

  measure                   value   meaning
 ────────────────────────────────────────────────────────────────────────────
  expected loss          0.235691   how far off a report is
  epsilon                  3.8318   of any two secrets, by any observable
  epsilon per distance          2   per unit of distance between two secrets

3 secrets, 3 observables, uniform prior
""",
    "optimal": """\
optimal: secrets places.csv, coordinates east,north, max-vulnerability 0.75, max-distance 450.0
What it costs and hides

  measure                    value   meaning
 ───────────────────────────────────────────────────────────────────────
  expected loss          75.000000   what a report costs
  epsilon                     none   some observable rules a secret out
  epsilon per distance        none   some observable rules a secret out

3 secrets, 3 observables, places.csv prior
""",
    "bucketed": """\
bucketed: secrets times.csv, times took, size 10.0
What it costs and hides

  measure            value   meaning
 ───────────────────────────────────────────────────────────────
  expected loss   8.000000   how long an answer is held back
  epsilon             none   some observable rules a secret out

3 secrets, 2 observables, uniform prior
""",
    "histogram": """\
histogram: counts 16,5,3, nu 0.5
What it costs and hides

  measure            value   meaning
 ──────────────────────────────────────────────────────────────────
  expected loss   1.826998   how far off a published count is
  epsilon                1   of any two secrets, by any observable

3 secrets, 8 observables, counts prior
""",
}


@pytest.mark.parametrize("kind", FIRST_LINES)
def test_what_each_kind_says_first(files, kind):
    out = files(kind, *KINDS[kind].split())[1]
    assert out.startswith(FIRST_LINES[kind])


def test_python_makes_the_same_channels(files):
    for words, channel in {
        "geometric --outputs 3..7 --nu 0.3": geometric(range(3, 8), 0.3),
        "histogram --counts 3,1 --nu 0.5 --published 0..9": histogram(
            [3, 1], 0.5, published=range(10)
        ).channel,
    }.items():
        document = json.loads(files(*words.split(), "--json")[1])
        assert document["vulnerability"] == channel.posterior_vulnerability()


def test_a_prior_of_one_s_own(files, tmp_path):
    (tmp_path / "p.csv").write_text("secret,prior,side\n0,0.7,l\n1,0.2,l\n2,0.1,r\n")
    words = ["histogram", "--counts", "3,1,1", "--nu", "1", "--prior", "p.csv"]
    by_side = ["--gain", "partition:side"]
    document = json.loads(files(*words, *by_side, "--json")[1])
    assert document["prior_vulnerability"] == pytest.approx(0.9)
    document = json.loads(files(*words[:-1], "uniform", "--json")[1])
    assert document["prior_vulnerability"] == pytest.approx(1 / 3)
    _, out, _ = files("geometric", "--outputs", 3, "--nu", 1, "--prior", "p.csv")
    assert "3 secrets, 3 observables, p.csv prior" in out


def test_a_prior_takes_the_place_of_the_file_s_own(files, tmp_path):
    (tmp_path / "q.csv").write_text("secret,prior\nshop,0.8\nhome,0.1\nwork,0.1\n")
    words = ["exponential", "--secrets", "places.csv", "--coordinates", "east", "--rate", "0.01"]
    assert json.loads(files(*words, "--json")[1])["prior_vulnerability"] == 0.5
    document = json.loads(files(*words, "--prior", "q.csv", "--json")[1])
    assert document["prior_vulnerability"] == 0.8


def test_least_leakage_for_a_loss(files):
    words = ["optimal", "--loss", "loss.csv", "--json", "--gain", "tries:2"]
    document = json.loads(files(*words, "--max-loss", 0.3)[1])
    assert document["mechanism"]["expected_loss"] <= 0.3 + 1e-9
    leaky = json.loads(files(*words, "--max-vulnerability", document["vulnerability"])[1])
    assert leaky["mechanism"]["expected_loss"] == pytest.approx(0.3, abs=1e-6)


def test_channels_over_times_and_edges(files):
    out = files("bucketed", "--channel", "soon.csv", "--edges", "1,4", "--json")[1]
    document = json.loads(out)
    # 1 | 2 and 4: a is seen at 1 half of the time, b never. Two thirds wait for two units each.
    assert document["vulnerability"] == pytest.approx(0.75)
    assert document["mechanism"]["expected_loss"] == pytest.approx(0.5 * 2)
    assert document["mechanism"]["parameters"] == {"channel": "soon.csv", "edges": "1,4"}


def test_planar_noise_is_that_of_the_library(files, tmp_path):
    from gleak import Channel
    from gleak.mechanisms import Grid

    files("planar-laplace", *KINDS["planar-laplace"].split(), "--out", "c.npy")
    wanted = planar_laplace(Grid(4, 3, 250.0), 0.004)
    assert (Channel.read(tmp_path / "c.npy").matrix == wanted.matrix).all()


GEOMETRIC = "geometric --outputs 5 --nu 1"
PLACED = "optimal --secrets places.csv --coordinates east,north"
REFUSALS = {
    "nu": ("geometric --outputs 5 --nu 0", "nu must be a positive number, got 0"),
    "outputs": ("geometric --outputs 5-9 --nu 1",
                "--outputs must be LOW..HIGH or how many numbers from 0, as 3..174 or 5, got"),
    "one output": ("geometric --outputs 1 --nu 1", "at least two whole numbers in a row"),
    "ends": (f"{GEOMETRIC} --ends truncate", "unknown ends 'truncate'; did you mean 'truncated'?"),
    "centres": (f"{GEOMETRIC} --centres 1,x", "--centres must be numbers with commas between, as"),
    "centres outside": (f"{GEOMETRIC} --centres 1,9", "got 9; widen the outputs or use ends="),
    "outputs of laplace": ("laplace --outputs 3,1 --nu 1", "at least two numbers that grow"),
    "epsilon": ("randomised-response --answers 2 --epsilon -1", "epsilon must be a positive"),
    "answers": ("randomised-response --answers yes,yes --epsilon 1", "all different, got 'yes'"),
    "one answer": ("randomised-response --answers 1 --epsilon 1", "of two secrets or more"),
    "grid": ("planar-laplace --grid 5 --nu 1", "--grid must be ROWSxCOLUMNS, as 20x30, got '5'"),
    "a line": ("planar-geometric --grid 1x5 --nu 1", "two rows and two columns or more"),
    "side": ("planar-geometric --grid 5x5 --nu 1 --side 0", "the side of a cell must be a pos"),
    "small nu": ("planar-geometric --grid 5x5 --nu 0.001", "take larger cells, or planar Laplace"),
    "no buckets": ("bucketed --channel soon.csv", "nothing says what to go by; give --size or"),
    "two buckets": ("bucketed --channel soon.csv --size 1 --edges 1,4",
                    "--size and --edges exclude each other; give one of them"),
    "size": ("bucketed --channel soon.csv --size 0", "the size of a bucket must be a positive"),
    "edges": ("bucketed --channel soon.csv --edges 1,2", "up to 4, the longest time, got 2; add"),
    "no times": ("bucketed --secrets times.csv --size 1", "--secrets needs --times: the column"),
    "times of what": ("bucketed --channel soon.csv --times took --size 1",
                      "--times is a column of --secrets; leave it out with --channel"),
    "nothing timed": ("bucketed --size 1", "give --channel or --secrets"),
    "times column": ("bucketed --secrets times.csv --times tok --size 1",
                     "times.csv has no column 'tok'; did you mean 'took'?"),
    "times are words": ("bucketed --secrets times.csv --times side --size 1",
                        "times.csv: column 'side' must be of numbers, got 'l'"),
    "channel of no times": ("bucketed --channel loss.csv --size 1", "row 'c' of the channel"),
    "no bound": (PLACED, "give --max-vulnerability or --max-loss"),
    "two bounds": (f"{PLACED} --max-loss 1 --max-vulnerability 1", "exclude each other"),
    "infeasible": (f"{PLACED} --max-vulnerability 0.4",
                   "max_vulnerability must be at least 0.5, the least that the allowed pairs can "
                   "reach, got 0.4; raise it or allow more pairs"),
    "infeasible loss": ("optimal --loss loss.csv --max-loss 0.1",
                        "max_loss must be at least 0.166667, what the cheapest mechanism costs"),
    "nothing near": (f"{PLACED} --max-loss 1 --max-distance -1", "every secret must be allowed"),
    "no coordinates": ("optimal --secrets places.csv --max-loss 1", "--secrets needs --coord"),
    "coordinates": ("exponential --secrets places.csv --coordinates east,norht --rate 1",
                    "places.csv has no column 'norht'; did you mean 'north'?"),
    "coordinates of what": ("exponential --loss loss.csv --coordinates east --rate 1",
                            "--coordinates are columns of --secrets; leave them out with --loss"),
    "no costs": ("exponential --rate 1", "nothing says what to go by; give --secrets or --loss"),
    "two costs": ("exponential --rate 1 --loss loss.csv --secrets places.csv", "exclude each"),
    "rate": ("exponential --loss loss.csv --rate 0", "rate must be a positive number, got 0"),
    "missing file": ("exponential --loss none.csv --rate 1", "none.csv does not exist; check"),
    "counts": ("histogram --counts 3,a --nu 1", "--counts must be numbers with commas between"),
    "half a count": ("histogram --counts 3,1.5 --nu 1", "two whole numbers, none negative"),
    "published": ("histogram --counts 3,1 --nu 1 --published 2..9", "from 1 or below to 4 or"),
    "many classes": (f"histogram --counts {','.join(['3'] * 17)} --nu 1", "at most 16 classes"),
    "gain": (f"{GEOMETRIC} --gain bays", "unknown gain 'bays'; did you mean 'bayes'?"),
    "prior": (f"{GEOMETRIC} --prior even", "the prior must be 'uniform' or a file of secrets"),
    "prior of others": (f"{GEOMETRIC} --prior places.csv", "places.csv: the prior lacks '0'"),
    "too many outputs": ("geometric --outputs 0..99999999 --nu 1",
                         "must be of at most 200,000,000 probabilities, got 100,000,000 secrets"),
    "far too many": (f"geometric --outputs 0..{10**20} --nu 1", "of at most 200,000,000 prob"),
    "too many places": ("laplace --outputs 20000 --nu 1", "got 20,000 secrets × 20,000 outputs"),
    "too many answers": ("randomised-response --answers 100000 --epsilon 1", "take fewer of them"),
    "too many cells": ("planar-laplace --grid 2000x2000 --nu 1", "got 4,000,000 secrets × 4,000"),
    "out": (f"{GEOMETRIC} --out c.xlsx", "c.xlsx: a file's ending must be one of .csv"),
    "out of secrets": (f"{GEOMETRIC} --out-secrets s.npz", "s.npz: a file's ending must be"),
    "out where": (f"{GEOMETRIC} --out no/c.csv", "cannot be written: there is no directory"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_a_refusal_is_one_message_and_exit_code_2(files, tmp_path, case):
    words, message = REFUSALS[case]
    before = sorted(tmp_path.iterdir())
    code, out, err = files(*words.split())
    assert (code, out) == (2, "")
    assert err.startswith("gleak: ")
    assert message in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("geometrc", "No such command 'geometrc'. Did you mean 'geometric'"),
        ("geometric --outputs 5", "Missing option '--nu'"),
        ("geometric --outputs 5 --nu 1 --rate 2", "No such option: --rate"),
        ("geometric --outputs 5 --nu much", "Invalid value for '--nu'"),
    ],
)
def test_options_that_are_none_are_refused(files, words, message):
    code, out, err = files(*words.split())
    assert (code, out) == (2, "")
    assert message in err


def test_help_names_every_kind_and_says_what_it_is(gleak):
    code, out, _ = gleak("mechanism", "--help")
    assert code == 0
    assert [line.split()[0] for line in out.split("Commands:\n")[1].splitlines()] == list(KINDS)


def test_values_of_more_than_a_word():
    assert numbers_in("1, 2.5,-3", "--x") == [1.0, 2.5, -3.0]
    assert whole_numbers_in("-2..2", "--x") == range(-2, 3)
    assert sides_in("2X3", "--x") == (2, 3)
