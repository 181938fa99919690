"""The Laplacian kernel: its closed form in every regime, and the integral where there is none."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erfcx

from explorer import GaussianMixture, Laplacian, median_bandwidth
from explorer.kernels.conditioning import one_dimension

C2 = np.array([[1.0, 0.6], [0.6, 0.7]])
C3 = np.array([[1.0, 0.4, -0.3], [0.4, 0.8, 0.2], [-0.3, 0.2, 0.6]])


def points(n, d, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def wishart(d, seed=0):
    """A covariance as the papers draw it: of rank 7 at most, and a little noise."""
    G = np.random.default_rng(seed).normal(size=(d, 7))
    return G @ G.T / 7 + 0.1 * np.eye(d)


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
        with pytest.raises(ValueError, match=r"write Laplacian\(θ\)"):
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
    product = np.prod([Laplacian(1.7).expected(X[:, l : l + 1], v[l : l + 1, None], Y[:, l : l + 1], None) for l in range(3)], 0)
    values, errors = k.expected_with_error(X, np.diag(v), Y, None)
    np.testing.assert_allclose(values, product, rtol=1e-15)
    np.testing.assert_array_equal(errors, 0.0)
    np.testing.assert_array_equal(k.expected(X, np.diag(v), Y, None), values)
    np.testing.assert_allclose(k.expected(X, np.diag(v) / 4, Y, 3 * np.diag(v) / 4), values, rtol=1e-14)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_it_stands_beside_its_neighbours_without_a_closed_form(d):
    """An off-diagonal of 1e-9 leaves the closed form for the integral, and the value where it was."""
    X, v = points(6, d), np.linspace(0.3, 2.0, d)
    off = 1e-9 * (np.ones((d, d)) - np.eye(d))
    closed, near = (Laplacian(1.3).expected_with_error(X, np.diag(v) + S, X, None) for S in (0, off))
    np.testing.assert_allclose(near[0], closed[0], rtol=1e-8)  # the weights are constant up to 1e-9
    assert (near[1] <= 1e-8).all()


# any covariance: other roads ------------------------------------------------------------------------------------------


def by_frequencies(m, S, theta):
    """E exp(-|z|_1/θ) = int prod_l θ/(π (1 + θ^2 w_l^2)) e^(-w'Sw/2) cos(w'm) dw, on a grid.

    Equal steps h err by e^(-2π/(θ h)), the poles being i/θ away from the axis, and the grid ends where e^(-w'Sw/2) = 1e-17.
    """
    h = 0.19 / theta
    w = h * np.arange(-(n := int(9 / np.sqrt(np.linalg.eigvalsh(S)[0]) / h)), n + 1)
    cauchy = h * theta / np.pi / (1 + (theta * w) ** 2)
    total = np.zeros(len(m))
    for first, mass in zip(w, cauchy, strict=True):  # a plane at a time, for memory's sake
        rest = np.stack(np.meshgrid(*[w] * (len(S) - 1), indexing="ij"), axis=-1).reshape(-1, len(S) - 1)
        grid = np.column_stack([np.full(len(rest), first), rest])
        weight = mass * np.exp(-0.5 * ((grid @ S) * grid).sum(1))
        for _ in S[1:]:
            weight = (weight.reshape(-1, len(w)) * cauchy).reshape(weight.shape)
            weight = np.moveaxis(weight.reshape([len(w)] * (len(S) - 1)), -1, 0).ravel()
        total += [weight @ np.cos(grid @ row) for row in m]
    return total


@pytest.mark.parametrize(("S", "theta", "atol"), [(C2, 0.3, 1e-7), (C2, 1.0, 1e-7), (C2, 4.0, 1e-7), (C3, 0.5, 1e-5)])
def test_gauss_rules_against_fourier_integrals(S, theta, atol):
    d = len(S)
    m = np.concatenate([np.zeros((1, d)), 1.5 * points(6, d)])
    values, errors = (a[:, 0] for a in Laplacian(theta).expected_with_error(m, S, np.zeros((1, d)), None))
    exact = by_frequencies(m, S, theta)
    # measured: 1e-8 and 1e-6 of the value at m = 0
    np.testing.assert_allclose(values, exact, rtol=0, atol=atol * exact[0])
    assert (
        np.abs(values - exact) <= 2 * errors + 1e-10
    ).all()  # the larger of two differences, each too small by chance in 1 of 30


@pytest.mark.parametrize("rho", [0.9, 0.99, 0.999999, 1.0])
@pytest.mark.parametrize("theta", [0.1, 1.0, 10.0])
def test_nearly_and_wholly_correlated_pairs(rho, theta):
    """Given z_1 the other coordinate has the closed form: one integral, cut where |z_1| and |z_2| have their kinks."""
    beta = rho * np.sqrt(0.5)
    rest = np.sqrt(0.5 * (1 - rho**2))
    m = np.concatenate([np.zeros((1, 2)), 1.5 * points(5, 2)])
    S = np.array([[1.0, beta], [beta, 0.5]])
    exact = []
    for a, b in m:

        def integrand(z, a=a, b=b):
            given = one_dimension(np.array(b + beta * (z - a)) / theta, rest / theta)
            return np.exp(-0.5 * (z - a) ** 2 - abs(z) / theta) / np.sqrt(2 * np.pi) * given

        kink = a - b / beta
        cuts = sorted({c + w * e for c in (0.0, kink, a) for w in (theta, rest, 1.0) for e in (-30, -8, -2, 0, 2, 8, 30)})
        cuts = [c for c in cuts if abs(c - a) <= 12]
        exact.append(sum(quad(integrand, *ends, epsabs=0, epsrel=1e-10)[0] for ends in pairwise(cuts)))
    values = Laplacian(theta).expected(m, S, np.zeros((1, 2)), None)[:, 0]
    np.testing.assert_allclose(values, exact, rtol=0, atol=2e-5 * exact[0])  # measured: 1e-7 at .9, 1e-5 at .999999


def one_factor(m, v, b, theta):
    """E exp(-|z|_1/θ) for z = m + b r + noise of variances v: given r the coordinates are independent."""
    r = np.linspace(-9, 9, 20_001)  # steps of 1e-3 against the narrowest sqrt(v)/b, .3
    given = np.prod([one_dimension((m[:, l, None] + b[l] * r) / theta, np.sqrt(v[l]) / theta) for l in range(len(v))], axis=0)
    return given @ np.exp(-0.5 * r**2) * (r[1] - r[0]) / np.sqrt(2 * np.pi)


@pytest.mark.parametrize("theta", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("d", [2, 3, 4, 5, 20, 50])
def test_one_common_factor_is_a_line_integral(d, theta):
    rng = np.random.default_rng(d)
    v, b = rng.uniform(0.2, 1.0, d), rng.uniform(-1, 1, d)
    theta *= d
    m = np.concatenate([np.zeros((1, d)), 0.7 * points(3, d)])
    values, errors = (
        a[:, 0] for a in Laplacian(theta).expected_with_error(m, np.diag(v) + np.outer(b, b), np.zeros((1, d)), None)
    )
    exact = one_factor(m, v, b, theta)
    # t-law of 7 degrees of freedom: P(|t| > 8) = 1e-4, seeds fixed
    assert (np.abs(values - exact) <= 8 * errors + 1e-9).all()
    assert (errors <= {2: 1e-5, 3: 1e-4}.get(d, 5e-3) * exact[0]).all()


@pytest.mark.parametrize("blocks", [2, 10])
def test_independent_blocks_multiply(blocks):
    """Sobol nets in 2 * blocks dimensions against Gauss rules in two."""
    theta, d = 2.0 * blocks, 2 * blocks
    m = points(4, d)
    pairs = [Laplacian(theta).expected(m[:, l : l + 2], C2, np.zeros((1, 2)), None)[:, 0] for l in range(0, d, 2)]
    S = np.kron(np.eye(blocks), C2)
    values, errors = (a[:, 0] for a in Laplacian(theta).expected_with_error(m, S, np.zeros((1, d)), None))
    assert (np.abs(values - np.prod(pairs, axis=0)) <= 8 * errors).all()
    assert (errors <= 2e-3 * values).all()


@pytest.mark.parametrize("d", [2, 3, 4, 20])
def test_a_singular_covariance_of_rank_one(d):
    """z = m + b r: exp(-sum_l |m_l + b_l r|) between its kinks, by quadrature."""
    rng = np.random.default_rng(d)
    b, m = rng.uniform(0.3, 1, d) * rng.choice([-1, 1], d), rng.normal(size=(3, d))
    theta = float(d)
    exact = []
    for row in m:
        cuts = np.unique(np.clip(np.concatenate([[-9, 9, 0], -row / b]), -9, 9))
        exact.append(sum(
            quad(lambda r, row=row: np.exp(-0.5 * r * r - np.abs(row + b * r).sum() / theta), *ends)[0] / np.sqrt(2 * np.pi)
            for ends in pairwise(cuts)
        ))  # fmt: skip
    values, errors = (a[:, 0] for a in Laplacian(theta).expected_with_error(m, np.outer(b, b), np.zeros((1, d)), None))
    np.testing.assert_allclose(values, exact, rtol=1e-6)  # Gauss rules between the kinks, quad to 1e-8
    assert (np.abs(values - exact) <= 2 * errors + 1e-8).all()


@pytest.mark.parametrize("theta", [10.0, 1.0, 1e-3, 1e-5, 1e-7, 1e-9, 1e-30])
@pytest.mark.parametrize("d", [2, 3, 70])
def test_rank_one_around_zero_is_one_dimension(d, theta):
    """E exp(-|r| sum_l |b_l| / θ): what is drawn of z_1 lies within θ, a billionth of its standard deviation."""
    b = np.random.default_rng(d).uniform(0.5, 1, d) * np.where(np.arange(d) % 3, 1, -1)
    value, error = (
        a[0, 0] for a in Laplacian(theta).expected_with_error(np.zeros((1, d)), np.outer(b, b), np.zeros((1, d)), None)
    )
    exact = one_dimension(np.zeros(()), np.abs(b).sum() / theta)
    # Gauss rules, for d = 70 nets; the two formulas of the quantile are 1e-8 both at their seam
    assert value == pytest.approx(exact, rel=1e-6 if d <= 3 else 5e-2)
    assert abs(value - exact) <= 8 * error + 1e-7 * exact


def test_an_uncoupled_coordinate_is_a_factor():
    X, Y = points(5, 5), points(4, 5, 1)
    S = np.zeros((5, 5))
    S[np.ix_([0, 2, 4], [0, 2, 4])] = C3
    S[3, 3] = 9.0  # the largest variance, and coordinate 1 has none
    k = Laplacian(3.0)
    inner, said = k.expected_with_error(X[:, ::2], C3, Y[:, ::2], None)
    factor = k.expected(X[:, 3:4], S[3:4, 3:4], Y[:, 3:4], None) * k(X[:, 1:2], Y[:, 1:2])
    values, errors = k.expected_with_error(X, S, Y, None)
    np.testing.assert_allclose(values, inner * factor, rtol=1e-14)
    np.testing.assert_allclose(errors, said * factor, rtol=1e-14)


@pytest.mark.parametrize("d", [2, 3, 5])
def test_small_covariances_tend_to_points(d):
    X, Y = points(4, d), points(3, d, 1)
    k = Laplacian(1.0)
    for tiny in (1e-6, 1e-12, 1e-300):
        # k is smooth at distances of a thousand standard deviations: E k - k = O(S)
        np.testing.assert_allclose(k.expected(X, tiny * wishart(d), Y, None), k(X, Y), rtol=10 * d * tiny + 1e-13)


@pytest.mark.parametrize("d", [2, 3, 5, 20])
def test_large_covariances_leave_the_density_at_zero(d):
    """E k -> (2 θ)^d N(0; m, S): where a plain average over draws sees nothing."""
    S, m, theta = wishart(d), 0.3 * points(4, d), 1e-5
    gamma, U = np.linalg.eigh(S)
    density = np.exp(-0.5 * ((m @ U) ** 2 / gamma).sum(1) - 0.5 * np.log(2 * np.pi * gamma).sum())
    values = Laplacian(theta).expected(m, S, np.zeros((1, d)), None)[:, 0]
    np.testing.assert_allclose(values, (2 * theta) ** d * density, rtol=1e-3)  # O(θ^2 / variance), and θ |m| / variance


# what it owes whatever its error ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 3, 4, 20])
class TestPromises:
    def parts(self, d):
        return Laplacian(0.5 * d), points(5, d), points(4, d, 1), wishart(d), wishart(d, 1)

    def test_the_same_pair_has_the_same_value(self, d):
        k, X, Y, C, D = self.parts(d)
        values = k.expected(X, C, Y, D)
        np.testing.assert_array_equal(values, k.expected(X, C, Y, D))
        np.testing.assert_array_equal(values, k.expected_with_error(X, C, Y, D)[0])
        np.testing.assert_allclose(values[2, 1], k.expected(X[2:3], C, Y[1:2], D)[0, 0], rtol=1e-13)
        # nor do many pairs at a time differ from few
        many = k.expected(np.tile(X, (60 if d < 20 else 2, 1)), C, Y[:1], D)
        np.testing.assert_allclose(many[:5], many[-5:], rtol=1e-13)

    def test_it_is_symmetric(self, d):
        k, X, Y, C, D = self.parts(d)
        np.testing.assert_allclose(k.expected(X, C, Y, D), k.expected(Y, D, X, C).T, rtol=1e-13)
        np.testing.assert_allclose(k.expected(X, C, X, C), k.expected(X, C, X, C).T, rtol=1e-13)

    def test_it_knows_no_unit_and_no_origin(self, d):
        k, X, Y, C, D = self.parts(d)
        a = 1024.0  # a power of two: pivots and nodes stay
        moved = Laplacian(a * k.bandwidth).expected(a * X, a**2 * C, a * Y, a**2 * D)
        np.testing.assert_allclose(moved, k.expected(X, C, Y, D), rtol=1e-12)
        shifted = k.expected(X + 1e8, C, Y + 1e8, D)
        np.testing.assert_allclose(shifted, k.expected(X, C, Y, D), rtol=1e-6)  # the shift rounds X to 1e-8

    def test_coordinates_may_be_renamed_and_reflected(self, d):
        k, X, Y, C, _ = self.parts(d)
        values, errors = k.expected_with_error(X, C, Y, None)
        order, signs = np.random.default_rng(0).permutation(d), np.where(np.arange(d) % 2, -1.0, 1.0)
        renamed = k.expected(X[:, order], C[np.ix_(order, order)], Y[:, order], None)
        np.testing.assert_allclose(renamed, values, rtol=1e-13)  # the pivots find the same order
        reflected, other = k.expected_with_error(X * signs, C * np.outer(signs, signs), Y * signs, None)
        assert (np.abs(reflected - values) <= 8 * (errors + other) + 1e-12).all()

    def test_its_gram_matrix_is_positive_up_to_its_error(self, d):
        k, _, _, C, _ = self.parts(d)
        X = points(25 if d < 20 else 10, d)
        values, errors = k.expected_with_error(X, C, X, C)
        assert np.linalg.eigvalsh(values)[0] >= -np.linalg.norm(errors, 2)

    def test_the_law_is_bounded_by_one_and_falls_with_distance(self, d):
        k, X, _, C, _ = self.parts(d)
        steps = np.linspace(0, 30, 20)[:, None] * X[:1]
        values = k.expected(steps, C, np.zeros((1, d)), None)[:, 0]
        assert values[0] < 1
        assert (np.diff(values) < 0).all()


@pytest.mark.parametrize("theta", [1e-150, 1e-8, 1e8, 1e150])
@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_no_scale_gives_nan(theta, size):
    for d in (1, 2, 3, 4):
        X = np.array([[0.0] * d, [1e300] + [0.0] * (d - 1), [1e-300] * d])
        values = Laplacian(theta).expected(X, size * (np.eye(d) + 0.3), X, None)
        assert ((values >= 0) & (values <= 1 + 1e-12)).all()


def test_memory_is_bounded():
    X, k = points(400, 4), Laplacian(2.0)
    k.expected(X[:1], wishart(4), X[:1], None)  # what is imported on the first call
    tracemalloc.start()
    k.expected(X, wishart(4), X[:1], None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6  # one array of 400 pairs times 2048 nodes would have 6.5 MB, and there are a dozen


def test_an_exact_loss_with_full_covariances():
    """Embedding, norm and Monte Carlo agree on the papers' mixture in the plane."""
    law = GaussianMixture.random(2, rng=1)
    X, Y = law.sample(100_000, rng=2), law.sample(100_000, rng=3)
    k = Laplacian().select(X[:200])
    draws = np.exp(-np.abs(X - Y).sum(1) / k.bandwidth)
    z = (draws.mean() - law.embed(k).norm() ** 2) / (draws.std() / np.sqrt(len(draws)))
    assert abs(z) < 4.5
