"""Files of other formats in chunks: the same tables as from their CSV files, whatever the chunks are."""

import bz2
import gzip
import json
import sqlite3
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from explorer import Gaussian, Sketch
from explorer.checks import Refusal
from explorer.datasets.files import arrow_files, databases, json_text
from explorer.sketches import files, rows
from explorer.sketches.large_tables import read_large_columns, read_large_tables
from explorer.sketches.streaming_test import streamed_test


def table(seed, n=150):
    rng = np.random.default_rng(seed)
    x = rng.normal(seed, 1, n).round(3)
    x[::9] = np.nan
    words = rng.choice(["north", "south"], n).astype(object)
    words[::11] = None
    wait = [f"{minutes // 60}:{minutes % 60:02d}:00" for minutes in rng.integers(0, 200, n)]
    return pd.DataFrame({"x": x, "visits": rng.poisson(3, n), "region": words, "code": rng.choice(["007", "012"], n),
                         "when": rng.choice(["2026-01-05", "2026-02-07"], n), "wait": wait})  # fmt: skip


def as_lines(frame, path):
    cells = frame.astype(object).where(frame.notna(), None).to_dict("records")
    path.write_text("\n".join(json.dumps({k: v for k, v in row.items() if v is not None}) for row in cells))


def as_sqlite(frame, path):
    with sqlite3.connect(path) as connection:
        frame.to_sql("t", connection, index=False)
    connection.close()


def as_duckdb(frame, path):
    with duckdb.connect(str(path)) as connection:
        connection.register("given", frame)
        connection.execute("create table t as select * from given")


def as_stream(frame, path):
    made = pa.Table.from_pandas(frame, preserve_index=False)
    with pa.ipc.new_stream(str(path), made.schema) as writer:
        writer.write_table(made, max_chunksize=40)


def as_packed(ending, opened, frame, path):
    plain = path.with_name(f"plain{ending}")
    WRITERS[ending](frame, plain)
    with opened(path, "wb") as file:
        file.write(plain.read_bytes())
    plain.unlink()


WRITERS = {
    ".jsonl": as_lines,
    ".sqlite": as_sqlite,
    ".duckdb": as_duckdb,
    ".feather": lambda frame, path: frame.to_feather(path),
    ".arrows": as_stream,
    ".xlsx": lambda frame, path: frame.to_excel(path, index=False),
    ".json": lambda frame, path: frame.to_json(path, orient="records"),
}
WRITERS |= {
    f"{ending}{packed}": partial(as_packed, ending, opened)
    for opened, packed, endings in ((gzip.open, ".gz", (".jsonl", ".xlsx")), (bz2.open, ".bz2", (".json",)))
    for ending in endings
}
LARGE = {".jsonl", ".feather", ".arrows"}  # formats that are read in chunks if they are large


@pytest.fixture
def in_pieces(monkeypatch):
    """Make every file count as large, and give chunks few rows."""
    monkeypatch.setattr(files, "MEGABYTES", 0)
    for module, name in ((databases, "ROWS"), (databases, "BATCH"), (json_text, "AT_ONCE"), (files, "ROWS")):
        monkeypatch.setattr(module, name, 32)


def pair(ending, folder):
    made = []
    for seed in (0, 1):
        frame = table(seed)
        plain, other = folder / f"{seed}.csv", folder / f"{seed}{ending}"
        frame.to_csv(plain, index=False)
        WRITERS[ending](frame, other)
        made.append((plain, other))
    return [list(each) for each in zip(*made, strict=True)]


@pytest.mark.thorough(default=[".sqlite"])
@pytest.mark.parametrize("ending", WRITERS)
def test_a_table_in_pieces_is_what_its_csv_file_is(ending, in_pieces, tmp_path):
    plain, other = pair(ending, tmp_path)
    expected, found = (read_large_tables(each, missing="value", rng=0) for each in (plain, other))
    assert [str(column) for column in found.columns] == [str(column) for column in expected.columns]
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine.X, theirs.X)
    names = ["region", "when", "code"]
    for mine, theirs in zip(
        read_large_columns(other[0], names).columns, read_large_columns(plain[0], names).columns, strict=True
    ):
        assert [cell[:10] for cell in mine.cells] == [cell[:10] for cell in theirs.cells]


@pytest.mark.thorough(default=[".jsonl.gz"])
@pytest.mark.parametrize("ending", WRITERS)
def test_a_sketch_is_that_of_the_csv_file(ending, in_pieces, tmp_path):
    plain, other = pair(ending, tmp_path)
    mine, theirs = (
        Sketch.of(each, Gaussian(1.0), columns=["visits", "x"], missing="drop") for each in (other[0], plain[0])
    )
    assert mine.n == theirs.n
    assert np.allclose(mine.mean, theirs.mean, rtol=1e-12, atol=1e-15)


@pytest.mark.thorough
def test_it_comes_in_pieces(in_pieces, tmp_path):
    for ending in (".jsonl", ".jsonl.gz", ".sqlite", ".duckdb", ".feather", ".arrows"):
        _, (path, _) = pair(ending, tmp_path)
        assert len(list(files.table_of(path).chunks())) >= 4
        for each in tmp_path.iterdir():
            each.unlink()


@pytest.mark.thorough
def test_a_test_of_files_of_several_formats(in_pieces, tmp_path):
    plain, other = pair(".sqlite", tmp_path)
    how = {"kernel": Gaussian(), "missing": "drop", "n_resamples": 19, "rng": 0}
    first, second = (streamed_test([a, b], **how)[0].pvalue for a, b in ((plain[0], plain[1]), (plain[0], other[1])))
    assert first == second


def test_a_column_that_holds_lists_is_left_out_of_pieces(in_pieces, tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path in paths:
        path.write_text("\n".join(json.dumps({"x": i, "t": [i]} if i % 2 else {"x": i}) for i in range(100)))
    found = read_large_tables(paths, missing="value", rng=0)
    assert {column.name: column.kind for column in found.columns if column.kind != "missing"}["t"] == "left out"


def test_what_cannot_be_read_in_pieces_is_a_sentence(in_pieces, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"x": 1}\n{"x": 2}\n[3]\n')
    with pytest.raises(Refusal, match="line 3"):
        rows.of_lines(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_text('{"x": 1}\n{"x": \n')
    with pytest.raises(Refusal, match="line 2"):
        rows.of_lines(tmp_path / "b.jsonl")
    (tmp_path / "c.feather").write_bytes(b"FEA1" + bytes(40))
    with pytest.raises(Refusal, match="Parquet"):
        arrow_files.schema_of(Path(tmp_path / "c.feather"))
