"""Once the user's table is loaded, every lab shows results from it, and nothing from its example."""

import re

import numpy as np
import pytest
from every_lab import TAKING_TABLES
from helpers.page_helpers import notice, open_page, page_with_file

from explorer.markup import text_of
from explorer.pages import page_class

pytestmark = pytest.mark.usefixtures("at_once")

MENUS = {"group": "arm", "label": "arm"}
TRIES = re.compile(r"<span class='tries'>(.*?)</span>", re.DOTALL)
NO_TABLE = b"\x00\x01\x02" * 50


def table(n=60, names="abcd", seed=0):
    """Return a table of n rows in two groups as CSV."""
    X = np.random.default_rng(seed).normal(size=(n, len(names))) + np.arange(n)[:, None] % 2
    rows = [",".join([*(f"{v:.4f}" for v in row), "xy"[i % 2]]) for i, row in enumerate(X)]
    return "\n".join([",".join([*names, "arm"]), *rows]).encode()


def read(page):
    """Return the page's texts: headline, live region, caption, description, title and code."""
    frame = page.chrome
    shown = [frame.headline, frame.live, frame.caption, frame.twin]
    summary = " ".join(frame.summary(page.result))
    return [words for words in (*(text_of(each.object) for each in shown), summary, frame.bar.share.code) if words]


def tries(page):
    """Return the links in a caption's proposals."""
    return {text_of(words) for words in TRIES.findall(str(page.chrome.caption.object))}


@pytest.mark.slow  # a page takes some seconds
@pytest.mark.parametrize("name", TAKING_TABLES)
def test_nothing_of_the_example_is_left_and_undo_brings_it_back(name):
    page = open_page(page_class(name))
    before, proposed, link = read(page), tries(page), page.link()
    assert len(before) >= 5
    page_with_file(page, table(), "mine.csv", **MENUS)
    after = read(page)
    assert notice(page) == ""
    assert page.lab.file == "mine.csv"
    assert not page.blank
    assert len(after) >= 5
    assert not set(before).intersection(after)
    assert not proposed & tries(page)
    assert page.chrome.presets.chosen == -1
    assert not page.chrome.story.card.visible
    assert "mine.csv" in page.link()
    page.navigation.undo()
    assert (read(page), tries(page), page.link()) == (before, proposed, link)


@pytest.mark.slow
@pytest.mark.parametrize("name", TAKING_TABLES)
def test_a_file_that_cannot_be_read_leaves_no_answer(name):
    page = open_page(page_class(name))
    before = read(page)
    page_with_file(page, NO_TABLE, "photo.csv", press=False)
    assert page.blank
    assert page.user_data.trouble.visible
    assert text_of(page.user_data.trouble.object) in text_of(notice(page))
    assert not set(before[:3]).intersection(read(page))
    page_with_file(page, table(), "mine.csv", **MENUS)
    assert not page.blank
    assert notice(page) == ""
    assert not page.user_data.trouble.visible
    assert not set(before).intersection(read(page))
