"""The Shrinkage page without a browser: what the hand moves, what the words do, and what the browser's questions get."""

import asyncio
import json
import math
from html import unescape
from urllib.parse import parse_qsl

import numpy as np
import panel_material_ui as pmui
import pytest
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent
from bokeh.models import CustomJS
from bokeh.server.callbacks import NextTickCallback
from panel.models import HTML

from explorer.labs import shrinkage
from explorer.labs.presets import SHRINKAGE
from explorer.labs.shrinkage import LAMS, ShrinkageLab
from explorer.labs.shrinkage_words import headline
from explorer.pages import chassis
from explorer.pages.controls import NumberBox, steps_of
from explorer.pages.shrinkage import ShrinkagePage
from explorer.views.shrinkage_columns import seen_columns, seen_tables
from explorer.views.style import ROLES

SLIDERS = ("lam", "bandwidth", "n", "d", "outliers", "distance")


def opened(**words):
    return ShrinkagePage(words)


def type_in(page, name, text):
    page.controls[name].box.value = text


def trouble(page, name):
    """The sentence at a control, or nothing."""
    pane = page.controls[name].trouble
    assert pane.visible == bool(pane.object)
    return pane.object


def notice(page):
    pane = page.frame.notice
    assert pane.visible == bool(pane.object)
    return pane.object


def drawn(page):
    """The columns that stand in the page's live sources."""
    return {s: {c: np.array(v) for c, v in source.data.items()} for s, source in page.view.sources.items()}


def same(a, b):
    return all(np.array_equal(a[s][c], b[s][c], equal_nan=True) for s in a for c in a[s])


def faithful(page, **fields):
    """Whether lab, picture, headline, link and code all show these fields."""
    lab = ShrinkageLab(**fields)
    lab.table = page.lab.table
    result = lab.result()
    link = {k: v for k, v in parse_qsl(page.link(), keep_blank_values=True) if k != "v"}
    return (
        page.lab == lab
        and same(seen_columns(result), drawn(page))
        and page.frame.headline.object == headline(result, result.row)
        and ShrinkageLab.from_flat(link) == (lab, [])
        and page.frame.texts.code == page.python(result)
    )


def headline_in(page, doc):
    """The model that shows the headline in a document."""
    (model,) = [m for m in doc.select({"type": HTML}) if unescape(m.text) == page.frame.headline.object]
    return model


# opening


def test_it_opens_at_the_defaults():
    page = opened()
    assert faithful(page)
    assert notice(page) == ""
    assert all(trouble(page, name) == "" for name in page.controls)


def test_it_goes_into_a_document_with_all_it_needs():
    page, doc = opened(), Document()
    doc.add_root(page.__panel__().get_root(doc))
    names = {type(model).__name__ for model in doc.models}
    assert {"Request", "Stamp", "Texts"} <= names
    ids = {model.id for model in doc.models}
    assert {source.id for source in page.view.sources.values()} <= ids
    assert {figure.id for figure in (page.view.hero, page.view.sample, page.view.filter)} <= ids
    model = headline_in(page, doc)
    type_in(page, "bandwidth", "0.5")
    assert unescape(model.text) == page.frame.headline.object


def test_words_of_a_link_open_the_page_there():
    page = opened(n="50", lam="0.1", kernel="POLY2", outliers="3")
    assert faithful(page, n=50, lam=0.1, kernel="POLY2", outliers=3)
    assert page.controls["n"].box.value == "50"
    assert page.choice["kernel"].value == "POLY2"
    assert page.sliders["lam"].slider.value == 0.1


def test_a_link_leads_back_to_the_page_that_made_it():
    page = opened(kernel="LIN", n="33", lam="inf", seed="8")
    again = ShrinkagePage(dict(parse_qsl(page.link(), keep_blank_values=True)))
    assert again.lab == page.lab
    assert notice(again) == ""
    assert same(drawn(page), drawn(again))


@pytest.mark.parametrize(
    "words", [{"n": "abc"}, {"bogus": "1"}, {"lam": "-1"}, {"kernel": "<b>"}, {"outliers": "20"}, {"v": "99"}], ids=str
)
def test_refused_words_are_in_the_notice_and_the_good_ones_hold(words):
    page = opened(**words, d="3")
    assert faithful(page, d=3)
    (word,) = words
    assert notice(page).count("<li>") == 1
    assert word in notice(page) or word == "v"
    assert "<b>" not in notice(page)
    type_in(page, "d", "4")
    assert notice(page) == ""


def test_theme_is_a_word_of_the_link():
    dark = opened(theme="dark")
    assert notice(dark) == ""
    assert dark.frame.page.dark_theme
    assert not opened().frame.page.dark_theme
    assert {getattr(m, p) for m, p, role in dark.view.paint.painted} <= {night for _, night in ROLES.values()}


def test_a_state_that_cannot_be_shown_opens_with_the_first_picture_and_a_sentence():
    page = opened(source="wine", n="400")
    assert "178" in notice(page)
    assert same(seen_columns(ShrinkageLab().result()), drawn(page))
    type_in(page, "n", "100")
    assert faithful(page, source="wine", n=100)
    assert notice(page) == ""


# the hand


def test_sliders_move_the_picture():
    page, fields = opened(outliers="2"), {"outliers": 2}
    for name, value in {"lam": 0.1, "bandwidth": 0.5, "n": 50, "d": 10, "outliers": 4, "distance": 20.0}.items():
        before = drawn(page)
        page.sliders[name].slider.value = fields[name] = value
        assert not same(before, drawn(page))
        assert faithful(page, **fields)
        assert float(page.controls[name].box.value) == value


@pytest.mark.parametrize("words", [
    {"lam": "0.1", "bandwidth": "0.777", "n": " 21 ", "d": "3", "outliers": "7", "distance": "1e4", "seed": "12"},
    {"lam": "inf", "n": "2", "d": "100"},
    {"lam": "0", "bandwidth": "1e-3", "n": "333"},
], ids=str)  # fmt: skip
def test_typed_words_move_the_picture(words):
    page, fields = opened(), {}
    for name, text in words.items():
        type_in(page, name, text)
        fields[name] = ShrinkageLab.fields[name].parse(text)
        assert faithful(page, **fields)
        assert trouble(page, name) == ""
        if name in SLIDERS:
            slider = page.sliders[name].slider
            assert slider.value == fields[name]
            assert slider.value in slider.options.values()


@pytest.mark.parametrize(("name", "words"), [
    ("lam", ("-1", "abc", "nan")), ("bandwidth", ("0", "auto", "inf")), ("n", ("1", "2.5", "5000", "many")), ("d", ("0", "101")),
    ("outliers", ("20", "-1")), ("distance", ("0", "-3")), ("seed", ("-1", "x", "1<2")),
])  # fmt: skip
def test_a_wrong_word_is_refused_beside_its_control_and_the_picture_stays(name, words):
    page = opened()
    for text in words:
        type_in(page, name, text)
        assert "<div role='alert'" in trouble(page, name)
        assert name in trouble(page, name)
        assert "ShrinkageLab" not in trouble(page, name)
        assert "1<2" not in trouble(page, name)
        assert page.controls[name].box.value == text  # to be mended, not typed again
        assert faithful(page)
        assert [n for n in page.controls if trouble(page, n)] == [name]
    type_in(page, name, "7")
    assert trouble(page, name) == ""
    assert faithful(page, **{name: 7})


def test_an_automatic_lam_can_be_typed_and_pressed():
    page = opened(lam="0.1")
    type_in(page, "lam", "auto")
    assert faithful(page)
    type_in(page, "lam", "0.1")
    pressed(page, "λ")
    assert faithful(page)
    assert page.controls["lam"].box.value == "auto"
    slider = page.sliders["lam"].slider
    assert slider.value_label
    nearest = min(LAMS, key=lambda lam: abs(math.log(lam / page.result.simple.chosen)))
    assert slider.value == nearest
    slider.value = 0.1
    assert not slider.value_label


def pressed(page, word):
    """Press the one button that has this word, wherever it is."""
    (button,) = [button for button in page.frame.page.select(pmui.Button) if word in button.label]
    button.clicks += 1


def test_a_fresh_sample_is_the_next_seed():
    page = opened(seed="41", n="30")
    pressed(page, "New sample")
    assert faithful(page, seed=42, n=30)
    assert page.controls["seed"].box.value == "42"


def test_the_last_seed_has_no_next():
    page = opened(seed=str(2**32 - 1))
    pressed(page, "New sample")
    assert trouble(page, "seed")
    assert faithful(page, seed=2**32 - 1)


@pytest.mark.parametrize(
    ("name", "value"), [("kernel", "LIN"), ("source", "wine"), ("kind", "heavy tail"), ("selection", "theorem-4")]
)
def test_a_choice_moves_the_picture(name, value):
    page = opened(outliers="3")
    page.choice[name].value = value
    assert faithful(page, **{"outliers": 3, name: value})


def test_a_preset_is_a_press_away_from_anywhere():
    page = opened(kernel="LIN", n="33", lam="0.0123", seed="9")
    for preset in SHRINKAGE:
        pressed(page, preset.name)
        assert faithful(page, **preset.fields)
        assert page.preset() is preset
        assert [b.label for b in page.frame.buttons if b.variant == "contained"] == [preset.name]
        assert preset.says in unescape(page.frame.told.object)
    type_in(page, "seed", "5")
    assert page.preset() is None
    assert page.frame.told.object == ""


# what a state cannot show


def test_more_points_than_rows_keep_the_picture_and_say_so():
    page = opened(source="wine", n="100")
    before = drawn(page)
    type_in(page, "n", "400")
    assert "178" in notice(page)
    assert same(before, drawn(page))
    page.rest()  # a rest that was due before the refusal changes nothing
    assert "178" in notice(page)
    assert same(before, drawn(page))
    ask(page, 1, lam=[10, True])
    assert page.lab.lam == LAMS[10]
    assert page.frame.texts.code == page.python(ShrinkageLab(source="wine", n=100, lam=LAMS[10]).result())  # what is drawn
    type_in(page, "n", "150")
    assert notice(page) == ""
    assert faithful(page, source="wine", n=150, lam=LAMS[10])


def test_numbers_too_large_are_a_sentence():
    page = opened(outliers="3", kernel="LIN")
    before = drawn(page)
    type_in(page, "distance", "1e200")
    assert notice(page) or trouble(page, "distance")
    assert same(before, drawn(page))


# the browser's questions


def ask(page, serial, **values):
    page.pacer.request.asked = json.dumps([serial, values])
    return page.pacer.request.answered


def test_questions_move_the_lab_and_are_answered():
    page, fields = opened(outliers="2"), {"outliers": 2}
    moves = {"bandwidth": 3, "n": 7, "d": 4, "outliers": 5, "distance": 0, "lam": 12}
    for serial, (name, index) in enumerate(moves.items(), 1):
        fields[name] = list(page.sliders[name].slider.options.values())[index]
        assert ask(page, serial, **{name: [index, False]}) == serial
        assert faithful(page, **fields)


def test_several_controls_in_one_question():
    page = opened()
    assert ask(page, 1, bandwidth=[0, False], lam=[5, False]) == 1
    assert faithful(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[0], lam=LAMS[5])
    assert ask(page, 2, bandwidth=[1, False], lam=[6, True]) == 2
    assert faithful(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[1], lam=LAMS[6])


def test_a_refused_question_is_answered_too():
    page = opened(n="10")
    before = drawn(page)
    index = list(page.sliders["outliers"].slider.options.values()).index(15)
    assert ask(page, 1, outliers=[index, False]) == 1
    assert trouble(page, "outliers")
    assert same(before, drawn(page))
    assert ask(page, 2, outliers=[1, False]) == 2
    assert trouble(page, "outliers") == ""
    assert faithful(page, n=10, outliers=1)


def test_a_question_that_cannot_be_shown_is_answered_too():
    page = opened(source="wine", n="100")
    index = list(page.sliders["n"].slider.options.values()).index(400)
    assert ask(page, 1, n=[index, False]) == 1
    assert "178" in notice(page)


def test_a_question_out_of_range_is_answered_too():
    page = opened()
    with pytest.raises(IndexError):
        ask(page, 1, lam=[999, False])
    assert page.pacer.request.answered == 1
    assert ask(page, 2, lam=[3, False]) == 2
    assert faithful(page, lam=LAMS[3])


def test_widgets_only_echo_once_a_browser_asks():
    page = opened()
    ask(page, 1, bandwidth=[0, False])
    page.sliders["n"].slider.value = 50
    assert page.lab.n == 20


def events_of(page, act):
    """The (source, column) pairs that an act sends to a document of the page's pictures."""
    doc, heard = Document(), []
    for figure in (page.view.hero, page.view.sample, page.view.filter):
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
    page = opened()
    before, version = drawn(page), page.lookup.stamp.shown
    assert events_of(page, lambda: ask(page, 1, lam=[30, True])) == set()
    assert same(before, drawn(page))
    assert page.pacer.request.answered == 1
    assert page.lookup.stamp.shown == page.lookup.stamp.table == version
    assert page.lab == ShrinkageLab(lam=LAMS[30])
    assert dict(parse_qsl(page.link()))["lam"] == str(LAMS[30])
    assert page.frame.texts.code == page.python(ShrinkageLab(lam=LAMS[30]).result())
    assert float(page.controls["lam"].box.value) == LAMS[30]


def test_after_the_browser_drew_by_itself_the_server_draws_all_that_may_be_over():
    page = opened()
    ask(page, 1, lam=[30, True])
    sent = events_of(page, lambda: type_in(page, "bandwidth", "0.5"))
    assert {key for key, table in seen_tables(page.result).items() if table.shape[1]} <= sent
    assert faithful(page, lam=LAMS[30], bandwidth=0.5)


def test_the_headline_comes_back_too():
    """The browser writes the headline by itself; the server, which still has its own last one, must send that again."""
    page, doc = opened(lam=str(LAMS[20])), Document()
    doc.add_root(page.__panel__().get_root(doc))
    model = headline_in(page, doc)
    model.text = page.lookup.stamp.sentences[30]  # as the table's answer does
    ask(page, 1, lam=[30, True])
    assert unescape(model.text) == headline(page.result, 30)
    type_in(page, "lam", str(LAMS[20]))
    assert faithful(page, lam=LAMS[20])
    assert unescape(model.text) == page.frame.headline.object


def test_a_drawn_answer_from_an_older_table_is_put_right_when_the_hand_rests(monkeypatch):
    page = opened()
    monkeypatch.setattr(page, "_later", lambda: None)  # the hand does not rest
    ask(page, 1, bandwidth=[0, False])
    ask(page, 2, lam=[30, True])
    page.rest()
    assert faithful(page, bandwidth=steps_of(ShrinkageLab.fields["bandwidth"])[0], lam=LAMS[30])


# the table for the λ slider


def stops(page):
    return list(page.sliders["lam"].slider.options.values())


def in_step(page):
    """The browser's row for each stop of the slider, and for the automatic λ, is the picture and the sentence at that λ."""
    stamp, flat, shown = page.lookup.stamp, page.lookup.table.data["flat"], drawn(page)
    lab, lams = page.lab.replace(), [*stops(page), None]
    for row in {*range(0, len(lams), 4), *range(len(lams) - 3, len(lams)), lams.index(page.lab.lam)}:
        lab.lam = lams[row]
        result = lab.result()
        assert unescape(stamp.sentences[row]) == headline(result, result.row)
        for start, length, (key, table) in zip(stamp.starts, stamp.lengths, seen_tables(result).items(), strict=True):
            if table.shape[1] == 0:  # of a picture that is not seen
                continue
            told = flat[start + row * length : start + (row + 1) * length] if length else shown[key[0]][key[1]]
            # the table is float32: a pixel needs no more
            assert told == pytest.approx(table[result.row], rel=1e-6, abs=1e-6, nan_ok=True), (key, lab.lam)
    return stamp.table == stamp.shown and len(stamp.sentences) == len(lams)


@pytest.mark.parametrize("text", ["0.0123", "0.1001", "0", "inf", "5e6"])
def test_a_typed_lam_has_a_stop_and_a_row_of_its_own(text):
    page = opened()
    assert in_step(page)
    type_in(page, "lam", text)
    assert float(text) in stops(page)
    assert len(stops(page)) == len(LAMS) + 1
    assert page.sliders["lam"].slider.value == float(text)
    assert in_step(page)


def test_a_lam_that_looks_like_a_stop_is_not_that_stop():
    page = opened(lam="0.1001")
    assert page.lab.lam == 0.1001
    assert 0.1 in stops(page)
    assert in_step(page)


def test_leaving_a_lam_of_ones_own_leaves_the_table_in_step():
    page = opened(lam="0.0123")
    index = stops(page).index(1.0)
    ask(page, 1, lam=[index, True])
    assert page.lab.lam == 1.0
    assert in_step(page)
    for serial, (name, index) in enumerate([("bandwidth", 3), ("lam", 10), ("n", 4), ("lam", 20)], 2):
        ask(page, serial, **{name: [index, name == "lam"]})
        assert in_step(page)


def test_the_table_follows_every_other_control():
    page = opened()
    for name, text in (("bandwidth", "0.5"), ("n", "35"), ("lam", "0.3"), ("outliers", "2"), ("lam", "auto"), ("d", "1")):
        type_in(page, name, text)
        assert in_step(page), name
    page.choice["source"].value = "wine"
    assert in_step(page)


# long work


@pytest.fixture
def as_if_served(monkeypatch):
    """A document whose callbacks the test runs by itself."""
    doc = Document()
    monkeypatch.setattr(chassis, "_served_document", lambda: doc)
    return doc


def soon(doc):
    """Run what a page left for the document's next tick."""
    for callback in [c for c in doc.session_callbacks if isinstance(c, NextTickCallback)]:
        doc.remove_next_tick_callback(callback)
        asyncio.run(callback.callback())


def test_a_large_sample_is_computed_in_a_thread_and_small_ones_at_once(as_if_served):
    page = opened()
    type_in(page, "n", "50")
    assert page.result.lab.n == 50
    type_in(page, "n", "450")
    assert page.result.lab.n == 50  # the event loop is free
    answered = page.pacer.request.answered
    soon(as_if_served)
    assert page.result.lab.n == 450
    assert page.pacer.request.answered > answered
    assert page.frame.pictures.styles["opacity"] == "1"
    page.rest()
    assert faithful(page, n=450)


@pytest.mark.parametrize(("meanwhile", "fields"), [({"n": 100}, {"n": 100}), ({"seed": 5}, {"n": 450, "seed": 5})], ids=str)
def test_what_the_hand_does_during_long_work_is_what_is_shown(as_if_served, monkeypatch, meanwhile, fields):
    page, compute, moves = opened(), shrinkage.compute, [meanwhile]

    def while_the_hand_moves(lab, *rest):
        if moves and lab.n > chassis.INLINE:
            page.move(None, **moves.pop())
        return compute(lab, *rest)

    monkeypatch.setattr(shrinkage, "compute", while_the_hand_moves)
    type_in(page, "n", "450")
    soon(as_if_served)
    page.rest()
    assert moves == []
    assert faithful(page, **fields)


def test_long_work_that_is_refused_says_so_and_lets_the_browser_go_on(as_if_served):
    page = opened(source="wine")
    before = drawn(page)
    type_in(page, "n", "450")
    answered = page.pacer.request.answered
    soon(as_if_served)
    assert "178" in notice(page)
    assert same(before, drawn(page))
    assert page.pacer.request.answered > answered
    page.rest()
    ask(page, 1, lam=[30, True])  # the old picture is still there to be looked at
    type_in(page, "lam", "0.0123")
    soon(as_if_served)
    page.rest()
    assert "178" in notice(page)
    type_in(page, "n", "40")
    soon(as_if_served)
    page.rest()
    assert faithful(page, source="wine", n=40, lam=0.0123)


# what is said, and to whom


def test_accessible_names_begin_with_the_symbol_or_the_plain_word():
    page = opened()
    begins = {
        "lam": "λ",
        "bandwidth": "bandwidth",
        "n": "n",
        "d": "d",
        "outliers": "outliers",
        "distance": "distance",
        "seed": "seed",
    }
    assert set(page.controls) == set(begins)
    for name, control in page.controls.items():
        assert control.box.label.split()[0] == begins[name]
        if name in page.sliders:
            assert control.slider.label.split()[0] == begins[name]
    assert all(widget.label for widget in page.choice.values())


def test_every_control_is_on_the_page():
    page = opened()
    there = set(page.frame.page.select())
    for control in page.controls.values():
        assert {control.box, control.trouble} <= there
    assert {control.slider for control in page.sliders.values()} <= there
    assert set(page.choice.values()) <= there
    assert isinstance(page.controls["seed"], NumberBox)


def test_the_theme_repaints_what_is_painted():
    page, doc = opened(), Document()
    doc.add_root(page.__panel__().get_root(doc))
    (repaint,) = [c for c in doc.select({"type": CustomJS}) if "painted" in c.args]
    assert repaint.args["painted"] == [[model, name, role] for model, name, role in page.view.paint.painted]
    assert {role for _, _, role in page.view.paint.painted} <= set(repaint.args["roles"])


def test_two_pages_share_nothing():
    one, two = opened(), opened()
    before = drawn(two)
    type_in(one, "n", "50")
    ask(one, 1, lam=[3, True])
    assert faithful(two)
    assert same(before, drawn(two))
    assert two.pacer.request.answered == 0
    assert not two.pacer.live
    assert two.controls["n"].box.value == "20"
    shared = {s.id for s in one.view.sources.values()} & {s.id for s in two.view.sources.values()}
    assert shared == set()


def test_one_small_picture_is_seen_at_a_time():
    page = opened(picture="risk")
    assert [name for name, pane in page.small.items() if pane.visible] == ["risk"]
    page.choice["picture"].value = "coefficients"
    assert [name for name, pane in page.small.items() if pane.visible] == ["coefficients"]
    assert page.preset() is SHRINKAGE[0]  # a picture is no part of a preset
    assert faithful(page, picture="coefficients")
