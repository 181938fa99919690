"""Kernels between points many bandwidths apart: no value is subnormal, since processors are slow with such numbers."""

import numpy as np
import pytest

from explorer.kernels import ARDGaussian, Gaussian, Laplacian

TINY = np.finfo(float).tiny


@pytest.mark.parametrize("kernel", [Gaussian(0.05), Laplacian(0.002), ARDGaussian([0.05, 0.1])])
def test_far_points_have_no_value_that_is_not_normal(kernel):
    X = np.random.default_rng(0).normal(size=(400, 2))
    for K in (kernel(X), kernel(X, X[:50] + 0.1), kernel.of_pairs(kernel.pairs(X))):
        assert np.all((K == 0) | (K >= TINY))
        assert (K == 0).any()


def test_what_a_float_can_hold_is_as_it_was():
    t = np.linspace(0, 37, 200)[:, None]
    np.testing.assert_allclose(Gaussian(1.0)(t, np.zeros((1, 1))), np.exp(-0.5 * t**2), rtol=1e-12)
