"""The report of a comparison as a page: its content, and that it is complete, small and safe against hostile names."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas
import pytest
from helpers.naming import naming, one_sentence_names

from explorer import compare
from explorer.comparison import inputs
from explorer.comparison.pictures import plot_data, thumbnail
from explorer.comparison.table import DIFFERING, OTHERS, columns_with_rows, in_order
from explorer.comparison.terminal import table_of_columns
from explorer.comparison.verdict import verdict_of
from explorer.marks.samples import LEVELS, histograms, level_shares
from explorer.markup import text_of
from explorer.plotting.plot import plot

VOID = {"meta", "br"}
TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "section", "h1", "h2", "h3", "p", "b", "bdi",
    "br", "span", "table", "caption", "thead", "tbody", "tr", "th", "td", "svg", "g", "path", "rect", "text", "line",
    "circle", "div", "ul", "li", "pre", "code", "details", "summary",
}  # fmt: skip
HOSTILE = ("<img src=x onerror=alert(1)>", "'\"><script>alert(2)</script>", "</style><b>&amp;{0}", "שלום\u202eעולם")


class Page(HTMLParser):
    """Content of a page: its tags, which must be closed in order, addresses, text, and cells of tables."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.addresses, self.handlers, self.words, self.tables = [], set(), [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action")]
        self.handlers += [name for name, _ in attributes if name.startswith("on")]
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open:
            return
        self.words.append(data)
        if {"td", "th"} & set(self.open) and "svg" not in self.open:
            self.tables[-1][-1][-1] += data

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def frame(seed, n=60, shift=0.0):
    """Return four columns; a shift moves `u` only."""
    rng = np.random.default_rng(seed)
    return pandas.DataFrame(
        {
            "u": rng.normal(5 + shift, 1, n).round(3),
            "count": rng.poisson(3, n),
            "city": rng.choice(["Bonn", "Kiel", "Ulm"], n),
            "skew": np.exp(rng.normal(0, 2, n)).round(4),
        }
    )


@pytest.fixture(scope="module")
def differing():
    return compare(frame(0), frame(1, 70, shift=2.0), n_resamples=99, rng=0)


@pytest.fixture(scope="module")
def page(differing):
    return Page(differing.to_html())


# its texts ------------------------------------------------------------------------------------------------------------


def test_the_verdict_is_two_sentences(differing):
    first, second = map(text_of, verdict_of(differing))
    assert first == differing.headline == f"a and b differ (p = {differing.pvalue:.3g}; 60 and 70 rows, 4 columns)."
    assert re.search(naming("level 0.05", "4 columns", "1", "u"), second)


def test_the_verdict_where_nothing_differs():
    comparison = compare(frame(0), frame(1), n_resamples=99, rng=0)
    first, second = map(text_of, verdict_of(comparison))
    assert first == comparison.headline
    assert comparison.pvalue > 0.05
    assert re.search(naming("level 0.05", "4 columns"), second)


def test_the_table_has_each_column_with_its_numbers(differing, page):
    head, *rows = page.tables[0]
    again, *others = page.tables[1]
    assert head == again == ["Column", "a", "b", "Change", "Adjusted p", "Both samples"]
    assert [row[0] for row in rows] == ["u differs"]
    assert [row[0] for row in others] == ["count", "city", "skew"]
    rows += others
    for row, column in zip(rows, in_order(differing), strict=True):
        assert row[1:3] == [column.before, column.after]
        assert row[3].startswith(column.change)
        assert row[4] == f"{column.adjusted:.3g}"


def test_columns_without_a_difference_are_one_line_that_opens(differing, page):
    text = differing.to_html()
    summary = re.search("<details><summary>(.*?)</summary>", text)
    assert summary is not None
    least = min(column.adjusted for column in differing.columns if column.name != "u")
    for words in ("3 columns", f"{least:.3g}", "count", "city", "skew"):
        assert words in text_of(summary[1])
    assert text.index("<bdi>u</bdi> <b") < summary.start()
    every = compare(frame(0)[["u"]], frame(1, shift=5.0)[["u"]], n_resamples=99, rng=0)
    assert "<details>" not in every.to_html()


def test_the_table_of_a_terminal_folds_as_well(differing):
    whole, folded = (table_of_columns(differing.columns, differing.names, 0.05, folded=fold) for fold in (False, True))
    assert [line.split()[0] for line in whole.splitlines()[1:5]] == [
        column.name for column in sorted(differing.columns, key=lambda column: column.adjusted)
    ]
    assert folded.splitlines()[1].startswith("u ")
    last = folded.splitlines()[-1]
    assert last.startswith("3 columns without a difference")
    assert all(name in last for name in ("count", "city", "skew"))


FILE = "# c\nu,kind,note\n{}\n"


def written(path, seed, odd=()):
    """Write a file with comments, blank lines, and cells of two lines; return its path and its lines."""
    rng = np.random.default_rng(seed)
    rows = [f'{rng.normal():.3f},{"pq"[k % 2]},"said\non two lines"' if k % 7 == 0 else
            f'{90 + k if k in odd else rng.normal():.3f},{"pq"[k % 2]},{"ab"[k % 2]}' for k in range(60)]  # fmt: skip
    rows.insert(20, "")
    path.write_text(FILE.format("\n".join(rows)))
    return path, path.read_text().splitlines()


@pytest.mark.parametrize("large", [False, True], ids=["whole", "in pieces"])
def test_rows_of_files_are_named_by_their_lines(tmp_path, monkeypatch, large):
    monkeypatch.setattr(inputs, "is_large", lambda path: large)
    (a, _), (b, lines) = written(tmp_path / "a.csv", 0), written(tmp_path / "b.csv", 1, (33, 44, 50))
    found = compare(a, b, n_resamples=99, rng=0)
    first = found.rows("b", 3)
    assert sorted(first) == [33, 44, 50]
    at = found.samples.lines(1, first)
    assert [float(lines[line - 1].split(",")[0]) for line in at] == [90.0 + row for row in first]
    out = found.without_influential_rows(3)
    assert set(out.rows_b) <= set(range(60))
    assert out.lines == (found.samples.lines(0, out.rows_a), found.samples.lines(1, out.rows_b))
    head, *rows = Page(found.to_html()).tables[-1]
    assert head[0] == "Line"
    assert [int(row[0]) for row in rows[:3]] == list(at)


def test_lines_stay_with_rows_that_are_split_and_rows_that_are_copies(tmp_path):
    path, lines = written(tmp_path / "a.csv", 0, (33, 44, 50))
    by = compare(path, by="kind", n_resamples=19, rng=0)
    for k, kind in enumerate("pq"):
        at = by.samples.lines(k, by.samples.rows[k])
        assert len(at) == 30
        assert all(lines[line - 1].split(",")[1] == kind for line in at)
    twice = tmp_path / "twice.csv"
    twice.write_text("u,v\n" + "".join(f"{x:.4f},{-x:.3f}\n" * 2 for x in np.random.default_rng(2).normal(size=50)))
    found = compare(twice, written(tmp_path / "b.csv", 1)[0], columns=["u"], n_resamples=19, rng=0)
    if found.samples.compared:
        assert found.samples.lines(0, found.samples.rows[0]) == tuple(2 + row for row in found.samples.rows[0])


def test_rows_of_frames_count_from_0(differing):
    assert differing.samples.lines(0, [3]) == ()
    assert differing.without_influential_rows(2).lines == ((), ())


def test_the_rows_have_the_values_of_the_tables(differing, page):
    for table, which, given in ((page.tables[2], "a", frame(0)), (page.tables[3], "b", frame(1, 70, shift=2.0))):
        head, *rows = table
        assert [int(row[0]) for row in rows] == list(differing.rows(which))
        for row in rows:
            given_row = given.loc[int(row[0])]
            assert row[head.index("city")] == given_row["city"]
            assert float(row[head.index("count")]) == given_row["count"]
            assert float(row[head.index("u")]) == pytest.approx(given_row["u"], abs=0.005)  # two decimals are shown


def test_it_says_what_was_done_and_by_what(differing, page):
    for words in ("For the joint verdict numbers are divided", "city (3 levels)", "99 permutations, seed 0", "NumPy"):
        assert words in page.text


def test_columns_left_out_and_rows_dropped_are_named():
    a, b = frame(0).assign(id=[f"r{i}" for i in range(60)], only=1.0), frame(1).assign(id="x")
    a.loc[3, "u"] = np.nan
    text = Page(compare(a, b, missing="drop", n_resamples=19, rng=0).to_html()).text
    assert "1 row of a " in text
    assert one_sentence_names(text, "only", "left out")


def test_a_row_for_each_batch():
    comparison = compare(frame(0), [frame(1), frame(2, shift=3.0)], n_resamples=499, rng=0)
    page = Page(comparison.to_html())
    head, *rows = page.tables[0]
    assert head == ["Batch", "Rows", "Adjusted p", "Columns that differ"]
    assert rows == [
        ["batch 1", "60", f"{comparison.batches[0].adjusted:.3g}", "none"],
        ["batch 2 differs", "60", f"{comparison.batches[1].adjusted:.3g}", "u"],
    ]
    assert comparison.headline in page.text
    assert one_sentence_names(page.text, "They are", "batch 2")
    assert one_sentence_names(page.text, "rows of all batches")


def test_the_python_repeats_it(differing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame(0).to_csv("a's.csv", index=False)
    frame(1).to_csv("b.csv", index=False)
    found = compare("a's.csv", "b.csv", columns=["u", "city"], level=0.1, n_resamples=49, rng=3)
    assert "level=0.1" in found.python
    assert "missing" not in found.python
    names = {}
    exec(found.python.replace("compare(", "again = compare("), names)
    assert names["again"].to_dict() == found.to_dict()
    assert differing.python.endswith("compare(a, b, n_resamples=99, rng=0)")
    several = compare(frame(0), ["b.csv", frame(2)], n_resamples=19, rng=1).python
    assert several.endswith("compare(a, ['b.csv', b2], n_resamples=19, rng=1)")


def test_a_seed_that_was_drawn_repeats_it():
    drawn = compare(frame(0), frame(1), n_resamples=19)
    assert drawn.python.endswith(f"rng={drawn.seed})")
    assert compare(frame(0), frame(1), n_resamples=19, rng=drawn.seed).to_dict() == drawn.to_dict()


def test_equal_seeds_give_equal_pages(differing, tmp_path):
    again = compare(frame(0), frame(1, 70, shift=2.0), n_resamples=99, rng=0)
    written = again.to_html(tmp_path / "page.html")
    assert differing.to_html() == written == (tmp_path / "page.html").read_text(encoding="utf-8")


# what it is -----------------------------------------------------------------------------------------------------------


def test_it_needs_nothing_else(differing, page):
    text = differing.to_html()
    assert page.addresses == []
    assert page.handlers == []
    assert page.tags <= TAGS
    assert "url(" not in text
    assert "@import" not in text
    assert set(re.findall(r"https?://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}


def test_hostile_names_levels_and_cells_are_text():
    rng = np.random.default_rng(0)
    long = "x" * 900

    def hostile(n, shift):
        table = {name: rng.normal(shift, 1, n) for name in HOSTILE}
        return pandas.DataFrame(table | {"levels": rng.choice([*HOSTILE, long], n), long: rng.normal(0, 1, n)})

    a, b, c = hostile(60, 0), hostile(60, 2), hostile(60, 0)
    for comparison in (compare(a, b, n_resamples=39, rng=0), compare(a, [b, c], n_resamples=39, rng=0)):
        page = Page(comparison.to_html())
        assert page.tags <= TAGS
        assert page.handlers == page.addresses == []
        for name in HOSTILE:
            assert name.replace("\u202e", "\ufffd") in page.text
        assert len(comparison.to_html()) < 120_000  # a long name is cut wherever it stands
        notebook = Page(str(comparison._repr_html_()))
        assert notebook.tags <= TAGS
        assert notebook.handlers == notebook.addresses == []


@pytest.mark.parametrize("by", ["<script>alert(1)</script>", "month"])
def test_hostile_groups_are_text(by):
    table = pandas.concat([frame(0), frame(1)]).assign(**{by: ["<b>one</b>"] * 60 + ["<script>two</script>"] * 60})
    page = Page(compare(table, by=by, n_resamples=19, rng=0).to_html())
    assert page.tags <= TAGS
    assert "<script>two</script>" in page.text


@pytest.mark.thorough
def test_of_many_columns_the_page_stays_small():
    rng = np.random.default_rng(0)
    shift = np.where(np.arange(300) < 5, 3.0, 0.0)
    a, b = rng.normal(size=(40, 300)), rng.normal(size=(40, 300)) + shift
    comparison = compare(a, b, n_resamples=199, rng=0)
    text = comparison.to_html()
    page, count = Page(text), len(comparison.differing)
    assert count >= 5
    assert (len(page.tables[0]) - 1, len(page.tables[1]) - 1) == (count, OTHERS)
    assert text.count("Histograms of") == count + OTHERS
    assert all(re.search(rf"\b{column.name}\b", page.text) for column in comparison.columns)
    assert len(text) < 200_000
    assert [len(part) for part in columns_with_rows(comparison, differing=2)] == [2, OTHERS]
    assert DIFFERING >= count


def test_one_column_of_two_rows_has_a_page():
    comparison = compare([1.0, 2.0], [1.0, 3.0], n_resamples=19, rng=0)
    page = Page(comparison.to_html())
    assert one_sentence_names(page.text, "one column", "x1")
    assert one_sentence_names(page.text, "too few rows", "limits")  # of the difference of medians
    assert Page(compare([5, 5], [5, 5], n_resamples=9, rng=0).to_html()).tables


# its pictures ---------------------------------------------------------------------------------------------------------


def heights(shown, a_bins):
    """Return (shares of a, shares of b) in the bins of a histogram, from its marks."""
    first, line = shown.numbers["first"], shown.numbers["second"]
    low, high = shown.x.range
    a = np.zeros(a_bins)
    a[np.round((first["left"] - low) / (high - low) * a_bins).astype(int)] = first["top"]
    return a, line["y"][1:-1:2]


def test_whole_numbers_have_a_bar_each(differing):
    (column,) = [column for column in differing.columns if column.name == "count"]
    shown, (x, y) = plot_data(differing, column), differing.values("count")
    most = int(max(x.max(), y.max()))
    a, b = heights(shown, most + 1)
    np.testing.assert_array_equal(a, np.bincount(x.astype(int), minlength=most + 1) / 60)
    np.testing.assert_array_equal(b, np.bincount(y.astype(int), minlength=most + 1) / 70)
    assert list(shown.x.ticks.values()) == ["0", str(most)]


def test_far_values_are_in_the_last_bins(differing):
    (column,) = [column for column in differing.columns if column.name == "skew"]
    shown, (x, y) = plot_data(differing, column), differing.values("skew")
    low, high = shown.x.range
    bins = len(shown.numbers["second"]["x"]) // 2 - 1
    a, b = heights(shown, bins)
    edges = np.linspace(low, high, bins + 1)
    for values, shares in ((x, a), (y, b)):
        inside = [np.mean((values >= left) & (values < right)) for left, right in pairwise(edges)]
        np.testing.assert_allclose(shares[1:-1], inside[1:-1], atol=1e-12)
        assert shares.sum() == pytest.approx(1)
        assert shares[-1] == pytest.approx(np.mean(values >= edges[-2]))
    first, last = shown.x.ticks.values()
    assert not first.startswith("≤")  # nothing lies below
    assert last.startswith("≥ ")


def test_levels_are_drawn_as_they_are_shared(differing):
    (column,) = [column for column in differing.columns if column.name == "city"]
    shown = plot_data(differing, column)
    drawn = dict(
        zip(
            shown.numbers["levels"]["words"],
            zip(shown.numbers["first"]["share"], shown.numbers["second"]["share"], strict=True),
            strict=True,
        )
    )
    assert drawn == column.shares
    assert "Bonn" in thumbnail(differing, column)


def test_levels_beyond_the_first_are_together():
    shares = [(f"level {i}", (1 / 13, i / 78)) for i in range(13)]
    shown = level_shares.of(shares)
    assert len(shown.numbers["levels"]["words"]) == LEVELS + 1
    assert shown.numbers["levels"]["words"][-1] == "3 others"
    assert (
        len(level_shares.of(shares[: LEVELS + 1]).numbers["levels"]["words"]) == LEVELS + 1
    )  # one other is drawn itself
    assert shown.numbers["first"]["share"].sum() == pytest.approx(1)
    assert shown.numbers["second"]["share"].sum() == pytest.approx(1)


def test_others_that_would_dwarf_the_levels_are_written():
    shown = level_shares.of([(f"level {i}", (1 / 100, 1 / 100)) for i in range(100)])
    assert len(shown.numbers["first"]["share"]) == LEVELS
    assert shown.numbers["rest"]["words"] == ["90 % and 90 %"]
    assert shown.x.range == pytest.approx((-0.8 / 100, 1.02 / 100))


@pytest.mark.parametrize(
    "values", [[1e308, -1e308, 0.0], [5e-324, 0.0, 0.0], [1e300] * 3, [0.0] * 3, [1e15, 1e15 + 1, 1e15 + 2]]
)
def test_any_numbers_have_a_histogram(values):
    from explorer.datasets.columns.quantity import Quantity

    x = np.array(values)
    shown = histograms.of(x, x[::-1], Quantity("x"))
    assert np.isfinite(shown.x.range).all()
    assert shown.x.range[0] < shown.x.range[1]
    assert shown.numbers["first"]["top"].sum() == pytest.approx(1)


def test_values_are_those_of_the_tables(differing):
    a, b = differing.values("u")
    np.testing.assert_allclose(a, frame(0)["u"], rtol=1e-12)
    np.testing.assert_allclose(b, frame(1, 70, shift=2.0)["u"], rtol=1e-12)
    assert differing.values("city")[0].tolist() == frame(0)["city"].tolist()
    with pytest.raises(ValueError, match=naming("'nope'", "'u'")):
        differing.values("nope")


# elsewhere ------------------------------------------------------------------------------------------------------------


def test_a_notebook_has_the_verdict_and_the_table(differing):
    page = Page(str(differing._repr_html_()))
    assert page.text.startswith(str(differing).split("\n", maxsplit=1)[0])
    assert [row[0] for row in page.tables[0]] == ["Column", "u differs", "count", "city", "skew"]


def test_plot_draws_the_columns_that_differ_most(differing):
    assert len(plot(differing)) == 4
    alone = plot(differing, columns=["count"])
    (bars,) = (each for each in alone if type(each).__name__ == "Rectangles")
    assert bars.dimension_values("y end").sum() == pytest.approx(1)
    assert [element.label for element in alone] == ["", "a", "b"]
    with pytest.raises(ValueError, match=naming("'nope'")):
        plot(differing, columns=["nope"])
    wide = compare(np.random.default_rng(0).normal(size=(30, 9)), np.zeros((30, 9)) + np.arange(30)[:, None], rng=0,
                   n_resamples=19)  # fmt: skip
    assert len(plot(wide)) == 6
