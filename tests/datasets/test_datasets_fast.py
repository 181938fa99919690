"""A plain text is read by a fast reader and every other one by a careful one, with equal results."""

import itertools
import math
import random
import tracemalloc
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from helpers.naming import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from test_datasets_mutated import mutated, sound_files

from explorer.checks import Refusal
from explorer.datasets import preview_table, read_table, read_tables
from explorer.datasets.columns import dates
from explorer.datasets.files import limits, text, text_grid
from explorer.datasets.files.lazy_cells import EncodedColumn, LazyCells, TextGrid

SEED = 23
NEVER = 10**12  # bytes; no text is large enough for the fast reader
HOW = {"sep": "\t", "header": None, "names": [0], "keep_default_na": False, "usecols": [0]}
NUMBERS = np.random.default_rng(SEED).normal(size=(150, 3))


def parsed(raw, lenient, least):
    """Return the table, or the sentence that refuses it."""
    with patch.object(text_grid, "LEAST", least):
        try:
            return text.parse(raw, "the table", lenient)
        except Refusal as error:
            return str(error)


def described(table):
    """Return all that a table holds, numbers to the last bit."""
    if isinstance(table, str):
        return table
    columns = [
        [c.name, *c.cells[:], c.cells[-1], None if c.numbers is None else c.numbers.tobytes(), c.gaps, c.counts()]
        for c in table.columns
    ]
    kinds = [(c.dates, c.unit, c.n_limits) for c in table.columns]
    said = [table.name, table.hash, table.delimiter, table.remarks, table.lenient, table.describe_row(table.rows - 1)]
    return [columns, kinds, said, list(table.lines)]


def same(raw):
    """Return whether the fast reader read a text, strictly or leniently. Its tables must equal the careful reader's."""
    found = []
    split = text_grid.split
    for lenient in (False, True):
        with patch.object(text_grid, "split", lambda *args: found.append(split(*args)) or found[-1]):
            fast = parsed(raw, lenient, 0)
        assert described(fast) == described(parsed(raw, lenient, NEVER)), (lenient, raw[:200])
    return any(found)


def lines(columns, names=None, mark=",", end="\n"):
    """Return the bytes of a text, with an end behind its last line."""
    rows = list(zip(*columns, strict=True))
    return "".join(mark.join(row) + end for row in ([names] if names else []) + rows).encode()


WRITTEN = [list(map(repr, column)) for column in NUMBERS.T.tolist()]
COUNT = [str(i) for i in range(150)]
WORD = [("red", "green", "light blue")[i % 3] for i in range(150)]
PLAIN = {
    "numbers": lines(WRITTEN, "abc"),
    "no names": lines(WRITTEN),
    "more ends": lines(WRITTEN, "abc", end="\r\n") + b"\r\n\n\n",
    "no end": lines(WRITTEN, "abc").rstrip(),
    "CRLF": lines(WRITTEN, "abc", end="\r\n"),
    "BOM": b"\xef\xbb\xbf" + lines(WRITTEN, "abc"),
    "semicolons": lines(WRITTEN, "abc", ";"),
    "tabs": lines(WRITTEN, "abc", "\t"),
    "bars": lines(WRITTEN, "abc", "|"),
    "one column": lines(WRITTEN[:1], "a"),
    "few digits": lines([[f"{x:.1f}" for x in column] for column in NUMBERS.T], "abc"),
    "exponents": lines([[f"{x:{form}}" for x in NUMBERS[:, 0]] for form in ("e", "+.3E", ".0e")], "abc"),
    "words": lines([*WRITTEN, WORD], ["a", "b", "c", "kind"]),
    "Latin-1": lines([WRITTEN[0], ["größer"] * 150], "ab").decode().encode("latin-1"),
    "accents": lines([*WRITTEN, [word.replace("red", "größer") for word in WORD]], ["a", "b", "c", "Größe"]),
    "quoted names": lines(WRITTEN, ['"a"', '"b, too"', '"c"']),
    "an index": lines([COUNT, *WRITTEN], ["", "a", "b", "c"]),
    "counted names": lines([COUNT, *WRITTEN], ["", "0", "1", "2"]),
    "one name": lines(WRITTEN, ["a", "a", "b"]),
    "gaps": lines([["NA", "", "nan", *WRITTEN[0][3:]], [*WRITTEN[1][:-1], "null"]], "ab"),
    "infinite": lines([["inf", "-Infinity", *WRITTEN[0][2:]], WRITTEN[1]], "ab"),
    "whole and long": lines([[str(2**53 + i) for i in range(150)], ["-0"] * 150], "ab"),
    "blanks around": lines([[f" {x} " for x in WRITTEN[0]], WORD], "ab"),
    "truth values": lines([WRITTEN[0], [("TRUE", "false")[i % 2] for i in range(150)]], "ab"),
    "truth values below gaps": lines([WRITTEN[0], ["NA"] * 100 + ["TRUE", "false"] * 25], "ab"),
    "dates": lines([WRITTEN[0], [f"2024-01-{i % 28 + 1:02}" for i in range(150)]], ["a", "day"]),
    "a column of gaps": lines([WRITTEN[0], ["NA"] * 150], "ab"),
    "totals": lines([[*WORD, "Total"], [*COUNT, str(sum(range(150)))]], "ab"),
    "bytes that say little": lines([WRITTEN[0], ["#%/'\u00e4\u00a0b"] * 150], "ab"),
}
MIDDLE = PLAIN["words"].index(b"\n", len(PLAIN["words"]) // 2) + 1
MARKED = {
    "a code": b"1,2,007,red\n",
    "a code in front": b"01,2,3,red\n",
    "a code behind blanks": b"1,2,  007,red\n",
    "a word among numbers": b"1,2,x,red\n",
    "a truth value among numbers": b"1,2,TRUE,red\n",
    "a decimal comma": b'1,2,"1,5",red\n',
    "a quote": b'1,2,3,"red"\n',
    "a quoted code": b'1,2,"007",red\n',
    "a quoted code behind blanks": b'1,2," 007",red\n',
    "a quoted number": b'"1",2,3,red\n',
    "a quoted gap": b'"",2,"NA",""\n',
    "quotes within quotes": b'1,2,3,"""red"" or ""green"""\n',
    "a quote alone": b'1,2,3,""""\n',
    "an underscore": b"1,2,1_000,red\n",
    "hexadecimal": b"1,2,0x1F,red\n",
    "other missing marks": b"1,2,n/a,red\n",
    "a row with one value": b",,,red\n",
}
UNCOMMON = {
    "a short line": b"1,2,3\n",
    "a long line": b"1,2,3,red,4\n",
    "a short and a long line": b"1,2,3\n1,2,3,red,4\n",
    "a mark at the end": b"1,2,3,red,\n",
    "a blank line": b"\n",
    "a line of blanks": b"  \n",
    "a row without a value": b",,,\n",
    "a quoted row without a value": b'"",,"",\n',
    "a row of blanks": b' ,\xc2\xa0," ",\n',
    "a line within quotes": b'1,2,3,"red\ngreen"\n',
    "a quote that is an inch": b'1,2,3,5"\n',
    "two quotes that are inches": b'1,2,3,5"\n1,2,3,6"\n',
    "a quote without an end": b'1,2,3,"red\n',
    "a quote behind a blank": b'1,2,3, "red"\n',
    "a quote before a blank": b'1,2,3,"red" \n',
    "a quote before a letter": b'1,2,3,"red"dish\n',
    "a comment": b"# note\n",
    "a zero byte": b"1,2,3,r\0d\n",
    "a bell": b"1,2,3,r\ad\n",
    "CR": b"1,2,3,red\r",
    "CR, CR": b"1,2,3,red\r\r\n",
    "a letter too many": b"1,2,3," + b"x" * (limits.LETTERS + 1) + b"\n",
    "a long number": b"1,2,0." + b"1" * limits.LETTERS + b",red\n",
    "very many blanks": b"1,2," + b" " * 101 + b"007,red\n",
}


@pytest.mark.parametrize("case", PLAIN)
def test_a_plain_text_is_read_at_once(case):
    assert same(PLAIN[case])


@pytest.mark.parametrize("case", MARKED)
def test_one_cell_of_another_kind_is_read_at_once(case):
    assert same(PLAIN["words"][:MIDDLE] + MARKED[case] + PLAIN["words"][MIDDLE:])


@pytest.mark.parametrize("case", UNCOMMON)
def test_one_line_that_is_not_plain_is_read_with_care(case):
    assert not same(PLAIN["words"][:MIDDLE] + UNCOMMON[case] + PLAIN["words"][MIDDLE:])


FIRST = {
    "nothing": b"",
    "blank lines": b"\n" * 9,
    "no rows": b"a,b\n",
    "a quote without an end": b'"a,b\n1,2\n',
    "a blank line first": b"\n" + PLAIN["numbers"],
    "a comment": b"# said\n" + PLAIN["numbers"],
    "words for names": b"kg,m,s\n" + PLAIN["no names"],
    "lines by other ends": b'"\ra",b\n1,2\n3,4\n',
    "units": b"a,b\nkg,m\n1,2\n3,4\n",
    "BOM twice": b"\xef\xbb\xbfa\n\xef\xbb\xbf1\n2\n",
    "gaps first": b",\n1,2\n",
    "years": b"a,2019,2020\n1,2,3\n4,5,6\n",
}


@pytest.mark.parametrize("case", FIRST)
def test_what_is_no_plain_table_from_its_first_lines_on_is_read_as_ever(case):
    same(FIRST[case])


def test_a_short_text_is_read_with_care():
    assert text_grid.split(PLAIN["numbers"], ",") is None


def forms(x):
    """Ways of writing a number."""
    plain = [f"{x!r}", f"{x:.17g}", f"{x:.3e}", f"{x:+.40e}", f"{x:.2f}", f"{x:.0f}"]
    between = (Fraction(x) + Fraction(math.nextafter(x, 0))) / 2
    written = [*plain, f"{Decimal(between.numerator) / between.denominator:e}"]
    return st.sampled_from([each for each in written if math.isfinite(float(each))])  # a pandas may refuse 1e999


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False).flatmap(forms), min_size=2, max_size=40))
def test_numbers_are_those_of_python_to_the_last_bit(cells):
    table = parsed(lines([cells, cells], "ab"), False, 0)
    assert isinstance(table.columns[0].cells, LazyCells)
    assert table.columns[0].numbers.tobytes() == np.array(list(map(float, cells))).tobytes()
    assert list(table.columns[0].cells) == cells


@pytest.mark.thorough
def test_below_a_number_no_cell_is_one_to_pandas_alone():
    letters = "0127.+-eEnaifxdDpj_ ,'"
    words = ["".join(word) for n in (1, 2, 3) for word in itertools.product(letters, repeat=n)]
    words += ["true", "TRUE", "True", "false", "FALSE", "False", "infinite", "1e+", "0b1", "0o7", "1,000", "1.2.3"]
    words = [word for word in words if text.parse_number_strict(word.strip()) is None]

    def taken(word):
        try:
            text_grid._read(f"1\n{word}".encode(), {0: ()}, HOW)
        except ValueError:
            return False
        return True

    assert len(words) > 9000
    assert [word for word in words if taken(word)] == []


CELLS = {
    "numbers": st.floats(allow_nan=False, width=32).map(repr),
    "decimals": st.integers(-999, 999).map(lambda i: f"{i / 100:.2f}"),
    "whole": st.integers(-50, 50).map(str),
    "huge": st.integers(2**52, 2**70).map(str),
    "codes": st.integers(0, 99).map("{:03}".format),
    "signs": st.sampled_from(["+1", "-1", "1.", ".5", "-.5e1", "1E5", "-0"]),
    "gaps": st.sampled_from(["", "NA", "nan", "NaN", "?", "null", "1", "2.5"]),
    "other gaps": st.sampled_from(["-", ".", "N/A", "none", "1", "2"]),
    "words": st.sampled_from(["red", "green", "light blue", "NA", "", "größer"]),
    "truth": st.sampled_from(["TRUE", "True", "false", "FALSE", ""]),
    "dates": st.dates().map(str) | st.dates().map("{:%d.%m.%Y}".format),
    "commas": st.sampled_from(["1,5", "-2,25", "1.234,5", "3"]),
    "thousands": st.sampled_from(["1,234", "1 234", "12.345", "1'000"]),
    "units": st.sampled_from(["5 kg", "6kg", "<7 kg", "8"]),
    "odd": st.sampled_from(["1_0", "0x1", "inf", "-Infinity", "1e999", "1e-999", "1e", "٣", "\u00a01", "--1", "1 2"]),
    "quoted": st.sampled_from(['"a"', '"1"', '"a, b"', '"a;b"', '"a\nb"', '"', 'a"b']),
    "any": st.text(st.characters(codec="utf-8"), max_size=4),
}  # fmt: skip
COMMON = ["numbers", "decimals", "whole", "words"]
ODD = [b"\n", b"\r\n", b"\r", b",", b";", b" ", b"\0", b"\xef\xbb\xbf", b"# note\n", b'"', b"\xff", b"x"]


@st.composite
def texts(draw):
    """Draw the bytes of tables in many notations, most of them plain except for one thing."""
    kinds = draw(st.lists(st.sampled_from(COMMON), min_size=1, max_size=4))
    kinds += draw(st.lists(st.sampled_from(sorted(CELLS)), max_size=1))
    rows = draw(st.integers(1, 30))
    columns = [draw(st.lists(CELLS[kind], min_size=rows, max_size=rows)) for kind in kinds]
    if draw(st.booleans()):
        columns.insert(0, [str(i) for i in range(rows)])
    for column in columns[:1]:
        if draw(st.integers(0, 5)) == 0:
            column[draw(st.integers(0, rows - 1))] = draw(CELLS[draw(st.sampled_from(sorted(CELLS)))])
    names = draw(st.sampled_from([None, [f"c{j}" for j in range(len(columns))], [str(j) for j in range(len(columns))]]))
    if names and draw(st.booleans()):
        names[0] = draw(st.sampled_from(["", "c1", "2020", '"a"', " a "]))
    raw = lines(columns, names, draw(st.sampled_from(",,;\t|")), draw(st.sampled_from(["\n", "\n", "\r\n"])))
    if draw(st.integers(0, 3)) == 0:
        where = draw(st.integers(0, len(raw)))
        raw = raw[:where] + draw(st.sampled_from(ODD)) + raw[where:]
    return raw


COMMAS = [f"{i / 8:.3f}".replace(".", ",") for i in range(1, 151)]
CONTINENTAL = {
    "decimal commas": (lines([COMMAS, COUNT], "ab", ";"), [",", ""]),
    "tabs": (lines([COMMAS, COUNT], "ab", "\t"), [",", ""]),
    "no names": (lines([COMMAS, COUNT], mark=";"), [",", ""]),
    "a name with a comma": (lines([COMMAS, COUNT], ["a,5", "b"], ";"), [",", ""]),
    "a gap": (lines([[*COMMAS[:-1], "NA"], COUNT], "ab", ";"), [",", ""]),
    "a comma far below": (lines([COMMAS, [*COUNT[:103], "7,0", *COUNT[104:]]], "ab", ";"), [",", None]),
    "points too": (lines([COMMAS, WRITTEN[0]], "ab", ";"), [",", None]),
    "a point far below": (lines([COMMAS, [*COUNT[:103], "7.0", *COUNT[104:]]], "ab", ";"), [None, None]),
    "a mark between thousands": (lines([[*COMMAS[:103], "1.234,5", *COMMAS[104:]], COUNT], "ab", ";"), [None, None]),
    "a comma without decimals": (lines([[*COMMAS[:-1], "7,"], COUNT], "ab", ";"), [None, "."]),
    "a first number with a point": (lines([["0.5", *COMMAS], ["0", *COUNT]], mark=";"), [None, ""]),
    "thousands, or decimals": (lines([["1,234", "5,678"] * 75, COUNT], "ab", ";"), [None, "."]),
    "codes": (lines([COMMAS, ["007"] * 150], "ab", ";"), [",", None]),
}


@pytest.mark.parametrize("case", CONTINENTAL)
def test_decimal_commas_are_read_at_once_where_nothing_else_is_decimal(case, monkeypatch):
    raw, marks = CONTINENTAL[case]
    assert same(raw)
    monkeypatch.setattr(text_grid, "LEAST", 0)
    _, columns = text_grid.split(raw, "\t" if b"\t" in raw else ";")
    assert [column.marks if isinstance(column, LazyCells) else None for column in columns] == marks
    read = parsed(raw, True, 0).columns[0]
    if marks[0] == ",":
        expected = [float(cell.replace(",", ".")) for cell in COMMAS]
        np.testing.assert_array_equal(read.numbers, [*expected[:-1], math.nan] if case == "a gap" else expected)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from("abc"), max_size=12), st.slices(12), st.sets(st.sampled_from("abc")))
def test_coded_cells_are_those_of_a_list(cells, part, gaps):
    for coded, expected in [
        (EncodedColumn.from_cells(cells), cells),
        (EncodedColumn.from_cells(cells)[part], cells[part]),
        (EncodedColumn.from_cells(cells).blank(gaps), ["" if cell in gaps else cell for cell in cells]),
        (EncodedColumn.from_cells(cells).prepend("b"), ["b", *cells]),
        (EncodedColumn.from_array(np.array([f" {cell}" for cell in cells], dtype=object)), cells),
    ]:
        assert list(coded) == expected
        assert [coded[k] for k in range(len(coded))] == expected
        assert coded.cells == list(dict.fromkeys(expected))
        assert list(coded.counts.items()) == list(Counter(expected).items())


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.datetimes(), min_size=3, max_size=20, unique=True), st.sampled_from([10, 16, 19]), st.sampled_from(" T")
)
def test_dates_that_are_counted_together_are_those_that_are_counted_alone(times, length, mark):
    cells = list(dict.fromkeys(time.isoformat(mark, "seconds")[:length] for time in times))
    alone = {cell: dates.parse_dates([cell])[1][cell] for cell in cells}
    with patch.object(dates, "MANY", 1):
        assert dates.parse_dates(cells) == (True, alone)
        for wrong in ("2023-02-29", "0000-01-01", "2023-13-01", "2023-00-10", "2023-01-00", "2023-0x-01", "2023/01/01"):
            more = [*cells, wrong + cells[0][10:]]
            assert dates._iso_days(more) is None
            assert dates.parse_dates(more)[0] is (wrong == "2023/01/01")


def test_cells_that_are_cut_out_are_those_that_are_read_again(monkeypatch):
    monkeypatch.setattr(text_grid, "LEAST", 0)
    _, columns = text_grid.split(PLAIN["blanks around"], ",")
    assert list(columns[0].encoded) == list(columns[0])
    assert list(columns[0][3:9].encoded) == list(columns[0])[3:9]
    assert list(columns[0][3:9][1:-1].encoded) == list(columns[0])[4:8]


@settings(max_examples=100, deadline=None)
@given(texts())
def test_any_table_is_the_same_on_both_ways(raw):
    same(raw)


@pytest.mark.thorough
@settings(max_examples=300, deadline=None)
@given(texts())
def test_very_many_tables_are_the_same_on_both_ways(raw):
    same(raw)


def damaged(count):
    """Return how many of `count` mutated texts were read by the fast reader."""
    chance = random.Random(SEED)
    sound = [raw for kind, raw, _ in sound_files() if kind in ("CSV", "TSV", "bags", "strings")]
    sound += [raw for case, raw in PLAIN.items() if len(raw) < 20_000]
    return sum(same(mutated(sound[i % len(sound)], sound, chance)) for i in range(count))


def test_mutated_texts_are_the_same_on_both_ways():
    assert damaged(150) > 4


@pytest.mark.thorough
def test_very_many_mutated_texts_are_the_same_on_both_ways():
    assert damaged(750) > 30


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("case", ["numbers", "words", "an index", "gaps", "few digits"])
def test_the_usual_ways_cut_no_cells_out_of_numbers(case, lenient, monkeypatch):
    raw, cut = PLAIN[case], []
    assert raw.count(b"\n") > 100
    line = TextGrid.line
    monkeypatch.setattr(text_grid, "LEAST", 0)
    monkeypatch.setattr(TextGrid, "line", lambda self, row: cut.append(row) or line(self, row))
    preview_table(raw, lenient=lenient)
    read_table(raw, missing="drop", lenient=lenient)
    read_tables([raw, raw], missing="drop", lenient=lenient)
    assert len(cut) <= 5 * (60 + 2 * text_grid.LOOKED_AT)


@pytest.mark.parametrize(("limit", "value"), [("ROWS", 150), ("CELLS", 400), ("COLUMNS", 2), ("LETTERS", 50)])
def test_a_limit_is_the_careful_reader_s_to_refuse(monkeypatch, limit, value):
    monkeypatch.setattr(limits, limit, value)
    assert not same(PLAIN["numbers"])


def test_truth_values_among_numbers_are_no_numbers_where_pandas_reads_in_parts():
    rest = b",2" * 499 + b"\n"  # so many columns that a part has 2,048 lines
    raw = (b"a" + rest) + (b"1.5" + rest) * 2048 + (b"TRUE" + rest) * 2800
    assert isinstance(text_grid.split(raw, ",")[1][0], EncodedColumn)
    assert isinstance(text_grid.split(raw.replace(b"TRUE", b"7"), ",")[1][0], LazyCells)


def test_many_marks_take_no_memory():
    raw = b"a,b\n1,2\n" + b"," * 2_000_000
    tracemalloc.start()
    try:
        with patch.object(text_grid, "LEAST", 0), pytest.raises(Refusal, match=naming("line 3", "2000001 cells")):
            read_table(raw)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_numbers_are_counted_and_not_their_spellings():
    columns = preview_table(b"a,b\n1,1.0\n1.0,2\n01,\n2,1\n").columns
    assert [(column.levels, column.missing) for column in columns] == [(2, 0), (2, 1)]
