"""Points that carry noise under mixtures of kernels: their means over pairs are the same mixture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels.gaussian import Gaussian
from explorer.types import Points, Vector, VectorLike, Weights

from .gaussian import GaussianPairs
from .pairs import Drops, StationaryPairs
from .sums import DistanceSums

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


class SummedPairs(StationaryPairs):
    """Sample with noise under a kernel Σ_t a_t k_t, from `parts`, the sample under each of q stationary kernels k_t."""

    def __init__(
        self, kernel: Kernel, X: Points, parts: Sequence[StationaryPairs], weights: Sequence[float] | Vector
    ) -> None:
        super().__init__(kernel, X)
        self.parts: Sequence[StationaryPairs] = parts
        self.weights: Sequence[float] | Vector = weights
        self.smallest: float = max(part.smallest for part in parts)

    def isotropic(self, variances: Sequence[float] | Vector) -> Drops:
        each = [part.isotropic(variances) for part in self.parts]
        return Drops(*(sum((a * np.asarray(drop) for a, drop in zip(self.weights, drops, strict=True)), np.zeros(()))
                       for drops in zip(*each, strict=True)))  # fmt: skip

    def noisy(self, v: Vector) -> tuple[float, float]:
        return self._mixed([part.noisy(v) for part in self.parts])

    def derivatives(self, v: Vector) -> tuple[float, float, Vector, Vector]:
        return self._mixed([part.derivatives(v) for part in self.parts])

    def _mixed(self, each: Any) -> Any:
        """Compute Σ_t a_t times the tuple of kernel k_t, entry by entry: an entry is a number or an array."""
        mixed = (
            sum(a * value for a, value in zip(self.weights, values, strict=True)) for values in zip(*each, strict=True)
        )
        return tuple(mixed)


class MixturePairs(SummedPairs):
    """Sample with noise under a mixture of Gaussian kernels of bandwidths θ √s, s (q,) with weights (q,) of sum one."""

    squares: Any

    def __init__(self, kernel: Any, X: Points, s: Vector, weights: Weights) -> None:
        low, high = Gaussian.fields["bandwidth"].bounds
        widths = np.clip(kernel.bandwidth * np.sqrt(s), low, high)
        parts = [GaussianPairs(Gaussian(float(theta)), X) for theta in widths]
        for part in parts[1:]:  # squared differences do not depend on the bandwidth
            part._order, part._cached_squares = parts[0]._order, parts[0]._cached_squares
        super().__init__(kernel, X, parts, weights)
        self.squares = widths**2

    @cached_property
    def _sums(self):
        return DistanceSums(self.X)

    def isotropic(self, variances: Sequence[float] | Vector) -> Drops:
        """Compute the `Drops` of noise with one variance v in all coordinates, (m,), for all bandwidths at once."""
        v = np.asarray(variances, dtype=float)
        v = np.concatenate([v, 2 * v])
        same = -np.expm1(-0.5 * self.d * np.log1p(np.divide.outer(v, self.squares)))
        total = self._sums((0.5 / np.add.outer(v, self.squares)).ravel()).reshape(same.shape) / self._sums.count
        L, Q = np.split((same + (1 - same) * total) @ self.weights, 2)
        return Drops(L, Q, (same @ self.weights)[len(L) :])


class ScaledPairs(StationaryPairs):
    """Sample with noise under a kernel of x_l / θ_l, one length θ_l for each coordinate, from the scaled sample.

    `scaled` has the points x_l / θ_l, and takes a variance v_l of the noise as v_l / θ_l².
    """

    lengths: Vector
    scaled: GaussianPairs

    def __init__(self, kernel: Any, X: Points, lengths: Vector, scaled: GaussianPairs) -> None:
        super().__init__(kernel, X)
        self.lengths, self.scaled = lengths, scaled

    def drops(self, variances: VectorLike) -> Drops:
        return self.scaled.drops(np.asarray(variances, dtype=float) / self.lengths**2)

    def noisy(self, v: Vector) -> tuple[float, float]:
        return self.scaled.noisy(v / self.lengths**2)

    def derivatives(self, v: Vector) -> tuple[float, float, Vector, Vector]:
        drop, same, d_drop, d_same = self.scaled.derivatives(v / self.lengths**2)
        return drop, same, d_drop / self.lengths**2, d_same / self.lengths**2
