"""Small picture of a running sweep: the means of the finished cells, along the axis with the most values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.svg import inline_pictures

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.sweeps.run import Run


LINES = 12  # most lines of a picture
POINTS = 200  # most points of a line


def progress_picture(run: Run) -> Markup:
    """Return an SVG of a run's first number over its longest numeric axis, a line for each value of the next axis.

    The points are means of the finished cells over the other axes and the replicates. A long axis, and many lines, are
    thinned evenly.
    """
    grid = run.grid
    numeric = [name for name, values in grid.axes.items() if _are_numbers(values)]
    if not run.values or not numeric:
        return _empty(run)
    name = next(iter(run.values))
    along = max(numeric, key=lambda each: len(grid.axes[each]))
    others = [each for each in grid.axes if each != along and len(grid.axes[each]) > 1]
    by = others[:1]
    dims = [grid.dims.index(each) for each in (*by, along)]
    values = np.where(run.done, run.values[name], np.nan).reshape(grid.shape)
    values = np.moveaxis(values, dims, range(len(dims))).reshape(*(grid.shape[i] for i in dims), -1)
    finite = np.isfinite(values)
    counts = finite.sum(-1)
    means = np.where(counts > 0, np.where(finite, values, 0.0).sum(-1) / np.maximum(counts, 1), np.nan)
    x = np.array(grid.axes[along], dtype=float)
    order = np.argsort(x)
    order = order[:: math.ceil(len(order) / POINTS)]
    lines, x = np.atleast_2d(means)[:: math.ceil(len(np.atleast_2d(means)) / LINES)][:, order], x[order]
    called = f"{name} over {along}{f', a line for each {by[0]}' if by else ''}, of what is done"
    by_ratios = x.min() > 0 and x.max() / x.min() >= 20
    return inline_pictures.lines(x, lines, f"{name} over {along}", called, by_ratios)


def _empty(run):
    """Return a bar of the share of finished cells, for a run without a numeric axis."""
    return inline_pictures.share(run.done.mean(), f"{int(run.done.sum())} of {run.grid.size} cells")


def _are_numbers(values):
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values)
