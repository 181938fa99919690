"""Several functions of one coordinate in one picture, with a text on each next to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from .axes import Axis, nice_ticks
from .mark import curve, segments, words
from .picture import SecondaryPicture, Sources

# margins around the middle function, relative to its height, and to the width for the text
BELOW, ABOVE, BESIDE = 0.25, 0.5, 0.6
SIGN = 0.1  # length of a sample of each line before its text, relative to the functions
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


@dataclass(frozen=True, eq=False)
class FunctionsPicture(SecondaryPicture):
    """Functions in the colours of their lines, with a sample of each line and a text on it.

    Parameters
    ----------
    lines : mapping
        Name -> Line.
    over, of : str
        Labels of the axes.
    functions : callable
        Takes the result and returns the Functions, or None while the picture is hidden.
    along : callable or None, default None
        Takes the result and the ends of the functions and returns other fields of the axis x, such as its ticks.
    """

    table_is_complete: bool = False  # the browser has no table for numbers in a text
    height: int = 280
    lines: Mapping[str, Any] = field(default_factory=dict)
    over: str = ""
    of: str = ""
    functions: Any = None
    along: Callable[..., Mapping[str, Any]] | None = None

    def __post_init__(self) -> None:
        marks = tuple(
            mark
            for name, line in self.lines.items()
            for mark in (
                curve("functions", line.role, "x", name, width=line.width, dash=line.dash, label=line.called, key=""),
                segments(f"said_{name}", line.role, "sign", "y", "x", "y", width=line.width, dash=line.dash),
                words(f"said_{name}", line.role, dx=6),
            )
        )
        self._derive(marks=marks, x=Axis(self.over, (-1, 1)), y=Axis(self.of, (-1, 1)))

    def compute(self, result: Any, *value: Any) -> Sources:
        if (drawn := self.functions(result)) is None:
            return None
        (left, right), (low, high) = drawn.ends
        beside = {}
        for place, name in enumerate(self.lines):
            height = high - (FIRST + NEXT * place) * (high - low)
            beside[f"said_{name}"] = {
                "sign": right,
                "x": right + SIGN * (right - left),
                "y": height,
                "words": drawn.words[name],
            }
        columns = {source: {k: np.array([v]) for k, v in each.items()} for source, each in beside.items()}
        return {"functions": {"x": drawn.at, **{name: drawn.values[name] for name in self.lines}}, **columns}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        if (drawn := self.functions(result)) is None:
            return self.x, self.y
        (left, right), ends = drawn.ends
        x = Axis(self.over, (left, right + BESIDE * (right - left)), nice_ticks(left, right))
        return x._replace(**(self.along(result, left, right) if self.along else {})), Axis(self.of, ends)
