"""Labs of points on a line or in the plane: which columns of a table these are, and where functions are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.checks import Refusal
from explorer.types import Matrix, Vector

from .fields import UserTable

if TYPE_CHECKING:
    from explorer.datasets.dataset import DataSet


ALONG = 161  # places of a line
WIDE, HIGH = 2.3, 1.08  # of the frame's half side: a picture is wider than it is high
WIDTH = 1.5  # of the frame's half side: what of the sample is beside it can be seen, too
USUAL = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_radius", "mean_compactness")}


class FirstColumns(UserTable):
    """A lab whose points have d coordinates, of a table its first d columns."""

    if TYPE_CHECKING:

        def _drawn(self) -> None:  # a field of each subclass, with a default of its own
            self.d: int

    def the_columns(self, table: DataSet) -> list[str]:
        """The names of the columns of a table that the points have: the first d of them."""
        names = USUAL.get(self.source, table.names)
        if self.d > len(names):
            raise Refusal(f"{table.name} has one column, and d is {self.d}; take d = 1, or a table with more columns.")
        return list(names[: self.d])

    def in_order(self, table: DataSet) -> Matrix:
        """All rows of a table in the seed's order, (rows, d)."""
        return table.sample(table.n, self.seed)[:, [table.names.index(name) for name in self.the_columns(table)]]


def axes_of(frame: tuple[float, float, float], across: int, up: int) -> tuple[Vector, Vector]:
    """The centres of so many cells of the plane along both axes, for a frame (x, y, half side)."""
    cx, cy, half = frame
    ends = ((cx, WIDE * half, across), (cy, HIGH * half, up))
    x, y = (c + reach * ((2 * np.arange(count) + 1) / count - 1) for c, reach, count in ends)
    return x, y


def frame_of(low: Vector, high: Vector) -> tuple[float, float, float]:
    """Centre and half side of the square that a picture of a box in the plane shows, which is wider than high."""
    (cx, cy), (across, up) = (low + high) / 2, (high - low) / 2
    return float(cx), float(cy), float(max(up, across / WIDTH))


def line_of(frame: tuple[float, float, float]) -> Matrix:
    """Places along the line, (g, 1), for a frame (x, y, half side)."""
    cx, _, half = frame
    return np.linspace(cx - half, cx + half, ALONG)[:, None]


def plane_of(axes: tuple[Vector, Vector]) -> Matrix:
    """All pairs of the cells' centres along two axes, (g, 2), row by row from below."""
    x, y = axes
    return np.column_stack([np.tile(x, len(y)), np.repeat(y, len(x))])
