"""Parquet: what each of its types becomes, and the messages if pyarrow is missing."""

import datetime
import decimal
import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer.datasets import preview_table, read_table, read_tables

RAW = b"PAR1\x15\0PAR1"


@pytest.mark.parametrize("absent", ["pyarrow", "pyarrow.parquet"])
def test_without_pyarrow_a_sentence_says_how_to_get_it(monkeypatch, absent):
    monkeypatch.setitem(sys.modules, absent, None)  # what makes `import` fail as if it were not installed
    for read in (read_table, preview_table):
        with pytest.raises(ValueError, match=naming("mine.parquet", "pip install pyarrow")):
            read(RAW, name="mine.parquet")


@pytest.mark.thorough
def test_pyarrow_is_not_loaded_for_other_files():
    code = "import sys; from explorer.datasets import read_table; read_table(b'1,2'); print('pyarrow' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.fixture(name="pa")
def _pyarrow():
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed, and only it reads Parquet")


def stored(pa, columns, **options):
    import pyarrow.parquet as pq

    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


DAY = datetime.date(2024, 5, 12)
# name -> (values, type by its name in arrow, what X holds or None for words, the first cells)
TYPES = {
    "int8": ([1, None, 3], "int8", [1, np.nan, 3], None),
    "uint64": ([1, 2, 2**64 - 1], "uint64", [1, 2, 2.0**64], ("1", "2", "18446744073709551615")),
    "half": ([np.float16(1.5), None, np.float16(2)], "float16", [1.5, np.nan, 2], None),
    "float": ([0.5, 2, None], "float32", [0.5, 2, np.nan], None),
    "decimal": (
        [decimal.Decimal("1.10"), None, decimal.Decimal("-2.33")],
        None,
        [1.1, np.nan, -2.33],
        ("1.10", "", "-2.33"),
    ),
    "digits": (
        ["1", " 2.5", "NA"],
        "string",
        [1, 2.5, np.nan],
        ("1", "2.5", "NA"),
    ),  # text is shown unchanged, as in a CSV file
    "text": (["u", None, "v"], "string", None, ("u", "", "v")),
    "long text": (["u", None, "v"], "large_string", None, ("u", "", "v")),
    "truth": ([True, None, False], "bool", None, ("True", "", "False")),
    "bytes": ([b"12", None, b"\xff"], "binary", None, ("bytes",) * 3),
    "hour": ([datetime.time(3), None, datetime.time(0, 0, 1)], "time64[us]", [10800.0, np.nan, 1.0], None),
    "span": ([10**9, None, 3 * 10**9], "duration[ns]", [1.0, np.nan, 3.0], None),  # in seconds
    "nothing": ([None] * 3, None, None, ("", "", "")),
    "list": ([[1.0], None, []], None, None, ("lists",) * 3),
    "structure": ([{"a": 1}] * 3, None, None, ("records",) * 3),
}


@pytest.mark.parametrize("row_group_size", [1, 3])
@pytest.mark.parametrize("name", TYPES)
def test_what_each_type_becomes(pa, name, row_group_size):
    values, kind, expected, first = TYPES[name]
    if kind:
        kind = {
            "timestamp[ns]": pa.timestamp("ns"),
            "time64[us]": pa.time64("us"),
            "duration[ns]": pa.duration("ns"),
        }.get(kind, pa.type_for_alias(kind))
    column = pa.array(values, kind)
    raw = stored(pa, {"key": [7, 8, 9], name: column}, row_group_size=row_group_size)
    seen = preview_table(raw).columns[1]
    assert seen.numeric == (expected is not None)
    assert first is None or seen.first == first
    if expected is None:
        assert read_table(raw).left_out == (name,)
        with pytest.raises(
            ValueError, match=f"column '{name}' (holds (text|lists|records|bytes)|has no cell that is not missing)"
        ):
            read_table(raw, columns=name)
    else:
        kept = ~np.isnan(expected)
        assert read_table(raw, missing="drop").X.tolist() == [
            [key, value] for key, value, keep in zip([7, 8, 9], expected, kept, strict=True) if keep
        ]


def test_a_dictionary_of_words_is_a_category_whatever_they_look_like(pa):
    column = pa.array(["1", "2", None, "1"])
    raw = stored(pa, {"k": [1, 2, 3, 4], "v": column.dictionary_encode()})
    for lenient in (False, True):
        assert not preview_table(raw, lenient=lenient).columns[1].numeric
    assert preview_table(stored(pa, {"k": [1, 2, 3, 4], "v": column})).columns[1].numeric


@pytest.mark.parametrize("values", [["u", "v", None, "u"], [1.5, 2.5, None, 1.5]])
def test_a_dictionary_is_what_it_holds(pa, values):
    plain = pa.array(values)
    raw, same = (stored(pa, {"k": [1, 2, 3, 4], "v": column}) for column in (plain.dictionary_encode(), plain))
    assert preview_table(raw).columns == preview_table(same).columns
    assert read_table(raw, missing="drop").X.tolist() == read_table(same, missing="drop").X.tolist()


MOMENTS = {
    "date": ([DAY, None, DAY], "date32", ("2024-05-12", "", "2024-05-12"), DAY.toordinal() - 719163),
    "moment": (
        [43_200_000_000_000, None, 3],
        "timestamp[ns]",
        ("1970-01-01 12:00:00.000000000", "", "1970-01-01 00:00:00.000000003"),
        0.5,
    ),
}


@pytest.mark.parametrize("row_group_size", [1, 3])
@pytest.mark.parametrize("name", MOMENTS)
def test_dates_are_left_out_unless_they_are_named_and_count_as_days(pa, name, row_group_size):
    values, kind, first, days = MOMENTS[name]
    column = pa.array(values, pa.timestamp("ns") if kind == "timestamp[ns]" else pa.type_for_alias(kind))
    raw = stored(pa, {"key": [7, 8, 9], name: column}, row_group_size=row_group_size)
    seen = preview_table(raw).columns[1]
    assert (seen.dates, seen.first, seen.missing) == (True, first, 1)
    assert read_table(raw).left_out == (name,)
    assert read_table(raw, columns=name, missing="drop").X[0, 0] == days


def test_what_pandas_calls_a_category_is_one(pa):
    frame = pd.DataFrame({"x": [1.5, 2.5, 3.5, 4.5], "grade": pd.Categorical([1, 2, 1, 2])})
    file = io.BytesIO()
    frame.to_parquet(file)
    columns = read_tables([file.getvalue()] * 2).columns
    assert [(column.name, column.kind, column.levels) for column in columns] == [
        ("x", "number", ()),
        ("grade", "category", ("1", "2")),
    ]


def test_a_moment_with_a_time_zone_is_shown_by_the_clock_of_its_zone(pa):
    raw = stored(pa, {"t": pa.array([0], pa.timestamp("s", tz="Europe/Berlin")), "a": [1]})
    first = preview_table(raw).columns[0].first[0]
    assert first.startswith("1970-01-01 01:00:00")
    assert first.endswith("+01:00")


def test_nested_columns_are_left_out_and_the_rest_is_read(pa):
    raw = stored(pa, {"l": [[1], [2]], "x.y": [3.0, 4.0], "m": [[(1, 2)], []], "b": [5, 6]}, row_group_size=1)
    data = read_table(raw)
    assert (data.names, data.X.tolist(), data.left_out) == (("x.y", "b"), [[3, 5], [4, 6]], ("l", "m"))
    with pytest.raises(ValueError, match=naming("'l'")):
        read_table(stored(pa, {"l": [[1], [2]]}))
    with pytest.raises(ValueError, match="nested"):
        read_table(stored(pa, {"a": [{"b": 1}], "a.b": [2.0]}))


def test_tables_without_rows_columns_or_names_of_their_own(pa):
    with pytest.raises(ValueError, match=naming("1 column", "0 rows")):
        read_table(stored(pa, {"a": pa.array([], pa.float64())}))
    with pytest.raises(ValueError, match=naming("0 columns", "0 rows")):
        read_table(stored(pa, {}))
    twins = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(ValueError, match=naming("2 columns", "'a'")):
        read_table(stored(pa, twins))
    blank = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["", "a"])
    assert read_table(stored(pa, blank)).names == ("x1", "a")
