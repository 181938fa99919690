"""Properties that kernels state about themselves, and the table of named kernels."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn

from explorer import (
    ARDGaussian,
    Delta,
    Energy,
    Exponential,
    Gaussian,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Polynomial,
    Product,
)
from explorer.kernels import FOUR, KernelProduct, KernelSum, named_kernel
from explorer.kernels.noisy.pairs import StationaryPairs

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)


@every_kernel
def test_a_bandwidth_scales_with_the_points(row):
    k, X = drawn(row)
    wider = k.with_bandwidth(3.0)
    assert (wider == k) == (not k.has_bandwidth)
    if k.has_bandwidth:
        assert (wider.bandwidth, wider.length_scale) == (3.0, 3.0)
        # all except the inverse multiquadric are without a unit
        unit = 3.0 ** (2 * k.exponent) if isinstance(k, InverseMultiquadric) else 1.0
        np.testing.assert_allclose(wider(3 * X), unit * k.with_bandwidth(1.0)(X), rtol=1e-12)


@every_kernel
def test_a_length_scale_is_the_bandwidth_or_none(row):
    k = drawn(row)[0]
    if isinstance(k, (Product, KernelSum)):  # the shortest of its parts
        parts = [each.length_scale for _, each in (k.terms if isinstance(k, KernelSum) else k.factors)]
        assert k.length_scale == min((length for length in parts if length), default=None)
    elif not isinstance(k, (ARDGaussian, KernelProduct)):
        assert k.length_scale == (k.bandwidth if k.has_bandwidth else None)


def test_the_length_of_a_kernel_of_several():
    assert ARDGaussian([2.0, 0.5, 3.0]).length_scale == 0.5
    assert (Gaussian(2.0) + 3.0 * Laplacian(0.7) + Linear()).length_scale == 0.7
    assert (2.0 * Linear()).length_scale is (Linear() * Energy()).length_scale is None
    assert (Gaussian(3.0) * Gaussian(4.0) * Linear()).length_scale == pytest.approx(2.4, rel=1e-15)


@every_kernel
def test_a_degree_is_that_of_a_polynomial(row):
    """Differences of order p + 1 of t -> k(tx, ty) as a polynomial of t² <x, y> vanish, and those of order p do not."""
    k, X = drawn(row)
    if k.degree is None:
        return
    t = np.sqrt(np.arange(k.degree + 2))[:, None]
    values = np.array([k(each * X[:1], each * X[1:2])[0, 0] for each in t])
    size = np.abs(values).max()
    assert abs(np.diff(values, k.degree + 1)[0]) <= 1e-12 * size
    assert abs(np.diff(values, k.degree)[0]) > 1e-6 * size


@every_kernel
def test_a_stationary_kernel_knows_differences_alone(row):
    k, X = drawn(row)
    if not k.stationary:
        return
    np.testing.assert_allclose(k(X + 5.0), k(X), rtol=1e-12)
    top = k.diagonal(X)[0]
    np.testing.assert_array_equal(k.diagonal(X), np.full(len(X), top))
    C = 0.1 * np.eye(3)
    np.testing.assert_allclose(k.less_one(X, C, X, None), k.expected(X, C, X, None) - top, rtol=1e-9, atol=1e-12)
    assert isinstance(k.noisy_pairs(X), StationaryPairs)


@pytest.mark.parametrize("variance", [0.0, 0.4, 1e200])
def test_a_widened_kernel_is_the_expectation(variance):
    k, X = Gaussian(1.3), KERNELS["gaussian"].data(5)
    wider, factor = k.widened(variance, 3)
    expected = k.expected(X, variance * np.eye(3), X, None) if variance else k(X)
    np.testing.assert_allclose(factor * wider(X), expected, rtol=1e-12)
    assert Laplacian(1.0).widened(1.0, 3) is None


def test_differences_are_made_of_four_gram_matrices():
    k = Gaussian(1.3)
    X, Y = (KERNELS["gaussian"].data(6, seed) for seed in (0, 1))
    np.testing.assert_allclose(k.differences(X, Y), k(X) + k(Y) - k(X, Y) - k(X, Y).T, rtol=0, atol=1e-13)
    assert Energy().differences(X, Y) is None


def test_a_product_s_shortest_length_counts():
    assert Product({0: Gaussian(2.0), 1: Laplacian(0.5), 2: Delta()}).length_scale == 0.5
    assert Product({0: Delta()}).length_scale is None


def test_only_joint_kernels_may_be_coupled_by_noise():
    C, x = np.array([[1.0, 0.5], [0.5, 1.0]]), np.zeros((1, 2))
    coupled = Product({0: Gaussian(1.0), 1: Gaussian(2.0)}).expected(x, C, x, None)
    S = C / np.outer([1.0, 2.0], [1.0, 2.0])
    assert coupled[0, 0] == pytest.approx(np.linalg.det(np.eye(2) + S) ** -0.5, rel=1e-12)
    for other in (Laplacian(1.0), Energy()):
        with pytest.raises(ValueError, match=naming("independent")):
            Product({0: Gaussian(1.0), 1: other}).expected(x, C, x, None)


def test_named_kernels_are_those_of_the_figures():
    assert FOUR == {"LIN": Linear(), "POLY2": Polynomial(2), "POLY3": Polynomial(3), "RBF": Gaussian()}
    for name, kernel in FOUR.items():
        assert named_kernel(name) == kernel
    assert named_kernel("RBF", 0.7) == Gaussian(0.7)
    assert named_kernel("POLY2", 0.7) == Polynomial(2)
    assert named_kernel("distance") == Energy()
    assert (named_kernel("LAP", 0.7), named_kernel("EXP", 3.0)) == (Laplacian(0.7), Exponential(9.0))
    assert (named_kernel("LAP"), named_kernel("EXP")) == (Laplacian(), Exponential())
    names = "'LIN', 'POLY2', 'POLY3', 'RBF', 'LAP', 'distance', 'EXP'"
    with pytest.raises(ValueError, match=naming("name", names, "'rbf'")):
        named_kernel("rbf")
