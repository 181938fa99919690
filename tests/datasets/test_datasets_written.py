"""Numbers as people and programs write them, and what stands around a table: each kind, and random ones to the bit."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import re
import unicodedata
from itertools import product

import numpy as np
import pandas as pd
import pytest
from helpers.naming import names_all, naming
from hypothesis import given
from hypothesis import strategies as st

from explorer.checks import Refusal
from explorer.datasets import preview_table, read_table, read_tables
from explorer.datasets.columns.missing_codes import Ends
from explorer.datasets.columns.table import are_padded_codes
from explorer.datasets.read_table import parse

VALUES = [70.1, 1234.5, -12.25, 0.5, 98765.75, 3.0]


def grouped(value, mark, point="."):
    return f"{value:,.2f}".replace(",", "\0").replace(".", point).replace("\0", mark)


WRITTEN = {  # how one number is written -> (the column's unit, the remark)
    "kg behind": (lambda v: f"{v} kg", "kg", "units next to numbers (kg)"),
    "kg glued": (lambda v: f"{v}kg", "kg", "units next to numbers (kg)"),
    "a unit with a slash": (lambda v: f"{v} µg/L", "µg/L", "units next to numbers (µg/L)"),
    "two words": (lambda v: f"{v} mm Hg", "mm Hg", "units next to numbers (mm Hg)"),
    "degrees": (lambda v: f"{v} °C", "°C", "units next to numbers (°C)"),
    "percent": (lambda v: f"{v}%", "%", "units next to numbers (%)"),
    "percent apart": (lambda v: f"{v} %".replace(".", ","), "%", "decimal commas"),
    "dollars": (lambda v: f"{'-' * (v < 0)}${grouped(abs(v), ',')}", "$", "marks between thousands"),
    "dollars, minus behind": (lambda v: f"${v}", "$", "units next to numbers ($)"),
    "euros behind": (lambda v: f"{grouped(v, '.', ',')} €", "€", "decimal commas"),
    "francs": (lambda v: f"CHF {grouped(v, chr(0x2019))}", "CHF", "marks between thousands"),
    "narrow spaces": (lambda v: grouped(v, "\u202f"), "", "marks between thousands"),
    "accountants": (lambda v: f"({abs(v)})" if v < 0 else f"{v}", "", "negative numbers in brackets"),
    "Fortran": (lambda v: f"{v:.8e}".replace("e", "D"), "", "exponents written with D"),
    "printed minus": (lambda v: f"{v}".replace("-", "\u2212"), "", "printed minus signs"),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_a_number_is_read_however_it_is_written(kind):
    write, unit, said = WRITTEN[kind]
    table = parse(lines(["size", "who"], [(write(value), "ab"[i % 2]) for i, value in enumerate(VALUES)]), "t", True)
    size = table.by_name["size"]
    assert size.numbers.tolist() == VALUES
    assert size.unit == unit
    assert said in table.remarks


def lines(names, rows, delimiter="\t"):
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([names, *rows])
    return file.getvalue().encode()


GAPS = ("#N/A", "#DIV/0!", "n.a.", "..", "-", "NA", "")


@pytest.mark.parametrize("gap", GAPS)
def test_a_gap_among_numbers_is_a_gap(gap):
    table = parse(lines(["size"], [["1.5"], [gap], ["3"], ["2.5 kg"]] if gap else [["1.5"], ["3"]]), "t", True)
    numbers = table.columns[0].numbers
    assert np.isnan(numbers).sum() == (gap != "")


def test_a_limit_is_taken_as_the_limit_and_counted():
    table = parse(lines(["lead"], [["<0.5"], ["0.75"], ["> 100"], ["≤2"], ["3.5"]]), "t", True)
    assert table.columns[0].numbers.tolist() == [0.5, 0.75, 100.0, 2.0, 3.5]
    assert table.columns[0].n_limits == 3
    assert any(re.search(naming("3 values", "limit"), remark) for remark in table.remarks)
    raw = lines(["lead"], [[f"<{k}.5" if k < 3 else f"{k}.25"] for k in range(12)])
    tables = read_tables([raw, raw], lenient=True)
    assert names_all(str(tables), "lead", "6 of its values", "limits")


WORDS = {
    "codes": ["3B", "4B", "5B", "3A", "7B", "9A"],
    "one letter behind whole numbers": ["3q", "4q", "5q", "6q", "7q", "8q"],
    "ranges": ["5-10", "10-15", "15-20", "20-25", "25-30", "30-35"],
    "times": ["10 am", "11 am", "9 am", "8 am", "7 am", "6 am"],
    "several words": ["3 of 5", "4 of 5", "1 of 5", "2 of 5", "5 of 5", "0 of 5"],
}


@pytest.mark.parametrize("kind", WORDS)
def test_words_stay_words(kind):
    table = parse(lines(["x", "size"], [(f"word{i}", cell) for i, cell in enumerate(WORDS[kind])]), "t", True)
    assert table.by_name["size"].numbers is None


def test_names_of_rows_stay_a_column_where_they_are_words():
    raw = b'"mpg" "cyl"\n"Mazda RX4" 21 6\n"Datsun 710" 22.8 4\n"Valiant" 18.1 6\n'
    table = parse(raw, "t", True)
    assert [column.name for column in table.columns] == ["x1", "mpg", "cyl"]
    assert table.by_name["mpg"].numbers.tolist() == [21, 22.8, 18.1]


@pytest.mark.parametrize("cell", ["12,34,567", "1,23,456.5", "12,345"])
def test_indian_marks_between_thousands(cell):
    table = parse(lines(["x", "y"], [(cell, "0.5"), ("7", "1.5")], ";"), "t", True)
    assert table.columns[0].numbers.tolist() == [float(cell.replace(",", "")), 7.0]


LIKE_NUMBERS = {
    "an error": lambda k: f"{k}.5 ± 0.3",
    "a share of two": lambda k: f"{k + 90}/{60 + k}",
    "a time": lambda k: f"{k % 12 + 1}:{k:02d} pm",
    "a code": lambda k: f"{k:05d}",
}


@pytest.mark.parametrize("kind", LIKE_NUMBERS)
def test_what_is_left_out_and_begins_as_numbers_do_is_said_so(kind):
    rows = [(LIKE_NUMBERS[kind](k), f"{k}.25") for k in range(60)]
    column = read_tables([lines(["odd", "x"], rows)], lenient=True).columns[0]
    assert (column.kind, column.numeric) == ("left out", True)
    assert f"such as '{rows[0][0]}'" in str(column)


def test_words_that_are_left_out_hold_no_numbers():
    rows = [(f"name {k}", f"{k}.25") for k in range(60)]
    column = read_tables([lines(["name", "x"], rows)], lenient=True).columns[0]
    assert (column.kind, column.numeric) == ("left out", False)


STAND_INS = {  # values: their description
    (-9999, 70.5, 60.5, -9999, 66): "with -9999 in 2 rows, far from all others (missing?)",
    (99, 1, 2, 3, 99, 4): "with 99 in 2 rows, far from all others (missing?)",
    (99, 98, 97, 99, 60): "",
    (-9999, 70.5, 60.5): "",
    (-9999, -9999): "",
    (999.9, 3.5, 999.9, 4.5): "with 999.9 in 2 rows, far from all others (missing?)",
    (1000, 1, 2, 1000): "",
}


@pytest.mark.parametrize("values", STAND_INS)
def test_a_number_that_may_stand_for_a_missing_one_is_named(values):
    said = STAND_INS[values]
    assert Ends.of(values).description == said
    if said:
        column = read_tables([lines(["x"], [[str(value)] for value in values])], columns=["x"]).columns[0]
        assert str(column).endswith(said)


def test_two_units_are_refused_and_named():
    rows = [(f"{60 + k}.5 {'kg' if k % 2 else 'lb'}", "ab"[k % 2]) for k in range(12)]
    with pytest.raises(Refusal, match=naming("'weight'", "12 numbers", "kg, lb")):
        read_tables([lines(["weight", "who"], rows)] * 2, lenient=True)
    one, other = (lines(["weight"], [[f"{60 + k}.5 {unit}"] for k in range(12)]) for unit in ("kg", "lb"))
    with pytest.raises(Refusal, match=naming("'weight'", "kg in a", "lb in b", "one unit")):
        read_tables([one, other], names=["a", "b"], lenient=True)


@pytest.mark.parametrize("read", [read_table, lambda raw, **how: read_tables([raw], **how)])
def test_a_column_that_is_mostly_numbers_never_leaves_as_words(read):
    raw = lines(["x", "lead"], [(k, "<0.5" if k == 3 else f"{k}.25") for k in range(12)])
    with pytest.raises(Refusal, match=naming("'lead'", "12 numbers", "lenient=True")):
        read(raw)
    read(raw, lenient=True)
    stubborn = raw.replace(b"<0.5", b"about half")
    with pytest.raises(Refusal, match=naming("11 numbers", "1 word", "'about half'")):
        read(stubborn, lenient=True)
    read(stubborn, columns=["x"])
    assert names_all(preview_table(stubborn, lenient=True).columns[1].why, "11 numbers", "1 word", "about half")


PLAIN = b"weight,pressure,group\n70.5,120.5,A\n60.5,110.5,B\n50.5,100.5,A\n40.5,90.5,B\n"
INDEX = (b"", b"0", b"1", b"2", b"3")
INDEXED = list(zip(INDEX, PLAIN.splitlines(), strict=True))
FRAMED = {
    "lines above": b"Export of ward 3\nCreated: 2026-01-02, by hand\n\n" + PLAIN,
    "padded lines above": b"Export of ward 3,,\nCreated: 2026,,\n,,\n" + PLAIN,
    "comments": b"# made by a tool\n# version 2\n" + PLAIN,
    "a comment among rows": PLAIN.replace(b"60.5", b"# checked until here\n60.5"),
    "names behind a sign": b"#made by a tool\n# " + PLAIN,
    "units": PLAIN.replace(b"group\n", b"group\nkg,mmHg,-\n"),
    "units in brackets": PLAIN.replace(b"group\n", b"group\n[kg],[mmHg],\n"),
    "totals": PLAIN + b"222,422,Total\n",
    "an index": b"".join(b"%s,%s\n" % (i, line) for i, line in zip(INDEX, PLAIN.splitlines(), strict=True)),
    "marks at the end": PLAIN.replace(b"\n", b",\n"),
    "marks at the end of rows": PLAIN.replace(b"\n", b",\n").replace(b"group,", b"group"),
    "bars": PLAIN.replace(b",", b"|"),
    "gzip": gzip.compress(PLAIN),
    "bzip2": bz2.compress(PLAIN),
    "a spreadsheet's texts": re.sub(rb"([\d.]+)", rb'="\1"', PLAIN),
    "a spreadsheet's texts in quotes": re.sub(rb"([\d.]+)", rb'"=""\1"""', PLAIN),
    "R's row numbers": b"".join(b'"%s"\t%s\n' % line for line in INDEXED).replace(b'""\t', b"").replace(b",", b"\t"),
    "R's row numbers between blanks": b"".join(b'"%s" %s\n' % line for line in INDEXED)
    .replace(b'"" ', b"")
    .replace(b",", b" "),
    "Markdown": b"".join(b"| %s |\n" % line.replace(b",", b" | ") for line in PLAIN.splitlines()).replace(
        b"group |\n", b"group |\n|---:|:--:|---|\n"
    ),
    "a database's terminal": PLAIN.replace(b",", b" | ").replace(b"group\n", b"group\n-----+-----+----\n")
    + b"(4 rows)\n",
    "UTF-16": PLAIN.decode().encode("utf-16"),
    "a separator's line": b"sep=,\r\n" + PLAIN.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("kind", FRAMED)
def test_what_stands_around_a_table_is_none_of_it(kind):
    plain, framed = (parse(raw, "t", True) for raw in (PLAIN, FRAMED[kind]))
    assert [column.name for column in framed.columns] == [column.name for column in plain.columns]
    for one, other in zip(framed.columns, plain.columns, strict=True):
        assert one.array().tolist() == other.array().tolist()
    assert framed.remarks or kind in ("gzip", "bzip2")
    assert [column.unit for column in framed.columns] == (["kg", "mmHg", ""] if "units" in kind else [""] * 3)


def test_a_mark_at_the_end_of_rows_that_begin_by_counting_shifts_no_names():
    table = parse(b"A,B,C\n1,4,7,\n2,5,8,\n3,6,9,\n", "t", True)
    assert [(column.name, *column.numbers) for column in table.columns] == [
        ("A", 1, 2, 3),
        ("B", 4, 5, 6),
        ("C", 7, 8, 9),
    ]


def test_a_line_in_a_sentence_is_the_file_s_own():
    raw = FRAMED["lines above"].replace(b"110.5", b"")
    with pytest.raises(Refusal, match=naming("line 6", "'pressure'")):
        read_tables([raw], lenient=True)


@pytest.mark.parametrize("word", ["none", "low", "unknown", "NA"])
def test_a_first_row_with_a_word_is_no_row_of_units(word):
    raw = lines(["dose", "who"], [(word, ""), *((f"{k}.5", "ab"[k % 2]) for k in range(8))])
    assert parse(raw, "t", True).rows == 9


def test_a_last_row_that_adds_nothing_up_stays():
    assert parse(PLAIN + b"70.5,120.5,Total\n", "t", True).rows == 5


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_and_truth_values_have_one_spelling(form):
    raw = unicodedata.normalize(form, "größe,flag\n1,TRUE\n2,false\n3,True\n4,FALSE\n").encode()
    tables = read_tables([raw])
    assert tables[0].names == ("größe", "flag")
    assert tables.levels == {"flag": ("False", "True")}


NUMBERS = st.floats(-1e9, 1e9).map(lambda value: round(value, 3))
WRITERS = {
    "point": lambda v: repr(v),
    "comma": lambda v: repr(v).replace(".", ","),
    "unit": lambda v: f"{v!r} kg",
    "percent": lambda v: f"{v!r}%",
    "currency": lambda v: f"€ {v!r}",
    "brackets": lambda v: f"({-v!r})" if v < 0 else repr(v),
    "sign behind": lambda v: f"{-v!r}-" if v < 0 else repr(v),
    "Fortran": lambda v: f"{v:.17e}".replace("e", "D"),
}


@given(st.lists(NUMBERS, min_size=2, max_size=20), st.sampled_from(list(WRITERS)), st.sampled_from(";\t|"))
def test_numbers_come_back_to_the_bit(values, writer, delimiter):
    rows = [(WRITERS[writer](value), "word") for value in values]
    raw = lines(["size", "who"], rows, delimiter)
    table = parse(raw, "t", True)
    assert table.by_name["size"].numbers.tolist() == [value + 0.0 for value in values]


# what a cell means


def test_na_is_a_level_among_words_and_a_gap_among_numbers():
    raw = lines(["element", "x"], [(("Na", "K", "NA")[i % 3], "NA" if i == 4 else f"{i}.5") for i in range(24)])
    for lenient in (False, True):
        tables = read_tables([raw, raw], missing="drop", lenient=lenient)
        assert tables.levels == {"element": ("K", "NA", "Na")}
        assert [one.dropped for one in tables] == [1, 1]


@pytest.mark.parametrize("lenient", [False, True])
def test_counts_that_pandas_writes_for_names_are_no_row(lenient):
    X = np.random.default_rng(0).normal(size=(6, 5))
    frame = pd.DataFrame(X)
    for raw in (frame.to_csv(index=False), frame.to_csv()):
        table = parse(raw.encode(), "t", lenient)
        assert (table.rows, table.columns[-1].name) == (6, "4")
    words = parse(b"name,1,2\na,5,6\nb,7,8\nc,7,9\n", "t", True)
    assert (words.rows, [column.name for column in words.columns]) == (3, ["name", "1", "2"])


@pytest.mark.parametrize("raw", [b"0,1\n1,0\n0,0\n", b"0,1,2\n2,1,0\n1,1,1\n"])
def test_a_first_row_of_codes_is_a_row(raw):
    assert parse(raw, "t", False).rows == parse(raw, "t", True).rows == 3


def test_gzip_within_gzip_and_bombs_are_refused():
    with pytest.raises(Refusal, match="packed twice"):
        read_table(gzip.compress(gzip.compress(PLAIN)))
    with pytest.raises(Refusal, match=naming("20 MB")):
        read_table(gzip.compress(b"a,b\n" + b"1,2\n" * 6_000_000))


# the longest are not for the reader that takes plain texts at once
@pytest.mark.parametrize(
    ("rows", "mark", "blank"), [*product([60], ",;\t", ["", "  "]), (60_000, ",", ""), (60_000, ";", "  ")]
)
def test_codes_stay_codes_at_any_length(rows, mark, blank):
    lines = [f"{i * 1.5:.2f}{mark}{blank}{i % 12:03d}{mark}{i % 7}" for i in range(rows)]
    raw = "\n".join([f"x{mark}plant{mark}n", *lines]).encode()
    tables = read_tables([raw], lenient=True)
    assert [column.kind for column in tables.columns] == ["number", "category", "number"]
    assert tables[0].names == ("x", "plant", "n")
    assert parse(raw, lenient=True).columns[1].cells[13] == "001"
    assert read_table(raw).left_out == ("plant",)
    assert read_tables([raw]).levels["plant"][1] == "001"


@pytest.mark.parametrize("cells", [["0", "10", "20"], ["0.5", "00.7"], ["007", "x"], ["-01", "02"], ["", "NA"]])
def test_what_is_no_column_of_codes(cells):
    assert not are_padded_codes(cells)


def test_codes_beside_a_gap_of_another_word_are_codes():
    raw = b"plant,x\n" + b"".join(b"%s,%d\n" % (b"n/a" if i == 5 else b"%03d" % (i % 4), i) for i in range(40))
    (column, _) = parse(raw, lenient=True).columns
    assert column.numbers is None
    assert column.counts() == (1, 4)
