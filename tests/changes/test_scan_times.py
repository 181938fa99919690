"""`scan` of rows with times: their order, their dates, whole days, and the columns that change."""

import re
from itertools import count

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.naming import naming

from explorer import row_dependence, scan
from explorer.changes.columns import ColumnScores
from explorer.changes.days import whole_days
from explorer.checks import Refusal
from explorer.datasets.columns.dates import compact_days, parse_dates, utc_offset
from explorer.datasets.columns.times import format_days
from explorer.discrepancy.columns.scores import number_scores
from explorer.discrepancy.columns.ties import Ties
from explorer.discrepancy.resampling.permutation import permutations
from explorer.frames import in_time
from explorer.kernels import Gaussian, Linear

RNG = np.random.default_rng(0)
N, BREAK = 80, 50
X = RNG.normal(size=(N, 2))
X[BREAK:, 1] += 2
DAYS = pd.date_range("2026-04-12", periods=N)
AT = RNG.permutation(N)
PLACE = int(np.flatnonzero(AT == BREAK)[0])  # of the first row after the break, where the rows are shuffled
WHEN = str(DAYS[BREAK].date())
IN_ORDER = scan(X, n_resamples=99, rng=0)


def frame(order=None, **columns):
    table = pd.DataFrame({"load": X[:, 0], "price": X[:, 1], **columns})
    return table if order is None else table.iloc[order]


SHUFFLED = {
    "an index": frame().set_index(DAYS).iloc[AT],
    "an index of periods": frame().set_index(DAYS.to_period("D")).iloc[AT],
    "an index with a zone": frame().set_index(DAYS.tz_localize("Asia/Tokyo")).iloc[AT],
    "a column": frame(AT, day=DAYS),
    "days first": frame(AT, day=DAYS.strftime("%d/%m/%Y")),
    "months first": frame(AT, day=DAYS.strftime("%m/%d/%Y")),
    "years of two digits": frame(AT, day=DAYS.strftime("%d.%m.%y")),
    "digits alone": frame(AT, day=DAYS.strftime("%Y%m%d").astype(int)),
    "names of months": frame(AT, day=DAYS.strftime("%b %d, %Y")),
    "polars": pl.from_pandas(frame(AT, day=DAYS).reset_index(drop=True)),
    "pyarrow": pl.from_pandas(frame(AT, day=DAYS.date).reset_index(drop=True)).to_arrow(),
}


@pytest.mark.parametrize("kind", SHUFFLED)
def test_rows_are_sorted_by_their_dates(kind):
    result = scan(SHUFFLED[kind], n_resamples=99, rng=0)
    assert (result.index, result.pvalue, result.statistic) == (BREAK, IN_ORDER.pvalue, IN_ORDER.statistic)
    assert (result.row, result.when) == (PLACE, WHEN)
    np.testing.assert_array_equal(result.rows, np.argsort(AT))
    assert [column.name for column in result.changed] == ["price"]
    assert f"at row {BREAK} of {N}" in str(result)
    assert f"row {PLACE} of X), {WHEN}, p" in str(result)


def test_rows_in_order_stay_as_they_are_and_no_word_is_lost():
    result, plain = scan(frame().set_index(DAYS), n_resamples=99, rng=0), scan(frame(), n_resamples=99, rng=0)
    assert result.rows is None
    assert str(result).replace(f" (counted from 0), {WHEN},", " (counted from 0),") == str(plain)
    np.testing.assert_array_equal(result.profile, plain.profile)


def test_descending_dates_are_turned_round():
    result = scan(frame().set_index(DAYS).iloc[::-1], n_resamples=99, rng=0)
    assert (result.index, result.row, result.when) == (BREAK, N - 1 - BREAK, WHEN)


def test_rows_of_one_date_keep_their_order():
    found = in_time(frame(day=["2026-05-02"] * 40 + ["2026-05-01"] * 40), None, "X")
    assert found.rows.tolist() == [*range(40, 80), *range(40)]


def test_rows_without_a_date_are_left_out_and_counted():
    day = pd.Series(DAYS).where(np.arange(N) % 20 != 3)
    result = scan(frame(day=day), n_resamples=99, rng=0)
    assert (result.n, result.undated, result.row, result.when) == (N - 4, 4, BREAK, WHEN)
    assert re.search(naming("4 rows", "day"), str(result))


def test_one_date_or_none_orders_nothing():
    for day in ("2026-05-01", pd.NaT, None):
        assert in_time(frame(day=pd.Series([day] * N, dtype=object)), None, "X") is None
    constant = in_time(frame().set_index(pd.DatetimeIndex(["2026-05-01"] * N)), None, "X")
    assert constant is None
    for time in (np.full(N, np.nan), ["x"] * N):
        with pytest.raises(Refusal):
            scan(X, time=time)
    with pytest.raises(Refusal, match=naming("date")):
        scan(frame(day=pd.Series([pd.NaT] * N)), time="day")


def test_of_several_columns_of_dates_one_is_named():
    table = frame(AT, ordered=DAYS, sent=DAYS[::-1])
    with pytest.raises(Refusal, match=naming("'ordered'", "'sent'")):
        scan(table)
    with pytest.warns(UserWarning, match=naming("sent")):
        assert scan(table, n_resamples=99, rng=0, time="ordered").when == WHEN
    with pytest.raises(Refusal, match=naming("'paid'")):
        scan(table, time="paid")
    with pytest.raises(Refusal, match=naming("day", "month")):
        scan(frame(day=["01/02/2026", "03/04/2026"] * 40))


def test_times_may_be_given_by_themselves():
    for time in (DAYS[AT], DAYS[AT].to_numpy(), pd.Series(DAYS[AT], index=AT), list(DAYS[AT].strftime("%Y-%m-%d"))):
        result = scan(X[AT], n_resamples=99, rng=0, time=time)
        assert (result.index, result.row, result.when) == (BREAK, PLACE, WHEN)
    assert scan(X[AT], n_resamples=99, rng=0, time=AT / 2).when == "25"
    with pytest.raises(Refusal, match=naming("time", "79", "X", "80")):
        scan(X, time=DAYS[1:])
    with pytest.raises(Refusal, match=naming("time", "X")):
        scan(X, time="day")


def test_a_series_of_pandas_and_dependence_of_rows():
    series = pd.Series(np.sin(np.arange(N) / 3), index=DAYS)
    shuffled = row_dependence(series.iloc[AT], n_resamples=99, rng=0)
    assert shuffled.pvalue == row_dependence(series.to_numpy(), n_resamples=99, rng=0).pvalue == 0.01
    assert scan(pd.Series(X[:, 1], index=DAYS).iloc[AT], n_resamples=99, rng=0).row == PLACE


def test_zones_that_differ_are_put_in_one_order():
    cells = ["2026-03-29T01:30:00+01:00", "2026-03-29T03:10:00+02:00", "2026-03-29T02:50:00+01:00"]
    found = in_time(pd.DataFrame({"t": cells, "x": [0.0, 1.0, 2.0]}), None, "X")
    assert found.rows.tolist() == [0, 1, 2]  # 0:30, 1:10 and 1:50 in UTC
    assert found.written[1] == "2026-03-29 03:10"
    assert [utc_offset(cell) * 24 for cell in (cells[0], "2026-01-01 10:00 -0330", "2026-01-01")] == [1, -3.5, 0]


def test_dates_of_digits():
    assert parse_dates(["03.02.26", "28.02.69"]) == (True, {"03.02.26": 20487.0, "28.02.69": -307.0})
    halves = ["5/13/2026 12:30 AM", "5/13/2026 12:30 pm", "5/13/2026 3:00 p.m."]
    assert [round(24 * (day % 1), 9) for day in parse_dates(halves)[1].values()] == [0.5, 12.5, 15.0]
    np.testing.assert_array_equal(compact_days(np.array([20260203, np.nan, 19700102])), [20487, np.nan, 1])
    for values in ([202602031800, np.nan], [20260203180000, np.nan]):
        np.testing.assert_array_equal(compact_days(np.array(values)), [20487.75, np.nan])
    for values in ([20260230], [2026.5], [99990101], [np.nan], [202602032460], [20260203, 202602031800]):
        assert compact_days(np.array(values, float)) is None
    assert format_days(np.array([20487.5, 20488 + 1 / 86400])).tolist() == ["2026-02-03 12:00", "2026-02-04 00:00:01"]


# columns at the break


def test_columns_are_tested_at_every_order_s_own_best_split():
    """p and the adjusted p by hand, from the profile of each order."""
    kernel, table = Gaussian(1.0), X[20:60]
    result = scan(table, kernel, min_size=5, n_resamples=49, rng=3, null="permutation")
    scores = [number_scores(Ties.of(x).ranks()) for x in table.T]

    def statistics(order, split):
        first, second = order[:split], order[split:]
        weight = len(first) * len(second) / len(order)
        return [weight * np.square(s[first].mean(axis=0) - s[second].mean(axis=0)).sum() for s in scores]

    observed, null = statistics(np.arange(40), result.index), []
    for batch in permutations(40, 49, 3):
        for order in batch:
            split = scan(table[order], kernel, min_size=5, n_resamples=1, null="permutation").index
            null.append(statistics(order, split))
    expected = (1 + np.sum(np.array(null) >= np.array(observed) * (1 - 1e-9), axis=0)) / 50
    np.testing.assert_allclose([column.pvalue for column in result.changes], expected)
    assert all(column.adjusted >= column.pvalue for column in result.changes)


def test_what_changes_is_said_in_the_file_s_own_units_and_levels():
    rng = np.random.default_rng(2)
    late = np.arange(120) >= 70
    table = pd.DataFrame({
        "day": pd.date_range("2026-01-01", periods=120),
        "flow": 1000 * (rng.normal(size=120) + 3 * late), "still": rng.normal(size=120),
        "kind": np.where(rng.random(120) < np.where(late, 0.8, 0.1), "new", "old"),
    })  # fmt: skip
    result = scan(table, n_resamples=99, rng=0)
    found = {column.name: column for column in result.changed}
    assert set(found) == {"flow", "kind"}
    split = result.index
    np.testing.assert_allclose(
        found["flow"].medians, [np.median(x) for x in np.split(table["flow"].to_numpy(), [split])]
    )
    share = [np.mean(x == found["kind"].level) for x in np.split(table["kind"].to_numpy(), [split])]
    np.testing.assert_allclose(found["kind"].shares, share)
    assert found["kind"].aspect == "shares"
    table = np.column_stack([X[:, 0] * (1 + 4 * (np.arange(N) > 40)), X[::-1, 0]])
    spread = scan(table, n_resamples=99, rng=0)
    assert (spread.changed[0].name, spread.changed[0].aspect) == ("x1", "spread")
    sides = np.split(table[:, 0], [spread.index])
    np.testing.assert_allclose(spread.changed[0].widths, [np.subtract(*np.percentile(x, [75, 25])) for x in sides])


def test_the_named_level_is_the_one_whose_share_changes_most():
    kinds = np.where(np.arange(40) % 3, "common", np.where(np.arange(40) < 20, "before", "after"))
    table = pd.DataFrame({"kind": kinds, "size": np.arange(40) < 20})
    result = scan(table, n_resamples=9, rng=0)
    assert (result.index, result.changes[0].level, min(result.changes[0].shares)) == (20, "after", 0)


def test_many_columns_have_no_tests_and_means_of_stretches_are_means():
    assert scan(np.random.default_rng(0).normal(size=(30, 201)), n_resamples=9, rng=0).changes == ()
    scores = ColumnScores.of(X, ())
    two = scores.means(np.array([0, 30])).values
    np.testing.assert_allclose(
        np.diff(two, axis=0)[0], np.diff([s.mean(axis=0) for s in np.split(scores.values, [30])], axis=0)[0]
    )


# whole days


def hourly(days, seed=0, size=3.0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(24 * days, 2))
    rows[:, 0] += size * np.sin(2 * np.pi * np.arange(24 * days) / 24)
    return pd.DataFrame(rows, columns=["warm", "load"], index=pd.date_range("2026-05-01", periods=24 * days, freq="h"))


def test_a_course_of_the_day_is_no_change():
    for seed in range(3):
        result = scan(hourly(14, seed), n_resamples=99, rng=0)
        assert result.null == "days"
        assert result.days.count == 14
        assert result.pvalue > 0.05
    assert scan(hourly(14).to_numpy(), n_resamples=99, rng=0).null != "days"  # nothing tells its days


def test_whole_days_are_the_rows_of_a_scan_of_their_means():
    table = hourly(14)
    table.loc[table.index >= "2026-05-09", "load"] += 1.5
    result = scan(table, Gaussian(1.0), n_resamples=99, rng=0)
    assert (result.null, result.index, result.when) == ("days", 24 * 8, "2026-05-09 00:00")
    assert [column.name for column in result.changed] == ["load"]
    K = Gaussian(1.0)(table.to_numpy())
    G = K.reshape(14, 24, 14, 24).mean(axis=(1, 3))  # inner products of the days' means

    def unbiased(t):
        A, B, C = G[:t, :t], G[t:, t:], G[:t, t:]
        within = [(M.sum() - np.trace(M)) / (len(M) * (len(M) - 1)) for M in (A, B)]
        return sum(within) - 2 * C.mean()

    scale = [result.profile[24 * t] / (unbiased(t) * np.sqrt(t * (t - 1) * (14 - t) * (13 - t))) for t in (3, 8, 11)]
    np.testing.assert_allclose(scale, scale[0], rtol=1e-6)


def test_levels_of_days_change_nothing_of_their_course():
    """Rows count minus the mean of their day; under Linear() the level of a day goes with it."""
    table = hourly(8, size=0.3)
    table = table[(table.index.hour < 6) | (table.index.hour > 15)]
    when, rows = in_time(table, None, "X"), table.to_numpy()
    levels = np.repeat(np.random.default_rng(0).normal(size=(8, 2)), 14, axis=0)
    found, moved = (whole_days(Linear(), each, when, 0).pvalue for each in (rows, rows + 100 * levels))
    assert 0.01 < found == moved


def test_times_of_day_differ_from_a_least_difference_on(monkeypatch):
    times = [pd.Timestamp("2026-05-01") + pd.Timedelta(days=day, hours=h) for day in range(3) for h in (0, 0, 6, 6)]
    when = in_time(pd.DataFrame(np.zeros((12, 1)), index=times), None, "X")
    for least, differs in ((0.25, True), (0.26, False)):
        monkeypatch.setattr("explorer.changes.days.ALIKE", least)
        assert (whole_days(Linear(), X[:12], when, 0) is not None) == differs


def test_of_few_days_with_a_course_no_test_has_a_level():
    result = scan(hourly(5), n_resamples=99, rng=0)
    assert (result.null, result.too_few, result.pvalue) == ("days", True, 1.0)
    assert "too few days" in str(result)


def test_what_says_nothing_of_a_course_of_the_day():
    kernel, seed = Gaussian(1.0), count()

    def found(index, n=N):
        when = in_time(pd.DataFrame(np.zeros((n, 1)), index=index), None, "X")
        return whole_days(kernel, np.random.default_rng(next(seed)).normal(size=(n, 1)), when, 0)

    assert found(DAYS) is None  # no times of day
    assert found(pd.date_range("2026-05-01", periods=N, freq="min")) is None  # less than two days
    assert found(pd.date_range("2026-05-01", periods=N, freq="11h")) is None  # about two rows a day
    assert found(pd.date_range("2026-05-01", periods=8, freq="6h"), 8).starts.tolist() == [0, 4]
    there = found(pd.date_range("2026-05-01 05:00", periods=N, freq="3h"))
    assert there.starts.tolist() == list(range(0, N, 8))
    late = found(
        pd.date_range("2026-05-01 05:00", periods=N, freq="3h")[:-3].append(pd.DatetimeIndex(["2026-05-20"] * 3))
    )
    assert late.starts.tolist() == [*range(0, N, 8), N - 3]  # days without rows are none


@pytest.mark.slow
@pytest.mark.parametrize("size", [0.0, 2.0])
def test_days_keep_their_level(size):
    """Rows of 12 days with and without a course: binomial(400, 0.05) exceeds 34 once in 2,000."""
    rejected = columns = 0
    for seed in range(400):
        result = scan(hourly(12, seed, size), n_resamples=39, rng=seed)
        rejected += result.pvalue <= 0.05
        columns += any(column.adjusted <= 0.05 for column in result.changes)
    assert max(rejected, columns) <= 34
