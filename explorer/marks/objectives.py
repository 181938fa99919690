"""E|φ(X) - g|² above |μ - g|², over the parameter of estimates g: the same curves, which differ by a constant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from explorer.languages import translate
from explorer.types import Vector

from .axes import Axis
from .mark import Grounds, ReferenceLine, curve, rings, vertical_lines
from .picture import SecondaryPicture, Sources

TOP = 1.6  # upper end of both panels, in losses of the plain average
LOWEST = (0.75, 0.5, 0.25, 0.0)  # candidates for their lower end
UPPER = 1.2  # position of the upper panel's lower end; the lower panel goes from 0 to 1
WHAT = ("loss", "mean distance of a new point", "leave-one-out score", "least loss")
PANELS = tuple(ReferenceLine("kme", y=bottom - 0.05, style={"width": 1, "alpha": 0.4}) for bottom in (0.0, UPPER))
Lines: TypeAlias = Sequence[tuple[str, str, str, str]]
LEVELS = Axis("squared error", (-0.08, UPPER + 1.0), {})


@dataclass(frozen=True, eq=False)
class Objectives(SecondaryPicture):
    """Two panels of one scale, the axis broken between them; the function below it has the source "line".

    Leave-one-out scores are dotted in the upper panel. Hollow markers show the least loss of each estimator in both
    panels.

    Parameters
    ----------
    lines : sequence of tuple
        (the result's attribute, role, dash, marker) of each estimator.
    names : callable
        Takes the result and returns the name of each estimator.
    """

    slider_line: str = "line"
    title: str | Callable[[Any], str] = "What leave-one-out estimates, above the loss"
    y: Axis = LEVELS
    background: Grounds = PANELS
    lines: Lines = ()
    names: Any = None

    def __post_init__(self) -> None:
        drawn = []
        for i, (name, role, dash, marker) in enumerate(self.lines):
            named: Any = partial(_name_of, self.names, i)
            loss, distance, score, least = (partial(_label, self.names, i, what) for what in WHAT)
            drawn += [
                curve("objective", role, y=f"{name}_lower", width=2.5, dash=dash, label=loss, key=named),
                curve("objective", role, y=f"{name}_upper", width=2.5, dash=dash, label=distance, key=""),
                curve("objective", role, y=f"{name}_score", width=1.5, dash="dotted", label=score, key=WHAT[2]),
                curve(f"{name}_least", role, width=1, alpha=0.6),
                rings(f"{name}_least", role, marker=marker, size=9, width=2, label=least, key=WHAT[3]),
            ]
        self._derive(marks=(*drawn, vertical_lines("line")))

    def compute(self, result: Any, *value: Any) -> Sources:
        objective, low = result.objective, lowest(result, self.lines)
        curves = {"x": np.clip(getattr(result, self.lines[0][0]).lams[:-1], *self.x.range)}
        marks_of = {}
        for name, *_ in self.lines:
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
        return {"objective": curves, **marks_of, **(super().compute(result) or {})}

    def fit(self, result: Any, *value: Any) -> tuple[Axis, Axis]:
        """Return both axes, with the ticks of both panels, the upper ones with the constant.

        Parameters
        ----------
        result : Result
            The result.
        *value : Any
            Unused.

        Returns
        -------
        tuple
            The axes.
        """
        low, gap = lowest(result, self.lines), result.objective.gap
        least, most = (f"{low:g}", low), ("1", 1.0)
        places = {float(panel(np.array([at]), low, 0.0)[0]): word for word, at in (least, most)}
        level = gap if gap is not None else result.objective.level - 1
        for _, at in (least, most):
            places[float(panel(np.array([at]), low, UPPER)[0])] = f"{at + level:.3g}"

        def number_at(place: float) -> float:
            """Return the squared error at a position in either panel."""
            bottom, constant = (UPPER, level) if place > UPPER - 0.1 else (0.0, 0.0)
            return low + (place - bottom) * (TOP - low) + constant

        return self.x, self.y._replace(ticks=places, number_at=number_at)


def _name_of(names, i, result):
    """Return the name of an estimator."""
    return names(result)[i]


def _label(names, i, what, result):
    """Return the label of one of an estimator's marks."""
    return f"{names(result)[i]}, {translate(what)}"


def lowest(result: Any, lines: Lines) -> float:
    """Return the lower end of the panels: the first round number below every loss, or score if no loss is known."""
    least = min(float(np.nanmin(getattr(result, name).height)) for name, *_ in lines)
    return next((at for at in LOWEST if at < least), LOWEST[-1])


def panel(values: Vector, low: float, bottom: float) -> Vector:
    """Return positions of values from `low` to TOP in a panel that begins at `bottom`; NaN beyond it."""
    places = (values - low) / (TOP - low)
    return np.where((places >= -0.05) & (places <= 1), places + bottom, np.nan)
