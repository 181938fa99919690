"""What the Marginalized lab's pictures draw, as columns.

`columns` turns a result into the columns of the figures' sources, `sigma_tables` into the same columns for every σ of
the slider, so that a browser can answer the slider by itself.
"""

from __future__ import annotations

import numpy as np

from .marginalized_plane import cells, copies, densities, discs, law_ellipses, points
from .marginalized_small_columns import PICTURES, small_columns, small_tables

# σ = 0 stands left of the smallest σ above it
SIGMA_RANGE, LOSS_RANGE = (0.0075, 3.3), (0.0, 1.6)
DOTS = {"size": np.array([15.0, 12.0, 8.0]), "fill": np.array([0.0, 1.0, 1.0])}  # best (hollow), chosen, here


def columns(result):
    """Source name -> column name -> array, at the lab's σ."""
    drawn = {
        "curves": _curves(result),
        "bands": _bands(result),
        "mkme": dict(DOTS),
        "mmkme": dict(DOTS),
        "line": {},
        "law": law_ellipses(result),
        "points": points(result),
        **discs(result),
        "cells": cells(result),
        "copies": copies(result),
        **small_columns(result),
    }
    for (source, column), table in sigma_tables(result).items():
        drawn[source][column] = table[result.row] if table.shape[1] else np.zeros(0)
    return drawn


def sigma_tables(result):
    """(source, column) -> (σ rows, length) float64.

    What changes with σ, for each σ of the slider and the automatic one.
    """
    dots = {name: _dots(getattr(result, name)) for name in ("mkme", "mmkme")}
    held = len(discs(result)["discs"]["x"])

    def repeated(values):
        return np.repeat(values[:, None], held, axis=1)

    first = result.mmkme.deviations[:, 0]
    second = result.mmkme.deviations[:, 1] if result.X.shape[1] > 1 else np.zeros(len(first))
    return {
        ("line", "x"): dots["mkme"][0][:, 2:],
        **{(name, axis): table for name, pair in dots.items() for axis, table in zip("xy", pair, strict=True)},
        ("discs", "radius"): repeated(result.mkme.deviations[:, 0]),
        ("ellipses", "width"): repeated(2 * first),
        ("ellipses", "height"): repeated(2 * second),
        ("cells", "density"): densities(result),
        **small_tables(result),
    }


def _hidden(result):
    """The sources of the pictures that are not to be seen: nobody waits for their columns."""
    return set().union(*(sources for name, sources in PICTURES.items() if name != result.lab.picture))


def seen_columns(result):
    """`columns` of what can be seen."""
    unseen = _hidden(result)
    return {source: data for source, data in columns(result).items() if source not in unseen}


def pinned(result):
    """The curves of a result that is kept beside the present one; nothing for None."""
    if result is None:
        return {name: np.zeros(0) for name in ("sigma", "mkme", "mmkme")}
    heights = {name: getattr(result, name).height[:-1] for name in ("mkme", "mmkme")}
    return {"sigma": np.clip(result.mkme.sigmas[:-1], *SIGMA_RANGE), **heights}


def _curves(result):
    blank = np.full(len(result.mkme.sigmas) - 1, np.nan)
    curves = {
        f"{name}_{what}": blank if values is None else values[:-1]
        for name in ("mkme", "mmkme")
        for what, values in (("loss", getattr(result, name).loss), ("score", getattr(result, name).score))
    }
    risk = blank if result.risk is None else result.risk[:-1]
    # the radius of a disc at each stop of the slider: who drags a rim looks for the nearest
    return {
        "sigma": np.clip(result.mkme.sigmas[:-1], *SIGMA_RANGE),
        "radius": result.mkme.deviations[:-1, 0],
        "mkme_risk": risk,
        **curves,
    }


def _bands(result):
    """Where further samples lie: the ends of their bands for each estimator, nothing where there are none."""
    names = ("mkme", "mmkme")
    if result.replicates is None:
        return {name: np.zeros(0) for name in ("sigma", *(f"{e}_{i}" for e in names for i in range(4)))}
    ends = {name: np.clip(result.replicates.band(name)[:, :-1], *LOSS_RANGE) for name in names}
    return {
        "sigma": np.clip(result.mkme.sigmas[:-1], *SIGMA_RANGE),
        **{f"{name}_{i}": ends[name][i] for name in names for i in range(4)},
    }


def _dots(path):
    """x and y, (σ rows, 3), of an estimator's dots: the best σ, the chosen one, and where the slider is."""
    height, rows = path.height, len(path.sigmas)
    best = (np.nan, np.nan) if path.best is None else (path.sigmas[path.best], height[path.best])
    x = np.column_stack([np.full(rows, best[0]), np.full(rows, path.chosen), path.sigmas])
    y = np.column_stack([np.full(rows, best[1]), np.full(rows, height[-1]), height])
    return np.clip(x, *SIGMA_RANGE), np.clip(y, *LOSS_RANGE)
