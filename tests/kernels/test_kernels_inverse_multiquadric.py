"""The inverse multiquadric kernel: the rational quadratic in other units, its noise, and its derivatives."""

import math

import numpy as np
import pytest
from covariances import C2, C3, points
from helpers.naming import naming
from scipy.integrate import quad

from explorer import KME, MKME, Gaussian, InverseMultiquadric, Laplacian, RationalQuadratic, median_bandwidth
from explorer.kernels.noisy.pairs import NoisyPairs

EPS = np.finfo(float).eps
KERNELS = [InverseMultiquadric(1.4), InverseMultiquadric(0.7, -0.9), InverseMultiquadric(20.0, -2.5)]
every_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=repr)


def rational(kernel):
    """Return a number and the kernel that it is a multiple of."""
    alpha = -kernel.exponent
    return kernel.scale ** (-2 * alpha), RationalQuadratic(kernel.scale / math.sqrt(2 * alpha), alpha)


@every_kernel
def test_it_is_a_multiple_of_the_rational_quadratic(kernel):
    X, Y = points(6, 2), points(5, 2, seed=1)
    height, other = rational(kernel)
    square = ((X[:, None] - Y) ** 2).sum(-1)
    np.testing.assert_allclose(kernel(X, Y), (kernel.scale**2 + square) ** kernel.exponent, rtol=20 * EPS)
    np.testing.assert_allclose(kernel.diagonal(X), height, rtol=4 * EPS)
    np.testing.assert_allclose(kernel.expected(X, C2, Y, None), (height * other).expected(X, C2, Y, None), rtol=1e-13)
    np.testing.assert_allclose(kernel.less_one(X, C2, Y, C2), (height * other).less_one(X, C2, Y, C2), rtol=1e-13)


def test_its_scale_is_the_median_distance():
    X = points(20, 3)
    assert InverseMultiquadric().select(X) == InverseMultiquadric(median_bandwidth(X))
    assert InverseMultiquadric(exponent=-0.9).select(X).exponent == -0.9


@every_kernel
def test_means_over_noisy_pairs_are_those_of_gram_matrices(kernel):
    X = points(11, 3)
    fast, plain = kernel.noisy_pairs(X), NoisyPairs(kernel, X)
    e = np.array([[0.3, 0.0, 1.2], [1e-4, 2.0, 50.0]])
    height = kernel.diagonal(X)[0]
    np.testing.assert_allclose(fast.drops(e), plain.drops(e), rtol=1e-12, atol=1e-14 * height)
    variances = np.array([0.0, 1e-3, 0.5, 30.0])
    np.testing.assert_allclose(fast.isotropic(variances), plain.isotropic(variances), rtol=1e-12, atol=1e-14 * height)


@every_kernel
def test_a_multiple_of_a_kernel_has_the_same_best_noise(kernel):
    X = points(15, 2)
    other = rational(kernel)[1]
    assert MKME(kernel).select(X).sigma == pytest.approx(MKME(other).select(X).sigma, rel=1e-6)  # a search's own end


def test_an_embedding_has_the_kernel_s_unit():
    X = points(12, 2)
    kernel = InverseMultiquadric(1.3, -0.7)
    height, other = rational(kernel)
    here, there = KME(kernel).embed(X), KME(other).embed(X)
    assert here.norm() ** 2 == pytest.approx(height * there.norm() ** 2, rel=1e-13)
    np.testing.assert_allclose(here(C2), height * there(C2), rtol=1e-13)


def test_its_integral_is_the_mass():
    kernel = InverseMultiquadric(0.8, -2.0)
    value, _ = quad(lambda r: kernel([[r]], [[0.0]])[0, 0], -np.inf, np.inf)
    assert kernel.log_mass(1) == pytest.approx(math.log(value), abs=1e-8)  # quad's own
    assert InverseMultiquadric(1.0, -0.5).log_mass(1) is None


RADIAL = [*KERNELS, Gaussian(1.3), RationalQuadratic(0.8, 0.6), InverseMultiquadric(1e-3), Gaussian(50.0)]


@pytest.mark.parametrize("kernel", RADIAL, ids=repr)
def test_its_derivatives_by_squared_distances_are_difference_quotients(kernel):
    """One of the value, and one of the first derivative."""
    S = np.array([[1e-8, 1e-3, 0.5], [1.0, 7.0, 200.0]])
    h = 1e-4 * np.minimum(S, 1.0)
    value, first, second = kernel.radial(S)
    (above, rise, _), (below, fall, _) = kernel.radial(S + h), kernel.radial(S - h)
    np.testing.assert_allclose(value, kernel.of_pairs(S), rtol=4 * EPS)
    # h² of the third derivative, and eps / h of the value where the kernel hardly changes
    slack = 1e-7 + 10 * EPS * value / (h * np.abs(first))
    assert (np.abs((above - below) / (2 * h) / first - 1) < slack).all()
    slack = 1e-7 + 10 * EPS * np.abs(first) / (h * second)
    assert (np.abs((rise - fall) / (2 * h) / second - 1) < slack).all()


def test_a_kernel_that_is_not_smooth_has_no_derivatives():
    with pytest.raises(ValueError, match=naming("Laplacian(bandwidth=1.0)", "Stein", "Gaussian()")):
        Laplacian(1.0).radial(np.ones((1, 1)))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: InverseMultiquadric(0.0), "InverseMultiquadric.scale"),
        (lambda: InverseMultiquadric(1.0, 0.5), "InverseMultiquadric.exponent -2.5 -0.001"),
        (lambda: InverseMultiquadric(1.0, 0.0), "InverseMultiquadric.exponent"),
        (lambda: InverseMultiquadric().expected(C3, C3, C3, None), "scale scale=s"),
        (lambda: InverseMultiquadric().log_mass(1), "scale scale=s"),
    ],
)
def test_what_it_does_not_take(make, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        make()
