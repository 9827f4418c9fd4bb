"""Options whose value is a list, a range or a grid."""

from gleak.errors import InputError


def numbers_in(text: str, option: str) -> list[float]:
    """Numbers with commas between.

    >>> numbers_in("1,2.5", "--edges")
    [1.0, 2.5]
    """
    from gleak.files import is_number

    words = text.split(",")
    if not all(map(is_number, words)):
        raise InputError.must(option, "numbers with commas between, as 1,2.5", repr(text))
    return [float(word) for word in words]


def whole_numbers_in(text: str, option: str) -> range:
    """Whole numbers in a row: ``LOW..HIGH``, both included, or how many from 0.

    >>> whole_numbers_in("3..174", "--published"), whole_numbers_in("5", "--outputs")
    (range(3, 175), range(0, 5))
    """
    low, dots, high = text.partition("..")
    try:
        return range(int(low), int(high) + 1) if dots else range(int(text))
    except ValueError:
        raise InputError.must(
            option, "LOW..HIGH or how many numbers from 0, as 3..174 or 5", repr(text)
        ) from None


def sides_in(text: str, option: str) -> tuple[int, int]:
    """Rows and columns.

    >>> sides_in("20x30", "--grid")
    (20, 30)
    """
    rows, times, columns = text.lower().partition("x")
    if not (times and rows.isdecimal() and columns.isdecimal()):
        raise InputError.must(option, "ROWSxCOLUMNS, as 20x30", repr(text))
    return int(rows), int(columns)
