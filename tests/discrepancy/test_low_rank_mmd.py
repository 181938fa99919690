"""MMD, its test and the witness by kernels of finite rank: compared with the full answers and the stated errors."""

import pickle
import re
import tracemalloc

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS
from scipy.stats import binom

from explorer import KME, SKMSE, Delta, Gaussian, Laplacian, mmd2, mmd_test, witness
from explorer.checks import Refusal
from explorer.discrepancy.mmd import low_rank as low_rank_module
from explorer.discrepancy.mmd.low_rank import FeatureGram
from explorer.discrepancy.resampling.permutation import CentredGram, splits
from explorer.kernels import low_rank

pytestmark = pytest.mark.thorough  # what holds for the kernels of low rank holds for what is built on them

WAYS = ("cholesky", "nystrom", "features")
every_way = pytest.mark.parametrize("way", WAYS)
by_landmarks = pytest.mark.parametrize("way", WAYS[:2])
both_statistics = pytest.mark.parametrize("statistic", ["unbiased", "biased"])
K = Gaussian(1.5)


def two(n=150, m=180, d=3, shift=0.2, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


@pytest.mark.thorough(default=["unbiased-cholesky-*", "biased-nystrom-*"])
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
@by_landmarks
@both_statistics
@pytest.mark.covered  # how rows are picked and which pairs are summed know of the kernel, but not of one another
def test_of_every_kernel(row, way, statistic):
    X, Y = row.data(12), row.data(15, seed=1)
    full = mmd2(X, Y, row.kernel, statistic)
    size = row.kernel.select(np.concatenate([X, Y])).diagonal(X).max()
    for rank in (2, 6, 27):
        low = mmd2(X, Y, row.kernel, statistic, approximation=way, rank=rank)
        assert low.error == pytest.approx(abs(low - full), abs=1e-12 * size)
    assert low == pytest.approx(full, abs=1e-12 * size)


@every_way
@both_statistics
def test_it_is_mmd2_under_the_low_rank_kernel(way, statistic):
    X, Y = two()
    low = low_rank(K, np.concatenate([X, Y]), way, 20)
    expected = mmd2(X, Y, low, statistic)
    assert mmd2(X, Y, K, statistic, approximation=way, rank=20) == pytest.approx(expected, abs=1e-14)


@every_way
@both_statistics
def test_it_meets_the_full_one_as_the_rank_grows(way, statistic):
    X, Y = two(60, 70)
    full = mmd2(X, Y, K, statistic)
    errors = [
        np.mean([abs(mmd2(X, Y, K, statistic, None, way, rank, seed) - full) for seed in range(4)])
        for rank in (6, 60, 600)
    ]
    # an average over waves errs by 1 / sqrt(rank): 10 times less at 100 times the rank
    assert errors[2] < errors[0] / 5
    if way != "features":
        assert errors[2] < 1e-13


@by_landmarks
@both_statistics
@pytest.mark.thorough
def test_beyond_1500_points_the_error_is_a_limit_by_some(way, statistic):
    X, Y = two(1200, 1600)
    full = mmd2(X, Y, K, statistic)
    lows = [mmd2(X, Y, K, statistic, None, way, 40, seed) for seed in range(5)]
    for low in lows:  # each is a 99 % limit, and says no more than a few times what it limits
        assert abs(low - full) <= low.error
    assert np.mean([low.error for low in lows]) <= 20 * np.mean([abs(low - full) for low in lows])


def holding(X, Y, kernel, statistic, rank, trials):
    """Return the number of `trials` draws of frequencies whose error is below the stated one."""
    full = mmd2(X, Y, kernel, statistic)
    lows = [mmd2(X, Y, kernel, statistic, approximation="features", rank=rank, rng=seed) for seed in range(trials)]
    return sum(abs(low - full) <= low.error for low in lows)


@pytest.mark.thorough(default=["Laplacian*-unbiased"])
@both_statistics
@pytest.mark.parametrize("kernel", [K, Laplacian(3.0)], ids=repr)
@pytest.mark.covered(times=1)  # the limit is one of features, whatever is made of them
def test_the_limit_of_random_features_holds(statistic, kernel):
    """400 frequencies, and 25: a t limit held in only 75 of 100 draws of 25."""
    assert holding(*two(6, 8), kernel, statistic, 800, 200) >= binom.ppf(1e-6, 200, 0.99)
    narrow = np.random.default_rng(0).normal(size=(2, 40, 2)) + np.array([0.0, 3.0])[:, None, None]
    assert holding(*narrow, Gaussian(0.3), statistic, 50, 30) >= binom.ppf(1e-6, 30, 0.99)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [10, 20, 50, 200])
@pytest.mark.parametrize("case", ["alike", "narrow"])
def test_the_limit_holds_at_every_rank(case, rank):
    """The samples are alike, or far apart under a narrow kernel, so that few frequencies carry the difference."""
    if case == "alike":
        X, Y, kernel, trials = *two(40, 40), K, 500
    else:
        X, Y, kernel, trials = *two(40, 40, 2, 3.0), Gaussian(0.3), 2000
    held = holding(X, Y, kernel, "unbiased", rank, trials)
    # the error adds a limit to a distance, and so may hold more often than 99 of 100 times
    assert held >= binom.ppf(1e-6, trials, 0.99)


@every_way
def test_the_witness(way):
    X, Y = two()
    full, P = witness(X, Y, K), np.concatenate([X, Y])
    errors = []
    for rank in (10, 40, 330):
        low = witness(X, Y, K, way, rank)
        assert len(low.weights) <= rank
        errors.append(np.sqrt(np.mean((low(P) - full(P)) ** 2)))
        if way == "features":
            assert errors[-1] <= low.error
        else:
            assert low.error == pytest.approx(low.distance(full), abs=1e-7)
    assert errors[2] < errors[0] / 3


@every_way
def test_splits_by_features_are_those_of_the_gram_matrix(way, monkeypatch):
    X, Y = two()
    P = np.concatenate([X, Y])
    low, S = low_rank(K, P, way, 15), splits(len(P), len(X), 300, rng=0)
    whole = CentredGram(low(P))
    for stored in (2**24, 0):
        monkeypatch.setattr(low_rank_module, "STORED", stored)
        few = FeatureGram(low, P)
        assert (few.stored is None) == (stored == 0)
        np.testing.assert_allclose(few.forms(S), whole.forms(S), rtol=0, atol=1e-11)
        np.testing.assert_allclose(few.diagonal, whole.diagonal, rtol=0, atol=1e-13)
        assert whole.magnitude <= few.magnitude


@every_way
@both_statistics
def test_the_permutation_test(way, statistic):
    X, Y = two(60, 70)
    full = mmd_test(X, Y, K, statistic, n_resamples=99, rng=3)
    low = mmd_test(X, Y, K, statistic, n_resamples=99, rng=3, approximation=way, rank=330)
    assert low.statistic == mmd2(X, Y, K, statistic, approximation=way, rank=330, rng=3)
    assert low.error == mmd2(X, Y, K, statistic, approximation=way, rank=330, rng=3).error
    assert re.search(naming("low-rank approximation"), str(low))
    assert full.error is None
    assert "low-rank" not in str(full)
    if way != "features":
        np.testing.assert_allclose(low.null_distribution, full.null_distribution, rtol=0, atol=1e-13)
    assert low.pvalue == pytest.approx(full.pvalue, abs=0.1)


@every_way
def test_ties_are_ties(way):
    """Coin flips: equal counts give equal statistics, whichever points they are of."""
    if way == "features":
        kernel = Gaussian(1.0)
    else:
        kernel = Delta()
    X, Y = np.array([0.0, 0, 1, 1, 0, 1]), np.array([1.0, 1, 0, 1, 1])
    low = mmd_test(X, Y, kernel, n_resamples=400, rng=0, approximation=way, rank=4)
    P, S = np.concatenate([X, Y]), splits(11, 6, 400, rng=0)
    counts = np.array([P[s].sum() for s in S])
    apart = np.abs(counts / 6 - (7 - counts) / 5)
    assert low.pvalue == (1 + np.count_nonzero(apart >= abs(3 / 6 - 4 / 5) - 1e-12)) / 401


@pytest.mark.thorough(default=["cholesky"])
@every_way
def test_the_level_is_kept_although_landmarks_are_points_of_the_samples(way):
    """Landmarks do not know X's points from Y's: under the null p <= 0.1 in a tenth of the samples.

    With the first of all points, one of X's, as the first landmark, it is in a quarter of them.
    """
    trials = 250
    pvalues = [
        mmd_test(*two(2, 20, 5, 0.0, seed), K, n_resamples=19, rng=seed, approximation=way, rank=2).pvalue
        for seed in range(trials)
    ]
    low, high = binom.interval(1 - 1e-6, trials, 0.1)
    # two swapped halves tie for X of two points: a level below 0.1, never above
    assert low / 2 <= sum(p <= 0.1 for p in pvalues) <= high


@every_way
def test_a_generator_is_consumed_and_a_seed_repeats(way):
    X, Y = two(30, 30)
    one, other = (mmd2(X, Y, K, approximation=way, rank=6, rng=np.random.default_rng(5)) for _ in range(2))
    assert (one, one.error) == (other, other.error)
    again = pickle.loads(pickle.dumps(one))
    assert (again, again.error) == (one, one.error)
    result = mmd_test(X, Y, K, n_resamples=9, rng=np.random.default_rng(5), approximation=way, rank=6)
    assert result.statistic == one


@pytest.mark.thorough
def test_ten_thousand_points_have_no_gram_matrix():
    X, Y = two(10_000, 10_000)
    tracemalloc.start()
    try:
        for way in WAYS:
            mmd2(X, Y, K, approximation=way, rank=50)
            witness(X, Y, K, way, 50)(X[:100])
            KME(K, way, 50).embed(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150e6  # a Gram matrix of one sample takes 800 MB


X, Y = two(20, 20)
REFUSED = {
    "another": (lambda: mmd2(X, Y, approximation="svd"), naming("approximation", "'auto'", "'cholesky'", "'svd'")),
    "of the witness": (lambda: witness(X, Y, K, "svd"), naming("approximation", "'auto'", "'cholesky'", "'svd'")),
    "a rank alone": (lambda: mmd2(X, Y, rank=3), naming("rank", 3, "approximation")),
    "a witness's rank alone": (lambda: witness(X, Y, rank=3), naming("rank", 3, "approximation")),
    "rank 0": (lambda: mmd_test(X, Y, approximation="cholesky", rank=0), naming("rank", 1, 0)),
    "weights": (lambda: mmd2(X, Y, K, "biased", SKMSE(), "cholesky"), naming("estimator", "None")),
    "two approximations": (
        lambda: mmd2(X, Y, K, "biased", KME(None, "nystrom"), "cholesky"),
        naming("estimator", "None"),
    ),
    "waves of Delta": (lambda: mmd2(X, Y, Delta(), approximation="features"), naming("approximation='cholesky'")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_had_is_said(case):
    act, said = REFUSED[case]
    with pytest.raises(Refusal, match=said):
        act()


def test_an_approximated_mean_is_an_estimator_like_any_other():
    """Each half has weights on its own landmarks, so only the biased statistic is defined."""
    value = mmd2(X, Y, K, "biased", KME(None, "cholesky", 20))
    assert value == pytest.approx(mmd2(X, Y, K, "biased"), abs=1e-12)
    with pytest.raises(Refusal, match=naming("statistic", "'biased'")):
        mmd2(X, Y, K, "unbiased", KME(None, "cholesky", 20))
