"""Rejection rates of the independence test: power on parts of the pairs, level on randomly re-paired points."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.rejection_rate import level_check, rate_interval
from explorer.discrepancy.results.answer import Answer
from explorer.execution.processors import limit_threads
from explorer.printing import printed
from explorer.rng import stream
from explorer.svg import inline_pictures
from explorer.tables.alignment import aligned
from explorer.types import Matrix, Points, PointsLike, Rng, Statistic, Vector, VectorLike

from .pairing import hsic_test, read_pairs

if TYPE_CHECKING:
    from explorer.discrepancy.dependence.mean_estimators import OfSides
    from explorer.discrepancy.rejection_rate import LevelCheck
    from explorer.kernels import Kernel


@printed
@dataclass(frozen=True)
class PowerByFraction(Answer):
    """P-values of the test on random parts of the pairs. Arrays are read-only.

    Attributes
    ----------
    fractions : ndarray of shape (k,)
        Fractions of the pairs.
    sizes : ndarray of shape (k,)
        Numbers of pairs.
    pvalues : ndarray of shape (k, R)
        P-values of R repetitions.
    n : int
        Number of all pairs.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import PowerByFraction
    >>> pvalues = [[0.30, 0.04, 0.12, 0.51], [0.01, 0.02, 0.03, 0.06]]
    >>> study = PowerByFraction(fractions=[0.2, 0.5], sizes=[8, 20], pvalues=np.array(pvalues), n=40)
    >>> study.power(0.05).tolist(), study.interval(0.05).round(2).tolist()
    ([0.25, 0.75], [[0.01, 0.19], [0.81, 0.99]])
    """

    fractions: np.ndarray
    sizes: np.ndarray
    pvalues: np.ndarray
    n: int

    def __post_init__(self) -> None:
        for name in ("fractions", "sizes", "pvalues"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _sentence(self):
        return f"Power of the independence test at level 0.05, by the fraction of the {self.n} pairs that it is given."

    def _picture(self):
        return inline_pictures.curve(self.fractions, self.power(), self._sentence())

    def power(self, level: float = 0.05) -> Vector:
        """Return the share of the repetitions with p <= level.

        Parameters
        ----------
        level : float, default 0.05
            Level of the test, 0 < level < 1.

        Returns
        -------
        ndarray of shape (k,)
            The power at each fraction.
        """
        return np.mean(self.pvalues <= level, axis=1)

    def interval(self, level: float = 0.05, confidence: float = 0.95) -> Matrix:
        """Compute Clopper and Pearson's interval for the power.

        It covers the draw of parts of these pairs, not the draw of other pairs.

        Parameters
        ----------
        level : float, default 0.05
            Level of the test, 0 < level < 1.
        confidence : float, default 0.95
            Coverage of the interval.

        Returns
        -------
        ndarray of shape (2, k)
            Lower and upper ends.
        """
        rejected = np.count_nonzero(self.pvalues <= level, axis=1)
        return np.array([rate_interval(k, self.pvalues.shape[1], confidence) for k in rejected]).T


@limit_threads
@aligned("X Y")
def power_by_fraction(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    fractions: VectorLike = (0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1.0),
    statistic: Statistic = "biased",
    estimator: OfSides = None,
    repetitions: int = 100,
    n_resamples: int = 199,
    rng: Rng = None,
    stopped: Callable[[], bool] = lambda: False,
) -> PowerByFraction | None:
    """Run `hsic_test` on random parts of the pairs for each of several fractions.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernel_x : Kernel or None, default None
        Kernel on X. None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    kernel_y : Kernel or None, default None
        Kernel on Y, chosen in the same way.
    fractions : array_like of shape (k,), optional
        Fractions η of the pairs, above 0 and at most 1.
    statistic : {"biased", "unbiased"}, default "biased"
        Estimate of HSIC, as in `hsic`.
    estimator : Estimator, pair of them or None, default None
        Estimator of a kernel mean for both sides, or one for each. None is the plain average.
    repetitions : int, default 100
        Number of parts for each fraction.
    n_resamples : int, default 199
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the parts and permutations.
    stopped : callable, optional
        Asked before each test; the function returns None once it is true.

    Returns
    -------
    PowerByFraction or None
        The p-values, or None if stopped.

    Notes
    -----
    A part has η n pairs (rounded, halves up), drawn without replacement. In one repetition the smaller parts lie in the
    larger ones. Bandwidths and estimators are chosen on each part. At η = 1 only the permutations differ, so the power
    is 0 or 1 except for their noise. The power on parts of one sample is not the power on another sample.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import power_by_fraction
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(60, 1))
    >>> y = x + rng.normal(size=(60, 1))
    >>> study = power_by_fraction(x, y, fractions=[0.1, 0.3, 0.5], repetitions=10, n_resamples=39, rng=0)
    >>> dict(zip(study.sizes.tolist(), study.power(0.05).tolist()))
    {6: 0.1, 18: 0.5, 30: 0.8}
    """
    repetitions, n_resamples = checks.whole(repetitions, "repetitions", 1), checks.whole(n_resamples, "n_resamples", 1)
    whole = read_pairs(X, Y, kernel_x, kernel_y)
    fractions = np.atleast_1d(checks.numbers(fractions, "fractions"))
    if fractions.ndim != 1 or not len(fractions) or (fractions <= 0).any() or (fractions > 1).any():
        raise Refusal("fractions must be numbers above 0 and at most 1, the shares of the pairs to test on.")
    n, least = len(whole.X), 4 if statistic == "unbiased" else 2
    sizes = np.array([math.floor(eta * n + 0.5) for eta in fractions])
    if sizes.min() < least:
        raise Refusal(
            f"a fraction of {fractions.min():g} leaves {sizes.min()} of {n} pairs; at least {least} are needed."
        )
    draws, orders = stream(rng, "subsample"), stream(rng, "permutation")
    p = np.empty((len(sizes), repetitions))
    for i in range(repetitions):
        order = draws.permutation(n)
        for j, size in enumerate(sizes):
            if stopped():
                return None
            part = order[:size]
            p[j, i] = hsic_test(
                whole.X[part], whole.Y[part], kernel_x, kernel_y, statistic, estimator, n_resamples, orders
            ).pvalue
    return PowerByFraction(fractions, sizes, p, n)


@limit_threads
@aligned("X Y")
def hsic_level(
    X: Points,
    Y: Points,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    estimator: OfSides = None,
    level: float = 0.05,
    repetitions: int = 100,
    n_resamples: int = 199,
    rng: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> LevelCheck | None:
    """Estimate how often `hsic_test` rejects for the pairs' points after random re-pairing.

    Randomly paired points are independent, so the test must reject as often as its level says, whatever the points are.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    kernel_x : Kernel or None, default None
        Kernel on X. None is ``Gaussian()``. An automatic bandwidth is the median heuristic on that side.
    kernel_y : Kernel or None, default None
        Kernel on Y, chosen in the same way.
    estimator : Estimator, pair of them or None, default None
        Estimator of a kernel mean for both sides, or one for each. None is the plain average.
    level : float, default 0.05
        Level of the test, 0 < level < 1.
    repetitions : int, default 100
        Number of re-pairings. The i-th is tested with rng=i.
    n_resamples : int, default 199
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the re-pairings.
    stopped : callable, optional
        Asked before each repetition; the function returns None once it is true.

    Returns
    -------
    LevelCheck or None
        The p-values, or None if stopped.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import hsic_level
    >>> x = np.linspace(-1.0, 1.0, 20)[:, None]
    >>> check = hsic_level(x, x**2, repetitions=20, n_resamples=39, rng=0)
    >>> check.rejected, check.count
    (1, 20)
    """
    whole, orders = read_pairs(X, Y, kernel_x, kernel_y), stream(rng, "re-pairings")

    def pvalue(i):
        anew = whole.Y[orders.permutation(len(whole.Y))]
        return hsic_test(whole.X, anew, *whole.kernels, estimator=estimator, n_resamples=n_resamples, rng=i).pvalue

    return level_check(pvalue, repetitions, level, stopped)
