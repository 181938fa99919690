"""Points that a hand has moved or put into a picture, as words of a link.

Moved ones are {"row": [x, y]}, the first two coordinates of these rows; those put there are [[x, y], ...].
"""

from __future__ import annotations

import json
import math

import numpy as np

from explorer.checks import Refusal


def places(text):
    """row -> (x, y) from the words of moved points; Refusal where they are none."""
    try:
        found = json.loads(text) if text else {}
        kept = {int(row): tuple(map(float, place)) for row, place in found.items()}
    except (AttributeError, OverflowError, TypeError, ValueError):
        kept = None
    if kept is None or not all(row >= 0 and len(p) == 2 and all(map(math.isfinite, p)) for row, p in kept.items()):
        raise Refusal(
            f'moved must be like {{"3": [0.5, -1]}}, rows from 0 and their first two coordinates, not {text[:60]!r}.'
        )
    return kept


def moved_to(text, row, x, y):
    """The words with one row moved to (x, y), to six digits: a hand has no more."""
    kept = places(text) | {int(row): (float(f"{x:.6g}"), float(f"{y:.6g}"))}
    return json.dumps({str(row): list(place) for row, place in sorted(kept.items())}, separators=(",", ":"))


def apply(X, text):
    """A copy of the sample X (n, d) with the moved rows where they were put; rows that X does not have wait."""
    if not text:
        return X
    X = X.copy()
    for row, place in places(text).items():
        if row < len(X):
            X[row, :2] = place[: X.shape[1]]
    return X


def placed(text, heights=(-math.inf, math.inf), like="[[0.5, -1], [2, 0.3]], pairs of numbers"):
    """((x, y), ...) from the words of points that were put there, y within heights; Refusal where they are none."""
    try:
        points = tuple((float(x), float(y)) for x, y in json.loads(text)) if text else ()
    except (OverflowError, TypeError, ValueError):
        points = ((math.nan, math.nan),)
    if not all(math.isfinite(x) and math.isfinite(y) and heights[0] <= y <= heights[1] for x, y in points):
        raise Refusal(f"placed must be like {like}, not {text[:60]!r}.")
    return points


def words(points):
    """The words of points ((x, y), ...), to six digits: a hand has no more."""
    return json.dumps([[float(f"{v:.6g}") for v in point] for point in points], separators=(",", ":")) if points else ""


def check_selected(selected, points, called):
    """Refuse to select a point that is not there."""
    if selected > len(points):
        raise Refusal(f"selected is {selected}, and {len(points)} {called} were put by hand; take one of them, or 0.")


def numbers_of(text, name, like, *sides, whole_up_to=None):
    """An array of numbers of at least 0, not all 0, from the words of a field; each side (least, most) long.

    Whole numbers where they have a largest. Refusal where they are none: `like` says what they should be.
    """
    try:
        values = np.array(json.loads(text), dtype=float)
    except (OverflowError, TypeError, ValueError, RecursionError):
        values = np.zeros(0)
    good = values.ndim == len(sides) and all(a <= n <= b for n, (a, b) in zip(values.shape, sides, strict=False))
    good = good and np.isfinite(values).all() and (values >= 0).all() and values.sum() > 0
    if good and whole_up_to is not None:
        good = (values == np.floor(values)).all() and values.max() <= whole_up_to
    if not good:
        long = " and ".join(f"{a} to {b}" for a, b in dict.fromkeys(sides))
        raise Refusal(f"{name} must be like {like}, {long} along each side, not {text[:60]!r}.")
    return values if whole_up_to is None else values.astype(int)
