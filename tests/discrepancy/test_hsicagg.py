"""The test of independence over many pairs of kernels: by each pair's own test, its level, its power, bad input."""

import re

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from paired_samples import CASES, N, dependent, paired
from two_samples import binomial

from explorer import (
    Delta,
    Gaussian,
    Laplacian,
    Linear,
    Subsequence,
    bandwidth_collection,
    hsic,
    hsic_test,
    hsicagg_test,
)

PAIRS = [(Gaussian(0.3), Gaussian(0.5)), (Gaussian(1.0), Laplacian(1.0)), (Linear(), Linear())]
WEIGHTS = np.array([0.5, 0.3, 0.2])


@pytest.mark.parametrize("statistic", ["biased", "unbiased"])
def test_it_is_the_papers_bisection(statistic):
    """u by 60 halvings, the quantile of each pair of kernels at level uπ; the decision at every level is p <= level."""
    for seed, noise in enumerate((0.3, 1.0, 3.0)):
        X, Y = dependent(15, seed, noise)
        result = hsicagg_test(X, Y, PAIRS, WEIGHTS, statistic, n_resamples=199, rng=seed)
        tests = [hsic_test(X, Y, k, l, statistic, n_resamples=199, rng=seed) for k, l in PAIRS]
        V = np.column_stack([np.r_[t.statistic, t.null_distribution] for t in tests])  # (B + 1, k), the observed first
        p = np.array([[np.mean(V[:, k] >= v[k] - 1e-14) for k in range(3)] for v in V])
        for level in (0.03, 0.05, 0.1, 0.3):
            low, high = 0.0, min(1 / WEIGHTS)
            for _ in range(60):
                u = (low + high) / 2
                rejecting = (p[1:] <= u * WEIGHTS).any(axis=1)
                low, high = (u, high) if (1 + rejecting.sum()) / 200 <= level else (low, u)
            assert (p[0] <= low * WEIGHTS).any() == result.rejected(level)
            assert 1 / result.threshold(level) == pytest.approx(high, rel=1e-9)
        assert result.pvalues.tolist() == [t.pvalue for t in tests]
        np.testing.assert_allclose(result.values, [hsic(X, Y, k, l, statistic) for k, l in PAIRS], rtol=1e-12)
        np.testing.assert_allclose(result.statistic, (WEIGHTS / p[0]).max())


@pytest.mark.parametrize("case", CASES)
def test_one_pair_of_kernels_alone_is_its_own_test(case):
    (k, X, _), (l, Y, _) = paired(case, N)
    one, alone = hsicagg_test(X, Y, [(k, l)], n_resamples=60, rng=0), hsic_test(X, Y, k, l, n_resamples=60, rng=0)
    assert one.pvalue == alone.pvalue == one.pvalues[0]


def test_where_none_are_given_each_of_five_meets_each_of_five():
    X, Y = dependent(20)
    result = hsicagg_test(X, Y, n_resamples=99, rng=0)
    of_x, of_y = (bandwidth_collection(Z[:1], Z[1:], 5) for Z in (X, Y))
    assert result.kernel == tuple((k, l) for k in of_x for l in of_y)
    assert result.weights.tolist() == [1 / 25] * 25
    again = hsicagg_test(X, Y, result.kernel, n_resamples=99, rng=0)
    np.testing.assert_array_equal(result.null_distribution, again.null_distribution)
    # the bandwidths go with the units of each side, and a thousand units away some digits are gone
    moved = hsicagg_test(1e3 + 7 * X, -0.1 * Y, n_resamples=99, rng=0)
    np.testing.assert_allclose(moved.values, result.values, rtol=1e-9)
    assert moved.pvalue == result.pvalue


def test_the_result_is_a_sentence():
    X, Y = dependent(20)
    result = hsicagg_test(X, Y, n_resamples=39, rng=3)
    assert (result.n, result.m, result.seed) == (20, None, 3)
    assert re.search(naming("HSICAgg", "25 pairs of kernels", "n = 20 pairs", "39 permutations"), str(result))
    alone = str(hsicagg_test(X, Y, [(Gaussian(2.0), Linear())], n_resamples=9))
    assert re.search(naming("Gaussian kernel of bandwidth 2", "linear kernel"), alone)


def test_columns_of_frames_and_words():
    x, y = (Z[:, 0] for Z in dependent(24))
    frame = pd.DataFrame({"x": x, "y": y, "city": np.where(y > 0.5, "Rome", "Oslo")})
    result = hsicagg_test(frame[["x"]], frame[["y"]], n_resamples=19, rng=0)
    assert result.columns == (("x",), ("y",))
    assert result.pvalue == hsicagg_test(x, y, n_resamples=19, rng=0).pvalue
    mixed = hsicagg_test(frame[["x"]], frame[["y", "city"]], n_resamples=19, rng=0)
    assert len(mixed.kernel) == 25
    assert mixed.columns == (("x",), ("y", "city"))
    reads = ["".join(word) for word in np.random.default_rng(0).choice(["a", "b"], (24, 5))]
    pairs = [(Subsequence(2), Delta()), (Subsequence(3), Delta())]
    assert 0 < hsicagg_test(reads, frame["city"].tolist(), pairs, n_resamples=19, rng=0).pvalue <= 1


def fast(rng, n):
    """Return a dependence that varies faster than median bandwidths see, and slower than the noise of its points."""
    x = rng.uniform(0.0, 1.0, size=n)
    return x, np.sin(30 * x) + 0.1 * rng.normal(size=n)


def test_it_finds_what_median_bandwidths_miss():
    p = [[t(*fast(np.random.default_rng(s), 60), n_resamples=199, rng=s).pvalue for s in range(8)] for t in
         (hsicagg_test, hsic_test)]  # fmt: skip
    assert np.median(p[0]) <= 0.05 < np.median(p[1])


def rejections(n, count, level, resamples=39):
    rng = np.random.default_rng(0)
    found = [
        hsicagg_test(rng.normal(size=(n, 2)), rng.exponential(size=n), n_resamples=resamples, rng=rng).pvalue
        for _ in range(count)
    ]
    return np.count_nonzero(np.array(found) <= level)


@pytest.mark.thorough
def test_the_level_is_kept():
    """At most the level: max π/p has ties, since p_k has few values, and these only raise p."""
    for level in (0.05, 0.2, 0.5):
        assert rejections(10, 100, level) <= binomial(100, level)[1]


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
def test_the_level_by_a_thousand_samples(n):
    """At most the level, and not far below it, as ties of 199 resamples under 25 pairs of kernels raise p."""
    assert 10 <= rejections(n, 1000, 0.05, 199) <= binomial(1000, 0.05)[1]


TWO = np.arange(6.0), np.arange(6.0) ** 2


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: hsicagg_test(*TWO, []), ValueError, naming("kernels")),
        (lambda: hsicagg_test(*TWO, Gaussian(1.0)), TypeError, naming("kernels", "kernel")),
        (lambda: hsicagg_test(*TWO, 3), TypeError, naming("kernels", "3")),
        (lambda: hsicagg_test(*TWO, [Gaussian(1.0)]), TypeError, naming("kernels", "0", "kernel_x", "kernel_y")),
        (lambda: hsicagg_test(*TWO, [(Linear(), 1.0)]), TypeError, naming("kernel_y", "kernels", "0", "kernel")),
        (lambda: hsicagg_test(*TWO, PAIRS, [0.5]), ValueError, naming("weights")),
        (lambda: hsicagg_test(*TWO, PAIRS, [0.5, 0.5, 0.0]), ValueError, naming("weights", "0", "1")),
        (lambda: hsicagg_test(*TWO, statistic="u"), ValueError, naming("statistic", "'biased'", "'unbiased'")),
        (lambda: hsicagg_test(*TWO, n_resamples=0), ValueError, naming("n_resamples", "1")),
        (lambda: hsicagg_test(TWO[0], TWO[1][:4]), ValueError, naming("X", "6", "Y", "4")),
        (lambda: hsicagg_test(TWO[0], np.ones(6)), ValueError, naming("Y", "equal")),
        (lambda: hsicagg_test([1.0, 2.0], [1.0, 2.0]), ValueError, naming("2", "samples")),
        (lambda: hsicagg_test([1.0], [2.0]), ValueError, naming("X", "equal")),
    ],
)
def test_bad_input_gets_a_sentence(call, error, said):
    with pytest.raises(error, match=said):
        call()
