"""Mutual information of two columns by nearest neighbours, with its permutation test."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import permutations
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel, Linear
from explorer.printing import plural, printed
from explorer.record import record
from explorer.rng import seed_of
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Rng, Rows

from .pairing import read_pairs

NEIGHBOURS = 3  # default of Kraskov, Stögbauer and Grassberger, and of scikit-learn
NOISE = 0  # seed of the noise of 1e-10 that breaks ties in scikit-learn's estimate
SLACK = 1e-9  # largest effect of that noise on an estimate, in nats, if no two points are as near as it


@printed
@record(kw_only=True)
class Information(TestResult):
    """TestResult whose statistic is mutual information in nats, by k nearest neighbours, without a kernel.

    Attributes
    ----------
    statistic : float
        Observed value.
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, read-only.
    name : str
        Name of the statistic.
    kernel : tuple
        Empty.
    n : int
        Size of the first sample, or the number of pairs or rows.
    m : int or None
        Size of the second sample, or None if n counts something else.
    tolerance : float
        Null values that are below the statistic by at most this are ties with it.
    resamples : str
        Name of the resamples that make the null distribution.
    error : float or None
        Distance of the statistic from that of the kernel itself if a low-rank kernel replaced it, else None.
    columns : tuple
        Names of the DataFrame columns that the kernels compare.
    seed : int or None
        Integer rng of the resamples; None for a Generator or fresh entropy.
    approximation : str or None
        Name of what replaced the kernels; None is the kernels themselves.
    counted : str or None
        Name of what n counts if it is neither a sample's points nor pairs.
    neighbours : int, default 3
        Number k of nearest neighbours.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import Information, information_test
    >>> x = np.linspace(-1.0, 1.0, 30)
    >>> result: Information = information_test(x, x**2, n_resamples=19, rng=0)
    >>> round(result.statistic, 2), round(result.correlation, 2), float(result.pvalue)
    (0.78, 0.89, 0.05)
    """

    kernel: tuple[Kernel, ...] = ()
    neighbours: int = NEIGHBOURS

    @property
    def correlation(self) -> float:
        """`information_correlation` of the statistic."""
        return information_correlation(self.statistic)

    def limit(self, level: float) -> float:
        """Return the correlation from which p <= level.

        Parameters
        ----------
        level : float
            Level of the test.

        Returns
        -------
        float
            The correlation, or 1 if there are too few permutations for any.
        """
        return information_correlation(self.threshold(level))

    def __str__(self) -> str:
        return (
            f"Mutual information is {self.statistic:.4g} nats with p = {self.pvalue:.3g}, by"
            f" {self.neighbours} nearest neighbour{'s' if self.neighbours > 1 else ''}, for n = {self.n} pairs against"
            f" {len(self.null_distribution)} permutations."
        )


@limit_threads
def information_correlation(nats: float) -> float:
    """Return the correlation of the Gaussian pair with a given mutual information, sqrt(1 - exp(-2 I)), from 0 to 1.

    Parameters
    ----------
    nats : float
        Mutual information I >= 0 in nats.

    Returns
    -------
    float
        ``|r|`` of the Gaussian pair.

    References
    ----------
    Linfoot 1957 (Inf. Control 1, 85).

    Examples
    --------
    >>> import math
    >>> from explorer.discrepancy.dependence import information_correlation
    >>> r = 0.8
    >>> nats = -0.5 * math.log(1 - r**2)
    >>> round(nats, 4), round(information_correlation(nats), 4)
    (0.5108, 0.8)
    """
    return math.sqrt(-math.expm1(-2 * max(nats, 0.0)))


@limit_threads
@aligned("x y")
def mutual_information(x: PointsLike, y: PointsLike, neighbours: int = NEIGHBOURS) -> float:
    """Estimate the mutual information of two columns of numbers by the k-th nearest neighbour, in nats.

    Parameters
    ----------
    x : array_like of shape (n,)
        First column, n > neighbours.
    y : array_like of shape (n,)
        Second column.
    neighbours : int, default 3
        Number k >= 1 of neighbours, which decides between bias and variance.

    Returns
    -------
    float
        I(X; Y), clipped at 0.

    Raises
    ------
    Refusal
        If a side has several columns, or if there are too few pairs.

    Notes
    -----
    The estimate is ψ(k) + ψ(n) minus the mean of ψ(n_x + 1) + ψ(n_y + 1), by scikit-learn's `mutual_info_regression`:
    each column over its standard deviation, with noise of 1e-10 against ties. It needs no kernel and no bandwidth.

    References
    ----------
    Kraskov, Stögbauer and Grassberger 2004 (Phys. Rev. E 69, 066138), equation (8).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import mutual_information
    >>> x, e = np.random.default_rng(0).normal(size=(2, 500))
    >>> round(mutual_information(x, x + e), 2)  # of the Gaussian pair with r² = 1/2 it is log(2)/2 = 0.35
    0.44
    """
    return _estimate(*_columns(x, y, neighbours))


@limit_threads
@aligned("x y")
def information_test(
    x: PointsLike,
    y: PointsLike,
    neighbours: int = NEIGHBOURS,
    n_resamples: int = 999,
    rng: Rng = None,
    *,
    orders: Sequence[Rows] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Information | None:
    """Test independence by `mutual_information`, with the permutations of y that `hsic_test` draws from the same rng.

    p is exact if the rows of one side are exchangeable and independent of the other side, for all n, n_resamples and
    kinds of data.

    Parameters
    ----------
    x : array_like of shape (n,)
        First column, n > neighbours.
    y : array_like of shape (n,)
        Second column.
    neighbours : int, default 3
        Number of neighbours, as in `mutual_information`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    orders : sequence of ndarray or None, default None
        Batches of `permutations` with this rng, if the caller has them already.
    stopped : callable, optional
        Asked before each permutation; the function returns None once it is true.

    Returns
    -------
    Information or None
        The test, or None if stopped.

    Notes
    -----
    A permutation takes about a millisecond at n = 100.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import information_test
    >>> x = np.linspace(0.0, 1.0, 40)
    >>> result = information_test(x, np.sin(12.0 * x), n_resamples=19, rng=0)
    >>> round(result.statistic, 2), float(result.pvalue)
    (0.41, 0.05)
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    x, y, k = _columns(x, y, neighbours)
    batches = permutations(len(x), n_resamples, rng) if orders is None else orders
    value, null = _estimate(x, y, k), []
    for order in (order for batch in batches for order in batch):
        if stopped():
            return None
        check_cancelled()
        null.append(_estimate(x, y[order], k))
    return Information(
        statistic=value,
        null_distribution=np.array(null),
        name="the mutual information in nats",
        n=len(x),
        tolerance=SLACK,
        seed=seed_of(rng),
        neighbours=k,
    )


def _columns(x, y, neighbours):
    """Return both columns (n,) and k, checked."""
    k = checks.whole(neighbours, "neighbours", 1)
    both = read_pairs(x, y, Linear(), Linear())
    for points, name in ((both.X, "x"), (both.Y, "y")):
        if points.shape[1] > 1:
            raise Refusal(
                f"{name} has {plural(points.shape[1], 'column')}; mutual information is estimated of one on each side."
            )
    if len(both.X) <= k:
        raise Refusal(f"{len(both.X)} pairs have no {k} neighbours each; give more pairs, or fewer neighbours.")
    return both.X[:, 0], both.Y[:, 0], k


def _estimate(x, y, k):
    from sklearn.feature_selection import mutual_info_regression  # imported on first use: it takes a second

    return float(mutual_info_regression(x[:, None], y, n_neighbors=k, random_state=NOISE)[0])
