"""E|φ(X) - g|² above |μ - g|², over the parameter of estimates g: the same curves, a constant apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from explorer.languages import translate
from explorer.types import Vector

from .axes import Axis
from .mark import Grounds, Marks, Numbers, ReferenceLine, curve, rings, vertical_lines
from .picture import SecondaryPicture

TOP = 1.6  # of both panels, in losses of the plain average
LOWEST = (0.75, 0.5, 0.25, 0.0)  # where they may begin
UPPER = 1.2  # where the upper panel begins; the lower one goes from 0 to 1
WHAT = ("loss", "mean distance of a new point", "leave-one-out score", "least loss")
LEVELS = Axis("squared error", (-0.08, UPPER + 1.0), {})


class Objectives(SecondaryPicture):
    """Two panels of one scale, the axis broken between them; a subclass gives its axis `x`, and `lines`.

    Dotted in the upper one are leave-one-out scores. Hollow marks stand at the least loss of each estimator, in both
    panels. The source "line" is the subclass's.
    """

    name = "objective"
    upright = "line"
    title = "What leave-one-out estimates, above the loss"
    y: ClassVar[Axis] = LEVELS
    marks: ClassVar[Marks]
    lines: ClassVar[Sequence[tuple[str, str, str, str]]] = ()
    grounds: ClassVar[Grounds] = tuple(
        ReferenceLine("kme", y=bottom - 0.05, style={"width": 1, "alpha": 0.4}) for bottom in (0.0, UPPER)
    )

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        drawn = []
        for i, (name, role, dash, marker) in enumerate(cls.lines):
            loss, distance, score, least = (partial(cls._called, i=i, what=what) for what in WHAT)
            drawn += [
                curve("objective", role, y=f"{name}_lower", width=2.5, dash=dash, label=loss),
                curve("objective", role, y=f"{name}_upper", width=2.5, dash=dash, label=distance),
                curve("objective", role, y=f"{name}_score", width=1.5, dash="dotted", label=score),
                curve(f"{name}_least", role, width=1, alpha=0.6),
                rings(f"{name}_least", role, marker=marker, size=9, width=2, label=least),
            ]
        cls.marks = (*drawn, vertical_lines("line"))

    @staticmethod
    def names_of(result: Any) -> Sequence[str]:
        """What each estimator is called, in their order."""
        raise NotImplementedError

    @classmethod
    def _called(cls, result, i, what):
        return f"{cls.names_of(result)[i]}, {translate(what)}"

    @classmethod
    def numbers(cls, result: Any) -> Numbers:
        objective, low = result.objective, lowest(result, cls.lines)
        curves = {"x": np.clip(getattr(result, cls.lines[0][0]).lams[:-1], *cls.x.range)}
        marks_of = {}
        for name, *_ in cls.lines:
            path = getattr(result, name)
            score = objective.scores(path)[:-1] - (objective.gap if objective.gap is not None else objective.level - 1)
            curves[f"{name}_score"] = panel(score, low, UPPER)
            loss = np.full(len(curves["x"]), np.nan) if path.loss is None else path.loss[:-1]
            curves |= {f"{name}_lower": panel(loss, low, 0.0), f"{name}_upper": panel(loss, low, UPPER)}
            best = [] if path.loss is None else [int(np.argmin(loss))]
            best = [i for i in best if np.isfinite(curves[f"{name}_lower"][i])]  # it may lie beyond the panel
            marks_of[f"{name}_least"] = {
                "x": np.repeat(curves["x"][best], 2),
                "y": np.concatenate([curves[f"{name}_lower"][best], curves[f"{name}_upper"][best]]),
            }
        return {"objective": curves, **marks_of}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """The ticks of both panels, the upper ones with the constant."""
        low, gap = lowest(result, cls.lines), result.objective.gap
        least, most = (f"{low:g}", low), ("1", 1.0)
        places = {float(panel(np.array([at]), low, 0.0)[0]): word for word, at in (least, most)}
        level = gap if gap is not None else result.objective.level - 1
        for _, at in (least, most):
            places[float(panel(np.array([at]), low, UPPER)[0])] = f"{at + level:.3g}"

        def number_at(place: float) -> float:
            """The squared error that a place in either panel stands for."""
            bottom, constant = (UPPER, level) if place > UPPER - 0.1 else (0.0, 0.0)
            return low + (place - bottom) * (TOP - low) + constant

        return cls.title, cls.x, cls.y._replace(ticks=places, number_at=number_at)


def lowest(result: Any, lines: Sequence[tuple[str, str, str, str]]) -> float:
    """Where the panels begin: the first of some round numbers below every loss, or score where no loss is known."""
    least = min(float(np.nanmin(getattr(result, name).height)) for name, *_ in lines)
    return next((at for at in LOWEST if at < least), LOWEST[-1])


def panel(values: Vector, low: float, bottom: float) -> Vector:
    """The places of values from `low` to TOP in a panel that begins at `bottom`; nan beyond it."""
    places = (values - low) / (TOP - low)
    return np.where((places >= -0.05) & (places <= 1), places + bottom, np.nan)
