"""Evenly spaced cells in one or two dimensions, and functions between their centres."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.printing import plural
from explorer.types import Points, PointsLike, Vector

CELLS = {1: 200, 2: 40}  # cells along each axis of a default grid, by dimension
MARGIN = 0.25  # share of the data's range that a default grid adds on each side
EVEN = 1e-6  # share of a step by which centres may be off, as decimals in a float are
MOST = 20_000  # the most cells: the features of more take too much memory


class Grid(NamedTuple):
    """Cells with centres on the product of evenly spaced axes.

    Attributes
    ----------
    axes : tuple of ndarray of shape (g_1,)
        The centres along each axis.
    points : ndarray of shape (g, d)
        The centres of the cells in the order in which they were given.
    order : ndarray of shape (g,)
        The index of each centre in the product of the axes; the last axis runs fastest.
    """

    axes: tuple[np.ndarray, ...]
    points: np.ndarray
    order: np.ndarray

    @property
    def step(self) -> Vector:
        """The width of a cell along each axis, (d,)."""
        return np.array([(axis[-1] - axis[0]) / (len(axis) - 1) for axis in self.axes])

    @property
    def cell(self) -> float:
        """The volume of a cell."""
        return float(np.prod(self.step))

    def contains(self, Z: Points) -> Any:
        """Return whether points Z (k, d) lie in a cell, (k,)."""
        low = np.array([axis[0] for axis in self.axes]) - self.step / 2
        high = np.array([axis[-1] for axis in self.axes]) + self.step / 2
        slack = EVEN * self.step
        return ((low - slack <= Z) & (high + slack >= Z)).all(axis=1)

    def interpolate(self, values: Vector, Z: Points) -> Vector:
        """Return values (g,) at the centres interpolated linearly at points Z (k, d).

        The function is constant in the outer half of a cell at the edge.
        """
        from scipy.interpolate import RegularGridInterpolator

        table = np.empty(len(values))
        table[self.order] = values
        Z = np.clip(Z, [axis[0] for axis in self.axes], [axis[-1] for axis in self.axes])
        return RegularGridInterpolator(self.axes, table.reshape([len(axis) for axis in self.axes]))(Z)


def grid_of(points: PointsLike) -> Grid:
    """Return the Grid of centres (g,) or (g, d), d = 1 or 2, in any order.

    Raises
    ------
    Refusal
        If the centres are not an evenly spaced grid.
    """
    points = checks.sample(points, "grid")
    g, d = points.shape
    if d > 2:
        raise Refusal(f"grid has {plural(d, 'column')}; a density on a grid has one or two dimensions here.")
    axes = [np.unique(column) for column in points.T]
    axes = [_merged(axis) for axis in axes]
    if any(len(axis) < 2 for axis in axes):
        raise Refusal("grid has fewer than two different centres along an axis; give evenly spaced centres of cells.")
    if np.prod([len(axis) for axis in axes]) != g:
        raise Refusal(
            f"grid has {plural(g, 'row')}, and {' x '.join(str(len(axis)) for axis in axes)} centres along its axes;"
            " give every"
            " combination of them once."
        )
    for axis in axes:
        steps = np.diff(axis)
        if steps.max() - steps.min() > 2 * EVEN * steps.mean() + 8 * np.spacing(np.abs(axis).max()):
            raise Refusal(
                f"grid has centres {steps.min():.6g} to {steps.max():.6g} apart; give evenly spaced ones, such as"
                " np.linspace(-5, 5, 201)."
            )
    if g > MOST:
        raise Refusal(f"grid has {g:,} cells; give at most {MOST:,}.")
    places = [_nearest(axis, column) for axis, column in zip(axes, points.T, strict=True)]
    order = places[0] if d == 1 else places[0] * len(axes[1]) + places[1]
    if len(np.unique(order)) != g:
        raise Refusal("grid has a centre twice; give every combination of its axes once.")
    return Grid(tuple(axes), checks.read_only(points), order)


def default_grid(X: Points) -> Grid:
    """Return cells over the range of X (n, d) and a quarter of it on each side.

    Raises
    ------
    Refusal
        If X has no range.
    """
    d = X.shape[1]
    if d > 2:
        raise Refusal(f"X has {plural(d, 'column')}; a density on a grid has one or two dimensions here.")
    low, high = X.min(axis=0), X.max(axis=0)
    flat = np.flatnonzero(high <= low)
    if len(flat):
        what = "all rows of X are the same point" if len(flat) == d else f"column {flat[0] + 1} of X is constant"
        raise Refusal(f"{what}, which gives a grid no range; give grid, the centres of its cells.")
    pad = MARGIN * (high - low)
    axes = [np.linspace(a, b, CELLS[d]) for a, b in zip(low - pad, high + pad, strict=True)]
    return grid_of(np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, d))


def _merged(axis):
    """Return sorted coordinates, with those that differ by rounding alone merged."""
    if len(axis) < 3:
        return axis
    gaps = np.diff(axis)
    first = np.r_[True, gaps > 1e-3 * gaps.max()]
    return axis[first]


def _nearest(axis, column):
    """Return the index on a sorted axis that is nearest to each number."""
    right = np.clip(np.searchsorted(axis, column), 1, len(axis) - 1)
    return np.where(column - axis[right - 1] <= axis[right] - column, right - 1, right)
