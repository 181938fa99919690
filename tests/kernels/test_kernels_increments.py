"""Increments k_o(x, y) = k(x, y) - k(x, o) - k(o, y) + k(o, o) against the difference itself in sixty digits."""

from decimal import Decimal, localcontext
from math import prod

import numpy as np
import pytest
from kernels_and_estimators import GRAM_ROWS, vectors

from explorer import (
    ARDGaussian,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
)
from explorer.kernels import KernelProduct, KernelSum
from explorer.kernels.increments import Increments


def inner(x, y):
    return sum(a * b for a, b in zip(x, y, strict=True))


def root(x):
    return inner(x, x).sqrt()


def less(x, y):
    return [a - b for a, b in zip(x, y, strict=True)]


# each kernel's own line, in decimals
LINES = {
    Gaussian: lambda k, x, y: (-inner(less(x, y), less(x, y)) / (2 * Decimal(k.bandwidth) ** 2)).exp(),
    Laplacian: lambda k, x, y: (-sum(abs(d) for d in less(x, y)) / Decimal(k.bandwidth)).exp(),
    Linear: lambda k, x, y: inner(x, y) + Decimal(k.offset),
    Polynomial: lambda k, x, y: (inner(x, y) + Decimal(k.offset)) ** k.degree,
    Exponential: lambda k, x, y: (inner(x, y) / Decimal(k.scale)).exp(),
    Energy: lambda k, x, y: (root(x) + root(y) - root(less(x, y))) / 2,
    ARDGaussian: lambda k, x, y: (
        -sum((d / Decimal(float(t))) ** 2 for d, t in zip(less(x, y), k.bandwidths, strict=True)) / 2
    ).exp(),
    Matern: lambda k, x, y: matern(k, root(less(x, y)) / Decimal(k.bandwidth)),
    RationalQuadratic: lambda k, x, y: (
        -Decimal(k.alpha)
        * (1 + inner(less(x, y), less(x, y)) / (2 * Decimal(k.alpha) * Decimal(k.bandwidth) ** 2)).ln()
    ).exp(),
    InverseMultiquadric: lambda k, x, y: (
        Decimal(k.exponent) * (Decimal(k.scale) ** 2 + inner(less(x, y), less(x, y))).ln()
    ).exp(),
    KernelSum: lambda k, x, y: sum(Decimal(a) * LINES[type(term)](term, x, y) for a, term in k.terms),
    KernelProduct: lambda k, x, y: prod(LINES[type(factor)](factor, x, y) for factor in k.factors),
}


def matern(k, r):
    z = (2 * Decimal(k.nu)).sqrt() * r
    return (1 + z + (z * z / 3 if k.nu == 2.5 else 0)) * (-z).exp()


# a kernel, and by what the points are multiplied and moved: places where its values agree in seven digits and more
CASES = [
    (Gaussian(1e7), 1.0, 0.0), (Gaussian(1e12), 1.0, 1e3), (Gaussian(30.0), 1.0, 1e8), (Gaussian(1.0), 1e-9, 0.0),
    (Laplacian(1e7), 1.0, 0.0), (Laplacian(1e12), 1.0, 1e3), (Laplacian(1.0), 1e-9, 5.0),
    (Linear(), 1.0, 1e9), (Linear(3.0), 1.0, -1e12), (Linear(1.0), 1e-9, 0.0),
    (Polynomial(2), 1.0, 1e9), (Polynomial(3), 1.0, 1e9), (Polynomial(5), 1.0, 1e6), (Polynomial(3), 1e-9, 0.0),
    (Polynomial(2, 0.0), 1e3, 1e10), (Exponential(1e14), 1.0, 1e3), (Exponential(1e9), 1.0, 0.0),
    (Energy(), 1.0, 1e9), (Energy(), 1e-6, 1e6),
    (Matern(1e7), 1.0, 0.0), (Matern(1e9, nu=2.5), 1.0, 1e3), (RationalQuadratic(1e6, 0.3), 1.0, 0.0),
    (InverseMultiquadric(1e6), 1.0, 0.0), (InverseMultiquadric(30.0, -0.9), 1.0, 1e8),
    (ARDGaussian([1e6, 1e7, 1e12]), 1.0, 1e3),
    # the other terms keep their digits next to the large one
    (Gaussian(1.0) + Linear(), 1.0, 1e9), (Gaussian(1e7) + 3.0 * Matern(1e8, nu=2.5), 1.0, 0.0),
    (2.0 * Polynomial(2), 1.0, 1e9), (Laplacian(0.7) + Energy() + Polynomial(3), 1.0, 1e6),
    (Gaussian(1e7) * Linear(1.0), 1e-3, 0.0), (Linear() * Linear(2.0), 1.0, 1e9), (Gaussian(1.5) * Linear(), 1.0, 1e9),
    (Energy() * Polynomial(2) * Gaussian(1e4), 1.0, 1e8), ((Gaussian(1e8) + Linear()) * Linear(1.0), 1.0, 1e9),
    (Gaussian(1e6) * ARDGaussian([1e6, 1e7, 1e12]), 1.0, 1e3), (Exponential(1e14) * Linear(), 1.0, 1e3),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "times", "moved"), CASES, ids=lambda value: repr(value))
def test_increments_have_the_digits_that_the_difference_loses(kernel, times, moved):
    points = moved + times * vectors(7)
    contrast = kernel.contrast(points)
    assert isinstance(contrast, Increments)
    found = contrast(points)
    with localcontext() as context:
        context.prec = 60
        rows = [[Decimal(float(v)) for v in row] for row in points]
        origin = [Decimal(float(v)) for v in contrast.origin[0]]
        k = LINES[type(kernel)]
        exact = np.array(
            [
                [
                    float(k(kernel, x, y) - k(kernel, x, origin) - k(kernel, origin, y) + k(kernel, origin, origin))
                    for y in rows
                ]
                for x in rows
            ]
        )
    # the points are exact; what they differ by is rounded once, and some tens of operations follow
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12 * np.abs(exact).max())
    np.testing.assert_allclose(contrast(points, points.copy()), exact, rtol=0, atol=1e-12 * np.abs(exact).max())
    np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-15 * np.abs(exact).max())
    np.testing.assert_allclose(contrast.expected_diagonal(points, None), np.diag(exact), rtol=1e-12)
    with localcontext() as context:
        context.prec = 60
        gains = np.array([float(k(kernel, x, origin) - k(kernel, origin, origin)) for x in rows])
    np.testing.assert_allclose(contrast.to_origin(points, None), gains, rtol=0, atol=1e-12 * np.abs(gains).max())


ABOUT_ZERO = [
    Gaussian(2.0), Laplacian(3.0), Linear(), Linear(2.0), Polynomial(2), Polynomial(3), Exponential(9.0), Energy(),
    Matern(2.0), RationalQuadratic(2.0), InverseMultiquadric(2.0), ARDGaussian([1.0, 2.0, 3.0]),
    Gaussian(2.0) + Linear(),
    Gaussian(2.0) * Linear(), Gaussian(3.0) * Gaussian(4.0),
]  # fmt: skip


@pytest.mark.parametrize("kernel", ABOUT_ZERO, ids=repr)
def test_a_sample_about_zero_keeps_the_kernel(kernel):
    assert kernel.contrast(vectors(20)) is kernel


COVARIANCES = [None, np.diag([0.3, 0.0, 1.2]), np.array([[1.0, 0.2, 0.0], [0.2, 0.5, 0.1], [0.0, 0.1, 0.4]])]


WIDE_OR_FAR = [
    Gaussian(90.0), Laplacian(2e3), Linear(2.0), Polynomial(2), Polynomial(3, 0.5), Energy(), Exponential(4e3),
    Matern(90.0), RationalQuadratic(90.0, 0.5), InverseMultiquadric(90.0, -0.3), ARDGaussian([90.0, 100.0, 400.0]),
    Gaussian(90.0) + Linear(2.0),
    Gaussian(2.0) * Linear(2.0), 2.0 * Gaussian(90.0) + Matern(90.0),
]  # fmt: skip


@pytest.mark.parametrize("kernel", WIDE_OR_FAR, ids=repr)
@pytest.mark.parametrize("C", COVARIANCES, ids=["points", "diagonal", "full"])
@pytest.mark.parametrize("D", COVARIANCES, ids=["points", "diagonal", "full"])
def test_expected_increments_are_the_difference_of_expectations(kernel, C, D):
    """At a moderate distance both methods have digits.

    Eps times the largest of the four values is what the difference loses.
    """
    moved = 0.0 if kernel.stationary or isinstance(kernel, Exponential) else 60.0
    X, Y = moved + vectors(4), moved + vectors(5, 1)
    contrast = kernel.contrast(np.vstack([X, Y]), 2.0)
    assert isinstance(contrast, Increments)
    o = contrast.origin
    parts = [kernel.expected(X, C, Y, D), kernel.expected(X, C, o, None), kernel.expected(o, None, Y, D), kernel(o)]
    # Laplacian under a full covariance is integrated numerically, each expectation to 1e-6 and better at this bandwidth
    slack = 1e-6 if isinstance(kernel, Laplacian) else 1e-13
    atol = slack * max(np.abs(part).max() for part in parts)
    np.testing.assert_allclose(
        contrast.expected(X, C, Y, D), parts[0] - parts[1] - parts[2] + parts[3], rtol=1e-9, atol=atol
    )
    same = kernel.expected_diagonal(X, C) - 2 * parts[1][:, 0] + parts[3][0, 0]
    np.testing.assert_allclose(contrast.expected_diagonal(X, C), same, rtol=1e-9, atol=atol)
    np.testing.assert_allclose(contrast.to_origin(X, C), parts[1][:, 0] - parts[3][0, 0], rtol=1e-9, atol=atol)


@pytest.mark.parametrize("theta", [1e6, 1e9, 1e15])
def test_wide_laplacian_expectations_are_mean_distances(theta):
    """θ (1 - E k) -> E|z|_1 for z ~ N(m, S).

    |m| (1 - 2 Φ(-q)) + 2 s φ(q) in each coordinate, the rest below E|z|^2 / θ.
    """
    from scipy.stats import norm

    m, S = np.array([[0.4, -2.0]]), np.diag([0.5, 3.0])
    s = np.sqrt(np.diag(S))
    q = np.abs(m[0]) / s
    exact = (np.abs(m[0]) * (1 - 2 * norm.cdf(-q)) + 2 * s * norm.pdf(q)).sum()
    found = -theta * Laplacian(theta).less_one(m, S, np.zeros((1, 2)), None)[0, 0]
    assert found == pytest.approx(exact, rel=20 / theta + 1e-12)


def test_increments_are_positive_semi_definite():
    for kernel, times, moved in CASES:
        points = moved + times * vectors(GRAM_ROWS)
        gamma = np.linalg.eigvalsh(kernel.contrast(points)(points))
        assert gamma[0] > -1e-12 * gamma[-1]  # rounding of n = 40 rows


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_far_mixture_keeps_its_spread_under_polynomials(degree):
    """E k_o(x, x), a thousand spreads from zero, against draws."""
    law, moved = GaussianMixture.random(3, rng=1), 1e4
    X = law.sample(40_000, rng=0) + moved
    contrast = Polynomial(degree).contrast(X)
    exact = sum(
        w * contrast.expected_diagonal(m[None] + moved, S)[0]
        for w, m, S in zip(law.weights, law.means, law.covariances, strict=True)
    )
    values = contrast.expected_diagonal(X, None)
    assert abs(values.mean() - exact) < 4.5 * values.std() / np.sqrt(len(X))
