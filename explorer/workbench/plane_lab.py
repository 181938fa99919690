"""Labs of points on a line or in the plane: the table columns that these are, and where functions are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.types import Matrix, Vector

from .fields import UserTable

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


ALONG = 161  # number of points of a line
WIDE, HIGH = 2.3, 1.08  # half width and half height of a picture, in half sides of its frame: it is wider than high
WIDTH = 1.5  # half width of the part of the picture for the sample, in half sides; the margin next to it is visible too
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

    def in_order(self, table: DataSet) -> Matrix:
        """Return all rows of a table in the seed's order.

        Parameters
        ----------
        table : DataSet
            The table.

        Returns
        -------
        ndarray of shape (n, d)
            The rows.
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


def frame_of(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Return the square that a picture of a box in the plane shows; the picture is wider than high.

    Parameters
    ----------
    low, high : ndarray of shape (2,)
        Corners of the box.

    Returns
    -------
    tuple of float
        Centre (x, y) and half side.
    """
    (cx, cy), (across, up) = (low + high) / 2, (high - low) / 2
    return float(cx), float(cy), float(max(up, across / WIDTH))


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
