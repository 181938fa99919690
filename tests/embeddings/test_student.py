"""Student's t: density, sample, moments, and the embedding against quadrature that knows nothing of scale mixtures."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import beta, erfcx, gammaln, kv, wofz

from explorer import Energy, Gaussian, GaussianMixture, Laplacian, Linear, Polynomial, StudentT

FULL = np.array([[1.0, 0.4], [0.4, 0.7]])
BOUND = 3e-8  # the class states it: of the largest value of μ, and 4e-9 from ν = 2 on


def characteristic_function(nu, r):
    """E e^(i <ω, X>) of t(ν, 0, I) at |ω| = r > 0: K_(ν/2)(√ν r) (√ν r)^(ν/2) / (Γ(ν/2) 2^(ν/2 - 1))."""
    a = math.sqrt(nu) * r
    with np.errstate(divide="ignore"):
        return np.exp(np.log(kv(nu / 2, a)) + nu / 2 * np.log(a) - gammaln(nu / 2) - (nu / 2 - 1) * math.log(2))


# the embedding under the Gaussian kernel ---------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [1e-4, 1e-2, 0.3, 1.0, 5.0, 1e2, 1e4])
def test_a_cauchy_law_gives_the_voigt_profile(theta):
    """ν = 1: μ(x) = Re w((x + i) / (θ √2)), and x - x' is Cauchy of twice the width, so |μ|^2 = Re w(2i / (θ √2))."""
    k, root2 = Gaussian(theta), math.sqrt(2)
    e = StudentT(1.0, [3.0], 1.0).embed(k)
    x = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 40)])
    exact = wofz((x + 1j) / (theta * root2)).real
    assert np.abs(e(x + 3.0) - exact).max() < BOUND * exact[0]
    assert e.norm() ** 2 == pytest.approx(erfcx(root2 / theta), rel=1e-9)


# kernel, its shape in units of the bandwidth, where that is nothing, and the stated error for ν < 2 and from there on
SHAPES = {
    "gaussian": (Gaussian, lambda z: math.exp(-z * z / 2), 9.0, (BOUND, 4e-9)),
    "laplacian": (Laplacian, lambda z: math.exp(-abs(z)), 36.0, (3e-5, 3e-5)),
}


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


@pytest.mark.parametrize("nu", [1.0, 2.0, 3.0, 10.0])
def test_the_energy_kernel_against_the_characteristic_function(nu):
    """|μ|^2 = (1/π) int_0^inf (1 - φ(t))^2 / t^2 dt, for a Cauchy law 2 log 2 / π; E|x| = 2 √ν / ((ν - 1) B(1/2, ν/2))."""
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
        below, _ = quad(lambda z: (z - 7) * density * (1 + z * z / nu) ** (-(nu + 1) / 2), 7, math.inf, epsabs=0, epsrel=1e-9)
        assert off_centre == pytest.approx(7 + 2 * below, rel=1e-9)


@pytest.mark.parametrize("theta", [0.3, 1.0, 6.0, 100.0])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
@pytest.mark.parametrize("nu", [0.5, 1.5, 3.0, 12.0])
def test_the_norm_against_the_characteristic_function(nu, d, theta):
    """|μ|^2 = E |φ(ω)|^2 for ω ~ N(0, I / θ^2), the kernel's own law of frequencies; |ω| θ has d degrees of freedom."""

    def integrand(log_r):
        r = math.exp(log_r)
        density = math.exp(d * log_r - r * r / 2 - (d / 2 - 1) * math.log(2) - gammaln(d / 2))
        return density * characteristic_function(nu, r / theta) ** 2

    cuts = [-80 / min(d, 4), -10.0, -5.0, -2.0, 0.0, 1.0, 2.5]  # r^d below e^-20 and e^(-r^2/2) beyond 12 are nothing
    exact = sum(quad(integrand, a, b, epsabs=0, epsrel=1e-11, limit=200)[0] for a, b in pairwise(cuts))
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

            exact = sum(quad(integrand, a, b, epsabs=1e-12, epsrel=1e-10)[0] for a, b in pairwise([-60, -20, -5, -1, 1, 3, 6]))
            assert abs(e(row[None])[0] - exact) < BOUND * e(np.zeros((1, 3)))[0]


def test_the_number_of_components_is_what_it_says():
    sizes = [
        len(StudentT(nu, np.zeros(d), 1.0).embed(Gaussian(theta)).weights)
        for nu in (0.5, 3.0, 100.0) for d in (1, 2, 20) for theta in (1e-4, 1.0, 1e4)
    ]  # fmt: skip
    assert min(sizes) >= 10
    assert max(sizes) <= 95
    # the case of most pages: twenty or so, and a distance of 200 points in a few ms
    assert len(StudentT(3.0, np.zeros(20), 1.0).embed(Gaussian(20**0.5)).weights) < 20


@pytest.mark.parametrize("nu", [0.1, 2.0, 1e6])
@pytest.mark.parametrize("theta", [1e-150, 1e-60, 1e60, 1e150])
def test_bandwidths_without_measure(theta, nu):
    """Far narrower than the law or far wider: μ is nothing or 1, and nothing overflows."""
    e = StudentT(nu, [1.0], 4.0).embed(Gaussian(theta))
    # at ν = .1 a share (1e-60)^ν = 1e-6 of the law lies beyond the one, and as much within the other
    assert e.norm() == pytest.approx(1.0 if theta > 1 else 0.0, abs=1e-5 if nu < 1 else 1e-12)


# its limit -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Polynomial(3), Gaussian(0.4), Gaussian(3.0)], ids=repr)
def test_many_degrees_of_freedom_are_a_gaussian(kernel):
    nu, m = 1e9, np.array([0.5, -1.0])
    p, normal = StudentT(nu, m, FULL), GaussianMixture([1.0], [m], FULL)
    Y = np.random.default_rng(0).normal(size=(5, 2))
    # the law differs by O(1/ν)
    np.testing.assert_allclose(p.embed(kernel)(Y), normal.embed(kernel)(Y), rtol=1e-7)
    assert p.embed(kernel).norm() == pytest.approx(normal.embed(kernel).norm(), rel=1e-7)
    assert p.expected_diagonal(kernel) == pytest.approx(normal.expected_diagonal(kernel), rel=1e-7)
    np.testing.assert_allclose(p.logpdf(Y), normal.logpdf(Y), rtol=1e-7)


# polynomial kernels: moments -----------------------------------------------------------------------------------------


def tensors(m, C):
    """E x, E x⊗x, E x⊗x⊗x of a law with mean m, covariance C and no third moment about m."""
    second = C + np.outer(m, m)
    sym = np.einsum("i,jk->ijk", m, C) + np.einsum("j,ik->ijk", m, C) + np.einsum("k,ij->ijk", m, C)
    return [np.array(1.0), m, second, sym + np.einsum("i,j,k->ijk", m, m, m)]


@pytest.mark.parametrize("offset", [0.0, 1.0])
@pytest.mark.parametrize(("degree", "nu"), [(1, 1.2), (1, 3.0), (2, 2.3), (2, 5.0), (3, 3.1), (3, 8.0)])
def test_polynomial_kernels_see_moments_only(degree, nu, offset):
    """E (<x, y> + c)^p = sum_j binom(p, j) c^(p-j) <E x^⊗j, E y^⊗j>, also where the risk is infinite: p < ν <= 2p."""
    m = np.array([0.5, -1.0])
    C = FULL * nu / (nu - 2) if nu > 2 else FULL  # degree 1 does not see it
    M = tensors(m, C)
    y = np.array([0.3, 0.8])
    p, k = StudentT(nu, m, FULL), Polynomial(degree, offset)
    terms = [math.comb(degree, j) * offset ** (degree - j) for j in range(degree + 1)]
    at_y = sum(c * np.sum(T * power(y, j)) for j, (c, T) in enumerate(zip(terms, M, strict=False)))
    square = sum(c * np.sum(T * T) for c, T in zip(terms, M, strict=False))
    e = p.embed(k)
    assert len(e.weights) == 1
    assert e([y])[0] == pytest.approx(at_y, rel=1e-12)
    assert e.norm() ** 2 == pytest.approx(square, rel=1e-12)


def power(y, j):
    """y⊗...⊗y, j times."""
    return np.array(1.0) if j == 0 else np.multiply.outer(power(y, j - 1), y)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_expected_diagonal_has_moments_of_twice_the_degree(degree):
    """E z^(2j) = ν^j Γ(j + 1/2) Γ(ν/2 - j) / (√π Γ(ν/2)) for t(ν, 0, 1), and x = m + √S z."""
    m, S = 0.7, 1.3
    for nu in (2 * degree + 0.1, 2 * degree + 3.0, 50.0):
        even = [nu**j * math.gamma(j + 0.5) * math.gamma(nu / 2 - j) / math.gamma(0.5) / math.gamma(nu / 2) for j in range(4)]
        moment = [sum(math.comb(2 * j, 2 * i) * m ** (2 * (j - i)) * S**i * even[i] for i in range(j + 1)) for j in range(4)]
        exact = sum(math.comb(degree, j) * moment[j] for j in range(degree + 1))
        # next to its pole at ν = 2p a moment amplifies the rounding of ν by p/(ν - 2p), 30 at most here
        assert StudentT(nu, [m], S).expected_diagonal(Polynomial(degree)) == pytest.approx(exact, rel=1e-12)


def test_the_expected_diagonal_in_several_dimensions():
    """E |x|^2 = |m|^2 + ν/(ν-2) tr S, and E |x|^4 by Isserlis with E v^2 = ν^2 / ((ν-2)(ν-4))."""
    m, nu = np.array([0.5, -1.0]), 6.0
    v, v2 = nu / (nu - 2), nu**2 / ((nu - 2) * (nu - 4))
    square = m @ m + v * np.trace(FULL)
    fourth = (m @ m) ** 2 + 2 * v * (m @ m) * np.trace(FULL) + v2 * (np.trace(FULL) ** 2 + 2 * np.sum(FULL**2))
    fourth += 4 * v * m @ FULL @ m
    p = StudentT(nu, m, FULL)
    assert p.expected_diagonal(Linear(offset=0.3)) == pytest.approx(square + 0.3, rel=1e-12)
    assert p.expected_diagonal(Polynomial(2, 0.3)) == pytest.approx(fourth + 0.6 * square + 0.09, rel=1e-12)


def test_degree_four_has_no_closed_form():
    with pytest.raises(ValueError, match="degrees 1, 2 and 3 have one"):
        StudentT(9.0, [0.0], 1.0).embed(Polynomial(4))


# density and sample --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nu", [0.5, 3.0, 40.0])
def test_logpdf_is_scipys(nu):
    from scipy.stats import multivariate_t

    p = StudentT(nu, [0.5, -1.0], FULL)
    X = p.sample(50, rng=0)
    np.testing.assert_allclose(p.logpdf(X), multivariate_t(p.mean, FULL, nu).logpdf(X), rtol=1e-11)


@pytest.mark.parametrize("nu", [0.5, 3.0])
def test_the_density_integrates_to_one(nu):
    p = StudentT(nu, [2.0], 4.0)
    # x = 2 + e^s on both sides: the tail of ν = .5 is spent beyond e^60
    value, _ = quad(lambda s: 2 * math.exp(s + p.logpdf([2 + math.exp(s)])[0]), -40, 80, limit=200)
    assert value == pytest.approx(1.0, rel=1e-7)


def test_the_sample_has_the_moments():
    n, nu = 200_000, 9.0  # fourth moments have a variance
    p = StudentT(nu, [0.5, -1.0], FULL)
    X = p.sample(n, rng=1)
    C = FULL * nu / (nu - 2)
    assert np.abs((X.mean(0) - p.mean) / np.sqrt(np.diag(C) / n)).max() < 4.5
    centred = X - p.mean
    products = np.einsum("ni,nj->nij", centred, centred)
    assert np.abs((products.mean(0) - C) / (products.std(0) / math.sqrt(n))).max() < 4.5


@pytest.mark.parametrize("nu", [0.7, 2.0, 9.0])
def test_the_sample_has_the_quantiles(nu):
    """In any direction a t law, moments or none: counts below a quantile are binomial."""
    from scipy.stats import t

    n, p = 100_000, StudentT(nu, [0.5, -1.0], FULL)
    a = np.array([0.6, -0.8])
    z = (p.sample(n, rng=2) - p.mean) @ a / math.sqrt(a @ FULL @ a)
    for q in (0.001, 0.1, 0.5, 0.8, 0.999):
        below = (z < t.ppf(q, nu)).sum()
        assert abs(below - n * q) < 4.5 * math.sqrt(n * q * (1 - q))


def test_coordinates_share_one_scale():
    """Uncorrelated is not independent: squares of a t law's coordinates are correlated, a Gaussian's are not."""
    X = StudentT(9.0, [0.0, 0.0], 1.0).sample(100_000, rng=3)
    assert np.corrcoef(X[:, 0] ** 2, X[:, 1] ** 2)[0, 1] > 0.05


def test_a_singular_law():
    direction = np.array([3.0, 4.0]) / 5
    p = StudentT(3.0, [1.0, -1.0], np.outer(direction, direction))
    X = p.sample(50, rng=0) - p.mean
    # the root of an eigenvalue that is zero up to eps |S| is sqrt(eps), times the law's largest radii
    np.testing.assert_allclose(X @ [-0.8, 0.6], 0.0, rtol=0, atol=1e-6)
    assert p.embed(Gaussian(0.8)).norm() == pytest.approx(StudentT(3.0, [0.0], 1.0).embed(Gaussian(0.8)).norm(), rel=1e-9)
    with pytest.raises(ValueError, match="singular, so the law has no density"):
        p.logpdf(X)


def test_a_law_without_spread_is_a_point():
    """All moments, so no kernel is refused."""
    p = StudentT(0.5, [1.0, 2.0], 0.0)
    np.testing.assert_array_equal(p.sample(3, rng=0), [[1.0, 2.0]] * 3)
    assert p.embed(Polynomial(4)).norm() == pytest.approx(36.0, rel=1e-14)
    assert p.expected_diagonal(Polynomial(4)) == pytest.approx(6.0**4, rel=1e-14)
    assert p.embed(Gaussian(1.0)).norm() == 1.0


def test_the_law_is_equivariant():
    """A shift and a turn of the law move its embedding under the Gaussian kernel along."""
    k, shift = Gaussian(0.9), np.array([5.0, -2.0])
    Q = np.array([[0.6, -0.8], [0.8, 0.6]])
    Y = np.random.default_rng(0).normal(size=(6, 2))
    here = StudentT(1.3, [0.2, 0.4], FULL).embed(k)(Y)
    there = StudentT(1.3, Q @ [0.2, 0.4] + shift, Q @ FULL @ Q.T).embed(k)(Y @ Q.T + shift)
    np.testing.assert_allclose(there, here, rtol=1e-10)
    scaled = StudentT(1.3, [0.6, 1.2], 9 * FULL).embed(Gaussian(2.7))(3 * Y)
    np.testing.assert_allclose(scaled, here, rtol=1e-10)


@pytest.mark.parametrize("form", [2.0, [2.0, 2.0], 2 * np.eye(2)], ids=["variance", "variances", "matrix"])
def test_the_scale_matrix_in_each_of_its_forms(form):
    np.testing.assert_array_equal(StudentT(3.0, [0.0, 0.0], form).covariance, 2 * np.eye(2))
    assert StudentT(3.0, 0.0, 2.0).d == 1


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "StudentT.df must be a number of at least 0.1, not 0", (0, [0.0], 1.0)),
        (ValueError, "StudentT.df must be a number of at least 0.1, not inf", (math.inf, [0.0], 1.0)),
        (TypeError, "StudentT.df must be a number of at least 0.1, not None", (None, [0.0], 1.0)),
        (TypeError, "StudentT.df must be a number of at least 0.1, not True", (True, [0.0], 1.0)),
        (ValueError, r"mean has shape \(1, 2\); give one number for each coordinate", (3, [[0.0, 0.0]], 1.0)),
        (ValueError, r"mean has shape \(0,\)", (3, [], 1.0)),
        (ValueError, "mean has 1 values that are NaN", (3, [np.nan], 1.0)),
        (ValueError, "covariance has the eigenvalue -1", (3, [0.0], -1.0)),
        (ValueError, r"covariance has shape \(3,\)", (3, [0.0, 0.0], [1.0, 1.0, 1.0])),
        (ValueError, "covariance is not symmetric", (3, [0.0, 0.0], [[1.0, 1.0], [0.0, 1.0]])),
    ],
)
def test_bad_arguments_of_a_t_law_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=said):
        StudentT(*arguments)


def test_the_degrees_of_freedom_have_no_default():
    with pytest.raises(TypeError, match=r"missing .* 'df'"):
        StudentT()
