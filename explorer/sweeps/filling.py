"""A small picture of a sweep that runs: the means of the cells that are done, along the axis of most values."""

from __future__ import annotations

import math

import numpy as np

from explorer import drawing

LINES = 12  # of a picture
POINTS = 200  # of a line


def filling(run):
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
    lines = np.atleast_2d(means)[:: math.ceil(len(np.atleast_2d(means)) / LINES)][:, order]
    return _lines(x[order], lines, f"{name} over {along}{f', a line for each {by[0]}' if by else ''}, of what is done")


def _lines(x, lines, label):
    by_ratios = x.min() > 0 and x.max() / x.min() >= 20
    places = np.log(x) if by_ratios else x
    across = drawing.Axis(places, drawing.EDGE, drawing.WIDTH - drawing.EDGE)
    up = drawing.Axis(lines, drawing.HEIGHT - drawing.FOOT, drawing.EDGE)
    shapes = []
    for i, line in enumerate(lines):
        tint = 0.35 + 0.65 * (i + 1) / len(lines)
        at = [(across(place), up(value)) for place, value in zip(places, line, strict=True) if np.isfinite(value)]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in at)
        pen = {"stroke": "currentColor", "stroke_width": "1.5", "opacity": f"{tint:.2f}"}
        dot = {"r": 2, "fill": "currentColor", "opacity": f"{tint:.2f}"}
        shapes.append(drawing.mark("polyline", points=points, fill="none", **pen))
        shapes += [drawing.mark("circle", cx=a, cy=b, **dot) for a, b in at]
    low, high = (f"{end:.4g}" for end in (x.min(), x.max()))
    return drawing.svg([*shapes, *_words(label, low, high, up)], label)


def _words(label, low, high, up):
    foot = drawing.HEIGHT - 4
    return [
        drawing.words(low, drawing.EDGE, foot, "start"),
        drawing.words(high, drawing.WIDTH - drawing.EDGE, foot, "end"),
        drawing.words(f"{label.split(',')[0]} {up.range()}", drawing.WIDTH / 2, foot),
    ]


def _empty(run):
    """Where no axis is numeric, how many cells are done, as a bar."""
    label = f"{int(run.done.sum())} of {run.grid.size} cells"
    wide = (drawing.WIDTH - 2 * drawing.EDGE) * run.done.mean()
    bar = drawing.mark("rect", x=drawing.EDGE, y=8, width=wide, height=8, fill="currentColor", opacity="0.6")
    return drawing.svg([bar], label, height=24)


def _are_numbers(values):
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values)
