"""Tests far from zero and under wide bandwidths, against the same tests of data without cancellation."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    KME,
    MKME,
    Energy,
    Exponential,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    hsic,
    hsic_test,
    linear_time,
    mmd2,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_test,
)
from explorer.checks import ExplorerWarning, Refusal
from explorer.discrepancy import hsic_gamma, hsic_ranks, power, rank_columns, variance, without_each
from explorer.discrepancy.dependence import centred_grams
from explorer.discrepancy.resampling.tiled_gram import TiledGram, tiled_mmd2

GRID = 2.0**-14  # the samples lie on it, so that offsets up to 2^36, and sums of two, have no rounding


def samples(n=24, d=2, shift=0.5):
    rng = np.random.default_rng(4)
    X, Y = rng.standard_normal((2, n, d))
    return np.round(X / GRID) * GRID, np.round((Y * 1.2 + shift) / GRID) * GRID


COUNT = 99
# name -> (X, Y, kernel) -> numbers that are not changed by an offset of all points under Linear: p-values and
# statistics
TWO_SAMPLES = {
    "mmd2 unbiased": lambda X, Y, k: [mmd2(X, Y, k)],
    "mmd2 biased": lambda X, Y, k: [mmd2(X, Y, k, "biased")],
    "mmd_test": lambda X, Y, k: _pair(mmd_test(X, Y, k, n_resamples=COUNT, rng=0)),
    "mmd_test KME": lambda X, Y, k: _pair(mmd_test(X, Y, k, estimator=KME(), n_resamples=COUNT, rng=0)),
    "mmdagg_test": lambda X, Y, k: [mmdagg_test(X, Y, [k], n_resamples=COUNT, rng=0).pvalue],
    "mmdfuse_test": lambda X, Y, k: [mmdfuse_test(X, Y, [k], n_resamples=COUNT, rng=0).pvalue],
    "monk_mmd": lambda X, Y, k: [monk_mmd(X, Y, k, 5, rng=0).value ** 2],
    "monk bcd flip": lambda X, Y, k: _squared(monk_test(X, Y, k, 5, n_resamples=COUNT, rng=0)),
    "monk fast flip": lambda X, Y, k: _squared(monk_test(X, Y, k, 3, "bcd-fast", n_resamples=COUNT, rng=0)),
    "monk direction pool": lambda X, Y, k: _squared(
        monk_test(X, Y, k, 5, "direction", null="pool", n_resamples=COUNT, rng=0)
    ),
    "linear_time": lambda X, Y, k: _pair(linear_time(X, Y, k)),
    "power": lambda X, Y, k: [power(X, Y, k, n_resamples=COUNT, rng=0)],
    "variance": lambda X, Y, k: [variance(X, Y, k) ** 0.5],
    "without_each": lambda X, Y, k: without_each(X, Y, k),
    "tiled": lambda X, Y, k: [_tiled(np.concatenate([X, Y]), len(X), k)],
    "hsic_test": lambda X, Y, k: _pair(hsic_test(X, Y[:, :1] + X[:, :1], k, k, n_resamples=COUNT, rng=0)),
    "hsic unbiased": lambda X, Y, k: _pair(hsic_test(X, Y, k, k, "unbiased", n_resamples=COUNT, rng=0)),
    "hsic_gamma": lambda X, Y, k: _pair(hsic_gamma(X, Y, k, k)),
    "hsic_ranks": lambda X, Y, k: [hsic_ranks(X, Y, k, k).values[-1]],
    "rank_columns": lambda X, Y, k: rank_columns(X, Y[:, :1], k, k, n_resamples=COUNT, rng=0).pvalue,
}
SQUARES = {"hsic_test", "hsic unbiased", "hsic_gamma", "hsic_ranks"}  # statistics in units of k times units of l


def _tiled(P, n, kernel):
    return tiled_mmd2(kernel.select(P), P, n, tile=7)


def _pair(found):
    return [found.pvalue, found.statistic]


def _squared(found):
    return [found.pvalue, found.statistic**2]


@pytest.mark.thorough(default=["*-2^24", "mmd2 unbiased-*"])
@pytest.mark.parametrize("offset", [2.0**24, 2.0**36], ids=["2^24", "2^36"])
@pytest.mark.parametrize("name", TWO_SAMPLES)
def test_linear_tests_do_not_depend_on_an_offset(name, offset):
    """Unix seconds have |mean| / sd of 1e7 and more; the points differ by exactly the offset."""
    X, Y = samples()
    # the variance's a_i omit i = i', so an origin counts at 1/n: it is the same if both are far from zero
    first = 2.0**20 if name in ("power", "variance") else 0.0
    near, far = (TWO_SAMPLES[name](X + a, Y + a, Linear()) for a in (first, offset))
    # centring by the grand means in place of an origin among the points: some n sums of rounding
    np.testing.assert_allclose(far, near, rtol=1e-9)


@pytest.mark.thorough(default=["10000000.0-*", "*-mmd2 unbiased"])
@pytest.mark.parametrize("name", [name for name in TWO_SAMPLES if name != "mmdfuse_test"])
@pytest.mark.parametrize("theta", [1e7, 1e12])
def test_a_wide_gaussian_or_exponential_is_linear(name, theta):
    """θ^2 (k - 1) -> -|x - y|^2 / 2. Weights of sum zero see <x, y> of it, up to (|x - y| / θ)^2."""
    X, Y = samples()
    linear = TWO_SAMPLES[name](X + 2.0**20, Y + 2.0**20, Linear())
    power = 4 if name in SQUARES else 2
    for kernel, theta2 in ((Gaussian(theta), theta**power), (Exponential(theta**2), theta**power)):
        found = TWO_SAMPLES[name](X, Y, kernel)
        if name not in ("mmdagg_test", "power", "rank_columns"):  # those are without a unit
            found = [*found[:-1], found[-1] * theta2] if name != "without_each" else np.array(found) * theta2
        np.testing.assert_allclose(found, linear, rtol=1e-9, err_msg=repr(kernel))


@pytest.mark.parametrize("theta", [1e7, 1e12])
def test_a_wide_laplacian_is_energy_in_one_dimension(theta):
    """θ (k - 1) -> -|x - y|: twice Energy's, whose p-values are the same."""
    X, Y = samples(d=1)
    for name in ("mmd_test", "monk bcd flip", "hsic_test", "linear_time"):
        p, value = TWO_SAMPLES[name](X, Y, Laplacian(theta))
        q, energy = TWO_SAMPLES[name](X, Y, Energy())
        # the next term of exp is some |x - y| / θ of the value, 1e-6 at 1e7: more than the rounding that makes ties,
        # and on a line many of linear_time's terms are 0 under Energy
        assert p == pytest.approx(q, rel=1e-5, abs=0.01 if name == "linear_time" else 0.0)
        assert value * (theta / 2) ** (2 if name in SQUARES else 1) == pytest.approx(energy, rel=1e-5)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("degree", [2, 3])
def test_polynomials_far_from_zero_are_exact(degree, statistic):
    """MMD^2 in fractions, at 2^30 standard deviations from zero; a polynomial kernel does depend on the offset."""
    X, Y = samples(6, 1)
    X, Y = X + 2.0**30, Y + 2.0**30

    def k(x, y):
        return (Fraction(float(x)) * Fraction(float(y)) + 1) ** degree

    def mean(A, B):
        own = A is B and statistic == "unbiased"
        values = [k(x, y) for i, x in enumerate(A[:, 0]) for j, y in enumerate(B[:, 0]) if not (own and i == j)]
        return sum(values) / len(values)

    exact = float(mean(X, X) + mean(Y, Y) - 2 * mean(X, Y))
    assert mmd2(X, Y, Polynomial(degree), statistic) == pytest.approx(exact, rel=1e-10)


def test_the_energy_distance_does_not_depend_on_an_offset():
    X, Y = samples()
    near, far = (mmd_test(X + a, Y + a, Energy(), n_resamples=COUNT, rng=0) for a in (0.0, 2.0**36))
    assert far.pvalue == near.pvalue
    np.testing.assert_allclose(far.null_distribution, near.null_distribution, rtol=0, atol=1e-9 * abs(near.statistic))


def test_noise_changes_none_of_that():
    """A marginalized estimator's own σ, under a wide bandwidth.

    The p-value of the plain means, as noise common to all is.
    """
    X, Y = samples()
    plain, noisy = (
        mmd_test(X, Y, Gaussian(1e8), estimator=e, n_resamples=COUNT, rng=0) for e in (None, MKME(sigma=0.7))
    )
    assert plain.pvalue == noisy.pvalue
    assert plain.statistic == pytest.approx(noisy.statistic, rel=1e-9)


@pytest.mark.parametrize("kernel", [Gaussian(1e9), Linear(), Polynomial(2)], ids=repr)
def test_without_a_stored_matrix_the_sums_are_the_same(kernel):
    X, Y = samples()
    P = np.concatenate([X, Y]) + (0.0 if isinstance(kernel, Gaussian) else 2.0**30)
    S = np.arange(48) < 24
    q, _ = TiledGram(kernel, P, rows=5).forms(S[None])
    V = float(q[0]) * (1 / 24 + 1 / 24) ** 2
    assert V == pytest.approx(mmd2(P[:24], P[24:], kernel, "biased"), rel=1e-9)


def test_digits_that_the_offset_took_are_said():
    rng = np.random.default_rng(0)
    stamps = 1.6e18 + 3000 * rng.standard_normal(
        40
    )  # nanoseconds, a few microseconds apart: floats are 256 apart there
    with pytest.warns(ExplorerWarning, match=naming("1", "X", "Y", "256")):
        mmd_test(stamps[:20], stamps[20:], Linear(), n_resamples=9)
    with pytest.warns(ExplorerWarning, match=naming("1", "X")):
        hsic_test(stamps, rng.standard_normal(40), Linear(), n_resamples=9)


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
@pytest.mark.parametrize("exponent", [498, -498])
def test_points_of_1e150_and_1e_minus_150_have_the_numbers_of_any_unit(exponent, statistic):
    """Powers of two round nothing, so all is equal to the bit, although squares of the kernel's values overflow."""
    X, Y = samples()
    far = np.ldexp(X, exponent), np.ldexp(Y, exponent)
    assert np.ldexp(mmd2(*far, Linear(), statistic), -2 * exponent) == mmd2(X, Y, Linear(), statistic)
    there, here = (mmd_test(*each, Linear(), statistic, n_resamples=COUNT, rng=0) for each in (far, (X, Y)))
    assert there.pvalue == here.pvalue
    assert np.ldexp(tiled_mmd2(Linear(), np.concatenate(far), 24, tile=7), -2 * exponent) == pytest.approx(
        mmd2(X, Y, Linear()), rel=1e-9
    )


def test_values_whose_sums_are_no_floats_are_a_sentence():
    far = [np.ldexp(side, 508) for side in samples()]
    for asked in (mmd2, lambda *args: tiled_mmd2(args[2], np.concatenate(args[:2]), 24, tile=7)):
        with pytest.raises(Refusal, match="overflow"):
            asked(*far, Linear())
    with pytest.raises(Refusal, match="overflow"):
        TiledGram(Linear(), np.concatenate(far), rows=5)


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
def test_pairs_whose_products_are_no_floats_are_a_sentence(statistic, monkeypatch):
    X, Y = samples()
    far = np.ldexp(X, 500)
    for large in (10**6, 10):  # the Gram matrix stored, and in tiles
        monkeypatch.setattr(centred_grams, "LARGE", large)
        for pairs in ((far, far), (far, Y), (X, far)):
            for asked in (hsic, partial(hsic_test, n_resamples=9)):
                with pytest.raises(Refusal, match="overflow"):
                    asked(*pairs, Linear(), Linear(), statistic)
        near = np.ldexp(X, 240), np.ldexp(Y, 240)
        assert np.ldexp(hsic(*near, Linear(), Linear(), statistic), -960) == pytest.approx(
            hsic(X, Y, Linear(), Linear(), statistic), rel=1e-9
        )
