"""Sheets, tables and members: which of them is read, what is refused, and that no file is changed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
import struct
import time
import zipfile

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from helpers.naming import naming

from explorer import compare, read_table, read_tables
from explorer.checks import Refusal
from explorer.datasets import SeveralTables, preview_table
from explorer.datasets.files import addresses, contents, databases, limits
from explorer.datasets.read_table import parse, part_address, part_names

FRAMES = {"june": pd.DataFrame({"x": [1.0, 2.5], "k": ["a", "b"]}), "july": pd.DataFrame({"x": [3.0], "k": ["c"]})}


def workbook(path, frames=FRAMES):
    with pd.ExcelWriter(path, engine="openpyxl") as writer:
        for name, frame in frames.items():
            frame.to_excel(writer, sheet_name=name, index=False)
    return path


def sqlite(path, frames=FRAMES):
    connection = sqlite3.connect(path)
    for name, frame in frames.items():
        frame.to_sql(name, connection, index=False)
    connection.commit()
    connection.close()
    return path


def duck(path, frames=FRAMES):
    with duckdb.connect(str(path)) as connection:
        for name, frame in frames.items():
            connection.register("given", frame)
            connection.execute(f'create table "{name}" as select * from given')
    return path


def packed(path, frames=FRAMES):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, frame in frames.items():
            archive.writestr(name, frame.to_csv(index=False))
    return path


SEVERAL = {"book.xlsx": workbook, "shop.sqlite": sqlite, "shop.duckdb": duck, "both.zip": packed}


@pytest.fixture(params=SEVERAL)
def several(request, tmp_path):
    return str(SEVERAL[request.param](tmp_path / request.param))


def test_a_part_is_read_by_its_address_its_name_and_its_position(several):
    known = part_names(several)
    assert set(known) == {"june", "july"}
    for name, frame in FRAMES.items():
        found = [
            read_table(f"{several}#{name}"),
            read_table(several, sheet=name),
            read_table(several, table=known.index(name)),
            read_tables([several], sheet=name, scale="none")[0] if name == "june" else read_table(several, table=name),
        ]
        for one in found:
            np.testing.assert_array_equal(one.X[:, :1], frame[["x"]])
        assert {one.name for one in found} == {f"{os.path.basename(several)}#{name}"}
        assert preview_table(several, sheet=name).rows == len(frame)
        with open(several, "rb") as file:
            raw = file.read()
        assert read_table(raw, name="given", table=name).hash == found[0].hash
    assert part_address(several, 0) == f"{several}#{known[0]}"


def test_several_parts_are_listed(several):
    with pytest.raises(SeveralTables) as caught:
        read_table(several)
    assert set(caught.value.names) == {"june", "july"}
    assert caught.value.argument == ("sheet" if several.endswith("xlsx") else "table")
    for part in ("august", 2, -3):
        with pytest.raises(Refusal, match=r"june.*july|july.*june"):
            read_table(several, sheet=part)
    with pytest.raises(Refusal):
        read_table(several, sheet="june", table="july")
    with pytest.raises(Refusal):
        read_table(f"{several}#june", sheet="july")


def test_what_has_no_parts_refuses_one(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n")
    for source in (str(path), path.read_bytes(), FRAMES["june"]):
        with pytest.raises(Refusal, match="'june'"):
            read_table(source, sheet="june")
    with pytest.raises(Refusal, match="'june'"):
        read_table(f"{path}#june")
    for part in (True, 1.5):
        with pytest.raises(Refusal):
            addresses.part_of(part)


def test_a_file_whose_name_has_the_mark_is_that_file(tmp_path):
    (tmp_path / "a#june.csv").write_text("x\n1\n")
    workbook(tmp_path / "a")
    assert read_table(tmp_path / "a#june.csv").X.tolist() == [[1.0]]
    assert read_table(tmp_path / "a#june").X.tolist() == [[1.0], [2.5]]
    assert addresses.parse_address(tmp_path / "none#june") == addresses.Address(str(tmp_path / "none#june"))


def test_the_python_of_a_comparison_repeats_the_part(tmp_path):
    rng = np.random.default_rng(0)
    frames = {name: pd.DataFrame({"x": rng.normal(k, 1, 30)}) for k, name in enumerate(("june", "july"))}
    path = str(workbook(tmp_path / "book.xlsx", frames))
    found = compare(f"{path}#june", f"{path}#july", n_resamples=19, rng=0)
    space = {}
    exec(found.python.replace("\ncompare", "\nagain = compare"), space)
    assert space["again"].pvalue == found.pvalue
    same = compare(path, path, sheet="june", n_resamples=19, rng=0)
    assert f"{path}#june" in same.python
    assert same.pvalue == 1


def test_only_what_holds_a_table_and_is_shown_is_taken(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["a word about this file"])
    sheet = book.create_sheet("june")
    for row in (["x", "k"], [1, "a"], [2, "b"]):
        sheet.append(row)
    hidden = book.create_sheet("old")
    for row in (["x", "k"], [7, "a"]):
        hidden.append(row)
    hidden.sheet_state = "hidden"
    book.create_sheet("nothing")
    book.save(tmp_path / "a.xlsx")
    assert read_table(tmp_path / "a.xlsx").X.tolist() == [[1.0], [2.0]]
    assert read_table(tmp_path / "a.xlsx", sheet="old").X.tolist() == [[7.0]]
    del book["june"]
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(Refusal, match="'old'"):
        read_table(tmp_path / "b.xlsx")
    with pytest.raises(Refusal, match="empty"):
        read_table(tmp_path / "b.xlsx", sheet="nothing")


def test_a_sheet_is_taken_out_of_its_frame_by_a_lenient_reader_alone(tmp_path):
    book = openpyxl.Workbook()
    above = ([], [None, "Sales"], [], [None, "x", "kind"])
    for row in (*above, *([None, x, word] for x, word in zip(range(1, 7), "abcabc", strict=True)), [None, 21, "total"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    table = parse(tmp_path / "a.xlsx", lenient=True)
    assert table.by_name["x"].numbers.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert list(table.lines) == [5, 6, 7, 8, 9, 10]  # the rows of the sheet
    with pytest.raises(Refusal, match="lenient=True"):
        read_table(tmp_path / "a.xlsx")


def stamp(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest(), os.stat(path).st_mtime_ns


@pytest.mark.parametrize("make", [sqlite, duck])
def test_a_database_is_not_changed(make, tmp_path):
    path = str(make(tmp_path / "shop"))
    before, there = stamp(path), sorted(os.listdir(tmp_path))
    for _ in range(2):
        assert read_table(path, table="june").n == 2
        part_names(path)
        compare(f"{path}#june", f"{path}#june", n_resamples=19, rng=0)
    assert stamp(path) == before
    assert sorted(os.listdir(tmp_path)) == there


def test_a_database_with_a_log_is_read_with_it(tmp_path):
    path = str(tmp_path / "shop.sqlite")
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.executescript("create table june (x real); insert into june values (1), (2)")
    writer.commit()
    before = [stamp(path), stamp(f"{path}-wal")]
    assert read_table(path).X.tolist() == [[1.0], [2.0]]  # rows that stand in the log alone
    assert [stamp(path), stamp(f"{path}-wal")] == before
    writer.close()
    before, there = stamp(path), os.listdir(tmp_path)
    assert read_table(path).n == 2
    with open(path, "rb") as file:
        assert read_table(file.read()).n == 2
    assert stamp(path) == before
    assert os.listdir(tmp_path) == there  # no log of our own


def test_a_database_behind_a_link_and_an_odd_name_is_read(tmp_path):
    (tmp_path / "a folder").mkdir()
    path = sqlite(tmp_path / "a folder" / "50% #1?.sqlite", {"june": FRAMES["june"]})
    assert read_table(path).n == 2
    (tmp_path / "link.sqlite").symlink_to(path)
    writer = sqlite3.connect(path)
    writer.execute("pragma journal_mode = wal")
    writer.execute("insert into june values (9, 'z')")
    writer.commit()
    assert read_table(tmp_path / "link.sqlite").n == 3
    writer.close()


def test_a_database_that_is_being_written_to_is_read_as_it_was(tmp_path):
    path = str(sqlite(tmp_path / "shop.sqlite", {"june": FRAMES["june"]}))
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("begin immediate")
    writer.execute("insert into june values (9, 'z')")
    assert read_table(path).n == 2
    writer.execute("rollback")
    writer.close()


def test_views_of_strangers_read_no_file_and_end(tmp_path, monkeypatch):
    path = str(tmp_path / "evil.duckdb")
    (tmp_path / "secret.csv").write_text("x\n1\n")
    with duckdb.connect(path) as connection:
        connection.execute(f"create view june as select * from read_csv('{tmp_path / 'secret.csv'}')")
    with pytest.raises(Refusal, match="view"):
        read_table(path)
    monkeypatch.setattr(databases, "SECONDS", 0.05)
    path = str(tmp_path / "evil.sqlite")
    connection = sqlite3.connect(path)
    connection.execute(
        "create view june as with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) x from n"
    )
    connection.close()
    with pytest.raises(Refusal, match="view"):
        read_table(path)


def test_a_table_above_the_limits_is_refused(several, monkeypatch):
    monkeypatch.setattr(limits, "ROWS", 1)
    with pytest.raises(Refusal, match="rows"):
        read_table(several, sheet="june")
    monkeypatch.undo()
    monkeypatch.setattr(limits, "COLUMNS", 1)
    with pytest.raises(Refusal, match="columns"):
        read_table(several, sheet="june")


def test_a_sheet_with_a_cell_far_from_the_others_is_refused(tmp_path):
    book = openpyxl.Workbook()
    book.active["A1"], book.active["AAA1048576"] = 1, 2  # some 24 GB as a rectangle
    book.save(tmp_path / "far.xlsx")
    with pytest.raises(Refusal, match=r"memory|cells"):
        read_table(tmp_path / "far.xlsx")


def archive(members, **how):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", **how) as packing:
        for name, content in members.items():
            packing.writestr(name, content)
    return made.getvalue()


def test_an_archive_is_measured_before_it_is_unpacked(monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    bomb = archive({"a.csv": b"x\n" + b"1\n" * 600_000}, compression=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 10_000
    with pytest.raises(Refusal, match="unpacked"):
        read_table(bomb)
    place = bomb.index(b"PK\x01\x02") + 24  # its directory says that it is small
    lying = bomb[:place] + struct.pack("<I", 10) + bomb[place + 4 :]
    with pytest.raises(Refusal):
        read_table(lying)
    with pytest.raises(Refusal, match="deflate"):
        read_table(archive({"a.csv": "x\n1\n"}, compression=zipfile.ZIP_BZIP2))
    with pytest.raises(Refusal, match="archive"):
        read_table(archive({"a.zip": archive({"a.csv": "x\n1\n"})}))


def test_packed_batches_of_arrow_are_measured_before_they_are_unpacked(monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    made = io.BytesIO()
    table = pa.table({"x": np.zeros(1_000_000)})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(made, table.schema, options=options) as writer:
        writer.write_table(table)
    assert len(made.getvalue()) < 100_000
    with pytest.raises(Refusal, match="unpacked"):
        read_table(made.getvalue())


DAMAGED = {
    "workbook": lambda: archive({"[Content_Types].xml": "x", "xl/workbook.xml": "<x"}),
    "old workbook": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
    "SQLite": lambda: b"SQLite format 3\0" + b"\1" * 600,
    "DuckDB": lambda: b"\0" * 8 + b"DUCK" + b"\0" * 600,
    "Arrow": lambda: b"ARROW1\0\0" + b"\1" * 600,
    "Stata": lambda: b"<stata_dta><header>" + b"\0" * 600,
    "SPSS": lambda: b"$FL2" + b"\0" * 600,
    "SAS": lambda: bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(900),
    "a document": lambda: archive({"[Content_Types].xml": "x", "word/document.xml": "x"}),
    "an empty archive": lambda: archive({"folder/": ""}),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_what_is_damaged_is_a_sentence(kind):
    with pytest.raises(Refusal):
        read_table(DAMAGED[kind](), name="given")


JSON = {
    '[{"a": 1, "b": {"c": 2.50}}, {"b": {"c": 12345678901234567890}}]': {"a": ["1", ""],
                                                                        "b.c": ["2.50", "12345678901234567890"]},
    '{"a": {"0": 1, "1": 2}, "b": {"0": "x", "1": null}}': {"a": ["1", "2"], "b": ["x", ""]},
    '{"columns": ["a", "b"], "index": [0], "data": [[1, true]]}': {"a": ["1"], "b": ["True"]},
    '{"first": {"a": 1}, "second": {"a": 2}}': {"a": ["1", "2"]},
    '{"a": 1}\n\n{"b": -0.5e3}\n': {"a": ["1", ""], "b": ["", "-0.5e3"]},
    '{"b": 1}\n{"a": 0, "b": 1}': {"a": ["", "0"], "b": ["1", "1"]},
    "[[1, 2], [3, 4]]": {"x1": ["1", "3"], "x2": ["2", "4"]},
    '{"count": 2, "rows": [{"a": NaN}, {"a": 5}]}': {"a": ["NaN", "5"]},
    '\ufeff[{"a": "Łódź "}]': {"a": ["Łódź"]},
}  # fmt: skip


@pytest.mark.parametrize("text", JSON)
def test_json_is_columns_of_cells(text):
    found = parse(text.encode(), "given", lenient=True)
    assert {column.name: list(column.cells) for column in found.columns} == JSON[text]


REFUSED = {
    '{"a": 1}\n{"a": 2}\n{"a": ': "line 3",
    '[{"a": 1},\n {"a" 2}]': "line 2",
    '[{"a": 1, "a": 2}]': naming("'a'"),
    '{"a": 1}\n[1]': "line 2",
    '{"a": [1, 2], "b": [1]}': naming("'a'", "2", "'b'", "1"),
    "[1, 2, 3]": "objects",
    '[{"a": {"b": 1}, "a.b": 2}]': "'a.b'",
    "[[1, 2], [3]]": naming("1", "2"),
    '{"a": [{"x": 1}], "b": [{"x": 1}]}': naming("2 arrays", "'a'", "'b'"),
    "[]": "row",
    '[{"a": 1}': "line 1",
}


@pytest.mark.parametrize("text", REFUSED)
def test_json_that_is_no_table_is_a_sentence(text):
    with pytest.raises(Refusal, match=REFUSED[text]):
        read_table(text.encode(), name="given")


def test_text_that_begins_as_json_does_is_text():
    assert read_table(b"[a],[b]\n1,2\n").names == ("[a]", "[b]")
    assert read_table(b"{a};x\n1;2\n").names == ("{a}", "x")


def test_lists_and_bytes_are_left_out_with_a_word(tmp_path):
    rows = [{"x": i, "tags": ["a"]} for i in range(20)]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(rows))
    connection = sqlite3.connect(tmp_path / "a.sqlite")
    connection.execute("create table june (x, tags)")
    connection.executemany("insert into june values (?, ?)", [(i, b"\0") for i in range(20)])
    connection.commit()
    connection.close()
    for source, what in ((path, "lists"), (tmp_path / "a.sqlite", "bytes")):
        found = compare(source, source, n_resamples=19, rng=0)
        assert [column.name for column in found.columns] == ["x"]
        assert what in found.left_out["tags"]
        assert read_table(source).left_out == ("tags",)


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    made = {"duckdb": duck(tmp_path / "a.duckdb", {"june": FRAMES["june"]})}
    FRAMES["june"].to_feather(tmp_path / "a.feather")
    made["pyarrow"] = tmp_path / "a.feather"
    (tmp_path / "a.sav").write_bytes(b"$FL2" + b"\0" * 600)
    made["pyreadstat"] = tmp_path / "a.sav"
    for module, path in made.items():
        with monkeypatch.context() as patch:
            patch.setitem(__import__("sys").modules, module, None)
            with pytest.raises(Refusal, match=f"pip install {module}"):
                read_table(path)


def test_lengths_of_time_of_statistics_files_do_not_begin_again_after_a_day(tmp_path):
    frame = pd.DataFrame({"wait": [90_000.0, 100.5], "score": [1.0, 9.0]})
    pyreadstat.write_sav(
        frame, str(tmp_path / "a.sav"), variable_format={"wait": "DTIME10"}, missing_ranges={"score": [9]}
    )
    table = parse(tmp_path / "a.sav", lenient=True)
    assert table.by_name["wait"].numbers.tolist() == [90_000.0, 100.5]
    assert table.by_name["wait"].unit == "s"
    assert table.by_name["score"].missing == 1  # which the file declares


def test_labels_of_stata_are_words(tmp_path):
    frame = pd.DataFrame({"sex": [1, 2, 1], "since": pd.to_datetime(["2026-01-02", None, "2026-03-04"])})
    frame.to_stata(tmp_path / "a.dta", write_index=False, value_labels={"sex": {1: "m", 2: "f"}})
    table = parse(tmp_path / "a.dta", lenient=True)
    assert list(table.by_name["sex"].cells) == ["m", "f", "m"]
    assert table.by_name["since"].dates
    assert table.by_name["since"].missing == 1


def test_time_stamps_of_duckdb_do_not_depend_on_the_machine(tmp_path, monkeypatch):
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute("create table t as select timestamptz '2026-01-02 20:00:00+00' moment, 1 x")
    days = []
    for zone in ("Asia/Tokyo", "UTC"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        days.append(parse(tmp_path / "a.duckdb", lenient=True).by_name["moment"].numbers[0])
    monkeypatch.undo()
    time.tzset()
    assert days[0] == days[1] == 20455 + 20 / 24


@pytest.mark.parametrize(
    "raw", [b"<html><table><tr><td>1</td></tr></table></html>", b'<?xml version="1.0"?><Workbook/>']
)
def test_markup_that_goes_by_the_name_of_a_workbook_is_a_sentence(raw):
    with pytest.raises(Refusal, match=r"HTML|XML"):
        read_table(raw, name="a.xls")
