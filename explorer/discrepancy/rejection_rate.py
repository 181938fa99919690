"""Rejection rates: p-values of a test in repeated samples, and confidence intervals of a rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.discrepancy.results.answer import Answer
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.record import record
from explorer.rng import repetition, stream
from explorer.svg import inline_pictures
from explorer.types import PointsLike, Rng, Statistic

from .mmd.two_samples import mmd_test, two_samples

if TYPE_CHECKING:
    from explorer.kernels import Kernel


def rate_interval(happened: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Compute Clopper and Pearson's confidence interval for a probability.

    Parameters
    ----------
    happened : int
        Number of times that the event happened.
    count : int
        Number of trials.
    confidence : float, default 0.95
        Coverage of the interval.

    Returns
    -------
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.

    Examples
    --------
    >>> from explorer.discrepancy import rate_interval
    >>> [round(end, 3) for end in rate_interval(5, 100)]
    [0.016, 0.113]
    """
    from scipy.stats import binomtest  # imported on first use: most callers need no interval

    low, high = binomtest(int(happened), int(count)).proportion_ci(confidence)
    return float(low), float(high)


@printed
@record
class LevelCheck(Answer):
    """P-values of one test in repeated samples, and how often they are at most its level.

    Attributes
    ----------
    pvalues : ndarray of shape (R,)
        P-value of each sample, read-only. If the null hypothesis holds in every sample, the rate should be near the
        level.
    level : float, default 0.05
        Level of the test, from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import LevelCheck
    >>> check = LevelCheck(np.linspace(0.01, 1.0, 100), level=0.05)
    >>> check.rejected, float(check.rate), [round(end, 3) for end in check.interval()]
    (5, 0.05, [0.016, 0.113])
    """

    pvalues: np.ndarray
    level: float = 0.05

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalues", checks.read_only(np.asarray(self.pvalues, dtype=np.float64)))

    @property
    def count(self) -> int:
        """Number of samples."""
        return len(self.pvalues)

    @property
    def rejected(self) -> int:
        """Number of samples in which the test rejects."""
        return int(np.count_nonzero(self.pvalues <= self.level))

    @property
    def rate(self) -> float:
        """Share of the samples in which the test rejects."""
        return self.rejected / self.count

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Compute Clopper and Pearson's interval for the probability that the test rejects.

        Parameters
        ----------
        confidence : float, default 0.95
            Coverage of the interval.

        Returns
        -------
        low : float
            Lower end of the interval.
        high : float
            Upper end of the interval.
        """
        return rate_interval(self.rejected, self.count, confidence)

    def _picture(self):
        return inline_pictures.histogram(self.pvalues, self.level, self._sentence(), "level")

    def _sentence(self) -> str:
        return f"The test rejects {self.rejected} of {self.count} samples at level {self.level:g}."


@limit_threads
def level_check(
    pvalue: Callable[..., Any], repetitions: int, level: float = 0.05, stopped: Callable[[], bool] = lambda: False
) -> LevelCheck | None:
    """Run a test in repeated samples and collect its p-values.

    Use it to see whether a test keeps its level on your kind of data, before you trust its p.

    Parameters
    ----------
    pvalue : callable
        Returns the p-value of sample i, for i < repetitions.
    repetitions : int
        Number of samples.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    stopped : callable, optional
        Asked before each sample; the function returns None once it is true.

    Returns
    -------
    LevelCheck or None
        The p-values, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import level_check, mmd_test
    >>> def pvalue(i):
    ...     rng = np.random.default_rng(i)
    ...     X, Y = rng.normal(size=(2, 15, 1))
    ...     return mmd_test(X, Y, n_resamples=39, rng=i).pvalue
    >>> check = level_check(pvalue, repetitions=20)
    >>> check.rejected
    2
    """
    values = []
    for i in range(checks.whole(repetitions, "repetitions", 1)):
        if stopped():
            return None
        values.append(pvalue(i))
    return LevelCheck(np.array(values), level)


@limit_threads
def mmd_level(
    X: PointsLike,
    kernel: Kernel | None = None,
    statistic: Statistic = "unbiased",
    level: float = 0.05,
    repetitions: int = 100,
    n_resamples: int = 199,
    rng: Rng = None,
    stopped: Callable[[], bool] = lambda: False,
) -> LevelCheck | None:
    """Estimate how often `mmd_test` rejects for two random halves of one sample.

    Both halves come from one distribution, so the test must reject as often as its level says, whatever that
    distribution is. If X has three points, the halves share one.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Sample of n >= 3 points.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median of all of X, fixed for all halves.
    statistic : {"unbiased", "biased"}, default "unbiased"
        Estimate of MMD², as in `mmd2`.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    repetitions : int, default 100
        Number of random halvings.
    n_resamples : int, default 199
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the halves and of the resamples.
    stopped : callable, optional
        Asked before each repetition; the function returns None once it is true.

    Returns
    -------
    LevelCheck or None
        The p-values of the halves, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import mmd_level
    >>> X = np.random.default_rng(0).exponential(size=(40, 1))
    >>> check = mmd_level(X, level=0.1, repetitions=30, n_resamples=39, rng=0)
    >>> check.rejected, check.count
    (5, 30)
    """
    kernel, P, n, *_ = two_samples(X, X, kernel, 3, "to be halved")
    X, half, orders = P[:n], max(n // 2, 2), stream(rng, "self-check")

    def pvalue(i):
        order = orders.permutation(n)
        resampling = stream(repetition(rng, i), "self-check shuffles")
        test = mmd_test(X[order[:half]], X[order[-half:]], kernel, statistic, n_resamples=n_resamples, rng=resampling)
        return test.pvalue

    return level_check(pvalue, repetitions, level, stopped)
