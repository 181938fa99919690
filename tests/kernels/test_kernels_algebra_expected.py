"""Means of sums and products under Gaussian noise: quadrature, identities, limits, and what has no closed form."""

import math
from itertools import product

import numpy as np
import pytest
from covariances import C2, C3, points, wishart
from helpers.naming import naming

from explorer import (
    KME,
    MKME,
    SKMSE,
    ARDGaussian,
    Delta,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Landmarks,
    Laplacian,
    Linear,
    Matern,
    Pareto,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    StudentT,
    risk,
)
from explorer.kernels.algebra.tilted import Tilted, tilt_exponential

EPS = np.finfo(float).eps
RANK_ONE = np.outer([0.6, -0.4], [0.6, -0.4])

# one kernel of each kind that has its own mean; all are smooth, so that Gauss-Hermite quadrature is exact to rounding
SMOOTH = [
    Gaussian(1.3) * Gaussian(2.0),
    Gaussian(1.3) * ARDGaussian([0.9, 3.0]),
    Gaussian(1.3) * Linear(0.5),
    Gaussian(1.5) * Polynomial(3, 0.5) * Linear(),
    Polynomial(2) * Polynomial(3, 0.2),
    Linear() * Linear(2.0) * Polynomial(4, 1.0),
    Gaussian(1.5) * Exponential(8.0),
    Exponential(20.0) * Polynomial(2) * ARDGaussian([2.0, 4.0]),
    Exponential(12.0) * Exponential(24.0),
    RationalQuadratic(2.0, 3.0) * Gaussian(2.0),
    RationalQuadratic(2.0, 3.0) * ARDGaussian([2.0, 3.0]),
    RationalQuadratic(2.0, 3.0) * Exponential(15.0) * Linear(1.0),
    (Gaussian(1.5) + 2.0 * Linear(0.3)) * (Gaussian(2.0) + Polynomial(2)),
    Gaussian(1.4) + 0.5 * Exponential(12.0) + 3.0 * Polynomial(2),
    0.25 * (Gaussian(1.4) * Linear()) + ARDGaussian([1.5, 2.0]),
]
every_smooth = pytest.mark.parametrize("kernel", SMOOTH, ids=repr)


def root(C):
    gamma, U = np.linalg.eigh(C)
    return U * np.sqrt(np.maximum(gamma, 0.0))


def hermite(C, n=40):
    """Return nodes (n^d, d) and weights of the mean over N(0, C)."""
    z, w = np.polynomial.hermite_e.hermegauss(n)
    d = len(C)
    nodes = np.array(list(product(z, repeat=d)))
    weights = np.array([math.prod(each) for each in product(w / math.sqrt(2 * math.pi), repeat=d)])
    return nodes @ root(C).T, weights


@pytest.mark.parametrize(("C", "D"), [(C2, None), (None, C2), (0.5 * C2, RANK_ONE)], ids=["C", "D", "C and D"])
@every_smooth
def test_expected_by_quadrature(kernel, C, D):
    """The must-show: the algebra's means are those of quadrature, over both noises."""
    x, y = np.array([[0.4, -0.7]]), np.array([[0.9, 0.3]])
    n = 40 if C is None or D is None else 24
    u, v = (np.zeros((1, 2)) if S is None else hermite(S, n)[0] for S in (C, D))
    a, b = (np.ones(1) if S is None else hermite(S, n)[1] for S in (C, D))
    exact = a @ kernel(x + u, y + v) @ b
    # 24 nodes for noise in the range of a singular D: 1e-10, 40 nodes: 1e-12 of k's size
    size = kernel.expected_diagonal(np.vstack([x, y]), C2).max()
    assert kernel.expected(x, C, y, D)[0, 0] == pytest.approx(exact, abs=1e-9 * size)


@every_smooth
def test_expected_diagonal_by_quadrature(kernel):
    X = points(3, 2)
    for C in (0.5 * C2, RANK_ONE):
        u, w = hermite(C)
        exact = [w @ kernel.diagonal(x + u) for x in X]
        np.testing.assert_allclose(kernel.expected_diagonal(X, C), exact, rtol=1e-9)


@pytest.mark.parametrize("kernel", [Matern(1.2) * Gaussian(1.5), Matern(2.0, nu=2.5) * Exponential(9.0) * Linear(1.0)])
def test_products_with_matern_in_one_dimension(kernel):
    from scipy.integrate import quad

    x, s = 0.3, 0.8

    def integrand(z):
        return kernel([[x + s * z]], [[-0.4]])[0, 0] * math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)

    kink = (-0.4 - x) / s
    exact = sum(quad(integrand, a, b, epsabs=1e-13)[0] for a, b in ((-12, kink), (kink, 12)))
    found = kernel.expected(np.array([[x]]), np.array([[s * s]]), np.array([[-0.4]]), None)
    assert found[0, 0] == pytest.approx(exact, abs=1e-12)


def test_factors_of_a_family_are_one_kernel():
    X, Y = points(5, 3), points(4, 3, seed=1)
    families = [
        (Gaussian(3.0) * Gaussian(4.0), Gaussian(2.4)),
        (
            ARDGaussian([3.0, 6.0, 1.0]) * Gaussian(4.0),
            ARDGaussian([2.4, 1 / math.sqrt(1 / 36 + 1 / 16), 4 / math.sqrt(17)]),
        ),
        (Laplacian(3.0) * Laplacian(6.0), Laplacian(2.0)),
        (Exponential(3.0) * Exponential(6.0), Exponential(2.0)),
        (Polynomial(2, 0.5) * Linear(0.5), Polynomial(3, 0.5)),
    ]
    little = 0.05
    for made, one in families:
        for C, D in ((None, None), (little * C3, None), (little * C3, little * np.diag([1.0, 0.0, 3.0]))):
            np.testing.assert_allclose(made.expected(X, C, Y, D), one.expected(X, C, Y, D), rtol=1e-11)
        np.testing.assert_allclose(
            made.expected_diagonal(X, little * C3), one.expected_diagonal(X, little * C3), rtol=1e-11
        )
    extreme = Gaussian(1e-150) * Gaussian(1e150)
    assert extreme.expected(np.zeros((1, 1)), np.eye(1) * 1e-300, np.zeros((1, 1)), None)[0, 0] == pytest.approx(
        0.5**0.5
    )


@pytest.mark.parametrize("d", [1, 2, 7, 50])
@pytest.mark.parametrize("unit", [1e-8, 1.0, 1e8])
def test_multiplied_out_and_back(d, unit):
    """G (L + 1) - G L = G, and (G + L)² = G² + 2 G L + L²: at any unit of the points, singular noise too."""
    X, Y = unit * points(4, d), unit * points(3, d, seed=1)
    flat = np.zeros((d, d))
    flat[0, 0] = 2.0
    G, L, one = Gaussian(1.1 * unit), Linear(), unit**2  # of the size of <x, y>
    for A, B in ((wishart(d), None), (flat, wishart(d)), (flat, flat)):
        C, D = unit**2 * A, None if B is None else unit**2 * B

        def mean(kernel, C=C, D=D):
            return kernel.expected(X, C, Y, D)

        lifted, plain = mean(G * Linear(one)) / one, mean(G * L) / one
        np.testing.assert_allclose(lifted - plain, mean(G), rtol=0, atol=1e-13 * np.abs(lifted).max())
        k = one * G
        square = mean(k * k) + 2 * mean(k * L) + mean(L * L)
        np.testing.assert_allclose(mean((k + L) * (k + L)), square, rtol=0, atol=1e-13 * np.abs(square).max())


def test_every_degree_has_moments():
    """p = <x + u, y> ~ N(<x, y>, y'Cy): its moments by hand, up to the sixth."""
    x, y, C = np.array([[0.7, -0.2]]), np.array([[0.5, 1.1]]), C2
    m, v = (x @ y.T).item(), (y @ C @ y.T).item()
    moments = [m, m**2 + v, m**3 + 3 * m * v, m**4 + 6 * m**2 * v + 3 * v**2, m**5 + 10 * m**3 * v + 15 * m * v**2]
    moments.append(m**6 + 15 * m**4 * v + 45 * m**2 * v**2 + 15 * v**3)
    for degree, exact in enumerate(moments, 1):
        if degree > 1:
            kernel = Polynomial(degree - 1, 0.0) * Linear()
            assert kernel.expected(x, C, y, None)[0, 0] == pytest.approx(exact, rel=1e-13)


def test_the_same_noise_twice_is_not_two_noises():
    """E |u|^4 = (tr C)² + 2 tr C², and E <u, v>² = tr C² for independent ones."""
    zero, k = np.zeros((1, 3)), Linear() * Linear()
    assert k.expected_diagonal(zero, C3)[0] == pytest.approx(np.trace(C3) ** 2 + 2 * np.sum(C3 * C3), rel=1e-13)
    assert k.expected(zero, C3, zero, C3)[0, 0] == pytest.approx(np.sum(C3 * C3), rel=1e-13)


@pytest.mark.parametrize("kernel", [SMOOTH[0], SMOOTH[2], SMOOTH[6], SMOOTH[12]], ids=repr)
def test_rows_and_pairs(kernel):
    X, Y = points(5, 2), points(4, 2, seed=1)
    K = kernel.expected(X, C2, Y, 0.4 * C2)
    order = [3, 0, 4, 1, 2]
    np.testing.assert_allclose(kernel.expected(X[order], C2, Y, 0.4 * C2), K[order], rtol=1e-12)
    np.testing.assert_allclose(kernel.expected(Y, 0.4 * C2, X, C2), K.T, rtol=1e-12)
    np.testing.assert_allclose(kernel.expected(X, 1e-14 * C2, Y, None), kernel(X, Y), rtol=1e-11, atol=1e-12)
    U = np.linalg.qr(points(2, 2, seed=3))[0]  # a rotation of everything
    turned = kernel.expected(X @ U, U.T @ C2 @ U, Y @ U, None)
    np.testing.assert_allclose(turned, kernel.expected(X, C2, Y, None), rtol=1e-11)


def test_gaussians_of_equal_lengths_by_two_ways():
    X, Y = points(4, 2), points(3, 2, seed=1)
    for mixture in (Matern(1e-3), Matern(1.0, nu=2.5), RationalQuadratic(50.0, 0.2)):
        for C in (C2, 1e-8 * C2, 1e4 * RANK_ONE):
            ways = [(mixture * each).expected(X, C, Y, None) for each in (Gaussian(0.9), ARDGaussian([0.9, 0.9]))]
            np.testing.assert_allclose(*ways, rtol=0, atol=1e-13)
            powers = (mixture * Gaussian(0.9) * Linear(2.0)).expected(X, C, Y, None)
            plain = (mixture * Gaussian(0.9) * Linear(1.0)).expected(X, C, Y, None)
            np.testing.assert_allclose(powers - plain, ways[0], rtol=0, atol=1e-12)


def test_stationary_products_do_not_see_a_shift():
    X = points(5, 2)
    for kernel in (Gaussian(1.0) * ARDGaussian([2.0, 3.0]), Gaussian(1.0) * Matern(1.0)):
        moved = kernel.expected(X + 2.0**20, C2, X + 2.0**20, None)
        np.testing.assert_allclose(moved, kernel.expected(X, C2, X, None), rtol=0, atol=1e-9)  # the points' own digits


def test_what_has_no_closed_form_says_so():
    X = points(3, 2)
    for kernel in (
        Energy() * Gaussian(1.0),
        Laplacian(1.0) * Gaussian(1.0),
        Matern(1.0) * RationalQuadratic(1.0),
        Delta() * Gaussian(1.0),
        Landmarks(Gaussian(1.0), X) * Linear(),
        (Gaussian(1.0) + Energy()) * Linear(),
        Gaussian(1.0) + Polynomial(4),
        Linear() + Energy() * Linear(),
    ):
        with pytest.raises(ValueError, match=naming("closed form", "Gaussian")):
            kernel.expected(X, C2, X, None)
        np.testing.assert_allclose(kernel.expected(X, None, X, None), kernel(X), rtol=0, atol=10 * EPS)
        with pytest.raises(ValueError, match=naming("closed form", "Gaussian")):
            MKME(kernel, 0.5).embed(X).norm()
        assert KME(kernel).embed(X).norm() >= 0
    with pytest.raises(ValueError, match=naming("closed form", "Gaussian")):
        (Precomputed(np.eye(3)) * Precomputed(np.eye(3))).expected(
            np.arange(3.0)[:, None], np.eye(1), np.zeros((1, 1)), None
        )


def test_an_infinite_mean_is_a_sentence():
    X = points(2, 2)
    with pytest.raises(ValueError, match=naming("infinite", "scale")):
        (Exponential(1.0) * Linear()).expected(X, 2 * C2, X, 2 * C2)
    # a Gaussian factor is 1 along x = y, where the exponential grows: the limit is the same
    k, top = Gaussian(1.0) * Exponential(1.0), np.linalg.eigvalsh(C2)[-1]
    assert np.isfinite(k.expected(X, 0.999 * C2 / top, X, 0.999 * C2 / top)).all()
    assert np.isfinite(k.expected_diagonal(X, 0.499 * C2 / top)).all()
    for mean in (
        lambda: k.expected(X, 1.001 * C2 / top, X, 1.001 * C2 / top),
        lambda: k.expected_diagonal(X, 0.501 * C2 / top),
    ):
        with pytest.raises(ValueError, match=naming("infinite")):
            mean()


# distributions -------------------------------------------------------------------------------------------------------

LAWS = [GaussianMixture.random(2, rng=0), StudentT(9.0, [0.3, -0.2], C2)]


@pytest.mark.parametrize("law", LAWS, ids=["mixture", "t"])
@pytest.mark.parametrize(
    "kernel", [Gaussian(2.0) + 0.3 * Linear(), Gaussian(2.0) * Linear(1.0), 2.0 * Matern(2.0)], ids=repr
)
def test_embeddings_of_distributions_against_draws(kernel, law):
    Z = points(3, 2, seed=5)
    X = law.sample(40_000, rng=1)
    values, exact = kernel(X, Z), law.embed(kernel)(Z)
    assert (np.abs(values.mean(axis=0) - exact) < 4.5 * values.std(axis=0) / 200).all()  # P(|z| > 4.5) = 7e-6
    diagonal = kernel.diagonal(X)
    assert abs(diagonal.mean() - law.expected_diagonal(kernel)) <= 4.5 * diagonal.std() / 200 + 1e-12


def test_what_has_no_moments_has_no_embedding():
    with pytest.raises(ValueError, match=naming("moment", "2")):
        Pareto(1.5).embed(Linear() * Linear())
    with pytest.raises(ValueError, match=naming("all", "moments")):
        StudentT(3.0, [0.0], [[1.0]]).embed(Gaussian(1.0) + Exponential())
    assert Pareto(1.5).embed(Gaussian(1.0) + Energy()).norm() > 0


def test_exact_risk_is_the_mean_loss():
    law, kernel, n = LAWS[0], Gaussian(3.0) + 0.02 * Linear(), 8
    for estimator in (KME(kernel), SKMSE(kernel, 0.4)):
        losses = [estimator.embed(law.sample(n, rng=seed)).distance(law.embed(kernel)) ** 2 for seed in range(30)]
        assert abs(np.mean(losses) - risk(estimator, law, n)) < 4.5 * np.std(losses, ddof=1) / math.sqrt(30)


# tables --------------------------------------------------------------------------------------------------------------


def test_products_over_columns_take_sums_and_noise_on_their_own_columns():
    k = Product({0: Gaussian(1.2) + Linear(0.5), (1, 2): ARDGaussian([1.0, 2.0]), 3: Delta()})
    X = np.column_stack([points(4, 3), [0.0, 1.0, 0.0, 1.0]])
    C = np.zeros((4, 4))
    C[0, 0], C[1:3, 1:3] = 0.5, C2
    parts = [
        (Gaussian(1.2) + Linear(0.5)).expected(X[:, :1], C[:1, :1], X[:, :1], None),
        ARDGaussian([1.0, 2.0]).expected(X[:, 1:3], C2, X[:, 1:3], None),
        Delta()(X[:, 3]),
    ]
    np.testing.assert_allclose(k.expected(X, C, X, None), math.prod(parts), rtol=1e-13)
    C[0, 1] = C[1, 0] = 0.1
    with pytest.raises(ValueError, match=naming("column", "0")):
        k.expected(X, C, X, None)


def test_coupled_columns_of_sums_multiply_out():
    """E Π Σ = Σ E Π: by Hermite quadrature in two dimensions."""
    k = Product({0: 2.0 * Gaussian(1.2) + Gaussian(3.0), 1: Gaussian(1.5) * Gaussian(2.0)})
    X, Y = points(3, 2), points(2, 2, seed=1)
    u, w = hermite(C2)
    exact = [[w @ k(x + u, y[None])[:, 0] for y in Y] for x in X]
    np.testing.assert_allclose(k.expected(X, C2, Y, None), exact, rtol=1e-10)
    np.testing.assert_allclose(k.expected_diagonal(X, C2), np.full(3, 3.0), rtol=EPS)
    with pytest.raises(ValueError, match=naming("Linear()", "independent")):
        Product({0: Gaussian(1.0) + Linear(), 1: Gaussian(1.0)}).expected(X, C2, Y, None)


def test_coupled_columns_of_gaussian_factors_are_one_ard_gaussian():
    k, X = Product({0: Gaussian(0.7), (1, 2): ARDGaussian([1.0, 2.0])}), points(4, 3)
    np.testing.assert_allclose(
        k.expected(X, C3, X, 0.5 * C3), ARDGaussian([0.7, 1.0, 2.0]).expected(X, C3, X, 0.5 * C3), rtol=1e-12
    )


@pytest.mark.parametrize(("k", "l"), [(Linear(), Linear(1.0)), (Polynomial(2), Linear())], ids=repr)
def test_embeddings_of_pairs_are_covariance_operators(k, l):
    """Under Product the embedding of pairs is Σ w φ(x) ⊗ ψ(y): inner products are Hilbert and Schmidt's of matrices."""
    X, Y = points(7, 2), points(7, 3, seed=1)
    kernel = Product({(0, 1): k, (2, 3, 4): l})

    def features(kernel, Z):
        linear = (
            [Z]
            if kernel.degree == 1
            else [np.einsum("ij,ik->ijk", Z, Z).reshape(len(Z), -1), math.sqrt(2 * kernel.offset) * Z]
        )
        return np.hstack([*linear, np.full((len(Z), 1), math.sqrt(kernel.offset**kernel.degree))])

    def operator(weights, X, Y):
        return np.einsum("i,ij,ik->jk", weights, features(k, X), features(l, Y))

    w, v = points(7, 1, seed=2)[:, 0], points(7, 1, seed=3)[:, 0]
    e, f = (Embedding(kernel, np.hstack([A, Y]), a) for A, a in ((X, w), (X[::-1], v)))
    A, B = operator(w, X, Y), operator(v, X[::-1], Y)
    assert e.inner(f) == pytest.approx(np.sum(A * B), rel=1e-11)
    assert e.norm() == pytest.approx(np.linalg.norm(A), rel=1e-12)
    assert e.distance(f) == pytest.approx(np.linalg.norm(A - B), rel=1e-11)
    centred = Embedding(kernel, np.hstack([X, Y]), np.full(7, 1 / 7)).inner(Embedding(kernel, np.hstack([X, Y]), w))
    assert centred == pytest.approx(np.sum(operator(np.full(7, 1 / 7), X, Y) * A), rel=1e-11)


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6, 1e8])
def test_far_polynomials_keep_their_digits_under_noise(offset):
    """<x, y> (<x, y> + 1) as a power of its own has increments; (<x, y> + 1/2)² differs from it by 1/4."""
    base, X = GaussianMixture.random(2, rng=0), GaussianMixture.random(2, rng=0).sample(30, rng=1) + offset
    law = GaussianMixture(base.weights, base.means + offset, base.covariances)
    one, other = Linear() * Linear(1.0), Polynomial(2, 0.5)
    for estimator in (KME, lambda k: MKME(k, 0.5)):
        losses = [estimator(k).embed(X).distance(law.embed(k)) for k in (one, other)]
        assert losses[0] == pytest.approx(losses[1], rel=1e-6)  # of the law's and the sample's own digits
    assert law.variance(one) == pytest.approx(law.variance(other), rel=1e-9)
    # digits are lost for points 1e8 spreads from zero, but the kernel is not indefinite
    assert KME(Gaussian(1e7) * Linear()).embed(X).distance(law.embed(Gaussian(1e7) * Linear())) >= 0


def test_an_exponential_tilts_a_gaussian_on_the_line():
    """N(m, v) times exp(j z² / (2 s)) has the precision p = 1/v - j/s and the mean m / (v p)."""
    m, v, j, s = np.array([[0.7], [-2.0], [0.0]]), 0.6, 0.9, 1.5
    z, top = tilt_exponential(Tilted(m, np.array([[v**0.5]]), np.zeros(3)), np.array([[j]]), s)
    p = 1 / v - j / s
    assert top == pytest.approx(v * j / s)
    assert z.mean == pytest.approx(m / (v * p))
    assert z.factor**2 == pytest.approx(1 / p)
    assert z.log_mass == pytest.approx((m[:, 0] / v) ** 2 / (2 * p) - m[:, 0] ** 2 / (2 * v) - 0.5 * np.log(v * p))
