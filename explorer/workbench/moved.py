"""Points that a hand has moved, as words of a link: {"row": [x, y]}, the first two coordinates of these rows."""

from __future__ import annotations

import json
import math

from explorer.checks import Refusal


def places(text):
    """row -> (x, y) from the words; ValueError where they are none."""
    try:
        found = json.loads(text) if text else {}
        kept = {int(row): tuple(map(float, place)) for row, place in found.items()}
    except (AttributeError, TypeError, ValueError):
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
