"""Energy distance of two samples, from their distances alone: twice the MMD² of the kernel of distances."""

from __future__ import annotations

from scipy.spatial.distance import cdist, pdist

from explorer import checks
from explorer.execution.processors import limit_threads
from explorer.types import PointsLike, Statistic

from .two_samples import one_of

TILE = 2**21  # number of distances in memory at once


@limit_threads
def energy_distance(X: PointsLike, Y: PointsLike, statistic: Statistic = "unbiased") -> float:
    """Compute the energy distance of two samples, in units of the points.

    Use it for a distance in the units of the data. For a p use `mmd_test` with the kernel `Energy()`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        "unbiased" averages the distances within a sample over i ≠ j and may be negative, "biased" over all pairs.

    Returns
    -------
    float
        The energy distance.

    Raises
    ------
    Refusal
        If the samples have different dimensions, or if "unbiased" gets a sample of one point.

    Notes
    -----
    The energy distance is :math:`2 E|X - Y| - E|X - X'| - E|Y - Y'|`. It is 2 `mmd2` under ``Energy()`` with the same
    statistic (Sejdinovic et al. 2013, Ann. Stat. 41, 2263). It needs no kernel. The cost is O((n + m)² d).

    References
    ----------
    Székely and Rizzo 2013 (J. Stat. Plan. Inference 143, 1249).

    Examples
    --------
    >>> from explorer import Energy, mmd2
    >>> from explorer.discrepancy import energy_distance
    >>> X, Y = [0.0, 1.0, 2.0], [4.0, 6.0]
    >>> round(energy_distance(X, Y), 9), round(2 * mmd2(X, Y, Energy()), 9)
    (4.666666667, 4.666666667)
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    least = 2 if statistic == "unbiased" else 1
    X, Y = checks.sample(X, "X", least), checks.sample(Y, "Y", least)
    checks.same_dimension(X, Y)
    step = max(1, TILE // len(Y))
    between = sum(float(cdist(X[i : i + step], Y).sum()) for i in range(0, len(X), step)) / (len(X) * len(Y))
    within = (2 * float(pdist(Z).sum()) / (len(Z) * (len(Z) - (statistic == "unbiased"))) for Z in (X, Y))
    return 2 * between - sum(within)
