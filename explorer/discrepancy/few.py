"""What few rows allow a two-sample test: how often labels can be permuted, the least p, and the shift that is found."""

from __future__ import annotations

import math

from scipy.special import ndtri

from explorer import checks


def relabellings(n: int, m: int) -> int:
    """How many ways there are to call n of n + m rows the first sample."""
    return math.comb(checks.whole(n, "n", 1) + checks.whole(m, "m", 1), n)


def least_pvalue(n: int, m: int) -> float:
    """The least p of a permutation test by all relabellings of n and m rows, for a statistic such as MMD^2.

    1 / relabellings(n, m); twice that where n = m, as exchanging both samples changes no distance between them.

    >>> from explorer.discrepancy import least_pvalue
    >>> least_pvalue(3, 3)
    0.1
    """
    return (2 if n == m else 1) / relabellings(n, m)


def detectable_shift(n: int, m: int, level: float = 0.05, power: float = 0.8) -> float:
    """The shift of a normal distribution, in its standard deviations, that n and m rows show with this power.

    (z_{1 - level/2} + z_power) sqrt(1/n + 1/m), of the two-sided z-test of two means: no test of that level finds a
    smaller one as often on both sides of 0.
    """
    z = ndtri(1 - level / 2) + ndtri(power)
    return float(z * math.sqrt(1 / checks.whole(n, "n", 1) + 1 / checks.whole(m, "m", 1)))
