"""Labs of one sample: rows of a known distribution or of a table, under a kernel at their median distance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.quantity import Quantity, coordinates, in_file_units
from explorer.embeddings import GaussianMixture, StudentT
from explorer.kernels import Gaussian, median_and_remark
from explorer.printing import echo, join_list, short_name
from explorer.types import Points, Vector

from .fields import UserTable
from .result import Result
from .stages import stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.estimators.marginalized.along import Along
    from explorer.estimators.paths import RegularisationPath


Gaussians: TypeAlias = GaussianMixture | StudentT  # the distributions of labs
Sampled = TypeVar("Sampled", bound=UserTable)  # class of a lab of one sample

TAIL = 6.0  # how many standard deviations of a heavy-tailed distribution's middle its picture shows
ROOM = 0.06  # margin on either side of a sample, relative to its width
WIDE = 1.5  # half width of a picture of the plane, in half sides of its frame: it is wider than high
THIN = 1e-3  # smallest width of a box relative to its other side, for points on a line


class Sample(NamedTuple):
    """Points and the quantities of their coordinates.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        The points.
    quantities : tuple of Quantity
        One for each coordinate.
    """

    X: np.ndarray
    quantities: tuple[Quantity, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return tuple(each.name for each in self.quantities)

    @property
    def own(self) -> dict[str, Vector]:
        """The coordinates by their names, each of shape (n,) in the units of its file."""
        return in_file_units(self.quantities, self.X)


def law_of(lab: Any, name: str, mean: float | Sequence[float] = 0.0) -> Gaussians | None:
    """Return a distribution of the menus of several labs.

    Parameters
    ----------
    lab : Lab
        The lab, which has d coordinates, and the fields `df` and `law_seed` if its menu has the last two distributions.
    name : str
        "gaussian" or "normal" for one of covariance I, "student" for Student's t, "mixture" for the papers' mixture of
        four Gaussians.
    mean : float or sequence of float, default 0.0
        Mean of the first two, of all coordinates or of each.

    Returns
    -------
    GaussianMixture, StudentT or None
        The distribution; None for any other name.
    """
    if name == "mixture":
        return GaussianMixture.random(lab.d, lab.law_seed)
    centre = np.broadcast_to(np.array(mean, float), (lab.d,))
    if name == "student":
        return StudentT(lab.df, centre, 1.0)
    return GaussianMixture([1.0], [centre], np.eye(lab.d)) if name in ("gaussian", "normal") else None


def refuse_constant(sample: Sample, why: str, columns: Sequence[int] | None = None) -> None:
    """Raise a Refusal if a column of a sample is constant.

    Parameters
    ----------
    sample : Sample
        The sample.
    why : str
        What the sample then lacks, for the message.
    columns : sequence of int or None, default None
        The columns that are tested; None for all.

    Raises
    ------
    Refusal
        If such a column has one value only.
    """
    looked_at = range(len(sample.quantities)) if columns is None else columns
    still = [sample.names[j] for j in looked_at if np.ptp(sample.X[:, j]) == 0]
    if still:
        which = (
            f"Column '{short_name(still[0])}' has"
            if len(still) == 1
            else f"The columns {join_list(map(short_name, still))} have"
        )
        raise Refusal("{} the same value in all {} rows, so {}; choose columns that vary.", which, len(sample.X), why)


def most_of(points: Points, room: float = 0.15) -> tuple[Vector, Vector]:
    """Return a box in the plane that shows most of a table's points.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points.
    room : float, default 0.15
        Margin on either side, relative to the range of 98 % of the points.

    Returns
    -------
    low, high : ndarray of shape (2,)
        Its corners.
    """
    low, high = np.quantile(points[:, :2], [0.01, 0.99], axis=0)
    return low - room * (high - low) - 1e-9, high + room * (high - low) + 1e-9


def square_about(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Return the square about a box in the plane. A box in one dimension is at height 0.

    Parameters
    ----------
    low, high : ndarray of shape (1,) or (2,)
        Corners of the box.

    Returns
    -------
    tuple of float
        Centre (x, y) and half width.
    """
    centre, half = (low + high) / 2, float((high - low).max() / 2)
    return float(centre[0]), float(centre[1]) if len(centre) > 1 else 0.0, half


def frame_of(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Return the square for a box in the plane, whose picture shows `WIDE` half sides to the left and right.

    Parameters
    ----------
    low, high : ndarray of shape (1,) or (2,)
        Corners of the box.

    Returns
    -------
    tuple of float
        Centre (x, y) and half side.
    """
    cx, cy, half = square_about(low, high)
    up = (high - low)[-1] / 2 if len(low) > 1 else 0.0
    return cx, cy, max(float(up), half / WIDE)


def width_of(source: Any) -> float:
    """Return the root of the mean variance of a coordinate of a distribution or a table.

    Student's t may have no variance, so its scale matrix is used.

    Parameters
    ----------
    source : distribution or DataSet
        The source.

    Returns
    -------
    float
        The width.
    """
    if isinstance(source, StudentT):
        variances = np.diag(source.covariance)
    else:
        variances = source.variances if hasattr(source, "variances") else source.X.var(axis=0)
    return float(np.sqrt(variances.mean()))


def filled(law: Gaussians, X: Points) -> tuple[Vector, Vector]:
    """Return the corners of the box about all rows X and one standard deviation of each component.

    Of a heavy-tailed distribution, the box includes only rows within TAIL scales.
    """
    rows, spread = X[:, :2], np.sqrt(np.diagonal(law.covariances[:, :2, :2], axis1=1, axis2=2))
    if np.isfinite(law.tail):
        rows = np.clip(rows, law.means[0, :2] - TAIL * spread[0], law.means[0, :2] + TAIL * spread[0])
    ends = np.concatenate([rows, law.means[:, :2] - spread, law.means[:, :2] + spread])
    return ends.min(axis=0), ends.max(axis=0)


def roomy(low: Vector, high: Vector) -> tuple[Vector, Vector]:
    """Return the corners of a box with some margin. A box in one dimension gets the heights -0.5 to 0.5."""
    if len(low) == 1:
        low, high = np.array([low[0], -0.5]), np.array([high[0], 0.5])
    side = high - low
    room = ROOM * np.maximum(side, THIN * (side.max() or 1.0))
    return low - room, high + room


class SampleResult(Result[Sampled]):
    """Stages that labs of one sample share; the lab has `the_table()`, and `the_law()`, which is None for a table.

    Parameters
    ----------
    lab : UserTable
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.
    """

    @stage
    def law(self) -> Gaussians | None:
        """Distribution that the sample is drawn from, or None for a table."""
        law = self.lab.the_law()
        if not isinstance(law, GaussianMixture | StudentT) and (law is not None or self.lab.toy):
            raise TypeError(
                f"the_law of the lab returned {echo(law)} for the source {echo(self.lab.source)}; it must return a"
                " GaussianMixture or a StudentT for a distribution, and None for a table. Correct the_law in the lab's"
                " lab.py."
            )
        return law

    @stage
    def source(self) -> Any:
        """Source of the sample: the true distribution or the table."""
        return self.law or self.lab.the_table()

    @stage
    def drawn(self) -> Sample:
        """Sample as drawn; a larger n keeps the rows of a smaller one."""
        X = self.source.sample(self.lab.n, self.lab.seed)
        return Sample(X, getattr(self.source, "quantities", None) or coordinates(X.shape[1]))

    @property
    def sample(self) -> Sample:
        """The Sample that is analysed: the one that was drawn, unless a lab adds outliers."""
        return self.drawn

    @property
    def X(self) -> Points:
        """The points, of shape (n, d)."""
        return self.sample.X

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates."""
        return self.sample.names

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Quantities of the coordinates."""
        return self.sample.quantities

    @property
    def frame(self) -> tuple[float, float, float]:
        """Centre and half width of the square that the sample's picture shows; outliers do not change it."""
        if self.law is None:
            return square_about(*most_of(self.X[: self.clean]))
        if np.isfinite(self.law.tail):  # the few points of a heavy tail would leave no space for the others
            return square_about(*filled(self.law, self.drawn.X))
        law: Any = self.law  # a mixture
        mean, reach = law.mean[:2], 2.8 * np.sqrt(law.variances[:2])
        return square_about(mean - reach, mean + reach)

    @property
    def clean(self) -> int:
        """Number of rows that are not outliers: all, unless a lab replaces the last ones."""
        return len(self.X)


class GaussianInMedians(SampleResult[Sampled]):
    """Stages of a result whose lab has a kernel, Gaussian by default, with its bandwidth in medians of the distances.

    Parameters
    ----------
    lab : UserTable
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.
    """

    @stage
    def median(self) -> tuple[float, str]:
        """Median distance, and a remark if it is not the plain median."""
        return median_and_remark(self.X)

    @stage
    def kernel(self) -> Any:
        """Kernel at the lab's bandwidth."""
        return self.kernel_at(self.lab.bandwidth)

    def kernel_at(self, bandwidth: float) -> Any:
        """Return the kernel at a bandwidth; a lab with a menu of kernels overrides it.

        Parameters
        ----------
        bandwidth : float
            The bandwidth, in medians.

        Returns
        -------
        Kernel
            A Gaussian.
        """
        return Gaussian(bandwidth * self.median[0])


class LossResult(SampleResult[Sampled]):
    """Stages of labs that compare estimators' losses with KME's; `median` is (a distance, a remark on it).

    An estimator over its parameter is a path: its `height` is the loss at every row or, if no truth is known, the
    leave-one-out score, both relative to KME's.

    Parameters
    ----------
    lab : UserTable
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.
    """

    if TYPE_CHECKING:

        def _declared(self) -> None:
            self.median: Any  # a stage of each subclass: (a distance, a remark on it)

    @property
    def box(self) -> tuple[Vector, Vector]:
        """Lower and upper corner, of shape (2,), of the sample's picture, which the sample fills.

        Outliers and points that the user moved do not change it.
        """
        return roomy(*(most_of(self.X[: self.clean]) if self.law is None else filled(self.law, self.drawn.X)))

    @property
    def remark(self) -> str:
        """Remark on the bandwidth; empty if it is the plain median."""
        return self.median[1]

    def gain(self, path: RegularisationPath | Along, row: int | None = None) -> float:
        """Return 1 - loss / loss of KME at a row; from the leave-one-out score if no truth is known.

        Parameters
        ----------
        path : Path or Along
            The estimator.
        row : int or None, default None
            The row; None for the lab's.

        Returns
        -------
        float
            The gain.
        """
        return float(1 - path.height[self.row if row is None else row])

    def known(self, path: RegularisationPath | Along) -> float | None:
        """Return the loss at the lab's row if the true distribution is known, else None.

        Parameters
        ----------
        path : Path or Along
            The estimator.

        Returns
        -------
        float or None
            The loss.
        """
        return None if self.law is None else float(path.height[self.row])

    def estimated(self, path: RegularisationPath | Along) -> float | None:
        """Return the leave-one-out estimate of the loss if the true distribution is unknown, else None.

        Parameters
        ----------
        path : Path or Along
            The estimator.

        Returns
        -------
        float or None
            The estimate.
        """
        return float(path.height[self.row]) if self.law is None else None
