"""Outlying rows, which are least like all others: their definition, their samples, and the joint verdict."""

import json

import numpy as np
import pandas as pd
import pytest
from example_tables import six_columns
from helpers.naming import names_all, one_sentence_names
from scipy.stats import binom, hypergeom

from explorer import compare
from explorer.comparison.columns import ColumnTests
from explorer.comparison.inputs import CompareOptions, samples_of
from explorer.comparison.joint import JointTest, evidence
from explorer.comparison.moments import Moments
from explorer.comparison.resamples import Resamples
from explorer.comparison.rows import ALL, OutlyingRows, outlying_row_indicators, similarity
from explorer.kernels import RationalQuadratic


def with_far_rows(n, rng, share):
    """Return the six columns with some rows far away in two columns, each at a different place."""
    table, rng = six_columns(n, rng), np.random.default_rng(rng + 1000)
    k = round(share * n)
    table.loc[: k - 1, "height"] = rng.normal(230, 10, k)
    table.loc[: k - 1, "visits"] = rng.integers(20, 30, k)
    return table


def points(a, b):
    tables = samples_of(a, b, CompareOptions(missing="drop")).tables
    return tables, np.concatenate([one.X for one in tables])


def test_the_farthest_rows_by_their_definition():
    """There are fewer rows than are drawn to be compared with, so that all of them are drawn."""
    tables, P = points(with_far_rows(90, 0, 0.05), six_columns(90, 1))
    assert len(P) < ALL
    kernel = tables.product(RationalQuadratic()).select(P)
    farthest = np.argsort(kernel(P, P).mean(axis=1), kind="stable")
    marks = outlying_row_indicators(tables, P, 0)
    assert marks.shape == (180, 1)
    assert set(np.flatnonzero(marks[:, 0])) == set(farthest[:8])


def test_how_many_rows_are_asked_about():
    for n, counts in ((79, []), (80, [8]), (160, [8, 16]), (1000, [8, 16, 32, 64])):
        tables, P = points(six_columns(n, 0), six_columns(n, 1))
        assert outlying_row_indicators(tables, P, 0).sum(axis=0).tolist() == counts


def test_which_rows_are_marked_does_not_depend_on_whose_they_are():
    """All rows are drawn, and the marks are the same whichever sample comes first."""
    tables, P = points(with_far_rows(90, 0, 0.05), six_columns(90, 1))
    order = np.random.default_rng(2).permutation(len(P))
    np.testing.assert_array_equal(
        outlying_row_indicators(tables, P[order], 0), outlying_row_indicators(tables, P, 0)[order]
    )


TIED = {
    "five points": lambda rng, n: pd.DataFrame({"x": rng.integers(1, 6, n)}),
    "yes or no": lambda rng, n: pd.DataFrame({"x": rng.random(n) < 0.5}),
    "rare": lambda rng, n: pd.DataFrame({"x": (rng.random(n) < 0.05).astype(float)}),
    "words": lambda rng, n: pd.DataFrame({"ward": rng.choice(list("ABCD"), n), "sex": rng.choice(["f", "m"], n)}),
    "capped": lambda rng, n: pd.DataFrame({"x": np.minimum(rng.exponential(size=n), 1.0)}),
    "mixed": lambda rng, n: pd.DataFrame({"q": rng.integers(1, 6, n), "x": rng.normal(size=n).round(1)}),
}
every_tied = pytest.mark.parametrize("kind", TIED)


@every_tied
def test_rows_that_tie_share_what_is_left_to_mark(kind):
    """Marks sum to k, no row that is more like the others has more, and equal rows have equal marks."""
    rng = np.random.default_rng(0)
    tables, P = points(TIED[kind](rng, 200), TIED[kind](rng, 150))
    marks = outlying_row_indicators(tables, P, 0)
    np.testing.assert_allclose(marks.sum(axis=0), [8, 16], rtol=1e-12)  # 350 rows: shares are ratios of whole numbers
    alike = similarity(tables, P, P, 0, ALL)
    order = np.argsort(alike, kind="stable")
    assert (np.diff(marks[order], axis=0) <= 0).all()
    rows = {}
    for row, mark in zip(map(tuple, P.tolist()), marks.tolist(), strict=True):
        assert rows.setdefault(row, mark) == mark


@every_tied
def test_marks_follow_the_rows_whatever_their_order(kind):
    """There are more rows than are drawn to be compared with; so it holds for every permutation of the samples."""
    rng = np.random.default_rng(1)
    tables, P = points(TIED[kind](rng, 200), TIED[kind](rng, 150))
    order = rng.permutation(len(P))
    np.testing.assert_array_equal(
        outlying_row_indicators(tables, P[order], 0), outlying_row_indicators(tables, P, 0)[order]
    )


@every_tied
def test_a_tied_table_does_not_differ_from_itself(kind):
    table = TIED[kind](np.random.default_rng(2), 240)
    found = compare(table, table.copy(), n_resamples=199, rng=0)
    assert (found.pvalue, found.far.pvalue, found.far.of_a) == (1.0, 1.0, found.far.of_b)


def hold_the_level(kind, rows, count, n_resamples, seed):
    """Return whether the joint p and that of outlying rows reject no more of these pairs than the level allows."""
    rng = np.random.default_rng(seed)
    pairs = ((TIED[kind](rng, rows), TIED[kind](rng, rows)) for _ in range(count))
    found = [compare(a, b, n_resamples=n_resamples, rng=k) for k, (a, b) in enumerate(pairs)]
    assert sum(each.differ for each in found) <= binom.ppf(0.999, count, 0.05)
    assert sum(each.far.pvalue <= 0.05 for each in found) <= binom.ppf(0.999, count, 0.05)


@every_tied
def test_tied_tables_of_one_distribution_keep_the_level(kind):
    """All 25 pairs were rejected if ties were broken by position; 6 of 25 have probability .001."""
    hold_the_level(kind, 80, 25, n_resamples=39, seed=3)


@pytest.mark.slow
@every_tied
def test_tied_tables_keep_the_level_in_two_thousand_pairs(kind):
    hold_the_level(kind, 200, 2000, n_resamples=99, seed=4)


def test_no_row_is_named_where_the_choice_is_arbitrary():
    """Three far rows precede five-point answers that tie: they are named, and none of those that tie is."""
    rng = np.random.default_rng(5)
    a = pd.DataFrame({"x": rng.integers(1, 6, 200).astype(float)})
    b = pd.DataFrame({"x": np.concatenate([[90.0, 70.0, 80.0], rng.integers(1, 6, 200)])})
    found = compare(a, b, n_resamples=19, rng=0)
    assert found.rows("b", 1) == (0,)
    assert found.rows("b", 3) == found.rows("b", 5) == (0, 2, 1)
    assert found.rows("a", 5) == ()
    assert one_sentence_names(found.to_html(), "No row")
    assert len(found.rows("a", 200)) == 200


def test_p_of_one_count_is_that_of_counting():
    """For 8 rows among 160 the null distribution of the number from b is hypergeometric."""
    tables, P = points(with_far_rows(80, 0, 0.2), six_columns(80, 1))
    marks = outlying_row_indicators(tables, P, 0)
    far = OutlyingRows.of(marks, np.square(Resamples(80, 80, 9999, 0).differences(marks)), 80)
    assert far is not None
    assert far.of_a + far.of_b == 8
    counts = np.arange(9)
    as_far = np.abs(counts - 4) >= abs(far.of_b - 4)
    exact = hypergeom.pmf(counts[as_far], 160, 80, 8).sum()
    assert far.pvalue == pytest.approx(exact, abs=3 * np.sqrt(exact / 10_000))


def test_the_joint_verdict_is_that_of_four_families():
    """The verdict is the mean over families of Σ π_k / p_k of each alone; here without the kernels of all columns."""
    tables, P = points(with_far_rows(100, 0, 0.05), six_columns(100, 1))
    resamples = Resamples(100, 100, 99, 0)
    marks = outlying_row_indicators(tables, P, 0)
    far = np.square(resamples.differences(marks))
    moments, columns = Moments.of(tables, P, resamples), ColumnTests.of(P, tables, resamples).statistics
    alone = [np.exp(evidence(family)) for family in ([far], [columns], moments)]
    np.testing.assert_allclose(np.exp(evidence([far], [columns], moments)), np.mean(alone, axis=0), rtol=1e-12)
    joint = JointTest.of(tables, P[:100], P[100:], 99, 0)
    assert joint.of_all is not None
    assert joint.far == OutlyingRows.of(marks, far, 100)


def test_few_rows_far_off_are_found_where_no_column_shows_them():
    """With 10 of 200 rows far away: detected in about half of all pairs, and in a tenth by the kernels alone."""
    found = [compare(six_columns(200, k), with_far_rows(200, k + 500, 0.05), n_resamples=199, rng=k) for k in range(20)]
    differ = sum(each.differ for each in found)
    assert differ >= binom.ppf(0.005, 20, 0.45)
    assert np.mean([each.far.of_b / (each.far.of_a + each.far.of_b) for each in found]) > 0.8
    seen = next(each for each in found if each.differ and not each.differing and each.far.pvalue <= 0.05)
    sentence = seen.far.sentence("a", "b")
    assert names_all(sentence, f"{seen.far.of_a + seen.far.of_b} rows", seen.far.of_b)
    assert one_sentence_names(str(seen), "No column")
    assert sentence in str(seen)
    assert sentence in seen.to_html()
    assert json.loads(json.dumps(seen.to_dict()))["far"]["of_b"] == seen.far.of_b


def test_few_rows_have_no_far_ones():
    found = compare(six_columns(40, 0), six_columns(50, 1), n_resamples=19, rng=0)
    assert found.far is None
    assert found.outlying_sentence == ""
