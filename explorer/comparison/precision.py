"""How precisely random splits give a p-value, and when more of them are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from scipy.special import betaincinv

MOST = 9_999  # splits from which on no more are drawn
TIMES = 10  # so many times as many splits, one after the other
CONFIDENCE = 0.98  # of the interval of a p-value

T = TypeVar("T")


def is_undecided(pvalue: float, level: float, count: int) -> bool:
    """Return whether the interval of the p-value of `count` random splits contains the level.

    The interval of Clopper and Pearson 1934 (Biometrika 26, 404) of the p-value of all splits, of confidence .98. The
    observed split is not among those that are counted.
    """
    reached = round(pvalue * (1 + count)) - 1
    tail = (1 - CONFIDENCE) / 2
    low = betaincinv(reached, count - reached + 1, tail) if reached > 0 else 0.0
    high = betaincinv(reached + 1, count - reached, 1 - tail) if reached < count else 1.0
    return bool(low <= level <= high)


def repeat_until_decided(
    found: T, count: int, again: Callable[[int], T], open_: Callable[[T, int], bool]
) -> tuple[T, int]:
    """Return what a test of enough splits finds, and their number: `found` of `count` splits, if its p is not open.

    Else the test is made `again` with ten times as many splits, until its p is not open or there are 9,999. The last
    test counts alone. If each is exact, P(p <= α) exceeds α by less than 1e-4: a p-value of few splits is below the
    level and not open, though that of all splits is above, so rarely.
    """
    while count < MOST and open_(found, count):
        count = min(TIMES * (1 + count) - 1, MOST)
        found = again(count)
    return found, count
