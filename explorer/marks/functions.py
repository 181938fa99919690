"""Several functions of one coordinate over each other, with what is said of each beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .axes import Axis, nice_ticks
from .geometry import nothing
from .mark import Marks, Numbers, curve, words
from .picture import SecondaryPicture

BELOW, ABOVE, BESIDE = 0.25, 0.5, 0.5  # room about the middle function, of its size; beside it stand the words
FIRST, NEXT = 0.1, 0.16  # of the picture's height: how far below its upper end they stand


class Functions(NamedTuple):
    """Functions at the places `at` (p,): name -> values (p,) and name -> words; the axes are made for `middle`."""

    at: np.ndarray
    values: dict[str, np.ndarray]
    words: dict[str, str]
    middle: str

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From where to where the axes go: (low, high) of the places and of the values."""
        values = self.values[self.middle]
        low, high = float(values.min()), float(values.max())
        height = max(high - low, 1e-9)
        return (float(self.at[0]), float(self.at[-1])), (low - BELOW * height, high + ABOVE * height)


class FunctionsPicture(SecondaryPicture):
    """Functions in the colours of their `lines`, name -> Line; `functions(result)` gives the Functions, None hidden."""

    answers = False  # the words have numbers, which no table for the browser has
    height = 280
    marks: ClassVar[Marks]
    x: ClassVar[Axis]
    y: ClassVar[Axis]
    over: ClassVar[str] = ""
    of: ClassVar[str] = ""
    lines: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.marks = tuple(
            mark
            for name, line in cls.lines.items()
            for mark in (
                curve("functions", line.role, "x", name, width=line.width, dash=line.dash, label=line.called),
                words(f"said_{name}", line.role, dx=6),
            )
        )
        cls.x, cls.y = Axis(cls.over, (-1, 1)), Axis(cls.of, (-1, 1))

    @classmethod
    def functions(cls, result: Any) -> Functions | None:
        """The Functions of a result, or None."""
        raise NotImplementedError

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        if (drawn := cls.functions(result)) is None:
            blank = {**nothing("x", "y"), "words": np.zeros(0, dtype=str)}
            return {"functions": nothing("x", *cls.lines), **{f"said_{name}": blank for name in cls.lines}}
        (_, right), (low, high) = drawn.ends
        beside = {}
        for place, name in enumerate(cls.lines):
            height = high - (FIRST + NEXT * place) * (high - low)
            beside[f"said_{name}"] = {"x": right, "y": height, "words": drawn.words[name]}
        columns = {source: {k: np.array([v]) for k, v in each.items()} for source, each in beside.items()}
        return {"functions": {"x": drawn.at, **{name: drawn.values[name] for name in cls.lines}}, **columns}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        if (drawn := cls.functions(result)) is None:
            return cls.title, cls.x, cls.y
        (left, right), ends = drawn.ends
        x = Axis(cls.over, (left, right + BESIDE * (right - left)), nice_ticks(left, right))
        return cls.title, x, Axis(cls.of, ends)
