"""Rows of the user's tables: they are numbered by the file's lines, and the page counts those left out or drawn."""

import numpy as np
import pytest
from every_lab import ROWS, TAKING_TABLES
from helpers.naming import names_all, one_sentence_names
from helpers.page_helpers import notice, open_page, page_with_file

from explorer.datasets import DataSet, read_table, read_tables
from explorer.labs.few.words import critic_words
from explorer.markup import text_of
from explorer.pages import page_class
from explorer.workbench.user_rows import rows_said

pytestmark = pytest.mark.usefixtures("at_once")

MENUS = {"group": "arm", "label": "arm"}
SHOW_FEW = ("causes", "density", "fit", "conditional", "independence")


def drawn(n, gaps=(), every=4, names="abcde"):
    """Return a table of n rows as CSV; in a column of `gaps` one cell in so many is missing."""
    X = np.random.default_rng(0).normal(size=(n, len(names))) + np.arange(n)[:, None] % 2
    rows = []
    for i, row in enumerate(X):
        cells = ["" if j in gaps and i % every == 0 else f"{v:.4f}" for j, v in enumerate(row)]
        rows.append(",".join([*cells, "xy"[i % 2]]))
    return "\n".join([",".join([*names, "arm"]), *rows]).encode()


def used(name, raw):
    """Return a lab's page that uses a table; if it asks, rows with gaps are left out."""
    page = page_with_file(open_page(page_class(name)), raw, "mine.csv", **MENUS)
    if page.user_data.drop.visible:
        page.user_data.drop.clicks += 1
    assert notice(page) == ""
    assert page.lab.file == "mine.csv"
    return page


# their numbers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"a,b\n1,2\n3,4\n5,6\n", [2, 3, 4]),
        (b"a,b\n1,2\n,4\n5,6\n", [2, 4]),
        (b"# made by hand\na,b\n1,2\n\n3,\n5,6\n", [3, 6]),
        (b"1,2\n3,4\n", [1, 2]),
    ],
)
def test_a_row_is_called_by_the_line_of_its_file(raw, lines):
    table = read_table(raw, missing="drop", lenient=True, name="t.csv")
    assert table.lines.tolist() == lines
    assert [table.place(i) for i in range(table.n)] == [f"line {line}" for line in lines]
    tables = read_tables([raw, raw], missing="drop", lenient=True)
    assert [each.lines.tolist() for each in tables] == [lines, lines]


def test_rows_without_a_file_are_counted_from_1():
    table = DataSet("t", [[1.0], [2.0]], ("a",), target=["x", "y"])
    assert [table.place(0), table.place(1)] == ["row 1", "row 2"]
    assert read_table(_frame(), missing="drop").row_numbers.tolist() == [1, 3]


def _frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"a": [1.0, np.nan, 3.0]})


def test_a_group_keeps_the_lines_of_its_rows():
    table = read_table(b"a,g\n1,x\n2,y\n3,x\n", target="g")
    assert table.where("x").lines.tolist() == [2, 4]
    assert table.where("y").place(0) == "line 3"
    assert table.standardised().lines.tolist() == [2, 3, 4]


@pytest.mark.slow
def test_the_rows_of_both_samples_are_those_of_the_file():
    raw = drawn(40, gaps=[1])
    lines, (head, *rows) = {}, raw.decode().splitlines()
    names = head.split(",")
    for line, row in enumerate(rows, 2):
        lines[f"line {line}"] = dict(zip(names, row.split(","), strict=True))
    page = used("twosample", raw)
    samples, table = page.result.samples, page.numbers(page.result)["sample"]
    assert [f"line {line}" for line in table["line"].tolist()] == list(samples.rows)
    a = samples.own["a"]
    assert len(samples.rows) == 30
    for called, value in zip(samples.rows, a, strict=True):
        assert float(lines[called]["a"]) == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conditional", "independence"])
def test_pairs_are_called_by_the_lines_of_the_file(name):
    raw = drawn(40, gaps=[0])
    rows = raw.decode().splitlines()
    page = used(name, raw)
    pairs, table = page.result.pairs, page.numbers(page.result)["pairs"]
    x = pairs.own[pairs.names[0]]
    assert [f"line {line}" for line in table["line"].tolist()] == list(pairs.rows)
    for called, value in zip(pairs.rows, x, strict=True):
        assert float(rows[int(called.removeprefix("line ")) - 1].split(",")[0]) == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
def test_criticisms_are_lines_of_the_file():
    raw = drawn(40, gaps=[2])
    rows = raw.decode().splitlines()
    page = used("few", raw)
    table = page.numbers(page.result)["sample"]
    for line, value in zip(table["line"].tolist(), table["a"].tolist(), strict=True):
        assert float(rows[line - 1].split(",")[0]) == pytest.approx(value, abs=1e-9)
    first = page.result.number_of(page.result.look.rows[0])
    assert first in table["line"]
    assert str(first) in critic_words(page.result)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TAKING_TABLES if ROWS[name].tables])
def test_every_row_of_a_table_of_numbers_has_the_line_of_the_file(name):
    raw = drawn(40, gaps=[0, 1, 2, 3, 4])
    names, *rows = (line.split(",") for line in raw.decode().splitlines())
    page = used(name, raw)
    for table in ROWS[name].tables:
        found = page.numbers(page.result)[table]
        shared = [column for column in names if column in found]
        assert shared
        assert next(iter(found)) in ("line", "of_q")
        for i, line in enumerate(found["line"].tolist()):
            row = dict(zip(names, rows[line - 2], strict=True))
            for column in shared:
                assert float(row[column]) == pytest.approx(found[column][i], abs=1e-9)


@pytest.mark.slow
def test_both_sides_of_a_pair_have_their_lines():
    raw = drawn(40, gaps=[0])
    names, *rows = (line.split(",") for line in raw.decode().splitlines())
    page = used("monk", raw)
    found = page.numbers(page.result)["pairs"]
    lines = [column for column in found if column.startswith("line")]
    assert len(lines) == 2
    for column in lines:
        side = column.removeprefix("line, ")
        for line, value in zip(found[column].tolist(), found[f"a, {side}"].tolist(), strict=True):
            row = dict(zip(names, rows[line - 2], strict=True))
            assert float(row["a"]) == pytest.approx(value, abs=1e-9)


@pytest.mark.slow
def test_an_outlier_in_the_place_of_a_row_has_no_line():
    page = used("shrinkage", drawn(40))
    page.move("outliers", outliers=3)
    lines = page.numbers(page.result)["sample"]["line"].tolist()
    assert lines[-3:] == ["", "", ""]
    assert sorted(lines[:-3]) == sorted(set(lines[:-3]))
    assert all(2 <= line <= 41 for line in lines[:-3])


# what was dropped, and what is drawn --------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKING_TABLES)
def test_a_headline_says_which_rows_it_rests_on(name):
    page = used(name, drawn(80, gaps=[0]))
    said = text_of(page.chrome.headline.object)
    assert "20 of 80" in said
    assert rows_said(page.lab)
    assert "20 of 80" not in text_of(used(name, drawn(80)).chrome.headline.object)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TAKING_TABLES if name != "distributions"])
def test_a_headline_says_that_rows_are_drawn(name):
    page = used(name, drawn(1500))
    whole = page.lab.n * (2 if hasattr(page.lab, "m") else 1) == 1500
    assert ("rows are drawn" in text_of(page.chrome.headline.object)) != whole


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOW_FEW)
def test_only_gaps_in_columns_that_a_lab_uses_cost_rows(name):
    page = page_with_file(open_page(page_class(name)), drawn(80, gaps=[3]), "mine.csv", press=False)
    page.user_data.button.clicks += 1
    assert page.lab.own.n == 80
    assert not page.user_data.drop.visible
    assert "left out" not in rows_said(page.lab)


def three(arms="xyz"):
    """Return a table of 90 rows in several groups."""
    X = np.random.default_rng(0).normal(size=(90, 2))
    rows = [f"{a:.3f},{b:.3f},{arms[i % len(arms)]}" for i, (a, b) in enumerate(X)]
    return "\n".join(["a,b,arm", *rows]).encode()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adaptation", "monk", "twosample"])
def test_groups_that_are_not_compared_are_named(name):
    page = used(name, three())
    assert one_sentence_names(text_of(page.chrome.headline.object), "Not compared", "z", "arm")
    assert "Not compared" not in rows_said(used(name, three("xy")).lab)


@pytest.mark.slow
def test_any_two_of_many_groups_are_offered():
    assert len(used("twosample", three("abcdefghijklmnopqr")).pairs.options) == 18 * 17 // 2


@pytest.mark.slow
def test_there_are_no_more_bags_than_rows_make():
    page = used("distributions", three("xy"))
    bags = page.result.drawn.bags
    assert page.lab.bags == len(bags)
    page.move("n", n=11)
    bags = page.result.drawn.bags
    inside = sum(map(len, bags))
    assert inside < 90
    assert names_all(text_of(page.chrome.caption.object), f"{inside} of 90", len(bags))
