"""Running times of two-sample tests as ratios of alternating pairs: `pytest -m benchmark --benchmark-enable`."""

import statistics

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist
from test_speed import ratios, report, seconds

from explorer import Gaussian, compress_test, mmd2, mmd_test, mmdagg_test, mmdfuse_test
from explorer.discrepancy.resampling.permutation import CentredGram, splits
from explorer.discrepancy.resampling.tiled_gram import tiled_mmd2

pytestmark = pytest.mark.benchmark

N, D, B, THETA = 500, 10, 1000, 4.0


def samples():
    rng = np.random.default_rng(0)
    return rng.normal(size=(N, D)), rng.normal(size=(N, D)) + 0.1


def unbiased(K):
    xx, yy, xy = K[:N, :N], K[N:, N:], K[:N, N:]
    own = (xx.sum() - np.trace(xx) + yy.sum() - np.trace(yy)) / (N * (N - 1))
    return own - 2 * xy.mean()


def textbook(reorder):
    """Gram matrix once, then every permutation re-orders its rows and columns."""
    X, Y = samples()
    P = np.concatenate([X, Y])
    K = np.exp(-cdist(P, P, "sqeuclidean") / (2 * THETA**2))
    observed, rng = unbiased(K), np.random.default_rng(0)
    null = [unbiased(reorder(K, rng.permutation(2 * N))) for _ in range(B)]
    return observed, (1 + sum(value >= observed for value in null)) / (1 + B)


METHODS = [lambda K, p: K[p][:, p], lambda K, p: K[np.ix_(p, p)]]


def test_the_permutation_test_against_the_textbook_loop(benchmark):
    """The whole test is at least 30 times faster than the faster of two ways to write the loop."""

    def ours():
        return mmd_test(*samples(), Gaussian(THETA), n_resamples=B, rng=0)

    result = ours()
    observed, p = textbook(METHODS[0])
    assert result.statistic == pytest.approx(observed, abs=1e-14)
    # two independent draws of 1000 permutations
    assert abs(result.pvalue - p) < 4.5 * np.sqrt(2 * 0.25 / B)
    measured = []
    for i in range(6):
        acts = [ours, lambda i=i: textbook(METHODS[i // 2 % 2])]
        times = [seconds(act) for act in (acts if i % 2 else acts[::-1])]
        fast, slow = times if i % 2 else times[::-1]
        measured.append((i // 2 % 2, slow / fast))
    by_method = [[ratio for method, ratio in measured if method == r] for r in (0, 1)]
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, min(by_method, key=statistics.median)) >= 30


def test_an_exact_value_for_ten_thousand_points_a_sample(benchmark):
    """Without a stored Gram matrix, and no slower with 16 times the pairs of points than 16 times that with one."""
    rng = np.random.default_rng(0)
    P = rng.normal(size=(20_000, D))
    kernel = Gaussian(THETA)
    measured = []
    for i in range(5):
        acts = [lambda: tiled_mmd2(kernel, P, 10_000), lambda: mmd2(P[:2500], P[10_000:12_500], kernel)]
        times = [seconds(act) for act in (acts if i % 2 else acts[::-1])]
        tiles, stored = times if i % 2 else times[::-1]
        measured.append(tiles / (16 * stored))
    benchmark.pedantic(acts[0], rounds=1)
    assert report(benchmark, measured) <= 1


@pytest.mark.filterwarnings("ignore:the bandwidth was chosen on")
def test_a_bandwidth_of_its_own_for_four_thousand_points_a_sample(benchmark):
    """The median of 6000 points' distances and three sums, against the recipe that computes each distance once."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(4000, D)), rng.normal(size=(4000, D)) + 0.1

    def recipe():
        xx, yy, xy = pdist(X, "sqeuclidean"), pdist(Y, "sqeuclidean"), cdist(X, Y, "sqeuclidean")
        rate = -0.5 / np.median(np.concatenate([xx, yy, xy.ravel()]))
        return np.exp(rate * xx).mean() + np.exp(rate * yy).mean() - 2 * np.exp(rate * xy).mean()

    # the medians of 6000 points and of 8000 differ by some thousandths of themselves
    assert mmd2(X, Y) == pytest.approx(recipe(), rel=0.01)
    measured = ratios(lambda: mmd2(X, Y), recipe, pairs=5)
    benchmark.pedantic(mmd2, (X, Y), rounds=1)
    assert report(benchmark, measured) <= 0.8


@pytest.mark.parametrize("n", [200, 500])
@pytest.mark.parametrize("test", [mmdagg_test, mmdfuse_test])
def test_ten_kernels_cost_less_than_ten_tests(benchmark, test, n):
    """One set of splits for all kernels; what is left are ten Gram matrices and their products with all splits.

    Those of one kernel take most of `mmd_test`'s time from n = 500 on, so the ratio rises to ten with n.
    """
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(n, D)), rng.normal(size=(n, D)) + 0.1
    measured = ratios(lambda: test(X, Y, rng=0), lambda: mmd_test(X, Y, rng=0), pairs=9)
    benchmark.pedantic(test, (X, Y), {"rng": 0}, rounds=1)
    assert report(benchmark, measured) <= 10


def test_rows_that_stand_for_bins_cost_less_than_all_rows(benchmark):
    """Half of 2 * 2048 rows, in 32 bins: 199 permutations of bins are nearly free. Measured: .19."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 2048, D))
    given = {"kernel": Gaussian(THETA), "n_resamples": 199, "rng": 0}
    measured = ratios(
        lambda: compress_test(X, Y, **given), lambda: mmd_test(X, Y, statistic="biased", **given), pairs=3
    )
    benchmark.pedantic(compress_test, (X, Y), given, rounds=1)
    assert report(benchmark, measured) <= 0.3


def test_half_of_a_gram_matrix_for_all_splits(benchmark):
    """`forms` of 1000 splits at N = 1000 against one product with the whole matrix."""
    rng = np.random.default_rng(0)
    P = rng.normal(size=(2 * N, D))
    gram, S = CentredGram(Gaussian(THETA)(P)), splits(2 * N, N, B, rng=0)

    def whole():
        s = S.astype(float)
        return np.einsum("bi,bi->b", s @ gram.K, s), s @ gram.diagonal

    measured = ratios(lambda: gram.forms(S), whole)
    benchmark.pedantic(gram.forms, (S,), rounds=1)
    assert report(benchmark, measured) <= 0.9
