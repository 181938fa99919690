"""Everything that holds a table is taken wherever a DataFrame is, and gives the same numbers."""

import io
import sqlite3
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from explorer import KME, Gaussian, Monitor, Sketch, compare, hsic_test, mmd_test, read_table, read_tables, scan
from explorer.checks import Refusal
from explorer.datasets.read_table import parse
from explorer.frames import frame_of, in_order, names_of, together
from explorer.operators import KernelPCA
from explorer.tables.lazy_tables import are_records, in_memory

RNG = np.random.default_rng(0)
A, B = (pd.DataFrame(RNG.normal(m, 1, (40, 2)), columns=["height", "weight"]) for m in (0, 0.5))


def arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


class Capsule:
    """A table whose only attribute is `__arrow_c_stream__`."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def relation(frame):
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    return duckdb.connect().from_arrow(arrow(frame))


FORMS = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "pyarrow": arrow,
    "batch": lambda frame: arrow(frame).to_batches()[0],
    "reader": lambda frame: arrow(frame).to_reader(max_chunksize=7),
    "capsule": lambda frame: Capsule(arrow(frame)),
    "records": lambda frame: frame.to_dict("records"),
    "columns": lambda frame: frame.to_dict("list"),
    "columns of arrays": lambda frame: {name: frame[name].to_numpy() for name in frame},
    "relation": relation,
}
USES = {
    "compare": lambda a, b: compare(a, b, n_resamples=19, rng=0).pvalue,
    "batches": lambda a, b: [one.pvalue for one in compare(a, [b, b], n_resamples=19, rng=0).batches],
    "read_table": lambda a, b: (read_table(a).names, read_table(b).X.tolist()),
    "read_tables": lambda a, b: [each.X.tolist() for each in read_tables([a, b])],
    "mmd_test": lambda a, b: mmd_test(a, b, n_resamples=19, rng=0).pvalue,
    "hsic_test": lambda a, b: hsic_test(a, b, n_resamples=19, rng=0).pvalue,
    "scan": lambda a, b: (scan(a, n_resamples=19, rng=0).pvalue, scan(b, n_resamples=19, rng=0).index),
    "kernel": lambda a, b: Gaussian(1.0)(a, b).tolist(),
    "embedding": lambda a, b: (KME(Gaussian(1.0)).embed(a).columns, KME(Gaussian(1.0)).embed(b)(A.iloc[:3]).tolist()),
    "sketch": lambda a, b: [Sketch.of(each, Gaussian(1.0), 10).sums.tolist() for each in (a, b)],
    "update": lambda a, b: Sketch(Gaussian(1.0), 10).update(a).update(b).columns,
    "learner": lambda a, b: np.abs(KernelPCA(Gaussian(1.0), 2).fit(a).transform(b)).round(9).tolist(),
    "monitor": lambda a, b: str(Monitor(a, rng=0).update(b)),
}


@pytest.mark.parametrize("form", list(FORMS)[1:])
@pytest.mark.parametrize("use", USES)
def test_what_holds_a_table_is_one(use, form):
    make = FORMS[form]
    expected = USES[use](A, B)
    if use == "learner":
        np.testing.assert_allclose(USES[use](make(A), make(B)), expected, atol=1e-7)
    else:
        assert USES[use](make(A), make(B)) == expected


@pytest.mark.parametrize("form", FORMS)
def test_columns_meet_by_name(form):
    table = FORMS[form](A)
    assert names_of(table) == ("height", "weight")
    turned = in_order(FORMS[form](A), ("weight", "height"), ("a", "b"))
    assert frame_of(turned).columns == ["weight", "height"]
    _, second = together([A, FORMS[form](A[["weight", "height"]])], ["a", "b"])
    assert frame_of(second).columns == ["height", "weight"]


def test_a_stream_is_read_once_and_forgotten_with_its_reader():
    from explorer.tables.lazy_tables import _READ

    reader = arrow(A).to_reader()
    first = in_memory(reader)
    assert in_memory(reader) is first
    assert first.num_rows == 40
    key = id(reader)
    assert key in _READ
    del reader
    assert key not in _READ


@pytest.mark.parametrize("make", [pd.Series, pl.Series])
def test_a_series_is_a_column_of_its_name(make):
    height = make(A["height"].to_numpy(), name="height") if make is pd.Series else pl.Series("height", A["height"])
    assert read_table(height).names == ("height",)
    found = compare(height, B[["height"]], n_resamples=19, rng=0)
    assert [column.name for column in found.columns] == ["height"]
    assert Sketch.of(height, Gaussian(1.0), 10).columns == ("height",)
    assert [column.name for column in read_tables([height, B[["height"]]]).columns] == ["height"]


def test_pieces_may_be_anything_that_holds_a_table():
    whole = Sketch.of(A, Gaussian(1.0), 10)
    for form in ("batch", "records", "columns", "polars", "lazy"):
        pieces = (FORMS[form](A.iloc[start : start + 10]) for start in range(0, 40, 10))
        assert Sketch.of(pieces, Gaussian(1.0), 10) == whole


def test_a_sketch_of_a_frame_is_that_of_its_file(tmp_path):
    odd = pd.DataFrame(
        {
            "amount": [Decimal("1.10"), Decimal("2.50"), Decimal("4.00")],
            "wait": pd.to_timedelta([1, 2, 4], unit="min"),
            "word": ["a", "b", "c"],
            "vector": [[1.0], [2.0], [3.0]],
        }
    )
    odd.to_parquet(tmp_path / "odd.parquet")
    expected = Sketch.of(tmp_path / "odd.parquet", Gaussian(1.0), 10)
    assert expected.columns == ("amount", "wait")
    for frame in (odd, pl.from_pandas(odd), arrow(odd), arrow(odd).to_reader()):
        assert Sketch.of(frame, Gaussian(1.0), 10) == expected


def test_records_keep_gaps_and_nested_values_are_left_out():
    table = parse([{"x": 1.0, "tags": [1]}, {"x": None, "tags": [2, 3]}, {"tags": []}], "t")
    assert table.by_name["x"].missing == 2
    assert table.by_name["tags"].opaque == "lists"
    assert are_records([{"x": 1}])
    assert not are_records([{"x": [1, 2]}, {"x": [1, 2]}])  # two tables, not two rows


class Person(NamedTuple):
    x: float
    kind: str


@dataclass
class Thing:
    x: float
    kind: str


def test_records_of_other_kinds_are_tables():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    fetched = connection.execute("select 1.0 as x, 'a' as kind union all select 2.0, 'b'").fetchall()
    connection.close()
    for records in ([Person(1.0, "a"), Person(2.0, "b")], [Thing(1.0, "a"), Thing(2.0, "b")], fetched):
        table = read_table(records)
        assert (table.names, table.left_out, table.X.tolist()) == (("x",), ("kind",), [[1.0], [2.0]])
    assert not are_records(Person(1.0, "a"))


def test_a_data_set_of_pyarrow_is_read():
    dataset = pytest.importorskip("pyarrow.dataset", reason="pyarrow has no data sets here")
    assert read_table(dataset.dataset(arrow(A))).names == ("height", "weight")


def test_a_structured_array_stays_one():
    fields = np.array([(1.0, 2.0), (3.0, 4.0)], dtype=[("u", "f8"), ("v", "f8")])
    assert in_memory(fields) is fields
    assert names_of(fields) == ("u", "v")


REFUSED = {
    "lengths": ({"x": [1, 2], "y": [1]}, "'x' has 2, 'y' has 1"),
    "one value": ({"x": 1.0}, "list of one dict for each row"),
    "none": ({}, "without columns"),
    "generator": ((piece for piece in [A]), "pandas.concat"),
    "chunks": (pd.read_csv(io.StringIO("x\n1\n2\n"), chunksize=1), "pandas.concat"),
    "number": (5, "DataFrame"),
    "nothing": (None, "DataFrame"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_table_is_a_sentence_that_helps(kind):
    given, way = REFUSED[kind]
    for use in (read_table, lambda table: compare(table, A)):
        with pytest.raises(Refusal, match=way):
            use(given)


def test_without_pyarrow_a_stream_is_a_sentence(monkeypatch):
    import sys

    reader = arrow(A).to_reader()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(Refusal, match="pip install pyarrow"):
        read_table(reader)
