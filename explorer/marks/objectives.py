"""E|φ(X) - g|² above |μ - g|², over the parameter of estimates g: the same curves, which differ by a constant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np

from explorer.languages import translate
from explorer.types import Vector

from .axes import Axis
from .mark import Grounds, Marks, Numbers, ReferenceLine, curve, rings, vertical_lines
from .old_form import SecondaryPicture

TOP = 1.6  # upper end of both panels, in losses of the plain average
LOWEST = (0.75, 0.5, 0.25, 0.0)  # candidates for their lower end
UPPER = 1.2  # position of the upper panel's lower end; the lower panel goes from 0 to 1
WHAT = ("loss", "mean distance of a new point", "leave-one-out score", "least loss")
LEVELS = Axis("squared error", (-0.08, UPPER + 1.0), {})


class Objectives(SecondaryPicture):
    """Two panels of one scale, the axis broken between them; a subclass has the axis `x`, `lines` and source "line".

    Leave-one-out scores are dotted in the upper panel. Hollow markers show the least loss of each estimator in both
    panels.
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
            loss, distance, score, least = (partial(cls._label, i=i, what=what) for what in WHAT)
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
        """Return the name of each estimator, in their order.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        sequence of str
            The names.
        """
        raise NotImplementedError

    @classmethod
    def _label(cls, result, i, what):
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
            # the least loss may lie beyond the panel
            best = [i for i in best if np.isfinite(curves[f"{name}_lower"][i])]
            marks_of[f"{name}_least"] = {
                "x": np.repeat(curves["x"][best], 2),
                "y": np.concatenate([curves[f"{name}_lower"][best], curves[f"{name}_upper"][best]]),
            }
        return {"objective": curves, **marks_of}

    @classmethod
    def axes(cls, result: Any) -> tuple[str, Axis, Axis]:
        """Return (title, x, y), with the ticks of both panels, the upper ones with the constant.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        tuple
            The title and both axes.
        """
        low, gap = lowest(result, cls.lines), result.objective.gap
        least, most = (f"{low:g}", low), ("1", 1.0)
        places = {float(panel(np.array([at]), low, 0.0)[0]): word for word, at in (least, most)}
        level = gap if gap is not None else result.objective.level - 1
        for _, at in (least, most):
            places[float(panel(np.array([at]), low, UPPER)[0])] = f"{at + level:.3g}"

        def number_at(place: float) -> float:
            """Return the squared error at a position in either panel."""
            bottom, constant = (UPPER, level) if place > UPPER - 0.1 else (0.0, 0.0)
            return low + (place - bottom) * (TOP - low) + constant

        return cls.title, cls.x, cls.y._replace(ticks=places, number_at=number_at)


def lowest(result: Any, lines: Sequence[tuple[str, str, str, str]]) -> float:
    """Return the lower end of the panels: the first round number below every loss, or score if no loss is known."""
    least = min(float(np.nanmin(getattr(result, name).height)) for name, *_ in lines)
    return next((at for at in LOWEST if at < least), LOWEST[-1])


def panel(values: Vector, low: float, bottom: float) -> Vector:
    """Return positions of values from `low` to TOP in a panel that begins at `bottom`; NaN beyond it."""
    places = (values - low) / (TOP - low)
    return np.where((places >= -0.05) & (places <= 1), places + bottom, np.nan)
