"""Answers to the browser's requests, and the table from which the browser answers by itself."""

import contextlib
from html import unescape
from urllib.parse import parse_qsl

import pytest
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent
from helpers.page_helpers import (
    ask,
    error_at,
    headline_in,
    live_columns,
    notice,
    open_page,
    same_columns,
    shows_state,
    type_in,
)

from explorer.checks import Refusal
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.words import headline
from explorer.workbench.slider_stops import steps_of

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab

# the browser's requests


def test_questions_move_the_lab_and_are_answered():
    page, fields = open_page(outliers="2"), {"outliers": 2}
    moves = {"bandwidth": 3, "n": 7, "d": 4, "outliers": 5, "distance": 0, "lam": 12}
    for serial, (name, index) in enumerate(moves.items(), 1):
        fields[name] = list(page.sliders[name].slider.options.values())[index]
        assert ask(page, serial, **{name: [index, False]}) == serial
        assert shows_state(page, **fields)


@pytest.mark.thorough
def test_several_controls_in_one_question():
    page = open_page()
    assert ask(page, 1, bandwidth=[0, False], lam=[5, False]) == 1
    assert shows_state(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[0], lam=LAMS[5])
    assert ask(page, 2, bandwidth=[1, False], lam=[6, True]) == 2
    assert shows_state(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[1], lam=LAMS[6])


@pytest.mark.thorough
def test_a_refused_question_is_answered_too():
    page = open_page(n="10")
    before = live_columns(page)
    index = list(page.sliders["outliers"].slider.options.values()).index(15)
    assert ask(page, 1, outliers=[index, False]) == 1
    assert error_at(page, "outliers")
    assert same_columns(before, live_columns(page))
    assert ask(page, 2, outliers=[1, False]) == 2
    assert error_at(page, "outliers") == ""
    assert shows_state(page, n=10, outliers=1)


@pytest.mark.thorough
def test_a_question_that_cannot_be_shown_is_answered_too():
    page = open_page(source="wine", n="100")
    index = list(page.sliders["n"].slider.options.values()).index(400)
    assert ask(page, 1, n=[index, False]) == 1
    assert "178" in notice(page)


def test_a_question_out_of_range_is_answered_too():
    page = open_page()
    with contextlib.suppress(Refusal):
        ask(page, 1, lam=[999, False])
    assert page.pacer.request.answered == 1
    assert ask(page, 2, lam=[3, False]) == 2
    assert shows_state(page, lam=LAMS[3])


def test_widgets_only_echo_once_a_browser_asks():
    page = open_page()
    ask(page, 1, bandwidth=[0, False])
    page.sliders["n"].slider.value = 50
    assert page.lab.n == 20


def events_of(page, act):
    """Return the (source, column) pairs that an action sends to the browser."""
    doc, heard = Document(), []
    for figure in (page.view.hero, page.view.figures["sample"], page.view.figures["filter"]):
        doc.add_root(figure)
    doc.on_change(heard.append)
    act()
    names = {source.id: name for name, source in page.view.sources.items()}
    return {
        (names[e.model.id], c)
        for e in heard
        if isinstance(e, ColumnDataChangedEvent) and e.model.id in names
        for c in e.cols or e.model.data
    }


def test_what_the_browser_drew_by_itself_is_not_drawn_again():
    page = open_page()
    before, version = live_columns(page), page.display.lookup.stamp.shown
    assert events_of(page, lambda: ask(page, 1, lam=[30, True])) == set()
    assert same_columns(before, live_columns(page))
    assert page.pacer.request.answered == 1
    assert page.display.lookup.stamp.shown == page.display.lookup.stamp.table == version
    assert page.lab == ShrinkageLab(lam=LAMS[30])
    assert dict(parse_qsl(page.link()))["lam"] == str(LAMS[30])
    assert page.chrome.bar.share.code == page.python(ShrinkageLab(lam=LAMS[30]).result())
    assert float(page.controls["lam"].box.value) == LAMS[30]


def test_after_the_browser_drew_by_itself_the_server_draws_all_that_may_be_over():
    page = open_page()
    ask(page, 1, lam=[30, True])
    sent = events_of(page, lambda: type_in(page, "bandwidth", "0.5"))
    assert {key for key, table in page.view.tables(page.result).items() if table.shape[1]} <= sent
    assert shows_state(page, lam=LAMS[30], bandwidth=0.5)


@pytest.mark.thorough
def test_the_headline_comes_back_too():
    """The browser changes the headline by itself, so the server must send its own headline again."""
    page, doc = open_page(lam=str(LAMS[20])), Document()
    doc.add_root(page.__panel__().get_root(doc))
    model = headline_in(page, doc)
    model.text = page.display.lookup.stamp.sentences[30]  # the browser does this with the table's sentence
    ask(page, 1, lam=[30, True])
    assert unescape(model.text) == headline(page.result, 30)
    type_in(page, "lam", str(LAMS[20]))
    assert shows_state(page, lam=LAMS[20])
    assert unescape(model.text) == page.chrome.headline.object


def test_a_drawn_answer_from_an_older_table_is_put_right_when_the_hand_rests(monkeypatch):
    page = open_page()
    monkeypatch.setattr(page.runtime, "schedule_idle_update", lambda: None)  # no idle update
    ask(page, 1, bandwidth=[0, False])
    ask(page, 2, lam=[30, True])
    page.rest()
    assert shows_state(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[0], lam=LAMS[30])


# the table for the λ slider


def stops(page):
    return list(page.sliders["lam"].slider.options.values())


def in_step(page):
    """Return whether the browser's row for each stop of the slider, and for the automatic λ, gives the picture and the
    λ.
    """
    stamp, flat, shown = page.display.lookup.stamp, page.display.lookup.table.data["flat"], live_columns(page)
    lab, lams = page.lab.replace(), [*stops(page), None]
    for row in {*range(0, len(lams), 4), *range(len(lams) - 3, len(lams)), lams.index(page.lab.lam)}:
        lab.lam = lams[row]
        result = lab.result()
        assert unescape(stamp.sentences[row]) == headline(result, result.row)
        for start, length, (key, table) in zip(
            stamp.starts, stamp.lengths, page.view.tables(result).items(), strict=True
        ):
            if table.shape[1] == 0:  # a picture that is not visible
                continue
            told = flat[start + row * length : start + (row + 1) * length] if length else shown[key[0]][key[1]]
            # the table is float32, which is exact to a pixel
            assert told == pytest.approx(table[result.row], rel=1e-6, abs=1e-6, nan_ok=True), (key, lab.lam)
    return stamp.table == stamp.shown and len(stamp.sentences) == len(lams)


@pytest.mark.thorough
def test_a_typed_lam_has_a_stop_and_a_row_of_its_own():
    page = open_page()
    assert in_step(page)
    for text in ("0.0123", "0.1001", "0", "inf", "5e6"):
        type_in(page, "lam", text)
        assert float(text) in stops(page)
        assert len(stops(page)) == len(LAMS) + 1
        assert page.sliders["lam"].slider.value == float(text)
        assert in_step(page), text


def test_a_lam_that_looks_like_a_stop_is_not_that_stop():
    page = open_page(lam="0.1001")
    assert page.lab.lam == 0.1001
    assert 0.1 in stops(page)
    assert in_step(page)


@pytest.mark.thorough
def test_leaving_a_lam_of_ones_own_leaves_the_table_in_step():
    page = open_page(lam="0.0123")
    index = stops(page).index(1.0)
    ask(page, 1, lam=[index, True])
    assert page.lab.lam == 1.0
    assert in_step(page)
    for serial, (name, index) in enumerate([("bandwidth", 3), ("lam", 10), ("n", 4), ("lam", 20)], 2):
        ask(page, serial, **{name: [index, name == "lam"]})
        assert in_step(page)


@pytest.mark.thorough
def test_the_table_follows_every_other_control():
    page = open_page()
    for name, text in (
        ("bandwidth", "0.5"),
        ("n", "35"),
        ("lam", "0.3"),
        ("outliers", "2"),
        ("lam", "auto"),
        ("d", "1"),
    ):
        type_in(page, name, text)
        assert in_step(page), name
    page.choice["source"].value = "wine"
    assert in_step(page)
