"""Influential rows: MMD² without each row, and the test without the most influential ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.discrepancy.resampling.permutation import CentredGram, centred, mmd2_of_splits, observed_split
from explorer.discrepancy.resampling.tiled_gram import contrast_gram
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.types import Gram, Points, Vector

from .two_samples import TwoSampleProblem, one_of, two_samples

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator
    from explorer.kernels.base import Kernel


@limit_threads
def without_each(X: Points, Y: Points, kernel: Kernel | None = None, statistic: str = "unbiased") -> Vector:
    """Compute MMD² without each row in turn.

    Use it to see which rows a result depends on. For the test without these rows use `most_influential`.

    The kernel is that of all rows, including an automatic bandwidth.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD². "unbiased" needs three rows in each sample, "biased" two.

    Returns
    -------
    ndarray of shape (n + m,)
        MMD² without each row, X's rows first.

    Notes
    -----
    The cost is O((n + m)^2) for all rows together.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import mmd2, without_each
    >>> X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[0.5], [1.5], [9.0]])
    >>> without_each(X, Y, Gaussian(2.0)).round(3).tolist()
    [-0.045, -0.249, -0.044, -0.107, -0.108, -0.123]
    >>> round(mmd2(X, Y[:2], Gaussian(2.0)), 3)
    -0.123
    """
    one_of(statistic, ("unbiased", "biased"), "statistic")
    at_least = 3 if statistic == "unbiased" else 2
    kernel, P, n, *_ = two_samples(X, Y, kernel, at_least, "to leave a row out of it")
    return without_each_of(centred(contrast_gram(kernel, P)), n, statistic)


def without_each_of(K: Gram, n: int, statistic: str = "unbiased") -> Vector:
    """Compute `without_each` from the centred Gram matrix K (N, N) of the pooled points; its sums lose no digits."""
    return without_each_of_sums(K[:, :n].sum(axis=1), K[:, n:].sum(axis=1), np.diag(K), n, statistic)


def without_each_of_sums(x: Vector, y: Vector, diagonal: Vector, n: int, statistic: str = "unbiased") -> Vector:
    """Compute `without_each` from sums over rows of the centred Gram matrix.

    Parameters
    ----------
    x : ndarray of shape (N,)
        Sums over the first n columns.
    y : ndarray of shape (N,)
        Sums over the other columns.
    diagonal : ndarray of shape (N,)
        Diagonal of the matrix.
    n : int
        Size of the first sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD².

    Returns
    -------
    ndarray of shape (N,)
        MMD² without each row.
    """
    N = len(x)
    m, first = N - n, np.arange(N) < n
    # sums within both samples and between them, minus the part of the row
    xx = x[:n].sum() - np.where(first, 2 * x - diagonal, 0.0)
    yy = y[n:].sum() - np.where(first, 0.0, 2 * y - diagonal)
    xy = x[n:].sum() - np.where(first, y, x)
    k, l = np.where(first, n - 1, n), np.where(first, m, m - 1)
    if statistic == "biased":
        return xx / k**2 + yy / l**2 - 2 * xy / (k * l)
    tx, ty = diagonal[:n].sum() - np.where(first, diagonal, 0.0), diagonal[n:].sum() - np.where(first, 0.0, diagonal)
    return (xx - tx) / (k * (k - 1)) + (yy - ty) / (l * (l - 1)) - 2 * xy / (k * l)


@printed
class LeftOut(NamedTuple):
    """Permutation test with one row left out.

    Attributes
    ----------
    row : int
        Number of the row among the pooled rows, X's first.
    statistic : float
        MMD² without it.
    pvalue : float
        P-value of the test without it. It is exact for a row that was chosen beforehand. It is not a p-value for a row
        that was left out because of its influence.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import LeftOut, most_influential
    >>> X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0.5], [1.5], [2.5], [9.0]])
    >>> first: LeftOut = most_influential(X, Y, count=1, n_resamples=99, rng=0)[0]
    >>> first.row, round(first.statistic, 3), float(first.pvalue)
    (3, -0.127, 0.79)
    """

    row: int
    statistic: float
    pvalue: float

    def _sentence(self):
        return f"Without row {self.row} of the pooled rows MMD² is {self.statistic:.4g}, p = {self.pvalue:.3g}."


@limit_threads
def most_influential(
    X: Points,
    Y: Points,
    kernel: Kernel | None = None,
    statistic: str = "unbiased",
    estimator: Estimator | None = None,
    count: int = 5,
    n_resamples: int = 999,
    rng: int | None = None,
    rekernel: Callable[..., Any] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[LeftOut, LeftOut, LeftOut, LeftOut, LeftOut] | None:
    """Run `mmd_test` without each of the rows whose removal changes MMD² most.

    Use it to see whether a verdict depends on single rows. Do not remove them for that: `monk_test` is the test for
    outliers.

    The rows are those of `without_each`, under the kernel of all rows and plain means.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD². "unbiased" needs three rows in each sample, "biased" two.
    estimator : Estimator or None, default None
        Estimator of a kernel mean for the tests.
    count : int, default 5
        Number of rows.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    rekernel : callable or None, default None
        Function from the pooled points that remain to the kernel of their test, for a bandwidth in medians. None takes
        the kernel of all rows.
    stopped : callable, optional
        Asked before each test; the function returns None once it is true.

    Returns
    -------
    tuple of LeftOut or None
        The tests, the largest change first, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import mmd2, most_influential
    >>> X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0.5], [1.5], [2.5], [9.0]])
    >>> round(mmd2(X, Y, Gaussian(2.0)), 3)
    -0.127
    >>> rows = most_influential(X, Y, Gaussian(2.0), count=2, n_resamples=99, rng=0)
    >>> [(each.row, round(each.statistic, 3)) for each in rows]
    [(3, -0.075), (1, -0.178)]
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    one_of(statistic, ("unbiased", "biased"), "statistic")
    at_least = 3 if statistic == "unbiased" else 2
    kernel, P, n, *_ = two_samples(X, Y, kernel, at_least, "to leave a row out of it")
    gram = CentredGram(contrast_gram(kernel, P))
    whole = float(mmd2_of_splits(gram, observed_split(len(P), n), statistic)[0])
    change = np.abs(without_each_of(gram.K, n, statistic) - whole)
    tests = []
    for row in np.argsort(-change, kind="stable")[: checks.whole(count, "count", 1)]:
        if stopped():
            return None
        rest, size = np.delete(P, row, axis=0), n - (row < n)
        remaining = kernel if rekernel is None else rekernel(rest)
        test = TwoSampleProblem(rest[:size], rest[size:], remaining, statistic, estimator).test(n_resamples, rng)
        tests.append(LeftOut(int(row), test.statistic, test.pvalue))
    return tuple(tests)
