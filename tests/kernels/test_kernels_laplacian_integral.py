"""The Laplacian kernel between Gaussians of any covariance: its integral by other methods."""

from itertools import pairwise

import numpy as np
import pytest
from covariances import C2, C3, points, wishart
from scipy.integrate import quad

from explorer import Laplacian
from explorer.kernels.laplacian_noise import one_dimension


def by_frequencies(m, S, theta):
    """E exp(-|z|_1/θ) = int prod_l θ/(π (1 + θ^2 w_l^2)) e^(-w'Sw/2) cos(w'm) dw, on a grid.

    Equal steps h err by e^(-2π/(θ h)), the poles being i/θ away from the axis, and the grid ends where e^(-w'Sw/2) =
    1e-17.
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


@pytest.mark.thorough(default=["0.1-0.99", "0.1-0.999999", "1.0-0.99", "1.0-0.999999"])
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
        cuts = sorted(
            {c + w * e for c in (0.0, kink, a) for w in (theta, rest, 1.0) for e in (-30, -8, -2, 0, 2, 8, 30)}
        )
        cuts = [c for c in cuts if abs(c - a) <= 12]
        exact.append(sum(quad(integrand, *ends, epsabs=0, epsrel=1e-10)[0] for ends in pairwise(cuts)))
    values = Laplacian(theta).expected(m, S, np.zeros((1, 2)), None)[:, 0]
    np.testing.assert_allclose(values, exact, rtol=0, atol=2e-5 * exact[0])  # measured: 1e-7 at .9, 1e-5 at .999999


def one_factor(m, v, b, theta):
    """E exp(-|z|_1/θ) for z = m + b r + noise of variances v: given r the coordinates are independent."""
    r = np.linspace(-9, 9, 20_001)  # steps of 1e-3 against the narrowest sqrt(v)/b, .3
    given = np.prod(
        [one_dimension((m[:, l, None] + b[l] * r) / theta, np.sqrt(v[l]) / theta) for l in range(len(v))], axis=0
    )
    return given @ np.exp(-0.5 * r**2) * (r[1] - r[0]) / np.sqrt(2 * np.pi)


@pytest.mark.thorough(default=["3-0.3", "3-10.0", "4-0.3", "5-1.0", "20-1.0", "50-0.3"])
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
        exact.append(
            sum(
                quad(lambda r, row=row: np.exp(-0.5 * r * r - np.abs(row + b * r).sum() / theta), *ends)[0]
                / np.sqrt(2 * np.pi)
                for ends in pairwise(cuts)
            )
        )
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
