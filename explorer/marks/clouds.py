"""Axes of a sample that fills its frame: each axis spans the sample's range along it."""

from __future__ import annotations

from typing import Any

from .axes import Axis

AXIS = Axis("", (0.0, 1.0))


def sides_of_box(result: Any) -> tuple[Axis, Axis]:
    """Return the axes of a sample's first two coordinates, from corner to corner of the result's `box`.

    `quantities` are the columns along the axes. The two axes have different scales, so shapes are drawn as outlines,
    or as ellipses that are not rotated.

    Parameters
    ----------
    result : Result
        The result.

    Returns
    -------
    tuple of Axis
        The axes.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> import numpy as np
    >>> from explorer.datasets.columns.quantity import Quantity
    >>> from explorer.marks.clouds import sides_of_box
    >>> box = np.array([[150.0, 40.0], [200.0, 100.0]])
    >>> x, y = sides_of_box(SimpleNamespace(box=box, quantities=[Quantity("height", "cm"), Quantity("weight", "kg")]))
    >>> x.full_label, x.range, y.tick_positions
    ('height (cm)', (150.0, 200.0), None)
    """
    (left, bottom), (right, top) = result.box
    across, *up = result.quantities
    x = AXIS.along(across, float(left), float(right))
    if up:
        return x, AXIS.along(up[0], float(bottom), float(top))
    return x, AXIS._replace(label="(one coordinate only)", range=(float(bottom), float(top)), ticks={})
