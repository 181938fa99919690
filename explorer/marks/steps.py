"""Numbers of several fits over their steps, and the slider's position on the current one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.types import Vector, VectorLike

from .axes import Axis, nice_ticks
from .geometry import nothing
from .mark import Marks, Numbers, SliderColumn, curve, dots, vertical_lines
from .old_form import SecondaryPicture

if TYPE_CHECKING:
    from .curves_over_counts import Line

LAST = 100  # the axis always extends to this step


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


class OverSteps(SecondaryPicture):
    """A number of each of the `lines`, name -> Line, over the steps of its fit.

    `of(found)` is the number at each stop, of the result or of one of its `known_courses`, and `span(every)` the ends
    of the axis for some of these.
    """

    upright = "line"
    lines: ClassVar[Mapping[str, Line]] = {}
    marks: ClassVar[Marks]
    height = 280
    legend = True
    x: ClassVar[Axis] = Axis(
        "steps of the fit (log scale)", (-ROOM, float(across(LAST)) + ROOM), STEP_TICKS, number_at=steps_at
    )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        each = cls.lines.items()
        curves = (curve(name, of.role, width=of.width, dash=of.dash, label=of.called) for name, of in each)
        cls.marks = (*curves, vertical_lines("line"), dots("dot", "truth", size=9, follows_slider=True))

    @staticmethod
    def of(found: Any) -> Vector:
        """Return the number at each stop.

        Parameters
        ----------
        found : Any
            The result, or one of its known courses.

        Returns
        -------
        ndarray of shape (r,)
            The numbers.
        """
        raise NotImplementedError

    @staticmethod
    def span(every: Sequence[Vector]) -> tuple[float, float]:
        """Return the ends of the axis.

        Parameters
        ----------
        every : sequence of ndarray
            The numbers of all curves.

        Returns
        -------
        low, high : float
            The ends.
        """
        raise NotImplementedError

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        known, x = result.known_courses, SliderColumn.of(across(result.steps))
        curves = {
            name: {"x": across(known[name].steps), "y": cls.of(known[name])} if name in known else nothing("x", "y")
            for name in cls.lines
        }
        return {**curves, "line": {"x": x}, "dot": {"x": x, "y": SliderColumn.of(cls.of(result))}}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        if not cls.is_visible(result):
            return cls.title, cls.x, cls.y
        low, high = cls.span([cls.of(result), *map(cls.of, result.known_courses.values())])
        first, last = cls.x.range
        x = cls.x._replace(range=(first, max(last, float(across(result.lab.reach)) + ROOM)))
        return cls.title, x, Axis("", (low, high), nice_ticks(low, high, 4))
