"""DataFrames are read as the Parquet files that have the same columns."""

import datetime as dt
import io
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.naming import naming

from explorer import read_table, read_tables
from explorer.datasets.read_table import parse

N = 12
RNG = np.random.default_rng(0)
KINDS = {
    "floats": pd.Series(RNG.normal(size=N)),
    "floats with gaps": pd.Series([1.5, np.nan, 2.5] * 4),
    "whole": pd.Series(range(N)),
    "nullable": pd.Series([1, None, 3] * 4, dtype="Int64"),
    "truth": pd.Series([True, False, False] * 4),
    "truth with gaps": pd.Series([True, None, False] * 4, dtype="boolean"),
    "words": pd.Series(["a", "b", "c"] * 4),
    "words with gaps": pd.Series(["a", None, "c"] * 4),
    "numbers as text": pd.Series(["1", "2.5", "30"] * 4),
    "units": pd.Series(["1 kg", "2.5 kg", "30 kg"] * 4),
    "codes": pd.Series(["007", "012", "100"] * 4),
    "categories": pd.Series(["1", "2", "3"] * 4, dtype="category"),
    "days": pd.Series(pd.date_range("2020-01-01", periods=N)),
    "moments": pd.Series(pd.date_range("2020-01-01", periods=N, freq="h", tz="Europe/Berlin")),
    "dates": pd.Series([dt.date(2020, 1, day + 1) for day in range(N)]),
    "decimals": pd.Series([Decimal("1.50"), Decimal("2.25"), None] * 4),
    "lists": pd.Series([[1], [2, 3], []] * 4),
}
TABLE = pd.DataFrame(KINDS)
LIBRARIES = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.from_arrow(pa.Table.from_pandas(frame)),
    "pyarrow": pa.Table.from_pandas,
}


def parquet(frame):
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(frame), file)
    return file.getvalue()


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_is_what_a_file_has(kind, library, lenient):
    frame = TABLE[[kind, "floats"]] if kind != "floats" else TABLE[[kind]]
    found = parse(LIBRARIES[library](frame), "t", lenient).columns[0]
    expected = parse(parquet(frame), "t", lenient).columns[0]
    assert found.name == kind
    if kind == "dates" and library == "pandas" and not lenient:
        assert list(found.cells) == list(
            expected.cells
        )  # objects to pandas, as words are: only a lenient reader looks into them
        return
    assert found.dates == expected.dates
    assert (found.numbers is None) == (expected.numbers is None)
    if found.numbers is not None:
        np.testing.assert_array_equal(found.numbers, expected.numbers)
    elif kind != "lists":  # whose cells no reader distinguishes
        assert found.counts() == expected.counts()
        assert set(found.times) == set(expected.times)


@pytest.mark.parametrize("library", LIBRARIES)
def test_tables_are_read_whole(library):
    frame = LIBRARIES[library](TABLE)
    mine, theirs = (read_tables([one], missing="drop", lenient=True) for one in (frame, parquet(TABLE)))
    assert [str(column) for column in mine.columns] == [str(column) for column in theirs.columns]
    np.testing.assert_array_equal(mine[0].X, theirs[0].X)
    table = read_table(frame, ["floats", "whole"], target="words", name="mine")
    assert table.name == "mine"
    np.testing.assert_array_equal(table.X, TABLE[["floats", "whole"]])
    assert list(table.target) == list(TABLE["words"])


def test_what_no_table_is_is_a_sentence():
    with pytest.raises(ValueError, match=naming("0 columns", "0 rows")):
        read_table(pd.DataFrame())
    with pytest.raises(ValueError, match=naming("X", "1 column", "0 rows")):
        read_tables([pd.DataFrame({"a": []})], names=["X"])
    with pytest.raises(ValueError, match=r"column 'nullable'"):
        read_table(TABLE, ["nullable"])


def test_the_hash_is_of_names_and_values():
    plain = TABLE[["floats", "whole", "words"]]
    first, *others = (read_table(frame(plain), ["floats"]).hash for frame in LIBRARIES.values())
    assert others == [first, first]
    assert read_table(plain.assign(whole=1), ["floats"]).hash != first
    assert read_table(plain.rename(columns={"whole": "n"}), ["floats"]).hash != first
