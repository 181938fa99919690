"""The names of the user's columns change no number of a lab, and no table of numbers loses a column."""

import numpy as np
import pytest
from every_lab import TAKING_TABLES
from helpers.page_helpers import open_page, page_with_file

from explorer.marks.table import numbers_of
from explorer.pages import page_class
from explorer.tables.html_tables import with_own

pytestmark = pytest.mark.usefixtures("at_once")

PLAIN = ("c1", "c2", "c3", "c4")
OURS = (
    ("weight", "row", "group", "witness"),
    ("of_q", "criticism", "treated", "by_hand"),
    ("bag", "component 1", "density", "target"),
    ("mark", "cluster", "outlier", "value"),
    ("weight", "weight (lab)", "f", "g"),
    ("<b>&", "text", "block", "contaminated"),
)
MENUS = {"group": "arm", "label": "arm"}


def test_every_column_stays_under_a_name_of_its_own():
    own = {name: name for names in OURS for name in names}
    beside = {name: f"ours, {name}" for name in own}
    found = with_own(own, after=beside, before={"row": "first", "new": "second"})
    assert {name: found[name] for name in own} == own
    assert sorted(found.values()) == sorted([*own.values(), *beside.values(), "first", "second"])
    assert "new" in found


def table(names, n=40):
    """Return a table of four columns of numbers and two groups, as CSV."""
    rows = np.random.default_rng(0).normal(size=(n, 4)) + np.arange(n)[:, None] % 2
    lines = [",".join([*(f"{v:.4f}" for v in row), "ab"[i % 2]]) for i, row in enumerate(rows)]
    return "\n".join([",".join([*names, "arm"]), *lines]).encode()


def tables_at(name, columns):
    """Return all tables that a lab's page offers for a table with such columns: (name, [(column, values)])."""
    page = page_with_file(open_page(page_class(name)), table(columns), "t.csv", **MENUS)
    pictures = {seen.of for place in page.view.slots if (seen := page.view.visible_in(page.result, place))}
    drawn = [numbers_of(picture, page.result) for picture in sorted(pictures, key=str)]
    return [list(each.items()) for each in (*page.numbers(page.result).values(), *drawn)]


def same(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and (a.dtype.kind != "f" or np.array_equal(a, b, equal_nan=True))


@pytest.mark.slow  # a page at two tables takes some seconds
@pytest.mark.parametrize("name", TAKING_TABLES)
@pytest.mark.parametrize("names", OURS)
def test_no_column_is_overwritten_by_one_of_the_lab(name, names):
    renamed = dict(zip(PLAIN, names, strict=True))
    for plain, ours in zip(tables_at(name, PLAIN), tables_at(name, names), strict=True):
        assert len(plain) == len(ours)
        for (column, values), (called, others) in zip(plain, ours, strict=True):
            assert same(values, others)
            if column in renamed:
                assert called == renamed[column]
