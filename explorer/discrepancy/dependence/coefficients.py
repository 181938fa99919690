"""Coefficients of dependence between 0 and 1, each with its permutation test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks, drawing
from explorer.alignment import aligned
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.results.answer import Decision
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Energy, Linear
from explorer.linalg import power_of_two
from explorer.printing import printed
from explorer.processors import limit_threads
from explorer.record import record
from explorer.rng import seed_of
from explorer.types import Points, PointsLike, Rng, Rows

from .gamma import GammaResult, gamma_of
from .pairing import Pairing, read_pairs

if TYPE_CHECKING:
    from explorer.discrepancy.dependence.mean_estimators import OfSides
    from explorer.kernels import Kernel


FAR = 1e60  # sizes from whose inverse up to which products of four of them are floats, and sums of such
LEAST = 1e-290  # the largest value that a statistic may have and still keep its digits


@printed
@record
class Coefficient(Decision):
    """A coefficient of dependence without unit, and its permutation test.

    value  the coefficient; signed where it is Pearson's r
    test   the TestResult of unit times the coefficient, or times its square where `root`
    unit   the largest value that the statistic can have; 0 where a side is constant, and the coefficient is 0
    root   whether the coefficient is the root of statistic / unit

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
        """p of the test."""
        return self.test.pvalue

    def _parts(self):
        return [("value", self.value), ("unit", self.unit), ("root", self.root), *self.test._parts()]

    def limit(self, level: float) -> float:
        """The size of the coefficient from which p <= level; inf where there are too few permutations for any."""
        return _coefficient(self.test.threshold(level), self.unit, self.root)

    def _sentence(self):
        return f"A coefficient of {self.value:.4g} with p = {self.pvalue:.3g}, for n = {self.test.n} pairs."

    def _picture(self):
        return drawing.null(self.test, self._sentence())


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
    """Pearson's r of two columns with its two-sided permutation test, the RV coefficient of more: a Coefficient.

    p is that of `hsic_test` under the linear kernel, whose statistic is the squared covariance: exact if the rows of
    one side are exchangeable and independent of the other side, for all n, n_resamples and kinds of data. RV, from 0 to
    1, is |X'Y|^2 / (|X'X| |Y'Y|) of the centred columns. `orders` are the batches of `permutations` of this rng, where
    the caller has them already. Errors as for `hsic_test`. Of points beyond 1e60, or all within 1e-60, the statistic
    may be in other units, where it has no float in those of the points.

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
    """The distance correlation with its permutation test, that of `hsic_test` under Energy(): a Coefficient.

    The distance covariance is the root of 4 times the test's statistic. p is exact as that of `pearson_test`, which
    has the same `orders` and units.

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
    """dCov(X, Y) = sqrt(4 HSIC_b), both kernels Energy(), in units of sqrt(x y).

    The energy kernel (|x| + |x'| - |x - x'|) / 2 centred is -1/2 times the centred distance, so HSIC is a quarter of
    dCov^2 (Sejdinovic et al. 2013, Ann. Stat. 41, 2263). Székely, Rizzo, Bakirov 2007 (Ann. Stat. 35, 2769): 0 for the
    distributions exactly where they are independent; of a sample this is the V-statistic, always above 0. Its test is
    hsic_test with both kernels Energy(), or distance_test.

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
    """dCov(X, Y) / sqrt(dCov(X, X) dCov(Y, Y)), from 0 to 1, without unit; 0 where one side is constant.

    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import distance_correlation
    >>> x = np.array([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
    >>> [round(distance_correlation(x, y), 4) for y in (3 * x, x**2, np.ones_like(x))]
    [1.0, 0.5159, 0.0]
    """
    pairing, _ = _energies(X, Y)
    return _coefficient(pairing.observed(), pairing.unit, True)


def _energies(X, Y):
    """The Pairing of both sides over powers of two, and these."""
    (X, a), (Y, b) = _over_a_power(X, "X"), _over_a_power(Y, "Y")
    return Pairing(X, Y, Energy(), Energy(), "biased", None), (a, b)


def _over_a_power(values, name):
    """A side whose products would leave the floats over a power of two, and that; another as it is, and 1.

    Distances are divided by the same number, to the last digit.
    """
    try:
        points = checks.sample(values, name)
    except Refusal:  # words beside numbers are compared too, and the rest is refused where both sides are known
        return values, 1.0
    size = float(np.abs(points / 2 - points[0] / 2).max())
    if size == 0 or 1 / FAR < size < FAR:
        return values, 1.0
    unit = power_of_two(size)
    return points / unit, unit


def _in_units(found, a, b, power=1):
    """A Coefficient of sides that were divided by a and b, its statistic in the units of the data.

    It is left as it is where it would be no float there.
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
    """The test of independence by the biased HSIC, its gamma approximation and the correlation by HSIC.

    test         the TestResult, as `hsic_test` gives it
    gamma        the GammaResult, as `hsic_gamma` gives it
    correlation  the Coefficient HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y)), from 0 to 1
    sigmas       the σ of marginalized estimators on both sides, numbers or (d,); 0 where there is none

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
        """p of the test."""
        return self.test.pvalue

    def _parts(self):
        beside = [("gamma_pvalue", self.gamma.pvalue), ("correlation", self.correlation.value)]
        return [*self.test._parts(), *beside, ("sigmas", self.sigmas)]

    @classmethod
    def of(cls, pairing: Pairing, n_resamples: int, rng: Rng, orders: Sequence[Rows] | None = None) -> Self:
        """Of a Pairing under the biased statistic; `orders` as for `pearson_test`."""
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
    """`hsic_test`, `hsic_gamma` and the correlation by HSIC of the same pairs, n >= 4: a DependenceTest.

    The estimator may be a marginalized one, or a pair of them. An int rng gives the same permutations to every kernel
    and σ. Its p is that of `hsic_test`, exact for independent pairs; the p of the gamma distribution is about that.

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
