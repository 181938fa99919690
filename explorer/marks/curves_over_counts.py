"""Curves of several methods over a count, such as that of components, their names at the curves' right ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from explorer.types import Vector, VectorLike

from .axes import Axis
from .mark import Marks, Numbers, curve, words
from .picture import SecondaryPicture

NEAREST = 0.13  # of an axis: how far the names of two curves are apart
HIGHEST = 0.95  # of an axis: a word above it would be cut
ROOM = 1.32  # how much longer the axis of counts is than the curves, for their names
MARKED = (1, 5, 10, 15, 20, 30, 40, 50)  # counts that the axis has words for


class Line(NamedTuple):
    """A curve of a picture: what it is called at its end, the role whose colour it has, its dash, and its width.

    >>> from explorer.marks import Line
    >>> line = Line("KME", "kme", dash="dashed")
    >>> line.called, line.role, line.dash, line.width
    ('KME', 'kme', 'dashed', 2.5)
    """

    called: str | Callable[[Any], str]  # or by the result
    role: str
    dash: str = "solid"
    width: float = 2.5


class OverCounts(SecondaryPicture):
    """A stage's curves over counts; `lines` maps a method to its Line.

    A subclass gives `counts(value)`, (R,) of the stage's value, `heights(value, method)`, (R,), `ends(value)`, from
    where to where the other axis goes, and `labels(low, high)`, its ticks with their words.

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
        """Where the curves are drawn, (R,)."""
        raise NotImplementedError

    @staticmethod
    def heights(value: Any, method: str, /) -> Vector:
        """What is drawn of a method, (R,)."""
        raise NotImplementedError

    @staticmethod
    def ends(value: Any) -> tuple[float, float]:
        """From where to where the axis of heights goes."""
        raise NotImplementedError

    @staticmethod
    def labels(low: float, high: float) -> dict[float, str]:
        """Its ticks, place -> word."""
        raise NotImplementedError

    # what a height stands for, where its axis has a scale of its own
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
    """Places on an axis from 0 to 1 (k,), moved so far that any two are `least` apart, in the order that they had."""
    places = np.asarray(places, dtype=float)
    order = np.argsort(places, kind="stable")
    room = least * np.arange(len(places))
    up = np.maximum.accumulate(places[order] - room) + room  # each at least so far above the one below it
    moved = np.empty(len(places))
    moved[order] = np.minimum(up, HIGHEST - room[::-1])
    return moved
