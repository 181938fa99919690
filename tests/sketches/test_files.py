"""Tables read in chunks, against the same tables read whole: names, kinds, numbers, words, units, remarks."""

from itertools import chain

import numpy as np
import pytest
from helpers.naming import naming
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.checks import Refusal
from explorer.datasets.columns.table import normalise_truth_values
from explorer.datasets.files import text_chunks
from explorer.datasets.files.lazy_cells import EncodedColumn
from explorer.datasets.read_table import parse
from explorer.sketches import files
from explorer.sketches.first_pass import ColumnSummary, _join

NUMBERS = ["1", "2.5", "-3", "0.25", "1e3", "700"]
KINDS = {  # for each column: the cells that most rows have, and those that few have
    "numbers": (NUMBERS, ["", "NA", "#N/A", "-", "<0.5", "12 kg", "1,234", "word", "007"]),
    "commas": (["1,5", "2,25", "-3,0", "4"], ["", "1.234,5", "n/a", "1.5"]),
    "thousands": (["1,234", "12,345", "7,000"], ["1,234.5", "999", "1,5", ""]),
    "points": (["1.234", "12.345", "7.000"], ["1.234,5", "999", "1.5", ""]),
    "whole": (["12", "900", "7"], ["1.000", "2,000", "1.250", "0.5", "0,5", ""]),
    "units": (["70.1 kg", "65 kg"], ["70.1 lb", "", "<60 kg", "70"]),
    "words": (["a", "b", "c c"], ["", "NA", "-", "None", "1"]),
    "truth": (["TRUE", "FALSE"], ["true", "", "yes"]),
    "dates": (["01/02/2024", "03/04/2024"], ["13/02/2024", "02/13/2024", "2024-01-02", "", "soon"]),
    "codes": (["007", "012"], ["1", "12", "x", ""]),
    "signs": (["+", "-"], ["++", ""]),
}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(text_chunks, "HEAD", 120)
    monkeypatch.setattr(text_chunks, "BLOCK", 90)


def gathered(path):
    """Return (names, cells, units, remarks) of a file in chunks, read until nothing changes."""
    table = files.table_of(path)
    for _ in range(20):
        pieces, said, remarks = [], {}, {}
        for reader in table.chunks():
            pieces.append(reader())
            _join(said, pieces[-1].unusual)
            remarks |= dict.fromkeys(pieces[-1].remarks)
        if not table.changed:
            break
    columns = [[piece.columns[name].cells for piece in pieces] for name in table.names]
    units = [{piece.columns[name].unit for piece in pieces} - {""} for name in table.names]
    limited = [sum(piece.columns[name].limited for piece in pieces) for name in table.names]
    return (
        table.names,
        [list(chain.from_iterable(map(_listed, parts))) for parts in columns],
        units,
        limited,
        table.unusual(said, remarks),
    )


def _listed(part):
    return [part.cells[k] for k in part.codes] if isinstance(part, EncodedColumn) else part.tolist()


def small(path):
    table = parse(path, lenient=True)
    cells = [_words(each) if each.numbers is None else each.numbers.tolist() for each in table.columns]
    units = [{each.unit} - {""} for each in table.columns]
    return tuple(table.by_name), cells, units, [each.n_limits for each in table.columns], list(table.remarks)


def _words(column):
    return ["" if cell in column.gaps else cell for cell in normalise_truth_values(column.cells)]


def _same(some, others):
    """Return whether cells are equal; a column of missing cells has no kind."""
    gap = [[x == "" or x != x for x in each] for each in (some, others)]
    return gap[0] == gap[1] and all(x == y for x, y, none in zip(some, others, gap[0], strict=True) if not none)


def same(path):
    whole, pieces = small(path), gathered(path)
    assert pieces[0] == whole[0]
    for name, one, other in zip(whole[0], whole[1], pieces[1], strict=True):
        assert _same(one, other), name
    assert pieces[2:4] == whole[2:4]
    assert set(pieces[4]) - {"gaps"} == set(whole[4]) - {"gaps"}


@st.composite
def tables(draw):
    """Return the text of a table with columns of these kinds, most cells of which are alike."""
    kinds = draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4))
    n = draw(st.integers(25, 60))
    mark = draw(st.sampled_from([";", ",", "\t"]))
    odd = draw(st.integers(0, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns = []
    for kind in kinds:
        usual, rare = KINDS[kind]
        cells = rng.choice(usual, n).tolist()
        for k in rng.integers(0, n, odd):
            cells[k] = str(rng.choice(rare))
        columns.append(cells)
    columns.append([f"row {i % 7}" for i in range(n)])  # so that no line is blank
    head = [f"{kind}{j}" for j, kind in enumerate([*kinds, "row"])]
    return "\n".join(
        mark.join(f'"{cell}"' if mark in cell else cell for cell in line)
        for line in [head, *zip(*columns, strict=True)]
    )


@pytest.mark.thorough
@settings(max_examples=100, deadline=None)
@given(tables())
def test_pieces_hold_what_the_whole_holds(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("text") / "a.csv"
    path.write_text(text)
    same(path)


@pytest.mark.parametrize("attribute", ["kinds", "units", "zones"])
def test_two_files_that_write_a_column_differently_are_named(attribute):
    """The first pass records the first file of each kind, unit and zone; two of them are one too many."""
    found = ColumnSummary()
    getattr(found, attribute)["one way"] = "a.csv"
    found.column("when", np.zeros(1))
    getattr(found, attribute)["another way"] = "b.csv"
    with pytest.raises(Refusal, match=naming("'when'", "one way", "a.csv", "another way", "b.csv")):
        found.column("when", np.zeros(1))


@pytest.mark.parametrize("word", ["", "Total"])
def test_a_last_line_that_adds_up_is_no_row(tmp_path, word):
    sizes = [1 + i * i % 7 for i in range(40)]
    rows = "".join(f"{size},{'ab'[i % 2]}\n" for i, size in enumerate(sizes))
    path = tmp_path / "t.csv"
    path.write_text(f"size,who\n{rows}{sum(sizes)},{word}\n")
    _, cells, *_ = gathered(path)
    assert cells == [sizes, list("ab" * 20)]
    path.write_text(f"size,who\n{rows}{sum(sizes) + 1},{word}\n")
    _, cells, *_ = gathered(path)
    assert cells == [[*sizes, sum(sizes) + 1], [*"ab" * 20, word]]
