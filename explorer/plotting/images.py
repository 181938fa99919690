"""Functions of the plane, and Gram matrices, as images with a colour bar."""

from __future__ import annotations

import numpy as np

from explorer.marks import Axis, Columns, Mark, field_of
from explorer.types import Matrix, Values


def image(x: Values, y: Values, values: Matrix, axis: Axis, label: str = "", table: bool = False) -> Mark:
    """Return the mark of a function's values (g, f) at places y (g,) and x (f,).

    Parameters
    ----------
    x, y : ndarray
        Places at equal distances.
    values : ndarray of shape (g, f)
        The values. 0 has the colour of the background.
    axis : Axis
        The name of the values.
    label : str, default ""
        The label in the legend.
    table : bool, default False
        Whether there is nothing between the places.

    Returns
    -------
    mark : Mark
        The mark.
    """
    low, top = float(values.min()), float(np.abs(values).max()) or 1.0
    bar = axis._replace(range=(-top if low < 0 else 0.0, top))
    role = "" if low < 0 or table else "first"
    (left, wide), (bottom, high) = (_edges(places) for places in (x, y))
    ground = Columns(x=np.array([left]), y=np.array([bottom]), dw=np.array([wide]), dh=np.array([high]))
    cells = Columns(w=values.ravel())
    return field_of(cells, ground, len(values), role, table=table, bar=bar, label=label, hover={})


def _edges(places):
    """Return the lower edge of the first cell of places at equal distances, and the length of all cells."""
    step = (places[-1] - places[0]) / (len(places) - 1) if len(places) > 1 else 1.0
    return places[0] - step / 2, step * len(places)
