"""Common parts of tests of conditional independence: the variables conditioned on, regressions, and the result."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy import JointResult
from explorer.discrepancy.dependence.pairing import one_side
from explorer.discrepancy.resampling.permutation import SLACK
from explorer.discrepancy.resampling.tiled_gram import LARGE, select
from explorer.kernels import Kernel
from explorer.linalg import power_of_two
from explorer.printing import plural, printed
from explorer.record import record
from explorer.types import Matrix, Points, PointsLike, Values

from .embedding import ConditionalEmbedding

REGRESSED = 7e-10  # seconds that a regression on n rows of Z takes, divided by n^3
FEWEST = 6  # least number of rows: their signs can be changed in 64 ways, which allow a p below 0.05


@printed
@record(kw_only=True)
class ConditionalResult(JointResult):
    """Result of a test of independence given Z: a JointResult with the regularisers of both regressions.

    Attributes
    ----------
    lam : ndarray of shape (2,)
        Regulariser λ of the regression of X on Z and of that of Y, in units of k_z.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.conditional import ConditionalResult, kci_test
    >>> rng = np.random.default_rng(0)
    >>> z = rng.normal(size=50)
    >>> x, y = z + 0.5 * rng.normal(size=50), z + 0.5 * rng.normal(size=50)
    >>> result: ConditionalResult = kci_test(x, y, z, rng=0)
    >>> float(result.pvalue) > 0.05, result.lam.shape
    (True, (2,))
    """

    lam: np.ndarray

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lam", checks.read_only(self.lam))


class Given(NamedTuple):
    """The variable Z that a test conditions on: checked points (n, d), the chosen kernel and the columns' names."""

    Z: np.ndarray
    kernel: Kernel
    columns: tuple[str, ...]

    @classmethod
    def of(cls, Z: PointsLike, kernel: Kernel | None, sides: tuple[Points, Points]) -> Self:
        """Return the checked Z. Refuse it if it is constant, has too few rows, or not as many as both sides."""
        given, kernel, columns = one_side(Z, kernel, "Z")
        points = kernel.points(given, "Z")
        if {len(points)} != {len(side) for side in sides}:
            raise Refusal(
                f"X has {plural(len(sides[0]), 'row')}, Y has {len(sides[1])} and Z has {len(points)}; row i of all"
                " three is one"
                " observation: give equally many of each."
            )
        checks.rows(points, "Z, to condition on,", FEWEST)
        if len(points) > LARGE:
            raise Refusal(f"a test given Z stores Gram matrices of {len(points)} rows; give at most {LARGE} rows.")
        if (points == points[0]).all():
            raise Refusal("all rows of Z are equal, so there is nothing to condition on; take hsic_test(X, Y).")
        checks.warn_of_lost_digits(points, "Z", columns)
        return cls(checks.read_only(points), select(kernel, points, "rows"), columns)

    @property
    def seconds(self) -> float:
        """Approximate time that the two regressions of a test take with one thread, in seconds."""
        return 2 * REGRESSED * len(self.Z) ** 3

    def regression(self, Y: PointsLike, kernel_y: Kernel, lam: float | None) -> ConditionalEmbedding:
        """Return the regression of k_y(y, .) on Z. `lam=None` takes the λ with the least leave-one-out score."""
        return ConditionalEmbedding(self.kernel, kernel_y, lam).fit(self.Z, Y)

    def residuals(self, regression: ConditionalEmbedding, values: Values) -> Values:
        """Return values (n, q) of functions of y at the rows, minus their prediction by the regression."""
        return values - regression.expectation(values, self.Z)


def standardise(side: Points) -> Matrix:
    """Return columns minus their means, divided by their deviations, so that one ridge suits all columns.

    Parameters
    ----------
    side : ndarray of shape (n, d)
        Numbers.

    Returns
    -------
    ndarray of shape (n, d)
        Standardised columns. A constant column is 0.
    """
    units = np.array([power_of_two(size) for size in np.abs(side).max(axis=0)])
    columns = side / units
    largest = np.abs(columns).max(axis=0)
    columns = columns - columns.mean(axis=0)
    deviations = columns.std(axis=0)
    varies = deviations > SLACK * largest
    return np.where(varies, columns / np.where(varies, deviations, 1.0), 0.0)
