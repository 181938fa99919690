"""MMD^2 without a stored Gram matrix.

It has the same numbers and needs little memory, and a message if it uses only some of the rows.
"""

import subprocess
import sys
import tracemalloc
import warnings

import numpy as np
import pytest
from helpers.naming import naming
from two_samples import CASES, M, N, by_loops, pooled, table

import explorer.discrepancy.resampling.tiled_gram as tiled
from explorer import FKMSE, KME, SKMSE, Gaussian, GaussianMixture, mmd2, mmd2_of_laws, mmd_test, mmdagg_test
from explorer.checks import ExplorerWarning
from explorer.discrepancy import power, variance
from explorer.discrepancy.mmd import mean_estimators
from explorer.discrepancy.mmd import two_samples as mmd_module
from explorer.discrepancy.mmd.power import Moments
from explorer.discrepancy.resampling.permutation import CentredGram, splits
from explorer.discrepancy.resampling.tiled_gram import TiledGram, tiled_mmd2
from explorer.kernels import bandwidth_selection

statistics = pytest.mark.parametrize("statistic", ["unbiased", "biased"])


@pytest.mark.thorough(
    default=[
        "linear + .7-3-biased",
        "linear + .7-100-biased",
        "polynomial 2-100-biased",
        "polynomial 2 + 0-100-unbiased",
        "polynomial 3-3-unbiased",
        "polynomial 3-3-biased",
        "polynomial 4-3-unbiased",
        "polynomial 4-3-biased",
        "gaussian-3-unbiased",
        "laplacian-3-unbiased",
        "laplacian, automatic-100-biased",
        "exponential-3-biased",
        "exponential-100-unbiased",
        "exponential-100-biased",
        "energy-3-unbiased",
        "energy-100-unbiased",
        "delta-100-biased",
        "product-100-biased",
        "product, mixed-100-unbiased",
        "product, mixed-100-biased",
        "subsequence-3-biased",
        "subsequence-100-biased",
        "subsequence, as it is-100-biased",
        "precomputed-100-unbiased",
        "delta, strings-3-unbiased",
        "laplacian-1-unbiased",
    ]
)
@statistics
@pytest.mark.parametrize(("case", "tile"), [*((case, tile) for case in CASES for tile in (3, 100)), ("laplacian", 1)])
def test_small_tiles_equal_the_double_loops(case, tile, statistic):
    kernel, P, _ = pooled(case)
    K = table(case)
    # sums of 300 terms of size |K|, and entries that tiles may round otherwise
    np.testing.assert_allclose(
        tiled_mmd2(kernel, P, N, statistic, tile=tile),
        by_loops(K, range(N), statistic),
        rtol=0,
        atol=1e-13 * np.abs(K).max(),
    )


@statistics
def test_tiles_equal_the_stored_gram_matrix(statistic):
    """The relative error is at most 1e-12; the two laws differ, so that the value is of the order of k."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(150, 3)), rng.normal(size=(211, 3)) + 0.7
    kernel = Gaussian(1.5)
    direct = mmd2(X, Y, kernel, statistic)
    assert direct > 0.05
    for tile in (16, 64, 1000):
        assert tiled_mmd2(kernel, np.concatenate([X, Y]), 150, statistic, tile=tile) == pytest.approx(
            direct, rel=1e-12, abs=0
        )


def test_a_wide_bandwidth_keeps_its_digits():
    """At θ = 1e5 and means 0.01 apart K is 1 - 1e-10 and MMD^2 1e-14: the constant goes before the sums.

    The centred matrix averages the rounding of its entries, 1e-16, over 130^2 of them, and so do the tiles; sums of
    entries near 1 would lose 2 % of the value.
    """
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 2)), rng.normal(size=(70, 2))
    Y += X.mean(axis=0) - Y.mean(axis=0) + 0.01
    direct = mmd2(X, Y, Gaussian(1e5), "biased")
    assert tiled_mmd2(Gaussian(1e5), np.concatenate([X, Y]), 60, "biased", tile=16) == pytest.approx(
        direct, rel=1e-7, abs=0
    )
    # the quadratic term of k; what is left of the entries' rounding is 2e-4 here
    assert direct == pytest.approx(2 * (0.01 / 1e5) ** 2, rel=1e-3, abs=0)


@pytest.mark.parametrize("case", CASES)
def test_rows_at_a_time_give_the_forms_of_the_whole(case):
    kernel, P, _ = pooled(case)
    S = splits(N + M, N, 40, rng=0)
    whole = CentredGram(kernel(P))
    parts = TiledGram(kernel, P, rows=5)
    size = np.abs(whole.K).max()
    np.testing.assert_allclose(parts.forms(S), whole.forms(S), rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(parts.diagonal, whole.diagonal, rtol=0, atol=1e-13 * size)
    assert whole.magnitude <= parts.magnitude


@pytest.fixture
def _small_is_large(monkeypatch):
    """Samples of more than 40 points together count as large."""
    for module in (tiled, bandwidth_selection, mmd_module, mean_estimators):
        monkeypatch.setattr(module, "LARGE", 40)
    monkeypatch.setattr(tiled, "ENTRIES", 600)


def two(n=30, m=35):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + 0.4


@pytest.mark.parametrize("estimator", [None, KME(), SKMSE(lam=0.3)])
@statistics
def test_large_samples_take_the_tiles_and_say_the_same(statistic, estimator, request):
    X, Y = two()
    kernel = Gaussian(1.0)
    small = mmd_test(X, Y, kernel, statistic, estimator, n_resamples=150, rng=0)
    request.getfixturevalue("_small_is_large")
    large = mmd_test(X, Y, kernel, statistic, estimator, n_resamples=150, rng=0)
    assert large.statistic == mmd2(X, Y, kernel, statistic, estimator) == pytest.approx(small.statistic, rel=1e-12)
    np.testing.assert_allclose(large.null_distribution, small.null_distribution, rtol=0, atol=1e-14)
    assert large.pvalue == small.pvalue


def test_moments_and_aggregated_tests_take_rows_at_a_time(request):
    X, Y = two()
    kernel = Gaussian(1.0)
    small = (
        variance(X, Y, kernel),
        power(X, Y, kernel, rng=0),
        mmdagg_test(X, Y, [kernel], n_resamples=50, rng=0).pvalue,
    )
    request.getfixturevalue("_small_is_large")
    large = (
        variance(X, Y, kernel),
        power(X, Y, kernel, rng=0),
        mmdagg_test(X, Y, [kernel], n_resamples=50, rng=0).pvalue,
    )
    np.testing.assert_allclose(large, small, rtol=1e-12)


@pytest.mark.usefixtures("_small_is_large")
def test_the_median_of_a_sample_is_said_aloud():
    X, Y = two()
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", "40", "65")) as said:
        value = mmd2(X, Y)
    assert len(said) == 1
    with pytest.warns(ExplorerWarning, match=naming("bandwidth", 40, 65)):
        assert value == mmd2(X, Y)
    with pytest.warns(ExplorerWarning, match=naming("bandwidths", "40", "65")):
        mmdagg_test(X, Y, n_resamples=20, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mmd2(X, Y, Gaussian(1.0))


@pytest.mark.usefixtures("_small_is_large")
@pytest.mark.parametrize("estimator", [SKMSE(), FKMSE(lam=0.1), SKMSE(lam=0.1, weights="simplex")])
def test_what_needs_the_whole_gram_matrix_says_so(estimator):
    X, Y = two()
    with pytest.raises(ValueError, match=naming(type(estimator).__name__, 65, 40)):
        mmd2(X, Y, Gaussian(1.0), "biased", estimator)


def test_memory_stays_small():
    """3000 points have a Gram matrix of 72 MB; what is there at once is four tiles of 8 MB, however many points."""
    P = np.random.default_rng(0).normal(size=(3000, 3))
    tracemalloc.start()
    try:
        tiled_mmd2(Gaussian(1.0), P, 1000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 36e6


@pytest.mark.slow
def test_a_hundred_thousand_points_in_a_gigabyte():
    """n = m = 100,000 in a separate process, whose whole memory is looked at."""
    code = """if True:
        import resource, numpy as np
        from explorer import mmd2, Gaussian, GaussianMixture
        P, Q = (GaussianMixture([1.0], [[s] * 5], np.eye(5)) for s in (0.0, 0.02))
        value = mmd2(P.sample(100_000, rng=0), Q.sample(100_000, rng=1), Gaussian(2.0))
        print(value, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    value, gigabytes = map(float, done.stdout.split())
    assert gigabytes < 1
    P, Q = (GaussianMixture([1.0], [[s] * 5], np.eye(5)) for s in (0.0, 0.02))
    kernel = Gaussian(2.0)
    pilot = Moments.of(kernel, np.concatenate([P.sample(1000, rng=2), Q.sample(1000, rng=3)]), 1000)
    assert abs(value - mmd2_of_laws(P, Q, kernel)) < 4.5 * np.sqrt(pilot.at(100_000, 100_000))
