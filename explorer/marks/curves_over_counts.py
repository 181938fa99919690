"""Curves of several methods over a count, such as the number of components, with their names at the right ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from explorer.types import Vector, VectorLike

from .axes import Axis
from .mark import Marks, Numbers, curve, words
from .old_form import SecondaryPicture

NEAREST = 0.13  # smallest distance of two curves' names, relative to the axis
HIGHEST = 0.95  # highest position of a name, relative to the axis: a higher one would be cut off
ROOM = 1.32  # length of the axis of counts relative to the curves, which leaves space for their names
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


class OverCounts(SecondaryPicture):
    """Curves of a stage over counts; `lines` maps a method to its Line.

    A subclass has `counts(value)`, of shape (R,), for the stage's value, `heights(value, method)`, of shape (R,),
    `ends(value)`, the ends of the vertical axis, and `labels(low, high)`, its ticks.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.marks import Line, OverCounts
    >>> class Scores(OverCounts):
    ...     over, lines = "components", {"plain": Line("KPCA", "kme"), "shrunk": Line("S-COSE", "skmse")}
    ...     counts = staticmethod(lambda value: np.arange(1.0, 4.0))
    ...     heights = staticmethod(lambda value, method: value[method])
    ...     ends = staticmethod(lambda value: (0.0, 1.0))
    >>> numbers = Scores.numbers(None, {"plain": np.array([0.9, 0.5, 0.4]), "shrunk": np.array([0.7, 0.4, 0.3])})
    >>> numbers["plain"]["y"].tolist(), numbers["name_shrunk"]["words"].tolist()
    ([0.9, 0.5, 0.4], ['S-COSE'])
    """

    answers = False
    height = 230
    over = ""
    lines: ClassVar[Mapping[str, Line]] = {}
    marks: ClassVar[Marks]
    x: ClassVar[Axis]
    y: ClassVar[Axis]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        each = cls.lines.items()
        curves = [
            (curve(name, line.role, width=line.width, dash=line.dash, label=line.called), name, line)
            for name, line in each
        ]
        cls.marks = tuple(m for c, name, line in curves for m in (c, words(f"name_{name}", line.role, dx=6)))
        cls.x, cls.y = Axis(cls.over, (1.0, 20 * ROOM)), Axis("", (0.0, 1.0))

    @staticmethod
    def counts(value: Any, /) -> Vector:
        """Return the counts at which curves are drawn.

        Parameters
        ----------
        value : Any
            The stage's value.

        Returns
        -------
        ndarray of shape (R,)
            The counts.
        """
        raise NotImplementedError

    @staticmethod
    def heights(value: Any, method: str, /) -> Vector:
        """Return the curve of a method.

        Parameters
        ----------
        value : Any
            The stage's value.
        method : str
            The method.

        Returns
        -------
        ndarray of shape (R,)
            The heights.
        """
        raise NotImplementedError

    @staticmethod
    def ends(value: Any) -> tuple[float, float]:
        """Return the ends of the vertical axis.

        Parameters
        ----------
        value : Any
            The stage's value.

        Returns
        -------
        low, high : float
            The ends.
        """
        raise NotImplementedError

    @staticmethod
    def labels(low: float, high: float) -> dict[float, str]:
        """Return the ticks of the vertical axis.

        Parameters
        ----------
        low, high : float
            Its ends.

        Returns
        -------
        dict of float to str
            Position -> text.
        """
        raise NotImplementedError

    # the number that a height stands for, if its axis has another scale
    number_at: ClassVar[Callable[[float], float] | None] = None

    @classmethod
    def numbers(cls, result: Any, value: Any) -> Numbers:
        (low, high), at = cls.ends(value), cls.counts(value)
        heights = {name: cls.heights(value, name) for name in cls.lines}
        levels = low + (high - low) * apart([(y[-1] - low) / (high - low) for y in heights.values()], NEAREST)
        curves = {name: {"x": at, "y": values} for name, values in heights.items()}
        names = {
            f"name_{name}": {"x": at[-1:], "y": np.array([y]), "words": np.array([line.called])}
            for (name, line), y in zip(cls.lines.items(), levels, strict=True)
        }
        return {**curves, **names}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        value = getattr(result, cls.stage)
        if value is None:
            return cls.title, cls.x, cls.y
        (low, high), longest = cls.ends(value), float(cls.counts(value)[-1])
        counts = {float(k): str(k) for k in MARKED if k <= longest}
        x = Axis(cls.over, (1.0, 1 + ROOM * max(longest - 1, 1.0)), counts)
        return cls.title, x, Axis("", (low, high), cls.labels(low, high), number_at=cls.number_at)


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
