"""Two-sample tests of few rows: the number of relabellings, the least p-value, and the shift that can be detected."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from explorer import checks
from explorer.discrepancy.resampling.groups import group_codes


def relabellings(n: int, m: int, groups: ArrayLike | None = None) -> int:
    """Return the number of ways to call n of n + m rows the first sample: binom(n + m, n).

    With groups it is the product of such numbers over the groups.

    Parameters
    ----------
    n : int
        Number of rows of the first sample.
    m : int
        Number of rows of the second sample.
    groups : array_like of shape (n + m,) or None, default None
        Labels of the rows, as in `mmd_test`.

    Returns
    -------
    int
        The number of relabellings.

    Examples
    --------
    >>> from explorer.discrepancy import relabellings
    >>> relabellings(5, 5), relabellings(2, 2, groups=["a", "b", "a", "b"])
    (252, 4)
    """
    return math.prod(math.comb(x + y, x) for x, y in _counts(n, m, groups))


def least_pvalue(n: int, m: int, groups: ArrayLike | None = None) -> float:
    """Return the least p of a permutation test by all relabellings of n and m rows, for a statistic such as MMD².

    It is 1 / relabellings(n, m, groups), or twice that if n = m in each group, because exchanging both samples changes
    no distance between them.

    Parameters
    ----------
    n : int
        Number of rows of the first sample.
    m : int
        Number of rows of the second sample.
    groups : array_like of shape (n + m,) or None, default None
        Labels of the rows, as in `mmd_test`.

    Returns
    -------
    float
        The least p-value.

    Examples
    --------
    >>> from explorer.discrepancy import least_pvalue
    >>> least_pvalue(3, 3), least_pvalue(3, 3, groups=["a", "b", "c", "a", "b", "c"])
    (0.1, 0.25)
    """
    counts = _counts(n, m, groups)
    return min(1.0, (2 if all(x == y for x, y in counts) else 1) / relabellings(n, m, groups))


def _counts(n, m, groups):
    """Return the number of rows of either sample in each group, [(n_g, m_g)]."""
    n, m = checks.whole(n, "n", 1), checks.whole(m, "m", 1)
    if groups is None:
        return [(n, m)]
    codes = group_codes(groups, n + m)
    of_x, of_y = (np.bincount(part, minlength=codes.max() + 1) for part in (codes[:n], codes[n:]))
    return list(zip(of_x.tolist(), of_y.tolist(), strict=True))


def detectable_shift(n: int, m: int, level: float = 0.05, power: float = 0.8) -> float:
    """Return the shift of a normal distribution that n and m rows detect with this power, in its standard deviations.

    It is (z_{1 - level/2} + z_power) sqrt(1/n + 1/m), from the two-sided z-test of two means: no test of that level
    detects a smaller shift as often on both sides of 0.

    Parameters
    ----------
    n : int
        Number of rows of the first sample.
    m : int
        Number of rows of the second sample.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    power : float, default 0.8
        Probability of detecting the shift.

    Returns
    -------
    float
        The shift.

    Examples
    --------
    >>> from explorer.discrepancy import detectable_shift
    >>> [round(detectable_shift(n, n), 2) for n in (3, 10, 100)]
    [2.29, 1.25, 0.4]
    """
    z = ndtri(1 - level / 2) + ndtri(power)
    return float(z * math.sqrt(1 / checks.whole(n, "n", 1) + 1 / checks.whole(m, "m", 1)))
