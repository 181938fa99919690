"""Coefficients of dependence between 0 and 1, each with its permutation test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.results.answer import Decision
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.processors import limit_threads
from explorer.kernels import Energy, Linear
from explorer.linalg import power_of_two
from explorer.printing import printed
from explorer.record import record
from explorer.rng import seed_of
from explorer.svg import inline_pictures
from explorer.tables.alignment import aligned
from explorer.types import Points, PointsLike, Rng, Rows

from .gamma import GammaResult, gamma_of
from .pairing import Pairing, read_pairs

if TYPE_CHECKING:
    from explorer.discrepancy.dependence.mean_estimators import OfSides
    from explorer.kernels import Kernel


FAR = 1e60  # largest size, and the inverse of the smallest, whose products of four neither overflow nor vanish
LEAST = 1e-290  # the unit of a statistic must be larger than this for its values to keep their digits


@printed
@record
class Coefficient(Decision):
    """Coefficient of dependence without unit, and its permutation test.

    Attributes
    ----------
    value : float
        The coefficient; signed for Pearson's r.
    test : TestResult
        Test of unit times the coefficient, or times its square if `root`.
    unit : float
        Largest value that the statistic can have; 0 if a side is constant, and the coefficient is then 0.
    root : bool, default True
        Whether the coefficient is the root of statistic / unit.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import Coefficient, pearson_test
    >>> x = np.linspace(-1.0, 1.0, 30)
    >>> r: Coefficient = pearson_test(x, x**3, n_resamples=99, rng=0)
    >>> round(r.value, 3), float(r.pvalue), round(r.limit(0.05), 2)
    (0.917, 0.01, 0.41)
    """

    value: float
    test: TestResult
    unit: float
    root: bool = True

    @property
    def pvalue(self) -> float:
        """P-value of the test."""
        return self.test.pvalue

    def _parts(self):
        return [("value", self.value), ("unit", self.unit), ("root", self.root), *self.test._parts()]

    def limit(self, level: float) -> float:
        """Return the size of the coefficient from which p <= level.

        Parameters
        ----------
        level : float
            Level of the test.

        Returns
        -------
        float
            The coefficient, or inf if there are too few permutations for any.
        """
        return _coefficient(self.test.threshold(level), self.unit, self.root)

    def _sentence(self):
        return f"A coefficient of {self.value:.4g} with p = {self.pvalue:.3g}, for n = {self.test.n} pairs."

    def _picture(self):
        return inline_pictures.null(self.test, self._sentence())


def _coefficient(statistic, unit, root):
    if unit == 0:
        return 0.0
    ratio = max(statistic, 0.0) / unit
    return math.sqrt(ratio) if root else float(ratio)


@limit_threads
@aligned("X Y")
def pearson_test(
    X: PointsLike, Y: PointsLike, n_resamples: int = 999, rng: Rng = None, *, orders: Sequence[Rows] | None = None
) -> Coefficient:
    """Compute Pearson's r of two columns, or the RV coefficient of several, with its two-sided permutation test.

    Use it for linear dependence alone. `hsic_test` sees any dependence.

    p is that of `hsic_test` under the linear kernel, whose statistic is the squared covariance. It is exact if the rows
    of one side are exchangeable and independent of the other side, for all n, n_resamples and kinds of data.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    orders : sequence of ndarray or None, default None
        Batches of `permutations` with this rng, if the caller has them already.

    Returns
    -------
    Coefficient
        The coefficient and its test. If points lie beyond 1e60, or all within 1e-60, the statistic may be in other
        units, because it would overflow in those of the points.

    Raises
    ------
    Refusal, TypeError
        As `hsic_test`.

    Notes
    -----
    RV, from 0 to 1, is :math:`|X'Y|^2 / (|X'X| |Y'Y|)` of the centred columns.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import pearson_test
    >>> x = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> result = pearson_test(x, [2.0, 1.0, 4.0, 3.0, 6.0, 5.0], n_resamples=199, rng=0)
    >>> round(result.value, 4), round(float(result.pvalue), 3)
    (0.8286, 0.04)
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    (X, a), (Y, b) = _over_a_power(X, "X"), _over_a_power(Y, "Y")
    both = read_pairs(X, Y, Linear(), Linear())
    n, x, y = len(both.X), both.X - both.X.mean(axis=0), both.Y - both.Y.mean(axis=0)
    unit = float(np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y))
    batches = permutations(n, n_resamples, rng) if orders is None else orders
    if x.shape[1] == y.shape[1] == 1:
        covariance = float(y[:, 0] @ x[:, 0])
        square = covariance**2
        null = np.concatenate([y[order, 0] @ x[:, 0] for order in batches]) ** 2
    else:
        covariance, square = 1.0, float(np.linalg.norm(y.T @ x) ** 2)
        products = (np.einsum("bie,id->bed", y[order], x, optimize=True) for order in batches)
        null = np.concatenate([(each**2).sum(axis=(1, 2)) for each in products])
    test = TestResult(square, null, "|X'Y|²", both.kernels, n, tolerance=SLACK * unit, seed=seed_of(rng))
    root = x.shape[1] == y.shape[1] == 1
    found = Coefficient(math.copysign(_coefficient(square, unit, root), covariance), test, unit, root)
    return _in_units(found, a, b, 2)


@limit_threads
@aligned("X Y")
def distance_test(
    X: Points, Y: Points, n_resamples: int = 999, rng: int | None = None, *, orders: Sequence[Rows] | None = None
) -> Coefficient:
    """Compute the distance correlation with its permutation test, that of `hsic_test` under ``Energy()``.

    Use it for any dependence, without a bandwidth. For other kernels use `hsic_test`.

    The distance covariance is the root of 4 times the test's statistic. p is exact under the conditions of
    `pearson_test`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    orders : sequence of ndarray or None, default None
        Batches of `permutations` with this rng, if the caller has them already.

    Returns
    -------
    Coefficient
        The coefficient and its test, with units as in `pearson_test`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import distance_test, pearson_test
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> by_distances = distance_test(x, x**2, n_resamples=99, rng=0)
    >>> round(by_distances.value, 2), float(by_distances.pvalue)
    (0.49, 0.02)
    >>> abs(pearson_test(x, x**2, n_resamples=99, rng=0).value) < 1e-9
    True
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    pairing, (a, b) = _energies(X, Y)
    test = pairing.test(n_resamples, rng, orders)
    return _in_units(Coefficient(_coefficient(test.statistic, pairing.unit, True), test, pairing.unit), a, b)


@limit_threads
@aligned("X Y")
def distance_covariance(X: Points, Y: Points) -> float:
    """Compute the distance covariance dCov(X, Y) = sqrt(4 HSIC_b), both kernels ``Energy()``, in units of sqrt(x y).

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.

    Returns
    -------
    float
        The V-statistic of the sample, always above 0.

    Notes
    -----
    The centred energy kernel ``(|x| + |x'| - |x - x'|) / 2`` is -1/2 times the centred distance, so HSIC is a quarter
    of dCov² (Sejdinovic et al. 2013, Ann. Stat. 41, 2263). For distributions dCov is 0 if and only if they are
    independent. Its test is `hsic_test` with both kernels ``Energy()``, or `distance_test`.

    References
    ----------
    Székely, Rizzo, Bakirov 2007 (Ann. Stat. 35, 2769).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import distance_covariance
    >>> x = np.array([[0.0], [1.0]])
    >>> distance_covariance(x, x), distance_covariance(4 * x, 9 * x)
    (0.5, 3.0)
    """
    pairing, (a, b) = _energies(X, Y)
    return math.sqrt(max(4 * pairing.observed(), 0.0)) * math.sqrt(a) * math.sqrt(b)


@limit_threads
@aligned("X Y")
def distance_correlation(X: Points, Y: Points) -> float:
    """Compute the distance correlation dCov(X, Y) / sqrt(dCov(X, X) dCov(Y, Y)), from 0 to 1, without unit.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, e)
        Second side of the pairs. Row i belongs to row i of X.

    Returns
    -------
    float
        The coefficient; 0 if one side is constant.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import distance_correlation
    >>> x = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> [round(distance_correlation(x, y), 4) for y in (3 * x, x**2, np.ones_like(x))]
    [1.0, 0.5159, 0.0]
    """
    pairing, _ = _energies(X, Y)
    return _coefficient(pairing.observed(), pairing.unit, True)


def _energies(X, Y):
    """Return the Pairing of both sides divided by powers of two, and these powers."""
    (X, a), (Y, b) = _over_a_power(X, "X"), _over_a_power(Y, "Y")
    return Pairing(X, Y, Energy(), Energy(), "biased", None), (a, b)


def _over_a_power(values, name):
    """Divide a side whose products would overflow or vanish by a power of two; return it with that power, or with 1.

    Distances are divided by the same number, to the last digit.
    """
    try:
        points = checks.sample(values, name)
    except Refusal:  # columns of words are compared too; other errors are raised when both sides are known
        return values, 1.0
    size = float(np.abs(points / 2 - points[0] / 2).max())
    if size == 0 or 1 / FAR < size < FAR:
        return values, 1.0
    unit = power_of_two(size)
    return points / unit, unit


def _in_units(found, a, b, power=1):
    """Return a Coefficient of sides that were divided by a and b with its statistic in the units of the data.

    It is returned unchanged if the statistic would overflow or vanish in these units.
    """
    with np.errstate(over="ignore", under="ignore"):
        factor = float(np.float64(a) ** power * np.float64(b) ** power)
        test = found.test
        values = np.append(test.null_distribution, [test.statistic, found.unit])
        inside = np.isfinite(values * factor).all() and np.abs(found.unit * factor) > LEAST
    if factor == 1 or not inside:
        return found
    statistic, null, tolerance = (each * factor for each in (test.statistic, test.null_distribution, test.tolerance))
    test = replace(test, statistic=statistic, null_distribution=null, tolerance=tolerance)
    return replace(found, test=test, unit=found.unit * factor)


@printed
@record
class DependenceTest(Decision):
    """Test of independence by the biased HSIC, its gamma approximation and the correlation by HSIC.

    Attributes
    ----------
    test : TestResult
        Test as `hsic_test` gives it.
    gamma : GammaResult
        Approximation as `hsic_gamma` gives it.
    correlation : Coefficient
        HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y)), from 0 to 1.
    sigmas : tuple
        σ of marginalized estimators on both sides, numbers or (d,); 0 without one.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import DependenceTest, dependence_test
    >>> x = np.linspace(-1.0, 1.0, 30)[:, None]
    >>> answer: DependenceTest = dependence_test(x, x**2, n_resamples=99, rng=0)
    >>> float(answer.test.pvalue), answer.gamma.pvalue < 0.001, round(answer.correlation.value, 2)
    (0.01, True, 0.32)
    """

    test: TestResult
    gamma: GammaResult
    correlation: Coefficient
    sigmas: tuple[Any, ...]

    @property
    def pvalue(self) -> float:
        """P-value of the test."""
        return self.test.pvalue

    def _parts(self):
        others = [("gamma_pvalue", self.gamma.pvalue), ("correlation", self.correlation.value)]
        return [*self.test._parts(), *others, ("sigmas", self.sigmas)]

    @classmethod
    def of(cls, pairing: Pairing, n_resamples: int, rng: Rng, orders: Sequence[Rows] | None = None) -> Self:
        """Run the tests of a Pairing under the biased statistic.

        Parameters
        ----------
        pairing : Pairing
            The pairs.
        n_resamples : int
            Number of permutations.
        rng : int, Generator or None
            Seed of the permutations.
        orders : sequence of ndarray or None, default None
            Batches of `permutations` with this rng, if the caller has them already.

        Returns
        -------
        DependenceTest
            The tests.
        """
        test = pairing.test(n_resamples, rng, orders)
        value = _coefficient(test.statistic, pairing.unit, False)
        sigmas = tuple(0.0 if each is None or not each.noisy else each.point_noise for each in pairing.estimators.sides)
        return cls(test, gamma_of(pairing), Coefficient(value, test, pairing.unit, False), sigmas)

    def _sentence(self):
        return str(self.test)

    def _picture(self):
        return self.test._picture()


@limit_threads
@aligned("X Y")
def dependence_test(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    estimator: OfSides = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> DependenceTest:
    """Run `hsic_test` and `hsic_gamma` on the same pairs, n >= 4, and compute the correlation by HSIC.

    Use it for a p and a size of the dependence at once. For the p alone use `hsic_test`.

    Its p is that of `hsic_test`, exact for independent pairs; the p of the gamma distribution is about that.

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
        A marginalized estimator, or a pair of them.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed. An int gives the same permutations to every kernel and σ.

    Returns
    -------
    DependenceTest
        The tests and the correlation.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import dependence_test
    >>> angle = np.linspace(0.0, 6.0, 40)[:, None]
    >>> answer = dependence_test(np.cos(angle), np.sin(angle), n_resamples=99, rng=0)
    >>> round(answer.test.statistic, 4), float(answer.pvalue), round(answer.correlation.value, 2)
    (0.007, 0.31, 0.06)
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    pairing = Pairing(X, Y, kernel_x, kernel_y, "biased", estimator, at_least=4, purpose="for a variance")
    return DependenceTest.of(pairing, n_resamples, rng)
