"""P-values on a log scale: their axis, the line of the level, and p by the value of a lab's slider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.types import Vector

from .axes import Axis
from .mark import Band, Grounds, Mark, ReferenceLine, SliderColumn, curve, dots, vertical_lines
from .nulls import LEVEL, level_words
from .picture import SecondaryPicture, Sources

P_RANGE = (5e-4, 1.6)
P = Axis("p (log scale)", P_RANGE, {0.001: "0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}, log=True)


def level_line(across: str, width: float = 1.5) -> ReferenceLine:
    """Return the dashed line of the tests' level.

    Parameters
    ----------
    across : {"x", "y"}
        The axis of p.
    width : float, default 1.5
        Width in px.

    Returns
    -------
    ReferenceLine
        The line.
    """
    at: dict[str, Any] = {across: LEVEL}
    return ReferenceLine("harm", **at, style={"width": width, "dash": "dashed"}, label=level_words)


def p_marks(source: str, label: str, *others: Mark, pinned: str) -> tuple[Mark, ...]:
    """Return the curve of p with a dot at each stop and a large one at the slider's value.

    Parameters
    ----------
    source : str
        Source of p.
    label : str
        Label of the curve.
    *others : Mark
        Curves of other tests, above that one.
    pinned : str
        Source of a pinned result's p.

    Returns
    -------
    tuple of Mark
        The marks of a `PBySlider`.
    """
    return (
        curve(pinned, "kme", width=6, alpha=0.3, pinned=True),
        curve(source, "kme", width=2, label=label),
        dots(source, "kme", size=5),
        *others,
        vertical_lines("here"),
        dots("here", "truth", size=11, follows_slider=True),
    )


def p_by_stop(result: Any) -> dict[str, Vector]:
    """Return p at every stop of the slider, or at its value alone until all are computed.

    Parameters
    ----------
    result : Result
        A result of a lab with a slider; `tests` has the test of each stop.

    Returns
    -------
    dict of str to ndarray
        Columns x and y.
    """
    x = result.stops if result.answers else [getattr(result.lab, result.lab.slider)]
    return {"x": np.array(x, float), "y": np.clip([test.pvalue for test in result.tests], *P_RANGE)}


@dataclass(frozen=True, eq=False)
class PBySlider(SecondaryPicture):
    """Curve of p by the value of the lab's slider, with the level; the result's `tests` has the test of each stop.

    Its marks are `p_marks`. The function below it computes their sources, apart from "here", the slider's p.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from explorer.marks.pvalues import PBySlider, p_by_stop, p_marks
    >>> @PBySlider(marks=p_marks("p", "p of the test", pinned="kept"))
    ... def by_width(result):
    ...     return {"p": p_by_stop(result)}
    >>> tests = [SimpleNamespace(pvalue=p) for p in (0.5, 0.01)]
    >>> lab = SimpleNamespace(picture="by_width", alpha=0.05)
    >>> result = SimpleNamespace(lab=lab, tests=tests, stops=[1.0, 2.0], answers=True)
    >>> by_width.compute(result)["here"]["y"].at(1).tolist(), by_width.is_visible(result)
    ([0.01], True)
    """

    slider_line: str = "here"
    y: Axis = P
    background: Grounds = (Band("harm", top=LEVEL), level_line("y"))

    def compute(self, result: Any, *value: Any) -> Sources:
        here = {name: SliderColumn.of(each) for name, each in p_by_stop(result).items()}
        return {**(super().compute(result, *value) or {}), "here": here}
