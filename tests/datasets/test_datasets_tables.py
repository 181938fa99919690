"""Reading a user's table: what is read, and that it is read exactly."""

import csv
import hashlib
import io

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from explorer.datasets import preview_table, read_table
from explorer.datasets.read_table import parse

PLAIN = b"name,a,b\nu,1,2\nv,3,4.5\n"
numbers = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=5),
    elements=st.floats(allow_nan=False, allow_infinity=False),
)


@given(X=numbers, delimiter=st.sampled_from(",;\t"), header=st.booleans(), ends=st.sampled_from(["\n", "\r\n", "\r"]))
def test_what_is_written_is_read_to_the_last_digit(X, delimiter, header, ends):
    names = [f"col {j}{delimiter} mm" for j in range(X.shape[1])]
    file = io.StringIO(newline="")
    writer = csv.writer(file, delimiter=delimiter, lineterminator=ends)
    writer.writerows([names] * header + [[repr(value) for value in row] for row in X.tolist()])
    data = read_table(file.getvalue().encode())
    assert data.X.tobytes() == X.tobytes()
    assert data.names == tuple(names if header else (f"x{j + 1}" for j in range(X.shape[1])))


@pytest.mark.parametrize(
    "raw",
    [
        PLAIN,
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r"),
        PLAIN.replace(b",", b";"),
        PLAIN.replace(b",", b"\t"),
        PLAIN.replace(b",", b" , "),
        PLAIN.replace(b"u,1", b'"u, or ""v""\nbelow","1"'),
        PLAIN.rstrip(b"\n"),
        PLAIN + b"\n\n",
    ],
)
def test_every_dialect_gives_the_same_points(raw):
    data = read_table(raw)
    assert data.X.tolist() == [[1, 2], [3, 4.5]]
    assert (data.names, data.left_out, data.target, data.dropped) == (("a", "b"), ("name",), None, 0)
    assert data.hash == hashlib.sha256(raw).hexdigest()


def test_paths_bytes_and_open_files_give_the_same(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(PLAIN)
    with open(path, "rb") as file:
        sets = [read_table(path), read_table(str(path)), read_table(file), read_table(PLAIN, name="mine.csv")]
    assert {data.name for data in sets} == {"mine.csv"}
    assert {data.X.tobytes() for data in sets} == {np.array([[1, 2], [3, 4.5]]).tobytes()}
    assert read_table(io.BytesIO(PLAIN)).name == "the table"


def test_columns_are_chosen_by_name_or_position_in_the_order_given():
    assert read_table(PLAIN, columns=["b", "a"]).X.tolist() == [[2, 1], [4.5, 3]]
    assert read_table(PLAIN, columns=[2, "a"]).names == ("b", "a")
    one = read_table(PLAIN, columns="b")
    assert (one.names, one.left_out) == (("b",), ("name", "a"))
    assert read_table(PLAIN, columns=1).names == ("a",)


@pytest.mark.parametrize(
    ("raw", "names", "n"),
    [
        (b"1,2\n3,4\n", ("x1", "x2"), 2),
        (b"5\n", ("x1",), 1),
        (b",a\n1,2\n", ("x1", "a"), 1),  # as pandas and R write row numbers
        (b"length,450,500\n1,2,3\n", ("length", "450", "500"), 1),  # a word above numbers is a name
        (b"1,NA\n3,4\n", ("x1", "x2"), 1),  # a first row with a gap is still a row
        (b"na,k\n1,2\n", ("na", "k"), 1),  # sodium
    ],
)
def test_headers(raw, names, n):
    data = read_table(raw, missing="drop")
    assert (data.names, data.n) == (names, n)


@pytest.mark.parametrize("gap", ["", "NA", "NaN", "nan", "?", "null", '""', " "])
def test_rows_with_gaps_are_dropped_only_when_asked(gap):
    raw = f"a,b,c\n1,2,\n3,{gap},5\n6,7,8\n".encode()
    with pytest.raises(ValueError, match=naming("2 cells", "2 of 3 rows", "line 2", "'c'", 'missing="drop"')):
        read_table(raw)
    data = read_table(raw, missing="drop")
    assert (data.X.tolist(), data.dropped) == ([[6, 7, 8]], 2)
    data = read_table(raw, columns=["a", "b"], missing="drop")  # only gaps in the chosen columns count
    assert (data.X.tolist(), data.dropped) == ([[1, 2], [6, 7]], 1)
    assert read_table(raw, columns="a").n == 3


def test_standardise_keeps_constant_columns():
    data = read_table(b"a,b\n1,7\n3,7\n", standardise=True)
    assert data.X.tolist() == [[-1, 0], [1, 0]]


def test_a_preview_shows_what_there_is_to_choose():
    raw = b"name;a;b;gone\nu;1;;\nv;?;2.50;\n" + b"w;3;4;\n" * 5
    seen = preview_table(raw, name="mine.csv")
    assert (seen.name, seen.rows, seen.delimiter) == ("mine.csv", 7, ";")
    assert seen.hash == read_table(raw, columns=1, missing="drop").hash
    assert [(c.name, c.numeric, c.missing) for c in seen.columns] == [
        ("name", False, 0),
        ("a", True, 1),
        ("b", True, 1),
        ("gone", False, 7),
    ]
    assert seen.columns[2].first == ("", "2.50", "4", "4", "4")


def test_a_semicolon_within_quotes_separates_nothing():
    assert read_table(b'"a","b &lt;i&gt; c"\n1,2\n3,4\n5,6\n', name="t").names == ("a", "b &lt;i&gt; c")


@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("make", [lambda text: text.encode(), lambda text: pd.read_csv(io.StringIO(text), dtype=str)])
def test_codes_that_begin_with_0_are_words_however_they_are_read(make, lenient):
    table = parse(make("code,x\n01234,1.5\n02134,2\n1234,0.5\n"), "t", lenient)
    assert table.by_name["code"].numbers is None
    assert list(table.by_name["code"].cells) == ["01234", "02134", "1234"]
    assert table.by_name["x"].numbers.tolist() == [1.5, 2.0, 0.5]  # 0.5 is not a code
