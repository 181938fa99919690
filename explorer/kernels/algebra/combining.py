"""Products of kernels that are one kernel again: Gaussians of any bandwidths are a Gaussian, Laplacians a Laplacian."""

from __future__ import annotations

import numpy as np

from explorer.kernels.ard import ARDGaussian
from explorer.kernels.gaussian import Gaussian
from explorer.kernels.laplacian import Laplacian

GAUSSIAN = (Gaussian, ARDGaussian)


def same_family(kernels):
    """Whether the product of the kernels is one of their family."""
    return any(all(isinstance(each, family) for each in kernels) for family in (GAUSSIAN, Laplacian))


def equivalent(kernels):
    """The one kernel that a product of a family is, bandwidths chosen."""
    if len(kernels) == 1:
        return kernels[0]
    if isinstance(kernels[0], Laplacian):
        return Laplacian(1 / sum(1 / each.bandwidth for each in kernels))
    if all(isinstance(each, Gaussian) for each in kernels):
        return Gaussian(combined([each.bandwidth for each in kernels]))
    return ARDGaussian(combined([_lengths(each) for each in kernels]))


def combined(lengths):
    """(Σ θ_i^-2)^(-1/2) of bandwidths, numbers or arrays; in units of the shortest, as θ^-2 alone may overflow."""
    lengths = np.broadcast_arrays(*lengths)
    shortest = np.min(lengths, axis=0)
    result = shortest / np.sqrt(sum(np.square(shortest / each) for each in lengths))
    return float(result) if result.ndim == 0 else result


def _lengths(kernel):
    return kernel.bandwidths if isinstance(kernel, ARDGaussian) else kernel.bandwidth


def length_squares(kernel):
    """θ^-2 of a kernel's length θ."""
    return kernel.length_scale**-2
