"""The Shrinkage page without a browser: what the hand moves, what the words do, and what is said, and to whom."""

import math
from html import unescape
from urllib.parse import parse_qsl

import panel_material_ui as pmui
import pytest
from bokeh.document import Document
from bokeh.models import CustomJS
from paging import SLIDERS, ask, drawn, faithful, headline_in, notice, opened, same, trouble, type_in
from panel.util import edit_readonly

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.shrinkage.stories import PRESETS as SHRINKAGE
from explorer.pages.controls import NumberBox
from explorer.views.style import ROLES

# opening


def test_it_opens_at_the_defaults():
    page = opened()
    assert faithful(page)
    assert notice(page) == ""
    assert all(trouble(page, name) == "" for name in page.controls)


@pytest.mark.thorough
def test_it_goes_into_a_document_with_all_it_needs():
    page, doc = opened(), Document()
    doc.add_root(page.__panel__().get_root(doc))
    names = {type(model).__name__ for model in doc.models}
    assert {"Request", "Stamp", "Texts"} <= names
    ids = {model.id for model in doc.models}
    assert {source.id for source in page.view.sources.values()} <= ids
    assert {figure.id for figure in (page.view.hero, page.view.figures["sample"], page.view.figures["filter"])} <= ids
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


def test_refused_words_are_in_the_notice_and_the_good_ones_hold():
    page = opened(bogus="1", kernel="<b>", outliers="20", v="99", d="3")
    assert faithful(page, d=3)
    assert notice(page).count("<li>") == 4
    assert all(word in notice(page) for word in ("bogus", "kernel", "outliers", "version 99"))
    assert "<b>" not in notice(page)
    type_in(page, "d", "4")
    assert notice(page) == ""


@pytest.mark.thorough
def test_theme_is_a_word_of_the_link():
    dark = opened(theme="dark")
    assert notice(dark) == ""
    assert dark.frame.page.dark_theme
    assert not opened().frame.page.dark_theme
    assert {getattr(m, p) for m, p, role in dark.view.paint.painted} <= {night for _, night in ROLES.values()}


def test_a_state_that_cannot_be_shown_opens_with_the_first_picture_and_a_sentence():
    page = opened(source="wine", n="400")
    assert "178" in notice(page)
    assert same(page.view.seen(ShrinkageLab().result()), drawn(page))
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


@pytest.mark.thorough
def test_typed_words_move_the_picture():
    page = opened()
    for words in (
        {"lam": "0.1", "bandwidth": "0.777", "n": " 21 ", "d": "3", "outliers": "7", "distance": "1e4", "seed": "12"},
        {"lam": "inf", "n": "2", "d": "100"},
        {"lam": "0", "bandwidth": "1e-3", "n": "333"},
    ):
        fields = {}
        for name, text in words.items():
            type_in(page, name, text)
            fields[name] = ShrinkageLab.fields[name].parse(text)
            assert faithful(page, **fields)
            assert trouble(page, name) == ""
            if name in SLIDERS:
                slider = page.sliders[name].slider
                assert slider.value == fields[name]
                assert slider.value in slider.options.values()
        page.reset()


WRONG = {
    "lam": ("-1", "abc", "nan"),
    "bandwidth": ("0", "auto", "inf"),
    "n": ("1", "2.5", "5000", "many"),
    "d": ("0", "101"),
    "outliers": ("20", "-1"),
    "distance": ("0", "-3"),
    "seed": ("-1", "x", "1<2"),
}


@pytest.mark.thorough
def test_a_wrong_word_is_refused_beside_its_control_and_the_picture_stays():
    page = opened()
    for name, words in WRONG.items():
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
        page.reset()


def test_a_rest_leaves_what_was_refused_and_what_is_being_typed():
    page = opened()
    box = page.controls["n"].box
    type_in(page, "n", "many")
    page.rest()  # of a move before it
    assert trouble(page, "n")
    assert box.value == "many"
    page.move("seed", seed=5)
    assert trouble(page, "n") == ""
    assert box.value == "20"
    with edit_readonly(box):
        box.value_input = "3"
    page.rest()
    assert box.value_input == "3"


def test_enter_takes_the_last_letter_along():
    page = opened()
    box = page.controls["n"].box
    with edit_readonly(box):
        box.value_input = "31"
    box.param.trigger("enter_pressed")
    assert faithful(page, n=31)


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


def test_a_choice_moves_the_picture():
    page, fields = opened(outliers="3"), {"outliers": 3}
    for name, value in {"kernel": "LIN", "kind": "heavy tail", "selection": "theorem-4", "source": "wine"}.items():
        page.choice[name].value = fields[name] = value
        assert faithful(page, **fields)


@pytest.mark.thorough
def test_a_preset_is_a_press_away_from_anywhere():
    page = opened(kernel="LIN", n="33", lam="0.0123", seed="9")
    for preset in SHRINKAGE:
        pressed(page, preset.name)
        assert faithful(page, **preset.fields)
        assert page.preset() is preset
        assert [b.label for b in page.frame.buttons if b.sx] == [preset.name]
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
    assert page.frame.texts.code == page.python(
        ShrinkageLab(source="wine", n=100, lam=LAMS[10]).result()
    )  # what is drawn
    type_in(page, "n", "150")
    assert notice(page) == ""
    assert faithful(page, source="wine", n=150, lam=LAMS[10])


def test_numbers_too_large_are_a_sentence():
    page = opened(outliers="3", kernel="LIN")
    before = drawn(page)
    type_in(page, "distance", "1e200")
    assert notice(page) or trouble(page, "distance")
    assert same(before, drawn(page))


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
        "mean": "mean",
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


@pytest.mark.thorough
def test_the_theme_repaints_what_is_painted():
    page, doc = opened(), Document()
    doc.add_root(page.__panel__().get_root(doc))
    (repaint,) = [c for c in doc.select({"type": CustomJS}) if "painted" in c.args]
    assert repaint.args["painted"] == [[model, name, role] for model, name, role in page.view.paint.painted]
    assert {role for _, _, role in page.view.paint.painted} <= set(repaint.args["roles"])


@pytest.mark.thorough
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


def shown_small(page):
    """The pictures that are seen in the place of the small ones."""
    return [name for name in ("filter", "coefficients", "risk") if page.arranged.pictures[name].visible]


def test_one_small_picture_is_seen_at_a_time():
    page = opened(picture="risk")
    assert [
        name
        for name, pane in [(n, page.arranged.pictures[n]) for n in ("filter", "coefficients", "risk")]
        if pane.visible
    ] == ["risk"]
    page.choice["picture"].value = "coefficients"
    assert [
        name
        for name, pane in [(n, page.arranged.pictures[n]) for n in ("filter", "coefficients", "risk")]
        if pane.visible
    ] == ["coefficients"]
    assert page.preset() is SHRINKAGE[0]  # a picture is no part of a preset
    assert faithful(page, picture="coefficients")
