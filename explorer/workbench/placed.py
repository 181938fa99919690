"""Outliers of a paired sample: those that sliders plant, and those that a hand puts on the canvas, as words of a link.

The hand's are [[x, height], ...]: the first coordinate, and the height on the canvas, from 0 to 1 in Q's strip, from 1
to 2 in P's. The k-th replaces row k of its sample; planted ones replace the last rows, so the pairs that stay are
always the same.
"""

from __future__ import annotations

import json
import math

import numpy as np

from explorer.checks import Refusal

SIDES = ("both", "P", "Q")  # whose outliers are planted


def placed(text):
    """((x, height), ...) from the words; ValueError where they are none."""
    try:
        points = tuple((float(x), float(height)) for x, height in json.loads(text)) if text else ()
    except (TypeError, ValueError):
        points = ((math.nan, math.nan),)
    if not all(math.isfinite(x) and 0 <= height <= 2 for x, height in points):
        raise Refusal(
            "placed must be like [[12.5, 1.5], [-4, 0.5]], a first coordinate and a height from 0 to 1 for Q or to 2"
            f" for P, not {text[:60]!r}."
        )
    return points


def words(points):
    """The words of points ((x, height), ...), to six digits: a hand has no more."""
    return json.dumps([[float(f"{v:.6g}") for v in point] for point in points], separators=(",", ":")) if points else ""


def side(height):
    """Whose strip a height lies in."""
    return "P" if height >= 1 else "Q"


def with_outliers(X, Y, outliers, planted, distance, points):
    """Copies of X and Y (n, d) with their outliers.

    Planted ones lie at distance in X and at twice that in Y, or in one alone.
    """
    X, Y, first = X.copy(), Y.copy(), len(X) - outliers
    for row, (x, height) in enumerate(points):
        (X if side(height) == "P" else Y)[row, 0] = x
    if planted != "Q":
        X[first:, 0] = distance
    if planted != "P":
        Y[first:, 0] = second_factor(planted) * distance
    return X, Y


def second_factor(planted):
    """How many times the distance Y's planted outliers lie away."""
    return 2.0 if planted == "both" else 1.0


def contaminated(n, outliers, points):
    """Which of n pairs hold an outlier, (n,)."""
    rows = np.arange(n)
    return (rows < len(points)) | (rows >= n - outliers)
