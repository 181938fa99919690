"""Grid cells of the density lab's pictures and of its maximum-entropy density."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Points
from explorer.workbench.plane_lab import plane_of

ACROSS, UP = 90, 41  # number of cells of the plane, across and up
CELLS = {1: 240, 2: 30}  # by dimension: number of cells along each axis of the maximum-entropy density's grid
MARGIN = {1: 1.0, 2: 0.5}  # by dimension: margin of the grid on each side, as a share of the sample's range


def grid_of(X: Points) -> Matrix:
    """Return evenly spaced centres of cells about points X (n, d), shape (g, d), row by row from the bottom.

    A constant column gets the range of the widest column, or 1, because cells without width hold no density.
    """
    d, low, high = X.shape[1], X.min(axis=0), X.max(axis=0)
    width = np.where(high > low, high - low, float((high - low).max()) or 1.0)
    ends = zip(low - MARGIN[d] * width, high + MARGIN[d] * width, strict=True)
    first, *others = (np.linspace(a, b, CELLS[d]) for a, b in ends)
    return plane_of((first, others[0])) if others else first[:, None]
