"""The cells of the Density lab's pictures, and those of the most even density."""

from __future__ import annotations

import numpy as np

from explorer.types import Matrix, Points
from explorer.workbench.plane_lab import plane_of

ACROSS, UP = 90, 41  # cells of a plane
CELLS = {1: 240, 2: 30}  # along each axis of the most even density's grid
MARGIN = {1: 1.0, 2: 0.5}  # of the sample's range on each side of it


def grid_of(X: Points) -> Matrix:
    """Evenly spaced centres of cells about points X (n, d), (g, d), row by row from below.

    A column without a range has one of its own, as cells of no width hold no density.
    """
    d, low, high = X.shape[1], X.min(axis=0), X.max(axis=0)
    width = np.where(high > low, high - low, float((high - low).max()) or 1.0)
    ends = zip(low - MARGIN[d] * width, high + MARGIN[d] * width, strict=True)
    first, *others = (np.linspace(a, b, CELLS[d]) for a, b in ends)
    return plane_of((first, others[0])) if others else first[:, None]
