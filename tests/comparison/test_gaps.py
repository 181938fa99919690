"""Missing cells as data: each column is compared by its own cells, their number is tested, and no row is dropped."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from example_tables import six_columns

from explorer import compare
from explorer.comparison import inputs
from explorer.comparison.pairs import pair_changes
from explorer.comparison.resamples import Resamples
from explorer.datasets.columns.gaps import fill_gaps
from explorer.datasets.columns.treatment import ColumnTreatment
from explorer.discrepancy.columns.scores import number_scores
from explorer.discrepancy.columns.step_down import pvalues

B = 199


def gappy(n: int, seed: int, rate: float = 0.2, shift: float = 0.0) -> pd.DataFrame:
    """Return three numbers and a category; x and the category miss cells."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"x": rng.normal(shift, 1, n), "y": rng.normal(size=n), "z": rng.integers(0, 5, n) * 1.0})
    table["kind"] = rng.choice(["p", "q", "r"], n)
    table.loc[rng.random(n) < rate, "x"] = np.nan
    table.loc[rng.random(n) < 0.1, "kind"] = None
    return table


@pytest.fixture(scope="module")
def tables():
    """Return two tables; the second misses x more often."""
    return gappy(60, 0), gappy(50, 1, 0.5)


@pytest.fixture(scope="module")
def comparison(tables):
    """Return the comparison of the tables."""
    return compare(*tables, n_resamples=B, rng=3)


def test_no_row_is_lost_and_shares_are_those_of_the_tables(tables, comparison):
    assert (comparison.n, comparison.m, comparison.dropped) == (60, 50, (0, 0))
    assert [column.name for column in comparison.columns] == ["x", "y", "z", "kind"]
    assert list(comparison.missing) == ["x", "kind"]
    for name, (p, q, adjusted) in comparison.missing.items():
        assert (p, q) == pytest.approx([table[name].isna().mean() for table in tables])
        assert 1 / (1 + B) <= adjusted <= 1


def test_what_a_column_has_is_that_of_its_own_cells(tables, comparison):
    a, b = tables
    by_name = {column.name: column for column in comparison.columns}
    assert by_name["x"].medians == pytest.approx((a.x.median(), b.x.median()))
    assert by_name["kind"].shares["q"] == pytest.approx([(t.kind.dropna() == "q").mean() for t in tables])
    assert [len(each) for each in comparison.values("x")] == [a.x.count(), b.x.count()]
    assert by_name["y"].medians == pytest.approx((a.y.median(), b.y.median()))


def test_a_column_s_p_by_brute_force(tables, comparison):
    """For each split the mean scores are over the cells that are present, and divided by the root of 1/k + 1/l."""
    a, b = tables
    x = np.concatenate([a.x, b.x])
    given = ~np.isnan(x)
    ranks = np.full(len(x), np.nan)
    ranks[given] = (pd.Series(x[given]).rank() - 0.5) / given.sum()
    missing = (~given).astype(float)
    values, gaps = [], []
    for first in Resamples(60, 50, comparison.resamples, 3).members(slice(None)):
        k, l = (given & first).sum(), (given & ~first).sum()
        apart = number_scores(ranks[given & ~first]).mean(axis=0) - number_scores(ranks[given & first]).mean(axis=0)
        values.append(np.square(apart).sum() / (1 / k + 1 / l))
        gaps.append((missing[~first].mean() - missing[first].mean()) ** 2)
    assert comparison.columns[0].pvalue == pvalues(np.array(values)[:, None])[0]
    assert comparison.gaps[0].pvalue == pvalues(np.array(gaps)[:, None])[0]


def test_differences_of_all_rows_are_those_without_a_mask():
    values = np.random.default_rng(0).normal(size=(30, 2))
    resamples = Resamples(13, 17, 20, 0)
    assert resamples.differences(values, np.ones(30, bool)) == pytest.approx(resamples.differences(values))


def test_blocks_of_rows_have_their_gaps(monkeypatch):
    """With many rows each block sums its own cells: the observed difference is that of the means."""
    rng = np.random.default_rng(0)
    n, m = 9000, 7000
    values, given = rng.normal(size=(n + m, 1)), rng.random(n + m) < 0.7
    apart = Resamples(n, m, 9, 0, by_blocks=True).differences(values[given], given)
    means = [values[part & given].mean() for part in (np.arange(n + m) >= n, np.arange(n + m) < n)]
    assert apart[0, 0] == pytest.approx(means[0] - means[1])


def test_what_stands_in_a_gap_says_nothing_of_the_sample():
    columns = [ColumnTreatment("x", "number"), ColumnTreatment("k", "category", levels=("p", "q"))]
    a, b = np.array([[1.0, 0], [np.nan, 1], [3, 1]]), np.array([[np.nan, np.nan], [8.0, 1]])
    whole = fill_gaps(columns, [a, b], {"when": [np.array([True, False, False]), np.array([False, False])]})
    assert [(column.name, column.kind) for column in whole.columns[2:]] == [
        ("x", "missing"),
        ("k", "missing"),
        ("when", "missing"),
    ]
    assert [column.rate for column in whole.columns[2:]] == [0.4, 0.2, 0.2]
    assert whole.samples[0].tolist() == [[1, 0, 0, 0, 1], [3, 1, 1, 0, 0], [3, 1, 0, 0, 0]]
    assert whole.samples[1].tolist() == [[3, 1, 1, 1, 0], [8, 1, 0, 0, 0]]


def test_a_table_is_as_itself():
    table = gappy(40, 0)
    assert compare(table, table, n_resamples=B, rng=0).pvalue == 1
    again = compare(table, table.iloc[::-1], n_resamples=B, rng=0)
    assert again.pvalue == 1
    assert {column.adjusted for column in (*again.columns, *again.gaps)} == {1.0}


def test_neither_units_nor_the_order_of_rows_matter(tables, comparison):
    a, b = tables
    other = compare(a.assign(x=a.x * 1000 + 7), b.assign(x=b.x * 1000 + 7), n_resamples=B, rng=3)
    assert other.pvalue == comparison.pvalue
    assert [each.pvalue for each in other.columns] == [each.pvalue for each in comparison.columns]


def test_a_column_that_went_missing_is_found():
    a, b = gappy(80, 0, rate=0.0), gappy(80, 1, rate=0.3)
    differing = compare(a, b, n_resamples=B, rng=0).differing
    assert [(column.name, column.kind) for column in differing] == [("x", "missing")]


def test_an_empty_column_is_left_out_and_its_gaps_are_compared():
    a, b = gappy(40, 0), gappy(40, 1).assign(x=np.nan)
    found = compare(a, b, n_resamples=B, rng=0)
    assert list(found.left_out) == ["x"]
    assert found.missing["x"][1:] == (1.0, 1 / (1 + found.resamples))
    assert found.differ


def test_a_column_that_one_batch_lacks_is_compared_with_the_others():
    table = pd.concat([gappy(40, k).assign(g=f"g{k}") for k in range(3)], ignore_index=True)
    table.loc[table.g == "g2", "y"] = np.nan
    found = compare(table, by="g", n_resamples=B, rng=0)
    first, second = found.batches
    assert "y" in [column.name for column in first.columns]
    assert "y" in second.left_out
    assert "y" not in first.left_out
    assert second.missing["y"][:2] == (0.0, 1.0)
    assert second.pairs
    assert second.detectable


@pytest.mark.parametrize("which", ["a", "b"])
def test_rows_with_gaps_have_places_in_the_report(comparison, which):
    assert len(comparison.rows(which, 3)) <= 3
    page = comparison.to_html()
    assert "x (missing)" in page
    assert comparison.to_frame().kind.tolist() == ["number", "number", "number", "category", "missing", "missing"]


def test_pairs_are_those_of_the_rows_that_miss_neither(tables):
    a, b = (table[["x", "y", "z"]].to_numpy() for table in tables)
    some = pair_changes(a, b, [0] * 3, Resamples(60, 50, B, 5), ["x", "y", "z"])
    x, y = (each[~np.isnan(each[:, 0])] for each in (a, b))
    alone = pair_changes(x, y, [0] * 3, Resamples(len(x), len(y), B, 5), ["x", "y", "z"])
    assert [(each.before, each.after) for each in some[:2]] == [(each.before, each.after) for each in alone[:2]]
    for one, other in zip(some[:2], alone[:2], strict=True):  # the splits differ: four standard errors of B resamples
        assert one.pvalue == pytest.approx(other.pvalue, abs=4 * np.sqrt(0.5 / B))
    whole = pair_changes(a[:, 1:], b[:, 1:], [0, 0], Resamples(60, 50, B, 5), ["y", "z"])
    assert some[2].pvalue == whole[0].pvalue


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_large_file_has_the_gaps_of_a_small_one(tmp_path, monkeypatch, ending):
    """The missing cells are those of a file read in chunks, for a column that is left out as well."""
    paths = []
    for k in range(2):
        table = gappy(300, k, 0.2 + 0.2 * k).assign(
            note=[None if i % (4 - k) else f"word {i}" for i in range(300)], b=six_columns(300, k).visits
        )
        paths.append(tmp_path / f"{k}.{ending}")
        table.to_csv(paths[-1], index=False) if ending == "csv" else table.to_parquet(paths[-1])
    small = compare(*paths, n_resamples=B, rng=0)
    monkeypatch.setattr(inputs, "is_large", lambda path: True)
    large = compare(*paths, n_resamples=B, rng=0)
    assert large.missing == small.missing
    assert "note" in large.missing
    assert large.pvalue == pytest.approx(small.pvalue, abs=0.02)  # scales are computed from random rows
    assert [each.pvalue for each in large.columns] == [each.pvalue for each in small.columns]
    assert large.left_out.keys() == small.left_out.keys()
