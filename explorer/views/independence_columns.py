"""What the Independence lab's pictures draw, as columns.

`columns` turns a result into the columns of the figures' sources, `sigma_tables` those that follow σ, for every stop of
its slider, so that a browser can answer the slider by itself.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammainc

EDGE = 1.06  # of the frame's half sides: how far the picture of the pairs goes
Z_RANGE = (-3.0, 12.0)  # of the null's picture, in its standard deviations
BINS = 60
HIGHEST = (0.1, 0.2, 0.4, 0.7, 1.05)  # where the null's axis may end: it stays while a hand moves, but for rare steps
RANKS, GAPS = (0.0, 50.0), (1e-14, 4.0)  # of the picture of ranks; what lies below is rounding
SIDE = 36  # cells of the Gram matrices' picture, along one side
BEST = 8  # columns of a table that are drawn
HALF = 0.5  # of the axis: from there on a name stands left of its dot
MEASURES = ("Pearson's |r|", "distance correlation", "correlation of HSIC")
# the pictures that share one place, and the sources that each alone draws
PICTURES = {
    "pair": {"pair"},
    "gram": {"cells"},
    "measures": {"measures"},
    "ranks": {"ranks", "rank"},
    "power": {"power", "squares"},
    "columns": {"columns", "named"},
}


def columns(result):
    """Source name -> column name -> array, at the lab's σ."""
    pairs, edges = result.pairs, np.linspace(*Z_RANGE, BINS + 1)
    x, y = _clipped(pairs, pairs.X[:, 0], pairs.Y[:, 0])
    drawn, chosen = pairs.drawn, slice(pairs.drawn + result.lab.selected - 1, pairs.drawn + result.lab.selected)
    chosen = chosen if result.lab.selected else slice(0, 0)
    along, across = map(len, result.axes)
    found = {
        "field": {},
        "ground": _ground(result),
        "sample": {"x": x[:drawn], "y": y[:drawn]},
        "placed": {"x": x[drawn:], "y": y[drawn:]},
        "moved": {"x": x[pairs.moved], "y": y[pairs.moved]},
        "chosen": {"x": x[chosen], "y": y[chosen]},
        "shuffled": _shuffled(result),
        "null": {"left": edges[:-1], "right": edges[1:], "at": (edges[:-1] + edges[1:]) / 2, "y": _alone(0.1)},
        "pair": {"x": np.linspace(-1, 1, along), "across": _padded(result, np.linspace(-1, 1, across))},
        "cells": {},
        "measures": {"y": np.array([3.0, 2.0, 1.0])},
        "ranks": _ranks(result),
        "rank": _rank(result),
        "power": _power(result),
        "squares": _squares(result),
        **_columns(result),
    }
    for (source, column), table in _moving(result, [result.own] if result.enough else []).items():
        found[source][column] = table[0]
    return found


def sigma_tables(result):
    """(source, column) -> (slider stops, length): what changes with σ; one row where there are no more."""
    return _moving(result, result.rows or ([result.own] if result.enough else []))


def _hidden(result):
    return set().union(*(sources for name, sources in PICTURES.items() if name != result.lab.picture))


def seen_columns(result):
    """`columns` of what can be seen."""
    unseen = _hidden(result)
    return {source: data for source, data in columns(result).items() if source not in unseen}


def seen_tables(result):
    """`sigma_tables` of what can be seen; the others' are empty."""
    unseen = _hidden(result)
    return {(s, c): t[:, :0] if s in unseen else t for (s, c), t in sigma_tables(result).items()}


def _moving(result, trials):
    """`sigma_tables` of some trials; of none, empty pictures."""
    if not trials:
        along, across = map(len, result.axes)
        blank = {
            ("null", name): np.full((1, BINS), np.nan)
            for name in ("top", "tail", "gamma", "x", "limit", "beyond", "one")
        }
        lines = {("pair", name): np.full((1, along), np.nan) for name in ("f", "g")}
        lines["field", "w"] = np.zeros((1, along * across))
        bars = {("measures", name): np.full((1, 3), np.nan) for name in ("value", "limit")}
        return {**blank, **lines, **bars, ("cells", "w"): np.zeros((1, SIDE * SIDE))}
    mean, spread = np.array([result.scale(trial) for trial in trials]).T
    null = np.array([trial.test.null_distribution for trial in trials])
    observed = (np.array([trial.test.statistic for trial in trials]) - mean) / spread
    limit = (np.array([trial.test.threshold(result.lab.alpha) for trial in trials]) - mean) / spread
    z, top = (null - mean[:, None]) / spread[:, None], top_of(result)
    reaches = [trial.test.null_distribution + trial.test.tolerance >= trial.test.statistic for trial in trials]
    return {
        # a bar that is higher than the picture ends with it, until the hand rests and the axis follows
        ("null", "top"): np.minimum(_counts(z), top),
        ("null", "tail"): np.minimum(_counts(z, reaches), top),
        ("null", "gamma"): np.minimum(
            [_gamma(trial, m, s) for trial, m, s in zip(trials, mean, spread, strict=True)], top
        ),
        ("null", "x"): _alone(_inside(observed)),
        ("null", "limit"): _alone(np.nan_to_num(limit, posinf=np.nan)),
        ("null", "one"): _alone(_one(result, z)),
        ("null", "beyond"): _alone(np.where(observed > Z_RANGE[1], 14.0, 0.0)),
        ("field", "w"): _to_one([trial.field for trial in trials]),
        ("pair", "f"): _to_one([trial.f for trial in trials]),
        ("pair", "g"): _padded(result, _to_one([trial.g for trial in trials])),
        ("cells", "w"): _from_below([trial.cells for trial in trials]),
        ("measures", "value"): np.array([[*_others(result, 0), trial.correlation] for trial in trials]),
        ("measures", "limit"): np.array([[*_others(result, 1), min(trial.limit, 1.2)] for trial in trials]),
    }


# what one figure draws lies in one source: it paints once for each that changes, and in a browser each paint waits for
# a frame


def _alone(values):
    """A mark in the null's picture, (BINS,) or one for each row (r, BINS): nan but for the first."""
    rows = np.full((*np.shape(values), BINS), np.nan)
    rows[..., 0] = values
    return rows


def _padded(result, rows):
    """Values at the places along y, (q,) or (r, q), with nan up to as many as there are along x."""
    rows = np.asarray(rows)
    more = len(result.axes[0]) - rows.shape[-1]
    return np.concatenate([rows, np.full((*rows.shape[:-1], more), np.nan)], axis=-1)


def _from_below(rows):
    """Square pictures (r, c * c), row by row from above, as an image has them: from below."""
    rows = np.array(rows).reshape(len(rows), SIDE, SIDE)
    return rows[:, ::-1].reshape(len(rows), -1)


def _to_one(rows):
    """Rows by their own largest value."""
    rows = np.array(rows)
    size = np.abs(rows).max(axis=1, keepdims=True)
    return rows / np.where(size > 0, size, 1.0)


def _others(result, part):
    """The coefficients of Pearson's r and of the distance correlation, or what chance reaches.

    nan while it is on its way.
    """
    found = result.found
    return abs(found.pearson[part]), math.nan if found.distance is None else found.distance[part]


def _counts(z, chosen=None):
    """The share of all shuffles, (r, BINS), that are chosen and lie in each bin; the last holds all beyond."""
    place = np.clip(((z - Z_RANGE[0]) * (BINS / (Z_RANGE[1] - Z_RANGE[0]))).astype(int), 0, BINS - 1)
    rows = place if chosen is None else [p[c] for p, c in zip(place, chosen, strict=True)]
    return np.array([np.bincount(p, minlength=BINS) for p in rows]) / z.shape[1]


def _gamma(trial, mean, spread):
    """The share that the gamma law has in each bin."""
    if math.isinf(trial.gamma.shape):
        return np.full(BINS, np.nan)
    edges = mean + spread * np.linspace(*Z_RANGE, BINS + 1)
    return np.diff(gammainc(trial.gamma.shape, np.maximum(edges, 0) / trial.gamma.scale))


def top_of(result):
    """Where the null's axis ends, by the bars at the lab's own σ."""
    if not result.enough:
        return HIGHEST[1]
    mean, spread = result.scale(result.own)
    top = _counts((result.test.null_distribution[None] - mean) / spread).max()
    return next((end for end in HIGHEST if 1.04 * top <= end), HIGHEST[-1])


def _clipped(pairs, x, y):
    """Where pairs are drawn; one beyond the picture stays at its edge."""
    cx, cy, half, high = pairs.frame
    return np.clip(x, cx - EDGE * half, cx + EDGE * half), np.clip(y, cy - EDGE * high, cy + EDGE * high)


def _ground(result):
    """Where the picture's ground lies; what it shows is the source `field`."""
    x, y = result.axes
    wide, high = x[1] - x[0], y[1] - y[0]
    return {"x": [x[0] - wide / 2], "y": [y[0] - high / 2], "dw": [len(x) * wide], "dh": [len(y) * high]}


def _shuffled(result):
    """The pairs of the shuffle that is looked at."""
    if not (result.enough and result.lab.shuffle):
        return {"x": np.zeros(0), "y": np.zeros(0)}
    order = result.order
    x, y = _clipped(result.pairs, result.pairs.X[:, 0], result.pairs.Y[order, 0])
    return {"x": x, "y": y}


def _one(result, z):
    """Where that shuffle lies among the others, whose places are z (r, B)."""
    return _inside(z[:, result.lab.shuffle - 1]) if result.lab.shuffle else np.full(len(z), np.nan)


def _inside(z):
    return np.clip(z, Z_RANGE[0] + 0.1, Z_RANGE[1] - 0.1)


def _ranks(result):
    if result.path is None:
        return {name: np.zeros(0) for name in ("x", "bound", "gap")}
    bound, gap = result.path.bound, result.gaps
    return {"x": np.arange(float(len(bound))), "bound": _seen(bound), "gap": _seen(gap)}


def _seen(values):
    """What an axis of logarithms can show: rounding may leave 0 and less."""
    return np.clip(values, GAPS[0], GAPS[1])


def _rank(result):
    if result.path is None:
        return {name: np.zeros(0) for name in ("x", "bound", "gap")}
    r, _, bound, gap = result.at_rank
    return {"x": np.array([float(r)]), "bound": _seen(np.array([bound])), "gap": _seen(np.array([gap]))}


def _power(result):
    if result.power is None:
        return {name: np.zeros(0) for name in ("x", "hsic", "low", "high", "pearson")}
    alpha, (k, r) = result.lab.alpha, result.power
    low, high = k.interval(alpha)
    return {"x": k.fractions, "hsic": k.power(alpha), "low": low, "high": high, "pearson": r.power(alpha)}


def _squares(result):
    """How often fresh samples, and re-paired ones, are found dependent; the ends are 95 % intervals."""
    fresh = result.fresh
    if fresh is None:
        return {name: np.zeros(0) for name in ("x", "y", "low", "high", "fill")}
    rows = [(1.08, fresh.none, 0.0)] + [(1.04, fresh.kernel, 1.0)] * (fresh.kernel is not None)
    x, found, fill = np.array(rows).T
    low, high = np.array([fresh.interval(int(k)) for k in found]).T
    return {"x": x, "y": found / fresh.count, "low": low, "high": high, "fill": fill}


def _columns(result):
    """The table's columns by their dependence on y, and their names beside the dots."""
    c = result.columns
    shown = min(BEST, len(c.names)) if c else 0
    at = BEST - np.arange(float(shown))
    x, p = (c.correlation[:shown], c.pvalue[:shown]) if c else (np.zeros(0), np.zeros(0))
    left = x > HALF
    words, align = (np.array(v, dtype=object) for v in (result.column_words[:shown], np.where(left, "right", "left")))
    return {
        "columns": {"y": at, "x": x, "fill": np.where(p <= result.lab.alpha, 1.0, 0.0)},
        "named": {"y": at, "x": x, "offset": np.where(left, -12.0, 12.0), "text": words, "align": align},
    }


def pinned(result):
    """What of a result stays in the pictures beside the present one: where it was observed."""
    there = result is not None and result.enough
    return {"observed": {"x": columns(result)["null"]["x"][:1] if there else np.zeros(0)}}
