"""Pareto laws: density, sample, moments, and the embedding against quadrature."""

import math
from itertools import pairwise

import numpy as np
import pytest
from helpers.naming import naming
from scipy.integrate import quad
from scipy.special import erfcx

from explorer import Delta, Energy, Gaussian, Laplacian, Linear, Pareto, Polynomial

THETAS = [1e-4, 1e-2, 0.1, 1.0, 10.0, 1e3]
SHAPES = [0.5, 1.0, 3.0, 10.0, 50.0]


# kernel, its shape in units of the bandwidth, the distance at which it vanishes, and the error that the class states
KERNELS = {
    "gaussian": (Gaussian, lambda z: math.exp(-z * z / 2), 9.0, 2e-10),
    "laplacian": (Laplacian, lambda z: math.exp(-abs(z)), 36.0, 1e-7),
}


@pytest.mark.thorough(default=["0.5-*-*", "*-0.0001-gaussian", "*-0.0001-*"])
@pytest.mark.parametrize(("make", "form", "reach", "error"), KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_embedding_against_the_density(shape, theta, make, form, reach, error):
    e = Pareto(shape).embed(make(theta))
    Y = np.array(
        [1 - 2 * theta, 1 - 0.3 * theta, 1.0, 1 + 0.2 * theta, 1 + theta, 1 + 4 * theta, 1.3, 2.0, 7.0, 100.0, 1e5]
    )
    exact = []
    for y in Y:
        low, high = max((1 - y) / theta, -reach), reach

        def integrand(z, y=y):
            return shape * theta * form(z) * math.exp(-(shape + 1) * math.log(y + theta * z))

        # cut where the kernel and where the density bend; an error of 1e-12 of the largest value is none
        bends = (1 - y + np.geomspace(0.03, 1e4, 12) / shape) / theta
        bends = np.clip(np.concatenate([bends, [-3.0, 0.0, 3.0]]), low, high)
        cuts = np.unique(np.concatenate([np.linspace(low, high, 9), bends])) if low < high else []
        tiny = 1e-12 * min(1.0, shape * theta)
        exact.append(sum(quad(integrand, p, q, epsabs=tiny, epsrel=1e-10, limit=200)[0] for p, q in pairwise(cuts)))
    assert np.abs(e(Y) - exact).max() < error * max(exact)


@pytest.mark.thorough(default=["3.0"])
@pytest.mark.parametrize("shape", [0.8, 1.5, 3.0, 10.0])
def test_the_energy_kernel(shape):
    """On x, y > 0 it is min(x, y): |μ|^2 = 2 a s / (2a - 1), μ(y) = s + (s^a y^(1-a) - s) / (1 - a), and E x = a s / (a
    - 1).
    """
    s, a, k = 2.0, shape, Energy()
    e, y = Pareto(a, s).embed(k), np.array([2.0, 2.1, 3.0, 10.0, 1000.0])
    np.testing.assert_allclose(e(y), s + (s**a * y ** (1 - a) - s) / (1 - a), rtol=2e-8)
    assert e.norm() ** 2 == pytest.approx(2 * a * s / (2 * a - 1), rel=1e-8)
    if a > 1:
        assert Pareto(a, s).expected_diagonal(k) == pytest.approx(a * s / (a - 1), rel=1e-12)


@pytest.mark.thorough(default=["0.5-30.0", "1.5-1.0", "1.5-30.0", "3.0-1.0"])
@pytest.mark.parametrize("theta", [1e-2, 0.3, 1.0, 30.0])
@pytest.mark.parametrize("shape", [0.5, 1.5, 3.0, 10.0])
def test_the_norm_under_the_gaussian_kernel(shape, theta):
    """|μ|^2 = int μ(y) p(y) dy, by Gauss rules on pieces that widen away from the edge."""
    e = Pareto(shape).embed(Gaussian(theta))
    x, w = np.polynomial.legendre.leggauss(16)
    cuts = np.concatenate([[0.0], np.geomspace(1e-3 * theta / (1 + theta), 1e13, 130)])
    half = np.diff(cuts)[:, None] / 2
    t = (cuts[:-1, None] + half * (x + 1)).ravel()
    density = shape * (1 + t) ** (-shape - 1)
    exact = (half * w).ravel() @ (density * e(1 + t))
    assert e.norm() ** 2 == pytest.approx(exact, rel=1e-9)  # beyond 1e13 lies 1e-13 of it at shape .5


def test_bandwidth_and_scale_go_together():
    Y = np.array([0.5, 1.0, 1.1, 3.0, 40.0])
    here = Pareto(1.5).embed(Gaussian(0.2))
    there = Pareto(1.5, 50.0).embed(Gaussian(10.0))
    np.testing.assert_allclose(there(50 * Y), here(Y), rtol=1e-9)
    assert there.norm() == pytest.approx(here.norm(), rel=1e-12)


def test_a_large_shape_is_an_exponential_law_at_the_edge():
    """a (X - 1) tends to Exp(1), whose μ(1 + δ/a) under θ = 1/a is √(π/2) e^(-δ^2/2) erfcx((1 - δ)/√2)."""
    a, delta = 1e6, np.array([-1.0, 0.0, 0.5, 2.0])
    e = Pareto(a).embed(Gaussian(1 / a))
    exact = math.sqrt(math.pi / 2) * np.exp(-(delta**2) / 2) * erfcx((1 - delta) / math.sqrt(2))
    np.testing.assert_allclose(e(1 + delta / a), exact, rtol=1e-5)  # O(1/a), and 1 + δ/a is rounded at eps a = 2e-10
    assert Pareto(a).embed(Gaussian(1.0)).norm() == pytest.approx(1.0, abs=2e-10)


@pytest.mark.thorough(
    default=[
        "1e-07-1.0-0.1",
        "1e-07-1e+50-0.1",
        "1e-07-1e+50-0.3",
        "1e+60-1e-50-10000.0",
        "1e+60-1e+50-0.1",
        "1e+60-1e+50-0.3",
    ]
)
@pytest.mark.parametrize("shape", [0.1, 0.3, 1e4])
@pytest.mark.parametrize("scale", [1e-50, 1.0, 1e50])
@pytest.mark.parametrize("theta", [1e-7, 1.0, 1e60])
def test_extremes_stay_finite(shape, scale, theta):
    """Beyond what is measured nothing overflows, the masses sum to 1, and |μ| lies between 0 and 1."""
    e = Pareto(shape, scale).embed(Gaussian(theta * scale))
    assert e.weights.sum() == pytest.approx(1.0, rel=1e-12)
    values = e(np.concatenate([block.points[:1] for block in e.blocks]))
    assert ((values > -1e-12) & (values < 1 + 1e-12)).all()
    if len(e.blocks) < 100:  # they meet two at a time, which would take half a second
        assert 0 < e.norm() < 1 + 1e-12


def test_components_stay_few():
    assert len(Pareto(3.0).embed(Gaussian(1.0)).blocks) <= 12
    assert len(Pareto(0.5).embed(Gaussian(0.01)).blocks) <= 20


# polynomial kernels: moments -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("excess", [0.01, 0.7, 20.0])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_polynomial_kernels_see_moments_only(degree, excess):
    """E X^j = a s^j / (a - j), and E (x y + c)^p over independent x, y is sum_j binom(p, j) c^(p-j) (E X^j)^2."""
    a, s, c = degree + excess, 0.8, 0.5
    p, k = Pareto(a, s), Polynomial(degree, c)
    j = np.arange(degree + 1)
    moments = a * s**j / (a - j)
    terms = np.array([math.comb(degree, i) * c ** (degree - i) for i in j])
    e = p.embed(k)
    assert len(e.weights) == degree // 2 + 1
    # next to its pole at a = p a moment amplifies the rounding of a by 1/(a - p), 100 here
    np.testing.assert_allclose((e.weights * e.points[:, 0] ** j[:, None]).sum(1), moments, rtol=1e-11)
    assert e([1.7])[0] == pytest.approx(terms @ (moments * 1.7**j), rel=1e-11)
    assert e.norm() ** 2 == pytest.approx(terms @ moments**2, rel=1e-11)


@pytest.mark.parametrize("excess", [0.01, 0.7, 20.0])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_the_expected_diagonal_has_moments_of_twice_the_degree(degree, excess):
    a, s, c = 2 * degree + excess, 0.8, 0.5
    j = np.arange(degree + 1)
    exact = sum(math.comb(degree, i) * c ** (degree - i) * a * s ** (2 * i) / (a - 2 * i) for i in j)
    assert Pareto(a, s).expected_diagonal(Polynomial(degree, c)) == pytest.approx(exact, rel=1e-11)


def test_the_linear_kernel_takes_the_mean():
    e = Pareto(3.0, 2.0).embed(Linear())
    np.testing.assert_allclose(e.points, [[3.0]], rtol=1e-14)
    np.testing.assert_allclose(e.weights, [1.0], rtol=1e-14)


# density and sample --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("shape", "scale"), [(0.5, 1.0), (3.0, 0.2), (40.0, 7.0)])
def test_logpdf_is_scipys(shape, scale):
    from scipy.stats import pareto

    X = np.concatenate(
        [scale * np.array([-1.0, 0.0, 0.5, 0.999, 1.0, 1.5]), Pareto(shape, scale).sample(50, rng=0)[:, 0]]
    )
    # scipy's own edge is at x = scale too, up to the rounding of x / scale
    np.testing.assert_allclose(Pareto(shape, scale).logpdf(X), pareto(shape, scale=scale).logpdf(X), rtol=1e-11)


@pytest.mark.parametrize("shape", [0.5, 3.0])
def test_the_density_integrates_to_one(shape):
    p = Pareto(shape, 2.0)
    value, _ = quad(lambda s: math.exp(s + p.logpdf([math.exp(s)])[0]), math.log(2.0) + 1e-12, 60, limit=200)
    assert value == pytest.approx(1.0, rel=1e-7)


def test_the_sample_has_the_moments():
    n, p = 200_000, Pareto(9.0, 2.0)
    X = p.sample(n, rng=1)[:, 0]
    for j in (1, 2, 4):  # E X^8 is finite
        z = ((X**j).mean() - 9 * 2.0**j / (9 - j)) / ((X**j).std() / math.sqrt(n))
        assert abs(z) < 4.5


@pytest.mark.parametrize("shape", [0.5, 2.0, 9.0])
def test_the_sample_has_the_quantiles(shape):
    n = 100_000
    X = Pareto(shape, 2.0).sample(n, rng=2)[:, 0]
    assert X.min() >= 2.0
    for q in (0.001, 0.1, 0.5, 0.8, 0.999):
        below = (X < 2.0 * (1 - q) ** (-1 / shape)).sum()
        assert abs(below - n * q) < 4.5 * math.sqrt(n * q * (1 - q))


def test_the_law_needs_a_kernel_that_embeds_gaussians():
    with pytest.raises(ValueError, match=naming("Delta()", "closed form")):
        Pareto(3.0).embed(Delta())
    with pytest.raises(ValueError, match=naming("1e-8", "2")):
        Pareto(3.0, 2.0).embed(Gaussian(1e-8))


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "Pareto.shape 0.1 0.0", (0.0,)),
        (ValueError, "Pareto.shape 0.1 inf", (math.inf,)),
        (TypeError, "Pareto.shape 0.1 '3'", ("3",)),
        (ValueError, "Pareto.scale 1e-50", (3.0, 0.0)),
        (ValueError, "Pareto.scale 1e-50", (3.0, -1.0)),
        (TypeError, "'shape'", ()),
    ],
)
def test_bad_arguments_of_a_pareto_law_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=naming(*said.split())):
        Pareto(*arguments)
