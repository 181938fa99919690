"""Files that are cut short, altered, too large or no table: always a sentence of ours, and never code from the file."""

import io
import os
import pickle
import random
import re
import sqlite3
import tracemalloc
import zipfile
from contextlib import closing

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from helpers.saved_bytes import saved

from explorer.checks import Refusal
from explorer.datasets import SeveralTables, preview_table, read_table
from explorer.datasets.files import contents
from explorer.datasets.files.limits import TooLarge

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = pq = None
needs_pyarrow = pytest.mark.skipif(pa is None, reason="pyarrow is not installed, and only it reads Parquet")
X = np.arange(12.0).reshape(4, 3)


def parquet(compression):
    table = pa.table({"a": X[:, 0], "s": list("uvuv"), "l": [[1]] * 4, "n": [1, 2, 3, 4]})
    return saved(lambda file: pq.write_table(table, file, compression=compression))


def archive(members, **options):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", **options) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return file.getvalue()


WHOLE = {
    "NPY": lambda: saved(np.save, X),
    "NPY of fields": lambda: saved(np.save, np.array([(1.0, "uv")], dtype=[("a", "f8"), ("s", "U2")])),
    "NPZ": lambda: saved(np.savez, a=X[:, 0], b=X[:, 1]),
    "NPZ packed": lambda: saved(np.savez_compressed, X),
    "Parquet": lambda: parquet("none"),
    "Parquet packed": lambda: parquet("snappy"),
    "Feather": lambda: feather(),
    "SQLite": lambda: sqlite(),
    "Stata": lambda: stata(),
}
KINDS = [pytest.param(kind, marks=needs_pyarrow if kind.startswith(("Parquet", "Feather")) else ()) for kind in WHOLE]


def feather():
    file = io.BytesIO()
    pd.DataFrame({"x": [1.5, 2.0], "k": ["a", "b"]}).to_feather(file)
    return file.getvalue()


def sqlite():
    with closing(sqlite3.connect(":memory:")) as connection:
        pd.DataFrame({"x": [1.5, 2.0], "k": ["a", "b"]}).to_sql("t", connection, index=False)
        return connection.serialize()


def stata():
    file = io.BytesIO()
    pd.DataFrame({"x": [1.5, 2.0], "k": ["a", "b"]}).to_stata(file, write_index=False)
    return file.getvalue()


def refusal(raw):
    """Return the message that refuses bytes, or None if they are read. Any other exception fails the test."""
    said = None
    try:
        read_table(raw, name="The file")
    except ValueError as error:
        said = error
    assert type(said) in (Refusal, TooLarge, SeveralTables, type(None))  # no relative of it, such as pyarrow's own
    assert said is None or str(said).startswith("The file")
    return said and str(said)


@pytest.mark.parametrize("kind", [each for each in KINDS if each.values[0] not in ("Feather", "SQLite", "Stata")])
def test_a_file_cut_anywhere_is_refused(kind):
    raw = WHOLE[kind]()
    assert refusal(raw) is None
    for n in range(1, len(raw)):
        assert refusal(raw[:n]) is not None


@pytest.mark.filterwarnings("ignore")  # numpy warns of headers that look as if Python 2 had written them
@pytest.mark.parametrize("kind", KINDS)
def test_an_altered_file_is_read_or_refused_and_nothing_else(kind):
    raw, chance = WHOLE[kind](), random.Random(5)
    for _ in range(300):
        altered = bytearray(raw)
        for _ in range(chance.choice([1, 1, 2, 5])):
            altered[chance.randrange(len(raw))] = chance.randrange(256)
        refusal(bytes(altered))


class Bomb:
    """Unpickled, it makes a folder."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_nothing_is_ever_unpickled(tmp_path):
    trap = tmp_path / "trap"
    objects = np.empty(2, dtype=object)
    objects[:] = Bomb(trap)
    mixed = np.empty(1, dtype=[("a", "f8"), ("o", object)])
    mixed["o"] = Bomb(trap)
    for raw in (saved(np.save, objects), saved(np.save, mixed), saved(np.savez, a=[1.0], o=objects)):
        for read in (read_table, preview_table):
            with pytest.raises(ValueError, match="Python objects"):
                read(raw)
    assert not trap.exists()
    with pytest.raises(ValueError, match=naming("X.pkl", "UTF-8")):
        read_table(archive({"X.pkl": pickle.dumps(Bomb(trap))}))
    assert not trap.exists()
    pickle.loads(pickle.dumps(Bomb(trap)))
    assert trap.exists()  # the trap would have sprung


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.float64(3), naming("()", "(n,)", "(n, d)")),
        (np.zeros((2, 3, 4)), naming("(2, 3, 4)")),
        (np.zeros((2, 1), dtype=[("a", "f8")]), naming("(2, 1)")),
        (np.zeros((0, 3)), naming("3 columns")),
        (np.zeros((3, 0)), naming("0 columns")),
        (np.zeros(0), naming("1 column")),
    ],
)
def test_arrays_that_are_no_table(values, said):
    for raw in (saved(np.save, values), saved(np.savez, values)):
        with pytest.raises(ValueError, match=said):
            read_table(raw)


@pytest.mark.parametrize(
    ("arrays", "listed"),
    [
        ({"X": X, "y": X[:, 0]}, naming("2 arrays", "'X' (4, 3)", "'y' (4,)")),
        ({"train": X, "test": X}, naming("'train' (4, 3)", "'test' (4, 3)")),
        ({"a": X[:, 0], "b": X[:2, 0]}, naming("'a' (4,)", "'b' (2,)")),
        ({f"a{j}": X[:j] for j in range(1, 5)}, r"4 arrays"),
    ],
)
def test_several_candidates_are_listed(arrays, listed):
    with pytest.raises(ValueError, match=listed):
        read_table(saved(np.savez, **arrays))


def test_archives_that_are_no_npz():
    for members, said in (
        ({}, "nothing"),
        ({"[Content_Types].xml": "x", "xl/workbook.xml": "x"}, "workbook"),
    ):
        with pytest.raises(ValueError, match=said):
            read_table(archive(members))
    column = saved(np.save, X[:, 0])
    with pytest.warns(UserWarning, match="Duplicate name"):  # zipfile's word on writing it
        twice = archive_of_twins(column)
    with pytest.raises(ValueError, match=naming("2 columns", "'a'")):
        read_table(twice)
    with pytest.raises(ValueError, match=naming("'a'", "NPY")):
        read_table(archive({"a.npy": b"1,2\n"}))


def archive_of_twins(content):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("a.npy", content)
        made.writestr("a.npy", content)
    return file.getvalue()


def test_two_arrays_in_one_npy_file_are_not_read_as_one():
    with pytest.raises(ValueError, match=naming("320 bytes", "(4, 3)", "96")):
        read_table(saved(np.save, X) * 2)


def test_a_header_is_not_believed():
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**6,)})
    with pytest.raises(ValueError, match=naming("16 bytes", "8000000")):
        read_table(file.getvalue() + bytes(16))


def test_text_of_letters_that_do_not_exist_is_refused():
    raw = bytearray(saved(np.save, np.array([("u", 1.0)], dtype=[("s", "U1"), ("a", "f8")])))
    raw[-12:-8] = (0x110000).to_bytes(4, "little")
    with pytest.raises(ValueError, match="letters"):
        read_table(bytes(raw))


def peak(raw):
    """Return the sentence that refuses bytes, and the most memory that it took to say so."""
    tracemalloc.start()
    try:
        return refusal(raw), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_archive_that_unpacks_to_too_much_is_not_unpacked():
    packed = saved(np.savez_compressed, np.zeros(50_000_000, dtype=np.int8))
    assert len(packed) < 100_000
    said, memory = peak(packed)
    assert re.search(naming("20 MB", "2.5 million"), str(said))
    assert memory < 5_000_000  # it would be 50 MB and more if it were unpacked first


def test_an_archive_that_lies_about_its_size_is_not_believed():
    raw = bytearray(saved(np.savez_compressed, np.zeros(50_000_000, dtype=np.int8)))
    entry = raw.rindex(b"PK\x01\x02")
    raw[entry + 24 : entry + 28] = (1000).to_bytes(4, "little")  # the unpacked size in the directory
    said, memory = peak(bytes(raw))
    assert "no sound NPZ file" in said
    assert memory < 5_000_000


def test_members_that_are_each_below_the_limit_are_counted_together(monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    columns = {f"{j}.npy": saved(np.save, np.zeros(90_000)) for j in range(3)}
    assert re.search(naming("1 MB"), str(refusal(archive(columns, compression=zipfile.ZIP_DEFLATED))))
    columns.popitem()
    columns.popitem()
    assert refusal(archive(columns, compression=zipfile.ZIP_DEFLATED)) is None


def test_small_numbers_count_as_the_float64_they_become():
    values = np.zeros((833_334, 3), dtype=np.int8)
    assert re.search(naming("2,500,000 cells", "3 columns"), str(refusal(saved(np.save, values))))
    third = values[:, 0]
    assert "more than 2,500,000 cells" in refusal(saved(np.savez, a=third, b=third, c=third))  # each of them would do


@needs_pyarrow
def test_parquet_that_unpacks_to_too_much_is_not_unpacked():
    rows, letters = 800_000, 50_000
    for column, said in (
        (pa.array(np.zeros(rows)), "more than 2,500,000 cells"),
        (pa.nulls(rows, pa.float64()), "more than 2,500,000 cells"),
        (pa.array(["x" * 90]).take(pa.array(np.zeros(rows, int))), "more than 2,500,000 cells"),
        (pa.array([b"x" * letters] * 401, pa.binary(letters)), "takes more than 20 MB when unpacked"),
    ):
        table = pa.table({name: column for name in "abcd"})
        raw = saved(lambda file, table=table: pq.write_table(table, file, compression="zstd"))
        assert len(raw) < 1_000_000
        found, memory = peak(raw)
        assert said in found
        assert memory < 5_000_000


@needs_pyarrow
def test_a_word_that_repeats_is_held_once():
    rows, letters = 3000, 10_000  # 30 MB, were each row to hold its own
    column = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(rows, np.int32)), pa.array(["x" * letters])
    ).dictionary_decode()
    raw = saved(lambda file: pq.write_table(pa.table({"a": np.arange(rows), "s": column}), file))
    data = read_table(raw)
    assert (data.n, data.left_out) == (rows, ("s",))
