"""What the MONK lab's pictures draw, as columns.

`columns` turns a result into the columns of the figures' sources, `tables` into the same columns for every number of
blocks, so that a browser can answer the slider of Q by itself.
"""

from __future__ import annotations

import math

import numpy as np

from .monk_axis import on_axis, symlog
from .monk_small_columns import PICTURES, blank, small_columns

X_RANGE = (-10.0, 26.0)  # of the canvas, in units of x
CELLS, VOTE = (-0.62, -0.14), (-1.1, -0.82)  # heights of the blocks' cells and of the count of votes
MIDDLE = {"P": 1.5, "Q": 0.5}  # of the strips
U_HEIGHT = -0.16  # below the blocks, where the U-statistic is drawn
GOLDEN = 0.6180339887498949


def spread(count, middle):
    """Heights in a strip, the same for a row whatever the others are, (count,)."""
    return middle + 0.8 * ((np.arange(count) * GOLDEN) % 1 - 0.5)


def columns(result):
    """Source name -> column name -> array, at the lab's Q."""
    drawn = {
        **_strips(result),
        **{
            name: {}
            for name in ("cells", "bad_cells", "median_cell", "votes", "bad_votes", "values", "bad_values", "median")
        },
        "U": {"x": on_axis(result, [result.u_mmd]), "y": np.array([U_HEIGHT])},
        "truth": {"x": symlog([result.truth])},
        "monk": {},
        "fast": {},
        **small_columns(result),
    }
    for (source, column), values in _at(result, result.row, _width(result)).items():
        drawn[source][column] = values
    return drawn


def tables(result):
    """(source, column) -> (rows, length) float64: what changes with Q, for each Q that the slider stops at."""
    width = _width(result)
    rows = [_at(result, row, width) for row in range(len(result.stops))]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def _width(result):
    """The number of places that blocks need in every row."""
    return result.stops[-1]


def _at(result, row, width):
    """What changes with Q, at one row; places that no block takes are nan."""
    found, bad = result.estimate_at(row), result.spoilt_blocks(row)
    Q = len(bad)
    edges = np.linspace(*X_RANGE, Q + 1)
    order = np.argsort(found.block_values, kind="stable")
    heights, values = (np.arange(Q) + 0.5) / Q, on_axis(result, found.block_values[order])
    middle, gap = found.median_block, 0.06 * (X_RANGE[1] - X_RANGE[0]) / Q
    left, right = edges[:-1] + gap, edges[1:] - gap
    clean = X_RANGE[0] + (X_RANGE[1] - X_RANGE[0]) * float((~bad).mean())
    where, value = int(np.flatnonzero(order == middle)[0]), on_axis(result, [found.value])
    fast = result.lab.method == "bcd-fast"
    return {
        ("cells", "left"): _padded(np.where(bad, np.nan, left), width),
        ("cells", "right"): _padded(np.where(bad, np.nan, right), width),
        ("bad_cells", "left"): _padded(np.where(bad, left, np.nan), width),
        ("bad_cells", "right"): _padded(np.where(bad, right, np.nan), width),
        ("median_cell", "left"): left[[middle]],
        ("median_cell", "right"): right[[middle]],
        ("votes", "left"): np.array([X_RANGE[0]]),
        ("votes", "right"): np.array([clean]),
        ("bad_votes", "left"): np.array([clean if bad.any() else np.nan]),
        ("bad_votes", "right"): np.array([X_RANGE[1]]),
        ("values", "x"): _padded(np.where(bad[order], np.nan, values), width),
        ("values", "y"): _padded(heights, width),
        ("bad_values", "x"): _padded(np.where(bad[order], values, np.nan), width),
        ("bad_values", "y"): _padded(heights, width),
        ("median", "x"): values[[where]],
        ("median", "y"): heights[[where]],
        ("monk", "x"): np.full(1, np.nan) if fast else value,
        ("fast", "x"): value if fast else np.full(1, np.nan),
    }


def _padded(values, width):
    return np.append(values, np.full(width - len(values), np.nan))


def _strips(result):
    """What of both samples is seen.

    The clean points, the outliers of both kinds, and arrows for what lies beyond the canvas.
    """
    lab, pairs = result.lab, result.pairs
    placed, first = np.array(result.placed, dtype=float).reshape(-1, 2), lab.n - lab.outliers
    strips = {
        name: np.column_stack([points[:, 0], spread(lab.n, MIDDLE[name])])
        for name, points in (("P", pairs.X), ("Q", pairs.Y))
    }
    clean = {name: strip[~pairs.spoilt] for name, strip in strips.items()}
    planted = np.concatenate([strip[first:] for name, strip in strips.items() if lab.planted in ("both", name)])
    chosen = placed[lab.selected - 1 : lab.selected] if lab.selected else placed[:0]
    return {
        # a spoilt pair keeps its place, so that a column of heights is sent once
        **{
            name: {**_points(strip), "x": np.where(pairs.spoilt, np.nan, _points(strip)["x"])}
            for name, strip in strips.items()
        },
        "far": _arrows(np.concatenate(list(clean.values()))),
        # beyond the canvas an arrow stands for the cross
        "placed": {**_points(placed), "size": np.where(_beyond(placed), 0.0, 14.0)},
        "planted": {**_points(planted), "size": np.where(_beyond(planted), 0.0, 11.0)},
        "selected": _points(chosen),
        "off": _arrows(np.concatenate([placed, planted])),
    }


def _points(points):
    return {"x": np.clip(points[:, 0], *X_RANGE), "y": points[:, 1].copy()}


def _beyond(points):
    return (points[:, 0] < X_RANGE[0]) | (points[:, 0] > X_RANGE[1])


def _arrows(points):
    off = points[_beyond(points)]
    return {**_points(off), "angle": -np.sign(off[:, 0]) * math.pi / 2}


def _hidden(result):
    """The sources of the pictures that are not to be seen: nobody waits for their columns."""
    return set().union(*(sources for name, sources in PICTURES.items() if name != result.lab.picture))


def seen_columns(result):
    """`columns` of what can be seen."""
    unseen = _hidden(result)
    return {source: data for source, data in columns(result).items() if source not in unseen}


def pinned(result):
    """The blocks of a result that is kept beside the present one; nothing for None."""
    if result is None:
        return blank("x", "y")
    values = np.sort(result.estimate.block_values)
    return {"x": symlog(values), "y": (np.arange(len(values)) + 0.5) / len(values)}
