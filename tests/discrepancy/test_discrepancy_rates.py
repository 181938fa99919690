"""Rejection rates in repeated samples: counts, their intervals, and whether a test holds its level."""

import re

import numpy as np
import pytest
from helpers.naming import naming
from paired_samples import dependent, independent
from scipy.special import betaincinv
from two_samples import binomial

from explorer import Gaussian, Linear, hsic_test, mmd_test
from explorer.discrepancy import LevelCheck, hsic_level, level_check, mmd_level, rate_interval
from explorer.rng import stream


def test_the_interval_is_that_of_clopper_and_pearson():
    for k in (0, 3, 20):
        low = betaincinv(k, 21 - k, 0.025) if k else 0.0
        high = betaincinv(k + 1, 20 - k, 0.975) if k < 20 else 1.0
        assert rate_interval(k, 20) == pytest.approx((low, high))


def test_a_check_counts_what_is_at_most_the_level():
    check = LevelCheck([0.01, 0.05, 0.2, 1.0], 0.05)
    assert (check.count, check.rejected, check.rate) == (4, 2, 0.5)
    assert check.interval() == rate_interval(2, 4)
    assert check.interval(0.5) == rate_interval(2, 4, 0.5)
    assert re.search(naming("2 of 4", "level 0.05"), check._sentence())
    with pytest.raises(ValueError, match="read-only"):
        check.pvalues[0] = 1


def test_a_check_asks_for_each_repetition_and_is_given_up():
    assert level_check(lambda i: 1 / (i + 1), 4).pvalues.tolist() == [1, 1 / 2, 1 / 3, 1 / 4]
    asked = iter([False, False, True])
    assert level_check(lambda i: 0.5, 9, stopped=lambda: next(asked)) is None
    with pytest.raises(ValueError, match="repetitions"):
        level_check(lambda i: 0.5, 0)


def test_halves_of_one_sample_keep_the_level_whatever_it_is():
    X = np.random.default_rng(0).exponential(size=(40, 1)) ** 3
    check = mmd_level(X, repetitions=200, n_resamples=39, rng=1)
    low, high = binomial(200, 0.05)
    assert low <= check.rejected <= high
    orders = stream(1, "self-check")
    first = orders.permutation(40)
    kernel, resamples = Gaussian().select(np.concatenate([X, X])), stream(1, "self-check shuffles")
    test = mmd_test(X[first[:20]], X[first[20:]], kernel, n_resamples=39, rng=resamples)
    assert check.pvalues[0] == test.pvalue
    assert mmd_level(X, repetitions=3, n_resamples=9, rng=np.random.default_rng(0)).count == 3
    assert mmd_level(X, stopped=lambda: True) is None
    with pytest.raises(ValueError, match=naming("2", "rows")):
        mmd_level(X[:2])


def test_points_paired_anew_keep_the_level_of_hsic():
    X, Y = dependent(25)
    check = hsic_level(X, Y, repetitions=200, n_resamples=39, rng=1)
    low, high = binomial(200, 0.05)
    assert low <= check.rejected <= high
    order = stream(1, "re-pairings").permutation(25)
    assert check.pvalues[0] == hsic_test(X, Y[order], n_resamples=39, rng=0).pvalue
    assert hsic_level(*independent(9), Linear(), Linear(), repetitions=2, n_resamples=9).count == 2
    assert hsic_level(X, Y, stopped=lambda: True) is None
