"""The Gaussian kernel between noisy points at the edges.

Singular and unlike covariances, narrow bandwidths, far points.
"""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from explorer import Gaussian
from explorer.kernels.gaussian_noise import principal_axes


def product(F):
    """F F' in fractions, from a factor of floats."""
    return [[sum(Fraction(a) * Fraction(b) for a, b in zip(r, s, strict=True)) for s in F.tolist()] for r in F.tolist()]


def log_expected(apart, theta, S):
    """Return the logarithm of the value, by elimination in fractions: no digit is lost before the last logarithm."""
    d, square = len(S), Fraction(theta) ** 2
    M = [[S[i][j] + (square if i == j else 0) for j in range(d)] + [Fraction(apart[i])] for i in range(d)]
    log_det = form = 0.0
    for i in range(d):
        widening = M[i][i] / square
        log_det += math.log(widening.numerator) - math.log(widening.denominator)
        form += float(M[i][-1] ** 2 / M[i][i])
        for j in range(i + 1, d):
            times = M[j][i] / M[i][i]
            M[j] = [a - times * b for a, b in zip(M[j], M[i], strict=True)]
    return -0.5 * (log_det + form)


def computed(apart, theta, C, D=None):
    d = len(C)
    return math.log(Gaussian(theta).expected(np.array([apart], dtype=float), C, np.zeros((1, d)), D)[0, 0])


RANKS = [(2, 1), (5, 1), (5, 3), (12, 5), (20, 1)]


@pytest.mark.thorough(default=["*-2-1", "1000.0-*"])
@pytest.mark.parametrize(("d", "rank"), RANKS)
@pytest.mark.parametrize("theta", [1e3, 1.0, 1e-2, 1e-6, 1e-12, 1e-40])
def test_a_singular_covariance_of_whole_numbers(d, rank, theta):
    """S is exact, and the elimination too.

    The computed rank, and what lies off the range of S, decide at a narrow θ.
    """
    rng = np.random.default_rng(d + rank)
    F = 3.0 * rng.integers(-9, 10, (d, rank))
    apart = np.zeros(d)
    apart[:2] = theta, -theta / 2  # off the range of S, in the decisive direction
    # some tens of logarithms of 200 at most, each to eps
    assert computed(apart, theta, F @ F.T) == pytest.approx(log_expected(apart.tolist(), theta, product(F)), abs=1e-11)


@pytest.mark.parametrize(("d", "rank"), [*RANKS, (12, 11)])
@pytest.mark.parametrize("theta", [1e-3, 1e-8])
def test_a_covariance_that_is_singular_up_to_rounding_is_singular(d, rank, theta):
    F = 30 * np.random.default_rng(d).normal(size=(d, rank))
    # the largest eigenvalues are known to 1e-16 of themselves, of ill-conditioned factors to 1e-12
    assert computed(np.zeros(d), theta, F @ F.T) == pytest.approx(log_expected([0.0] * d, theta, product(F)), abs=1e-11)


@pytest.mark.parametrize("variance", [1e-6, 1e-16, 1e-140])
@pytest.mark.parametrize("theta", [1e-6, 1e-60])
def test_a_little_noise_beside_a_wide_singular_one_is_not_lost(variance, theta):
    F = np.array([[3.0], [-27.0], [12.0], [6.0]])
    S = product(F)
    for i in range(4):
        S[i][i] += Fraction(variance)
    assert computed(np.zeros(4), theta, F @ F.T, variance * np.eye(4)) == pytest.approx(
        log_expected([0.0] * 4, theta, S), abs=1e-11
    )


@pytest.mark.parametrize("ratio", [1e2, 1e8, 1e20])
@pytest.mark.parametrize("theta", [1.0, 1e-9])
def test_coordinates_of_unlike_units_keep_their_digits(ratio, theta):
    t = np.array([ratio, 1.0, 1 / ratio])
    S = np.array([[1.0, 0.5, 0.25], [0.5, 1.0, 0.5], [0.25, 0.5, 1.0]]) * t * t[:, None]
    exact = log_expected((t * [1.0, -1.0, 2.0]).tolist(), theta, [[Fraction(a) for a in row] for row in S.tolist()])
    assert computed(t * [1.0, -1.0, 2.0], theta, S) == pytest.approx(exact, abs=1e-11)


def test_the_rank_one_formula():
    """|I + vv'/θ^2|^(-1/2) = (1 + |v|^2/θ^2)^(-1/2), in twenty dimensions at a bandwidth of 1e-6."""
    v = np.full(20, np.sqrt(1000 / 20))
    value = Gaussian(1e-6).expected(np.zeros((1, 20)), np.outer(v, v), np.zeros((1, 20)), None)[0, 0]
    assert value == pytest.approx(1e-6 / np.sqrt(1000 + 1e-12), rel=1e-12)


def test_the_widest_and_the_narrowest_variances_stay_in_the_floats():
    one = np.zeros((1, 1))
    # (1 + v/θ^2)^(-1/2) = θ / √v, though v/θ^2 = 1e450 overflows
    assert Gaussian(1e-150).expected(one, np.array([[1e150]]), one, None)[0, 0] == pytest.approx(1e-225, rel=1e-12)
    assert Gaussian(1e150).expected(one, np.array([[1e-150]]), one, None)[0, 0] == 1.0


@pytest.mark.thorough(default=["*-*-isotropic", "1e-150-1000.0-*"])
@pytest.mark.parametrize(
    "C",
    [np.eye(3), np.diag([1.0, 2.0, 3.0]), np.full((3, 3), 1.0), np.full((3, 3), 0.5) + np.eye(3)],
    ids=["isotropic", "diagonal", "singular", "full"],
)
@pytest.mark.parametrize("far", [1e3, 1e8, 1e150, 1e300, 1.7e308])
@pytest.mark.parametrize("theta", [1e-150, 0.7, 1e150])
def test_a_far_point_blurs_nobody(C, far, theta):
    X = np.vstack([np.random.default_rng(0).normal(size=(6, 3)), [[far, -far, far]], [[-far, far, far]]])
    k = Gaussian(theta)
    K = k.expected(X, C, X, None)
    assert np.isfinite(K).all()
    near = [[k.expected(X[[i]], C, X[[j]], None)[0, 0] for j in range(6)] for i in range(6)]
    # by products and by differences: squared distances in deviations up to 1e4, to eps of themselves
    np.testing.assert_allclose(K[:6, :6], near, rtol=1e-11, atol=1e-300)
    if far >= 1e3 and theta < 1:
        np.testing.assert_array_equal(K[:6, 6:], 0.0)


def test_near_points_of_a_wide_sample_keep_their_digits():
    """Two points θ apart, a million θ from the centre: rotated before the difference they would keep ten digits."""
    S, theta, shift = np.full((3, 3), 1e-14) + 1e-14 * np.eye(3), 1e-6, np.array([3.0, -2.0, 1.0])
    near = np.ldexp(
        np.array([[0.0, 0.0, 0.0], [3.0, -1.0, 2.0]]), -21
    )  # multiples of 2^-21: the shift rounds none of them
    X = np.vstack([near, near + shift])
    K = Gaussian(theta).expected(X, S, X, None)
    np.testing.assert_allclose(K[2:, 2:], Gaussian(theta).expected(near, S, near, None), rtol=1e-13)


def test_principal_axes_are_those_of_the_sum():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(5, 2)), rng.normal(size=(5, 5))
    S = A @ A.T + B @ B.T
    gamma, U = principal_axes(A @ A.T, B @ B.T)
    np.testing.assert_allclose(U.T @ U, np.eye(5), atol=1e-14)
    np.testing.assert_allclose((U * gamma) @ U.T, S, atol=1e-13 * gamma.max())
    np.testing.assert_allclose(np.sort(gamma), np.linalg.eigvalsh(S), rtol=1e-12)
    # a coordinate without variance has none
    np.testing.assert_allclose(principal_axes(np.diag([4.0, 0.0, 1.0]))[0], [4.0, 1.0, 0.0], rtol=1e-15)


@pytest.mark.parametrize(
    "C",
    [np.eye(3), np.diag([1.0, 2.0, 0.0]), np.full((3, 3), 1.0), np.full((3, 3), 0.5) + np.eye(3)],
    ids=["isotropic", "diagonal", "singular", "full"],
)
@pytest.mark.parametrize("theta", [1e-3, 0.7, 30.0])
def test_many_scales_at_once_are_each_by_itself(C, theta):
    rng = np.random.default_rng(0)
    X, Y, scales = (
        theta * rng.normal(size=(5, 3)),
        theta * rng.normal(size=(4, 3)),
        np.array([0.0, 1e-9, 0.3, 1.0, 1e6]),
    )
    K = Gaussian(theta).expected_scales(X, 0.3 * scales, Y, 0.7 * scales, C)
    assert K.shape == (5, 5, 4)
    for s, one in zip(scales, K, strict=True):
        # two ways: a rotation, and Cholesky's factor
        np.testing.assert_allclose(one, Gaussian(theta).expected(X, s * C, Y, None), rtol=1e-11)


def test_the_spread_of_a_sample_is_the_root_mean_square_of_its_distances():
    X = np.random.default_rng(0).normal(size=(7, 2))
    squares = [((x - y) ** 2).sum() for x, y in combinations(X, 2)]
    assert Gaussian(1.0).noisy_pairs(X).spread == pytest.approx(np.sqrt(np.mean(squares)), rel=1e-12)


@pytest.mark.parametrize("shape", [None, np.array([0.5, 1.2])], ids=["alike", "by coordinate"])
def test_means_under_noise_are_inner_products_with_a_mixture(shape):
    rng = np.random.default_rng(0)
    k, X, P, w = Gaussian(0.8), rng.normal(size=(5, 2)), rng.normal(size=(3, 2)), np.array([0.5, 0.2, 0.3])
    C = np.array([[[0.6, 0.2], [0.2, 0.3]], [[1.0, 0.0], [0.0, 1.0]], [[0.5, -0.5], [-0.5, 0.9]]])
    noise = np.diag(np.ones(2) if shape is None else shape**2)
    variances = np.array([0.0, 0.3, 4.0])
    expected = [
        sum(w[i] * k.expected(X, v * noise + C[i], P[i : i + 1], None).mean() for i in range(3)) for v in variances
    ]
    np.testing.assert_allclose(k.noisy_mixture(w, P, C, shape).means(X, variances), expected, rtol=1e-12)
