"""A small picture of a sweep that runs: the means of the cells that are done, along the axis of most values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer import inline_pictures

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.sweeps.run import Run


LINES = 12  # of a picture
POINTS = 200  # of a line


def filling(run: Run) -> Markup:
    """An SVG of a run's first number over its longest numeric axis, a line for each value of the next.

    Over what remains of the axes, and over the replicates, the means of what is done; of a long axis, or of many lines,
    every so many.
    """
    grid = run.grid
    numeric = [name for name, values in grid.axes.items() if _are_numbers(values)]
    if not run.values or not numeric:
        return _empty(run)
    name = next(iter(run.values))
    along = max(numeric, key=lambda each: len(grid.axes[each]))
    others = [each for each in grid.axes if each != along and len(grid.axes[each]) > 1]
    by = others[:1]
    kept = [grid.dims.index(each) for each in (*by, along)]
    values = np.where(run.done, run.values[name], np.nan).reshape(grid.shape)
    values = np.moveaxis(values, kept, range(len(kept))).reshape(*(grid.shape[i] for i in kept), -1)
    there = np.isfinite(values)
    counts = there.sum(-1)
    means = np.where(counts > 0, np.where(there, values, 0.0).sum(-1) / np.maximum(counts, 1), np.nan)
    x = np.array(grid.axes[along], dtype=float)
    order = np.argsort(x)
    order = order[:: math.ceil(len(order) / POINTS)]
    lines, x = np.atleast_2d(means)[:: math.ceil(len(np.atleast_2d(means)) / LINES)][:, order], x[order]
    called = f"{name} over {along}{f', a line for each {by[0]}' if by else ''}, of what is done"
    by_ratios = x.min() > 0 and x.max() / x.min() >= 20
    return inline_pictures.lines(x, lines, f"{name} over {along}", called, by_ratios)


def _empty(run):
    """Where no axis is numeric, how many cells are done, as a bar."""
    return inline_pictures.share(run.done.mean(), f"{int(run.done.sum())} of {run.grid.size} cells")


def _are_numbers(values):
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values)
