"""One table in every format: the same points, the same gaps, the same refusals."""

import csv
import hashlib
import io

import numpy as np
import pytest
from helpers.naming import naming
from helpers.saved_bytes import saved
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from explorer.datasets import preview_table, read_table

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = pq = None
needs_pyarrow = pytest.mark.skipif(pa is None, reason="pyarrow is not installed, and only it reads Parquet")

numbers = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=5),
    elements=st.floats(allow_nan=False, allow_infinity=False),
)


def text(X, names, delimiter):
    file = io.StringIO(newline="")
    rows = [[repr(value) for value in row] for row in X.tolist()]
    csv.writer(file, delimiter=delimiter).writerows([names, *rows])
    return file.getvalue().encode()


def by_name(X, names):
    return {name: X[:, j] for j, name in enumerate(names)}


def fields(X, names):
    return np.array(list(map(tuple, X)), dtype=[(name, X.dtype) for name in names])


# every one writes the columns' names, too
WRITERS = {
    "CSV": lambda X, names: text(X, names, ","),
    "TSV": lambda X, names: text(X, names, "\t"),
    "NPY": lambda X, names: saved(np.save, fields(X, names)),
    "NPZ": lambda X, names: saved(np.savez, **by_name(X, names)),
    "NPZ packed": lambda X, names: saved(np.savez_compressed, **by_name(X, names)),
    "Parquet": lambda X, names: saved(lambda file: pq.write_table(pa.table(by_name(X, names)), file)),
}
FORMATS = [pytest.param(name, marks=needs_pyarrow if name == "Parquet" else ()) for name in WRITERS]


@pytest.mark.thorough(default=["TSV", "NPZ packed"])
@pytest.mark.parametrize("kind", FORMATS)
@settings(deadline=None)  # files are written and libraries loaded, at the pace of the machine
@given(X=numbers)
def test_one_table_reads_to_the_same_points_from_every_format(kind, X):
    names = [f"c{j}" for j in range(X.shape[1])]
    raw = WRITERS[kind](X, names)
    data = read_table(raw)
    assert data.X.tobytes() == X.tobytes()
    assert (data.names, data.left_out, data.hash) == (tuple(names), (), hashlib.sha256(raw).hexdigest())
    seen = preview_table(raw)
    assert (seen.rows, seen.hash, [c.name for c in seen.columns]) == (len(X), data.hash, names)


@settings(deadline=None)  # files are written and libraries loaded, at the pace of the machine
@given(X=numbers)
def test_arrays_without_names_get_the_names_of_a_file_without_a_header(X):
    bare = text(X, [], ",").split(b"\n", 1)[1]
    for raw in (bare, saved(np.save, X), saved(np.savez, X), saved(np.save, np.asfortranarray(X))):
        data = read_table(raw)
        assert data.X.tobytes() == X.tobytes()
        assert data.names == tuple(f"x{j + 1}" for j in range(X.shape[1]))


GAPS = np.array([[1.0, np.nan, 2.0], [3.0, 4.5, 5.0], [6.0, 7.0, np.nan], [8.0, 0.5, 9.0]])


@pytest.mark.parametrize("kind", FORMATS)
def test_gaps_choices_and_scaling_do_as_for_text(kind):
    raw, plain = (WRITERS[which](GAPS, ["a", "b", "c"]) for which in (kind, "CSV"))
    place = "line 2" if kind in ("CSV", "TSV") else "row 0"
    with pytest.raises(ValueError, match=naming("2 cells", "2 of 4 rows", place, "'b'", 'missing="drop"')):
        read_table(raw)
    for options in (
        {"missing": "drop"},
        {"missing": "drop", "columns": ["c", "a"]},
        {"columns": 0},
        {"missing": "drop", "standardise": True},
    ):
        mine, theirs = read_table(raw, **options), read_table(plain, **options)
        assert mine.X.tobytes() == theirs.X.tobytes()
        assert (mine.names, mine.left_out, mine.dropped) == (theirs.names, theirs.left_out, theirs.dropped)
    with pytest.raises(ValueError, match=naming("'z'", "'a'", "'b'", "'c'")):
        read_table(raw, columns="z")
    assert [(c.name, c.numeric, c.missing) for c in preview_table(raw).columns] == [
        ("a", True, 0),
        ("b", True, 1),
        ("c", True, 1),
    ]


@pytest.mark.parametrize("kind", FORMATS)
def test_infinite_numbers_and_empty_columns_do_as_for_text(kind):
    X = np.array([[1.0, 2.0], [np.inf, 3.0]])
    place = "line 3" if kind in ("CSV", "TSV") else "row 1"
    with pytest.raises(ValueError, match=naming("1", "infinite", place, "'a'")):
        read_table(WRITERS[kind](X, ["a", "b"]))
    X[:, 1] = np.nan
    X[1, 0] = 5
    raw = WRITERS[kind](X, ["a", "b"])
    assert (read_table(raw).X.tolist(), read_table(raw).left_out) == ([[1], [5]], ("b",))
    with pytest.raises(ValueError, match=naming("'b'", "missing")):
        read_table(raw, columns="b")


def test_the_content_decides_and_not_the_name(tmp_path):
    path = tmp_path / "points.csv"
    path.write_bytes(saved(np.save, GAPS))
    assert read_table(path, missing="drop").X.tolist() == [[3, 4.5, 5], [8, 0.5, 9]]
    for raw in (b"PAR1,PAR2\n1,2\n", b"PK,v\n1,2\n"):  # text that begins as a Parquet file, and nearly as an archive
        assert read_table(raw, name="points.npz").X.tolist() == [[1, 2]]


@pytest.mark.parametrize("dtype", ["i1", "u2", "<i4", ">i8", "f2", "<f4", ">f8", "g"])
def test_numbers_of_every_width_and_order_of_bytes(dtype):
    values = np.array([[3, 1], [2, 5]], dtype=dtype)
    assert read_table(saved(np.save, values)).X.tolist() == [[3, 1], [2, 5]]
    assert read_table(saved(np.save, values[:, 0])).X.tolist() == [[3], [2]]


@pytest.mark.skipif(np.finfo("g").max <= np.finfo(float).max, reason="long double is no longer than double here")
def test_a_number_beyond_float64_is_infinite_as_in_text():
    with pytest.raises(ValueError, match=naming("1", "infinite")):
        read_table(saved(np.save, np.array([1, np.finfo("g").max])))


def test_what_is_no_number_in_an_array_is_words_and_left_out():
    kinds = np.array(
        [
            (1.5, 2, True, "u", "7", b"v", "2024", 3, 1j, [1, 2], (3,)),
            (2.5, 3, False, "", "8", b"w", "NaT", 5, 2j, [3, 4], (4,)),
        ],
        dtype=[
            ("f", "f4"),
            ("i", "u1"),
            ("truth", "?"),
            ("text", "U2"),
            ("digits", "U2"),
            ("bytes", "S1"),
            ("year", "M8[Y]"),
            ("span", "m8[D]"),
            ("z", "c16"),
            ("pair", "f8", 2),
            ("nested", [("q", "i2")]),
        ],
    )
    raw = saved(np.save, kinds)
    data = read_table(raw)
    assert (data.names, data.X.tolist()) == (
        ("f", "i", "digits", "span"),
        [[1.5, 2, 7, 3 * 86400], [2.5, 3, 8, 5 * 86400]],
    )  # digits as in a CSV file
    assert data.left_out == ("truth", "text", "bytes", "year", "z", "pair", "nested")
    shown = {c.name: (c.first, c.missing) for c in preview_table(raw).columns}
    assert shown["truth"] == (("True", "False"), 0)
    assert shown["text"] == (("u", ""), 1)
    assert shown["year"] == (("2024", ""), 1)
    assert [shown[name][0][0] for name in ("z", "pair", "nested")] == ["complex numbers", "lists", "records"]
    with pytest.raises(ValueError, match=naming("'year'", "'2024'")):
        read_table(raw, columns="year")
    with pytest.raises(ValueError, match=naming("'x1'")):
        read_table(saved(np.save, np.array([1j])))


def test_names_outside_the_latin_alphabet():
    values = np.array([(1.0, 2.0)], dtype=[("λ", "f8"), ("σ", "f8")])
    with pytest.warns(UserWarning, match="can only be read by NumPy"):  # numpy's word on writing its version 3.0
        raw = saved(np.save, values)
    assert read_table(raw).names == ("λ", "σ")
    assert read_table(saved(np.savez, **{"λ": [1.0, 2.0]})).names == ("λ",)
