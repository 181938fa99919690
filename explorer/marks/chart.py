"""Charts: pictures of given numbers, whose axes cover them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from .axes import Axis, nice_ticks
from .mark import Mark, Numbers, by
from .picture import Picture, Sides
from .table import FROM, TO

TICKS = 6  # largest number of ticks along an axis
ROOM = 0.04  # share of an axis that stays free at either end
FIELDS = ("image", "mesh")  # kinds of marks that fill their axes
BESIDE = (-0.7, 0.7)  # space before the first and after the last of the names along an axis


@dataclass(frozen=True, eq=False)
class Chart(Picture):
    """A picture of given numbers. An axis without a range covers them, and in HoloViews also what is drawn over them.

    A column of text is positions along an axis of names.

    Parameters
    ----------
    given : mapping
        Source -> column -> array.
    size : tuple of int or None, default None
        Width and height in px in HoloViews; None for that of all plots.
    frame : tuple of int or None, default None
        Width and height in px of what is inside the axes in HoloViews.
    is_true_to_scale : bool, default False
        Whether a unit has the same length along both axes of the frame.
    names_angle : int, default 0
        Angle of the names along x in HoloViews, in degrees.
    legend_below : bool, default False
        Whether HoloViews draws the legend below the frame, and not at its side.

    Examples
    --------
    >>> from explorer.marks import Axis, Chart, Columns, bars, chart
    >>> counts = Columns(x=["A", "B"], y=[3, 5])
    >>> votes = chart("Votes", Axis("party"), Axis("votes"), [bars(counts, "kme")])
    >>> isinstance(votes, Chart)
    True
    >>> votes.axes(None)[1].ticks, [float(each) for each in votes.data(None)["0"]["x"]]
    ({0: 'A', 1: 'B'}, [0.0, 1.0])
    """

    name: str = "plot"
    title: str = ""
    given: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    size: tuple[int, int] | None = None
    frame: tuple[int, int] | None = None
    is_true_to_scale: bool = False
    names_angle: int = 0
    legend_below: bool = False

    def compute(self, result: Any, *value: Any) -> Numbers:
        return self.with_names(lambda names: [float(i) for i in range(len(names))])

    def fit(self, result: Any, *value: Any) -> Sides:
        return self._covering(self.x, "x"), self._covering(self.y, "y")

    def with_names(self, replace: Callable[[list[str]], Sequence[Any]]) -> Numbers:
        """Return the columns, with other names along the axes.

        Parameters
        ----------
        replace : callable
            Takes the names along an axis and returns as many others, or their positions.

        Returns
        -------
        dict
            Source -> column -> array.
        """
        numbers: Numbers = {source: dict(columns) for source, columns in self.given.items()}
        for place in "xy":
            names = self.names(place)
            others = dict(zip(names, replace(names), strict=True))
            for source, name in self._positions(place) if names else ():
                numbers[source][name] = np.array([others[word] for word in self.given[source][name]])
        return numbers

    def names(self, place: str) -> list[str]:
        """Return the names along an axis, in their order; none if numbers lie along it.

        Parameters
        ----------
        place : {"x", "y"}
            The axis.

        Returns
        -------
        list of str
            The names.
        """
        columns = [self.given[source][name] for source, name in self._positions(place)]
        if not columns or np.asarray(columns[0]).dtype.kind not in "OUS":
            return []
        return list(dict.fromkeys(word for column in columns for word in column))

    def _positions(self, place):
        """Return the (source, column) of positions along an axis."""
        given = [(mark.source, each) for mark in self.data_marks() for each in _along(mark, place)]
        return [(source, str(each)) for source, each in given if isinstance(each, by)]

    def _covering(self, axis, place):
        """Return an axis with the range of the numbers along it, if it has none."""
        if not np.isnan(axis.range).any():
            return axis
        if names := self.names(place):
            ends = BESIDE[0], len(names) - 1 + BESIDE[1]
            return axis._replace(range=ends, ticks=dict(enumerate(names)), lines=False)
        low, high = self._reach(place, axis.log)
        if not any(mark.kind in FIELDS for mark in self.data_marks()):
            if axis.log:
                room = (high / low) ** ROOM
                low, high = low / room, high * room
            else:
                room = ROOM * (high - low or 1.0)
                low, high = low - room, high + room
        return axis._replace(range=(low, high), ticks=None if axis.log else nice_ticks(low, high, TICKS))

    def _reach(self, place, log):
        """Return the least and the largest position along an axis."""
        found = [np.zeros(0)]
        for mark in self.data_marks():
            columns = self.given[mark.source]
            if mark.kind == "image":
                ground, size = self.given[mark.style["ground"]], {"x": "dw", "y": "dh"}[place]
                start, length = (np.asarray(ground[name], dtype=float) for name in (place, size))
                found += [start, start + length]
            for each in _along(mark, place):
                found.append(np.ravel(np.asarray(columns[each] if isinstance(each, by) else each, dtype=float)))
        every = np.concatenate(found)
        every = every[np.isfinite(every) & ((every > 0) | (not log))]
        return (float(every.min()), float(every.max())) if every.size else (0.1 if log else 0.0, 1.0)


def _along(mark: Mark, place: str) -> list[Any]:
    """Return the channels of a mark that are positions along the axis x or y."""
    if mark.kind == "image":
        return []
    if mark.kind == "mesh":
        return [mark.channels[name] for name in (("left", "right") if place == "x" else ("bottom", "top"))]
    others = [0.0] if (mark.kind, place) == ("bar", "y") else []
    return [each for name, each in mark.channels.items() if (FROM | TO).get(name) == place] + others


class Columns(str):
    """A source with its columns, for the marks of a `chart`, which names it.

    Parameters
    ----------
    **arrays : array_like
        The columns.

    Examples
    --------
    >>> from explorer.marks import Axis, Columns, chart, curve, dots
    >>> losses = Columns(x=[1.0, 2.0, 4.0], y=[0.5, 0.3, 0.2])
    >>> picture = chart("Losses", Axis("n"), Axis("loss"), [curve(losses, "skmse"), dots(losses, "skmse")])
    >>> picture.given
    {'0': {'x': [1.0, 2.0, 4.0], 'y': [0.5, 0.3, 0.2]}}
    """

    arrays: Mapping[str, Any]

    def __new__(cls, **arrays: Any) -> Self:
        made = super().__new__(cls, "columns")
        made.arrays = arrays
        return made


def chart(title: str, x: Axis, y: Axis, marks: Sequence[Mark], **options: Any) -> Chart:
    """Return a picture of given numbers.

    Parameters
    ----------
    title : str
        The title.
    x, y : Axis
        The axes. One without a range covers the numbers along it.
    marks : sequence of Mark
        The marks of `Columns`, the lowest first.
    **options : Any
        Other options of a `Chart`.

    Returns
    -------
    Chart
        The picture; it needs no result.

    Examples
    --------
    >>> from explorer.marks import Axis, Columns, chart, curve
    >>> from explorer.svg import draw_standalone
    >>> losses = Columns(x=[1.0, 2.0, 4.0], y=[0.5, 0.3, 0.2])
    >>> picture = chart("Losses", Axis("n", log=True), Axis("loss"), [curve(losses, "skmse")])
    >>> [round(end, 2) for end in picture.axes(None)[1].range]
    [0.95, 4.23]
    >>> draw_standalone(picture, None).startswith("<svg")
    True
    """
    named: dict[int, str] = {}
    sources: dict[str, Mapping[str, Any]] = {}

    def name_of(columns):
        name = named.setdefault(id(columns), str(len(named)))
        sources[name] = columns.arrays
        return name

    renamed = []
    for mark in marks:
        style = {**mark.style, "ground": name_of(mark.style["ground"])} if mark.kind == "image" else mark.style
        renamed.append(replace(mark, source=name_of(mark.source), style=style))
    return Chart(title=title, x=x, y=y, marks=tuple(renamed), given=sources, **options)
