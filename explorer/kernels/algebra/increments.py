"""Increments k_o(x, y) = k(x, y) - k(x, o) - k(o, y) + k(o, o) of sums and products, from those of their parts.

`explorer.kernels.increments` explains what they are for, and has those of single kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels.increments import Increments
from explorer.types import Matrix, Points, Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


class DifferenceIncrements(Increments):
    """Increments computed as k(x, y) - k(x, o) - k(o, y) + k(o, o): for a kernel that loses few digits by this."""

    @property
    def lost(self) -> float:
        return self.at_origin

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        k, o = self.kernel, self.origin
        left = k.expected(X, C, o, None)
        right = k.expected(o, None, Y, D)
        return k.expected(X, C, Y, D) - left - right + self.at_origin

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        k = self.kernel
        return k.expected_diagonal(X, C) - 2 * k.expected(X, C, self.origin, None)[:, 0] + self.at_origin


class SumIncrements(Increments):
    """Increments k_o of a sum of kernels Σ_i a_i k_i: Σ_i a_i times the increments of each k_i from o."""

    weights: Sequence[float]
    parts: Sequence[Increments]

    def __init__(self, kernel: Any, origin: Matrix, weights: Sequence[float], parts: Sequence[Increments]) -> None:
        super().__init__(kernel, origin)
        self.weights, self.parts = weights, parts

    @property
    def lost(self) -> float:
        return sum(a * part.lost for a, part in zip(self.weights, self.parts, strict=True))

    def _sum(self, values):
        with np.errstate(over="ignore", invalid="ignore"):
            return self.kernel.finite(sum(a * each for a, each in zip(self.weights, values, strict=True)))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        return self._sum(part.expected(X, C, Y, D) for part in self.parts)

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self._sum(part.expected_diagonal(X, C) for part in self.parts)

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        return self._sum(part.to_origin(X, C) for part in self.parts)


class ProductIncrements(Increments):
    """Increments k_o of a product k l: between points from those of k and l, under noise as `DifferenceIncrements`.

    Under noise the mean of a product is not the product of the means, so that the parts' increments do not suffice.

    With k = a + α_x + α_y + A and l = b + β_x + β_y + B, a = k(o, o), α_x = k(x, o) - a and A the increments of k,
    those of k l are aB + bA + α_x β_y + α_y β_x + A (β_x + β_y) + B (α_x + α_y) + AB.
    """

    first: Increments
    second: Increments

    def __init__(self, kernel: Any, origin: Matrix, first: Increments, second: Increments) -> None:
        super().__init__(kernel, origin)
        self.first, self.second = first, second

    @property
    def lost(self) -> float:
        return self.at_origin

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        if C is not None or D is not None:
            return DifferenceIncrements(self.kernel, self.origin).expected(X, C, Y, D)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.kernel.finite(self._between(X, Y, self._matrix))

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        if C is not None:
            return DifferenceIncrements(self.kernel, self.origin).expected_diagonal(X, C)
        with np.errstate(over="ignore", invalid="ignore"):
            return self.kernel.finite(self._between(X, X, self._row))

    @staticmethod
    def _matrix(part, X, Y):
        left = part.to_origin(X, None)
        return left[:, None], left if X is Y else part.to_origin(Y, None), part.expected(X, None, Y, None)

    @staticmethod
    def _row(part, X, Y):
        left = part.to_origin(X, None)
        return left, left, part.expected_diagonal(X, None)

    def _between(self, X, Y, values):
        (ax, ay, A), (bx, by, B) = values(self.first, X, Y), values(self.second, X, Y)
        a, b = self.first.at_origin, self.second.at_origin
        return a * B + b * A + ax * by + ay * bx + A * (bx + by) + B * (ax + ay) + A * B

    def to_origin(self, X: Points, C: Matrix | None) -> Vector:
        if C is not None:
            return self.kernel.expected(X, C, self.origin, None)[:, 0] - self.at_origin
        alpha, beta = self.first.to_origin(X, None), self.second.to_origin(X, None)
        a, b = self.first.at_origin, self.second.at_origin
        with np.errstate(over="ignore", invalid="ignore"):
            return self.kernel.finite(a * beta + b * alpha + alpha * beta)


def increments_of(kernels: Sequence[Kernel], points: Points, variance: float) -> list[Increments] | None:
    """Return the increments of all kernels from one origin, or None if no kernel's `contrast` asks for increments."""
    contrasts = [kernel.contrast(points, variance) for kernel in kernels]
    origin = next((each.origin for each in contrasts if isinstance(each, Increments)), None)
    if origin is None:
        return None
    return [
        each if isinstance(each, Increments) else DifferenceIncrements(kernel, origin)
        for each, kernel in zip(contrasts, kernels, strict=True)
    ]
