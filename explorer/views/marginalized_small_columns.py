"""What the Marginalized lab's small pictures draw, as columns; what a picture does not show now is empty."""

from __future__ import annotations

import numpy as np

GAMMA_RANGE, KEPT_RANGE = (1e-4, 1e3), (-0.25, 1.75)
MISSED_RANGE, EXTRA_RANGE = (1e-4, 10.0), (1e-3, 10.0)
# the pictures that share one place, and the sources that each alone draws
PICTURES = {
    "kernel": {"plain", "slices"},
    "filter": {"filter", "sum"},
    "approximation": {"missed", "here"},
    "dice": {"path"},
}
SLICES = ("one", "both", "first", "second")
MISSED = ("kme", "projection", "corrected", "printed")
LARGEST_DOT = 22.0  # px, of a direction in which all of KME lies


def small_columns(result):
    """Source name -> column name -> array, of all four."""
    small = result.small if result.lab.picture == "kernel" else None
    at = blank("at") if small is None else {"at": small.at}
    plain = blank("at", "k") if small is None else {**at, "k": small.plain}
    return {
        "slices": at,
        "plain": plain,
        "filter": _filter(result),
        "sum": _sum(result),
        "missed": _missed(result),
        "here": {},
        "path": _path(result),
    }


def small_tables(result):
    """(source, column) -> (σ rows, length) of all four."""
    small, picture, rows = result.small, result.lab.picture, len(result.mkme.sigmas)
    blank = np.zeros((rows, 0))
    tables = {("slices", name): blank for name in SLICES}
    tables |= {("filter", "kept"): blank, ("sum", "y"): blank, ("here", "x"): blank, ("here", "y"): blank}
    if picture == "kernel":
        nothing = np.full((rows, len(small.at)), np.nan)
        for name in SLICES:
            values = getattr(small, name)
            tables["slices", name] = nothing if values is None else values
    if picture == "filter":
        tables["filter", "kept"] = np.clip(small.kept, *KEPT_RANGE)
        tables["sum", "y"] = small.sums[:, None]
    if picture == "approximation":
        missed = np.column_stack([getattr(small, name) for name in MISSED])
        tables["here", "x"] = np.repeat(result.mkme.sigmas[:, None], len(MISSED), axis=1)
        tables["here", "y"] = np.clip(missed, *MISSED_RANGE)
    return tables


def blank(*names):
    """Columns of nothing."""
    return {name: np.zeros(0) for name in names}


def _filter(result):
    if result.lab.picture != "filter":
        return blank("gamma", "size")
    small = result.small
    return {"gamma": np.clip(small.eigenvalues, *GAMMA_RANGE), "size": LARGEST_DOT * np.sqrt(small.coefficients)}


def _sum(result):
    if result.lab.picture != "filter":
        return {**blank("x"), "words": np.zeros(0, dtype=str)}
    return {"x": np.array([1.5 * GAMMA_RANGE[0]]), "words": np.array(["Σβ"])}


def _missed(result):
    if result.lab.picture != "approximation":
        return blank("sigma", *MISSED)
    # σ = 0 has no place on two logarithmic axes
    curves = {name: getattr(result.small, name)[1:-1] for name in MISSED}
    within = {name: np.where((v >= MISSED_RANGE[0]) & (v <= MISSED_RANGE[1]), v, np.nan) for name, v in curves.items()}
    return {"sigma": result.mkme.sigmas[1:-1], **within}


def _path(result):
    if result.lab.picture != "dice":
        return blank("copies", "thrown", "expected")
    small = result.small
    return {
        "copies": np.arange(1.0, len(small.path) + 1),
        "thrown": np.clip(small.path, *EXTRA_RANGE),
        "expected": np.clip(small.expected, *EXTRA_RANGE),
    }
