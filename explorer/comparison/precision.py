"""Precision of p-values from random splits, and when more splits are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from scipy.special import betaincinv

MOST = 9_999  # most splits that are drawn
TIMES = 10  # each repetition draws this multiple of the splits before
CONFIDENCE = 0.98  # confidence of the interval of a p-value

T = TypeVar("T")


def is_undecided(pvalue: float, level: float, count: int) -> bool:
    """Return whether the interval of the p-value of `count` random splits contains the level.

    It is the interval of Clopper and Pearson 1934 (Biometrika 26, 404), of confidence .98, for the p-value of all
    splits. The observed split is not among those that are counted.

    Parameters
    ----------
    pvalue : float
        p-value, the observed split included.
    level : float
        Level of the test.
    count : int
        Number of random splits.

    Returns
    -------
    bool
        True if the test needs more splits.
    """
    reached = round(pvalue * (1 + count)) - 1
    tail = (1 - CONFIDENCE) / 2
    low = betaincinv(reached, count - reached + 1, tail) if reached > 0 else 0.0
    high = betaincinv(reached + 1, count - reached, 1 - tail) if reached < count else 1.0
    return bool(low <= level <= high)


def repeat_until_decided(
    found: T, count: int, again: Callable[[int], T], open_: Callable[[T, int], bool]
) -> tuple[T, int]:
    """Return the result of a test with enough splits, and their number.

    If the p of `found`, from `count` splits, is open, the test is run `again` with ten times as many splits, until its
    p is not open or there are 9,999. Only the last test counts. If each is exact, P(p <= α) exceeds α by less than
    1e-4: a p-value of few splits is below the level and not open, though that of all splits is above, only very rarely.

    Parameters
    ----------
    found : object
        Result of the test with `count` splits.
    count : int
        Number of splits.
    again : callable
        Runs the test with a number of splits and returns its result.
    open_ : callable
        Returns whether a result of this number of splits needs more of them.

    Returns
    -------
    found : object
        Result of the last test.
    count : int
        Its number of splits.
    """
    while count < MOST and open_(found, count):
        count = min(TIMES * (1 + count) - 1, MOST)
        found = again(count)
    return found, count
