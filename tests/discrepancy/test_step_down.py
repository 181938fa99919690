"""p-values of many tests that share their resamples."""

import numpy as np
import pytest
from scipy.stats import binom, chi2

from explorer.discrepancy.columns.step_down import adjusted_pvalues, holm, pvalues, standardised


def statistics(B=99, d=4, seed=0):
    return np.random.default_rng(seed).chisquare([1, 2, 5, 9][:d], (B + 1, d))


def test_the_least_p_is_that_of_the_maximum_of_all():
    t = statistics()
    z = standardised(t)
    first = int(np.argmax(z[0]))
    assert adjusted_pvalues(t)[first] == np.mean(z.max(axis=1) >= z[0, first])


def test_adjusted_p_values_by_their_definition():
    t = statistics(d=4, seed=3)
    z, adjusted = standardised(t), adjusted_pvalues(t)
    left, before = list(np.argsort(-z[0])), 0.0
    while left:
        before = max(before, np.mean(z[:, left].max(axis=1) >= z[0, left[0]]))
        assert adjusted[left[0]] == before
        left.pop(0)


def test_no_adjusted_p_is_below_its_own_order():
    t = statistics(seed=5)
    z, adjusted = standardised(t), adjusted_pvalues(t)
    assert (np.diff(adjusted[np.argsort(-z[0])]) >= 0).all()


def test_one_test_alone_is_not_adjusted():
    t = statistics(d=1)
    assert adjusted_pvalues(t) == pytest.approx(pvalues(t), abs=0)


def test_cube_roots_weigh_tests_of_other_degrees_alike():
    z = standardised(np.random.default_rng(0).chisquare([2, 4, 9], (20_000, 3)))
    exact = standardised(chi2.ppf(np.random.default_rng(1).random((20_000, 1)), [2, 4, 9]))
    # 5 standard errors of a 95 % quantile, sqrt(.95 * .05 / 20000) over a density of about .1, and as much of bias
    assert np.quantile(z, 0.95, axis=0) == pytest.approx(np.quantile(exact, 0.95, axis=0), abs=0.08)
    assert np.ptp(np.quantile(z, 0.95, axis=0)) < 0.1


def test_equal_statistics_are_ties():
    t = np.repeat(statistics(B=0, d=3), 20, axis=0)
    t[1:] *= 1 - 1e-15
    assert pvalues(t).tolist() == [1, 1, 1]
    assert adjusted_pvalues(t).tolist() == [1, 1, 1]


def test_a_constant_column_takes_no_part():
    t = statistics(d=3)
    with_zero = np.column_stack([t, np.zeros(len(t))])
    assert adjusted_pvalues(with_zero).tolist() == [*adjusted_pvalues(t), 1]


def test_holm_by_hand():
    assert holm(np.array([0.04, 0.01, 0.03])) == pytest.approx([0.06, 0.03, 0.06])
    assert holm(np.array([0.5, 0.9])) == pytest.approx([1, 1])


def test_any_adjusted_p_keeps_the_level():
    """Exchangeable rows of dependent statistics: the observed one is any of them."""
    rng, found, level = np.random.default_rng(2), 0, 0.1
    for _ in range(400):
        common = rng.normal(size=(100, 1))
        found += adjusted_pvalues((common + rng.normal(size=(100, 5))) ** 2).min() <= level
    low, high = binom.interval(0.999, 400, level)
    assert low <= found <= high
