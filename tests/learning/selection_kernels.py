"""Kernels for all methods that choose a few points to represent many."""

import pytest

from explorer import Energy, Gaussian, Laplacian, Linear, Polynomial

KERNELS = {
    "gaussian": Gaussian(1.0),
    "laplacian": Laplacian(1.0),
    "energy": Energy(),
    "linear": Linear(1.0),
    "quadratic": Polynomial(2),
}
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
