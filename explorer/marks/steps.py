"""Numbers of several fits over their steps, and the slider's position on the current one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.types import Vector, VectorLike

from .axes import Axis, nice_ticks
from .mark import SliderColumn, curve, dots, vertical_lines
from .picture import SecondaryPicture, Sources

if TYPE_CHECKING:
    from .curves_over_counts import Line

LEAST = 5  # the axis extends at least to this step


def across(steps: VectorLike) -> float | Vector:
    """Return positions of steps on an axis that is logarithmic except near its beginning, which is 0.

    Parameters
    ----------
    steps : array_like
        The steps.

    Returns
    -------
    float or ndarray
        The positions, log10(1 + steps).
    """
    return np.log10(1.0 + np.asarray(steps, dtype=float))


def steps_at(place: float) -> float:
    """Return the steps at a position of that axis.

    Parameters
    ----------
    place : float
        The position.

    Returns
    -------
    float
        The steps.
    """
    return 10.0**place - 1


STEP_TICKS = {float(across(k)): f"{k}" for k in (0, 1, 3, 10, 30, 100, 300, 1000)}
ROOM = 0.06  # margin on either side of the axis
STEPS_AXIS = Axis("steps of the fit (log scale)", (-ROOM, float(across(LEAST)) + ROOM), STEP_TICKS, number_at=steps_at)


@dataclass(frozen=True, eq=False)
class OverSteps(SecondaryPicture):
    """A number of each of several fits over its steps.

    Parameters
    ----------
    lines : mapping of str to Line
        The Line of each fit.
    of : callable
        Takes the result, or one of its `known_courses`, and returns the number at each stop, of shape (r,).
    span : callable
        Takes the numbers of all curves, the result's first, and returns the ends of their axis.
    """

    slider_line: str = "line"
    height: int = 280
    x: Axis = STEPS_AXIS
    lines: Mapping[str, Line] = field(default_factory=dict)
    of: Any = None
    span: Any = None

    def __post_init__(self) -> None:
        each = self.lines.items()
        curves = (curve(name, of.role, width=of.width, dash=of.dash, label=of.called) for name, of in each)
        self._derive(marks=(*curves, vertical_lines("line"), dots("dot", "truth", size=9, follows_slider=True)))

    def compute(self, result: Any, *value: Any) -> Sources:
        known, x = result.known_courses, SliderColumn.of(across(result.steps))
        curves = {
            name: {"x": across(known[name].steps), "y": self.of(known[name])} if name in known else None
            for name in self.lines
        }
        return {**curves, "line": {"x": x}, "dot": {"x": x, "y": SliderColumn.of(self.of(result))}}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        low, high = self.span([self.of(result), *map(self.of, result.known_courses.values())])
        first, last = self.x.range
        steps = max(float(each.steps[-1]) for each in (result, *result.known_courses.values()))
        x = self.x._replace(range=(first, max(last, float(across(steps)) + ROOM)))
        return x, Axis("", (low, high), nice_ticks(low, high, 4))
