"""The moments of the permutation null against all orders of few pairs, and the gamma law against many permutations."""

import itertools
import math
import re
import sys

import numpy as np
import pytest
from helpers.naming import names_all, naming
from paired_samples import CASES, dependent, independent, paired
from scipy.stats import gamma

from explorer import FKMSE, MKME, SKMSE, Delta, Gaussian, Linear, hsic, hsic_test
from explorer.discrepancy import hsic_gamma
from explorer.discrepancy.dependence import centred_grams as hsic_sides
from explorer.discrepancy.dependence.centred_grams import PairSums, StoredGram
from explorer.discrepancy.dependence.gamma import permutation_moments, sum_moments
from explorer.discrepancy.resampling import tiled_gram


@pytest.mark.parametrize("n", [4, 5, 6])
@pytest.mark.parametrize("case", CASES)
def test_mean_and_variance_are_those_over_all_orders(case, n):
    (k, X, _), (l, Y, _) = paired(case, n)
    x, y = StoredGram(k(X)), StoredGram(l(Y))
    every = [(x.A * y.A[np.ix_(p, p)]).sum() for p in itertools.permutations(range(n))]
    mean, variance = sum_moments(x, y, PairSums.of(x, y).squares)
    size = np.linalg.norm(x.A) * np.linalg.norm(y.A)
    assert mean == pytest.approx(np.mean(every), abs=1e-13 * size)
    # E T^2 - (E T)^2 of terms of that size
    assert variance == pytest.approx(np.var(every), abs=1e-13 * size**2)


def test_any_symmetric_matrices_whose_rows_sum_to_zero():
    """Not positive semi-definite, and with zero diagonals as the unbiased statistic has them."""
    rng = np.random.default_rng(0)

    def u_centred(M):
        M = M + M.T
        np.fill_diagonal(M, 0.0)
        n = len(M)
        M = M - M.sum(0) / (n - 2) - M.sum(1)[:, None] / (n - 2) + M.sum() / ((n - 1) * (n - 2))
        np.fill_diagonal(M, 0.0)
        return M

    A, B = (u_centred(rng.normal(size=(6, 6))) for _ in range(2))
    every = [(A * B[np.ix_(p, p)]).sum() for p in itertools.permutations(range(6))]
    mean, variance = permutation_moments((0.0, (A**2).sum(), 0.0), (0.0, (B**2).sum(), 0.0), 6)
    assert mean == 0 == pytest.approx(np.mean(every), abs=1e-12)
    assert variance == pytest.approx(np.var(every), rel=1e-12)


def test_the_mean_is_that_of_the_literature_but_for_one_pair():
    """The mean is (n - 1) / n of (k_xx - mean off the diagonal) (l_yy - mean off the diagonal) / n."""
    X, Y = independent(30)
    k, l = Gaussian(1.0), Gaussian(2.0)
    off = [1 - (kernel(Z).sum() - 30) / (30 * 29) for kernel, Z in ((k, X), (l, Y))]
    assert hsic_gamma(X, Y, k, l).mean == pytest.approx(off[0] * off[1] / 30 * 29 / 30, rel=1e-12)


@pytest.mark.thorough
def test_the_null_of_many_permutations_has_these_moments():
    """Means of 4000 orders within 4.5 standard errors.

    The sd of an sd is sd sqrt((kurtosis - 1) / 4 B), kurtosis below 9.
    """
    X, Y = dependent(40)
    found = hsic_gamma(X, Y)
    null = hsic_test(X, Y, n_resamples=4000, rng=0).null_distribution
    sd = math.sqrt(found.variance)
    assert abs(null.mean() - found.mean) < 4.5 * sd / math.sqrt(4000)
    assert abs(null.std() / sd - 1) < 4.5 * math.sqrt(8 / (4 * 4000))


@pytest.mark.parametrize("draw", [independent, dependent])
def test_p_is_close_to_that_of_the_permutations(draw):
    """At n = 50 the null passes the gamma law's 5 % quantile in 5 to 7 of 100 orders.

    Its tail is longer, as documented.

    5000 orders give these shares to .003, and to .006 at 20 %.
    """
    X, Y = draw(50, 1)
    found = hsic_gamma(X, Y)
    null = hsic_test(X, Y, n_resamples=5000, rng=0).null_distribution
    assert 0.045 < np.mean(null >= found.threshold(0.05)) < 0.07
    assert abs(np.mean(null >= found.threshold(0.2)) - 0.2) < 0.025
    exact = hsic_test(X, Y, n_resamples=5000, rng=0).pvalue
    assert abs(found.pvalue - exact) < 0.02


def test_the_result_is_a_gamma_law_and_a_sentence():
    X, Y = dependent(20)
    found = hsic_gamma(X, Y)
    assert found.statistic == hsic(X, Y)
    law = gamma(found.shape, scale=found.scale)
    assert law.mean() == pytest.approx(found.mean, rel=1e-12)
    assert law.var() == pytest.approx(found.variance, rel=1e-12)
    assert law.sf(found.statistic) == pytest.approx(found.pvalue, rel=1e-10)
    assert law.sf(found.threshold(0.07)) == pytest.approx(0.07, rel=1e-10)
    values = np.linspace(0, 2 * found.mean, 7)
    np.testing.assert_allclose(found.density(values), law.pdf(values), rtol=1e-12)
    numbers = f"{found.statistic:.4g}", f"p = {found.pvalue:.3g}"
    assert re.search(naming("biased HSIC", "gamma distribution", *numbers), str(found))
    for level in (0, 1, -0.1):
        with pytest.raises(ValueError, match=naming("level", "0", "1")):
            found.threshold(level)


def test_a_marginalized_estimator_lends_its_noise_and_weights_have_no_moments():
    X, Y = dependent(20)
    found = hsic_gamma(X, Y, Gaussian(1.0), Gaussian(1.0), MKME(sigma=0.5))
    wide = hsic_gamma(X, Y, Gaussian(math.sqrt(1.5)), Gaussian(math.sqrt(1.5)))
    assert found.pvalue == pytest.approx(wide.pvalue, rel=1e-10)
    assert "of MKME(sigma=0.5)" in str(found)
    for estimator in (SKMSE(), FKMSE(lam=0.1)):
        with pytest.raises(ValueError, match=naming("null", "hsic_test")):
            hsic_gamma(X, Y, estimator=estimator)


def test_a_constant_side_has_p_1():
    found = hsic_gamma(np.arange(8.0), np.ones(8), Gaussian(1.0), Gaussian(1.0))
    assert (found.pvalue, found.shape) == (1, math.inf)
    assert found.threshold(0.05) == found.mean
    assert hsic_gamma(np.arange(8.0), list("aaaaaaaa"), Linear(), Delta()).pvalue == 1
    with pytest.raises(ValueError, match=naming("X", "3", "4")):
        hsic_gamma(np.arange(3.0), np.arange(3.0))


@pytest.mark.parametrize("exponents", [(-400, 300), (-300, -200), (126, 126), (255, 255), (505, 0), (505, -505)])
def test_p_does_not_depend_on_the_units(exponents):
    """Powers of two take no digit. At 2^126, about 1e38, the moments' eighth powers of the values overflow."""
    X, Y = dependent(20)
    expected = hsic_gamma(X, Y, Linear(), Linear())
    found = hsic_gamma(np.ldexp(X, exponents[0]), np.ldexp(Y, exponents[1]), Linear(), Linear())
    assert found.pvalue == expected.pvalue
    assert found.shape == expected.shape
    unit = 2.0 ** (2 * sum(exponents))
    for name in ("statistic", "mean", "scale"):
        assert getattr(found, name) == getattr(expected, name) * unit
    assert found.threshold(0.05) == pytest.approx(expected.threshold(0.05) * unit, rel=1e-14)
    assert not names_all(str(found), "inf")


def test_what_overflows_is_a_sentence():
    X, Y = dependent(20)
    with pytest.raises(ValueError, match=naming("HSIC", "kernel")):
        hsic_gamma(X * 1e100, Y * 1e100, Linear(), Linear())
    with pytest.raises(ValueError, match=naming("Linear()", "points")):
        hsic_gamma(X * 1e200, Y, Linear(), Linear())


def test_the_scaled_road_is_the_plain_one(monkeypatch):
    """For noisy points too."""
    X, Y = dependent(20)
    how = (Gaussian(1.0), Gaussian(2.0), MKME(sigma=0.5))
    expected = hsic_gamma(X, Y, *how)
    monkeypatch.setattr(sys.modules[permutation_moments.__module__], "SAFE", (1.0, 1.0))  # a function has the name
    found = hsic_gamma(X, Y, *how)
    for name in ("statistic", "mean", "variance", "pvalue"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-13)


def test_as_many_pairs_as_are_stored_are_scaled(monkeypatch):
    """Fourth powers of both sides' coordinates overflow."""
    X, Y = dependent(20)
    monkeypatch.setattr(sys.modules[permutation_moments.__module__], "LARGE", 20)
    found = hsic_gamma(np.ldexp(X, 150), np.ldexp(Y, 150), Linear(), Linear())
    assert found.pvalue == pytest.approx(hsic_gamma(X, Y, Linear(), Linear()).pvalue, rel=1e-12)


def test_it_takes_any_number_of_pairs(monkeypatch):
    X, Y = independent(60)
    k = Gaussian(1.0)
    expected = hsic_gamma(X, Y, k, k)
    for module in (tiled_gram, hsic_sides):
        monkeypatch.setattr(module, "LARGE", 50)
    monkeypatch.setattr(hsic_sides, "ENTRIES", 7 * 60)
    found = hsic_gamma(X, Y, k, k)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.variance == pytest.approx(expected.variance, rel=1e-9)
