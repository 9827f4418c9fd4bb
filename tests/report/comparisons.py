"""Comparisons to report on: each verdict, and gains of two kinds."""

from dataclasses import replace

from gleak.baseline import Side
from gleak.certify import Bracket
from gleak.comparison import Comparison

_BLIND = Bracket(0.45, 0.5, 0.55)
_REASON = "every observable is different"


def _side(found, sha, gain="bayes", **options):
    leak = Bracket(0.0, 0.1, None)
    return Side(gain, found, _BLIND, leak, None, None, 0.975, "trees", 1234, sha * 64, **options)


def removed():
    before, after = Bracket(0.85, 0.9, 0.95), Bracket(0.55, 0.6, 0.65)
    warned = ("1 of 3 secrets is never trained on",)
    sides = _side(before, "a", warnings=warned), _side(after, "b")
    return Comparison(*sides, 0.95, from_baseline=False)


def worse():
    """Of money, with losses, against a baseline."""
    before, after = Bracket(-40.0, -36.5, -30.0), Bracket(12_000.0, 12_345.6, None, _REASON)
    sides = (_side(one, sha, "costs <b>.csv") for one, sha in ((before, "a"), (after, "b")))
    return Comparison(*sides, 0.95, from_baseline=True)


def unchanged():
    """The same samples twice."""
    one = _side(Bracket(0.55, 0.6, None, _REASON), "a")
    return Comparison(one, replace(one), 0.95, from_baseline=False)
