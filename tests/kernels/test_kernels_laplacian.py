"""The Laplacian kernel and its closed form, in every regime."""

from itertools import pairwise

import numpy as np
import pytest
from covariances import C2, points
from helpers.naming import naming
from scipy.integrate import quad
from scipy.special import erf, erfcx

from explorer import Laplacian, median_bandwidth
from explorer.kernels.laplacian_noise import one_dimension

# the kernel ---------------------------------------------------------------------------------------------------------


def test_scikit_learn_agrees():
    from sklearn.metrics.pairwise import laplacian_kernel

    X, Y = points(20, 5), points(12, 5, 1)
    np.testing.assert_allclose(Laplacian(2.5)(X, Y), laplacian_kernel(X, Y, gamma=1 / 2.5), rtol=1e-14)


def test_select_is_the_median_of_the_absolute_distances():
    X = points(10, 3)
    assert Laplacian().select(X) == Laplacian(median_bandwidth(X, metric="cityblock"))
    assert Laplacian(2.0).select(X) == Laplacian(2.0)


def test_without_a_sample_a_bandwidth_is_asked_for():
    one = np.zeros((1, 2))
    for ask in (lambda k: k.expected(one, C2, one, None), lambda k: k.of_pairs(np.zeros((1, 1)))):
        with pytest.raises(ValueError, match=naming("Laplacian(θ)")):
            ask(Laplacian())


# one dimension ------------------------------------------------------------------------------------------------------


def integral(m, s):
    """E exp(-|z|), z ~ N(m, s^2), by adaptive quadrature around the peaks of its two halves."""

    def density(z):
        return np.exp(-0.5 * ((z - m) / s) ** 2 - abs(z)) / (s * np.sqrt(2 * np.pi))

    peak = max(m - s * s, 0.0)
    width = min(s, 1 / max(1.0, abs(m) / s**2 - 1) if s > 1 else s)
    cuts = sorted({0.0, *(peak + c * w for w in (width, s, 1.0) for c in (-40, -10, -3, -1, 0, 1, 3, 10, 40))})
    return sum(quad(density, a, b, epsabs=0, epsrel=1e-13, limit=200)[0] for a, b in pairwise(cuts))


@pytest.mark.parametrize("s", [1e-3, 0.1, 1.0, 3.0, 20.0])
@pytest.mark.parametrize("m", [0.0, 1e-3, 0.5, 1.0, 3.0, 10.0, 30.0])
def test_the_closed_form_by_quadrature(m, s):
    # quad's 1e-13 of each piece, and the exponent's rounding, some 30 eps
    assert one_dimension(np.array(m), s) == pytest.approx(integral(m, s), rel=1e-11)
    assert one_dimension(np.array(-m), s) == one_dimension(np.array(m), s)


def test_the_branches_meet():
    """At |m| = s^2, where the peak of the near half reaches zero."""
    for s in (0.01, 1.0, 7.0):
        below, at, above = one_dimension(s**2 * np.array([1 - 1e-9, 1.0, 1 + 1e-9]), s)
        slope = (below - above) / 2
        assert below - at == pytest.approx(slope, abs=1e-14 * at)


def test_where_the_textbook_form_holds_it_is_the_same():
    """(1/2) e^(-q^2/2) (erfcx((s - q)/√2) + erfcx((s + q)/√2)): overflow begins at q - s = 37."""
    m, s = np.linspace(-5, 5, 41), 0.9
    q = m / s
    textbook = 0.5 * np.exp(-(q**2) / 2) * (erfcx((s - q) / np.sqrt(2)) + erfcx((s + q) / np.sqrt(2)))
    np.testing.assert_allclose(one_dimension(m, s), textbook, rtol=1e-13)


@pytest.mark.parametrize("m", [0.0, 1e-8, 1.0, 300.0])
def test_a_small_variance_tends_to_a_point(m):
    np.testing.assert_array_equal(one_dimension(np.array([m]), 0.0), np.exp(-m))
    for s in (1e-300, 1e-20, 1e-10):
        # 1 - s √(2/π) at worst, at m = 0
        np.testing.assert_allclose(one_dimension(np.array([m]), s), np.exp(-m), rtol=s + 1e-15)


def test_a_large_variance_leaves_the_density_at_zero():
    """E exp(-|z|) -> 2 p(0): the kernel's integral is 2."""
    for s in (1e4, 1e8, 1e150):
        assert one_dimension(np.array(s), s) == pytest.approx(2 * np.exp(-0.5) / (s * np.sqrt(2 * np.pi)), rel=1e-7)


def test_far_away_it_is_zero_and_not_nan():
    m = np.array([0.0, 1.0, 1e10, 1e200, np.inf])
    for s in (1e-300, 1e-5, 1.0, 1e5, 1e150, 1e300):
        value = one_dimension(m, s)
        assert ((value >= 0) & (value <= 1)).all()
        assert (np.diff(value) <= 0).all()


# diagonal covariances ------------------------------------------------------------------------------------------------


def test_a_diagonal_covariance_is_a_product():
    X, Y, v = points(5, 3), points(4, 3, 1), np.array([0.5, 0.0, 2.0])
    k = Laplacian(1.7)
    product = np.prod(
        [Laplacian(1.7).expected(X[:, l : l + 1], v[l : l + 1, None], Y[:, l : l + 1], None) for l in range(3)], 0
    )
    values, errors = k.expected_with_error(X, np.diag(v), Y, None)
    np.testing.assert_allclose(values, product, rtol=1e-15)
    np.testing.assert_array_equal(errors, 0.0)
    np.testing.assert_array_equal(k.expected(X, np.diag(v), Y, None), values)
    np.testing.assert_allclose(k.expected(X, np.diag(v) / 4, Y, 3 * np.diag(v) / 4), values, rtol=1e-14)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_it_stands_beside_its_neighbours_without_a_closed_form(d):
    """An off-diagonal of 1e-9 needs the integral instead of the closed form, and hardly changes the value."""
    X, v = points(6, d), np.linspace(0.3, 2.0, d)
    off = 1e-9 * (np.ones((d, d)) - np.eye(d))
    closed, near = (Laplacian(1.3).expected_with_error(X, np.diag(v) + S, X, None) for S in (0, off))
    np.testing.assert_allclose(near[0], closed[0], rtol=1e-8)  # the weights are constant up to 1e-9
    assert (near[1] <= 1e-8).all()


def test_under_a_wide_bandwidth_two_moments_are_left():
    """E exp(-|z|) - 1 = -E|z| + E z² / 2 - ..., with the folded normal law's E|z|, here to 1e-6 of E|z|."""
    m, s = np.array([[0.0, 0.0], [5e-7, 2e-7], [1e-6, 0.0]]), np.array([6e-7, 1.5e-6])
    z = s * np.sqrt(2 / np.pi) * np.exp(-(m**2) / (2 * s**2)) + m * erf(m / (s * np.sqrt(2)))
    a, b = (-z + (m**2 + s**2) / 2).T
    found = Laplacian(1.0).less_one(m, np.diag(s**2), np.zeros((1, 2)), None)[:, 0]
    np.testing.assert_allclose(found, a + b + a * b, rtol=1e-11)


def test_noise_of_one_coordinate_has_slopes_of_one_alone():
    """Where the other one has no noise, the mean of k over pairs still grows with this one's noise as it says."""
    X = points(6, 2)
    pairs, v, step = Laplacian(1.3).noisy_pairs(X), np.array([0.4, 0.0]), np.array([1e-5, 0.0])
    _, _, slope, same = pairs.derivatives(v)
    (high, above), (low, below) = pairs.noisy(v + step), pairs.noisy(v - step)
    assert slope[0] == pytest.approx((high - low) / 2e-5, rel=1e-6)
    assert same[0] == pytest.approx((above - below) / 2e-5, rel=1e-6)
    assert np.isfinite([slope, same]).all()
