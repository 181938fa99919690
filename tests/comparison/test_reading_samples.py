"""Inputs of a comparison: tables of any kind, their common columns, their groups."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from example_tables import six_columns
from helpers.naming import names_all, naming

from explorer import compare, read_tables
from explorer.sketches import files as large
from explorer.sketches import large_tables


def how(**more):
    return {"n_resamples": 19, "rng": 0, **more}


def test_every_kind_of_table_has_one_answer(tmp_path):
    a, b = six_columns(40, 0), six_columns(30, 1, shift=5)
    paths = []
    for name, table in (("a", a), ("b", b)):
        paths.append(tmp_path / f"{name}.csv")
        table.to_csv(paths[-1], index=False)
    first = compare(a, b, **how())
    polars = pytest.importorskip("polars")
    arrow = pytest.importorskip("pyarrow")
    tables = read_tables(paths)
    kinds = [
        (paths[0], str(paths[1])),
        tuple(path.read_bytes() for path in paths),
        tuple(polars.from_pandas(table) for table in (a, b)),
        tuple(arrow.Table.from_pandas(table) for table in (a, b)),
        (tables[0], tables[1]),
        (tables, None),
    ]
    for one, other in kinds:
        again = compare(one, other, **how())
        assert again.pvalue == first.pvalue
        assert [c.adjusted for c in again.columns] == [c.adjusted for c in first.columns]
        assert [c.shares for c in again.columns] == [c.shares for c in first.columns]
        medians = [c.medians for c in first.columns if c.medians]
        assert [c.medians for c in again.columns if c.medians] == [pytest.approx(m, rel=1e-12) for m in medians]


def test_arrays_are_columns_by_position():
    rng = np.random.default_rng(0)
    found = compare(rng.normal(size=(9, 3)), rng.normal(size=(8, 3)), **how())
    assert [c.name for c in found.columns] == ["x1", "x2", "x3"]
    assert [c.name for c in compare(rng.normal(size=9), list(rng.normal(size=8)), **how()).columns] == ["x1"]
    with pytest.raises(ValueError, match=r"\(2, 2, 2\)"):
        compare(np.zeros((2, 2, 2)), np.zeros((2, 2, 2)), **how())


def test_rows_whose_first_one_names_the_columns_are_a_table():
    rng = np.random.default_rng(0)
    frames = [pd.DataFrame({"x": rng.normal(size=40), "k": rng.choice(["a", "b"], 40)}) for _ in range(2)]
    expected = compare(*frames, **how())
    rows = [[list(frame), *frame.to_numpy().tolist()] for frame in frames]
    texts = [list(csv.reader(io.StringIO(frame.to_csv(index=False)))) for frame in frames]
    for given in (rows, texts, [np.array(each, dtype=object) for each in texts]):
        found = compare(*given, **how())
        assert [(c.name, c.adjusted) for c in found.columns] == [(c.name, c.adjusted) for c in expected.columns]
    words = [np.array([["a", "b"], ["b", "a"]] * 5) for _ in range(2)]  # which names none
    assert [c.name for c in compare(*words, **how()).columns] == ["x1", "x2"]


def test_one_column_and_columns_by_name_are_tables():
    x, y = np.random.default_rng(0).normal(size=(2, 9))
    found = compare(pd.Series(x, name="w"), {"w": y}, **how())
    assert [c.name for c in found.columns] == ["w"]
    assert found.pvalue == compare(x, y, **how()).pvalue
    with pytest.raises(ValueError, match=naming("'a'", "2", "'b'", "1")):
        compare({"a": [1.0, 2], "b": [1.0]}, {"a": [1.0, 2], "b": [1.0, 3]}, **how())


def test_of_two_truth_values_true_is_told():
    a, b = ({"ok": np.arange(20) < k} for k in (5, 15))
    assert compare(a, b, **how()).columns[0].before == "True 25 %"


def test_gaps_of_an_array_are_dropped_or_refused():
    a = np.array([[1.0, 2], [np.nan, 3], [4, 5], [6, 7]])
    assert compare(a, a, **how(missing="drop")).dropped == (1, 1)
    with pytest.raises(ValueError, match="missing"):
        compare(a, a, **how(missing="refuse"))


def test_what_only_one_table_has_is_left_out_and_said():
    a, b = six_columns(30, 0).assign(only_here=1.0), six_columns(30, 1).assign(new=2.0)
    found = compare(a, b, **how())
    assert found.left_out == {"only_here": "only in a", "new": "only in b"}
    assert len(found.columns) == 6


def test_numbers_in_one_and_words_in_the_other():
    a, b = six_columns(30, 0), six_columns(30, 1)
    b["visits"] = np.where(np.arange(30) % 2, "many", "few")
    found = compare(a, b, **how())
    assert list(found.left_out) == ["visits"]
    assert names_all(found.left_out["visits"], "numbers in a", "words in b")


def test_identifiers_are_left_out_and_said():
    a, b = (six_columns(30, k).assign(id=np.arange(30) + 1000 * k) for k in (0, 1))
    found = compare(a, b, **how())
    assert list(found.left_out) == ["id"]
    assert "id" not in [c.name for c in found.columns]


def test_a_column_of_gaps_takes_no_rows_with_it():
    """If rows with missing cells are dropped, this column would remove three quarters of them."""
    a, b = six_columns(40, 0), six_columns(40, 1)
    a["debt"] = np.where(np.arange(40) % 4, np.nan, a.debt)
    b.loc[:3, "debt"] = np.nan
    found = compare(a, b, **how(missing="drop"))
    assert found.left_out == {"debt": "missing in 75 % of a, 10 % of b"}
    assert (found.n, found.m, found.dropped) == (40, 40, (0, 0))
    named = compare(a, b, columns=["height", "debt"], **how(missing="drop"))
    assert (named.n, named.m, named.dropped) == (10, 36, (30, 4))


def test_rows_of_different_lengths_are_a_sentence():
    with pytest.raises(ValueError, match=naming("a", "lengths")):
        compare([[1.0, 2], [3]], [[1.0, 2], [3, 4]], **how())


def test_columns_may_be_named():
    found = compare(six_columns(30, 0), six_columns(30, 1), columns=["visits", "city"], **how())
    assert [c.name for c in found.columns] == ["visits", "city"]


def test_nothing_in_common_is_a_sentence():
    with pytest.raises(ValueError, match=naming("'p'", "'q'")):
        compare(pd.DataFrame({"p": [1.0, 2]}), pd.DataFrame({"q": [1.0, 2]}), **how())


def test_a_group_of_one_row_is_left_out_and_said():
    table = pd.DataFrame({"x": np.arange(5.0), "g": ["u", "v", "v", "w", "w"]})
    found = compare(table, by="g", **how())
    assert found.names == ("v", "w")
    assert found.left_out == {"g = u": "1 row"}
    assert "g = u (1 row)" in str(found)
    with pytest.raises(ValueError, match=naming("'g'", "'v'", "two")):
        compare(table[:4], by="g", **how())


def test_one_group_is_a_sentence():
    table = pd.DataFrame({"x": np.arange(5.0), "g": ["u"] * 5})
    with pytest.raises(ValueError, match=naming("'g'", "'u'", "two")):
        compare(table, by="g", **how())
    with pytest.raises(ValueError, match=naming("'h'")):
        compare(table, by="h", **how())


def test_too_many_groups_are_a_sentence():
    table = pd.DataFrame({"x": np.arange(2000.0), "g": np.arange(2000) // 2})
    with pytest.raises(ValueError, match=naming("'g'", "1,000", "400")):
        compare(table, by="g", **how())


def test_rows_without_a_group_take_no_part():
    table = pd.DataFrame({"x": np.arange(6.0), "g": ["u", "u", "v", "v", None, ""]})
    found = compare(table, by="g", **how())
    assert (found.n, found.m) == (2, 2)


def test_files_of_one_name_are_told_apart(tmp_path):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        six_columns(20, 0).to_csv(tmp_path / folder / "day.csv", index=False)
    found = compare(tmp_path / "old" / "day.csv", tmp_path / "new" / "day.csv", **how())
    assert found.names[0] != found.names[1]


def test_hostile_names_are_only_names():
    a = pd.DataFrame({"<b>&": [1.0, 2, 3], "=x": ["<i>", "p", "p"]})
    found = compare(a, a, **how())
    assert [c.name for c in found.columns] == ["<b>&", "=x"]


def test_large_files_are_compared_as_small_ones_are(tmp_path, monkeypatch):
    """Files read in chunks have the same points except for scales, which are those of random rows, here of all."""
    for name, k in (("a", 0), ("b", 1)):
        table = six_columns(300, k)
        table.loc[[3, 70], "income"] = np.nan
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    whole = compare(*files, **how(missing="drop"))
    monkeypatch.setattr(large, "MEGABYTES", 0)
    pieces = compare(*files, **how(missing="drop"))
    assert pieces.names == whole.names
    assert (pieces.n, pieces.m, pieces.dropped) == (298, 298, (2, 2))
    assert [c.pvalue for c in pieces.columns] == [c.pvalue for c in whole.columns]
    assert [c.medians for c in pieces.columns] == [c.medians and pytest.approx(c.medians) for c in whole.columns]
    assert [c.shares for c in pieces.columns] == [c.shares for c in whole.columns]
    assert pieces.rows("a") == whole.rows("a")
    assert pieces.pvalue == pytest.approx(whole.pvalue, abs=0.051)  # one of 20 splits may change its side


def test_columns_of_large_files_may_be_positions(tmp_path, monkeypatch):
    six_columns(300, 0).to_csv(tmp_path / "a.csv", index=False)
    monkeypatch.setattr(large, "MEGABYTES", 0)
    found = compare(tmp_path / "a.csv", tmp_path / "a.csv", columns=[2, "city"], **how())
    assert [c.name for c in found.columns] == ["visits", "city"]
    with pytest.raises(ValueError, match=naming("0", "5")):
        compare(tmp_path / "a.csv", tmp_path / "a.csv", columns=[9], **how())


def test_too_many_numbers_are_a_sentence(tmp_path, monkeypatch):
    six_columns(300, 0).to_csv(tmp_path / "a.csv", index=False)
    monkeypatch.setattr(large, "MEGABYTES", 0)
    monkeypatch.setattr(large_tables, "MOST", 1000)
    with pytest.raises(ValueError, match=naming("3,600", "1,000")):
        compare(tmp_path / "a.csv", tmp_path / "a.csv", **how())


def in_time(n, rng):
    """Return the six columns with days from the end of January on, a whole number and half of it to name groups."""
    days = pd.date_range("2026-01-31 12:00", periods=n, freq="8h")
    site = np.random.default_rng(rng).integers(8, 11, n)
    return six_columns(n, rng).assign(day=days.strftime("%Y-%m-%d"), site=site, half=site / 2)


@pytest.mark.thorough(default=["csv-week", "parquet-city"])
@pytest.mark.parametrize("by", ["month", "week", "city", "site", "half"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_large_files_are_split_as_small_ones_are(tmp_path, monkeypatch, by, kind):
    table = in_time(300, 0)
    table.loc[[3, 70], "income"] = np.nan
    table.loc[5, "city"] = None
    file = tmp_path / f"a.{kind}"
    table.to_csv(file, index=False) if kind == "csv" else table.to_parquet(file)
    whole = compare(file, by=by, **how())
    monkeypatch.setattr(large, "MEGABYTES", 0)
    pieces = compare(file, by=by, **how())
    assert (pieces.grouping, pieces.left_out, pieces.names) == (whole.grouping, whole.left_out, whole.names)
    for one, other in zip(pieces.batches, whole.batches, strict=True):
        assert (one.names, one.n, one.m, one.dropped) == (other.names, other.n, other.m, other.dropped)
        assert [c.pvalue for c in one.columns] == [c.pvalue for c in other.columns]


def test_a_folder_is_split_by_a_column_of_all_its_files(tmp_path):
    table = in_time(200, 0)
    for k in range(2):
        table[100 * k : 100 * (k + 1)].to_csv(tmp_path / f"{k}.csv", index=False)
    whole, parts = compare(table, by="site", **how()), compare(tmp_path, by="site", **how())
    assert [(one.names, one.m) for one in parts.batches] == [(one.names, one.m) for one in whole.batches]


def test_large_files_of_other_columns_leave_them_out(tmp_path, monkeypatch):
    a, b = six_columns(300, 0).assign(old=1.0, mixed=1.0), six_columns(300, 1).assign(new="x", mixed="y")
    a["debt"] = np.where(np.arange(300) % 4, np.nan, a.debt)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    a.to_csv(files[0], index=False)
    b.to_csv(files[1], index=False)
    whole = compare(*files, **how(missing="drop"))
    monkeypatch.setattr(large, "MEGABYTES", 0)
    pieces = compare(*files, **how(missing="drop"))
    assert pieces.left_out == whole.left_out
    assert set(whole.left_out) == {"old", "new", "mixed", "debt"}
    assert (pieces.n, pieces.m, pieces.dropped) == (300, 300, (0, 0))
    b[["new"]].to_csv(files[1], index=False)
    with pytest.raises(ValueError, match=naming("'new'")):
        compare(*files, **how())


def test_a_large_file_without_the_column_of_groups_is_a_sentence(tmp_path, monkeypatch):
    six_columns(50, 0).to_csv(tmp_path / "a.csv", index=False)
    monkeypatch.setattr(large, "MEGABYTES", 0)
    with pytest.raises(ValueError, match=naming("'g'", "'height'")):
        compare(tmp_path / "a.csv", by="g", **how())
    with pytest.raises(ValueError, match=naming("'month'", "dates")):
        compare(tmp_path / "a.csv", by="month", **how())
