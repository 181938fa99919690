"""Columns keep what they are: one frame in pandas, polars, pyarrow and Parquet is one Table, kind by kind."""

import datetime as dt
import io
import uuid
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.naming import naming

from explorer import compare, read_table, read_tables
from explorer.checks import Refusal
from explorer.datasets.columns.common_kinds import with_common_kinds
from explorer.datasets.columns.dates import utc_offset
from explorer.datasets.columns.unreadable_kinds import unreadable_kind, zone_name
from explorer.datasets.files import arrow_columns
from explorer.datasets.read_table import parse
from explorer.sketches import files as sketch_files

BERLIN = pd.Series(pd.to_datetime(["2020-01-01 12:00", "2020-07-01 12:00", None] * 2)).dt.tz_localize("Europe/Berlin")
TIMES = [dt.time(3), dt.time(4, 5, 6), None] * 2
MONTHS = pd.Series(pd.period_range("2020-01", periods=6, freq="M"))
ARROW = {
    "arrow's whole": ([1, None, 3], pa.int64()),
    "arrow's words": (["a", None, "b"], pa.string()),
    "arrow's lists": ([[1], [2, 3], None], pa.list_(pa.int64())),
    "arrow's categories": (["1", "2", None], pa.dictionary(pa.int32(), pa.string())),
    "arrow's decimals": ([Decimal("1.5"), None, Decimal(2)], pa.decimal128(10, 2)),
    "arrow's lengths": ([60, None, 120], pa.duration("s")),
    "arrow's hours": ([dt.time(3), None, dt.time(4)], pa.time64("us")),
    "arrow's truth": ([True, None, False], pa.bool_()),
}
# kind -> a Series, and what its column is: its numbers, or its different words, or what is not compared
KINDS = {
    "decimals": (pd.Series([Decimal("12345678901234567.89"), Decimal("0.1"), None] * 2), [12345678901234567.89, 0.1]),
    "lengths": (pd.Series(pd.to_timedelta([1, 2, None] * 2, unit="min")), [60.0, 120.0]),
    "lengths as objects": (pd.Series([dt.timedelta(1), dt.timedelta(2), None] * 2, dtype=object), [86400.0, 172800.0]),
    "moments of a zone": (BERLIN, [18262.5, 18444.5]),
    "dates": (pd.Series([dt.date(2020, 1, 1), dt.date(2020, 1, 2), None] * 2), [18262.0, 18263.0]),
    "hours": (pd.Series(TIMES), [10800.0, 14706.0]),
    "truth": (pd.Series([True, None, False] * 2, dtype="boolean"), {"True", "", "False"}),
    "truth as objects": (pd.Series([True, None, False] * 2, dtype=object), {"True", "", "False"}),
    "categories": (pd.Series(["1", "2", None] * 2, dtype="category"), {"1", "2", ""}),
    "halves": (pd.Series([1.5, 2, np.nan] * 2, dtype="float16"), [1.5, 2.0]),
    "bytes of numbers": (pd.Series([1, 2, 255] * 2, dtype="uint8"), [1.0, 2.0, 255.0]),
    "long whole": (pd.Series([1, None, 2**64 - 1] * 2, dtype="UInt64"), [1.0, 2.0**64]),
    "nullable": (pd.Series([1, None, 3] * 2, dtype="Int64"), [1.0, 3.0]),
    "lists": (pd.Series([[1], [2, 3], None] * 2), "lists"),
    "arrays": (pd.Series([np.array([1.0, 2.0]), np.array([3.0]), None] * 2), "lists"),
    "records": (pd.Series([{"a": 1}, {"a": 2}, None] * 2), "records"),
    "bytes": (pd.Series([b"12", b"\xff", None] * 2), "bytes"),
    "arrow's whole": (None, [1.0, 3.0]),
    "arrow's words": (None, {"a", "", "b"}),
    "arrow's lists": (None, "lists"),
    "arrow's categories": (None, {"1", "2", ""}),
    "arrow's decimals": (None, [1.5, 2.0]),
    "arrow's lengths": (None, [60.0, 120.0]),
    "arrow's hours": (None, [10800.0, 14400.0]),
    "arrow's truth": (None, {"True", "", "False"}),
}
ONLY_ARROW = {  # what polars does not have
    "months": (MONTHS, [18262.0, 18293.0, 18322.0, 18353.0, 18383.0, 18414.0]),
    "intervals": (pd.Series(pd.interval_range(0, 3).repeat(2)), {"(0, 1]", "(1, 2]", "(2, 3]"}),
    "identifiers": (pd.Series([uuid.UUID(int=k % 2) for k in range(6)]), {str(uuid.UUID(int=k)) for k in (0, 1)}),
}


def frame_of(kind):
    series, _ = (KINDS | ONLY_ARROW)[kind]
    if series is None:
        values, arrows = ARROW[kind]
        series = pd.Series(values * 2, dtype=pd.ArrowDtype(arrows))
    return pd.DataFrame({kind: series})


def packed(write):
    file = io.BytesIO()
    write(file)
    return file.getvalue()


WAYS = {
    "pandas": lambda frame: frame,
    "pyarrow": pa.Table.from_pandas,
    "Parquet by pyarrow": lambda frame: packed(lambda file: pq.write_table(pa.Table.from_pandas(frame), file)),
    "Parquet by pandas": lambda frame: packed(frame.to_parquet),
    "polars": lambda frame: pl.from_arrow(pa.Table.from_pandas(frame)),
    "Parquet by polars": lambda frame: packed(pl.from_arrow(pa.Table.from_pandas(frame)).write_parquet),
}
ALL = [(kind, way) for kind in KINDS for way in WAYS] + [(k, w) for k in ONLY_ARROW for w in list(WAYS)[:4]]


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(("kind", "way"), ALL)
def test_a_column_is_what_it_is_in_every_library_and_file(kind, way, lenient):
    column, expected = parse(WAYS[way](frame_of(kind)), "t", lenient).columns[0], (KINDS | ONLY_ARROW)[kind][1]
    if isinstance(expected, str):
        assert (column.opaque, column.numbers, column.missing) == (expected, None, 0)
    elif isinstance(expected, set):
        assert (column.opaque, column.numbers, set(column.times)) == ("", None, expected)
        assert column.declared == (kind in ("categories", "arrow's categories", "intervals"))
    else:
        assert column.opaque == ""
        assert list(dict.fromkeys(column.numbers[~np.isnan(column.numbers)].tolist())) == expected
        assert column.unit == ("s" if "lengths" in kind or "hours" in kind else "")
        assert column.dates == (kind in ("moments of a zone", "dates", "months"))
        assert column.zone == ("Europe/Berlin" if kind == "moments of a zone" else "")


@pytest.mark.parametrize("way", WAYS)
def test_a_moment_is_ahead_of_utc_by_its_zone(way):
    column = parse(WAYS[way](frame_of("moments of a zone")), "t").columns[0]
    assert [24 * utc_offset(cell) for cell in column.cells] == pytest.approx([1, 2, 0] * 2)


POLARS = {
    "enum": (pl.Series(["a", "b", None], dtype=pl.Enum(["b", "a"])), {"a", "b", ""}, ("b", "a")),
    "categorical": (pl.Series(["1", "2", None], dtype=pl.Categorical), {"1", "2", ""}, ()),
    "array": (pl.Series([[1, 2], [3, 4], None], dtype=pl.Array(pl.Int64, 2)), "lists", ()),
    "decimal": (pl.Series([Decimal("1.50"), Decimal("0.1"), None], dtype=pl.Decimal(20, 2)), [1.5, 0.1], ()),
    "length in ns": (pl.Series([1, 2, None], dtype=pl.Duration("ns")), [1e-9, 2e-9], ()),
    "time": (pl.Series([dt.time(3), None, dt.time(4, 5, 6, 7)]), [10800.0, 14706.000007], ()),
}


@pytest.mark.parametrize("way", ["polars", "pyarrow", "Parquet"])
@pytest.mark.parametrize("kind", POLARS)
def test_columns_of_polars_are_what_their_files_have(kind, way):
    series, expected, order = POLARS[kind]
    frame = pl.DataFrame({kind: series})
    given = {"polars": frame, "pyarrow": frame.to_arrow(), "Parquet": packed(frame.write_parquet)}[way]
    column = parse(given, "t", lenient=True).columns[0]
    assert column.order == order
    if isinstance(expected, list):
        assert column.numbers[~np.isnan(column.numbers)].tolist() == expected
    else:
        assert (column.opaque or set(column.times)) == expected


def test_long_whole_numbers_of_polars_are_numbers_and_their_file_is_a_sentence():
    frame = pl.DataFrame({"x": pl.Series([1, 2**70, None], dtype=pl.Int128)})
    np.testing.assert_array_equal(parse(frame, "t").columns[0].numbers, [1.0, 2.0**70, np.nan])
    with pytest.raises(Refusal, match="128 bits"):
        parse(packed(frame.write_parquet), "t")


def test_sparse_numbers_are_numbers_and_complex_ones_are_left_out():
    frame = pd.DataFrame({"sparse": pd.arrays.SparseArray([0.0, 0, 1.5]), "z": [1j, 2j, 3], "thing": [object()] * 3})
    table = parse(frame, "t", lenient=True)
    assert table.columns[0].numbers.tolist() == [0.0, 0.0, 1.5]
    assert [column.opaque for column in table.columns[1:]] == ["complex numbers", "objects"]


@pytest.mark.parametrize("value", [[1], (1,), {1}, np.array([1]), pd.Series([1])])
def test_what_has_items_is_a_list(value):
    assert unreadable_kind(value) == "lists"


def test_utc_has_one_name():
    assert {zone_name(name) for name in ("UTC", "Etc/UTC", "Z", "+00:00")} == {"UTC"}
    assert zone_name(None) == ""


RNG = np.random.default_rng(0)
MANY = pd.DataFrame(
    {
        "x": RNG.normal(size=60),
        "wait": pd.to_timedelta(RNG.gamma(4, 10, 60), unit="min"),
        "amount": [Decimal(f"{v:.2f}") for v in RNG.gamma(4, 10, 60)],
        "kind": pd.Categorical(RNG.choice(["1", "2", "3"], 60)),
        "flag": RNG.random(60) < 0.5,
        "hour": [
            dt.time(int(h), int(m)) for h, m in zip(RNG.integers(0, 24, 60), RNG.integers(0, 60, 60), strict=True)
        ],
        "when": pd.date_range("2020-01-01", periods=60, tz="Europe/Berlin"),
        "vector": [[float(v)] for v in RNG.normal(size=60)],
        "half": RNG.normal(size=60).astype(np.float16),
    }
)


@pytest.mark.parametrize("way", WAYS)
def test_a_frame_does_not_differ_from_itself_written(way):
    found = compare(MANY, WAYS[way](MANY), n_resamples=19, rng=0)
    assert found.pvalue == 1.0
    assert {column.name for column in found.columns} == {"x", "wait", "amount", "kind", "flag", "hour", "half"}
    assert set(found.left_out) == {"when", "vector"}


def test_pieces_of_a_file_are_of_the_kinds_of_the_whole(tmp_path, monkeypatch):
    grades = pd.Categorical(RNG.choice(["lo", "mid", "hi"], 60), categories=["lo", "mid", "hi"], ordered=True)
    more = MANY.assign(grade=grades, code=pd.Categorical(RNG.integers(1, 5, 60)))
    whole = compare(more, more, n_resamples=19, rng=0)
    more.to_parquet(tmp_path / "many.parquet")
    monkeypatch.setattr(sketch_files, "MEGABYTES", 0)
    pieces = compare(tmp_path / "many.parquet", tmp_path / "many.parquet", n_resamples=19, rng=0)
    assert (pieces.pvalue, pieces.left_out) == (whole.pvalue, whole.left_out)
    found, expected = (
        {c.name: (c.kind, c.levels, c.ordered, c.unit) for c in each.inputs.tables.columns} for each in (pieces, whole)
    )
    assert found == expected
    assert found["grade"] == ("category", ("lo", "mid", "hi"), 3, "")
    assert found["code"][0] == "category"


def test_a_long_word_that_recurs_is_kept_once():
    word = "x" * 100_000
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000), pa.array([word]))
    for categorical in (False, True):
        cells = arrow_columns.column_of(pa, "w", [column], categorical).cells
        assert len({id(cell) for cell in cells}) == 1


@pytest.mark.parametrize("pack", [lambda frame: frame, WAYS["Parquet by pyarrow"]])
def test_what_is_not_compared_is_named_with_the_reason(pack):
    a, b = (pack(pd.DataFrame({"vector": [[m], [m + 1]] * 9, "x": [1.0, 2.0, 4.0] * 6})) for m in (0, 3))
    found = compare(a, b, n_resamples=19, rng=0)
    assert "lists" in found.left_out["vector"]
    assert "vector" in found.headline
    with pytest.raises(Refusal, match="lists"):
        compare(a, b, columns=["vector"])
    with pytest.raises(Refusal, match="lists"):
        read_table(a, columns=["vector"])
    mixed = compare(pd.DataFrame({"vector": [0.5, 1.0] * 9, "x": [1.0, 2.0, 4.0] * 6}), b, n_resamples=19, rng=0)
    assert "lists in b" in mixed.left_out["vector"]


def test_moments_of_two_zones_are_not_compared_and_of_one_are():
    when = pd.date_range("2020-01-01", periods=30, tz="Europe/Berlin")
    a, same, other = (pd.DataFrame({"when": each}) for each in (when, when, when.tz_convert("UTC")))
    how = {"columns": ["when"], "n_resamples": 19, "rng": 0}
    assert compare(a, same, **how).pvalue == 1.0
    with pytest.raises(Refusal, match=naming("Europe/Berlin", "UTC")):
        compare(a, other, **how)


TRUTH = RNG.random(80) < 0.5
AS_CSV = {"words": TRUTH, "digits": TRUTH.astype(int), "counts": np.where(TRUTH, 2, 0)}


def flags(form, rows):
    return pd.DataFrame({"flag": AS_CSV[form][rows], "x": RNG.normal(size=40)})


@pytest.mark.parametrize("limit", [20, 0])  # MB from which on files are read in pieces
def test_truth_values_meet_ones_and_zeros(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(sketch_files, "MEGABYTES", limit)
    a, b = slice(None, 40), slice(40, None)
    files = {}
    for name, form, rows in (("a1", "words", a), ("a2", "digits", a), ("b1", "words", b), ("b2", "digits", b)):
        files[name] = tmp_path / f"{name}.csv"
        flags(form, rows)[["flag"]].to_csv(files[name], index=False)
    expected = compare(files["a1"], files["b1"], n_resamples=99, rng=0)
    for first, second in (("a1", "b2"), ("a2", "b1"), ("a2", "b2")):
        found = compare(files[first], files[second], n_resamples=99, rng=0)
        assert (found.pvalue, [column.name for column in found.columns]) == (expected.pvalue, ["flag"])
    flags("counts", b)[["flag"]].to_csv(files["b2"], index=False)
    with pytest.raises(Refusal, match="numbers"):
        compare(files["a1"], files["b2"])


def test_truth_values_that_miss_cells_meet_numbers_and_categories_do():
    a = pd.DataFrame({"flag": pd.Series([True, None, False, True] * 5, dtype="boolean"), "grade": list("1234") * 5})
    b = pd.DataFrame({"flag": [1.0, 0.0, np.nan, 1.0] * 5, "grade": [1, 2, 3, 4] * 5})
    a["grade"] = a["grade"].astype("category")
    first, second = with_common_kinds([parse(a, "a", lenient=True), parse(b, "b", lenient=True)])
    np.testing.assert_array_equal(first.by_name["flag"].numbers[:4], [1.0, np.nan, 0.0, 1.0])
    np.testing.assert_array_equal(first.by_name["grade"].numbers, second.by_name["grade"].numbers)
    alone = read_tables([a, a], missing="drop").columns
    assert [column.kind for column in alone] == ["category", "category"]
