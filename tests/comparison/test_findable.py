"""Detectable changes of a comparison, and the rows that its verdict depends on."""

import math

import numpy as np
import pandas as pd
import pytest
from example_tables import six_columns
from helpers.naming import naming

from explorer import compare
from explorer.comparison.robustness import without_influential
from explorer.discrepancy.columns.step_down import adjusted_pvalues, standardised, thresholds


def test_thresholds_by_trying():
    """A column with its threshold, as the first of all, is significant; a value a little below is not."""
    rng = np.random.default_rng(0)
    for level in (0.05, 0.2):
        t = rng.chisquare([1, 3, 6], (200, 3))
        z = standardised(t)
        most = np.sort(z[1:].max(axis=1))
        for j, least in enumerate(thresholds(t, level)):
            reached = (np.cbrt(least) - np.cbrt(t[:, j]).mean()) / np.cbrt(t[:, j]).std()
            assert (1 + np.sum(most >= reached - 1e-9)) / 200 <= level
            assert (1 + np.sum(most >= reached - 1e-9)) / 200 > level - 2 / 200


def test_too_few_resamples_find_nothing():
    t = np.random.default_rng(0).chisquare(2, (10, 2))
    assert thresholds(t, 0.05).tolist() == [math.inf, math.inf]
    assert adjusted_pvalues(t).min() >= 0.1


@pytest.fixture(scope="module")
def comparison():
    return compare(six_columns(200, 0), six_columns(180, 1, shift=6), n_resamples=199, rng=0)


def test_the_shift_that_would_be_found_is_in_the_column_s_units(comparison):
    """The shift is about that of Wilcoxon's test at level .05 / 6, for a normal column with standard deviation 10.4."""
    height = comparison.detectable[0]
    wilcoxon = 10.4 * (2.64 + 0.84) * math.sqrt((1 / 200 + 1 / 180) * math.pi / 3)
    assert height.shift == pytest.approx(wilcoxon, rel=0.2)  # the other scores of T take some power
    assert "height: a shift of" in str(height)


def test_categories_and_columns_mostly_of_one_value_have_shares(comparison):
    city, debt = comparison.detectable[3], comparison.detectable[5]
    assert (city.shift, debt.shift) == (None, None)
    assert 0.1 < debt.share < city.share < 0.3
    assert "share of 0 by" in str(debt)


def test_what_was_found_needs_fewer_rows_than_there_are(comparison):
    assert comparison.detectable[0].rows.a < 200
    assert all(each.rows.a > 200 for each in comparison.detectable[1:])


def test_a_constant_column_finds_nothing():
    a = six_columns(40, 0)[["height"]].assign(same=1.0)
    assert compare(a, a, n_resamples=99, rng=0).detectable[1].share == math.inf


def test_rows_left_out_are_those_of_the_tables():
    rng = np.random.default_rng(0)
    a, b = pd.DataFrame({"x": rng.normal(size=30)}), pd.DataFrame({"x": rng.normal(1, 1, size=40)})
    b.loc[[0, 20], "x"] = np.nan
    found = compare(a, b, missing="drop", n_resamples=99, rng=0)
    kernel, (first, second) = found.samples.tables.kernel, (one.X for one in found.samples.tables)
    gone = without_influential(first, second, kernel, 3, lambda x, y: 1.0)
    without = found.without_influential_rows(3)
    assert without.rows_a == gone.rows_a
    assert without.rows_b == tuple(int(b.x.dropna().index[i]) for i in gone.rows_b)
    assert len(without.rows_a) + len(without.rows_b) == 3
    rest = compare(a.drop(list(without.rows_a)), b.drop(list(without.rows_b)), n_resamples=99, rng=0)
    assert without.pvalue == pytest.approx(rest.pvalue, abs=0.1)  # its scales are computed from all rows


def test_what_the_verdict_withstands():
    rng = np.random.default_rng(0)
    far = compare(rng.normal(size=(60, 2)), rng.normal(3, 1, (50, 2)), n_resamples=199, rng=0)
    assert far.rows_withstood().rows >= 5
    assert far.median_of_means_test().pvalue < 0.05
    assert "median of means" in str(far.median_of_means_test())


def test_the_level_on_its_own_rows():
    small = compare(six_columns(20, 0), six_columns(20, 1, shift=20), n_resamples=99, rng=0)
    checked = small.level_check(40, 39)
    assert checked.count == 40
    assert checked.holds_level


def test_several_batches_have_no_rows_of_their_own():
    rng = np.random.default_rng(0)
    several = compare(rng.normal(size=9), [rng.normal(size=9), rng.normal(size=8)], n_resamples=19, rng=0)
    for ask in (
        several.without_influential_rows,
        several.rows_withstood,
        several.median_of_means_test,
        several.level_check,
        lambda: several.rows("a"),
    ):
        with pytest.raises(ValueError, match=naming("batches")):
            ask()
