"""The two-sample test under several kernels with common permutations, such as one Gaussian at every bandwidth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer import checks, drawing
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import splits
from explorer.discrepancy.results.test_result import TestResult, pvalue
from explorer.printing import printed
from explorer.processors import limit_threads
from explorer.types import Mask, Points, PointsLike, Statistic, Vector

from .block_test import block_test
from .two_samples import TwoSampleProblem

if TYPE_CHECKING:
    from explorer.estimators import Estimator
    from explorer.kernels.base import Kernel


@printed
class BandwidthSweep(NamedTuple):
    """Tests at r bandwidths, or under r kernels of any kind.

    observed   (r,), MMD^2
    tolerance  (r,), how far below it a null value still counts as a tie
    null       (r, B), the same B splits under every kernel
    witness    (r, g), the witness at the given points; None where none were given
    heights    (r, n + m), the witness at the pooled points, X's first; None where no points were given
    kernels    r of them, chosen
    n, m       the sizes of the samples
    name       of the statistic

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
        """Each kernel's p-value alone, (r,): the least of many is no p-value."""
        return np.array([pvalue(*row) for row in zip(self.null, self.observed, self.tolerance, strict=True)])

    def test(self, row: int) -> TestResult:
        """The TestResult of one kernel, as `mmd_test` gives it."""
        name, kernel, tolerance = self.name, self.kernels[row], self.tolerance[row]
        return TestResult(self.observed[row], self.null[row], name, kernel, self.n, self.m, tolerance)

    def _sentence(self):
        r = len(self.kernels)
        return f"{self.name} under {r} kernels with common permutations, for n = {self.n} and m = {self.m}."

    def _picture(self):
        return drawing.curve(np.arange(len(self.kernels)), self.pvalues, self._sentence())


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
    """`mmd_test` under each of `kernels`, the splits drawn once: a BandwidthSweep.

    points    (g, d), where the witness is wanted, or None
    prepared  `permutation.splits` of n + m points, n, n_resamples and rng, where the caller has them already
    block     the size of the blocks of `block_test`, which then stands for mmd_test; None for none
    stopped   asked before each kernel: None is returned as soon as it is true

    The MMD^2 of each kernel is exact, unlike that of `bandwidth_curve`, at its cost for each of them. So is the p of
    each kernel alone, if the rows are exchangeable; the least of them is no p-value. With a Generator for rng an
    estimator whose weights depend on the split draws splits anew for each kernel. Other arguments and errors as for
    `mmd_test`.

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
