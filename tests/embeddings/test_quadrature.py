"""Gauss rules of probability laws: scipy's own, exactness, and the compression of a law of points."""

import numpy as np
import pytest
from scipy.special import poch, roots_genlaguerre, roots_jacobi

from explorer.embeddings.quadrature import charlier, compress, jacobi, laguerre


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("alpha", [-0.9, 0.0, 1.5, 30.0])
def test_laguerre_is_scipys(alpha, n):
    x, w = laguerre(alpha, n)
    nodes, weights = roots_genlaguerre(n, alpha)
    np.testing.assert_allclose(
        x, nodes, rtol=1e-10
    )  # its smallest node, 0.005 at α = -.9, n = 20, to eps * the largest, 60
    np.testing.assert_allclose(w, weights / weights.sum(), rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize("n", [1, 2, 5, 20])
@pytest.mark.parametrize("beta", [-0.9, 0.0, 1.5, 30.0])
def test_jacobi_is_scipys(beta, n):
    u, w = jacobi(beta, n)
    nodes, weights = roots_jacobi(n, 0, beta)
    np.testing.assert_allclose(u, (nodes + 1) / 2, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(w, weights / weights.sum(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_moments_up_to_twice_the_nodes(n):
    powers = np.arange(2 * n)
    x, w = laguerre(0.4, n)
    np.testing.assert_allclose((w * x ** powers[:, None]).sum(1), poch(1.4, powers), rtol=1e-11)
    u, w = jacobi(0.4, n)
    np.testing.assert_allclose((w * u ** powers[:, None]).sum(1), 1.4 / (1.4 + powers), rtol=1e-11)


@pytest.mark.parametrize("large", [1e6, 1e12])
def test_parameters_without_limit(large):
    """The Gamma law narrows to sd sqrt(α) about α + 1, and the Beta law to 1; scipy's rules overflow here."""
    x, w = laguerre(large, 2)
    assert w @ x == pytest.approx(large + 1, rel=1e-12)
    # the spread is 1/sqrt(α) of the nodes, which hold it to eps sqrt(α) of itself; 1e-16 * 1e6, squared and then some
    assert w @ (x - large - 1) ** 2 == pytest.approx(large + 1, rel=1e-7)
    u, w = jacobi(large, 2)
    assert w @ (1 - u) == pytest.approx(1 / large, rel=1e-3)  # 1 - u itself is rounded at eps


@pytest.mark.parametrize("mean", [0.01, 0.7, 5.0, 300.0])
@pytest.mark.parametrize("n", [1, 3, 6])
def test_charliers_factorial_moments(n, mean):
    """E N (N - 1) ... (N - k + 1) = mean^k for k up to 2n - 1."""
    x, w = charlier(mean, n)
    assert x.min() >= 0
    for k in range(2 * n):
        falling = np.prod(x[:, None] - np.arange(k), axis=1)
        # nodes next to a whole number are off by eps, where the product has a slope of k! at most; large products
        # cancel
        assert w @ falling == pytest.approx(mean**k, rel=1e-10, abs=1e-15 * poch(1, k) + 1e-13 * (w @ np.abs(falling)))


@pytest.mark.parametrize("mean", [0.0, 1e-9, 0.5, 4.0, 30.0, 1e3, 1e12])
def test_charliers_generating_function_and_spread(mean):
    """E u^N = e^(-mean (1 - u)), and mean and variance are the same."""
    x, w = charlier(mean, 40)
    for u in (0.2, 0.9, 1.0):
        assert w @ u**x == pytest.approx(np.exp(-mean * (1 - u)), rel=1e-9, abs=1e-9)
    assert w @ x == pytest.approx(mean, rel=1e-12, abs=1e-30)
    # nodes of size 1e12 are known to 1e-4, and the spread is 1e6
    assert w @ (x - mean) ** 2 == pytest.approx(mean, rel=1e-9, abs=1e-30)


def points(m=300, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0, 1, m), rng.exponential(size=m)


@pytest.mark.parametrize("n", [1, 4, 30])
def test_compression_keeps_the_moments(n):
    x, p = points()
    z, w = compress(x, p, n)
    assert len(z) == n
    assert (w > 0).all()
    assert x.min() <= z.min() <= z.max() <= x.max()
    powers = np.arange(2 * n)[:, None]
    np.testing.assert_allclose((w * z**powers).sum(1), (p * x**powers).sum(1) / p.sum(), rtol=1e-12)


def test_compression_leaves_a_law_of_few_points_as_it_is():
    z, w = compress(np.array([1.0, 3.0, 7.0]), np.array([0.5, 0.3, 0.2]), 10)
    np.testing.assert_allclose(z, [1.0, 3.0, 7.0], rtol=1e-13)
    np.testing.assert_allclose(w, [0.5, 0.3, 0.2], rtol=1e-12)
    z, w = compress(np.full(50, 2.0), np.full(50, 0.02), 10)
    np.testing.assert_allclose(z, [2.0], rtol=1e-14)
    np.testing.assert_allclose(w, [1.0], rtol=1e-14)


def test_compression_of_a_continuous_law_is_its_gauss_rule():
    u, _ = np.polynomial.legendre.leggauss(200)
    _, w = np.polynomial.legendre.leggauss(200)
    z, weights = compress(u, w, 12)
    nodes, expected = np.polynomial.legendre.leggauss(12)
    np.testing.assert_allclose(z, nodes, rtol=0, atol=1e-13)
    np.testing.assert_allclose(weights, expected / 2, rtol=1e-11)
