"""Student's t: the embedding against quadrature that knows nothing of scale mixtures."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import beta, erfcx, gammaln, kv, wofz

from explorer import Energy, Gaussian, Laplacian, StudentT

BOUND = 3e-8  # the class states it: of the largest value of μ, and 4e-9 from ν = 2 on


def characteristic_function(nu, r):
    """E e^(i <ω, X>) of t(ν, 0, I) at |ω| = r > 0: K_(ν/2)(√ν r) (√ν r)^(ν/2) / (Γ(ν/2) 2^(ν/2 - 1))."""
    a = math.sqrt(nu) * r
    with np.errstate(divide="ignore"):
        return np.exp(np.log(kv(nu / 2, a)) + nu / 2 * np.log(a) - gammaln(nu / 2) - (nu / 2 - 1) * math.log(2))


# the embedding under the Gaussian kernel ---------------------------------------------------------------------------


@pytest.mark.thorough(default=["0.01", "100.0"])
@pytest.mark.parametrize("theta", [1e-4, 1e-2, 0.3, 1.0, 5.0, 1e2, 1e4])
def test_a_cauchy_law_gives_the_voigt_profile(theta):
    """ν = 1: μ(x) = Re w((x + i) / (θ √2)), and x - x' is Cauchy of twice the width, so |μ|^2 = Re w(2i / (θ √2))."""
    k, root2 = Gaussian(theta), math.sqrt(2)
    e = StudentT(1.0, [3.0], 1.0).embed(k)
    x = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 40)])
    exact = wofz((x + 1j) / (theta * root2)).real
    assert np.abs(e(x + 3.0) - exact).max() < BOUND * exact[0]
    assert e.norm() ** 2 == pytest.approx(erfcx(root2 / theta), rel=1e-9)


# kernel, its shape in units of the bandwidth, the distance at which it vanishes, and the errors for ν < 2 and ν >= 2
SHAPES = {
    "gaussian": (Gaussian, lambda z: math.exp(-z * z / 2), 9.0, (BOUND, 4e-9)),
    "laplacian": (Laplacian, lambda z: math.exp(-abs(z)), 36.0, (3e-5, 3e-5)),
}


@pytest.mark.thorough(default=["*-0.02-gaussian", "0.5-*-laplacian", "0.5-*-*"])
@pytest.mark.parametrize(("make", "shape", "reach", "errors"), SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("theta", [0.02, 0.5, 3.0, 50.0])
@pytest.mark.parametrize("nu", [0.5, 2.0, 3.5, 10.0, 100.0])
def test_one_dimension_against_the_density(nu, theta, make, shape, reach, errors):
    e = StudentT(nu, [0.0], 1.0).embed(make(theta))
    top = e([[0.0]])[0]
    log_scale = math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2) - 0.5 * math.log(nu * math.pi) + math.log(theta)
    for x in (0.0, 0.7, 2.0, 9.0, 60.0):

        def integrand(z, x=x):
            return math.exp(log_scale - (nu + 1) / 2 * math.log1p((x + theta * z) ** 2 / nu)) * shape(z)

        bends = np.clip((np.array([-4, -1, 0, 1, 4]) - x) / theta, -reach, reach)
        cuts = np.unique(np.concatenate([np.linspace(-reach, reach, 7), [-3.0, 0.0, 3.0], bends]))
        exact = sum(quad(integrand, a, b, epsabs=1e-12 * top, epsrel=1e-10)[0] for a, b in pairwise(cuts))
        assert abs(e([[x]])[0] - exact) < errors[nu >= 2] * top, x


@pytest.mark.thorough(default=["1.0"])
@pytest.mark.parametrize("nu", [1.0, 2.0, 3.0, 10.0])
def test_the_energy_kernel_against_the_characteristic_function(nu):
    """|μ|^2 = (1/π) int_0^inf (1 - φ(t))^2 / t^2 dt, for a Cauchy law 2 log 2 / π.

    E|x| = 2 √ν / ((ν - 1) B(1/2, ν/2)).
    """
    p = StudentT(nu, [0.0], 1.0)

    def integrand(log_t):
        return (1 - characteristic_function(nu, math.exp(log_t))) ** 2 * math.exp(-log_t) / math.pi

    # from t = e^-9 on: below it (1 - φ)^2 / t is t^3, or t for a Cauchy law, which has its closed form
    cuts = [-9.0, -3.0, 0.0, 1.0, 2.0, 5.0, 30.0]
    square = sum(quad(integrand, a, b, epsrel=1e-9, limit=200)[0] for a, b in pairwise(cuts))
    square = 2 * math.log(2) / math.pi if nu == 1 else square
    assert p.embed(Energy()).norm() ** 2 == pytest.approx(square, rel=1e-5)
    if nu > 1:
        exact = 2 * math.sqrt(nu) / ((nu - 1) * beta(0.5, nu / 2))
        assert p.expected_diagonal(Energy()) == pytest.approx(exact, rel=1e-10)
        off_centre = StudentT(nu, [7.0], 1.0).expected_diagonal(Energy())
        density = math.exp(math.lgamma((nu + 1) / 2) - math.lgamma(nu / 2)) / math.sqrt(nu * math.pi)
        # E|x| = 7 + 2 E max(-x, 0)
        below, _ = quad(
            lambda z: (z - 7) * density * (1 + z * z / nu) ** (-(nu + 1) / 2), 7, math.inf, epsabs=0, epsrel=1e-9
        )
        assert off_centre == pytest.approx(7 + 2 * below, rel=1e-9)


@pytest.mark.thorough(default=["*-1-0.3", "0.5-*-1.0", "0.5-1-*"])
@pytest.mark.parametrize("theta", [0.3, 1.0, 6.0, 100.0])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
@pytest.mark.parametrize("nu", [0.5, 1.5, 3.0, 12.0])
def test_the_norm_against_the_characteristic_function(nu, d, theta):
    """|μ|^2 = E |φ(ω)|^2 for ω ~ N(0, I / θ^2), the kernel's own law of frequencies; |ω| θ has d degrees of freedom."""

    # r^d below e^-20 and e^(-r^2/2) beyond 12 are nothing; 40 Gauss nodes on each piece of log r, which 30 confirm to
    # 1e-14
    x, w = np.polynomial.legendre.leggauss(40)
    cuts = np.array([-80 / min(d, 4), -10.0, -5.0, -2.0, 0.0, 1.0, 2.5])
    half = np.diff(cuts)[:, None] / 2
    log_r = (cuts[:-1, None] + half * (x + 1)).ravel()
    density = np.exp(d * log_r - np.exp(2 * log_r) / 2 - (d / 2 - 1) * math.log(2) - gammaln(d / 2))
    exact = (half * w).ravel() @ (density * characteristic_function(nu, np.exp(log_r) / theta) ** 2)
    e = StudentT(nu, np.ones(d), 1.0).embed(Gaussian(theta))
    assert e.norm() ** 2 == pytest.approx(exact, rel=2e-8)  # what the class states


@pytest.mark.parametrize("nu", [0.6, 2.0, 8.0])
def test_any_covariance_against_the_integral_over_scales(nu):
    """μ(x) = int N-part(x; S/w) Gamma(w) dw by quad; with an ill-conditioned and a singular S."""
    x, theta = np.array([[1.0, -0.5, 0.3], [6.0, 2.0, 0.0]]), 0.7
    for spread in ([1.0, 0.3, 0.1], [1.0, 1e-3, 1e-6], [1.0, 0.0, 0.0]):
        Q = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
        S = (Q * spread) @ Q.T
        e = StudentT(nu, np.zeros(3), S).embed(Gaussian(theta))
        for row in x:
            y = row @ Q

            def integrand(log_w, y=y, spread=spread):
                w = math.exp(log_w)
                A = theta**2 + np.array(spread) / w
                log_density = nu / 2 * (log_w + math.log(nu / 2)) - nu * w / 2 - gammaln(nu / 2)
                return math.exp(log_density - 0.5 * (np.log(A / theta**2) + y**2 / A).sum())

            exact = sum(
                quad(integrand, a, b, epsabs=1e-12, epsrel=1e-10)[0] for a, b in pairwise([-60, -20, -5, -1, 1, 3, 6])
            )
            assert abs(e(row[None])[0] - exact) < BOUND * e(np.zeros((1, 3)))[0]


def test_the_number_of_components_is_what_it_says():
    sizes = [
        len(StudentT(nu, np.zeros(d), 1.0).embed(Gaussian(theta)).weights)
        for nu in (0.5, 3.0, 100.0)
        for d in (1, 2, 20)
        for theta in (1e-4, 1.0, 1e4)
    ]
    assert min(sizes) >= 10
    assert max(sizes) <= 95
    # the case of most pages: twenty or so, and a distance of 200 points in a few ms
    assert len(StudentT(3.0, np.zeros(20), 1.0).embed(Gaussian(20**0.5)).weights) < 20


@pytest.mark.thorough(default=["1e-150-1000000.0", "1e+60-0.1", "1e+150-2.0"])
@pytest.mark.parametrize("nu", [0.1, 2.0, 1e6])
@pytest.mark.parametrize("theta", [1e-150, 1e-60, 1e60, 1e150])
def test_bandwidths_without_measure(theta, nu):
    """Far narrower than the law or far wider: μ is nothing or 1, and nothing overflows."""
    e = StudentT(nu, [1.0], 4.0).embed(Gaussian(theta))
    # at ν = .1 a share (1e-60)^ν = 1e-6 of the law lies beyond the one, and as much within the other
    assert e.norm() == pytest.approx(1.0 if theta > 1 else 0.0, abs=1e-5 if nu < 1 else 1e-12)


@pytest.mark.parametrize("nu", [0.6, 3.0])
def test_the_components_under_energy_have_the_law_s_own_moment(nu):
    """E v^(1/4) = (ν/2)^(1/4) Γ(ν/2 - 1/4) / Γ(ν/2) for the scales v of N(m, v S), also of what the ladder leaves."""
    blocks = StudentT(nu, [0.0], 1.0).embed(Energy()).blocks
    moment = sum(b.weights.sum() * b.covariance[0, 0] ** 0.25 for b in blocks)
    exact = math.exp(0.25 * math.log(nu / 2) + gammaln(nu / 2 - 0.25) - gammaln(nu / 2))
    assert moment == pytest.approx(exact, rel=1e-8)
