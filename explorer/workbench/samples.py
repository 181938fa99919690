"""Labs of one sample: rows of a distribution that is known, or of a table, under a kernel at their median distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.quantity import Quantity, coordinates, in_file_units
from explorer.embeddings import GaussianMixture, StudentT
from explorer.kernels import Gaussian, median_and_remark
from explorer.printing import join_list, short_name
from explorer.types import Points, Vector

from .fields import UserTable
from .result import Result
from .stages import stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.estimators.marginalized.along import Along
    from explorer.estimators.paths import RegularisationPath


Gaussians: TypeAlias = GaussianMixture | StudentT  # the distributions of labs
Sampled = TypeVar("Sampled", bound=UserTable)  # the class of a lab of one sample

TAIL = 6.0  # standard deviations of a heavy-tailed distribution's middle that its picture shows
ROOM = 0.06  # of a sample's width, left free at either side of it
THIN = 1e-3  # of the other side: a box is drawn at least so wide, also about points on a line


class Sample(NamedTuple):
    """Points X (n, d) and the quantities of their coordinates."""

    X: np.ndarray
    quantities: tuple[Quantity, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(each.name for each in self.quantities)

    @property
    def own(self) -> dict[str, Vector]:
        """name -> the coordinate (n,) in its file's own units."""
        return in_file_units(self.quantities, self.X)


def refuse_constant(sample: Sample, why: str, columns: Sequence[int] | None = None) -> None:
    """Refuse a sample in which some column, of these or all, has one value; `why` says what it then lacks."""
    looked_at = range(len(sample.quantities)) if columns is None else columns
    still = [sample.names[j] for j in looked_at if np.ptp(sample.X[:, j]) == 0]
    if still:
        which = (
            f"Column '{short_name(still[0])}' has"
            if len(still) == 1
            else f"The columns {join_list(map(short_name, still))} have"
        )
        raise Refusal(f"{which} the same value in all {len(sample.X)} rows, so {why}; choose columns that vary.")


def most_of(points: Points) -> tuple[Vector, Vector]:
    """The lowest and highest corner (2,) of a box in the plane that shows most of a table's points (n, d)."""
    low, high = np.quantile(points[:, :2], [0.01, 0.99], axis=0)
    return low - 0.15 * (high - low) - 1e-9, high + 0.15 * (high - low) + 1e-9


def square_about(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Centre and half-width of the square about a box in the plane; of a line, at height 0."""
    centre, half = (low + high) / 2, float((high - low).max() / 2)
    return float(centre[0]), float(centre[1]) if len(centre) > 1 else 0.0, half


def width_of(source: Any) -> float:
    """The root of the mean variance of a coordinate, of a distribution or a table.

    Of Student's t, which may have no variance, that of its scale matrix.
    """
    if isinstance(source, StudentT):
        variances = np.diag(source.covariance)
    else:
        variances = source.variances if hasattr(source, "variances") else source.X.var(axis=0)
    return float(np.sqrt(variances.mean()))


def filled(law: Gaussians, X: Points) -> tuple[Vector, Vector]:
    """The lowest and highest corner of the box about all rows X, and one standard deviation of each component.

    Of a heavy tail it has what lies within TAIL of its scales.
    """
    rows, spread = X[:, :2], np.sqrt(np.diagonal(law.covariances[:, :2, :2], axis1=1, axis2=2))
    if np.isfinite(law.tail):
        rows = np.clip(rows, law.means[0, :2] - TAIL * spread[0], law.means[0, :2] + TAIL * spread[0])
    ends = np.concatenate([rows, law.means[:, :2] - spread, law.means[:, :2] + spread])
    return ends.min(axis=0), ends.max(axis=0)


def roomy(low: Vector, high: Vector) -> tuple[Vector, Vector]:
    """A box with some room about it, in the plane; a line has height 1 about 0."""
    if len(low) == 1:
        low, high = np.array([low[0], -0.5]), np.array([high[0], 0.5])
    side = high - low
    room = ROOM * np.maximum(side, THIN * (side.max() or 1.0))
    return low - room, high + room


class SampleResult(Result[Sampled]):
    """The stages that labs of one sample share; the lab has `the_law()`, None for a table, and `the_table()`."""

    @stage
    def law(self) -> Gaussians | None:
        """The true distribution, or None where a table is all there is."""
        return self.lab.the_law()

    @stage
    def source(self) -> Any:
        """What the sample is drawn from: the true distribution or the table."""
        return self.law or self.lab.the_table()

    @stage
    def drawn(self) -> Sample:
        """The Sample as it is drawn; a larger n keeps the rows that were there."""
        X = self.source.sample(self.lab.n, self.lab.seed)
        return Sample(X, getattr(self.source, "quantities", None) or coordinates(X.shape[1]))

    @property
    def sample(self) -> Sample:
        """The Sample that is looked at: as it is drawn, unless a lab puts outliers into it."""
        return self.drawn

    @property
    def X(self) -> Points:
        """The points, (n, d)."""
        return self.sample.X

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return self.sample.names

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the coordinates."""
        return self.sample.quantities

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre and half-width of the square that the sample's picture shows; outliers do not move it."""
        if self.law is None:
            return square_about(*most_of(self.X[: self.clean]))
        if np.isfinite(self.law.tail):  # few points of a heavy tail would leave the others no room
            return square_about(*filled(self.law, self.drawn.X))
        law: Any = self.law  # a mixture
        mean, reach = law.mean[:2], 2.8 * np.sqrt(law.variances[:2])
        return square_about(mean - reach, mean + reach)

    @property
    def clean(self) -> int:
        """How many rows are no outliers: all, unless a lab puts some into the last ones."""
        return len(self.X)


class GaussianInMedians(SampleResult[Sampled]):
    """The stages of a result whose lab has a Gaussian kernel, of a bandwidth in medians."""

    @stage
    def median(self) -> tuple[float, str]:
        """The median distance, and a remark where it is not plainly that."""
        return median_and_remark(self.X)

    @stage
    def kernel(self) -> Gaussian:
        """The Gaussian kernel, its bandwidth counted in medians."""
        return Gaussian(self.lab.bandwidth * self.median[0])


class LossResult(SampleResult[Sampled]):
    """What labs share that compare estimators' losses with KME's; `median` is (a distance, a remark on it).

    An estimator over its parameter is a path: its `height` is the loss at every row, or the leave-one-out score where
    no truth is known, both relative to KME's.
    """

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.median: Any  # a stage of each subclass: (a distance, a remark on it)

    @property
    def box(self) -> tuple[Vector, Vector]:
        """The lowest and highest corner (2,) of what the sample's picture shows, which the sample fills.

        No outlier and no point moved by hand changes it.
        """
        return roomy(*(most_of(self.X[: self.clean]) if self.law is None else filled(self.law, self.drawn.X)))

    @property
    def remark(self) -> str:
        """Empty, unless the bandwidth is not the plain median's."""
        return self.median[1]

    def gain(self, path: RegularisationPath | Along, row: int | None = None) -> float:
        """1 - loss / loss of KME at a row; from the leave-one-out score where there is no truth."""
        return float(1 - path.height[self.row if row is None else row])

    def known(self, path: RegularisationPath | Along) -> float | None:
        """The loss at the lab's row where the true distribution is known, else None."""
        return None if self.law is None else float(path.height[self.row])

    def estimated(self, path: RegularisationPath | Along) -> float | None:
        """What leave-one-out estimates of it where nothing else is known, else None."""
        return float(path.height[self.row]) if self.law is None else None
