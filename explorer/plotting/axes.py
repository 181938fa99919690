"""Axes of plots from what the user calls them: a text, a field of a model, or a HoloViews dimension."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from explorer.checks import Refusal, WrongType, echo
from explorer.marks import Axis


def axis_of(spec: Any, name: str, log: bool = False) -> Axis:
    """Return an axis from a label, a model's field with symbol and unit, or a dimension; None has its name as label.

    Parameters
    ----------
    spec : str, Parameter, holoviews.Dimension or None
        What the axis is called.
    name : str
        The dimension along it, if it is not a dimension already.
    log : bool, default False
        Whether it is logarithmic.

    Returns
    -------
    axis : Axis
        The axis, which covers the numbers along it.
    """
    holoviews = sys.modules.get("holoviews")
    if holoviews is not None and isinstance(spec, holoviews.Dimension):
        return Axis(spec.label, unit=spec.unit or "", name=spec, log=log)
    if spec is None or isinstance(spec, str):
        return Axis(spec or name, name=name, log=log)
    if hasattr(spec, "symbol"):
        return Axis(spec.symbol or spec.name, unit=spec.unit or "", name=name, log=log)
    raise WrongType(
        f"the label of an axis must be a text, a HoloViews Dimension or a field such as SKMSE.fields['lam'], not"
        f" {echo(spec)}."
    )


def coordinates(names: Sequence[Any] | None, d: int) -> list[Axis]:
    """Return the axes of points with d coordinates: their names, or x in one dimension and x1, x2, ..."""
    if names is None:
        names = ["x"] if d == 1 else [f"coordinate {j}" for j in range(1, d + 1)]
    if isinstance(names, str) or len(names) != d:
        raise Refusal(f"names must be a list of {d} names, one for each coordinate, not {echo(names)}.")
    return [axis_of(each, f"x{j}" if d > 1 else "x") for j, each in enumerate(names, 1)]
