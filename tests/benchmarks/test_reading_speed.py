"""How long a plain table of 200,000 rows takes to read, beside pandas: `pytest -m benchmark --benchmark-enable`.

pandas gives a table of numbers; ours also knows what a reader of tables must, from the file's hash to its odd cells.
"""

import io
import statistics

import numpy as np
import pandas as pd
import pytest
from test_speed import ratios, report, seconds

from explorer.datasets import grid, preview_table, read_table, read_tables, text

pytestmark = pytest.mark.benchmark

ROWS, COLUMNS = 200_000, 8


def normals(digits=None):
    """The bytes of columns of normal numbers, as pandas writes them: with all digits 31 MB, more than is uploaded."""
    X = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
    return pd.DataFrame(X, columns=list("abcdefgh")).to_csv(index=False, float_format=digits).encode()


def mixed():
    """Six columns of few digits, one of three words, one of whole numbers."""
    rng = np.random.default_rng(1)
    columns = {f"v{j}": rng.normal(size=ROWS).round(2) for j in range(6)}
    columns |= {"kind": rng.choice(["red", "green", "blue"], ROWS), "count": rng.integers(0, 1000, ROWS)}
    return pd.DataFrame(columns).to_csv(index=False).encode()


FILES = {"normals": normals, "normals of 8 digits": lambda: normals("%.8f"), "mixed": mixed}


def beside_pandas(raw, read, benchmark):
    """The median of our time over that of pandas for the same bytes."""
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
    monkeypatch.setattr(grid, "LEAST", len(raw) + 1)
    slow = seconds(lambda: text.parse(raw, "the table", True))
    benchmark.pedantic(text.parse, args=(raw, "the table", True), rounds=1)
    benchmark.extra_info.update(ratio=slow / fast)
    print(f"\n{file}: {fast:.3f} s at once, {slow:.2f} s with care")  # noqa: T201
    assert slow > 5 * fast
