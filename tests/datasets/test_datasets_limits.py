"""Large and hostile files: linear in rows and columns, and refused before they take minutes or gigabytes."""

import csv
import io
import time
import tracemalloc
import zipfile
from unittest.mock import Mock

import numpy as np
import pytest
from helpers.naming import naming
from helpers.saved_bytes import saved

from explorer.checks import Refusal
from explorer.datasets import preview_table, read_string_classes, read_strings, read_table, read_tables
from explorer.datasets.columns.table import Column, parse_number_strict, parse_numbers
from explorer.datasets.files import formats, limits

LENGTH = 2_000_000  # bytes of most files here, a tenth of the limit: enough for what is not refused early to show
SECONDS = 3.0  # of the processor: a million rows that are read before there is one too many take one
MEMORY = 60_000_000  # bytes: 30 for one of the file's. A Python object for each byte would take 100 and more


def header(shape, descr="<f8"):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def archive(count, content=b"", how=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as made:
        for i in range(count):
            made.writestr(f"{i}.npy", content)
    return file.getvalue()


def archive_with_wrong_size(how):
    """Return an archive whose directory says that its one array, of 5 MB, has 1,000 bytes."""
    raw = bytearray(archive(1, saved(np.save, np.zeros(5_000_000, np.int8)), how))
    entry = raw.rindex(b"PK\x01\x02")
    raw[entry + 24 : entry + 28] = (1000).to_bytes(4, "little")
    return bytes(raw)


TABLES = {
    "rows": (lambda: b"a\n" + b"1\n" * (limits.ROWS + 1), naming("1,000,000 rows")),
    "cells": (lambda: (b"1" + b",1" * 99 + b"\n") * 25_001, naming("2,500,000 cells", "100 columns")),
    "columns": (lambda: b"," * LENGTH, naming("2,000,001 columns", "2,000")),
    "a wide line": (lambda: b"a,b\n1,2\n" + b"," * LENGTH, naming("line 3", "2000001 cells")),
    "blank lines first": (lambda: b"\n" * LENGTH + b"a\n1\n", "blank line"),
    "blank lines inside": (lambda: b"a\n1\n" + b"\r" * LENGTH + b"1\n", naming("line 3", "0 cells")),
    "one letter": (lambda: b"a" * LENGTH, naming("131,072 letters")),
    "a quote": (lambda: b'a,b\n1,"' + b"x" * LENGTH, "quotes"),
    "a quote of lines": (lambda: b"a,b\n1,\"" + b"\n" * LENGTH + b"x", "quotes"),
    "zero bytes": (lambda: b"a,b\n1,2\n" + b"\0" * LENGTH, "zero bytes"),
    "a title": (lambda: b"a" * 1001 + b",b\n1,2\n", naming("1,001 letters", "1,000")),
    "gzip": (lambda: b"\x1f\x8b\x08" + bytes(LENGTH), "gzip"),
    "NPY columns": (lambda: saved(np.save, np.zeros((20, 12_500))), naming("12,500 columns", "2,000")),
    "NPY of nothing": (lambda: header((0, 10**9)), naming("1,000,000,000 columns", "2,000")),
    "NPY rows of nothing": (lambda: header((10**9, 0)), naming("1,000,000 rows")),
    "NPY letters of nothing": (lambda: header((10**12,), "<U0"), naming("1,000,000 rows")),
    "NPY brackets": (lambda: b"\x93NUMPY\x01\x00\xf0\x26" + b"(" * 0x26F0, "NPY"),
    "NPY signs": (lambda: b"\x93NUMPY\x01\x00\xf0\x26" + b"-" * 0x26EF + b"1", "nested|NPY"),
    "NPZ members": (lambda: archive(1001), naming("1,000 arrays")),
    "NPZ BZ2": (lambda: archive_with_wrong_size(zipfile.ZIP_BZIP2), "numpy"),
    "NPZ LZMA": (lambda: archive_with_wrong_size(zipfile.ZIP_LZMA), "numpy"),
    "NPZ deflated": (lambda: archive_with_wrong_size(zipfile.ZIP_DEFLATED), "NPZ"),
}  # fmt: skip
STRINGS = {
    "lines": (lambda: b"A\n" * 1_000_001, naming("1,000,000 lines")),
    "blank lines": (lambda: b"A\r\n" + b"\r" * 1_000_001, naming("1,000,000 lines")),
    "one long": (lambda: b"A" * 1_000_000 + b"\n" + b"C\n" * 1000, naming("1,000,000 letters", "100 MB")),
}  # fmt: skip


def assert_refused(read, raw, said):
    """Assert that bytes are refused within SECONDS of the processor's time."""
    start = time.thread_time()
    with pytest.raises(Refusal, match=said):
        read(raw)
    assert time.thread_time() - start < SECONDS


@pytest.mark.filterwarnings("ignore")  # numpy's on headers that look as if Python 2 had written them
@pytest.mark.parametrize("case", TABLES)
def test_a_table_beyond_a_limit_is_refused_at_once(case):
    made, said = TABLES[case]
    assert_refused(read_table, made(), said)


@pytest.mark.parametrize("case", STRINGS)
def test_strings_beyond_a_limit_are_refused_at_once(case):
    made, said = STRINGS[case]
    assert_refused(read_strings, made(), said)


def test_what_is_refused_takes_no_memory():
    for case in ("columns", "a quote", "blank lines inside", "NPZ deflated"):
        raw = TABLES[case][0]()
        tracemalloc.start()
        try:
            with pytest.raises(Refusal):
                read_table(raw)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < MEMORY


def test_the_limit_of_a_cell_is_ours_where_other_code_raised_that_of_csv():
    before = csv.field_size_limit()
    try:
        for limit in (131_072, 10**9):
            csv.field_size_limit(limit)
            assert read_table(b'a,b\n1,"' + b"x" * 131_072 + b'"\n').left_out == ("b",)
            assert_refused(
                read_table, b"a,b\n1,2\n1," + b"x" * 131_073, "up to line 3 one has more than 131,072 letters"
            )
            wide = b",".join(b"t" * 900 + b"%d" % j for j in range(200))  # a line longer than a cell may be
            assert read_table(wide + b"\n" + b",".join([b"1"] * 200)).d == 200
    finally:
        csv.field_size_limit(before)


def test_what_is_at_a_limit_is_read():
    assert read_table(b"a" * 1000 + b"\n1\n").names == ("a" * 1000,)
    assert read_table(b",".join(b"%d" % j for j in range(2000)) + b"\n").d == 2000
    assert read_table(saved(np.save, np.zeros((1250, 2000), np.int8))).X.size == limits.CELLS
    assert read_table(saved(np.save, np.zeros(limits.ROWS, np.int8))).n == limits.ROWS
    assert read_table(b"a,b\n1,2\n" + b"\r\n" * 1_000_000).n == 1  # blank lines at the end are not rows


def test_words_of_a_class_are_no_longer_than_a_menu_bears():
    raw = b"A" * 101 + b",ACG\nB,ACT\n"
    assert_refused(read_string_classes, raw, "of 101 letters, and 100 is the limit")
    assert set(read_string_classes(raw[1:]).target) == {"A" * 100, "B"}


def test_a_target_with_one_long_word_is_refused_before_all_are_as_long():
    raw = b"a,b\n" + b"x" * 100_000 + b",1\n" + b"y,2\n" * 300
    assert read_table(raw).n == 301
    assert_refused(
        lambda raw: read_table(raw, target="a"), raw, "column 'a' holds 301 words, .* longest, 100,000 letters"
    )


def test_memory_that_gives_out_is_a_sentence(monkeypatch):
    for error in (MemoryError(), RecursionError()):
        monkeypatch.setitem(formats.TEXTS, "text", Mock(side_effect=error))
        for read in (read_table, preview_table, lambda raw: read_tables([raw, raw])):
            with pytest.raises(Refusal, match="memory"):
                read(b"a\n1\n")


def seconds(read, raw):
    """Return the least processor time of two readings."""
    times = []
    for _ in range(2):
        start = time.thread_time()
        read(raw)
        times.append(time.thread_time() - start)
    return min(times)


@pytest.mark.thorough(default=["read_table"])
@pytest.mark.parametrize("read", [read_table, preview_table, lambda raw: read_tables([raw, raw])])
def test_reading_is_linear_in_columns(read, monkeypatch):
    monkeypatch.setattr(limits, "COLUMNS", 20_000)
    few, many = (saved(np.save, np.zeros((4, d))) for d in (500, 10_000))
    # 20 times the columns: some 20 times the time, and 400 times where each is held against each
    assert seconds(read, many) < 80 * seconds(read, few)


def test_numbers_are_what_each_cell_says():
    cells = ["1", "-2.5e3", " 4".strip(), "NA", "?", "", "nan", "-NaN", "inf", "Infinity", "null", "٣", "1e999"]
    expected = [parse_number_strict(cell) for cell in cells]
    np.testing.assert_array_equal(parse_numbers(cells), np.array(expected, dtype=float))
    for word in ("1_0", "x", "1,5", "0x1", "--1"):
        assert parse_number_strict(word) is None
        assert parse_numbers([*cells, word]) is parse_numbers(["1", word]) is None
    assert parse_numbers(["NA", ""]) is None


def test_a_preview_counts_what_differs_and_what_is_missing():
    assert Column("a", ("u", "NA", "u", "", "v"), None).counts() == (1, 3)  # among words NA is one
    assert Column("a", ("1", "NA", "1", "", "2"), np.array([1.0, np.nan, 1.0, np.nan, 2.0])).counts() == (2, 2)
    values = np.array([1.0, np.nan, 1.0, 2.0])
    columns = preview_table(saved(np.save, np.column_stack([values, values]))).columns
    assert [(c.missing, c.levels, c.first) for c in columns] == [(1, 2, ("1.0", "nan", "1.0", "2.0"))] * 2
