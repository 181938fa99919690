"""Noisy copies and density estimates: other methods for a marginalized estimate, for any noise and any covariance."""

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import vectors
from scipy.special import ndtr

from explorer import KME, MKME, MMKME, Embedding, Gaussian, GaussianMixture, Laplacian, Polynomial, StudentT, risk
from explorer.estimators import NoisySample, other_noise
from explorer.estimators.marginalized.noise import NOISES, cell_masses, corrupted, density
from explorer.estimators.marginalized.noises import _mean_of
from explorer.kernels.laplacian_noise import one_dimension

X = vectors(6)
Y = vectors(4, seed=1)


# noisy copies
# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", NOISES)
def test_copies_scatter_around_their_points_with_the_deviation_that_was_asked_for(noise):
    sigma, copies = np.array([0.5, 2.0, 0.0]), 4000
    many = corrupted(X, sigma, copies, rng=0, noise=noise).reshape(6, copies, 3)
    apart = (many - X[:, None]).reshape(-1, 3)
    np.testing.assert_array_equal(apart[:, 2], 0.0)
    for l in (0, 1):
        z = apart[:, l] / sigma[l]
        for power, exact in ((1, 0.0), (2, 1.0)):
            assert abs(np.mean(z**power) - exact) < 4.5 * np.std(z**power) / np.sqrt(len(z))
    assert abs(np.corrcoef(apart[:, 0], apart[:, 1])[0, 1]) < 4.5 / np.sqrt(len(apart))
    np.testing.assert_array_equal(
        corrupted(X, 0.3, 3, rng=7, noise=noise), corrupted(X, [0.3] * 3, 3, rng=7, noise=noise)
    )


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Laplacian(2.5), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("estimator", [MKME(sigma=0.8), MMKME(sigma=[1.0, 0.2, 0.0])], ids=["MKME", "MMKME"])
def test_the_average_over_copies_tends_to_the_closed_form(kernel, estimator):
    """Each value is a mean of independent copies: within 4.5 standard errors of the estimate's."""
    copies = 5000
    many = corrupted(X, estimator.sigma, copies, rng=1)
    values = kernel(many, Y).reshape(6, copies, 4)
    error = np.sqrt((values.var(axis=1) / copies).sum(axis=0)) / 6
    gap = values.mean(axis=(0, 1)) - estimator.replace(kernel=kernel).embed(X)(Y)
    assert (np.abs(gap) < 4.5 * error).all()


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Laplacian(2.5)], ids=repr)
def test_how_far_the_average_over_copies_is(kernel):
    """|average - μ̃|^2 is (1 - E k(x + u, x + v)) / (n copies) on average: the mean of 400 runs, seeds fixed."""
    estimate, origin, D = MKME(kernel, 0.8).embed(X), np.zeros((1, 3)), 0.64 * np.eye(3)
    square, runs = estimate.norm() ** 2, []
    for seed in range(400):
        many = corrupted(X, 0.8, 4, rng=seed)
        runs.append(kernel(many).mean() - 2 * estimate(many).mean() + square)
    exact = (1 - kernel.expected(origin, D, origin, D)[0, 0]) / 24
    assert abs(np.mean(runs) - exact) < 4.5 * np.std(runs) / 20


def uniform(kernel, delta, sigma):
    """E k(δ + u) under the Gaussian kernel for u uniform on [-a, a], a = σ √3: a difference of normal probabilities."""
    theta, a = kernel.bandwidth, sigma * np.sqrt(3)
    return theta * np.sqrt(2 * np.pi) / (2 * a) * (ndtr((delta + a) / theta) - ndtr((delta - a) / theta))


def laplace(kernel, delta, sigma):
    """Return the expected kernel for Laplace noise of scale b = σ/√2: kernel and noise change places.

    E exp(-|z|/b), z ~ N(δ, θ^2).
    """
    theta, b = kernel.bandwidth, sigma / np.sqrt(2)
    return theta * np.sqrt(2 * np.pi) / (2 * b) * one_dimension(delta / b, theta / b)


def student(kernel, delta, sigma):
    """Return the expected kernel for Student's t with 5 degrees of freedom, from its exact embedding."""
    return StudentT(5.0, [0.0], sigma**2 * 3 / 5).embed(kernel)(delta.reshape(-1, 1)).reshape(delta.shape)


@pytest.mark.parametrize("closed", [uniform, laplace, student])
def test_other_noises_against_their_closed_forms(closed):
    kernel, x, y, copies = Gaussian(0.9), X[:, :1], np.array([[0.0], [1.5], [-2.0]]), 20_000
    values = kernel(corrupted(x, 1.1, copies, rng=2, noise=closed.__name__), y).reshape(6, copies, 3)
    exact = closed(kernel, x - y.T, 1.1)
    assert (np.abs(values.mean(axis=1) - exact) < 4.5 * values.std(axis=1) / np.sqrt(copies)).all()
    gaussian = MKME(kernel, 1.1).embed(x)(y)
    assert np.abs(exact.mean(axis=0) - gaussian).max() > 1e-3  # and it is another estimate than with Gaussian noise


def test_pairs_of_uniform_noises_by_quadrature():
    """The noises are independent and uniform on [-s √3, s √3]: Gauss and Legendre's rule of 40 nodes, squared."""
    Z, s = np.array([[0.0], [0.7], [2.5]]), np.array([0.3, 1.2])
    moments = other_noise(NoisySample(Gaussian(0.9), Z), "uniform")(s)
    nodes, weights = np.polynomial.legendre.leggauss(40)
    for i, a in enumerate(np.sqrt(3) * s):
        moved = (Z + a * nodes).reshape(-1, 1)  # each point under each noise
        pairs = Gaussian(0.9)(moved).reshape(3, 40, 3, 40)
        means = np.einsum("iajb,a,b->ij", pairs, weights / 2, weights / 2)
        off = ~np.eye(3, dtype=bool)
        assert (moments.both[i], moments.same[i]) == pytest.approx((means[off].mean(), means.trace() / 3), rel=1e-9)


# the density whose embedding it is
# -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Gaussian(0.1), Laplacian(2.5)], ids=repr)
@pytest.mark.parametrize("sigma", [0.0, 0.4, (0.5, 0.1, 0.0)])
def test_the_estimate_is_the_embedding_of_a_density(kernel, sigma):
    make = MKME if np.ndim(sigma) == 0 else MMKME
    estimate, of_density = make(kernel, sigma).embed(X), density(X, sigma).embed(kernel)
    assert estimate.distance(of_density) < 3e-8  # the root of rounding
    np.testing.assert_allclose(estimate(Y), of_density(Y), rtol=1e-12)


def test_the_density_is_a_kernel_density_estimate():
    apart = ((Y[:, None] - X) ** 2).sum(axis=-1)
    exact = np.log(np.mean(np.exp(-apart / (2 * 0.16)), axis=1) / (2 * np.pi * 0.16) ** 1.5)
    np.testing.assert_allclose(density(X, 0.4).logpdf(Y), exact, rtol=1e-12)


# a covariance for every point
# ------------------------------------------------------------------------------------------------


def covariances(n, seed=5):
    A = 0.4 * np.random.default_rng(seed).normal(size=(n, 3, 3))
    return A @ A.transpose(0, 2, 1)


def gaussian_of(delta, S, theta):
    """Paper 000, (26) and (27): θ^d |S + θ^2 I|^(-1/2) exp(-δ'(S + θ^2 I)^(-1)δ/2)."""
    W = S + theta**2 * np.eye(3)
    return theta**3 / np.sqrt(np.linalg.det(W)) * np.exp(-delta @ np.linalg.solve(W, delta) / 2)


def test_the_score_with_a_covariance_for_every_point():
    """Eq. (25), with L_ij instead of the printed L_ji, which takes the noise of the wrong point (erratum 7).

    Against n refits, each an Embedding with the covariances of the others (24).
    """
    k, C, n = Gaussian(1.3), covariances(6), 6
    refits = []
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        left_out = Embedding(k, X[i : i + 1], [1.0])
        refits.append(left_out.distance(Embedding(k, X[rest], np.full(n - 1, 1 / (n - 1)), C[rest])) ** 2)
    L = np.array([[gaussian_of(X[i] - X[j], C[j], 1.3) for j in range(n)] for i in range(n)])
    Q = np.array([[gaussian_of(X[i] - X[j], C[i] + C[j], 1.3) for j in range(n)] for i in range(n)])
    others = 1 - np.eye(n)

    def score(L):
        squares = [others[i] @ Q @ others[i] for i in range(n)]
        return 1 - 2 * (L * others).sum() / (n * (n - 1)) + np.mean(squares) / (n - 1) ** 2

    assert score(L) == pytest.approx(np.mean(refits), rel=1e-12)
    # summed over all i and j both are alike: the printed form differs at each point, and in sums over some of them
    assert score(L.T) == pytest.approx(score(L), rel=1e-12)
    assert np.abs((L * others).sum(axis=1) - (L.T * others).sum(axis=1)).max() > 1e-3
    assert MKME(k).loocv(X, [0.5])[0] == pytest.approx(
        score_of_common(k, np.broadcast_to(0.25 * np.eye(3), (n, 3, 3))), rel=1e-12
    )


def score_of_common(k, C):
    """(24) by embeddings that hold a covariance for every point."""
    n, total = len(X), 0.0
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        others = Embedding(k, X[rest], np.full(n - 1, 1 / (n - 1)), C[rest])
        total += Embedding(k, X[i : i + 1], [1.0]).distance(others) ** 2
    return total / n


def test_expected_kernels_of_single_points_against_monte_carlo():
    """L_ij is E k(x_i, x_j + u), u ~ N(0, Σ_j), and Q_ij has both noises, independent copies for i = j too (errata 7
    and 9).
    """
    k, C, rng, draws = Gaussian(1.3), covariances(2), np.random.default_rng(0), 40_000
    u, v, w = (rng.multivariate_normal(np.zeros(3), S, draws) for S in (C[0], C[1], C[0]))
    x, y = X[:2]

    def mean(a, b):
        values = np.exp(-((a - b) ** 2).sum(axis=-1) / (2 * 1.69))
        return values.mean(), 4.5 * values.std() / np.sqrt(draws)

    for (found, error), exact in (
        (mean(x, y + v), k.expected(x[None], None, y[None], C[1])),
        (mean(y, x + u), k.expected(y[None], None, x[None], C[0])),
        (mean(x + u, y + v), k.expected(x[None], C[0], y[None], C[1])),
        (mean(x + u, x + w), k.expected(x[None], C[0], x[None], C[0])),
    ):
        assert abs(found - exact[0, 0]) < error
    assert k.expected(x[None], None, y[None], C[1])[0, 0] != pytest.approx(gaussian_of(x - y, C[0], 1.3), rel=1e-3)


# what is refused
# -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said", "ask"),
    [
        (
            ValueError,
            naming("gaussian", "laplace", "student", "uniform", "'cauchy'"),
            lambda: corrupted(X, 0.1, noise="cauchy"),
        ),
        (ValueError, naming("copies", "1", "0"), lambda: corrupted(X, 0.1, 0)),
        (ValueError, naming("sigma", "-0.1", "0"), lambda: corrupted(X, [0.1, 0.2, -0.1])),
        (ValueError, naming("sigma", "(2,)", "3"), lambda: density(X, [0.1, 0.2])),
        (TypeError, naming("rng", "whole"), lambda: corrupted(X, 0.1, rng="x")),
    ],
)
def test_bad_input_gets_a_sentence(error, said, ask):
    with pytest.raises(error, match=said):
        ask()


def test_a_law_with_noise_loses_what_the_density_of_one_point_does():
    """n = 1: the risk is the mean over x of |N(x, σ^2 I) - P|^2 in the RKHS."""
    P, k = GaussianMixture([0.5, 0.5], [[0.0], [1.0]], [[0.0]]), Gaussian(1.0)
    mean = np.mean([density([[x]], 0.5).embed(k).distance(P.embed(k)) ** 2 for x in (0.0, 1.0)])
    assert risk(MKME(k, 0.5), P, 1) == pytest.approx(mean, rel=1e-12)
    assert risk(MKME(k, 0.0), P, 1) == pytest.approx(risk(KME(k), P, 1), rel=1e-12)


def test_cells_hold_the_mass_of_the_density():
    plane, deviations = X[:, :2], np.array([[0.3, 0.8], [1e-12, 2.0], [0.0, 0.0]])
    x, y = np.linspace(-50, 50, 7), np.linspace(-60, 60, 5)
    masses = cell_masses(plane, deviations, x, y)
    assert masses.shape == (3, 6, 4)
    assert masses.sum(axis=(1, 2)) == pytest.approx(1)
    for row, column in ((0, 1), (2, 3)):
        first, second = (
            np.diff(ndtr((edges[[i, i + 1]] - plane[:, [j]]) / deviations[0, j]))[:, 0]
            for j, (edges, i) in enumerate(((x, row), (y, column)))
        )
        assert masses[0, row, column] == pytest.approx((first * second).mean(), abs=1e-15)
    counted = np.histogram2d(*plane.T, bins=(x, y))[0] / len(plane)
    assert masses[2] == pytest.approx(counted)  # without noise the points are counted
    assert cell_masses(plane, np.array([[0.5]]), x, y) == pytest.approx(
        cell_masses(plane, np.array([[0.5, 0.5]]), x, y)
    )


def test_uniform_noise_under_a_turned_gaussian_by_quadrature():
    """E k(x + u, z) = θ² |S|^(-1/2) E exp(-(x + u - m)'S^-1(x + u - m) / 2) for z ~ N(m, C), S = C + θ² I."""
    X, m, C, theta, a = np.array([[0.3, -0.8], [1.1, 0.4]]), np.array([0.2, 0.1]), [[0.5, 0.3], [0.3, 0.8]], 0.7, 0.9
    S = theta**2 * np.eye(2) + C
    places, weights = np.polynomial.legendre.leggauss(40)
    u = a * np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2)
    w = X[:, None] + u - m
    k = theta**2 / np.sqrt(np.linalg.det(S)) * np.exp(-0.5 * np.einsum("nua,ab,nub->nu", w, np.linalg.inv(S), w))
    expected = float((k @ np.outer(weights, weights).ravel()).mean()) / 4
    assert _mean_of(X, theta, a, (1.0, m, np.array(C))) == pytest.approx(expected, rel=1e-12)


def test_a_wrong_deviation_is_the_one_that_is_named():
    with pytest.raises(ValueError, match="holds -1"):
        MMKME(Gaussian(1.0)).loocv([0.0, 1.0, 3.0], [[-1.0], [2.0]])
    with pytest.raises(ValueError, match=r"holds 1e\+200"):
        MMKME(Gaussian(1.0)).loocv([0.0, 1.0, 3.0], [[0.0], [1e200]])
