"""Several functions of one coordinate in one picture, with a text on each next to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .axes import Axis, nice_ticks
from .geometry import nothing
from .mark import Marks, Numbers, curve, words
from .old_form import SecondaryPicture

# margins around the middle function, relative to its height, and to the width for the text
BELOW, ABOVE, BESIDE = 0.25, 0.5, 0.5
FIRST, NEXT = 0.1, 0.16  # distances of the texts from the picture's upper end, relative to its height


class Functions(NamedTuple):
    """Functions at the positions `at`; the axes fit the function `middle`.

    Attributes
    ----------
    at : ndarray of shape (p,)
        The positions.
    values : dict of str to ndarray of shape (p,)
        The functions by name.
    words : dict of str to str
        The text on each.
    middle : str
        Name of the function that sets the axes.
    """

    at: np.ndarray
    values: dict[str, np.ndarray]
    words: dict[str, str]
    middle: str

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Ends of the axes: (low, high) of the positions and of the values."""
        values = self.values[self.middle]
        low, high = float(values.min()), float(values.max())
        height = max(high - low, 1e-9)
        return (float(self.at[0]), float(self.at[-1])), (low - BELOW * height, high + ABOVE * height)


class FunctionsPicture(SecondaryPicture):
    """Functions in the colours of their `lines`, name -> Line; `functions(result)` returns the Functions, or None."""

    answers = False  # the browser has no table for numbers in a text
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
        """Return the functions of a result, or None while the picture is hidden.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        Functions or None
            The functions.
        """
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
