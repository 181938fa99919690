"""The rows that a test depends on: against a test without each of them."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import SKMSE, Gaussian, Polynomial, median_bandwidth, mmd2, mmd_test
from explorer.discrepancy import most_influential, without_each

RNG = np.random.default_rng(4)
X, Y = RNG.normal(size=(9, 2)), np.vstack([RNG.normal(size=(11, 2)) + 0.4, [[6.0, 6.0]]])


def without(row):
    """Return both samples without a row of the pooled points."""
    P, kept = np.concatenate([X, Y]), np.delete(np.arange(21), row)
    return P[kept[kept < 9]], P[kept[kept >= 9]]


@pytest.mark.parametrize("statistic", ["unbiased", "biased"])
def test_the_rows_are_those_whose_removal_changes_most(statistic):
    kernel = Polynomial(2)
    change = [abs(mmd2(*without(i), kernel, statistic) - mmd2(X, Y, kernel, statistic)) for i in range(21)]
    assert without_each(X, Y, kernel, statistic)[20] == pytest.approx(mmd2(*without(20), kernel, statistic))
    rows = most_influential(X, Y, kernel, statistic, count=4, n_resamples=99, rng=1)
    assert [one.row for one in rows] == list(np.argsort(change)[::-1][:4])
    assert rows[0].row == 20
    for one in rows:
        test = mmd_test(*without(one.row), kernel, statistic, n_resamples=99, rng=1)
        assert (one.statistic, one.pvalue) == (test.statistic, test.pvalue)


def test_the_kernel_is_held_or_chosen_anew():
    whole = Gaussian().select(np.concatenate([X, Y]))
    held = most_influential(X, Y, count=1, n_resamples=99, rng=1)[0]
    assert held.statistic == mmd_test(*without(held.row), whole, n_resamples=99, rng=1).statistic
    anew = most_influential(X, Y, count=1, n_resamples=99, rng=1, rekernel=lambda P: Gaussian(2 * median_bandwidth(P)))
    kernel = Gaussian(2 * median_bandwidth(np.concatenate(without(anew[0].row))))
    assert anew[0].statistic == mmd_test(*without(anew[0].row), kernel, n_resamples=99, rng=1).statistic


def test_another_estimator_tests_what_is_left():
    one = most_influential(X, Y, Gaussian(1.0), "biased", SKMSE(), 1, 99, 1)[0]
    test = mmd_test(*without(one.row), Gaussian(1.0), "biased", SKMSE(), n_resamples=99, rng=1)
    assert (one.statistic, one.pvalue) == (test.statistic, test.pvalue)


def test_it_is_given_up_and_few_rows_are_refused():
    assert most_influential(X, Y, n_resamples=9, stopped=lambda: True) is None
    with pytest.raises(ValueError, match=naming("Y", "2", "3")):
        most_influential(X, Y[:2])
    with pytest.raises(ValueError, match=naming("statistic")):
        most_influential(X, Y, statistic="signed")
