"""Labs of points on a line or in the plane: their columns of a table, and the places where functions are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.columns.quantity import coordinates
from explorer.types import Matrix, Vector

from .fields import UserTable
from .samples import GaussianInMedians, Sample
from .stages import stage

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


Drawn = TypeVar("Drawn", bound="FirstColumns")  # class of a lab of points on a line or in the plane
ALONG = 161  # number of points of a line
WIDE, HIGH = 2.3, 1.08  # half width and half height of a picture, in half sides of its frame: it is wider than high
USUAL = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_radius", "mean_compactness")}


class FirstColumns(UserTable):
    """A lab whose points have d coordinates; those of a table are its first d columns.

    Parameters
    ----------
    lenient, gram, file, rows, hash, columns, missing, standardise : Any
        See `UserTable`.
    """

    if TYPE_CHECKING:

        def _drawn(self) -> None:  # each subclass has this field with its own default
            self.d: int

    def the_columns(self, table: DataSet) -> list[str]:
        """Return the names of the first d columns of a table, in a bundled table of its d most useful ones.

        Parameters
        ----------
        table : DataSet
            The table.

        Returns
        -------
        list of str
            The names.

        Raises
        ------
        Refusal
            If it has fewer than d columns.
        """
        names = USUAL.get(self.source, table.names)
        if self.d > len(names):
            raise Refusal(
                "{} has one column, and d is {}; take d = 1, or a table with more columns.", table.name, self.d
            )
        return list(names[: self.d])

    def the_rows(self, table: DataSet) -> Matrix:
        """Return the rows of a table from which the lab draws; the first n are the sample.

        Parameters
        ----------
        table : DataSet
            The table.

        Returns
        -------
        ndarray of shape (N, d)
            All rows in the seed's order. A lab that needs some in addition to the sample overrides it and refuses
            short tables.
        """
        return table.sample(table.n, self.seed)[:, [table.names.index(name) for name in self.the_columns(table)]]


def axes_of(frame: tuple[float, float, float], across: int, up: int) -> tuple[Vector, Vector]:
    """Return the centres of the plane's cells along both axes.

    Parameters
    ----------
    frame : tuple of float
        Centre (x, y) and half side.
    across, up : int
        Numbers of cells along x and y.

    Returns
    -------
    x, y : ndarray
        The centres.
    """
    cx, cy, half = frame
    ends = ((cx, WIDE * half, across), (cy, HIGH * half, up))
    x, y = (c + reach * ((2 * np.arange(count) + 1) / count - 1) for c, reach, count in ends)
    return x, y


def line_of(frame: tuple[float, float, float]) -> Matrix:
    """Return equidistant points along the line.

    Parameters
    ----------
    frame : tuple of float
        Centre (x, y) and half side.

    Returns
    -------
    ndarray of shape (g, 1)
        The points.
    """
    cx, _, half = frame
    return np.linspace(cx - half, cx + half, ALONG)[:, None]


def plane_of(axes: tuple[Vector, Vector]) -> Matrix:
    """Return all pairs of the cells' centres along two axes, row by row from below.

    Parameters
    ----------
    axes : tuple of ndarray
        The centres along x and along y.

    Returns
    -------
    ndarray of shape (g, 2)
        The pairs.
    """
    x, y = axes
    return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])


class PlaneResult(GaussianInMedians[Drawn]):
    """Stages of labs of points on a line or in the plane: the sample, and the places where functions are drawn.

    Parameters
    ----------
    lab : FirstColumns
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.

    Attributes
    ----------
    cells : tuple of int
        Numbers of cells of the plane along x and y.
    """

    cells: ClassVar[tuple[int, int]] = (90, 41)

    @stage
    def all_rows(self) -> Matrix | None:
        """Rows of a table in the seed's order, which begins with the sample; None for a distribution."""
        return None if self.law is not None else self.lab.the_rows(self.source)

    @stage
    def drawn(self) -> Sample:
        """Sample as drawn; a larger n keeps the rows of a smaller one."""
        if self.all_rows is not None:
            return Sample(self.all_rows[: self.lab.n], self.source.quantities_of(self.lab.the_columns(self.source)))
        X = self.source.sample(self.lab.n, self.lab.seed)
        return Sample(X, coordinates(X.shape[1]))

    @stage
    def axes(self) -> tuple[Vector, Vector]:
        """Centres of the plane's cells along both axes."""
        return axes_of(self.frame, *self.cells)

    @stage
    def places(self) -> Matrix:
        """Points at which functions are drawn, shape (g, d): along the line, or the plane's cells row by row."""
        return line_of(self.frame) if self.lab.d == 1 else plane_of(self.axes)

    @stage
    def true_density(self) -> Vector | None:
        """Density of the true distribution at `places`, shape (g,); None for a table."""
        return None if self.law is None else np.exp(self.law.logpdf(self.places))
