"""What tests of conditional independence share: the variables that are held, their regressions, and the answer."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy import JointResult
from explorer.discrepancy.dependence.pairing import one_side
from explorer.discrepancy.permutation import SLACK
from explorer.discrepancy.tiled import LARGE, select
from explorer.kernels import Kernel
from explorer.linalg import power_of_two
from explorer.printing import printed
from explorer.record import record
from explorer.types import Matrix, Points, PointsLike, Values

from .embedding import ConditionalEmbedding

REGRESSED = 7e-10  # seconds of a regression on n rows of Z, over n^3
FEWEST = 6  # rows: the signs of as many can be changed in 64 ways, which allow a p below 0.05


@printed
@record(kw_only=True)
class ConditionalResult(JointResult):
    """A JointResult of a test given Z. Besides what every JointResult has:

    lam   (2,), λ of the regression of X on Z and of that of Y, in units of k_z

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
    """Z that a test conditions on, (n, d): checked, with its chosen kernel and the names of its columns."""

    Z: np.ndarray
    kernel: Kernel
    columns: tuple[str, ...]

    @classmethod
    def of(cls, Z: PointsLike, kernel: Kernel | None, sides: tuple[Points, Points]) -> Self:
        """Z of as many rows as both sides have; ValueError where it has not, is constant, or there are too few."""
        given, kernel, columns = one_side(Z, kernel, "Z")
        points = kernel.points(given, "Z")
        if {len(points)} != {len(side) for side in sides}:
            raise Refusal(
                f"X has {len(sides[0])} rows, Y has {len(sides[1])} and Z has {len(points)}; row i of all three is one"
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
        """About how long the two regressions of a test take by one thread."""
        return 2 * REGRESSED * len(self.Z) ** 3

    def regression(self, Y: PointsLike, kernel_y: Kernel, lam: float | None) -> ConditionalEmbedding:
        """The regression of k_y(y, .) on Z, λ of least leave-one-out score where it is None."""
        return ConditionalEmbedding(self.kernel, kernel_y, lam).fit(self.Z, Y)

    def residuals(self, regression: ConditionalEmbedding, values: Values) -> Values:
        """Values (n, q) of functions of y at the rows, less what the regression predicts of them."""
        return values - regression.expectation(values, self.Z)


def standardise(side: Points) -> Matrix:
    """Columns less their means, over their deviations: one ridge then suits all; a constant one is 0."""
    units = np.array([power_of_two(size) for size in np.abs(side).max(axis=0)])
    columns = side / units
    largest = np.abs(columns).max(axis=0)
    columns = columns - columns.mean(axis=0)
    deviations = columns.std(axis=0)
    varies = deviations > SLACK * largest
    return np.where(varies, columns / np.where(varies, deviations, 1.0), 0.0)
