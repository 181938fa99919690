"""What the DNA lab's pictures draw, as columns."""

from __future__ import annotations

import numpy as np

REACH_RANGE, TALL = (-1.0, 4.0), 1.32  # the axis of both tests in units of their thresholds, and its height
EDGES = np.linspace(*REACH_RANGE, 51)
MARKS = {"plain": 1.2, "monk": 1.08}  # how high each statistic's mark stands
GAP = 1  # rows between the two samples' profiles


def columns(result):
    """Source name -> column name -> array."""
    K, (low, high) = result.seen
    span = (high - low) or abs(low) or 1.0  # reads that are all equally alike have one colour
    shades = np.clip((K[::-1] - low) / span, 0, 1)  # a byte for each of the palette's 256 colours
    drawn = {
        "gram": {"image": [np.rint(255 * shades).astype(np.uint8)]},
        "titles": _titles(result),
        "cell": _cell(result),
        "spoiled": _spoiled(result),
        "profile": {"image": [_profile(result)]},
    }
    for name in ("plain", "monk"):
        test = getattr(result, name)
        unit, reach = result.unit(test), result.reach(test)
        counts = np.histogram(np.clip(test.null_distribution / unit, *REACH_RANGE), EDGES)[0]
        drawn[name] = {"left": EDGES[:-1], "right": EDGES[1:], "top": counts / counts.max()}
        at = float(np.clip(reach, *REACH_RANGE))
        beyond = at != reach
        left = at > 3.4 or (
            name == "monk" and at > -0.4
        )  # the numbers stand apart where the marks are close, and inside
        drawn[f"{name}_mark"] = {
            "x": np.array([at]),
            "y": np.array([MARKS[name]]),
            "foot": np.zeros(1),
            "angle": np.array([(-np.pi / 2 if reach > 0 else np.pi / 2) if beyond else np.pi]),
            "words": np.array([f"{reach:.3g}"]),
            "align": np.array(["right" if left else "left"]),
            "shift": np.array([-11.0 if left else 11.0]),
        }
    return drawn


def pinned(result):
    """Where both statistics of a result that is kept lie on the axis; nothing for None."""
    tests = {} if result is None else {"plain": result.plain, "monk": result.monk}
    return {
        name: np.clip([result.reach(tests[name])] if tests else np.zeros(0), *REACH_RANGE) for name in ("plain", "monk")
    }


def place(index, count):
    """Where the middle of a row of the Gram matrix lies on the axes, which run from -1 to 1."""
    return (2 * np.asarray(index) + 1) / count - 1


def _titles(result):
    """The samples' names, beside their rows and below their columns."""
    shown = len(result.drawn) // 2
    reads = f"{result.n} reads" if shown == result.n else f"{shown} of {result.n} reads"
    return {
        "x": np.array([-1.09, -1.09, -0.5, 0.5]),
        "y": np.array([0.5, -0.5, -1.1, -1.1]),
        "words": np.array([f"{title} ({reads})" for title in result.titles] * 2),
        "angle": np.array([np.pi / 2] * 2 + [0.0] * 2),
    }


def _cell(result):
    """The pair that is shown and its mirror image, where they are drawn."""
    where = [np.flatnonzero(result.drawn == row) for row in result.pair]
    if not all(map(len, where)):
        return {"x": np.zeros(0), "y": np.zeros(0)}
    i, j = (float(place(at[0], len(result.drawn))) for at in where)
    return {"x": np.array([j, i]), "y": np.array([-i, -j])}


def _spoiled(result):
    """A cross beside every spoiled row, and below every spoiled column."""
    at = place(np.flatnonzero(result.spoiled), len(result.drawn))
    edge = np.full(len(at), 1.035)
    return {"x": np.concatenate([edge, at]), "y": np.concatenate([-at, -edge])}


def _profile(result):
    """The first sample's letters above the second's, a blank row between; Bokeh draws the last row on top."""
    first, second = result.profile.first, result.profile.second
    blank = np.full((GAP, first.shape[1]), np.nan)
    return np.vstack([second[::-1], blank, first[::-1]]).astype(np.float32)
