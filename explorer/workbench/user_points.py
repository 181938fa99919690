"""Points moved or added by the user, as the text of a link.

Moved points are {"row": [x, y]}, the first two coordinates of these rows. Added points are [[x, y], ...].
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.types import Labels, Matrix, Points

MOST = 1000  # largest number of points that a link may move or add, more than anyone drags
FAR = 1e15  # largest coordinate: its powers in a polynomial kernel are still finite


def read(text: str, empty: Any) -> Any:
    """Parse the JSON text of a field.

    Parameters
    ----------
    text : str
        The text.
    empty : Any
        Returned if the text is empty.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    ValueError
        If the text is not JSON or nests too deeply.
    """
    try:
        return json.loads(text) if text else empty
    except RecursionError:
        raise ValueError("the text nests too deep") from None


def number_pair(place: Sequence[float]) -> tuple[float, float]:
    """Return (x, y) from a list of two finite numbers; strings and booleans are not numbers.

    Parameters
    ----------
    place : sequence
        The list.

    Returns
    -------
    x, y : float
        The numbers.

    Raises
    ------
    ValueError
        If it is anything else, or a number is beyond FAR.
    """
    if not isinstance(place, (list, tuple)) or len(place) != 2:
        raise ValueError("not two numbers")
    x, y = map(finite, place)
    if max(abs(x), abs(y)) > FAR:
        raise ValueError("too far out")
    return x, y


def finite(value: float) -> float:
    """Return a finite number as a float.

    Parameters
    ----------
    value : Any
        The number.

    Returns
    -------
    float
        The number.

    Raises
    ------
    ValueError
        If it is not a finite number.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("not a finite number")
    return float(value)


def moved_points(text: str) -> dict[int, tuple[float, float]]:
    """Parse the text of moved points.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    dict of int to tuple of float
        Row -> (x, y).

    Raises
    ------
    Refusal
        If the text is invalid, or has too many points.
    """
    try:
        kept = {_row(row): number_pair(place) for row, place in read(text, {}).items()}
    except (AttributeError, OverflowError, ValueError):
        raise Refusal(
            'moved must be like {{"3": [0.5, -1]}}, rows from 0 and two coordinates up to {:g}, not {!r}.',
            FAR,
            text[:60],
        ) from None
    _refuse_many(kept, "moved")
    return kept


def _row(word):
    """Return the row that a text names, or raise ValueError; digits of other scripts are not accepted."""
    if not (word.isascii() and word.isdecimal()):
        raise ValueError("not a row")
    return int(word)


def _refuse_many(points, name):
    """Raise a Refusal if there are too many points."""
    if len(points) > MOST:
        raise Refusal("{} has {} points, and a page takes at most {:,} by hand; give fewer.", name, len(points), MOST)


def moved_to(text: str, row: int, x: float, y: float) -> str:
    """Return the text with one more moved row, to six digits, which is a pointer's precision.

    Parameters
    ----------
    text : str
        The text of moved points.
    row : int
        The row.
    x, y : float
        Its new position.

    Returns
    -------
    str
        The text.
    """
    return _text(moved_points(text) | {int(row): (float(f"{x:.6g}"), float(f"{y:.6g}"))})


def all_moved(points: Points) -> str:
    """Return the text that moves every row to its present position, to twelve digits.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        The points; those of a line are at height 0.

    Returns
    -------
    str
        The text.
    """
    places = np.column_stack([points, np.zeros(len(points))])[:, :2]
    return _text({row: tuple(float(f"{v:.12g}") for v in place) for row, place in enumerate(places.tolist())})


def _text(kept):
    """Return the text of moved points."""
    return json.dumps({str(row): list(place) for row, place in sorted(kept.items())}, separators=(",", ":"))


def apply(X: Points, text: str) -> Matrix:
    """Return a copy of a sample with the moved rows at their new positions.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The sample.
    text : str
        The text of moved points. Rows beyond n are ignored.

    Returns
    -------
    ndarray of shape (n, d)
        The sample.
    """
    if not text:
        return X
    X = X.copy()
    for row, place in moved_points(text).items():
        if row < len(X):
            X[row, :2] = place[: X.shape[1]]
    return X


def placed(
    text: str,
    heights: tuple[float, float] = (-math.inf, math.inf),
    like: str = "[[0.5, -1], [2, 0.3]], pairs of numbers",
) -> tuple[tuple[float, float], ...]:
    """Parse the text of added points.

    Parameters
    ----------
    text : str
        The text.
    heights : tuple of float
        Bounds of y.
    like : str
        What is expected, for the message.

    Returns
    -------
    tuple of tuple of float
        ((x, y), ...).

    Raises
    ------
    Refusal
        If the text is invalid, or has too many points.
    """
    try:
        points = tuple(map(number_pair, read(text, ())))
        good = all(heights[0] <= y <= heights[1] for _, y in points)
    except (OverflowError, TypeError, ValueError):
        points, good = (), False
    if not good:
        raise Refusal("placed must be like {}, each up to {:g}, not {!r}.", like, FAR, text[:60])
    _refuse_many(points, "placed")
    return points


def words(points: Sequence[Sequence[float]]) -> str:
    """Return the text of added points, to six digits, which is a pointer's precision.

    Parameters
    ----------
    points : sequence
        ((x, y), ...).

    Returns
    -------
    str
        Empty if there are none.
    """
    return json.dumps([[float(f"{v:.6g}") for v in point] for point in points], separators=(",", ":")) if points else ""


def rows_of(
    text: str, name: str, like: str, widths: Sequence[int], accepts: Callable[[Any], bool] = bool
) -> tuple[tuple[float, ...], ...]:
    """Parse rows of numbers of one length from the text of a field.

    Parameters
    ----------
    text : str
        The text; empty for no rows.
    name : str
        Name of the field in the message.
    like : str
        What is expected, for the message.
    widths : sequence of int
        The lengths that are accepted.
    accepts : callable
        Takes one or more rows, and returns whether they are valid otherwise.

    Returns
    -------
    tuple of tuple of float
        The rows.

    Raises
    ------
    Refusal
        If the text is anything else, or a number is beyond FAR.
    """
    try:
        rows = tuple(tuple(map(finite, row)) for row in read(text, ()))
        good = len({len(row) for row in rows}) <= 1 and all(len(row) in widths for row in rows)
        good = good and all(max(map(abs, row)) <= FAR for row in rows) and (not rows or accepts(rows))
    except (TypeError, ValueError, OverflowError):
        rows, good = (), False
    if not good:
        raise Refusal("{} must be like {}, numbers up to {:g}; it is {!r}.", name, like, FAR, text[:60])
    return rows


def check_selected(selected: int, points: Sequence[tuple[float, float]], called: str) -> None:
    """Raise a Refusal if the selected point does not exist.

    Parameters
    ----------
    selected : int
        Number of the point, from 1; 0 for none.
    points : sequence
        The added points.
    called : str
        Their name in the message.

    Raises
    ------
    Refusal
        If there are fewer points.
    """
    if selected > len(points):
        raise Refusal(
            "selected is {}, and {} {} were added by hand; select one of them, or 0.",
            echo(selected),
            len(points),
            called,
        )


def _numbers(value):
    """Return a number, or nested lists of numbers, or raise ValueError if anything else is among them."""
    return [_numbers(each) for each in value] if isinstance(value, list) else finite(value)


def numbers_of(text: str, name: str, like: str, *sides: tuple[int, int], whole_up_to: int | None = None) -> Labels:
    """Parse an array of numbers of at least 0, not all 0, from the text of a field.

    Parameters
    ----------
    text : str
        The text.
    name : str
        Name of the field in the message.
    like : str
        What is expected, for the message.
    *sides : tuple of int
        Least and largest length of each dimension.
    whole_up_to : int or None, default None
        The largest number; the numbers are then whole.

    Returns
    -------
    ndarray
        The numbers.

    Raises
    ------
    Refusal
        If the text is anything else.
    """
    try:
        values = np.array(_numbers(read(text, ())), dtype=float)
    except (OverflowError, TypeError, ValueError):
        values = np.zeros(0)
    good = values.ndim == len(sides) and all(a <= n <= b for n, (a, b) in zip(values.shape, sides, strict=False))
    with np.errstate(over="ignore"):  # a sum that overflows is refused too, because nothing can be divided by it
        good = good and (values >= 0).all() and 0 < values.sum() < math.inf
    if good and whole_up_to is not None:
        good = (values == np.floor(values)).all() and values.max() <= whole_up_to
    if not good:
        long = " and ".join(f"{a} to {b}" for a, b in dict.fromkeys(sides))
        raise Refusal("{} must be like {}, {} along each side, not {!r}.", name, like, long, text[:60])
    return values if whole_up_to is None else values.astype(int)
