"""Two-sample tests under several kernels with common permutations, such as one Gaussian at every bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import splits
from explorer.discrepancy.results.test_result import TestResult, pvalue
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.svg import inline_pictures
from explorer.types import Mask, Points, PointsLike, Statistic, Vector

from .block_test import block_test
from .two_samples import TwoSampleProblem

if TYPE_CHECKING:
    from explorer.estimators import Estimator
    from explorer.kernels.base import Kernel


@printed
class BandwidthSweep(NamedTuple):
    """Tests at r bandwidths, or under r kernels of any kind.

    Attributes
    ----------
    observed : ndarray of shape (r,)
        MMD² under each kernel.
    tolerance : ndarray of shape (r,)
        Null values that are below the observed one by at most this are ties.
    null : ndarray of shape (r, B)
        MMD² of the same B splits under every kernel.
    witness : ndarray of shape (r, g) or None
        Witness at the given points, or None if none were given.
    heights : ndarray of shape (r, n + m) or None
        Witness at the pooled points, X's first, or None if no points were given.
    kernels : tuple of Kernel
        The r kernels, chosen.
    n : int
        Size of the first sample.
    m : int
        Size of the second sample.
    name : str
        Name of the statistic.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy import BandwidthSweep, bandwidth_sweep
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(20, 1)), rng.normal(1.0, 1.0, (20, 1))
    >>> sweep: BandwidthSweep = bandwidth_sweep(X, Y, [Gaussian(0.1), Gaussian(1.0)], n_resamples=99, rng=0)
    >>> sweep.observed.round(3).tolist(), sweep.null.shape, float(sweep.test(1).pvalue)
    ([0.043, 0.333], (2, 99), 0.01)
    """

    observed: np.ndarray
    tolerance: np.ndarray
    null: np.ndarray
    witness: np.ndarray | None
    heights: np.ndarray | None
    kernels: tuple[Kernel, ...]
    n: int
    m: int
    name: str

    @property
    def pvalues(self) -> Vector:
        """P-value of each kernel alone, shape (r,). The least of many is not a p-value."""
        return np.array([pvalue(*row) for row in zip(self.null, self.observed, self.tolerance, strict=True)])

    def test(self, row: int) -> TestResult:
        """Return the TestResult of one kernel, as `mmd_test` gives it.

        Parameters
        ----------
        row : int
            Number of the kernel.

        Returns
        -------
        TestResult
            Its test.
        """
        name, kernel, tolerance = self.name, self.kernels[row], self.tolerance[row]
        return TestResult(self.observed[row], self.null[row], name, kernel, self.n, self.m, tolerance)

    def _sentence(self):
        r = len(self.kernels)
        return f"{self.name} under {r} kernels with common permutations, for n = {self.n} and m = {self.m}."

    def _picture(self):
        return inline_pictures.curve(np.arange(len(self.kernels)), self.pvalues, self._sentence())


@limit_threads
def bandwidth_sweep(
    X: PointsLike,
    Y: PointsLike,
    kernels: Sequence[Kernel],
    statistic: Statistic = "unbiased",
    estimator: Estimator | None = None,
    n_resamples: int = 999,
    rng: int | None = None,
    points: Points | None = None,
    prepared: Mask | None = None,
    stopped: Callable[[], bool] = lambda: False,
    block: int | None = None,
) -> BandwidthSweep | None:
    """Run `mmd_test` under each of several kernels with the same splits.

    The p of each kernel alone is exact if the rows are exchangeable. The least of them is not a p-value.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First sample.
    Y : array_like of shape (m, d)
        Second sample.
    kernels : sequence of Kernel
        The kernels.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², as in `mmd2`.
    estimator : Estimator or None, default None
        Estimator of a kernel mean, as in `mmd_test`.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the splits. With a Generator, an estimator whose weights depend on the split draws splits anew for each
        kernel.
    points : array_like of shape (g, d) or None, default None
        Points at which the witness is evaluated.
    prepared : ndarray of shape (B, n + m) or None, default None
        `splits` of n + m points, n, n_resamples and rng, if the caller has them already.
    stopped : callable, optional
        Asked before each kernel; the function returns None once it is true.
    block : int or None, default None
        Size of the blocks of `block_test`, which then replaces `mmd_test`.

    Returns
    -------
    BandwidthSweep or None
        The tests, or None if stopped.

    Notes
    -----
    The MMD² of each kernel is exact, unlike that of `bandwidth_curve`, and costs the same for each kernel. Errors are
    those of `mmd_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, Laplacian
    >>> from explorer.discrepancy import bandwidth_sweep
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(20, 1)), rng.normal(1.0, 1.0, (20, 1))
    >>> sweep = bandwidth_sweep(X, Y, [Gaussian(1.0), Laplacian(1.0)], n_resamples=99, rng=0, points=[[0.0], [1.0]])
    >>> sweep.pvalues.tolist(), sweep.witness.round(2).tolist()
    ([0.01, 0.01], [[0.18, -0.29], [0.14, -0.22]])
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    rows = []
    for kernel in kernels:
        if stopped():
            return None
        comparison = TwoSampleProblem(X, Y, kernel, statistic, estimator)
        if block is not None:
            test = block_test(X, Y, comparison.kernel, block, n_resamples, rng)
        else:
            if prepared is None:
                prepared = splits(len(comparison.P), comparison.n, n_resamples, rng)
            test = comparison.test(n_resamples, rng, prepared)
        witness, heights = None, None
        if points is not None:
            apart = comparison.witness()
            witness, heights = apart(points), apart(comparison.P)
        rows.append((test, witness, heights))
    if not rows:
        raise Refusal("kernels is empty; give at least one.")
    tests, witnesses, heights = zip(*rows, strict=True)
    return BandwidthSweep(
        np.array([test.statistic for test in tests]),
        np.array([test.tolerance for test in tests]),
        np.array([test.null_distribution for test in tests]),
        None if points is None else np.array(witnesses),
        None if points is None else np.array(heights),
        tuple(test.kernel for test in tests),
        tests[0].n,
        tests[0].m,
        tests[0].name,
    )
