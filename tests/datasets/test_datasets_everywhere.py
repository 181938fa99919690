"""One mixed table in every format: the same columns, and the same verdict, as from its CSV file."""

from __future__ import annotations

import datetime as dt
import io
import json
import sqlite3
import zipfile

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from explorer import compare
from explorer.datasets.read_table import parse


def table(seed, n=60):
    """Return numbers, whole numbers, words, codes, dates, truth values and lengths of time, with gaps."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(seed, 1, n), 3)
    x[::7] = np.nan
    words = rng.choice(["north", "south", "Łódź"], n).astype(object)
    words[::9] = None
    days = pd.Timestamp("2026-01-05") + pd.to_timedelta(rng.integers(0, 90, n), unit="D")
    return pd.DataFrame(
        {
            "x": x,
            "visits": rng.poisson(3 + seed, n) + 1,
            "region": words,
            "code": rng.choice(["0012", "0345", "2000"], n).astype(object),
            "since": days.to_series(index=range(n)).where(np.arange(n) % 11 > 0),
            "member": rng.random(n) < 0.5,
            "wait": pd.to_timedelta(60 * rng.integers(5, 90, n) + rng.integers(0, 60, n), unit="s").to_series(
                index=range(n)
            ).where(np.arange(n) % 13 > 0),
        }
    )  # fmt: skip


def clock(length):
    """Return a length of time as people write it; None if it is missing."""
    if pd.isna(length):
        return None
    minutes, seconds = divmod(int(length.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def in_words(frame):
    """Return the table with dates and lengths of time as text, as in files that know neither."""
    since = frame["since"].dt.strftime("%Y-%m-%d").astype(object)
    return frame.assign(wait=frame["wait"].map(clock), since=since.where(frame["since"].notna(), None))


def as_csv(frame, path):
    in_words(frame).to_csv(path, index=False)


def rows(frame):
    """Return the column names, then the rows as Python values, with None for a missing value."""
    yield list(frame.columns)
    for row in frame.itertuples(index=False):
        yield [
            None
            if value is pd.NaT or (not isinstance(value, str) and pd.isna(value))
            else value.date()
            if isinstance(value, pd.Timestamp)
            else value.to_pytimedelta()
            if isinstance(value, pd.Timedelta)
            else value.item()
            if isinstance(value, np.generic)
            else value
            for value in row
        ]


def as_xlsx(frame, path):
    book = openpyxl.Workbook()
    for row in rows(frame):
        book.active.append(row)
    book.save(path)


def as_framed_xlsx(frame, path):
    """Return a workbook with a title, blank rows and columns, a note, a hidden sheet, and words for numbers."""
    book = openpyxl.Workbook()
    book.active.title = "notes"
    book.active.append(["Exported from the register"])
    hidden = book.create_sheet("lists")
    for row in [["a", "b"], [1, 2], [3, 4]]:
        hidden.append(row)
    hidden.sheet_state = "hidden"
    sheet = book.create_sheet("june 2026")
    sheet["B2"] = "Visits in June"
    sheet.merge_cells("B2:H2")
    for i, row in enumerate(rows(frame)):
        for j, value in enumerate(row):
            words = i and j == 1 and i % 5 == 0  # a number typed as text
            sheet.cell(4 + i, 2 + j, str(value) if words else value)
            if value is None and j == 0:
                sheet.cell(4 + i, 2 + j, "#DIV/0!")
    book.save(path)


def as_ods(frame, path):
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    def cell(value):
        if value is None:
            return TableCell()
        if isinstance(value, bool):
            return TableCell(valuetype="boolean", booleanvalue=str(value).lower())
        if isinstance(value, (int, float)):
            return TableCell(valuetype="float", value=value)
        if isinstance(value, dt.date):
            return TableCell(valuetype="date", datevalue=value.isoformat())
        if isinstance(value, dt.timedelta):
            minutes, seconds = divmod(int(value.total_seconds()), 60)
            return TableCell(valuetype="time", timevalue=f"PT{minutes // 60:02d}H{minutes % 60:02d}M{seconds:02d}S")
        made = TableCell(valuetype="string")
        made.addElement(P(text=value))
        return made

    document = OpenDocumentSpreadsheet()
    sheet = Table(name="june")
    for row in rows(frame):
        line = TableRow()
        for value in row:
            line.addElement(cell(value))
        sheet.addElement(line)
    document.spreadsheet.addElement(sheet)
    document.save(str(path))


def as_xls(frame, path):
    xlwt = pytest.importorskip("xlwt")
    book = xlwt.Workbook()
    sheet = book.add_sheet("june")
    day, length = xlwt.easyxf(num_format_str="yyyy-mm-dd"), xlwt.easyxf(num_format_str="[h]:mm:ss")
    for i, row in enumerate(rows(frame)):
        for j, value in enumerate(row):
            if isinstance(value, dt.timedelta):
                sheet.write(i, j, value.total_seconds() / 86400, length)
            elif isinstance(value, dt.date):
                sheet.write(i, j, value, day)
            elif value is not None:
                sheet.write(i, j, value)
    book.save(str(path))


def objects(frame):
    names, *values = rows(in_words(frame))
    return [dict(zip(names, row, strict=True)) for row in values]


def as_lines(frame, path):
    given = ({name: value for name, value in row.items() if value is not None} for row in objects(frame))
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in given), encoding="utf-8")


def as_array(frame, path):
    path.write_text(json.dumps(objects(frame), indent=1), encoding="utf-8")


def as_nested(frame, path):
    """Return objects in objects: the names of their columns are joined by a point."""
    path.write_text(json.dumps({"rows": objects(frame), "count": len(frame)}), encoding="utf-8")


def as_utf16(frame, path):
    path.write_text(json.dumps(objects(frame), ensure_ascii=False), encoding="utf-16")


def as_columns(frame, path):
    path.write_text(json.dumps({name: [row[name] for row in objects(frame)] for name in frame}), encoding="utf-8")


def by_pandas(orient):
    return lambda frame, path: in_words(frame).to_json(path, orient=orient, double_precision=15)


def as_stream(frame, path):
    made = pa.Table.from_pandas(frame, preserve_index=False)
    with pa.ipc.new_stream(str(path), made.schema) as writer:
        writer.write_table(made, max_chunksize=25)


def labelled(frame):
    """Return the table for programs without truth values and lengths of time: it has labels and text."""
    return frame.assign(wait=frame["wait"].map(clock).fillna(""), region=frame["region"].fillna(""))


def as_stata(frame, path):
    member = pd.Categorical(frame["member"].map({True: "True", False: "False"}))
    labelled(frame).assign(member=member).to_stata(path, write_index=False, version=118)


def as_spss(frame, path):
    made = labelled(frame).assign(member=frame["member"].astype(int), since=frame["since"])
    pyreadstat.write_sav(
        made, str(path), variable_value_labels={"member": {0: "False", 1: "True"}}, compress=path.suffix == ".zsav"
    )


def as_sas(frame, path):
    made = labelled(frame).assign(member=frame["member"].map(str), region=frame["region"].replace("Łódź", "Lodz"))
    pyreadstat.write_xport(made.assign(region=made["region"].fillna("")), str(path), file_format_version=8)


def as_sqlite(frame, path):
    kinds = "x real, visits integer, region text, code text, since date, member boolean, wait text"
    _, *values = rows(in_words(frame))
    connection = sqlite3.connect(path)
    connection.execute(f"create table june ({kinds})")
    connection.executemany("insert into june values (?, ?, ?, ?, ?, ?, ?)", values)
    connection.commit()
    connection.close()


def as_duckdb(frame, path):
    connection = duckdb.connect(str(path))
    connection.register("given", frame)
    connection.execute("create table june as select * replace (since::date as since) from given")
    connection.close()


def in_zip(write, name):
    def pack(frame, path):
        inner = path.parent / name
        write(frame, inner)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("README.txt", "what the columns are")
            archive.write(inner, f"data/{name}")
        inner.unlink()

    return pack


WRITERS = {
    "xlsx": (".xlsx", as_xlsx),
    "framed xlsx": (".xlsx", as_framed_xlsx),
    "ods": (".ods", as_ods),
    "xls": (".xls", as_xls),
    "JSON lines": (".jsonl", as_lines),
    "JSON array": (".json", as_array),
    "JSON in an object": (".json", as_nested),
    "JSON in UTF-16": (".json", as_utf16),
    "JSON columns": (".json", as_columns),
    "pandas columns": (".json", by_pandas("columns")),
    "pandas split": (".json", by_pandas("split")),
    "pandas records": (".json", by_pandas("records")),
    "Parquet": (".parquet", lambda frame, path: frame.to_parquet(path)),
    "Feather": (".feather", lambda frame, path: frame.to_feather(path)),
    "Feather zstd": (".feather", lambda frame, path: frame.to_feather(path, compression="zstd")),
    "Arrow stream": (".arrows", as_stream),
    "Stata": (".dta", as_stata),
    "SPSS": (".sav", as_spss),
    "packed SPSS": (".zsav", as_spss),
    "SAS transport": (".xpt", as_sas),
    "SQLite": (".sqlite", as_sqlite),
    "DuckDB": (".duckdb", as_duckdb),
    "zip of CSV": (".zip", in_zip(as_csv, "june.csv")),
    "zip of xlsx": (".zip", in_zip(as_xlsx, "june.xlsx")),
}
ASCII = {"SAS transport"}  # formats whose test file is written without other letters


def pair(kind, folder):
    """Return two tables as CSV files, and in a format."""
    ending, write = WRITERS[kind]
    paths = []
    for seed in (0, 1):
        frame = table(seed)
        if kind in ASCII:
            frame["region"] = frame["region"].replace("Łódź", "Lodz")
        plain, other = folder / f"{'ab'[seed]}.csv", folder / f"{'ab'[seed]}{ending}"
        as_csv(frame, plain)
        write(frame, other)
        paths.append((str(plain), str(other)))
    return paths


@pytest.mark.thorough(default=["xlsx", "framed xlsx", "JSON lines", "Feather", "SQLite"])
@pytest.mark.parametrize("kind", WRITERS)
def test_a_table_is_what_its_csv_file_is(kind, tmp_path):
    (plain, other), _ = pair(kind, tmp_path)
    expected, found = parse(plain, lenient=True), parse(other, lenient=True)
    assert found.rows == expected.rows
    assert [column.name for column in found.columns] == [column.name for column in expected.columns]
    for mine, theirs in zip(found.columns, expected.columns, strict=True):
        assert (mine.dates, mine.unit, mine.measured_in) == (theirs.dates, theirs.unit, theirs.measured_in), mine.name
        assert mine.counts() == theirs.counts(), mine.name
        if theirs.numbers is None:
            assert mine.numbers is None
            assert list(mine.cells) == list(theirs.cells)
        else:
            np.testing.assert_array_equal(mine.numbers, theirs.numbers)


@pytest.mark.parametrize("kind", WRITERS)
@pytest.mark.thorough(default=["SQLite"])
def test_a_verdict_is_that_of_the_csv_files(kind, tmp_path):
    (a, one), (b, two) = pair(kind, tmp_path)
    expected, found = (compare(*paths, n_resamples=99, rng=0) for paths in ((a, b), (one, two)))
    assert found.pvalue == expected.pvalue
    assert found.to_frame().equals(expected.to_frame())
    assert found.left_out == expected.left_out
    assert [gap.adjusted for gap in found.gaps] == [gap.adjusted for gap in expected.gaps]
    mixed = compare(a, two, n_resamples=99, rng=0)  # a CSV file against another format
    assert mixed.to_frame().equals(expected.to_frame())


def test_bytes_are_read_as_files_are(tmp_path):
    for kind in ("xlsx", "SQLite", "JSON lines", "Feather"):
        (_, other), _ = pair(kind, tmp_path)
        with open(other, "rb") as file:
            raw = file.read()
        found, expected = parse(raw, "x", lenient=True), parse(other, "x", lenient=True)
        assert found.hash == expected.hash
        assert [list(column.cells) for column in found.columns] == [list(c.cells) for c in expected.columns]
        assert parse(io.BytesIO(raw), "x", lenient=True).hash == expected.hash
