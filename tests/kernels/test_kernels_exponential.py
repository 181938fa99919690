"""The exponential kernel: its power series, its closed forms by quadrature, and the limits of its domain."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Embedding, Exponential, GaussianMixture

X = np.random.default_rng(0).normal(size=(6, 2))
Y = np.random.default_rng(1).normal(size=(4, 2))
C = np.array([[0.8, 0.3], [0.3, 0.5]])
D = np.array([[0.4, -0.5], [-0.5, 0.9]])


def test_it_is_its_power_series():
    series = sum((X @ Y.T / 3.0) ** j / math.factorial(j) for j in range(40))
    np.testing.assert_allclose(
        Exponential(3.0)(X, Y), series, rtol=1e-14
    )  # |<x, y>|/3 < 3, no cancellation to speak of


def hermite(mean, covariance, n=60):
    """Return nodes and weights of a Gaussian in the plane; exact where the integrand is smooth on its scale."""
    t, w = np.polynomial.hermite_e.hermegauss(n)
    w = w / w.sum()
    gamma, U = np.linalg.eigh(covariance)
    grid = np.stack(np.meshgrid(t, t, indexing="ij"), axis=-1).reshape(-1, 2)
    return mean + grid * np.sqrt(gamma.clip(0)) @ U.T, np.outer(w, w).ravel()


@pytest.mark.thorough(default=["D"])
@pytest.mark.parametrize(
    "covariances",
    [(C, None), (None, D), (C, D), (np.outer([1, 2], [1, 2]) / 5, D)],
    ids=["C", "D", "C and D", "singular C"],
)
def test_expected_by_quadrature(covariances):
    k = Exponential(3.0)
    x, v = hermite(X[0], np.zeros((2, 2)) if covariances[0] is None else covariances[0])
    y, w = hermite(Y[0], np.zeros((2, 2)) if covariances[1] is None else covariances[1])
    exact = k.expected(X[:1], covariances[0], Y[:1], covariances[1])[0, 0]
    assert v @ k(x, y) @ w == pytest.approx(exact, rel=1e-11)  # 60 nodes: the next ones move it by 1e-13


def test_expected_diagonal_by_quadrature():
    k = Exponential(12.0)
    x, v = hermite(X[0], C)
    assert v @ k.diagonal(x) == pytest.approx(k.expected_diagonal(X[:1], C)[0], rel=1e-11)


def test_the_embedding_is_the_moment_generating_function():
    k, m = Exponential(2.0), np.array([0.3, -1.0])
    mu = GaussianMixture([1.0], m[None], C).embed(k)
    mgf = np.exp(Y @ m / 2 + np.einsum("ij,jk,ik->i", Y, C, Y) / 8)
    np.testing.assert_allclose(mu(Y), mgf, rtol=1e-14)


def test_it_knows_no_unit_and_no_direction():
    k, a = Exponential(3.0), 1e3
    exact = k.expected(X, C, Y, D)
    np.testing.assert_allclose(Exponential(3.0 * a**2).expected(a * X, a**2 * C, a * Y, a**2 * D), exact, rtol=1e-12)
    Q = np.linalg.qr(np.random.default_rng(2).normal(size=(2, 2)))[0]
    np.testing.assert_allclose(k.expected(X @ Q.T, Q @ C @ Q.T, Y @ Q.T, Q @ D @ Q.T), exact, rtol=1e-12)


@pytest.mark.parametrize("tiny", [1e-6, 1e-10])
def test_small_covariances_tend_to_points(tiny):
    k = Exponential(3.0)
    # E k - k = k (x'Dx + y'Cy) / (2 s^2) + smaller, and the factor is below 1 here
    np.testing.assert_allclose(k.expected(X, tiny * C, Y, tiny * D), k(X, Y), rtol=tiny)
    np.testing.assert_allclose(k.expected_diagonal(X, tiny * C), k.diagonal(X), rtol=3 * tiny)


def test_points_and_gaussians_have_one_gram_matrix():
    """Positive semi-definite over blocks of different covariances, not only within one."""
    k, parts = Exponential(4.0), [(X, None), (Y, C), (X, D)]
    K = np.block([[k.expected(A, S, B, T) for B, T in parts] for A, S in parts])
    np.testing.assert_allclose(K, K.T, rtol=1e-13)
    gamma = np.linalg.eigvalsh(K)
    assert gamma[0] > -1e-13 * gamma[-1]  # a few n eps


def test_high_dimension_does_not_overflow():
    d = 400
    S = np.eye(d)
    value = Exponential(30.0).expected(np.zeros((1, d)), S, np.zeros((1, d)), S)[0, 0]
    assert value == pytest.approx(np.exp(-0.5 * d * np.log1p(-1 / 900)), rel=1e-12)


# limits of its domain -----------------------------------------------------------------------------------------------

LIMIT = np.sqrt(np.linalg.eigvals(C @ D).real.max())  # eigenvalues of CD / s^2 below 1


def test_the_expectation_is_finite_up_to_its_limit():
    zero = np.zeros((1, 2))
    # it grows like (1 - (LIMIT / s)^2)^(-1/2) there
    near, nearer = (Exponential(LIMIT * (1 + gap)).expected(zero, C, zero, D)[0, 0] for gap in (1e-4, 1e-6))
    assert nearer / near == pytest.approx(10, rel=1e-3)
    for s in (LIMIT * (1 - 1e-6), LIMIT / 10):
        with pytest.raises(ValueError, match=naming("infinite", "C", "D", "CD/scale^2", "1")) as said:
            Exponential(s).expected(zero, C, zero, D)
        assert f"take a scale above {LIMIT:.3g}" in str(said.value)


def test_the_expected_diagonal_is_finite_up_to_its_limit():
    limit = 2 * np.linalg.eigvalsh(C)[-1]
    zero = np.zeros((1, 2))
    near, nearer = (Exponential(limit * (1 + gap)).expected_diagonal(zero, C)[0] for gap in (1e-4, 1e-6))
    assert nearer / near == pytest.approx(10, rel=1e-3)
    with pytest.raises(ValueError, match=naming("2C/scale", "1", "2", f"{limit:.3g}")):
        Exponential(limit / 2).expected_diagonal(zero, C)


def test_a_law_may_have_an_embedding_as_a_function_and_no_norm():
    wide = GaussianMixture([1.0], [[0.0]], 4.0).embed(Exponential(2.0))
    assert wide([1.0])[0] == pytest.approx(np.exp(4 / 8), rel=1e-14)
    with pytest.raises(ValueError, match=naming("scale", "4")):
        wide.norm()


@pytest.mark.parametrize(
    "ask",
    [
        lambda k, x: k(x),
        lambda k, x: k(x, 2 * x),
        lambda k, x: k.diagonal(x),
        lambda k, x: k.of_pairs(k.pairs(x)),
        lambda k, x: k.expected(x, C, x, None),
        lambda k, x: k.expected(x, C, x, D),
        lambda k, x: k.expected_diagonal(x, C),
        lambda k, x: Embedding(k, x, [1.0]).norm(),
    ],
)
@pytest.mark.parametrize("size", [60.0, 1e200])
def test_overflow_is_a_sentence(ask, size):
    with pytest.raises(ValueError, match=naming("Exponential(scale=2.0)", "overflow")):
        ask(Exponential(2.0), np.full((1, 2), size))


@pytest.mark.parametrize("bad", [0, -1.0, float("inf"), float("nan")])
def test_a_scale_is_a_finite_number_above_zero(bad):
    with pytest.raises(ValueError, match=naming("Exponential.scale", "1e-150")):
        Exponential(bad)
