"""Coefficients of dependence: against their own definitions, HSIC under other kernels, and the package dcor."""

import sys

import numpy as np
import pytest
from paired_samples import dependent, independent
from scipy.spatial.distance import cdist

from explorer import MKME, Energy, Linear, hsic, hsic_test, mmd2, mmd_test
from explorer.discrepancy import (
    dependence_test,
    distance_correlation,
    distance_covariance,
    distance_test,
    hsic_gamma,
    pearson_test,
)
from explorer.discrepancy.resampling.permutation import permutations


def by_definition(X, Y):
    """Return the mean of the products of double-centred distances: dCov^2."""
    centred = []
    for Z in (X, Y):
        D = cdist(Z, Z)
        centred.append(D - D.mean(0) - D.mean(1)[:, None] + D.mean())
    return float(np.mean(centred[0] * centred[1]))


@pytest.mark.parametrize("shift", [0.0, 1e5])
def test_the_square_is_four_times_hsic(shift):
    X, Y = dependent(25)
    # 1e5 away the kernel's values are as large, which leaves 10 digits
    assert 4 * hsic(X + shift, Y - shift, Energy(), Energy()) == pytest.approx(by_definition(X, Y), rel=1e-9)
    assert distance_covariance(X + shift, Y) == pytest.approx(np.sqrt(by_definition(X, Y)), rel=1e-9)


def test_the_correlation_is_1_for_similar_figures_and_0_for_a_constant():
    X, Y = dependent(25)
    expected = np.sqrt(by_definition(X, Y) / np.sqrt(by_definition(X, X) * by_definition(Y, Y)))
    assert distance_correlation(X, Y) == pytest.approx(expected, rel=1e-10)
    assert distance_correlation(X, 3 - 2 * X[:, ::-1]) == pytest.approx(1, rel=1e-12)
    assert distance_correlation(X, np.ones(25)) == 0
    assert distance_covariance(X, np.full(25, 0.1)) == pytest.approx(0, abs=1e-8)


@pytest.fixture(scope="module")
def dcor():
    """The package, its loops left to Python.

    To compile them at its import takes eight seconds, and 30 points do not need it.
    """
    numba = pytest.importorskip("numba", reason="dcor needs numba")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba.config, "DISABLE_JIT", True)
        patch.setattr(numba, "guvectorize", lambda *signature, **options: lambda function: function)
        package = pytest.importorskip("dcor", reason="dcor is not installed")
    yield package
    for name in [name for name in sys.modules if name.split(".")[0] == "dcor"]:
        del sys.modules[name]


def test_dcor_agrees(dcor):
    """dcor's V- and U-statistics of distance covariance are 4 times HSIC's, its energy distance twice MMD^2."""
    for draw in (dependent, independent):
        X, Y = draw(30)
        assert 4 * hsic(X, Y, Energy(), Energy()) == pytest.approx(dcor.distance_covariance_sqr(X, Y), rel=1e-10)
        unbiased = hsic(X, Y, Energy(), Energy(), "unbiased")
        assert 4 * unbiased == pytest.approx(dcor.u_distance_covariance_sqr(X, Y), rel=1e-9)
        assert distance_covariance(X, Y) == pytest.approx(dcor.distance_covariance(X, Y), rel=1e-10)
        assert distance_correlation(X, Y) == pytest.approx(dcor.distance_correlation(X, Y), rel=1e-10)
        P, Q = X[:12], X[12:] + 0.3
        assert 2 * mmd2(P, Q, Energy(), "biased") == pytest.approx(dcor.energy_distance(P, Q), rel=1e-10)
        u_energy = dcor.energy_distance(P, Q, estimation_stat="U_STATISTIC")
        assert 2 * mmd2(P, Q, Energy()) == pytest.approx(u_energy, rel=1e-9)


def test_dcors_permutation_tests_agree_but_for_their_own_permutations(dcor):
    """Two independent draws of 999 orders; dcor's statistic is n times the V-statistic."""
    X, Y = dependent(20, 2, noise=2.0)
    theirs = dcor.independence.distance_covariance_test(X, Y, num_resamples=999, random_state=0)
    ours = hsic_test(X, Y, Energy(), Energy(), n_resamples=999, rng=0)
    assert theirs.statistic == pytest.approx(20 * 4 * ours.statistic, rel=1e-10)
    assert abs(theirs.pvalue - ours.pvalue) < 4.5 * np.sqrt(2 * 0.25 / 999)
    P, Q = X[:8], X[8:]
    theirs = dcor.homogeneity.energy_test(P, Q, num_resamples=999, random_state=0)
    ours = mmd_test(P, Q, Energy(), "biased", n_resamples=999, rng=0)
    assert theirs.statistic == pytest.approx(8 * 12 / 20 * 2 * ours.statistic, rel=1e-10)
    assert abs(theirs.pvalue - ours.pvalue) < 4.5 * np.sqrt(2 * 0.25 / 999)


def test_pearsons_r_has_the_p_of_the_linear_kernel():
    X, Y = dependent(30)
    x, k = X[:, :1] + 0.3 * Y, Linear()
    one, test = pearson_test(x, Y, 199, 3), hsic_test(x, Y, k, k, n_resamples=199, rng=3)
    assert one.value == pytest.approx(np.corrcoef(x[:, 0], Y[:, 0])[0, 1])
    assert pearson_test(x, -Y, 199, 3).value == pytest.approx(-one.value)
    assert one.pvalue == test.pvalue
    unit = (hsic(x, x, k, k) * hsic(Y, Y, k, k)) ** 0.5
    assert one.limit(0.05) == pytest.approx((test.threshold(0.05) / unit) ** 0.5)
    assert (abs(one.value) > one.limit(0.05)) == (one.pvalue <= 0.05)


@pytest.mark.parametrize("columns", [1, 2])
def test_of_several_columns_it_is_the_rv_coefficient(columns):
    X, Y = dependent(30)
    Y, k = np.column_stack([Y, Y**2])[:, :columns], Linear()
    rv = pearson_test(X, Y, 199, 3)
    assert rv.value == pytest.approx(hsic(X, Y, k, k) / (hsic(X, X, k, k) * hsic(Y, Y, k, k)) ** 0.5)
    test = hsic_test(X, Y, k, k, n_resamples=199, rng=3)
    assert rv.pvalue == test.pvalue
    # statistic and threshold are n^2 times those of HSIC
    assert rv.test.null_distribution / 30**2 == pytest.approx(test.null_distribution)


def test_the_distance_correlation_has_the_p_of_the_energy_kernel():
    X, Y = dependent(30)
    one = distance_test(X, Y, 199, 3)
    assert one.value == distance_correlation(X, Y)
    assert one.pvalue == hsic_test(X, Y, Energy(), Energy(), n_resamples=199, rng=3).pvalue
    assert (4 * one.test.statistic) ** 0.5 == pytest.approx(distance_covariance(X, Y))
    assert (one.value > one.limit(0.05)) == (one.pvalue <= 0.05)
    assert one.limit(0.001) == np.inf


def test_a_dependence_test_is_the_three_functions_of_the_same_pairs():
    X, Y = dependent(30)
    noisy = MKME(sigma=0.5)
    for estimator in (None, noisy, MKME()):
        one = dependence_test(X, Y, estimator=estimator, n_resamples=199, rng=3)
        test = hsic_test(X, Y, estimator=estimator, n_resamples=199, rng=3)
        assert (one.test.statistic, one.test.pvalue) == (test.statistic, test.pvalue)
        assert one.gamma == hsic_gamma(X, Y, estimator=estimator)
    assert dependence_test(X, Y, estimator=noisy, n_resamples=9).sigmas == (0.5, 0.5)
    plain = dependence_test(X, Y, n_resamples=199, rng=3)
    assert plain.sigmas == (0, 0)
    assert plain.correlation.value == pytest.approx(hsic(X, Y) / (hsic(X, X) * hsic(Y, Y)) ** 0.5)
    assert plain.correlation.limit(0.05) == pytest.approx(plain.test.threshold(0.05) / (hsic(X, X) * hsic(Y, Y)) ** 0.5)


def test_a_constant_side_depends_on_nothing():
    X, Y = dependent(12)
    for one in (pearson_test(X[:, :1], 0 * Y + 1, 19, 0), distance_test(X, 0 * Y + 1, 19, 0)):
        assert (one.value, one.pvalue, one.limit(0.2)) == (0.0, 1.0, 0.0)


def test_permutations_may_be_prepared():
    X, Y = dependent(20)
    orders = tuple(permutations(20, 99, 3))
    for test in (pearson_test, distance_test):
        prepared, alone = test(X, Y, 99, 3, orders=orders), test(X, Y, 99, 3)
        assert np.array_equal(prepared.test.null_distribution, alone.test.null_distribution)


PAIRS = (
    np.random.default_rng(5).normal(size=(20, 2)),
    np.random.default_rng(5).normal(size=(20, 2))[:, :1] ** 2 + np.random.default_rng(6).normal(size=(20, 1)),
)
SIZES = [1e-300, 1e-150, 1e-75, 1e75, 1e100, 1e150, 1e300]


@pytest.mark.parametrize("size", SIZES)
def test_coefficients_do_not_depend_on_units_however_large_or_small(size):
    """Ratios exist wherever the points do; by powers of two they are the same to the last digit."""
    X, Y = PAIRS
    power = 2.0 ** round(np.log2(size))
    assert distance_correlation(X * power, Y) == distance_correlation(X, Y)
    assert distance_correlation(X * power, Y / power) == pytest.approx(distance_correlation(X, Y), rel=1e-14)
    assert distance_covariance(X * power, Y * power) == pytest.approx(power * distance_covariance(X, Y), rel=1e-14)
    for test, x, y in ((distance_test, X, Y), (pearson_test, X[:, :1], Y)):
        far, near = test(x * power, y, 99, 0), test(x, y, 99, 0)
        assert far.value == pytest.approx(near.value, rel=1e-13)
        assert far.pvalue == near.pvalue
        assert far.limit(0.05) == pytest.approx(near.limit(0.05), rel=1e-12)


@pytest.mark.parametrize("size", [1e75, 1e100, 1e-75])
def test_the_statistic_is_in_the_units_of_the_points_where_it_has_a_float_there(size):
    X, Y = PAIRS
    power = 2.0 ** round(np.log2(size))
    far, near = (distance_test(each, Y, 19, 0).test for each in (X * power, X))
    assert far.statistic == pytest.approx(power * near.statistic, rel=1e-13)
    np.testing.assert_allclose(far.null_distribution, power * near.null_distribution, rtol=1e-12)


def test_a_correlation_of_hsic_at_large_values_is_no_zero():
    """Squares of both sides are floats where their product is none."""
    X, Y = PAIRS
    power = 2.0**300
    far = dependence_test(X * power, Y * power, Energy(), Energy(), n_resamples=19, rng=0)
    near = dependence_test(X, Y, Energy(), Energy(), n_resamples=19, rng=0)
    assert far.correlation.value == pytest.approx(near.correlation.value, rel=1e-12)


def test_a_spread_beside_a_large_offset_counts():
    X, Y = PAIRS
    # 1e160 plus 1e150: floats there are 1e144 apart
    assert distance_correlation(1e160 + X * 1e150, Y) == pytest.approx(distance_correlation(X, Y), rel=1e-5)
