"""Tables that a lab refuses, or results that it cannot compute: a message, and never the results of other data."""

import asyncio
from unittest.mock import Mock

import numpy as np
import pytest
from helpers.page_helpers import notice, open_page, page_with_file

from explorer.checks import Refusal
from explorer.markup import text_of
from explorer.pages import page_class
from explorer.workbench.numbers import WAITING

pytestmark = pytest.mark.usefixtures("at_once")

MENUS = {"group": "arm", "label": "arm"}


def drawn(n, names="abc", groups=2, still=()):
    """Return a table of n rows as CSV; the columns in `still` are constant."""
    X = np.random.default_rng(0).normal(size=(n, len(names)))
    X[:, list(still)] = 1.0
    rows = [",".join([*(f"{v:.3f}" for v in row), "xy"[i * groups // n if n > 1 else 0]]) for i, row in enumerate(X)]
    return "\n".join([",".join([*names, "arm"]), *rows]).encode()


ONE, FEW, STILL, ALL = drawn(1), drawn(2), drawn(40, still=[0]), drawn(40, still=[0, 1, 2])
REFUSED = [
    *((name, ONE) for name in ("adaptation", "distributions", "few", "marginalized", "monk", "shrinkage", "twosample")),
    *((name, FEW) for name in ("causes", "conditional", "density", "fit", "independence", "kernel_pca")),
    *((name, ALL) for name in ("causes", "density", "fit")),
]


def read(page):
    """Return all texts of a page about its result."""
    frame = page.chrome
    return [text_of(each.object) for each in (frame.headline, frame.live, frame.caption, frame.hint, frame.twin)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "raw"), REFUSED, ids=[f"{name}-{len(raw)}" for name, raw in REFUSED])
def test_a_refused_table_says_why_and_leaves_no_answer(name, raw):
    page = open_page(page_class(name))
    before = [words for words in read(page) if words]
    page_with_file(page, raw, "mine.csv", **MENUS)
    said = text_of(page.user_data.trouble.object)
    assert page.user_data.trouble.visible
    assert said
    assert said in text_of(notice(page))
    assert not set(before).intersection(read(page))
    assert page.blank
    page.navigation.reset()
    assert [words for words in read(page) if words] == before  # after a return to the example


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["independence", "twosample"])
@pytest.mark.parametrize("raw", [b"", b"ACGTA\nGGCAA\nACGGG\n"], ids=["nothing", "strings"])
def test_a_file_without_a_column_that_can_be_used_leaves_no_answer(name, raw):
    page = page_with_file(open_page(page_class(name)), raw, "mine.txt", press=False)
    if not raw:
        asyncio.run(page.user_data.intake.paste._pressed(Mock(data=" ")))
    said = text_of(page.user_data.trouble.object)
    assert said
    assert said in text_of(notice(page))
    assert page.blank


@pytest.mark.slow
@pytest.mark.parametrize("name", ["causes", "few", "independence", "kernel_pca", "shrinkage", "twosample"])
def test_a_refused_table_leaves_the_one_before_in_use(name):
    page = page_with_file(open_page(page_class(name)), drawn(60), "first.csv", **MENUS)
    own, values, said = page.lab.own, page.lab.values(), read(page)
    page_with_file(page, ONE, "second.csv", **MENUS)
    assert page.blank
    assert page.lab.own is own
    assert page.lab.values() == values
    page.move(None, **values)
    assert read(page) == said
    assert not page.blank


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adaptation", "causes", "few", "fit", "independence", "kernel_pca", "twosample"])
def test_undo_goes_back_to_the_table_of_that_state(name):
    page = page_with_file(open_page(page_class(name)), drawn(60), "first.csv", **MENUS)
    first, said, link = page.lab.own, read(page), page.link()
    page_with_file(page, drawn(30, "uvw"), "second.csv", **MENUS)
    assert page.lab.own is not first
    page.navigation.undo()
    assert (page.lab.own, read(page), page.link()) == (first, said, link)
    assert notice(page) == ""
    page.move("seed", seed=9)
    assert page.lab.own is first
    assert not page.blank


@pytest.mark.slow
@pytest.mark.parametrize("still", [[0], [1], [2], [0, 1, 2]])
@pytest.mark.parametrize("name", ["causes", "conditional", "density", "few", "fit", "independence", "kernel_pca"])
def test_nothing_is_computed_for_ever(name, still):
    page = page_with_file(open_page(page_class(name)), drawn(40, still=still), "mine.csv")
    assert not any(WAITING in words for words in read(page))
    if page.blank or page.result.pending():
        assert notice(page)


@pytest.mark.slow
def test_words_of_a_refused_stage_are_not_those_of_one_that_is_coming():
    page = open_page(page_class("causes"))
    result = page.lab.work()
    page.lab.seed = 3
    work = page.lab.work()
    (name, *_) = work.pending() or ["others"]
    assert not work.refused_all
    assert work.why_not(name) == ""
    work.refuse(name, "A column has one value.")
    assert work.why_not(name) == "A column has one value."
    assert result.why_not(name) == ""  # the message was about another state


@pytest.mark.slow
def test_a_lab_says_how_many_rows_it_needs():
    page = open_page(page_class("causes"))
    with pytest.raises(Refusal, match="six"):
        page.use(None, {"file": "six.csv", "n": 6})
    assert page.lab == page.lab_class()
