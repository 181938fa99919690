"""Robustness of a verdict to a few odd rows: MMD² of the remaining rows, and tests of samples with odd rows."""

import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.stats import binom

from explorer import Energy, Gaussian, Linear, compare, mmd2, mmd_test, mmdagg_test, monk_test
from explorer.comparison import robustness
from explorer.comparison.robustness import (
    MedianVerdict,
    RowsLeftOut,
    RowsWithstood,
    agreement,
    influential,
    median_verdict,
    rows_withstood,
    without_influential,
)

KERNEL = Gaussian(1.5)


def samples(n, m, odd=0, shift=0.0, seed=0):
    """Return normal samples (n, 2) and (m, 2), the second moved, and `odd` rows of it far away."""
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(n, 2)), rng.normal(size=(m, 2)) + np.array([shift, 0.0])
    Y[:odd] = 6.0 + 0.1 * rng.normal(size=(odd, 2))
    return X, Y


def one_by_one(X, Y, kernel, count):
    """Return the rows by definition: in each step MMD² is computed without every row that remains."""
    P, n, gone = np.concatenate([X, Y]), len(X), []
    for _ in range(count):
        left = np.setdiff1d(np.arange(len(P)), gone)

        def without(i, left=left):
            rest = left[left != i]
            return mmd2(P[rest[rest < n]], P[rest[rest >= n]], kernel)

        gone.append(min(left, key=without))
    return gone


@pytest.mark.parametrize("kernel", [KERNEL, Energy(), Linear()], ids=str)
def test_each_row_left_out_leaves_the_least_mmd(kernel):
    X, Y = samples(12, 9, odd=1, shift=0.5)
    assert influential(kernel, np.concatenate([X, Y]), 12, 4) == one_by_one(X, Y, kernel, 4)


def test_the_joint_test_is_that_of_the_rows_that_remain():
    X, Y = samples(40, 50, odd=3, shift=0.4)
    answer = without_influential(X, Y, KERNEL, 3, n_resamples=99, rng=4)
    x, y = np.delete(X, answer.rows_a, axis=0), np.delete(Y, answer.rows_b, axis=0)
    assert len(x) + len(y) == 87
    assert answer.pvalue == mmdagg_test(x, y, n_resamples=99, rng=4).pvalue
    own = without_influential(X, Y, KERNEL, 3, lambda x, y: mmd_test(x, y, KERNEL, n_resamples=99, rng=4).pvalue)
    assert own[:2] == answer[:2]
    assert own.pvalue == mmd_test(x, y, KERNEL, n_resamples=99, rng=4).pvalue


def test_a_verdict_that_rests_on_odd_rows_falls_with_them():
    X, Y = samples(40, 50, odd=12)
    assert mmdagg_test(X, Y, n_resamples=199, rng=0).pvalue <= 0.05
    answer = without_influential(X, Y, KERNEL, 12, n_resamples=199, rng=0)
    assert len(set(answer.rows_b) & set(range(12))) >= 11
    assert answer.pvalue > 0.05
    listed = ", ".join(map(str, answer.rows_b))
    assert re.search(naming(f"row {answer.rows_a[0]}", f"rows {listed}", f"p = {answer.pvalue:.3g}"), str(answer))


def test_rows_that_equal_others_are_counted_and_not_named():
    """One far row is unique; of answers 1 to 5 any other row would have the same effect."""
    rng = np.random.default_rng(0)
    X, Y = rng.integers(1, 6, (60, 1)).astype(float), rng.integers(1, 5, (60, 1)).astype(float)
    Y[7] = 40.0
    answer = without_influential(X, Y, KERNEL, 4, n_resamples=19, rng=0)
    assert answer.rows_a == ()
    assert answer.rows_b in ((7,), ())
    assert len(answer.rows_b) + sum(answer.equal) == 4
    assert sum(answer.equal) >= 3
    assert without_influential(*samples(20, 20, odd=2), KERNEL, 4, n_resamples=19, rng=0).equal == (0, 0)


def test_a_verdict_of_all_rows_stays():
    X, Y = samples(100, 100, shift=1.2)
    answer = without_influential(X, Y, KERNEL, 3, n_resamples=199, rng=0)
    assert answer.pvalue <= 0.01  # there are 199 resamples and ten kernels
    assert len(answer.rows_a) + len(answer.rows_b) == 3


def test_landmarks_find_the_same_rows(monkeypatch):
    X, Y = samples(150, 200, odd=20)
    P = np.concatenate([X, Y])
    exact = influential(KERNEL, P, 150, 4)
    monkeypatch.setattr(robustness, "EXACT", 100)
    assert influential(KERNEL, P, 150, 4, rng=0) == exact
    assert set(exact) < set(range(150, 170))


def test_too_few_rows_are_refused():
    with pytest.raises(ValueError, match=naming("X", "3", "4", "5")):
        without_influential(*samples(4, 9), KERNEL, 3)
    with pytest.raises(ValueError, match=naming("Y", "7 blocks", "6", "7")):
        median_verdict(*samples(9, 6), KERNEL)


def test_the_median_of_means_is_monk_test_on_pairs_of_random_rows():
    X, Y = samples(60, 80, odd=3, shift=1.0)
    verdict = median_verdict(X, Y, KERNEL, 3, rng=np.random.default_rng(2))
    rng = np.random.default_rng(2)
    x, y = X[rng.permutation(60)], Y[rng.permutation(80)[:60]]
    test = monk_test(x, y, KERNEL, 7, n_resamples=robustness.RESAMPLES, iterations=robustness.ITERATIONS, rng=rng)
    assert verdict == (test.pvalue, 7, 60, 3)
    assert verdict == median_verdict(X, Y, KERNEL, 3, rng=np.random.default_rng(2))
    assert re.search(naming("7 blocks", 60, f"p = {test.pvalue:.3g}"), str(verdict))


def test_many_rows_are_thinned():
    X, Y = samples(700, 600)
    assert median_verdict(X, Y, KERNEL, 1, rng=0).rows == robustness.PAIRS


def rejections(pvalue, odd, repeats=40):
    """Return in how many of 40 pairs of samples that differ only in `odd` far rows p <= .05."""
    return sum(pvalue(*samples(60, 70, odd, seed=seed), seed) <= 0.05 for seed in range(repeats))


@pytest.mark.slow
def test_far_rows_sway_the_mean_more_than_the_median():
    """The kernel is linear; without odd rows the median keeps its level."""
    plain = rejections(lambda X, Y, seed: mmd_test(X, Y, Linear(), n_resamples=99, rng=seed).pvalue, 5)
    assert rejections(lambda X, Y, seed: median_verdict(X, Y, Linear(), 5, rng=seed).pvalue, 5) < plain
    fair = rejections(lambda X, Y, seed: median_verdict(X, Y, Linear(), 5, rng=seed).pvalue, 0)
    assert fair <= binom.isf(1e-5, 40, 0.05)


@pytest.mark.parametrize("exact", [True, False], ids=["exact", "landmarks"])
def test_the_verdict_withstands_as_many_replaced_rows(exact, monkeypatch):
    """Rows of Y farthest from X become rows of X, or the other way round, or move far away: still p <= .05."""
    if not exact:
        monkeypatch.setattr(robustness, "EXACT", 100)
    X, Y = samples(150, 160, shift=1.5)
    answer = rows_withstood(X, Y, KERNEL, rng=1)
    assert answer.rows >= 3
    assert names_all(str(answer), f"any {answer.rows} rows")
    for kind in ("towards X", "towards Y", "far away"):
        x, y, r = X.copy(), Y.copy(), answer.rows
        if kind == "towards X":
            y[np.argsort(-Y[:, 0])[:r]] = X[np.argsort(X[:, 0])[:r]]
        elif kind == "towards Y":
            x[np.argsort(X[:, 0])[:r]] = Y[np.argsort(-Y[:, 0])[:r]]
        else:
            y[:r] = 1e6
        assert rows_withstood(x, y, KERNEL, rng=1).pvalue <= 0.05
    if exact:
        assert answer.pvalue == mmd_test(X, Y, KERNEL, "biased", rng=1).pvalue


def test_the_bound_is_that_of_the_distances():
    """r rows are withstood if MMD exceeds the fiftieth of 999 values by more than 2r sqrt(2) / n."""
    X, Y = samples(150, 160, shift=1.2)
    test = mmd_test(X, Y, KERNEL, "biased", rng=1)
    above = np.sqrt(test.statistic) - np.sort(np.sqrt(np.maximum(test.null_distribution, 0.0)))[-50]
    rows = rows_withstood(X, Y, KERNEL, rng=1).rows
    assert rows * 2 * np.sqrt(2) / 150 < above <= (rows + 1) * 2 * np.sqrt(2) / 150


def test_odd_rows_make_no_verdict_that_withstands_them():
    """The plain test rejects some of 60 pairs of samples that differ only in 8 odd rows; none withstands 8 rows."""
    answers = [rows_withstood(*samples(60, 70, 8, seed=seed), KERNEL, n_resamples=199, rng=seed) for seed in range(60)]
    assert sum(answer.pvalue <= 0.05 for answer in answers) > 6
    assert max(answer.rows for answer in answers) < 8


def test_nothing_is_withstood_by_small_or_like_samples():
    assert rows_withstood(*samples(20, 20), KERNEL, rng=0).rows == 0
    assert names_all(str(rows_withstood(*samples(20, 20), KERNEL, rng=0)), "no difference")
    assert names_all(str(rows_withstood(*samples(20, 20, shift=0.9, seed=1), KERNEL, rng=0)), "single row")
    assert rows_withstood(*samples(20, 20, shift=9.0), KERNEL, n_resamples=9, rng=0).rows == 0  # p >= .1
    with pytest.raises(ValueError, match=naming("kernel", "bounded")):
        rows_withstood(*samples(20, 20), Energy())


LEVEL = 0.05


@pytest.mark.parametrize("without", [None, 0.01, 0.3])
@pytest.mark.parametrize("withstood", [None, (0.3, 0), (0.01, 0), (0.01, 2), (0.01, 5)])
@pytest.mark.parametrize("median", [None, 0.01, 0.3])
def test_no_sentence_contradicts_the_verdict(without, withstood, median):
    """If two samples differ, each method agrees, or its sentence explains why it does not."""
    said = agreement(
        LEVEL,
        None if without is None else RowsLeftOut((1, 2), (3,), without),
        None if withstood is None else RowsWithstood(withstood[1], withstood[0], LEVEL),
        None if median is None else MedianVerdict(median, 7, 70, 3),
    )
    assert len(said) == sum(each is not None for each in (without, withstood, median))
    overturned = without == 0.3
    words = said[0] if without is not None else ""
    assert names_all(words, "stays") == (without == 0.01)
    assert names_all(words, "rests", "few rows") == (overturned and (withstood is None or withstood[1] < 3))
    assert names_all(words, "although", "one kernel") == (overturned and withstood == (0.01, 5))
    if median is not None:
        agrees, few = names_all(said[-1], "agrees"), names_all(said[-1], "is in few rows")
        ruled_out = names_all(said[-1], "rules out", "few rows")
        assert agrees == (median == 0.01)
        assert few == (median == 0.3 and overturned)
        assert ruled_out == (median == 0.3 and not overturned and withstood in ((0.01, 2), (0.01, 5)))
        assert agrees + few + ruled_out <= 1


def test_a_difference_in_few_rows_is_said_to_be_in_few():
    """Five rows of a hundred lie far away: the joint test detects them, a median of blocks does not."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(100, 1)), rng.normal(size=(100, 1))
    a[:5] += 40.0
    comparison = compare(a, b, rng=0)
    without = comparison.without_influential_rows(5)
    assert comparison.differ
    assert without.pvalue > LEVEL
    said = agreement(LEVEL, without, None, comparison.median_of_means_test())
    assert names_all(said[0], "rests", "few rows")
    assert names_all(said[1], "difference", "in few rows")
