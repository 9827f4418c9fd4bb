"""Check-ins counted from an excerpt of the original format, and what is no such file.

``checkins_excerpt.txt`` has every check-in of the cells of San Francisco that have one to three of
them, and some outside. Coordinates are those of the public data; users, times and places are
invented, and in no order.
"""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from gleak.errors import InputError
from gleak.experiments import checkins, location
from gleak.experiments.checkins import Square, count_checkins

EXCERPT = Path(__file__).parent / "checkins_excerpt.txt"
LINE = "7\t2010-10-19T23:55:27Z\t{}\t{}\t22847\n"


def seldom() -> np.ndarray:
    cells = location.checkins()
    return np.where(cells <= 3, cells, 0)


def test_the_excerpt_has_the_counts_of_the_package() -> None:
    assert (count_checkins(EXCERPT, location.SAN_FRANCISCO) == seldom()).all()
    assert 0 < seldom().sum() < len(EXCERPT.read_text().splitlines())


def test_gzipped_is_the_same(tmp_path) -> None:
    packed = tmp_path / "loc-gowalla_totalCheckins.txt.gz"
    packed.write_bytes(gzip.compress(EXCERPT.read_bytes()))
    assert (count_checkins(packed, location.SAN_FRANCISCO) == seldom()).all()


@pytest.mark.parametrize("block", [40, 64, 1000])
def test_however_it_is_read_in_pieces(block, monkeypatch) -> None:
    monkeypatch.setattr(checkins, "_BLOCK", block)
    assert (count_checkins(EXCERPT, location.SAN_FRANCISCO) == seldom()).all()


def test_larger_cells_are_sums_of_smaller_ones() -> None:
    fine = count_checkins(EXCERPT, Square(37.755, -122.440, side=125, cells=40))
    assert (fine.reshape(20, 2, 20, 2).sum(axis=(1, 3)) == seldom()).all()


def test_any_square_is_counted_where_it_lies(tmp_path) -> None:
    file = tmp_path / "made.txt"
    places = [(51.5, -0.1), (51.5004, -0.0995), (51.5004, -0.0995), (51.4, -0.1), (51.5, 179.9)]
    file.write_text("".join(LINE.format(*place) for place in places).rstrip("\n"))
    # Half a cell to the north-east of the middle is in the north-eastern one of two by two.
    assert count_checkins(file, Square(51.5, -0.1, side=100, cells=2)).tolist() == [[0, 0], [0, 3]]
    middle = Square(51.5, -0.1, side=100, cells=3).count(np.array([51.5]), np.array([-0.1]))
    assert middle.tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_squares_have_their_size() -> None:
    for square in (
        Square(0.0, 10.0, side=1000, cells=4),
        Square(-60.0, 10.0, side=1000, cells=4),
        Square(48.0, 10.0, side=1000, cells=4, earth_radius=6_371_000),
    ):
        metre = np.degrees(1 / square.earth_radius)
        wide = np.cos(np.radians(square.latitude)) * np.ptp(square.longitudes)
        assert np.ptp(square.latitudes) == pytest.approx(4000 * metre, rel=1e-6)
        assert wide == pytest.approx(4000 * metre, rel=2e-3)
        assert len(square.latitudes) == len(square.longitudes) == 5


def test_the_date_line_cuts_no_square() -> None:
    square = Square(-17.0, 179.999, side=1000, cells=2)
    counts = square.count(np.full(4, -16.999), np.array([179.998, -179.999, -179.998, 0.0]))
    assert counts.tolist() == [[0, 0], [1, 2]]
    other = Square(-17.0, -179.999, side=1000, cells=2)
    assert other.count(np.full(2, -17.001), np.array([179.998, -179.998])).tolist() == [
        [1, 1],
        [0, 0],
    ]


def test_what_is_no_place_on_earth_lies_nowhere(tmp_path) -> None:
    file = tmp_path / "odd.txt"
    file.write_text(LINE.format(405.2, -0.1) + LINE.format(51.5, 359.9) + LINE.format(51.5, -0.1))
    assert count_checkins(file, Square(51.5, -0.1, side=100, cells=3)).sum() == 1


GOOD = LINE.format(51.5, -0.1)
WRONG = {
    "fields missing": ("7\t2010\t51.5\t-0.1\n", "line 3: a check-in must be of 5 fields", "got 4"),
    "fields more": (GOOD.strip() + "\tx\n", "line 3: a check-in must be of 5 fields", "got 6"),
    "commas": ("7,2010,51.5,-0.1,9\n", "line 3: a check-in must be of 5 fields", "got 1"),
    "a gap": ("\n", "line 3: a check-in must be of 5 fields", "got 1; take the original file"),
    "no number": (LINE.format("north", 1), "line 3: a check-in's latitude must be a finite number",
                  "got 'north'"),
    "not finite": (LINE.format(1, "nan"), "line 3: a check-in's longitude must be a finite number",
                   "got 'nan'"),
    "nothing": (LINE.format(1, ""), "line 3: a check-in's longitude must be a finite number",
                "got ''"),
    "no user": (GOOD[1:], "line 3: a check-in's user must be written", "got ''"),
    "Python's numbers": (LINE.format("5_1", 1), "from line 1: these are no check-ins", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("block", [20, 1 << 20])
def test_refusals_name_the_line(case, block, tmp_path, monkeypatch) -> None:
    text, where, got = WRONG[case]
    if case == "Python's numbers" and block == 20:
        where = "from line 3: these are no check-ins"
    monkeypatch.setattr(checkins, "_BLOCK", block)
    file = tmp_path / "wrong.txt"
    file.write_text(2 * GOOD + text + GOOD)
    with pytest.raises(InputError, match=re.escape(f"{file}, {where}")) as refusal:
        count_checkins(file, Square(51.5, -0.1, side=100, cells=3))
    assert got in str(refusal.value)


def test_files_that_are_none(tmp_path) -> None:
    square = Square(51.5, -0.1, side=100, cells=3)
    with pytest.raises(InputError, match="does not exist; check the path"):
        count_checkins(tmp_path / "none.txt", square)
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(100 * GOOD.encode())[:-9])
    with pytest.raises(InputError, match=r"cut\.txt\.gz cannot be unpacked"):
        count_checkins(tmp_path / "cut.txt.gz", square)
    (tmp_path / "text.txt.gz").write_text(GOOD)
    with pytest.raises(InputError, match=r"text\.txt\.gz cannot be unpacked: Not a gzipped file"):
        count_checkins(tmp_path / "text.txt.gz", square)
    (tmp_path / "hollow.txt.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(InputError, match=r"hollow\.txt\.gz holds nothing; take the original file"):
        count_checkins(tmp_path / "hollow.txt.gz", square)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Square(0, 0, side=0, cells=2), "a square's side must be a positive number, got 0"),
        (lambda: Square(0, 0, 1, 2, earth_radius=-1), "earth's radius must be a positive number"),
        (lambda: Square(0, 0, side=1, cells=1), "of two cells a side or more, got 1"),
        (lambda: Square(95, 0, side=1, cells=2), "a latitude and a longitude, in degrees, got 95"),
        (lambda: Square(0, 181, side=1, cells=2), "got 0, 181"),
        (lambda: Square(np.nan, 0, side=1, cells=2), "in degrees, got nan, 0"),
        (lambda: Square(89.9, 0, side=1000, cells=20), "reaches a pole, where longitudes end"),
    ],
)  # fmt: skip
def test_squares_that_are_none(make, message) -> None:
    with pytest.raises(InputError, match=message):
        make()
