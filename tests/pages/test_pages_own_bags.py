"""Bags of one's own on the page: the columns of bags and of labels are guessed, chosen, used, and linked."""

import asyncio

import numpy as np
import param
import pytest
from paging import notice, opened

from explorer.pages import DistributionsPage
from explorer.pages.own.bags import NONE

pytestmark = pytest.mark.thorough  # what the first lab's page shows of the chassis runs by default


def row(i):
    """Row i of a table of twelve bags of six points, of the classes x and y in turn."""
    bag, other = i // 6, i // 6 % 2
    return f"b{bag},{(1 + other) * np.sin(7.0 * i):.3f},{np.cos(3.0 * i):.3f},{'xy'[other]},{bag}\n"


TABLE = ("bag,u,v,class,level\n" + "".join(map(row, range(72)))).encode()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Coroutines run to their end as they are asked for, each in a loop that is closed again."""
    monkeypatch.setattr(param.parameterized, "async_executor", lambda coroutine: asyncio.run(coroutine()))


@pytest.fixture
def page():
    return opened(DistributionsPage, n="10")


def choose(page, raw, name="t.csv"):
    page.own.file.param.update(value=raw, filename=name)


def trouble(page):
    return page.own.trouble.object


def test_a_table_with_a_column_of_bags(page, tmp_path, monkeypatch):
    choose(page, TABLE)
    assert (page.own.bag.value, page.own.label.value) == ("bag", "class")
    assert page.own.columns.value == ["u", "v", "level"]
    page.own.label.value = "level"
    assert page.own.columns.value == ["u", "v"]
    page.own.label.value = "class"
    page.own.columns.value = ["u", "v"]
    page.own.button.clicks += 1
    assert notice(page) == ""
    assert (page.lab.bag_column, page.lab.label_column, page.lab.columns) == ("bag", "class", '["u", "v"]')
    assert page.result.sides == ("y", "x")
    assert len(page.result.drawn.bags) == 12
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_bytes(TABLE)
    space = {}
    exec(page.frame.texts.code, space)
    assert space["shown"]["value"] == pytest.approx(page.result.value, rel=1e-12, abs=1e-12)
    page.other_class()
    assert page.result.sides == ("x", "y")
    again = opened(DistributionsPage, **page.lab.flat())
    assert "stays with its owner" in notice(again)
    choose(again, TABLE)
    assert (again.own.bag.value, again.own.label.value) == ("bag", "class")
    again.own.button.clicks += 1
    assert again.lab == page.lab
    assert again.result.value == page.result.value


def test_numbers_of_bags(page):
    choose(page, TABLE)
    page.own.label.value = "level"
    page.own.button.clicks += 1
    assert page.result.number
    assert "Over 12 bags" in page.frame.headline.object


def test_what_is_still_to_be_chosen_is_a_sentence(page):
    before = page.lab.values()
    choose(page, TABLE)
    page.own.bag.value = NONE
    page.own.button.clicks += 1
    assert "Choose the column that names the bags" in trouble(page)
    page.own.bag.value = page.own.label.value = "class"
    page.own.button.clicks += 1
    assert "cannot name the bags" in trouble(page)
    page.own.label.value, page.own.columns.value = "level", []
    page.own.button.clicks += 1
    assert "No column of points" in trouble(page)
    assert page.lab.values() == before
