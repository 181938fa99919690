"""Points moved or added by hand, as the text of a link.

Moved ones are {"row": [x, y]}, the first two coordinates of these rows; those put there are [[x, y], ...].
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.types import Labels, Matrix, Points

MOST = 1000  # points that a link moves or adds: nobody drags more
FAR = 1e15  # the largest coordinate: its powers in a polynomial kernel are numbers still


def read(text: str, empty: Any) -> Any:
    """What the JSON text of a field holds, `empty` where it is empty; ValueError where it is no JSON."""
    try:
        return json.loads(text) if text else empty
    except RecursionError:
        raise ValueError("the text nests too deep") from None


def number_pair(place: Sequence[float]) -> tuple[float, float]:
    """(x, y) of a list of two finite numbers; ValueError where it is none: texts and truth values are no numbers."""
    if not isinstance(place, (list, tuple)) or len(place) != 2:
        raise ValueError("not two numbers")
    x, y = map(finite, place)
    if max(abs(x), abs(y)) > FAR:
        raise ValueError("too far out")
    return x, y


def finite(value: float) -> float:
    """A finite number as a float; ValueError where it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("not a finite number")
    return float(value)


def places(text: str) -> dict[int, tuple[float, float]]:
    """row -> (x, y) from the text of moved points; Refusal where it is none."""
    try:
        kept = {_row(row): number_pair(place) for row, place in read(text, {}).items()}
    except (AttributeError, OverflowError, ValueError):
        raise Refusal(
            f'moved must be like {{"3": [0.5, -1]}}, rows from 0 and two coordinates up to {FAR:g}, not {text[:60]!r}.'
        ) from None
    _refuse_many(kept, "moved")
    return kept


def _row(word):
    """The row that a text names; ValueError where it names none: digits of other scripts are no number here."""
    if not (word.isascii() and word.isdecimal()):
        raise ValueError("not a row")
    return int(word)


def _refuse_many(points, name):
    if len(points) > MOST:
        raise Refusal(f"{name} has {len(points)} points, and a page takes at most {MOST:,} by hand; give fewer.")


def moved_to(text: str, row: int, x: float, y: float) -> str:
    """The text with one row moved to (x, y), to six digits: a pointer has no more."""
    return _text(places(text) | {int(row): (float(f"{x:.6g}"), float(f"{y:.6g}"))})


def all_moved(points: Points) -> str:
    """The text with every row of points (n, d) where it is, to twelve digits; of a line at height 0."""
    places = np.column_stack([points, np.zeros(len(points))])[:, :2]
    return _text({row: tuple(float(f"{v:.12g}") for v in place) for row, place in enumerate(places.tolist())})


def _text(kept):
    return json.dumps({str(row): list(place) for row, place in sorted(kept.items())}, separators=(",", ":"))


def apply(X: Points, text: str) -> Matrix:
    """A copy of the sample X (n, d) with the moved rows where they were put; rows that X does not have wait."""
    if not text:
        return X
    X = X.copy()
    for row, place in places(text).items():
        if row < len(X):
            X[row, :2] = place[: X.shape[1]]
    return X


def placed(
    text: str,
    heights: tuple[float, float] = (-math.inf, math.inf),
    like: str = "[[0.5, -1], [2, 0.3]], pairs of numbers",
) -> tuple[tuple[float, float], ...]:
    """((x, y), ...) from the text of added points, y within heights; Refusal where it is none."""
    try:
        points = tuple(map(number_pair, read(text, ())))
        good = all(heights[0] <= y <= heights[1] for _, y in points)
    except (OverflowError, TypeError, ValueError):
        points, good = (), False
    if not good:
        raise Refusal(f"placed must be like {like}, each up to {FAR:g}, not {text[:60]!r}.")
    _refuse_many(points, "placed")
    return points


def words(points: Sequence[Sequence[float]]) -> str:
    """The text of points ((x, y), ...), to six digits: a pointer has no more."""
    return json.dumps([[float(f"{v:.6g}") for v in point] for point in points], separators=(",", ":")) if points else ""


def check_selected(selected: int, points: Sequence[tuple[float, float]], called: str) -> None:
    """Refuse to select a point that is not there."""
    if selected > len(points):
        raise Refusal(
            f"selected is {echo(selected)}, and {len(points)} {called} were added by hand; select one of them, or 0."
        )


def _numbers(value):
    """A number, or a list of them, of lists of them and so on; ValueError where anything else is among them."""
    return [_numbers(each) for each in value] if isinstance(value, list) else finite(value)


def numbers_of(text: str, name: str, like: str, *sides: tuple[int, int], whole_up_to: int | None = None) -> Labels:
    """An array of numbers of at least 0, not all 0, from the text of a field; each side (least, most) long.

    Whole numbers where they have a largest. Refusal where there is none: `like` shows what is expected.
    """
    try:
        values = np.array(_numbers(read(text, ())), dtype=float)
    except (OverflowError, TypeError, ValueError):
        values = np.zeros(0)
    good = values.ndim == len(sides) and all(a <= n <= b for n, (a, b) in zip(values.shape, sides, strict=False))
    with np.errstate(over="ignore"):  # a sum beyond the floats is refused too: nothing can be divided by it
        good = good and (values >= 0).all() and 0 < values.sum() < math.inf
    if good and whole_up_to is not None:
        good = (values == np.floor(values)).all() and values.max() <= whole_up_to
    if not good:
        long = " and ".join(f"{a} to {b}" for a, b in dict.fromkeys(sides))
        raise Refusal(f"{name} must be like {like}, {long} along each side, not {text[:60]!r}.")
    return values if whole_up_to is None else values.astype(int)
