"""A target and the points that represent it, under increments of the kernel if these keep more digits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.embeddings import Embedding
from explorer.linalg import ROUNDING
from explorer.types import Points, Vector

if TYPE_CHECKING:
    from explorer.kernels import Kernel
    from explorer.kernels.increments import Increments


BLOCK = 2**22  # the most entries of a Gram matrix at a time: 32 MB


class Relative:
    """Inner products that distances between a target and weightings of `points` of the same mass need.

    If the target's mass is one, as that of a distribution on the points is, the difference of the two has mass zero.
    Then k may be replaced by its increments from an origin among the points (`Kernel.contrast`): far from zero, or if k
    is nearly a constant, k itself loses the digits that distinguish points.

    Attributes
    ----------
    values : ndarray of shape (g,)
        <μ, k(x_i, .)> at the points.
    square : float
        |μ|².
    diagonal : ndarray of shape (g,)
        k(x_i, x_i).
    """

    points: Points
    values: Vector
    square: float
    diagonal: Vector
    kernel: Kernel | Increments

    def __init__(self, target: Embedding, points: Points) -> None:
        self.points, kernel = points, target.kernel
        weights = target.weights
        whole = abs(math.fsum(weights) - 1) <= len(weights) * ROUNDING * np.abs(weights).sum()
        self.kernel = kernel.contrast(points) if whole else kernel
        if self.kernel is kernel:
            self.values, self.square = target(points), target.norm() ** 2
            self.diagonal = kernel.diagonal(points)
        else:
            self.values = self._values(target, points, None)
            self.square = float(sum(b.weights @ self._values(target, b.points, b.covariance) for b in target.blocks))
            self.diagonal = self.kernel.expected_diagonal(points, None)

    def column(self, i: int) -> Vector:
        """Return k(x_j, x_i) for all points x_j, (g,)."""
        return self.kernel.expected(self.points, None, self.points[i : i + 1], None)[:, 0]

    def _values(self, target, points, covariance):
        """Return <μ, E k(x_i + u, .)> under the increments, (g,), u ~ N(0, covariance)."""
        total = np.zeros(len(points))
        for b in target.blocks:
            rows = max(1, BLOCK // len(b.points))
            for i in range(0, len(points), rows):
                part = slice(i, i + rows)
                total[part] += self.kernel.expected(points[part], covariance, b.points, b.covariance) @ b.weights
        return total
