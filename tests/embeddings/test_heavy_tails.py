"""Kernels that grow, under tails that nearly lack the moment: every number by a method that uses no mixture."""

import math
from itertools import pairwise

import numpy as np
import pytest
from helpers.naming import naming
from scipy.integrate import quad
from scipy.special import beta, gamma, gammaln, iv, kv, rgamma
from scipy.stats import t as student

from explorer import Energy, Gaussian, GaussianMixture, Linear, Pareto, Polynomial, StudentT, mmd2_of_laws

BOUND = 1e-7  # relative to |μ|^2, as StudentT and Pareto state it
DFS = [0.54, 0.55, 0.6, 0.7, 0.8, 0.9, 0.99, 1.1, 1.3, 1.5, 1.9, 2.5, 5.0, 30.5]


def one_less(nu, r):
    """Return 1 - φ(r) of t(ν, 0, I), for ν not an even number.

    It keeps its digits near zero, where it falls as r^ν and r^2.
    """
    a, p = math.sqrt(nu) * r, nu / 2
    near, far = np.minimum(a, 1.0), np.maximum(a, 1.0)
    with np.errstate(divide="ignore"):  # 1 to all digits
        beyond = -np.expm1(np.log(kv(p, far)) + p * np.log(far) - gammaln(p) - (p - 1) * math.log(2))
    terms = ((near / 2) ** (2 * k) * gamma(1 - p) * rgamma(k + 1 - p) / math.factorial(k) for k in range(1, 12))
    return np.where(a > 1, beyond, gamma(1 - p) * (near / 2) ** p * iv(p, near) - sum(terms))


def integral(f, cuts):
    """int f by twenty nodes of Gauss and Legendre on each half of a unit, or shorter piece, between cuts."""
    x, w = np.polynomial.legendre.leggauss(20)
    edges = np.unique(
        np.concatenate([np.linspace(low, high, 1 + math.ceil(2 * (high - low))) for low, high in pairwise(cuts)])
    )
    half = np.diff(edges)[:, None] / 2
    return float((half * w * f(edges[:-1, None] + half * (x + 1))).sum())


def spectrum_square(difference, order):
    """int difference(r)^2 r^-2 dr, where the difference of characteristic functions falls as r^(order / 2) at zero."""
    start = -300.0 if order < 2 else -60.0
    first = difference(math.exp(start)) ** 2 * math.exp(-start) / (order - 1)
    return first + integral(lambda u: difference(np.exp(u)) ** 2 * np.exp(-u), [start, 30.0])


def energy_square(difference, d, order):
    """|μ|^2 = c int difference(|t|)^2 |t|^(-d-1) dt over R^d."""
    sphere, constant = 2 * math.pi ** (d / 2) / gamma(d / 2), math.pi ** ((d + 1) / 2) / gamma((d + 1) / 2)
    return sphere / (2 * constant) * spectrum_square(difference, order)


def student_square(nu, d):
    return energy_square(lambda r: one_less(nu, r), d, min(2 * nu, 4))


@pytest.mark.thorough(default=["1-0.55", "1-0.54", "20-0.9", "5-1.5", "1-5.0"])
@pytest.mark.parametrize("nu", DFS)
@pytest.mark.parametrize("d", [1, 5, 20])
def test_the_norm_of_a_t_distribution(d, nu):
    e = StudentT(nu, np.ones(d), 1.0).embed(Energy()) - GaussianMixture([1.0], [np.ones(d)], 0.0).embed(Energy())
    assert e.norm() ** 2 == pytest.approx(student_square(nu, d), rel=BOUND)  # about its centre
    at_zero = StudentT(nu, np.zeros(d), 4.0).embed(Energy())
    assert at_zero.norm() ** 2 == pytest.approx(2 * student_square(nu, d), rel=BOUND)  # in units of x


@pytest.mark.thorough(default=["1-0.55-1.0-0.55-4.0", "1-0.7-1.0-3.0-1.0"])
@pytest.mark.parametrize(
    ("nu", "S", "other", "T"),
    [(0.55, 1.0, 0.55, 4.0), (0.6, 1.0, 0.6, 100.0), (0.55, 1.0, 0.8, 2.0), (0.7, 1.0, 3.0, 1.0), (1.0, 1.0, 1.0, 2.0)],
)
@pytest.mark.parametrize("d", [1, 5])
def test_the_distance_of_two_t_distributions(d, nu, S, other, T):
    def difference(r):
        return one_less(nu, r * math.sqrt(S)) - one_less(other, r * math.sqrt(T))

    P, Q = StudentT(nu, np.zeros(d), S), StudentT(other, np.zeros(d), T)
    exact = energy_square(difference, d, 2 * min(nu, other))
    # each |μ|^2 errs by 1e-7 of itself, and these squared distances are a quarter of them or more
    assert mmd2_of_laws(P, Q, Energy()) == pytest.approx(exact, rel=1e-6)


@pytest.mark.thorough(default=["1.3"])
@pytest.mark.parametrize("nu", [0.6, 1.3])
def test_the_distance_of_two_shapes(nu):
    """Covariances in no proportion: the plane's integral is one along each direction, averaged over directions."""
    P, Q = (StudentT(nu, np.zeros(2), S) for S in ([1.0, 2.0], [2.5, 1.0]))
    squares = []
    for angle in (np.arange(8) + 0.5) * math.pi / 16:  # a smooth function of period π/2: eight directions give 1e-9
        a, b = (math.sqrt(v * math.cos(angle) ** 2 + w * math.sin(angle) ** 2) for v, w in ((1.0, 2.0), (2.5, 1.0)))
        difference = lambda r, a=a, b=b: one_less(nu, a * r) - one_less(nu, b * r)  # noqa: E731
        squares.append(energy_square(difference, 2, min(2 * nu, 4)))
    assert mmd2_of_laws(P, Q, Energy()) == pytest.approx(np.mean(squares), rel=1e-5)


@pytest.mark.parametrize("nu", [0.55, 0.7, 1.2, 3.0])
def test_values_far_out_in_the_tail(nu):
    """μ(y) = E min(max(X, 0), y) = int_0^y P(X > t) dt for y > 0."""
    e = StudentT(nu, [0.0], 1.0).embed(Energy())
    for y in (0.3, 5.0, 1e3, 1e8):
        cuts = np.unique(np.clip([-40.0, -5, -1, 0, 1, 2, 4, 8, 12, 20], -40, math.log(y)))
        parts = (
            quad(lambda u: student.sf(math.exp(u), nu) * math.exp(u), low, high, epsabs=0, epsrel=1e-11)[0]
            for low, high in pairwise(cuts)
        )
        assert e([[y]])[0] == pytest.approx(sum(parts), rel=BOUND)


@pytest.mark.thorough(default=["0.8"])
@pytest.mark.parametrize("nu", [0.55, 0.8, 1.2])
def test_a_shift_of_both_changes_no_distance(nu):
    """Wide components meet narrow ones at another place, where the wide ones' digits would hide the narrow."""
    k, S = Energy(), np.eye(1)
    near = mmd2_of_laws(StudentT(nu, [0.0], S), StudentT(nu, [1.0], S), k)
    assert mmd2_of_laws(StudentT(nu, [1000.0], S), StudentT(nu, [1001.0], S), k) == pytest.approx(near, rel=1e-6)

    # the two have one spectrum: |1 - e^(it)|^2 |φ|^2
    def spectrum(u):
        return (2 * np.sin(np.exp(u) / 2) * (1 - one_less(nu, np.exp(u)))) ** 2 * np.exp(-u) / math.pi

    assert near == pytest.approx(integral(spectrum, [-30, 4.5]), rel=1e-6)


@pytest.mark.parametrize("nu", [1.001, 1.01, 1.1, 1.5, 3.0])
def test_the_expected_diagonal_next_to_where_it_ends(nu):
    """E|x| = 2 √ν / ((ν - 1) B(1/2, ν/2)); a sum of kernels has the sum of theirs."""
    exact = 2 * math.sqrt(nu) / ((nu - 1) * beta(0.5, nu / 2))
    assert StudentT(nu, [0.0], 1.0).expected_diagonal(Energy()) == pytest.approx(exact, rel=1e-8)
    both = StudentT(nu, [0.0], 1.0).expected_diagonal(Energy() + Gaussian(0.01))
    assert both == pytest.approx(exact + 1, rel=1e-7)
    assert Pareto(nu).expected_diagonal(Energy()) == pytest.approx(nu / (nu - 1), rel=1e-12)


@pytest.mark.parametrize(
    ("law", "rel"),
    # a comb of Gaussians has a Pareto's second moment to 1e-5
    [(StudentT(2.08, [0.3], 1.0), 1e-8), (StudentT(4.05, [0.3], 1.0), 1e-8), (Pareto(2.05), 2e-5), (Pareto(4.5), 2e-5)],
    ids=repr,
)
def test_a_sum_with_a_polynomial_has_its_moments(law, rel):
    """|μ|^2 and E k(x, x) of a sum are sums; the polynomial's alone are moments in closed form."""
    parts = (Gaussian(1.0), Polynomial(2))
    assert law.embed(sum(parts)).norm() ** 2 == pytest.approx(sum(law.embed(k).norm() ** 2 for k in parts), rel=rel)
    if law.tail > 4:
        exact = sum(law.expected_diagonal(k) for k in parts)
        assert law.expected_diagonal(sum(parts)) == pytest.approx(exact, rel=1e-8)


@pytest.mark.thorough(default=["0.7", "1.05"])
@pytest.mark.parametrize("shape", [0.55, 0.6, 0.7, 0.8, 1.05, 1.2, 3.0, 50.0])
def test_a_pareto_distribution_is_min(shape):
    """On x, y > 0 Energy is min(x, y): |μ|^2 = 2 a / (2a - 1) and μ(y) = 1 + (y^(1-a) - 1) / (1 - a) for y > 1."""
    e, y = Pareto(shape).embed(Energy()), np.array([1.0, 2.0, 10.0, 1e3, 1e6])
    np.testing.assert_allclose(e(y), 1 + np.expm1((1 - shape) * np.log(y)) / (1 - shape), rtol=3e-8)
    assert e.norm() ** 2 == pytest.approx(2 * shape / (2 * shape - 1), rel=BOUND)


@pytest.mark.thorough
@pytest.mark.parametrize("shape", [1.05, 1.5])
def test_a_pareto_distribution_under_a_product_that_grows(shape):
    """|μ|^2 = int int x y e^(-(x - y)^2 / (2 θ^2)) p(x) p(y), which is finite where E x^2 is not: for x = y + θ z."""
    theta = 0.5
    x, w = np.polynomial.legendre.leggauss(20)
    cuts = np.concatenate([[0.0], np.geomspace(1e-3, 1e14, 40)])
    half = np.diff(cuts)[:, None] / 2
    t, weights = (cuts[:-1, None] + half * (x + 1)).ravel(), (half * w).ravel()
    z = np.linspace(-9, 9, 4001) * theta
    other = 1 + t[:, None] + z
    p = np.where(other >= 1, np.maximum(other, 1.0) ** -shape, 0.0) @ np.exp(-0.5 * (z / theta) ** 2) * (z[1] - z[0])
    exact = weights @ (shape**2 * (1 + t) ** -shape * p)
    # the edge at x = 1 lies within a step of the grid of z: half a step of it, 2e-3
    assert Pareto(shape).embed(Gaussian(theta) * Linear()).norm() ** 2 == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize(
    ("law", "kernel", "least"),
    [
        (StudentT(0.51, [0.0], 1.0), Energy(), "df 0.54"),
        (StudentT(2.02, [0.0], 1.0), Gaussian(1.0) + Polynomial(2), "df 2.08"),
        (Pareto(0.52), Energy(), "shape 0.54"),
    ],
    ids=repr,
)
def test_a_tail_beyond_all_floats_is_refused(law, kernel, least):
    with pytest.raises(ValueError, match=naming(*least.split())):
        law.embed(kernel)
    number = float(least.rpartition(" ")[2])
    changed = law.replace(**{law._index: number})
    assert math.isfinite(changed.embed(kernel)([[2.0]])[0])
