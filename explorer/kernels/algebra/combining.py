"""Products of kernels that are one kernel again: Gaussians of any bandwidths are a Gaussian, Laplacians a Laplacian."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels.ard import ARDGaussian
from explorer.kernels.gaussian import Gaussian
from explorer.kernels.laplacian import Laplacian
from explorer.types import Vector

if TYPE_CHECKING:
    from explorer.kernels.base import Kernel


GAUSSIAN = (Gaussian, ARDGaussian)


def same_family(kernels: Sequence[Kernel]) -> bool:
    """Return whether the product of the kernels is a kernel of their family."""
    return any(all(isinstance(each, family) for each in kernels) for family in (GAUSSIAN, Laplacian))


def equivalent(kernels: Sequence[Kernel]) -> Kernel:
    """Return the single kernel that equals a product of a family, bandwidths chosen."""
    if len(kernels) == 1:
        return kernels[0]
    if isinstance(kernels[0], Laplacian):
        return Laplacian(1 / sum(1 / _lengths(each) for each in kernels))
    lengths = combine_lengths([_lengths(each) for each in kernels])
    return Gaussian(lengths) if isinstance(lengths, float) else ARDGaussian(lengths)


def combine_lengths(lengths: Sequence[float | Vector]) -> Any:
    """Compute (Σ θ_i^-2)^(-1/2) of bandwidths, numbers or arrays.

    The unit is the shortest bandwidth, as θ^-2 alone may overflow.
    """
    lengths = np.broadcast_arrays(*lengths)
    shortest = np.min(lengths, axis=0)
    result = shortest / np.sqrt(sum(np.square(shortest / each) for each in lengths))
    return float(result) if result.ndim == 0 else result


def _lengths(kernel: Any) -> Any:
    return kernel.thetas() if isinstance(kernel, ARDGaussian) else kernel.theta()
