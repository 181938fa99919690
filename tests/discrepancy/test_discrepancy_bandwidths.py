"""Every bandwidth at once from one histogram, against one test for each; the error bound; the aggregated tests."""

import re

import numpy as np
import pytest
from helpers.naming import naming
from scipy.special import logsumexp
from two_samples import CASES, N, by_loops, pooled, table

from explorer import (
    Delta,
    Gaussian,
    Laplacian,
    Linear,
    Precomputed,
    TestResult,
    bandwidth_collection,
    bandwidth_curve,
    mmd2,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
)
from explorer.discrepancy.mmd import bandwidth_curve as module
from explorer.discrepancy.resampling.permutation import permutations

statistics = pytest.mark.parametrize("statistic", ["unbiased", "biased"])
THETAS = np.geomspace(0.2, 50, 7)


def two(n=20, m=31, d=2, shift=0.5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


@statistics
def test_the_curve_is_one_test_for_each_bandwidth_within_its_error(statistic):
    X, Y = two()
    curve = bandwidth_curve(X, Y, THETAS, statistic, n_resamples=150, rng=3, bins=512)
    for i, theta in enumerate(THETAS):
        test = mmd_test(X, Y, Gaussian(theta), statistic, n_resamples=150, rng=3)
        bound = curve.error[i] + 1e-14
        assert abs(curve.statistic[i] - test.statistic) <= bound
        gaps = np.abs(curve.null[:, i] - test.null_distribution)
        assert gaps.max() <= bound
        near = np.count_nonzero(np.abs(test.null_distribution - test.statistic) <= 2 * bound)
        assert abs(curve.pvalue[i] - test.pvalue) <= near / 151


def test_the_bound_is_of_the_right_order():
    """On a line, where distances are many and small, linear interpolation errs by a fair part of the bound."""
    X, Y = two(40, 40, 1, 1.0)
    curve = bandwidth_curve(X, Y, [0.3], n_resamples=100, rng=0, bins=40)
    gap = abs(curve.null[:, 0] - mmd_test(X, Y, Gaussian(0.3), n_resamples=100, rng=0).null_distribution).max()
    assert 0.01 * curve.error[0] < gap <= curve.error[0]


def test_four_thousand_bins_are_good_to_five_digits():
    X, Y = two(50, 50, 5)
    curve = bandwidth_curve(X, Y, np.geomspace(0.5, 20, 9), n_resamples=20, rng=0)
    exact = [mmd2(X, Y, Gaussian(t)) for t in curve.bandwidths]
    np.testing.assert_allclose(curve.statistic, exact, rtol=0, atol=2e-5)
    assert curve.error.max() < 2e-5


def test_wide_bandwidths_keep_their_digits():
    """At θ = 1e6 MMD^2 is 1e-12: weights that add up to 0 meet expm1. V there is |mean difference|^2 / θ^2."""
    X, Y = two()
    curve = bandwidth_curve(X, Y, [1e6], "biased", n_resamples=1, rng=0)
    expected = ((X.mean(axis=0) - Y.mean(axis=0)) ** 2).sum() / 1e12
    # interpolating r^2 linearly errs by h^2/4 a pair, h = r_max / 4096
    assert curve.statistic[0] == pytest.approx(expected, rel=1e-5, abs=0)


def test_blocks_of_rows_make_no_difference(monkeypatch):
    X, Y = two()
    whole = bandwidth_curve(X, Y, THETAS, n_resamples=140, rng=0, bins=100)
    monkeypatch.setattr(module, "PAIRS", 60)
    parts = bandwidth_curve(X, Y, THETAS, n_resamples=140, rng=0, bins=100)
    np.testing.assert_allclose(parts.null, whole.null, rtol=0, atol=1e-14)
    assert (parts.pvalue == whole.pvalue).all()


def test_the_same_splits_at_every_bandwidth():
    X, Y = two()
    curve = bandwidth_curve(X, Y, [1.0, 1.001], n_resamples=200, rng=0)
    assert np.corrcoef(curve.null.T)[0, 1] > 0.99999
    short = bandwidth_curve(X, Y, [1.0, 1.001], n_resamples=30, rng=0)
    np.testing.assert_allclose(short.null, curve.null[:30], rtol=0, atol=1e-14)


def test_ties_count_at_every_bandwidth():
    """Two and two points: six splits, three values; the observed one is tied with its swap. All points equal: p = 1."""
    curve = bandwidth_curve([0.0, 0.1], [1.0, 1.3], [0.1, 1.0, 1e3], n_resamples=3000, rng=0)
    np.testing.assert_allclose(curve.pvalue, 1 / 3, atol=4.5 * np.sqrt(2 / 9 / 3000))
    assert (bandwidth_curve(np.ones(4), np.ones(5), [0.5, 2.0], n_resamples=10, rng=0).pvalue == 1).all()


def test_ties_of_tied_data_count_as_in_a_test_of_one_bandwidth():
    """Points of four kinds: many splits are the same multiset twice, summed in another order."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X, Y = (rng.integers(0, 2, size=(size, 2)).astype(float) for size in (6, 9))
        curve = bandwidth_curve(X, Y, [0.5, 1.0, 3.0], n_resamples=200, rng=0)
        alone = [mmd_test(X, Y, Gaussian(theta), n_resamples=200, rng=0) for theta in curve.bandwidths]
        assert curve.pvalue.tolist() == [test.pvalue for test in alone]


def test_bandwidths_of_its_own():
    X, Y = two()
    curve = bandwidth_curve(X, Y, n_resamples=5, rng=0)
    median = Gaussian().select(np.vstack([X, Y])).bandwidth
    np.testing.assert_allclose(curve.bandwidths[[0, -1]], [median / 20, median * 20])
    assert len(curve.bandwidths) == 60
    with pytest.raises(ValueError, match="read-only"):
        curve.null[0, 0] = 1.0


# aggregated tests ---------------------------------------------------------------------------------------------------

AGGREGATED = {"MMDAgg": mmdagg_test, "MMD-FUSE": mmdfuse_test}
every_test = pytest.mark.parametrize("test", AGGREGATED.values(), ids=AGGREGATED)


def by_kernel(tables, n, order):
    return np.array([by_loops(K, order[:n], "unbiased") for K in tables])


def tables(kernels, P):
    return [k(P) for k in kernels]


def test_mmdagg_is_the_papers_bisection():
    """u by 60 halvings, the quantile of each kernel at level uπ; the decision at every level is p <= level."""
    kernels, weights = [Gaussian(t) for t in (0.3, 1.0, 4.0)], np.array([0.5, 0.3, 0.2])
    for seed, shift in enumerate((0.0, 0.4, 0.7, 1.0)):
        X, Y = two(9, 12, shift=shift, seed=seed)
        result = mmdagg_test(X, Y, kernels, weights, n_resamples=199, rng=seed)
        nulls = [mmd_test(X, Y, k, n_resamples=199, rng=seed) for k in kernels]
        V = np.column_stack([np.r_[t.statistic, t.null_distribution] for t in nulls])  # (B + 1, k), the observed first
        p = np.array([[np.mean(V[:, k] >= v[k] - 1e-14) for k in range(3)] for v in V])
        for level in (0.03, 0.05, 0.1, 0.3):
            low, high = 0.0, min(1 / weights)
            for _ in range(60):
                u = (low + high) / 2
                rejecting = (p[1:] <= u * weights).any(axis=1)
                low, high = (u, high) if (1 + rejecting.sum()) / 200 <= level else (low, u)
            assert (p[0] <= low * weights).any() == (result.pvalue <= level)
            assert 1 / result.threshold(level) == pytest.approx(high, rel=1e-9)
        np.testing.assert_allclose(result.pvalues, p[0])
        np.testing.assert_allclose(result.statistic, (weights / p[0]).max())


@pytest.mark.parametrize("temperature", [None, 0.5, 300.0])
def test_mmdfuse_by_loops(temperature):
    X, Y = two(7, 11)
    P = np.vstack([X, Y])
    kernels, weights = [Gaussian(0.5), Laplacian(2.0), Linear()], np.array([0.2, 0.3, 0.5])
    result = mmdfuse_test(X, Y, kernels, weights, temperature, n_resamples=15, rng=1)
    K = tables(kernels, P)
    lam = np.sqrt(7 * 6) if temperature is None else temperature
    norm = np.sqrt([sum(k[i, j] ** 2 for i in range(18) for j in range(18) if i != j) / (7 * 6) for k in K])
    orders = [np.arange(18), *np.concatenate(list(permutations(18, 15, rng=1)))]
    expected = [logsumexp(lam * by_kernel(K, 7, order) / norm, b=weights) / lam for order in orders]
    np.testing.assert_allclose(np.r_[result.statistic, result.null_distribution], expected, rtol=0, atol=1e-13)
    assert result.pvalue == np.mean(np.array(expected) >= expected[0] - 1e-13)


def test_a_hot_soft_maximum_is_the_maximum_and_a_cold_one_the_mean():
    X, Y = two(12, 12)
    kernels = [Gaussian(0.5), Gaussian(2.0)]
    norm = np.sqrt([(np.sum(k(np.vstack([X, Y])) ** 2) - 24) / (12 * 11) for k in kernels])
    values = np.array([mmd2(X, Y, k) for k in kernels]) / norm
    hot, cold = (mmdfuse_test(X, Y, kernels, temperature=t, n_resamples=1, rng=0).statistic for t in (1e9, 1e-6))
    assert hot == pytest.approx(values.max(), rel=1e-6)
    assert cold == pytest.approx(values.mean(), rel=1e-4)


@pytest.mark.thorough(
    default=[
        "linear-MMDAgg",
        "linear-MMD-FUSE",
        "linear + .7-MMDAgg",
        "gaussian, automatic-MMD-FUSE",
        "laplacian, automatic-MMDAgg",
        "laplacian, automatic-MMD-FUSE",
        "energy-MMD-FUSE",
        "delta-MMD-FUSE",
        "product-MMDAgg",
        "subsequence, as it is-MMDAgg",
        "subsequence, as it is-MMD-FUSE",
        "precomputed-MMDAgg",
        "delta, strings-MMD-FUSE",
    ]
)
@every_test
@pytest.mark.parametrize("case", CASES)
def test_one_kernel_alone_is_its_own_test(case, test):
    """Precomputed Grams and strings too: the order of the statistics is that of MMD^2, so p is the same."""
    kernel, P, _ = pooled(case)
    one, alone = (t(P[:N], P[N:], k, n_resamples=60, rng=0) for t, k in ((test, [kernel]), (mmd_test, kernel)))
    assert one.pvalue == alone.pvalue == one.pvalues[0]
    assert one.values[0] == pytest.approx(
        by_loops(table(case), range(N), "unbiased"), abs=1e-13 * np.abs(table(case)).max()
    )


@every_test
def test_the_result_is_a_test_result(test):
    X, Y = two()
    result = test(X, Y, n_resamples=99, rng=0)
    assert isinstance(result, TestResult)
    assert result.kernel == bandwidth_collection(X, Y)
    assert len(result.null_distribution) == 99
    np.testing.assert_allclose(result.pvalues, [mmd_test(X, Y, k, n_resamples=99, rng=0).pvalue for k in result.kernel])
    np.testing.assert_allclose(result.values, [mmd2(X, Y, k) for k in result.kernel], rtol=1e-12)
    assert re.search(naming("10 kernels", "n = 20 and m = 31", "99 permutations"), str(result))
    assert (result.null_distribution == test(X, Y, n_resamples=99, rng=0).null_distribution).all()
    with pytest.raises(ValueError, match="read-only"):
        result.pvalues[0] = 0.0


@every_test
def test_kernels_of_any_kind_take_part_together(test):
    X, Y = two()
    mixed = test(X, Y, [Gaussian(), Laplacian(), Linear()], n_resamples=50, rng=0)
    assert mixed.kernel[0] == Gaussian().select(np.vstack([X, Y]))
    K = Gaussian(1.0)(np.vstack([X, Y]))
    rows = np.arange(51.0)
    own = test(rows[:20], rows[20:], [Precomputed(K), Precomputed(K**2)], n_resamples=50, rng=0)
    same = test(X, Y, [Gaussian(1.0), Gaussian(np.sqrt(0.5))], n_resamples=50, rng=0)
    np.testing.assert_allclose(own.null_distribution, same.null_distribution, rtol=1e-10)


def test_mmdagg_takes_the_biased_statistic_too():
    X, Y = two(5, 9)
    result = mmdagg_test(X, Y, [Gaussian(1.0)], statistic="biased", n_resamples=30, rng=0)
    assert result.pvalue == mmd_test(X, Y, Gaussian(1.0), "biased", n_resamples=30, rng=0).pvalue
    assert mmdagg_test(X[:1], Y, [Gaussian(1.0)], statistic="biased", n_resamples=30, rng=0).pvalue > 0


def test_the_collection_spans_the_distances():
    X, Y = two(10, 12)
    P = np.vstack([X, Y])
    apart = np.array([np.linalg.norm(a - b) for i, a in enumerate(P) for b in P[:i]])
    thetas = np.array([k.bandwidth for k in bandwidth_collection(X, Y, 5)])
    np.testing.assert_allclose(thetas[[0, -1]], [np.quantile(apart, 0.05) / 2, 2 * np.quantile(apart, 0.95)])
    np.testing.assert_allclose(np.diff(np.log(thetas)), np.log(thetas[1] / thetas[0]))
    # equal points have no distance: three copies of each give the same bandwidths as quantiles of the same distances
    assert bandwidth_collection([0.0, 0.0, 0.0], [0.0, 1.0])[0].bandwidth == pytest.approx(0.5)


TWO = two(6, 8)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: bandwidth_curve(*TWO, [1e-9, 1.0]), ValueError, naming("bandwidths", "1e-6")),
        (lambda: bandwidth_curve(*TWO, [-1.0, 1.0]), ValueError, "Gaussian.bandwidth must be a number of at least"),
        (lambda: bandwidth_curve(*TWO, []), ValueError, naming("bandwidths")),
        (lambda: bandwidth_curve(*TWO, [[1.0]]), ValueError, naming("bandwidths")),
        (lambda: bandwidth_curve(*TWO, ["wide"]), TypeError, "bandwidths holds"),
        (lambda: bandwidth_curve(*TWO, n_resamples=0), ValueError, naming("n_resamples", "1", "0")),
        (lambda: bandwidth_curve(*TWO, bins=0), ValueError, naming("1", "0")),
        (
            lambda: bandwidth_curve(*TWO, statistic="U"),
            ValueError,
            naming("statistic", "'unbiased'", "'biased'", "'U'"),
        ),
        (lambda: bandwidth_curve(TWO[0][:1], TWO[1]), ValueError, naming("X", "statistic", "1")),
        (lambda: mmdagg_test(*TWO, []), ValueError, naming("kernels")),
        (lambda: mmdagg_test(*TWO, 3), TypeError, naming("kernels", "3")),
        (
            lambda: mmdagg_test(*TWO, [Gaussian(1.0)], [0.5]),
            ValueError,
            naming("weights", "0", "1", "0.5"),
        ),
        (lambda: mmdagg_test(*TWO, [Gaussian(1.0)] * 2, [1.0, 0.0]), ValueError, naming("weights", "0")),
        (lambda: mmdagg_test(*TWO, [Gaussian(1.0)], [0.5, 0.5]), ValueError, naming("weights")),
        (lambda: mmdagg_test(*TWO, [1.0]), TypeError, naming("kernel", "Gaussian")),
        (lambda: mmdagg_test(*TWO, n_resamples=0), ValueError, naming("n_resamples", "1")),
        (lambda: mmdagg_test(np.ones((4, 1)), np.ones((5, 1))), ValueError, naming("X", "Y", "equal")),
        (lambda: mmdfuse_test(*TWO, temperature=-1), ValueError, naming("temperature", "0", "1")),
        (lambda: mmdfuse_test(*TWO, temperature="hot"), TypeError, "temperature holds"),
        (lambda: mmdfuse_test(*TWO, [Delta()]), ValueError, naming("Delta()", "0")),
        (lambda: mmdfuse_test(TWO[0][:1], TWO[1]), ValueError, naming("X", "statistic", "1")),
        (lambda: mmdfuse_test(["a", "b"], ["a", "c"]), TypeError, "X holds str"),
    ],
)
def test_what_is_refused(call, error, said):
    with pytest.raises(error, match=said):
        call()
