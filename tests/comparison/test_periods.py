"""Groups by time: `by="month"` of a table with one column of dates."""

import numpy as np
import pandas
import pytest
from helpers.naming import naming, one_sentence_names

from explorer import compare
from explorer.comparison.periods import PERIODS, periods
from explorer.datasets.columns.table import Column
from explorer.datasets.read_table import parse

HOW = {"n_resamples": 19, "rng": 0}


def dated(n=120, days=120, start="2025-11-20"):
    rng = np.random.default_rng(0)
    day = pandas.Timestamp(start) + pandas.to_timedelta(np.sort(rng.integers(0, days, n)), unit="D")
    return pandas.DataFrame({"day": day.strftime("%Y-%m-%d"), "x": rng.normal(size=n)})


@pytest.mark.parametrize(
    ("period", "frequency"), [("year", "Y"), ("quarter", "Q"), ("month", "M"), ("week", "W"), ("day", "D")]
)
def test_periods_are_those_of_pandas(period, frequency):
    table = dated(400, 900)
    column = parse(table, "t", lenient=True).by_name["day"]
    ours = pandas.Series(periods(column, period))
    theirs = pandas.to_datetime(table["day"]).dt.to_period(frequency).astype(str)
    assert (ours.groupby(theirs).nunique() == 1).all()  # one name for each of theirs, and another one
    assert ours.nunique() == theirs.nunique()
    assert ours.is_monotonic_increasing  # alphabetical order is the order of time


def test_an_empty_cell_has_no_period():
    column = Column("day", ("", "2026-01-31"), np.array([np.nan, 20484.75]), dates=True)
    assert periods(column, "day").tolist() == ["", "2026-01-31"]
    assert periods(column, "week").tolist() == ["", "2026-W05"]
    assert periods(column, "quarter").tolist() == ["", "2026-Q1"]


def test_months_are_compared_with_the_first_and_said():
    comparison = compare(dated(), by="month", **HOW)
    assert comparison.names[0] == "2025-11"
    assert [batch.names[1] for batch in comparison.batches] == ["2025-12", "2026-01", "2026-02", "2026-03"]
    assert comparison.grouping == comparison.to_dict()["grouping"] == "month of 'day'"
    assert "Groups: month of 'day'." in str(comparison)
    assert "Groups: month of &#39;day&#39;." in comparison.to_html()
    assert comparison.left_out == {"day": "dates"}
    assert comparison.n + comparison.m == 120


def test_a_column_of_that_name_wins():
    table = dated().assign(month=["late", "early"] * 60)
    comparison = compare(table, by="month", **HOW)
    assert comparison.names == ("early", "late")
    assert comparison.grouping == ""


def test_groups_lose_the_rows_that_they_lack():
    table = dated().assign(g=["one"] * 60 + ["two"] * 60)
    table.loc[[3, 70, 71], "x"] = np.nan
    comparison = compare(table, by="g", missing="drop", **HOW)
    assert comparison.dropped == (1, 2)
    assert (comparison.n, comparison.m) == (59, 58)


def test_what_has_no_period_is_a_sentence():
    plain = dated().drop(columns="day")
    with pytest.raises(ValueError, match=naming("'month'", "dates")):
        compare(plain, by="month", **HOW)
    with pytest.raises(ValueError, match=naming("'month'", "'day'", "'other'")):
        compare(dated().assign(other=dated()["day"]), by="month", **HOW)
    with pytest.raises(ValueError, match=naming("'day'", "2026-03-01")):
        compare(plain.assign(day=["01/02/2026", "03/04/2026"] * 60), by="month", **HOW)
    with pytest.raises(ValueError, match=naming("'decade'")):
        compare(dated(), by="decade", **HOW)
    assert "decade" not in PERIODS


@pytest.mark.parametrize("form", ["%d.%m.%y", "%Y%m%d", "%d-%b-%Y", "%b %d, %Y", "%m/%d/%Y"])
def test_months_of_dates_however_they_are_written(form):
    table = dated()
    day = pandas.to_datetime(table["day"]).dt.strftime(form)
    comparison = compare(table.assign(day=day.astype(int) if form == "%Y%m%d" else day), by="month", **HOW)
    assert [batch.names[1] for batch in comparison.batches] == ["2025-12", "2026-01", "2026-02", "2026-03"]
    assert comparison.left_out == {"day": "dates"}


def autoregression(n, rho):
    noise = np.random.default_rng(0).normal(size=n)
    rows = np.zeros(n)
    for i in range(1, n):
        rows[i] = rho * rows[i - 1] + noise[i]
    return rows


def test_successive_rows_that_depend_on_each_other_are_said():
    table = dated(300).assign(x=autoregression(300, 0.8))
    shuffled = table.sample(frac=1, random_state=1)
    for rows in (table, shuffled):  # the order is that of the dates, and rows of one day are in any order
        comparison = compare(rows, by="month", **HOW)
        assert comparison.successive.is_dependent
        assert comparison.dependence in str(comparison)
        assert one_sentence_names(comparison.to_html(), "Successive rows", "depend")
        assert comparison.to_dict()["successive"] == {"pvalue": comparison.successive.pvalue}
    two = compare(table[table["day"] < "2026-01"], by="month", **HOW)
    assert not two.batches
    assert two.successive is not None


def test_rows_whose_batches_differ_but_are_independent_within_them_are_no_memory():
    table = dated(600).assign(x=np.random.default_rng(1).normal(size=600))
    month = pandas.to_datetime(table["day"]).dt.month.to_numpy()
    comparison = compare(table.assign(x=table["x"] + 3 * (month % 2)), by="month", **HOW)
    assert min(column.pvalue for column in comparison.columns) == 1 / (1 + comparison.resamples)
    assert not comparison.successive.is_dependent
    assert "depend" not in str(comparison)
    # these are not batches in time
    assert compare(dated().assign(g=["one", "two"] * 60), by="g", **HOW).successive is None
