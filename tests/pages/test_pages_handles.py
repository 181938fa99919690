"""Dragged handles, and messages that no browser sends: pages answer with a message and keep the picture."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from every_lab import ROWS, with_fact
from helpers.naming import naming
from helpers.page_helpers import ask, error_at, live_columns, notice, open_page, same_columns

from explorer.checks import Refusal
from explorer.pages import page_class
from explorer.pages.interaction.drag import parse_drag
from explorer.pages.page import LabPage
from explorer.pages.widgets.number_grid import NumberGrid
from explorer.workbench.safe_call import WENT_WRONG

HANDLES = with_fact("handles")
BAD = [
    [10**9, 0.0, 0.0],
    [-1, 0.0, 0.0],
    [0.5, 0.0, 0.0],
    [math.nan, 0.0, 0.0],
    [math.inf, 0.0, 0.0],
    [True, 0.0, 0.0],
    ["0", 0.0, 0.0],
    [None, 0.0, 0.0],
    [[0], 0.0, 0.0],
    [0, math.nan, 0.0],
    [0, math.inf, 0.0],
    [0, "1", 0.0],
    [0, None, 0.0],
    [0, 1e300, 0.0],
    [0, 10**400, 0.0],
    [0, 0.0],
    [0, 0.0, 0.0, 0.0],
    [],
    None,
    "point",
    7,
    {"row": 0},
    [[0.0, 0.0, 0.0]],
    [[math.nan, 0.0]],
    [["a", "b"]],
    ["placed", 10**9],
    ["placed", -1],
    ["placed", 0.5],
    ["placed"],
    [None, None],
]


def words_of(name):
    """Return the words of a link to a page with all its handles."""
    return ROWS[name].quick | ROWS[name].dragged


def fields_of(name):
    """Return the parameters that a page opens with."""
    return page_class(name).lab_class.from_flat(words_of(name))[0].values()


@cache
def _kept(name):
    return open_page(page_class(name), **words_of(name))


@pytest.fixture(scope="module", autouse=True)
def kept():
    """Share the pages of the module's tests."""
    yield
    _kept.cache_clear()


def page_of(name):
    """Return a lab's page in its opening state."""
    page = _kept(name)
    page.move(None, **fields_of(name))
    page.chrome.say([])
    return page


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "monk", "twosample"])
@pytest.mark.parametrize("name", HANDLES)
def test_a_handle_that_is_not_there_is_a_sentence_and_the_picture_stays(name):
    page = page_of(name)
    before, fields = live_columns(page), page.lab.values()
    for handle in HANDLES[name]:
        for value in BAD:
            page.chrome.say([])
            page.on_drag(handle, value)
            assert page.lab.values() == fields, (handle, value)
            said = notice(page) + "".join(error_at(page, control) for control in page.controls)
            assert WENT_WRONG not in said
            nobody = name == "dna" or handle == "chosen" or (handle, value) == ("added", [])  # no request
            assert said or nobody, (handle, value)
    assert same_columns(before, live_columns(page))
    page.on_drag("nobody", [0, 0.0, 0.0])
    assert page.lab.values() == fields
    answers(page, name)


def test_points_are_counted_from_0_to_one_less_than_there_are():
    assert [parse_drag([row, 0.5, 2], 3) for row in range(3)] == [(0, 0.5, 2), (1, 0.5, 2), (2, 0.5, 2)]
    for row in (-1, 3):
        with pytest.raises(Refusal, match=naming(row, "3 counted from 0")):
            parse_drag([row, 0.5, 2], 3)


def test_the_table_names_every_page_that_has_handles():
    pages = {name: page_class(name) for name in ROWS}
    own = {name for name, page in pages.items() if page.handles or page.on_drag is not LabPage.on_drag}
    assert own == set(HANDLES)


@pytest.mark.thorough
@pytest.mark.parametrize("place", [(math.nan, 0), (None, 0), (math.inf, -math.inf), ("0", 1), (1e300, 0), (-5, 99)])
def test_a_press_beside_the_map_of_a_sweep_picks_nothing(place):
    page = page_of("sweep")
    page.pick(*place)
    assert page.lab.picked == 0
    page.pick(0, 0)
    assert page.lab.picked == 1


@pytest.mark.parametrize("index", [10**9, -1, 1.5, math.nan, "3", None, True, [0]])
def test_a_stop_that_a_slider_has_not_is_a_sentence(index):
    control = page_of("shrinkage").sliders["n"]
    with pytest.raises(ValueError, match=naming("n", "0", len(control.steps) - 1)):
        control.at(index)
    assert control.at(0) == control.steps[0]


@pytest.mark.thorough
@pytest.mark.parametrize("word", ["nan", "1e999", "abc", "", "-1", "0.5", "100", "9" * 5000])
def test_a_box_of_the_table_that_holds_no_number_is_a_sentence(word):
    page = page_of("conditional")
    page.move(None, picture="table")
    before, fields = live_columns(page), page.lab.values()
    for again in ("3", "2"):  # the current number, and another one
        page.editor.boxes[0, 0].value = word
        assert "counts" in notice(page)
        assert page.lab.values() == fields
        assert same_columns(before, live_columns(page))
        page.editor.boxes[0, 0].value = again
        assert (page.lab.table_counts[0, 0], notice(page)) == (int(again), "")


def test_a_grid_hands_on_what_is_no_number():
    heard = []
    grid = NumberGrid(heard.append, ("row", 1, 3), ("column", 1, 3))
    grid.show(["a"], "y", np.array([[1.0, 2.0]]))
    for word in ("x", "nan", "3"):
        grid.boxes[0, 0].value = word
    (first,), (second,), (third,) = heard
    assert (first, third) == (["x", 2], [3, 2])
    assert math.isnan(second[0])


def junk(rng, depth=2):
    """Return a random value for a message, valid or not."""
    kind = rng.integers(9 if depth else 7)
    if kind < 3:
        return [int(rng.integers(-3, 40)), *rng.normal(size=2).round(3).tolist()]
    if kind == 3:
        return [None, math.nan, math.inf, True, "x", "", 10**400, -1e300, {}, []][rng.integers(10)]
    if kind == 4:
        return int(rng.integers(-5, 10**6))
    if kind == 5:
        return float(rng.normal())
    if kind == 6:
        return ["placed", int(rng.integers(-3, 10))]
    return [junk(rng, depth - 1) for _ in range(rng.integers(5))]


def bombarded(name, count, seed):
    """Return a page after `count` random messages, checking that it survives each."""
    page, rng = page_of(name), np.random.default_rng(seed)
    for _ in range(count):
        names = [*HANDLES[name], "nobody"]
        page.on_drag(names[rng.integers(len(names))], junk(rng))
        assert WENT_WRONG not in notice(page)
    return page


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "monk"])
@pytest.mark.parametrize("name", HANDLES)
def test_a_page_answers_a_good_message_after_bad_ones(name):
    answers(bombarded(name, 12, 5), name)


@pytest.mark.few(3)
@pytest.mark.thorough
@pytest.mark.parametrize("name", HANDLES)
def test_a_page_lives_through_many_messages(name):
    answers(bombarded(name, 112, 6), name)  # more than a thousand messages over all pages with handles


def answers(page, name):
    handle, value = next(iter(HANDLES[name].items()))
    page.move(None, **fields_of(name))
    serial = page.pacer.asked + 1
    assert ask(page, serial, **{handle: [value, False]}) == serial
    result = page.lab.result()
    assert page.lab.values() != fields_of(name)
    assert same_columns(page.view.columns(result), live_columns(page))
