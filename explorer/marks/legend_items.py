"""Values that the labelled marks of a picture show for a result.

The legend, the text description and the table of numbers all use this one extraction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.languages import translate

from .mark import Mark, Numbers, TextLabel, by

if TYPE_CHECKING:
    from .picture import Picture

FIELDS = ("image", "shades")  # kinds of marks whose values are a column without positions, row by row from below


class LegendItem(NamedTuple):
    """Contents of a mark under one label.

    Attributes
    ----------
    called : str
        The label.
    role : str
        The role that gives its colour.
    mark : Mark
        The mark.
    at : dict of str to ndarray
        Values by channel of all rows that have a position.
    """

    called: str
    role: str
    mark: Any
    at: dict[str, np.ndarray]

    @property
    def count(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride], a tuple's own method counts a value
        """Number of rows."""
        return max(map(len, self.at.values()))


def legend_items(picture: Picture, result: Any, data: Numbers) -> Iterator[LegendItem]:
    """Yield a LegendItem for each label of a picture's marks that show something."""
    for each in (*picture.marks, *picture.background):
        if getattr(each, "label", "") and not getattr(each, "pinned", False):
            yield from _of_mark(picture, result, data, each) if isinstance(each, Mark) else _of_ground(result, each)


def texts_in_picture(picture: Picture, result: Any, data: Numbers) -> list[tuple[str, str]]:
    """Return (role, text) of each text that a picture writes."""
    written = [(each.role, translate(each.text)) for each in picture.marks if isinstance(each, TextLabel)]
    for mark in picture.data_marks():
        if mark.kind == "words" and len((at := _channel_values(data, mark))["x"]):
            says, role = mark.style["says"], mark.role if isinstance(mark.role, str) else picture.role_of(result)
            written += [(role, str(each)) for each in (at["text"] if says is None else [words_of(says, result)])]
    return written


def role_labels(picture: Picture, result: Any, data: Numbers) -> dict[str, str]:
    """Return the text that a picture writes in a role's colour, by role, if it is the only one."""
    written = texts_in_picture(picture, result, data)
    roles = [role for role, _ in written]
    return {role: words for role, words in written if roles.count(role) == 1}


def words_of(called: str | Callable[..., Any], result: Any) -> str:
    """Return a label, or the label that a function of the result returns.

    Parameters
    ----------
    called : str or callable
        The label, or the function.
    result : Result
        The result.

    Returns
    -------
    str
        The translated label.
    """
    return translate((called(result) if callable(called) else called) or "")


def _of_ground(result, each):
    """Yield the LegendItem of a background, if it has a label."""
    if not (words := words_of(each.label, result)):
        return
    places = {name: getattr(each, name) for name in ("x", "y")}
    places = {name: at(result) if callable(at) else at for name, at in places.items() if at is not None}
    yield LegendItem(
        words, each.role, each, {name: np.atleast_1d(np.asarray(at, float)) for name, at in places.items()}
    )


def _of_mark(picture, result, data, mark):
    """Yield a LegendItem for each label of a mark."""
    role = mark.role
    if isinstance(role, tuple):
        role = picture.role_of(result)
        if role not in mark.role:
            return
    at = _channel_values(data, mark)
    if not isinstance(mark.label, tuple):
        called = words_of(mark.label, result)
        at = _visible_rows(at)
        if called and max(map(len, at.values()), default=0):
            yield LegendItem(called, role, mark, at)
        return
    for row, words in enumerate(mark.label):
        called = words_of(words, result)
        one = _visible_rows({name: values[row : row + 1] for name, values in at.items()})
        if called and max(map(len, one.values()), default=0):
            yield LegendItem(called, role, mark, one)


def _channel_values(data, mark):
    """Return channel -> values of all rows of a mark, with size and fill; a number that all rows share is repeated."""
    columns = data.get(mark.source, {})
    if mark.kind in FIELDS:
        return _cells(data, mark, columns)
    given = {**mark.channels, **{name: mark.style[name] for name in ("size", "fill") if name in mark.style}}
    read = {name: columns.get(str(each), ()) if isinstance(each, by) else each for name, each in given.items()}
    length = max((len(np.atleast_1d(each)) for name, each in read.items() if isinstance(given[name], by)), default=0)
    return {name: np.resize(np.asarray(each), length) if length else np.zeros(0) for name, each in read.items()}


def _cells(data, mark, columns):
    """Return the cells of an image: their middles and values."""
    if mark.kind == "shades":
        table = np.asarray(columns["image"][0], float) if len(columns.get("image", ())) else np.zeros((0, 0))
        ends = [mark.channels[name] for name in ("x", "y", "dw", "dh")]
        x, y, dw, dh = (float(columns[each][0]) if isinstance(each, by) else each for each in ends)
    else:
        ground, w = data.get(mark.style["ground"], {}), np.asarray(columns.get("w", ()), float)
        table = w.reshape(mark.style["lines"], -1) if len(w) and len(ground.get("x", ())) else np.zeros((0, 0))
        x, y, dw, dh = (ground[name][0] if table.size else 0.0 for name in ("x", "y", "dw", "dh"))
    up, across = np.indices(table.shape).reshape(2, -1) + 0.5
    high, wide = np.maximum(table.shape, 1)
    return {"x": x + dw * across / wide, "y": y + dh * up / high, "w": table.ravel()}


def _visible_rows(at):
    """Return the rows that have a position and a size."""
    keep = np.ones(max(map(len, at.values()), default=0), dtype=bool)
    for values in at.values():
        if values.dtype.kind == "f":
            keep &= np.isfinite(values)
    if "size" in at:
        keep &= at["size"] > 0
    return {name: each[keep] for name, each in at.items()}
