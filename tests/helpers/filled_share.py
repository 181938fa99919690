"""Shares of a picture's axes that its marks fill."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from explorer.marks import Polyline, ReferenceLine, TextLabel
from explorer.marks.mark import Mark, by
from explorer.marks.table import ALONE, FROM, TO

SIZES = {"x": ("width", "across", "dw"), "y": ("height", "up", "dh")}  # channels of cells, ellipses and shades
CHARACTER = 7 / 460  # width of a text's character, as a share of a picture's width
STOPS = 9  # number of the slider's stops at which a picture is looked at


def _numbers(data, source, each):
    """Return the numbers of a channel as a flat array."""
    values = data.get(source, {}).get(str(each), ()) if isinstance(each, by) else each
    return np.ravel(np.asarray(values, dtype=float))


def _positions(mark, place, data) -> Iterator[np.ndarray]:
    """Yield the positions of a mark along an axis, the ends of its shapes among them."""

    def numbers(name):
        return _numbers(data, mark.source, mark.channels[name])

    if mark.kind == "image":
        if mark.style["table"]:  # the other images are functions of the whole plane, whatever the frame
            ground = data.get(mark.style["ground"], {})
            start, length = (np.asarray(ground.get(name, ()), dtype=float) for name in (place, SIZES[place][2]))
            yield from (start, start + length)
    elif mark.kind == "shades":
        yield from (numbers(place), numbers(place) + numbers(SIZES[place][2]))
    elif mark.kind == "cell":
        half = numbers(SIZES[place][0]) / 2
        yield from (numbers(place) - half, numbers(place) + half)
    elif mark.kind == "ellipse":
        cos, sin = np.cos(numbers("angle")), np.sin(numbers("angle"))
        first, second = (cos, sin) if place == "x" else (sin, cos)
        half = np.hypot(numbers("across") * first, numbers("up") * second) / 2
        yield from (numbers(place) - half, numbers(place) + half)
    elif mark.kind == "circle":
        yield from (numbers(place) - numbers("radius"), numbers(place) + numbers("radius"))
    elif mark.kind == "words":
        yield numbers(place)
    else:
        axes = FROM | TO | ALONE.get(mark.kind, {})
        yield from (numbers(name) for name in mark.channels if axes.get(name) == place)
        if (mark.kind, place) in (("bar", "y"), ("bar across", "x"), ("box", "y")):
            yield np.zeros(1)


def _texts(mark, data, axis) -> Iterator[np.ndarray]:
    """Yield where the texts of a mark end, as shares of the axis x."""
    columns = data.get(mark.source, {})
    words = columns.get(str(mark.channels.get("text", "")), [""])
    at = axis.share(_numbers(data, mark.source, mark.channels["x"]))
    if not len(at):
        return
    align = mark.style["align"]
    for word, start in zip(words, np.resize(at, len(words)), strict=True):
        yield start + len(str(word)) * CHARACTER * np.array({"left": [0, 1], "right": [-1, 0]}.get(align, [-0.5, 0.5]))


def filled_share(picture, result, place):
    """Return the share of an axis between the least and the largest position drawn, or None if nothing is drawn.

    The marks at some of the slider's stops are drawn together, because the frame is the same for all.
    """
    axis = picture.axes(result)[1 + "xy".index(place)]
    now, found = picture.data(result), []
    every, table = [now], picture.table(result)
    for row in np.unique(np.linspace(0, max(map(len, table.values()), default=1) - 1, STOPS).astype(int)):
        data = {source: dict(columns) for source, columns in now.items()}
        for (source, name), rows in table.items():
            data[source][name] = rows[min(row, len(rows) - 1)]
        every.append(data)
    for mark in picture.marks:
        if isinstance(mark, TextLabel):
            found.append(np.array([getattr(mark, place)], dtype=float))
        elif isinstance(mark, Polyline):
            found.append(np.asarray(getattr(mark, place), dtype=float))
        elif isinstance(mark, Mark) and not mark.pinned:
            found += chain.from_iterable(_positions(mark, place, data) for data in every)
    for each in picture.background:
        if isinstance(each, ReferenceLine) and (at := getattr(each, place)) is not None:
            found.append(np.atleast_1d(np.asarray(at(result) if callable(at) else at, dtype=float)))
    shares = axis.share(np.concatenate([np.zeros(0), *found]))
    if place == "x":
        texts = [each for each in picture.data_marks() if each.kind == "words" and not each.pinned]
        written = [each for mark in texts for each in _texts(mark, now, axis)]
        shares = np.concatenate([shares, np.clip(np.concatenate([np.zeros(0), *written]), 0, 1)])
    shares = np.sort(shares[(shares >= 0) & (shares <= 1)])
    return float(shares[-1] - shares[0]) if len(shares) else None
