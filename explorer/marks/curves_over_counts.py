"""Curves of several methods over a count, such as the number of components, with their names at the right ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Unpack

import numpy as np

from explorer.types import Vector, VectorLike

from .axes import Axis
from .mark import Mark, Shared, curve, segments, words
from .picture import SecondaryPicture, Sources

NEAREST = 0.13  # smallest distance of two curves' names, relative to the axis
HIGHEST = 0.95  # highest position of a name, relative to the axis: a higher one would be cut off
ROOM = 1.4  # length of the axis of counts relative to the curves, which leaves space for their names
LEADER = 0.08  # length of the stroke from a curve's end to its name, relative to the curves
PALE = 0.5  # opacity of that stroke, which is not part of the curve
MARKED = (1, 5, 10, 15, 20, 30, 40, 50)  # counts at which the axis has ticks


class Line(NamedTuple):
    """A curve of a picture.

    Parameters
    ----------
    called : str or callable
        Its name, or a function of the result that returns the name.
    role : str
        The role that gives its colour.
    dash : str, default "solid"
        Its dash.
    width : float, default 2.5
        Its width in px.

    Examples
    --------
    >>> from explorer.marks import Line
    >>> line = Line("KME", "kme", dash="dashed")
    >>> line.called, line.role, line.dash, line.width
    ('KME', 'kme', 'dashed', 2.5)
    """

    called: str | Callable[[Any], str]  # or a function of the result
    role: str
    dash: str = "solid"
    width: float = 2.5


@dataclass(frozen=True, eq=False)
class OverCounts(SecondaryPicture):
    """Curves of a stage over counts, with their names at the right ends.

    Parameters
    ----------
    over : str
        Label of the axis of counts.
    lines : mapping of str to Line
        The Line of each method.
    counts : callable
        Takes the stage's value and returns the counts, of shape (R,).
    heights : callable
        Takes the stage's value and a method and returns its curve, of shape (R,).
    ends : callable
        Takes the stage's value and returns the ends of the vertical axis.
    labels : callable
        Takes the ends of the vertical axis and returns its ticks.
    number_at : callable or None, default None
        The number that a height stands for, if the vertical axis has another scale.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.marks import Line, OverCounts
    >>> scores = OverCounts(
    ...     over="components",
    ...     lines={"plain": Line("KPCA", "kme"), "shrunk": Line("S-COSE", "skmse")},
    ...     counts=lambda value: np.arange(1.0, 4.0),
    ...     heights=lambda value, method: value[method],
    ...     ends=lambda value: (0.0, 1.0),
    ... )
    >>> sources = scores.compute(None, {"plain": np.array([0.9, 0.5, 0.4]), "shrunk": np.array([0.7, 0.4, 0.3])})
    >>> sources["plain"]["y"].tolist(), sources["name_shrunk"]["words"].tolist()
    ([0.9, 0.5, 0.4], ['S-COSE'])
    """

    table_is_complete: bool = False
    height: int = 230
    over: str = ""
    lines: Mapping[str, Line] = field(default_factory=dict)
    counts: Any = None
    heights: Any = None
    ends: Any = None
    labels: Any = None
    number_at: Callable[[float], float] | None = None

    def __post_init__(self) -> None:
        curves = [
            (curve(name, line.role, width=line.width, dash=line.dash, label=line.called), name, line)
            for name, line in self.lines.items()
        ]
        marks = tuple(m for c, name, line in curves for m in (c, *name_marks(name, line)))
        self._derive(marks=marks, x=Axis(self.over, (1.0, 20 * ROOM)))

    def compute(self, result: Any, *value: Any) -> Sources:
        (study,) = value
        (low, high), at = self.ends(study), self.counts(study)
        heights = {name: self.heights(study, name) for name in self.lines}
        levels = low + (high - low) * apart([(y[-1] - low) / (high - low) for y in heights.values()], NEAREST)
        beside = at[-1] + LEADER * (at[-1] - at[0])
        curves = {name: {"x": at, "y": values} for name, values in heights.items()}
        names = {
            f"name_{name}": named_end(line.called, (at[-1], heights[name][-1]), (beside, y))
            for (name, line), y in zip(self.lines.items(), levels, strict=True)
        }
        return {**curves, **names}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        (study,) = value
        (low, high), longest = self.ends(study), float(self.counts(study)[-1])
        counts = {float(k): str(k) for k in MARKED if k <= longest}
        x = Axis(self.over, (1.0, 1 + ROOM * max(longest - 1, 1.0)), counts)
        return x, Axis("", (low, high), self.labels(low, high), number_at=self.number_at)


def name_marks(name: Any, line: Line, **shared: Unpack[Shared]) -> tuple[Mark, Mark]:
    """Return the marks of a curve's name, whose source is `named_end`: a pale stroke in its dash, and text.

    Parameters
    ----------
    name : str
        Name of the curve.
    line : Line
        Its Line.
    **shared : Any
        See `Shared`.

    Returns
    -------
    tuple of Mark
        The marks.
    """
    source = f"name_{name}"
    return (
        segments(source, line.role, "end_x", "end_y", "x", "y", width=1.5, dash=line.dash, alpha=PALE, **shared),
        words(source, line.role, dx=4, **shared),
    )


def named_end(called: Any, end: tuple[float, float], at: tuple[float, float]) -> dict[str, Any]:
    """Return the source of a curve's name.

    Parameters
    ----------
    called : str
        The name.
    end : tuple of float
        The curve's right end.
    at : tuple of float
        The position of the name, further right.

    Returns
    -------
    dict of str to ndarray
        The columns.
    """
    places = {"end_x": end[0], "end_y": end[1], "x": at[0], "y": at[1]}
    return {**{name: np.array([float(each)]) for name, each in places.items()}, "words": np.array([called])}


def apart(places: VectorLike, least: float) -> Vector:
    """Move positions apart so that any two have a least distance, in their order.

    Parameters
    ----------
    places : array_like of shape (k,)
        Positions on an axis from 0 to 1.
    least : float
        The least distance.

    Returns
    -------
    ndarray of shape (k,)
        The positions.
    """
    places = np.asarray(places, dtype=float)
    order = np.argsort(places, kind="stable")
    room = least * np.arange(len(places))
    up = np.maximum.accumulate(places[order] - room) + room  # each at least this far above the one below it
    moved = np.empty(len(places))
    moved[order] = np.minimum(up, HIGHEST - room[::-1])
    return moved
