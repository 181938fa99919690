"""Time to read a plain table of 200,000 rows, relative to pandas: `pytest -m benchmark --benchmark-enable`.

pandas gives a table of numbers; ours also knows what a reader of tables must, from the file's hash to its odd cells.
"""

import csv
import io
import statistics
from functools import partial
from time import process_time

import numpy as np
import pandas as pd
import pytest
from test_speed import ratios, report, seconds

from explorer.datasets import preview_table, read_table, read_tables
from explorer.datasets.files import text, text_grid

pytestmark = pytest.mark.benchmark

ROWS, COLUMNS = 200_000, 8


def normals(digits=None):
    """Return the bytes of columns of normal numbers as pandas writes them, 31 MB, more than an upload allows."""
    X = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
    return pd.DataFrame(X, columns=list("abcdefgh")).to_csv(index=False, float_format=digits).encode()


def mixed():
    """Return six columns of few digits, one of three words, one of whole numbers."""
    rng = np.random.default_rng(1)
    columns = {f"v{j}": rng.normal(size=ROWS).round(2) for j in range(6)}
    columns |= {"kind": rng.choice(["red", "green", "blue"], ROWS), "count": rng.integers(0, 1000, ROWS)}
    return pd.DataFrame(columns).to_csv(index=False).encode()


FILES = {"normals": normals, "normals of 8 digits": lambda: normals("%.8f"), "mixed": mixed}


def everyday(rows=ROWS, **changed):
    """Return eight columns of whole numbers, fractions, words and dates, with the changes."""
    rng = np.random.default_rng(2)
    days = pd.date_range("2024-01-01", periods=365).strftime("%Y-%m-%d")
    columns = {"id": np.arange(rows), "count": rng.integers(0, 1000, rows)}
    columns |= {name: rng.normal(size=rows).round(4) for name in "xyz"}
    columns |= {"kind": rng.choice(["red", "green", "light blue"], rows), "day": rng.choice(days, rows)}
    columns |= {"town": rng.choice([f"town {i}" for i in range(200)], rows)}
    return pd.DataFrame(columns | changed)


def with_gaps():
    """Return the everyday columns, five of them with gaps in a twentieth of their rows."""
    table, rng = everyday(), np.random.default_rng(3)
    for name in ("x", "y", "kind", "count", "day"):
        table[name] = table[name].astype(object).where(rng.random(len(table)) >= 0.05, None)
    return table


def wide():
    """500 columns of numbers."""
    return pd.DataFrame(np.random.default_rng(4).normal(size=(2000, 500)).round(4)).add_prefix("c")


SEMICOLONS = {"sep": ";", "decimal": ","}
KINDS = {  # file: (table, how pandas writes it and reads it, with which arguments of read_table)
    "numbers": (lambda: pd.read_csv(io.BytesIO(normals("%.6f"))), {}, {}, (False, True)),
    "everyday": (everyday, {}, {}, (False, True)),
    "quoted words": (everyday, {"quoting": csv.QUOTE_NONNUMERIC}, {}, (False, True)),
    "commas in words": (lambda: everyday(town=["Paris, Texas", "Rome, Georgia"] * (ROWS // 2)), {}, {}, (False, True)),
    "decimal commas": (everyday, SEMICOLONS, SEMICOLONS, (True,)),
    "gaps": (with_gaps, {}, {}, (False, True)),
    "many columns": (wide, {}, {}, (False, True)),
    "2 KB": (lambda: everyday(40), {}, {}, (False, True)),
}


@pytest.mark.parametrize(("kind", "lenient"), [(kind, each) for kind, (*_, ways) in KINDS.items() for each in ways])
def test_a_file_is_read_within_four_times_pandas(kind, lenient, benchmark, tmp_path):
    table, written, read, _ = KINDS[kind]
    path = tmp_path / "table.csv"
    table().to_csv(path, index=False, **written)
    ours = partial(read_table, path, missing="drop", lenient=lenient)
    ours()
    times = [(processor_seconds(ours), processor_seconds(lambda: pd.read_csv(path, **read))) for _ in range(11)]
    ratio = report(benchmark, [mine / other for mine, other in times])
    benchmark.pedantic(ours, rounds=1)
    print(f"\n{kind}, {'leniently' if lenient else 'strictly'}: {ratio:.2f} times pandas")  # noqa: T201
    assert ratio <= 4 + (kind == "decimal commas")  # pandas gets them as an option, and ours detects them


def processor_seconds(act):
    """Return the processor time of one call, which does not depend on what else the machine does."""
    start = process_time()
    act()
    return process_time() - start


def beside_pandas(raw, read, benchmark):
    """Return the median of our time over that of pandas for the same bytes."""
    median = report(benchmark, ratios(lambda: read(raw), lambda: pd.read_csv(io.BytesIO(raw))))
    benchmark.pedantic(read, args=(raw,), rounds=1)
    return median


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("file", FILES)
def test_a_plain_text_is_taken_apart_within_three_times_pandas(file, lenient, benchmark):
    ratio = beside_pandas(FILES[file](), lambda raw: text.parse(raw, "the table", lenient), benchmark)
    print(f"\n{file}, {'leniently' if lenient else 'strictly'}: {ratio:.2f} times pandas")  # noqa: T201
    assert ratio <= 3


USES = {
    "read_table": (read_table, 4),
    "read_table, leniently": (lambda raw: read_table(raw, lenient=True), 4),
    "preview_table, leniently": (lambda raw: preview_table(raw, lenient=True), 5),
    "read_tables of two": (lambda raw: read_tables([raw, raw]), 20),
    "read_tables of two, leniently": (lambda raw: read_tables([raw, raw], lenient=True), 20),
}  # what else is done with a table: its hash, gaps, different values, categories, scales


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("file", ["normals of 8 digits", "mixed"])
def test_what_is_done_with_a_table_costs_little_beside_reading_it(file, use, benchmark):
    read, most = USES[use]
    ratio = beside_pandas(FILES[file](), read, benchmark)
    print(f"\n{file}, {use}: {ratio:.2f} times pandas")  # noqa: T201
    assert ratio <= most


@pytest.mark.parametrize("file", ["normals of 8 digits", "mixed"])
def test_the_careful_reader_takes_five_times_as_long(file, benchmark, monkeypatch):
    raw = FILES[file]()
    fast = statistics.median(seconds(lambda: text.parse(raw, "the table", True)) for _ in range(5))
    monkeypatch.setattr(text_grid, "LEAST", len(raw) + 1)
    slow = seconds(lambda: text.parse(raw, "the table", True))
    benchmark.pedantic(text.parse, args=(raw, "the table", True), rounds=1)
    benchmark.extra_info.update(ratio=slow / fast)
    print(f"\n{file}: {fast:.3f} s at once, {slow:.2f} s with care")  # noqa: T201
    assert slow > 5 * fast
