"""Matern, RationalQuadratic and ARDGaussian: scikit-learn's values, quadrature, limits, and noise over pairs."""

import math
from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
import pytest
from covariances import C2, C3, points, wishart
from helpers.naming import naming
from scipy.integrate import quad
from scipy.special import gamma

from explorer import (
    MKME,
    MMKME,
    ARDGaussian,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Matern,
    RationalQuadratic,
    median_bandwidth,
    mmd2,
    risk,
)
from explorer.checks import ExplorerWarning
from explorer.kernels.mixtures import gamma_nodes

EPS = np.finfo(float).eps
MIXTURES = [
    Matern(1.1, nu=0.5),
    Matern(1.3, nu=1.5),
    Matern(0.8, nu=2.5),
    RationalQuadratic(1.2, 0.3),
    RationalQuadratic(0.9, 4.0),
    RationalQuadratic(0.5, 0.01),  # some of its bandwidths overflow
]
every_mixture = pytest.mark.parametrize("kernel", MIXTURES, ids=repr)


def test_they_are_scikit_learn_s():
    from sklearn.gaussian_process import kernels as sk

    X, Y = points(9, 3), points(7, 3, seed=1)
    pairs = [
        (Matern(1.3, nu=0.5), sk.Matern(1.3, nu=0.5)),
        (Matern(1.3), sk.Matern(1.3, nu=1.5)),
        (Matern(0.7, nu=2.5), sk.Matern(0.7, nu=2.5)),
        (RationalQuadratic(1.3, 0.4), sk.RationalQuadratic(1.3, 0.4)),
        (ARDGaussian([0.5, 1.0, 7.0]), sk.RBF([0.5, 1.0, 7.0])),
    ]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours(X, Y), theirs(X, Y), rtol=0, atol=20 * EPS)


@pytest.mark.parametrize("theta", [0.1, 30.0])
@pytest.mark.parametrize("s", [1e-4, 0.7, 50.0])
@every_mixture
def test_expected_in_one_dimension_by_quadrature(kernel, theta, s):
    """∫ k(z) N(z; m, s²) dz; adaptive, in pieces that follow the noise and the kink at zero."""
    kernel = kernel.with_bandwidth(theta)

    def integrand(q, m):
        return kernel([[m + s * q]], [[0.0]])[0, 0] * math.exp(-0.5 * q * q) / math.sqrt(2 * math.pi)

    for m in (0.0, 0.4, 12.0):
        places = np.array([0.0, -theta, theta, -9 * theta, 9 * theta])
        cuts = np.unique(np.clip([-9, -3, -1, 0, 1, 3, 9, *(places - m) / s], -9, 9))
        # beyond nine standard deviations lie 2e-19; quad errs by some 1e-14
        exact = sum(quad(integrand, a, b, (m,), epsabs=1e-14, epsrel=1e-13)[0] for a, b in pairwise(cuts))
        found = kernel.expected(np.array([[m]]), np.array([[s * s]]), np.zeros((1, 1)), None)
        assert found[0, 0] == pytest.approx(exact, abs=1e-13)


@pytest.mark.parametrize("d", [1, 2, 3, 20, 50])
@every_mixture
def test_twice_as_many_nodes_give_the_same(kernel, d, monkeypatch):
    """The error that is promised, 1e-14, at any covariance; the finer rule is another sum of other nodes."""
    from explorer.kernels import mixtures

    X, Y, C = points(4, d), points(3, d, seed=1), wishart(d)
    for S in (C, 1e-8 * C, 1e8 * C, np.diag(np.geomspace(1e-6, 1e6, d))):
        found = kernel.expected(X, S, Y, None)
        with monkeypatch.context() as finer:
            finer.setattr(mixtures, "STEP", 0.11)
            finer.setattr(mixtures, "SPENT", 60.0)
            np.testing.assert_allclose(kernel.expected(X, S, Y, None), found, rtol=0, atol=1e-14)


@pytest.mark.parametrize("alpha", [1e-3, 0.02, 0.5, 3.0, 19.9, 20.1, 1e3, 1e6])
def test_its_nodes_rebuild_the_rational_quadratic(alpha):
    for reach in (0.0, 1.0, 1e3, 1e12):
        g, weights = gamma_nodes(alpha, reach)
        r2 = reach * np.array([0.0, 1e-3, 0.1, 1.0])
        exact = np.exp(-alpha * np.log1p(r2 / (2 * alpha)))
        np.testing.assert_allclose(np.exp(-0.5 * np.multiply.outer(r2, g)) @ weights, exact, rtol=0, atol=5e-15)
        assert len(g) < 220


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_its_nodes_rebuild_matern(nu):
    g, weights = gamma_nodes(nu)
    r = np.array([0.0, 1e-9, 1e-3, 0.3, 2.0, 20.0])
    np.testing.assert_allclose(
        np.exp(-0.5 * np.divide.outer(r**2, g)) @ weights, Matern(1.0, nu)(r, [0.0])[:, 0], rtol=0, atol=5e-15
    )


def test_a_large_alpha_is_gaussian_and_one_is_cauchy():
    X, C = points(6, 3), C3
    for S in (None, C):
        # (1 + t/α)^-α = e^-t (1 + t²/(2α) + ...)
        wide = RationalQuadratic(1.1, 1e6).expected(X, S, X, None)
        np.testing.assert_allclose(wide, Gaussian(1.1).expected(X, S, X, None), rtol=0, atol=1e-6)
    square = ((X[:, None] - X) ** 2).sum(-1)
    np.testing.assert_allclose(RationalQuadratic(1.1)(X), 1 / (1 + square / (2 * 1.1**2)), rtol=1e-14)


def test_few_spreads_of_noise_are_an_average_over_draws():
    from scipy.stats import norm, qmc

    X, Y = points(1, 2), points(1, 2, seed=1)
    u = norm.ppf(qmc.Sobol(2, seed=0).random(2**14)) @ np.linalg.cholesky(C2).T
    for kernel in MIXTURES:
        # Sobol's points in two dimensions: about (log n)² / n
        assert kernel.expected(X, C2, Y, None)[0, 0] == pytest.approx(kernel(X + u, Y).mean(), abs=2e-4)


@every_mixture
def test_increments_have_all_digits_of_k_less_one(kernel):
    """At r / θ from 1e-9 on, against sixty digits."""
    r = np.geomspace(1e-9, 5, 40) * kernel.bandwidth
    found = kernel.less_one(r[:, None], None, np.zeros((1, 1)), None)[:, 0]
    with localcontext() as context:
        context.prec = 60
        for each, value in zip(r, found, strict=True):
            t = Decimal(float(each)) / Decimal(kernel.bandwidth)
            if isinstance(kernel, Matern):
                z = (2 * Decimal(kernel.nu)).sqrt() * t
                exact = {0.5: 1, 1.5: 1 + z, 2.5: 1 + z + z * z / 3}[kernel.nu] * (-z).exp() - 1
            else:
                alpha = Decimal(kernel.alpha)
                exact = (-alpha * (1 + t * t / (2 * alpha)).ln()).exp() - 1
            assert value == pytest.approx(float(exact), rel=20 * EPS)


@pytest.mark.parametrize("theta", [1e5, 1e9])
@pytest.mark.parametrize("kernel", [kernel for kernel in MIXTURES if kernel != Matern(1.1, nu=0.5)], ids=repr)
def test_wide_expectations_are_second_moments(kernel, theta):
    """θ² (E k - 1) -> -c E z ² / 2 with z ~ N(m, S), the rest of order θ^-1 for Matérn 3/2."""
    m, kernel = np.array([[0.4, -2.0]]), kernel.with_bandwidth(theta)
    found = theta**2 * kernel.less_one(m, C2, np.zeros((1, 2)), None)[0, 0]
    assert found == pytest.approx(-kernel.curvature * (np.sum(m**2) + np.trace(C2)) / 2, rel=10 / theta + 1e-12)


@pytest.mark.parametrize("theta", [1e5, 1e9])
def test_wide_expectations_under_matern_one_half_are_first_moments(theta):
    """θ (1 - E k) -> E z , z ~ N(0, S): in polar coordinates √(π/2) times the mean of √(e'Se) over the circle."""
    angles = np.linspace(0, 2 * np.pi, 256, endpoint=False)  # periodic and smooth, so that 256 are exact
    e = np.column_stack([np.cos(angles), np.sin(angles)])
    first = math.sqrt(math.pi / 2) * np.sqrt(np.einsum("ij,jk,ik->i", e, C2, e)).mean()
    origin = np.zeros((1, 2))
    found = -theta * Matern(theta, nu=0.5).less_one(origin, C2, origin, None)[0, 0]
    assert found == pytest.approx(first, rel=10 / theta + 1e-9)  # the bandwidths left out below 1e-33 of θ² or so


def test_matern_one_half_is_laplacian_on_a_line():
    X, Y, S = points(9, 1), points(7, 1, seed=1), np.array([[0.3]])
    ours, other = Matern(1.3, nu=0.5), Laplacian(1.3)
    np.testing.assert_allclose(ours(X, Y), other(X, Y), rtol=1e-14)
    np.testing.assert_allclose(ours.expected(X, S, Y, None), other.expected(X, S, Y, None), atol=1e-14)
    assert ours.log_mass(1) == pytest.approx(other.log_mass(1), rel=1e-14)
    for theta in (50.0, 1e3, 1e9):  # on either side of where increments are taken
        wide, same = ours.with_bandwidth(theta), other.with_bandwidth(theta)
        assert mmd2(X, Y, wide) == pytest.approx(mmd2(X, Y, same), rel=1e-9)


def test_the_bandwidth_of_matern_comes_first():
    assert Matern(1.3) == Matern(bandwidth=1.3) == Matern(1.3, 1.5)
    assert Matern(2.5).bandwidth == 2.5
    assert Matern(nu=2.5).bandwidth is None


def test_matern_still_reads_calls_with_nu_first():
    assert Matern(2.5, 1.3) == Matern(nu=2.5, bandwidth=1.3) == Matern(2.5, bandwidth=1.3)
    assert Matern(2.5, None) == Matern(nu=2.5)
    assert Matern(nu=2.5, bandwidth=1.3).key[1:] == (("nu", 2.5), ("bandwidth", 1.3))
    assert repr(Matern(1.3, nu=2.5)) == "Matern(nu=2.5, bandwidth=1.3)"
    with pytest.raises(ValueError, match=naming("Matern.nu", "0.5", "1.5", "2.5", "1.4")):
        Matern(1.3, 1.4)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_integral_is_the_mass(d):
    """The integral is summed in spherical shells, for kernels that are integrable."""

    def shells(r, k):
        return r ** (d - 1) * k(np.eye(1, d) * r, np.zeros((1, d)))[0, 0]

    surface = 2 * math.pi ** (d / 2) / gamma(d / 2)
    for kernel in (Matern(0.8), Matern(0.9, nu=0.5), Matern(2.0, nu=2.5), RationalQuadratic(0.8, 4.0)):
        integral = sum(quad(shells, a, b, (kernel,), limit=200)[0] for a, b in ((0, 1), (1, 10), (10, np.inf)))
        assert kernel.log_mass(d) == pytest.approx(math.log(surface * integral), abs=1e-7)  # quad's 1e-8
    assert RationalQuadratic(1.0, d / 2).log_mass(d) is None
    theta = np.arange(1.0, d + 1)
    assert ARDGaussian(theta).log_mass(d) == pytest.approx(sum(Gaussian(t).log_mass(1) for t in theta), rel=1e-14)


@pytest.mark.parametrize(
    ("d", "alpha", "mass"),
    [
        (1, 1.0, math.pi * math.sqrt(2)),  # of 1 / (1 + x²/2): Cauchy's density but for its factor
        (2, 2.0, 4 * math.pi),  # of 1 / (1 + r²/4)²: -4π / (1 + r²/4) has the derivative 2πr k(r)
        (3, 2.0, 8 * math.pi**2),  # the same in space: π² a³ for 1 / (1 + r²/a²)²
        (3, 1.2, None),  # k falls like r^-2.4, and spheres grow like r²
    ],
)
def test_the_mass_of_a_rational_quadratic_by_elementary_integrals(d, alpha, mass):
    """The mass is finite for α between d/2 and d, where tails are heavy."""
    found = RationalQuadratic(0.7, alpha).log_mass(d)
    # some roundings of logarithms of at most 5
    assert found == (None if mass is None else pytest.approx(math.log(mass) + d * math.log(0.7), rel=1e-13))


# one bandwidth for each coordinate -----------------------------------------------------------------------------------


def test_bandwidths_that_are_equal_are_one():
    X, Y = points(6, 3), points(5, 3, seed=1)
    k, one = ARDGaussian([1.3] * 3), Gaussian(1.3)
    np.testing.assert_allclose(k(X, Y), one(X, Y), rtol=1e-13)
    np.testing.assert_allclose(k.expected(X, C3, Y, 0.3 * C3), one.expected(X, C3, Y, 0.3 * C3), rtol=1e-13)
    np.testing.assert_allclose(k.less_one(X, C3, Y, None), one.less_one(X, C3, Y, None), rtol=1e-13)


def test_expected_is_a_determinant_and_a_form():
    X, Y, theta, C, D = (
        points(4, 3),
        points(5, 3, seed=1),
        np.array([0.3, 1.0, 40.0]),
        C3,
        np.outer([1, 2, 0], [1, 2, 0]),
    )
    M = np.diag(theta**2) + C + D
    m = X[:, None] - Y
    forms = np.einsum("ijk,kl,ijl->ij", m, np.linalg.inv(M), m)
    exact = theta.prod() / np.sqrt(np.linalg.det(M)) * np.exp(-0.5 * forms)
    np.testing.assert_allclose(ARDGaussian(theta).expected(X, C, Y, D), exact, rtol=1e-12)


@pytest.mark.parametrize("units", [[1e-8, 1.0, 1e8], [1e8, 1e8, 1e-8]])
def test_units_of_the_coordinates_do_not_matter(units):
    X, units, theta = points(12, 3), np.array(units), np.array([0.5, 1.0, 2.0])
    k, scaled = ARDGaussian(theta), ARDGaussian(theta * units)
    np.testing.assert_allclose(scaled(X * units), k(X), rtol=1e-12)
    S = C3 * np.outer(units, units)
    np.testing.assert_allclose(scaled.expected(X * units, S, X * units, None), k.expected(X, C3, X, None), rtol=1e-12)
    chosen = ARDGaussian().select(X * units).bandwidths
    np.testing.assert_allclose(chosen, units * ARDGaussian().select(X).bandwidths, rtol=1e-12)
    np.testing.assert_allclose(MKME(scaled, 0.0).embed(X * units).norm(), MKME(k, 0.0).embed(X).norm(), rtol=1e-12)


def test_a_shift_loses_what_the_points_lost():
    X = points(8, 2)
    moved = X + np.array([1e6, -1e8])
    exact = ARDGaussian([0.3, 2.0])(moved - moved[0])
    np.testing.assert_allclose(ARDGaussian([0.3, 2.0])(moved), exact, rtol=1e-13)


def test_automatic_bandwidths_are_each_coordinate_s_median():
    X = points(9, 3) * [1.0, 10.0, 100.0]
    chosen = ARDGaussian().select(X)
    np.testing.assert_allclose(
        chosen.bandwidths, [math.sqrt(3) * median_bandwidth(X[:, l]) for l in range(3)], rtol=1e-15
    )
    assert ARDGaussian().select(X[:, 0]).bandwidths[0] == median_bandwidth(X[:, 0])
    with pytest.warns(ExplorerWarning, match=naming("column", "1", "X")):
        assert ARDGaussian().select(np.column_stack([X[:, 0], np.ones(9)])).bandwidths[1] == math.sqrt(2)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        (2.0, ValueError, "()"),
        ([[1.0]], ValueError, "(1, 1)"),
        ([], ValueError, "(0,)"),
        ([1.0, 0.0], ValueError, "0 1e-150"),
        ([1.0, -2.0], ValueError, "-2"),
        (["a"], TypeError, "bandwidths"),
    ],
)
def test_what_are_no_bandwidths_is_a_sentence(given, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        ARDGaussian(given)


def test_points_of_another_dimension_are_refused():
    with pytest.raises(ValueError, match=naming("X", "2", "3", "bandwidths")):
        ARDGaussian([1.0, 2.0, 3.0])(points(3, 2))
    for open_one in (ARDGaussian(), Matern(nu=2.5), RationalQuadratic()):
        with pytest.raises(ValueError, match="bandwidth"):
            open_one.expected(points(2, 2), C2, points(2, 2), None)


# noise ---------------------------------------------------------------------------------------------------------------

STATIONARY = [
    Matern(1.4),
    Matern(1.4, nu=0.5),
    RationalQuadratic(0.9, 0.5),
    ARDGaussian([0.7, 1.5, 3.0]),
    Gaussian(1.0) + Matern(2.0, nu=2.5),
]


@pytest.mark.parametrize("kernel", STATIONARY, ids=repr)
def test_means_over_noisy_pairs_are_those_of_gram_matrices(kernel):
    from explorer.kernels.noisy.pairs import NoisyPairs

    X = points(11, 3)
    fast, plain = kernel.noisy_pairs(X), NoisyPairs(kernel, X)
    for e in (np.zeros(3), np.array([0.3, 0.0, 1.2]), np.array([1e-4, 2.0, 50.0])):
        np.testing.assert_allclose(fast.drops(e[None]), plain.drops(e[None]), rtol=1e-12, atol=1e-14)
    variances = np.array([0.0, 1e-3, 0.5, 30.0])
    np.testing.assert_allclose(fast.isotropic(variances), plain.isotropic(variances), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("kernel", STATIONARY, ids=repr)
def test_the_score_s_gradient_is_a_difference_quotient(kernel):
    pairs, e, h = kernel.noisy_pairs(points(11, 3)), np.array([0.3, 0.2, 0.6]), 1e-5
    score, gradient = pairs.score_and_gradient(e)
    assert score == pytest.approx(pairs.score(pairs.drops(e[None]))[0], rel=1e-12)
    steps = [(pairs.score_and_gradient(e + u)[0] - pairs.score_and_gradient(e - u)[0]) / (2 * h) for u in h * np.eye(3)]
    np.testing.assert_allclose(gradient, steps, rtol=0, atol=1e-9)  # eps / h, and h² times third derivatives


@pytest.mark.thorough(default=["ARDGaussian*", "RationalQuadratic*"])
@pytest.mark.parametrize("kernel", STATIONARY, ids=repr)
def test_chosen_noise_and_its_risk(kernel):
    X = points(9, 3)
    sigma = MKME(kernel).select(X).sigma
    scores = MKME(kernel).loocv(X, [0.5 * sigma, sigma, 2 * sigma])
    assert scores[1] == scores.min()
    variances = MMKME(kernel).select(X).sigma ** 2
    assert MMKME(kernel).loocv(X, [np.sqrt(variances)])[0] <= scores[1] + 1e-12
    law, n = GaussianMixture.random(3, rng=0), 12
    losses = [MKME(kernel, 0.4).embed(law.sample(n, rng=seed)).distance(law.embed(kernel)) ** 2 for seed in range(25)]
    error = np.std(losses, ddof=1) / 5
    assert abs(np.mean(losses) - risk(MKME(kernel, 0.4), law, n)) < 4.5 * error  # P(|z| > 4.5) = 7e-6, seeds fixed


def test_a_multiple_has_the_same_noise_and_a_multiple_of_the_risk():
    X, law = points(9, 2), GaussianMixture.random(2, rng=0)
    assert MKME(5.0 * Gaussian(1.3)).select(X).sigma == pytest.approx(MKME(Gaussian(1.3)).select(X).sigma, rel=1e-6)
    for theta in (1.3, 1e4):
        five, one = (risk(MKME(k, 0.4), law, 9) for k in (5.0 * Gaussian(theta), Gaussian(theta)))
        assert five == pytest.approx(5 * one, rel=1e-9)
