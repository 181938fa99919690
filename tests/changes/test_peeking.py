"""Looks again and again: each p is Welch's, single looks keep the level, all of them together do not."""

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import binom, ttest_ind

from explorer.changes import look_pvalues
from explorer.checks import Refusal


@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("every", [2, 7, 40])
def test_every_look_is_welchs_test_of_all_rows_so_far(d, every):
    rng = np.random.default_rng(d)
    reference = rng.normal(5, 2, size=(23, d))
    rows = np.concatenate([rng.normal(5, 1, size=(40, d)), rng.normal(6, 3, size=(45, d))])
    looks = range(every, len(rows) + 1, every)
    expected = [min(1, d * ttest_ind(reference, rows[:k], equal_var=False).pvalue.min()) for k in looks]
    # cumulated sums lose some three digits of a variance
    np.testing.assert_allclose(look_pvalues(reference, rows, every), expected, rtol=1e-10)


def test_columns_that_do_not_vary():
    flat = np.ones((10, 1))
    assert look_pvalues(flat, flat, 5).tolist() == [1, 1]
    assert look_pvalues(flat, flat + 1, 5).tolist() == [0, 0]
    one = np.random.default_rng(0).normal(size=(10, 1))
    both = look_pvalues(np.hstack([one, flat]), np.hstack([one[::-1], flat]), 10)
    assert both == pytest.approx(1)


def test_too_few_rows():
    X = np.zeros((5, 1))
    assert len(look_pvalues(X, X, 6)) == 0
    with pytest.raises(Refusal, match=naming("1", "2")):
        look_pvalues(X[:1], X, 2)
    with pytest.raises(Refusal, match=naming("every", "1")):
        look_pvalues(X, X, 1)


def test_a_single_look_keeps_the_level_and_all_of_them_do_not():
    rng, times, single, ever = np.random.default_rng(1), 2000, 0, 0
    for _ in range(times):
        pvalues = look_pvalues(rng.normal(size=(50, 1)), rng.normal(size=(200, 1)), 10)
        single += pvalues[-1] <= 0.05
        ever += (pvalues <= 0.05).any()
    low, high = binom.interval(1 - 1e-6, times, 0.05)
    assert low <= single <= high
    assert ever > 3 * high / 2
