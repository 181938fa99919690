"""Lengths of time: their seconds in each form, against pandas' own, and what a:b is read as."""

import math

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.datasets import read_table, read_tables
from explorer.datasets.columns.durations import ClockValues, parse_durations, seconds_in
from explorer.datasets.read_table import parse

FORMS = {  # how a number of seconds is written
    "h:m:s": lambda s: f"{s // 3600}:{s // 60 % 60:02d}:{s % 60:02d}",
    "padded": lambda s: f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}.25",
    "days": lambda s: f"{s // 86400} days {s // 3600 % 24:02d}:{s // 60 % 60:02d}:{s % 60:02d}",
    "words": lambda s: f"{s // 3600} h {s // 60 % 60} min {s % 60} s",
    "glued": lambda s: f"{s // 3600}h{s // 60 % 60}m{s % 60}s",
    "ISO 8601": lambda s: f"P{s // 86400}DT{s // 3600 % 24}H{s // 60 % 60}M{s % 60}S",
    "negative": lambda s: str(pd.Timedelta(-s, unit="s")),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_length_of_time_is_that_of_pandas(form):
    cells = [FORMS[form](int(s)) for s in np.random.default_rng(0).integers(1, 400_000, 50)]
    found = parse_durations(cells)
    assert not found.is_open
    for cell in cells:
        assert found.seconds[cell] == pytest.approx(pd.Timedelta(cell).total_seconds(), abs=1e-9)


OTHERS = {  # cells -> the seconds of the first
    ("1d 03:00", "03:00"): 97_200,
    ("03:00", "1d 03:00"): 10_800,
    ("04:13", "1:02:03"): 253,
    ("04:13", "0:00.5"): 253,
    ("3:20 h",): 12_000,
    ("3:20 min", "3:20"): 200,
    ("\u22120:05.5",): -5.5,
    ("0:00:01,5",): 1.5,
    ("1 day, 2:03:04",): 93_784,
    ("5 Std. 3 Min.",): 18_180,
    ("2 weeks", "3 d"): 1_209_600,
}


@pytest.mark.parametrize("cells", OTHERS)
def test_other_forms(cells):
    assert parse_durations(cells).seconds[cells[0]] == OTHERS[cells]


NONE = [("12:70",), ("10 am",), ("5 m", "6 s"), ("01:04", "2 h"), ("5 H", "3 D"), ("P",), ("PT",), ("3 of 5",),
        ("1:2:3:4",), ("5 min 2 h",), ("01:04", "3:20 h", "3:20 min"), ("x",), ("01:04", "<b>&")]  # fmt: skip


@pytest.mark.parametrize("cells", NONE)
def test_what_is_no_length_of_time(cells):
    assert parse_durations(cells) is None


def test_of_a_b_all_values_say_what_they_are():
    values = [60.0 * a + 5 for a in range(24)]  # 00:05 to 23:05
    clock = ClockValues.of((value, 1) for value in values)
    assert (clock, clock.unit) == (ClockValues(24, 11, 0), "min")
    assert (clock | ClockValues.of([(24 * 60.0, 1)])).unit == "s"  # no time of a day
    assert ClockValues.of([(12 * 60.0, 99), (13 * 60.0, 1)]).unit == "s"
    assert ClockValues().unit == ""


def table(cells, name="wait"):
    return "\n".join([f"{name};who", *(f"{cell};{'ab'[k % 2]}" for k, cell in enumerate(cells))]).encode()


def test_a_column_of_them_is_read_as_numbers_with_a_unit():
    cells = [f"{k // 60:02d}:{k % 60:02d}" for k in range(30, 300, 9)]
    column = parse(table([*cells, "", "-"]), "t", lenient=True).columns[0]
    np.testing.assert_array_equal(column.numbers, [*range(30, 300, 9), math.nan, math.nan])
    assert (column.unit, column.measured_in, column.cell_counts.clock.n) == ("", "s", 30)
    assert read_table(table(cells), lenient=True).quantities[0].unit == "s"
    assert parse(table(cells), "t").columns[0].numbers is None  # the strict reader treats it as a word


def joined(*tables):
    tables = read_tables([table(cells) for cells in tables], lenient=True, scale="none", names=["<b>&", "b"])
    return tables, tables.columns[0]


def test_several_tables_are_read_alike_by_all_their_values():
    short = [f"0{k % 6}:{k:02d}" for k in range(10, 60)]
    day = [f"{k % 24:02d}:{k % 60:02d}" for k in range(50)]
    long = [f"{k}:{k % 60:02d}" for k in range(50)]
    assert joined(short, short)[1].unit == "s"
    assert joined(day, day)[1].unit == "min"
    assert joined(day, long)[1].unit == "s"  # the other table's values show that these are not times of a day
    tables, column = joined(short, ["1:00:00", *short])
    assert (column.unit, tables[1].X[0, 0], tables[0].X[0, 0]) == ("s", 3600, 60 * (10 % 6) + 10)
    tables, column = joined(short, ["1d 01:00", *short])
    assert (column.factors, tables[0].X[0, 0]) == ((60.0, 1.0), 3600 * (10 % 6) + 600)


@pytest.mark.parametrize("other", [[f"00:0{k % 6}:{k:02d}" for k in range(10, 60)], list(range(50)), ["3.5 kg"] * 50])
def test_what_cannot_meet_is_refused(other):
    short = [f"0{k % 6}:{k:02d}" for k in range(10, 60)]
    with pytest.raises(Refusal, match=naming("'wait'")):
        joined(short, other)


def test_units_of_time_meet_in_seconds():
    tables, column = joined([f"{k}.5 min" for k in range(9)], [f"{k}.5 h" for k in range(9)])
    assert (column.unit, column.factors) == ("s", (60.0, 3600.0))
    assert [one.X[1, 0] for one in tables] == [90, 5400]
    assert [seconds_in(unit) for unit in ("h", "Min", "m", "S", "kg", "")] == [3600, 60, 0, 0, 0, 0]


def test_lengths_of_time_of_dataframes_and_parquet_files(tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"wait": pd.to_timedelta([90.5, None, -3600.0], unit="s"), "x": [1.0, 2.0, 3.0]})
    frame.to_parquet(tmp_path / "a.parquet")
    for source in (frame, tmp_path / "a.parquet"):
        column = parse(source).columns[0]
        np.testing.assert_array_equal(column.numbers, [90.5, math.nan, -3600])
        assert column.unit == "s"
    polars = pytest.importorskip("polars")
    assert parse(polars.from_pandas(frame)).columns[0].unit == "s"
