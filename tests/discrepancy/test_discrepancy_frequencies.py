"""MMD^2 by frequencies, by moments, and without each row: each against another method of the library."""

import numpy as np
import pytest
from helpers.naming import naming
from scipy.special import hyp0f1

from explorer import Gaussian, Linear, Polynomial, mmd2
from explorer.discrepancy import moment_differences, spectral_difference, window, without_each
from explorer.discrepancy.mmd.frequencies import _bessel


def two(d, n=12, m=15, shift=0.4):
    rng = np.random.default_rng(d)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


@pytest.mark.thorough(default=["0.4-1", "0.4-3", "0.4-4", "0.4-7"])
@pytest.mark.parametrize("d", [1, 2, 3, 4, 7, 30])
@pytest.mark.parametrize("theta", [0.4, 2.0])
def test_the_integral_of_the_x_ray_is_the_biased_mmd2(d, theta):
    X, Y = two(d)
    nodes, weights = np.polynomial.legendre.leggauss(400)
    end = (np.sqrt(d) + 9) / theta  # beyond it is less than 1e-15 of a chi law
    w = end * (nodes + 1) / 2
    seen = window(w, theta, d)
    assert weights @ seen * end / 2 == pytest.approx(1, abs=1e-10)
    integral = weights @ (seen * spectral_difference(X, Y, w).difference) * end / 2
    # the spline of the Bessel functions of more than three dimensions is good to 1e-8
    assert integral == pytest.approx(mmd2(X, Y, Gaussian(theta), "biased"), abs=1e-10 if d < 4 else 3e-8)


def test_on_a_line_it_is_the_squared_difference_of_characteristic_functions():
    X, Y = two(1)
    by_hand = abs(np.exp(2j * X).mean() - np.exp(2j * Y).mean()) ** 2
    assert spectral_difference(X, Y, [2.0]).difference[0] == pytest.approx(by_hand)


def test_the_mean_over_directions_is_a_hypergeometric_function():
    """0F1(d/2, -t²/4), from arguments t that have a series of their own to those of Bessel functions."""
    for d in (4, 7, 60):
        t = np.append(np.linspace(0, 2e-3 * d, 9), [1.0, 5.0])
        np.testing.assert_allclose(_bessel(t, d), hyp0f1(d / 2, -(t**2) / 4), rtol=0, atol=1e-13)


def test_directions_are_averaged():
    X, Y = two(5)
    u = np.random.default_rng(0).normal(size=(20000, 5))
    u *= 1.5 / np.linalg.norm(u, axis=1, keepdims=True)
    drawn = abs(np.exp(1j * X @ u.T).mean(axis=0) - np.exp(1j * Y @ u.T).mean(axis=0)) ** 2
    assert abs(drawn.mean() - spectral_difference(X, Y, [1.5]).difference[0]) < 5 * drawn.std() / 20000**0.5


@pytest.mark.parametrize("d", [1, 3])
def test_chance_is_the_mean_over_splits(d):
    X, Y = two(d, 3, 3)
    from itertools import combinations

    P = np.vstack([X, Y])
    found = [
        spectral_difference(P[list(i)], np.delete(P, i, axis=0), [1.3]).difference[0] for i in combinations(range(6), 3)
    ]
    assert spectral_difference(X, Y, [1.3]).chance[0] == pytest.approx(np.mean(found))


@pytest.mark.parametrize(
    "kernel", [Linear(), Linear(2.0), Polynomial(2), Polynomial(3, 0.5), Polynomial(3, 0.0)], ids=str
)
def test_moments_add_up_to_the_biased_mmd2(kernel):
    X, Y = two(3)
    parts = moment_differences(X, Y, kernel)
    assert len(parts) == kernel.degree
    assert parts.sum() == pytest.approx(mmd2(X, Y, kernel, "biased"))
    offset = kernel.offset
    means = np.sum((X.mean(0) - Y.mean(0)) ** 2) * {1: 1, 2: 2 * offset, 3: 3 * offset**2}[kernel.degree]
    assert parts[0] == pytest.approx(means)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Polynomial(2)], ids=str)
def test_without_each_row_is_the_statistic_without_it(statistic, kernel):
    X, Y = two(2, 5, 7)
    found = without_each(X, Y, kernel, statistic)
    left = [mmd2(np.delete(X, i, 0), Y, kernel, statistic) for i in range(5)]
    left += [mmd2(X, np.delete(Y, i, 0), kernel, statistic) for i in range(7)]
    assert found == pytest.approx(left, rel=1e-10, abs=1e-13)


def test_refusals():
    X, Y = two(2)
    with pytest.raises(ValueError, match="above 0"):
        spectral_difference(X, Y, [0.0, 1.0])
    with pytest.raises(TypeError, match=naming("Linear", "Polynomial")):
        moment_differences(X, Y, Gaussian(1.0))
    with pytest.raises(ValueError, match="at least 3"):
        without_each(X[:2], Y)
