"""Student's t: its limit, its moments, its density and its sample."""

import math

import numpy as np
import pytest
from helpers.naming import naming
from scipy.integrate import quad

from explorer import Gaussian, GaussianMixture, Linear, Polynomial, StudentT

FULL = np.array([[1.0, 0.4], [0.4, 0.7]])

# its limit -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3), Gaussian(0.4), Gaussian(3.0)], ids=repr)
def test_many_degrees_of_freedom_are_a_gaussian(kernel):
    nu, m = 1e9, np.array([0.5, -1.0])
    p, normal = StudentT(nu, m, FULL), GaussianMixture([1.0], [m], FULL)
    Y = np.random.default_rng(0).normal(size=(5, 2))
    # the law differs by O(1/ν)
    np.testing.assert_allclose(p.embed(kernel)(Y), normal.embed(kernel)(Y), rtol=1e-7)
    assert p.embed(kernel).norm() == pytest.approx(normal.embed(kernel).norm(), rel=1e-7)
    assert p.expected_diagonal(kernel) == pytest.approx(normal.expected_diagonal(kernel), rel=1e-7)
    np.testing.assert_allclose(p.logpdf(Y), normal.logpdf(Y), rtol=1e-7)


# polynomial kernels: moments -----------------------------------------------------------------------------------------


def tensors(m, C):
    """E x, E x⊗x, E x⊗x⊗x of a law with mean m, covariance C and no third moment about m."""
    second = C + np.outer(m, m)
    sym = np.einsum("i,jk->ijk", m, C) + np.einsum("j,ik->ijk", m, C) + np.einsum("k,ij->ijk", m, C)
    return [np.array(1.0), m, second, sym + np.einsum("i,j,k->ijk", m, m, m)]


@pytest.mark.parametrize("offset", [0.0, 1.0])
@pytest.mark.parametrize(("degree", "nu"), [(1, 1.2), (1, 3.0), (2, 2.3), (2, 5.0), (3, 3.1), (3, 8.0)])
def test_polynomial_kernels_see_moments_only(degree, nu, offset):
    """E (<x, y> + c)^p = sum_j binom(p, j) c^(p-j) <E x^⊗j, E y^⊗j>, also where the risk is infinite: p < ν <= 2p."""
    m = np.array([0.5, -1.0])
    C = FULL * nu / (nu - 2) if nu > 2 else FULL  # degree 1 does not see it
    M = tensors(m, C)
    y = np.array([0.3, 0.8])
    p, k = StudentT(nu, m, FULL), Polynomial(degree, offset)
    terms = [math.comb(degree, j) * offset ** (degree - j) for j in range(degree + 1)]
    at_y = sum(c * np.sum(T * power(y, j)) for j, (c, T) in enumerate(zip(terms, M, strict=False)))
    square = sum(c * np.sum(T * T) for c, T in zip(terms, M, strict=False))
    e = p.embed(k)
    assert len(e.weights) == 1
    assert e([y])[0] == pytest.approx(at_y, rel=1e-12)
    assert e.norm() ** 2 == pytest.approx(square, rel=1e-12)


def power(y, j):
    """y⊗...⊗y, j times."""
    return np.array(1.0) if j == 0 else np.multiply.outer(power(y, j - 1), y)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_expected_diagonal_has_moments_of_twice_the_degree(degree):
    """E z^(2j) = ν^j Γ(j + 1/2) Γ(ν/2 - j) / (√π Γ(ν/2)) for t(ν, 0, 1), and x = m + √S z."""
    m, S = 0.7, 1.3
    for nu in (2 * degree + 0.1, 2 * degree + 3.0, 50.0):
        even = [
            nu**j * math.gamma(j + 0.5) * math.gamma(nu / 2 - j) / math.gamma(0.5) / math.gamma(nu / 2)
            for j in range(4)
        ]
        moment = [
            sum(math.comb(2 * j, 2 * i) * m ** (2 * (j - i)) * S**i * even[i] for i in range(j + 1)) for j in range(4)
        ]
        exact = sum(math.comb(degree, j) * moment[j] for j in range(degree + 1))
        # next to its pole at ν = 2p a moment amplifies the rounding of ν by p/(ν - 2p), 30 at most here
        assert StudentT(nu, [m], S).expected_diagonal(Polynomial(degree)) == pytest.approx(exact, rel=1e-12)


def test_the_expected_diagonal_in_several_dimensions():
    """E  x ^2 =  m ^2 + ν/(ν-2) tr S, and E  x ^4 by Isserlis with E v^2 = ν^2 / ((ν-2)(ν-4))."""
    m, nu = np.array([0.5, -1.0]), 6.0
    v, v2 = nu / (nu - 2), nu**2 / ((nu - 2) * (nu - 4))
    square = m @ m + v * np.trace(FULL)
    fourth = (m @ m) ** 2 + 2 * v * (m @ m) * np.trace(FULL) + v2 * (np.trace(FULL) ** 2 + 2 * np.sum(FULL**2))
    fourth += 4 * v * m @ FULL @ m
    p = StudentT(nu, m, FULL)
    assert p.expected_diagonal(Linear(offset=0.3)) == pytest.approx(square + 0.3, rel=1e-12)
    assert p.expected_diagonal(Polynomial(2, 0.3)) == pytest.approx(fourth + 0.6 * square + 0.09, rel=1e-12)


def test_degree_four_has_no_closed_form():
    with pytest.raises(ValueError, match=naming("1", "2", "3", "KME")):
        StudentT(9.0, [0.0], 1.0).embed(Polynomial(4))


# density and sample --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nu", [0.5, 3.0, 40.0])
def test_logpdf_is_scipys(nu):
    from scipy.stats import multivariate_t

    p = StudentT(nu, [0.5, -1.0], FULL)
    X = p.sample(50, rng=0)
    np.testing.assert_allclose(p.logpdf(X), multivariate_t(p.mean, FULL, nu).logpdf(X), rtol=1e-11)


@pytest.mark.parametrize("nu", [0.5, 3.0])
def test_the_density_integrates_to_one(nu):
    p = StudentT(nu, [2.0], 4.0)
    # x = 2 + e^s on both sides: the tail of ν = .5 is spent beyond e^60
    value, _ = quad(lambda s: 2 * math.exp(s + p.logpdf([2 + math.exp(s)])[0]), -40, 80, limit=200)
    assert value == pytest.approx(1.0, rel=1e-7)


def test_the_sample_has_the_moments():
    n, nu = 200_000, 9.0  # fourth moments have a variance
    p = StudentT(nu, [0.5, -1.0], FULL)
    X = p.sample(n, rng=1)
    C = FULL * nu / (nu - 2)
    assert np.abs((X.mean(0) - p.mean) / np.sqrt(np.diag(C) / n)).max() < 4.5
    centred = X - p.mean
    products = np.einsum("ni,nj->nij", centred, centred)
    assert np.abs((products.mean(0) - C) / (products.std(0) / math.sqrt(n))).max() < 4.5


@pytest.mark.parametrize("nu", [0.7, 2.0, 9.0])
def test_the_sample_has_the_quantiles(nu):
    """In any direction a t law, moments or none: counts below a quantile are binomial."""
    from scipy.stats import t

    n, p = 100_000, StudentT(nu, [0.5, -1.0], FULL)
    a = np.array([0.6, -0.8])
    z = (p.sample(n, rng=2) - p.mean) @ a / math.sqrt(a @ FULL @ a)
    for q in (0.001, 0.1, 0.5, 0.8, 0.999):
        below = (z < t.ppf(q, nu)).sum()
        assert abs(below - n * q) < 4.5 * math.sqrt(n * q * (1 - q))


def test_coordinates_share_one_scale():
    """Uncorrelated is not independent: squares of a t law's coordinates are correlated, a Gaussian's are not."""
    X = StudentT(9.0, [0.0, 0.0], 1.0).sample(100_000, rng=3)
    assert np.corrcoef(X[:, 0] ** 2, X[:, 1] ** 2)[0, 1] > 0.05


def test_a_singular_law():
    direction = np.array([3.0, 4.0]) / 5
    p = StudentT(3.0, [1.0, -1.0], np.outer(direction, direction))
    X = p.sample(50, rng=0) - p.mean
    # the root of an eigenvalue that is zero up to eps |S| is sqrt(eps), times the law's largest radii
    np.testing.assert_allclose(X @ [-0.8, 0.6], 0.0, rtol=0, atol=1e-6)
    assert p.embed(Gaussian(0.8)).norm() == pytest.approx(
        StudentT(3.0, [0.0], 1.0).embed(Gaussian(0.8)).norm(), rel=1e-9
    )
    with pytest.raises(ValueError, match=naming("singular")):
        p.logpdf(X)


def test_a_law_without_spread_is_a_point():
    """All moments, so no kernel is refused."""
    p = StudentT(0.5, [1.0, 2.0], 0.0)
    np.testing.assert_array_equal(p.sample(3, rng=0), [[1.0, 2.0]] * 3)
    assert p.embed(Polynomial(4)).norm() == pytest.approx(36.0, rel=1e-14)
    assert p.expected_diagonal(Polynomial(4)) == pytest.approx(6.0**4, rel=1e-14)
    assert p.embed(Gaussian(1.0)).norm() == 1.0


def test_the_law_is_equivariant():
    """A shift and a turn of the law move its embedding under the Gaussian kernel along."""
    k, shift = Gaussian(0.9), np.array([5.0, -2.0])
    Q = np.array([[0.6, -0.8], [0.8, 0.6]])
    Y = np.random.default_rng(0).normal(size=(6, 2))
    here = StudentT(1.3, [0.2, 0.4], FULL).embed(k)(Y)
    there = StudentT(1.3, Q @ [0.2, 0.4] + shift, Q @ FULL @ Q.T).embed(k)(Y @ Q.T + shift)
    np.testing.assert_allclose(there, here, rtol=1e-10)
    scaled = StudentT(1.3, [0.6, 1.2], 9 * FULL).embed(Gaussian(2.7))(3 * Y)
    np.testing.assert_allclose(scaled, here, rtol=1e-10)


@pytest.mark.parametrize("form", [2.0, [2.0, 2.0], 2 * np.eye(2)], ids=["variance", "variances", "matrix"])
def test_the_scale_matrix_in_each_of_its_forms(form):
    np.testing.assert_array_equal(StudentT(3.0, [0.0, 0.0], form).covariance, 2 * np.eye(2))
    assert StudentT(3.0, 0.0, 2.0).d == 1


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "StudentT.df 0.1 0.0", (0, [0.0], 1.0)),
        (ValueError, "StudentT.df 0.1 inf", (math.inf, [0.0], 1.0)),
        (TypeError, "StudentT.df 0.1 None", (None, [0.0], 1.0)),
        (TypeError, "StudentT.df 0.1 True", (True, [0.0], 1.0)),
        (ValueError, "mean (1, 2)", (3, [[0.0, 0.0]], 1.0)),
        (ValueError, "mean (0,)", (3, [], 1.0)),
        (ValueError, "mean 1 NaN", (3, [np.nan], 1.0)),
        (ValueError, "covariance -1", (3, [0.0], -1.0)),
        (ValueError, "covariance (3,)", (3, [0.0, 0.0], [1.0, 1.0, 1.0])),
        (ValueError, "covariance symmetric", (3, [0.0, 0.0], [[1.0, 1.0], [0.0, 1.0]])),
    ],
)
def test_bad_arguments_of_a_t_law_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=naming(*said.split())):
        StudentT(*arguments)


def test_the_degrees_of_freedom_have_no_default():
    with pytest.raises(TypeError, match=r"missing .* 'df'"):
        StudentT()
