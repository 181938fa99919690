"""An index of times is time: rows are sorted by it, and rows without a time are counted."""

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all

from explorer import Monitor, row_dependence, scan
from explorer.checks import Refusal

N = 60
RNG = np.random.default_rng(0)
ROWS = np.concatenate([RNG.normal(size=30), RNG.normal(3.0, 1.0, 30)])
ORDER = RNG.permutation(N)
DAYS = pd.date_range("2026-01-01", periods=N)
INDEXES = {
    "dates": DAYS,
    "dates of a zone": DAYS.tz_localize("Europe/Berlin"),
    "hours over the end of summer time": pd.date_range("2026-10-24 12:00", periods=N, freq="h", tz="Europe/Berlin"),
    "days": DAYS.to_period("D"),
    "months": pd.period_range("2020-01", periods=N, freq="M"),
    "lengths of time": pd.to_timedelta(np.arange(N), "h"),
}
HOW = {"n_resamples": 19, "rng": 0, "null": "permutation"}


def shuffled(index, frame=False):
    rows = pd.DataFrame({"x": ROWS}, index) if frame else pd.Series(ROWS, index, name="x")
    return rows.iloc[ORDER]


@pytest.mark.parametrize("frame", [False, True], ids=["Series", "DataFrame"])
@pytest.mark.parametrize("index", INDEXES)
def test_a_scan_sorts_rows_by_their_times(index, frame):
    found, expected = scan(shuffled(INDEXES[index], frame), **HOW), scan(ROWS, **HOW)
    assert (found.index, found.statistic) == (expected.index, expected.statistic)
    assert found.rows.tolist() == np.argsort(ORDER).tolist()
    assert found.undated == 0
    assert found.time == "the index"


@pytest.mark.parametrize(
    "index",
    [
        pd.RangeIndex(N),
        pd.Index(np.arange(N) * 1.0),
        pd.Index([f"r{i:02}" for i in range(N)]),
        pd.Index(DAYS.astype(str)),
    ],
    ids=["RangeIndex", "numbers", "words", "dates as words"],
)
def test_rows_with_another_index_keep_their_order(index):
    found, expected = scan(shuffled(index), **HOW), scan(ROWS[ORDER], **HOW)
    assert (found.index, found.statistic) == (expected.index, expected.statistic)


def test_rows_of_one_time_keep_their_order():
    twice = DAYS[:30].repeat(2)
    found, expected = scan(pd.Series(ROWS, twice), **HOW), scan(ROWS, **HOW)
    assert (found.index, found.statistic) == (expected.index, expected.statistic)


def test_rows_without_a_time_are_counted():
    there = np.arange(N) % 6 != 0
    found = scan(pd.Series(ROWS, DAYS.where(there)).iloc[ORDER], **HOW)
    expected = scan(ROWS[there], **HOW)
    assert (found.undated, found.n, found.statistic) == (10, 50, expected.statistic)
    assert "10" in str(found)


def test_the_dependence_of_rows_is_that_in_order_of_time():
    assert row_dependence(shuffled(DAYS), n_resamples=19, rng=0).statistic == pytest.approx(
        row_dependence(ROWS, n_resamples=19, rng=0).statistic
    )


@pytest.mark.parametrize("index", INDEXES)
def test_a_monitor_hears_rows_in_order_of_time(index):
    times, same = INDEXES[index], RNG.permutation(30)
    reference, batch = pd.Series(ROWS[:30], times[:30]), pd.Series(ROWS[30:], times[30:])
    found = Monitor(reference.iloc[same], rng=0).update(batch.iloc[same[::-1]])
    expected = Monitor(ROWS[:30], rng=0).update(ROWS[30:])
    assert found.path.tolist() == expected.path.tolist()
    assert names_all(str(found), "order", "index")
    assert "index" not in str(Monitor(reference, rng=0).update(batch))


def test_a_monitor_counts_rows_without_a_time():
    there = np.arange(30) % 6 != 0
    found = Monitor(pd.Series(ROWS[:30], DAYS[:30].where(there)), rng=0)
    assert (found.undated, found.size) == (5, 25)
    assert "5 rows without a time" in str(found)


def test_a_batch_that_is_refused_counts_nothing():
    monitor = Monitor(ROWS[:30], rng=0)
    batch = pd.DataFrame({"x": ROWS[:10], "y": ROWS[:10]}, DAYS[:10].where(np.arange(10) > 2))
    with pytest.raises(Refusal):
        monitor.update(batch)
    assert (monitor.undated, monitor.n) == (0, 0)
