"""The filters: each is the polynomial, or the iteration, that its name says; bounds, limits and rates."""

import math

import numpy as np
import pytest
from kernels_and_estimators import KERNELS, drawn
from scipy.special import eval_jacobi

from explorer import SpectralKMSE
from explorer.estimators.filters import iterated_tikhonov, landweber, nu, tikhonov, tsvd

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
X01 = np.concatenate([[0.0, 1e-300, 1e-12], np.linspace(1e-4, 1, 2001)])  # γ / γ_max
GAMMA = np.concatenate([[0.0], np.geomspace(1e-12, 1e3, 61)])[:, None]
LAMS = np.array([1e-9, 1e-3, 0.5, 1.0, 40.0, 1e9])
STEPS = np.array([0, 1, 2, 3, 10, 1000])


# iterations on K itself, as in textbooks         ----------------------------------------------------------------


def landweber_iteration(K, steps):
    b, target = np.zeros(len(K)), K.mean(axis=1)
    for _ in range(steps):
        b = b + (target - K @ b) / np.linalg.eigvalsh(K)[-1]
    return b


def nu_iteration(K, steps, v=1.0):
    """Engl, Hanke and Neubauer 1996, section 6.3, for any ν = v."""
    eta, target = 1 / np.linalg.eigvalsh(K)[-1], K.mean(axis=1)
    before, b = np.zeros(len(K)), np.zeros(len(K))
    for t in range(1, steps + 1):
        mu, omega = 0.0, (4 * v + 2) / (4 * v + 1)
        if t > 1:
            mu = (
                (t - 1)
                * (2 * t - 3)
                * (2 * t + 2 * v - 1)
                / ((t + 2 * v - 1) * (2 * t + 4 * v - 1) * (2 * t + 2 * v - 3))
            )
            omega = 4 * (2 * t + 2 * v - 1) * (t + v - 1) / ((t + 2 * v - 1) * (2 * t + 4 * v - 1))
        before, b = b, b + mu * (b - before) + omega * eta * (target - K @ b)
    return b


def tikhonov_iteration(K, steps, lam):
    b, target = np.zeros(len(K)), K.mean(axis=1)
    for _ in range(steps):
        b = b + np.linalg.solve(K + lam * np.eye(len(K)), target - K @ b)
    return b


@pytest.mark.thorough(default=["0-*", "*-gaussian", "*-gaussian, automatic", "*-linear"])
@every_kernel
@pytest.mark.parametrize("steps", [0, 1, 2, 7, 40])
def test_the_weights_are_those_of_the_iteration(row, steps):
    k, X = drawn(row)
    K = k(X)
    lam = 0.1 * np.linalg.eigvalsh(K)[-1]
    # weights are at most 1.2 / 3 (n = 9), each step rounds at eps: 40 * 9 * eps, and the solver's condition number is
    # 11
    close = {"rtol": 0, "atol": 1e-12}
    for weights, estimator in [
        (landweber_iteration(K, steps), SpectralKMSE(k, "landweber", steps=steps)),
        (nu_iteration(K, steps), SpectralKMSE(k, "nu", steps=steps)),
        (tikhonov_iteration(K, steps, lam), SpectralKMSE(k, "iterated-tikhonov", lam, steps)),
    ]:
        np.testing.assert_allclose(estimator.embed(X).weights, weights, **close)


@every_kernel
def test_tsvd_projects_the_mean_on_the_largest_directions(row):
    k, X = drawn(row)
    gamma, U = np.linalg.eigh(k(X))
    ends = [2 * gamma[-1], *gamma[::-1]]
    # thresholds in the middle of gaps that are wide relative to rounding
    gaps = [kept for kept in range(9) if ends[kept] - ends[kept + 1] > 1e-6 * gamma[-1]]
    assert 0 in gaps
    for kept in gaps:
        top = U[:, 9 - kept :]
        weights = SpectralKMSE(k, "tsvd", (ends[kept] + ends[kept + 1]) / 2).embed(X).weights
        # a gap of 1e-6 of the largest eigenvalue costs the directions six digits
        np.testing.assert_allclose(weights, top @ top.T @ np.full(9, 1 / 9), rtol=0, atol=1e-9)


# closed forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 100, 1000])
def test_what_nu_leaves_is_a_jacobi_polynomial(steps):
    """r_t(x) = P_t^(3/2, -1/2)(1 - 2x) / P_t^(3/2, -1/2)(1): Brakhage 1987."""
    jacobi = eval_jacobi(steps, 1.5, -0.5, 1 - 2 * X01) / eval_jacobi(steps, 1.5, -0.5, 1.0)
    # 1 - 2x rounds at eps, and the polynomial's slope in x is at most (2/5) t (t + 2)
    np.testing.assert_allclose(1 - nu(X01, steps, 1.0), jacobi, rtol=0, atol=1e-14 + steps**2 * 1e-15)


@pytest.mark.parametrize("steps", [1, 2, 3, 10, 100, 1000])
def test_what_nu_leaves_is_a_sum_of_sines(steps):
    """x = sin^2 φ, N = 2t + 2: r_t = 3 (sin Nφ cos φ - N cos Nφ sin φ) / (N (N^2 - 1) sin^3 φ)."""
    phi = np.linspace(0.05, np.pi / 2, 500)  # next to φ = 0 the form cancels
    N = 2 * steps + 2
    sines = (
        3 * (np.sin(N * phi) * np.cos(phi) - N * np.cos(N * phi) * np.sin(phi)) / (N * (N**2 - 1) * np.sin(phi) ** 3)
    )
    np.testing.assert_allclose(1 - nu(np.sin(phi) ** 2, steps, 1.0), sines, rtol=0, atol=1e-12)  # N eps and 1 / sin^2


def test_the_filters_are_their_formulas():
    with np.errstate(divide="ignore", invalid="ignore"):
        for t in (1, 2, 5):
            plain = 1 - (LAMS / (GAMMA + LAMS)) ** t
            np.testing.assert_allclose(iterated_tikhonov(GAMMA, LAMS, t), plain, rtol=0, atol=2e-15)  # t + 2 roundings
    np.testing.assert_allclose(iterated_tikhonov(GAMMA, LAMS, 1), tikhonov(GAMMA, LAMS), rtol=1e-14)
    np.testing.assert_allclose(landweber(X01[:, None], STEPS, 1.0), 1 - (1 - X01[:, None]) ** STEPS, rtol=0, atol=3e-14)
    np.testing.assert_array_equal(tsvd(GAMMA, LAMS), GAMMA >= LAMS)


def test_small_values_keep_their_digits():
    """h = tγ/λ and tηγ to first order: 1 - (1 - small)^t would lose them."""
    assert iterated_tikhonov(1.0, 1e14, 3) == pytest.approx(3e-14, rel=1e-12)
    assert landweber(np.array([1e-14, 1.0]), 3)[0] == pytest.approx(3e-14, rel=1e-12)
    assert nu(np.array([1e-14, 1.0]), 1)[0] == pytest.approx(1.2e-14, rel=1e-12)
    # a polynomial with root 1 and slope (2/5) t (t + 2) at 0
    assert nu(np.array([1e-14, 1.0]), 50)[0] == pytest.approx(1040e-14, rel=1e-9)


# bounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("h", "parameters"),
    [
        (tikhonov, LAMS[::-1]),
        (lambda g, v: iterated_tikhonov(g, v, 3), LAMS[::-1]),
        (lambda g, v: iterated_tikhonov(g, 0.5, v), STEPS),
        (landweber, STEPS),
        (tsvd, LAMS[::-1]),
    ],
    ids=["tikhonov", "iterated, λ", "iterated, t", "landweber", "tsvd"],
)
def test_filters_lie_between_0_and_1_and_rise_with_the_eigenvalue_and_the_trust(h, parameters):
    values = h(GAMMA, parameters)
    assert values.min() >= 0
    assert values.max() <= 1
    # tikhonov divides and the others take exp of log: a last digit may waver
    assert np.diff(values, axis=0).min() >= -1e-15
    assert np.diff(values, axis=1).min() >= -1e-15


@pytest.mark.parametrize("steps", [1, 2, 3, 17, 200])
def test_nu_overshoots_but_leaves_no_more_than_it_found(steps):
    h = nu(X01, steps, 1.0)
    assert h.min() >= -1e-13  # t roundings
    assert np.abs(1 - h).max() <= 1 + 1e-13
    assert h.max() > 1.0001  # its values as a filter are not in [0, 1]
    assert h.max() <= 1.2 + 1e-13  # the first step's 6/5 is the largest


def slope(h):
    """Return the slope of log sup_x x |1 - h(x)| over log t."""
    steps = np.array([16, 32, 64, 128, 256, 512])
    x = np.geomspace(1e-8, 1, 20001)
    left = np.abs(x[:, None] * (1 - h(x[:, None], steps))).max(axis=0)
    return np.polyfit(np.log(steps), np.log(left), 1)[0]


def test_nu_is_of_order_two_and_landweber_of_order_one():
    """sup x^ν |r_t| = O(t^(-2ν)) with ν = 1; the next terms are of order 1/t, .02 in the slope from t = 16 on."""
    assert slope(lambda x, t: nu(x, t, 1.0)) == pytest.approx(-2, abs=0.1)
    assert slope(lambda x, t: landweber(x, t, 1.0)) == pytest.approx(-1, abs=0.05)


# limits -----------------------------------------------------------------------------------------------------------


def test_the_ends_of_every_parameter():
    ends = np.array([0.0, math.inf])
    for h in (tikhonov, lambda g, v: iterated_tikhonov(g, v, 3), tsvd):
        np.testing.assert_array_equal(h(GAMMA, ends), np.broadcast_to([1.0, 0.0], (62, 2)))  # γ = 0 included
    for h in (landweber, nu):
        np.testing.assert_array_equal(h(GAMMA, np.array([0])), 0.0)
        np.testing.assert_array_equal(h(GAMMA, np.array([5]))[0], 0.0)  # γ = 0 stays behind
    np.testing.assert_array_equal(iterated_tikhonov(GAMMA, np.array([0.0, 0.3, math.inf]), 0), 0.0)
    # on the range every filter tends to 1: here γ / γ_max >= 1e-3
    range_ = GAMMA[GAMMA >= 1.0]
    assert landweber(range_, 10**5).min() > 1 - 1e-13
    assert np.abs(nu(range_, 10**4) - 1).max() < 1e-5  # |r| <= 3 / (N^2 x) by the sines: 8e-6 at x = 1e-3
    assert iterated_tikhonov(range_, 10.0, 10**4).min() > 1 - 1e-13


def test_no_eigenvalue_at_all():
    """K = 0: every estimate is 0 in the RKHS."""
    nothing = np.zeros(3)
    for h in (landweber, nu):
        np.testing.assert_array_equal(h(nothing, 4), 0.0)
    np.testing.assert_array_equal(tsvd(nothing, 0.1), 0.0)
    np.testing.assert_array_equal(iterated_tikhonov(nothing, 0.1, 3), 0.0)
    np.testing.assert_array_equal(iterated_tikhonov(nothing, 0.0, 3), 1.0)


def test_extreme_ratios_are_quiet():
    """Warnings are errors here."""
    assert iterated_tikhonov(1e300, 1e-300, 2) == 1.0
    assert iterated_tikhonov(1e-300, 1e300, 2) == 0.0


@pytest.mark.parametrize("h", [landweber, nu])
def test_top_is_the_step_and_a_batch_is_one_after_the_other(h):
    gamma, steps = np.array([[0.2], [1.0], [2.0]]), np.array([3, 0, 8, 3])
    np.testing.assert_array_equal(h(gamma, steps), h(gamma, steps, 2.0))
    assert not np.allclose(h(gamma, 3), h(gamma, 3, 4.0))
    for i, t in enumerate(steps):
        np.testing.assert_array_equal(h(gamma, steps)[:, i], h(gamma[:, 0], t))


def test_tsvd_keeps_an_eigenvalue_that_misses_the_threshold_by_rounding():
    np.testing.assert_array_equal(tsvd(np.array([2 - 4e-16, 2.0, 2 + 4e-16, 1.999999]), 2.0), [1, 1, 1, 0])
