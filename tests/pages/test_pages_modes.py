"""Modes of a page: all of it, the parts of an embedded page, or a lecture; and parts that a link hides."""

import pytest
from bokeh.models import CustomJS
from helpers.page_helpers import link_words, notice, open_page

from explorer.pages import page_class


def seen(page):
    """Return which of the parts that a mode may hide are visible."""
    frame = page.chrome
    parts = {
        "tools": frame.bar.undo,
        "examples": frame.examples,
        "folds": frame.accordion,
        "caption": frame.caption,
        "groups": page.arranged.below,
        "right": page.arranged.right,
        "share": frame.bar.share,
    }
    return {name for name, part in parts.items() if part.visible}


@pytest.mark.thorough(default=["min*"])
@pytest.mark.parametrize(
    ("ui", "there"),
    [
        ("", {"tools", "examples", "folds", "caption", "groups", "right", "share"}),
        ("min", {"caption", "groups", "right"}),
        ("lecture", {"examples", "right", "share"}),
    ],
)
def test_a_mode_shows_what_it_has_and_is_in_the_link(ui, there):
    page = open_page(**({"ui": ui} if ui else {}))
    assert seen(page) == there
    assert link_words(page).get("ui", "") == ui


def test_a_lecture_begins_and_ends_with_its_button_and_its_picture_is_large():
    page = open_page()
    small = page.arranged._first.styles["--share"]
    page.chrome.bar.lecture.clicks += 1
    assert "groups" not in seen(page)
    assert page.arranged._first.styles["--share"] != small
    assert page.chrome.headline.css_classes == ["lecture"]
    assert all(each.css_classes == ["lecture"] for each in page.arranged.legends.values())
    page.chrome.bar.lecture.clicks += 1
    assert "groups" in seen(page)
    assert page.arranged._first.styles["--share"] == small
    assert page.chrome.headline.css_classes == []


def letters(page):
    """Return the font sizes of the main picture's axes and texts."""
    axis = page.view.hero.xaxis[0]
    texts = {each.glyph.text_font_size for each in page.view.hero.renderers if hasattr(each.glyph, "text_font_size")}
    return axis.major_label_text_font_size, axis.axis_label_text_font_size, texts


def test_a_lecture_has_large_letters_and_escape_leaves_it():
    page = open_page(ui="lecture")
    assert letters(page)[:2] == ("19.2px", "16.9px")  # texts inside a picture have less space to grow
    assert "16.9px" in letters(page)[2]
    assert page.view.hero.title.text_font_size == "17.5px"
    page.shortcuts.keys.pressed = '[1, "Escape"]'
    assert page.mode.ui == ""
    assert letters(page)[:2] == ("12px", "13px")
    page.shortcuts.keys.pressed = '[2, "Escape"]'  # in other modes the key does nothing
    assert page.mode.ui == ""


def test_letters_grow_from_the_size_that_the_widget_set_has_written():
    page = open_page()
    page.view.hero.xaxis[0].major_label_text_font_size = "0.925em"  # the size that the browser reports
    page.change_mode("lecture")
    assert letters(page)[0] == "1.48em"
    page.change_mode("")
    assert letters(page)[0] == "0.925em"


def test_letters_grow_once_where_one_picture_knows_another_as_after_a_download():
    """Otherwise two scripts would restore different sizes in turn, without end."""
    page = open_page()
    before = letters(page)[0]
    for one in page.view.figures.values():
        for other in page.view.figures.values():
            one.js_on_event("tap", CustomJS(args={"plot": other}, code=""))
    page.change_mode("lecture")
    assert letters(page)[:2] == ("19.2px", "16.9px")
    kept = [model.id for drawn in page.view.pictures.values() for model, *_ in drawn.letters.keeper.args["sizes"]]
    names = [name for drawn in page.view.pictures.values() for _, name, _ in drawn.letters.keeper.args["sizes"]]
    assert len(kept) == len(set(zip(kept, names, strict=True)))
    page.change_mode("")
    assert letters(page)[0] == before


def test_a_link_hides_controls_of_every_kind():
    page = open_page(hide="n,seed,kernel,fresh,lam")
    hidden = [page.sliders["n"].slider, page.sliders["n"].box, page.controls["seed"].box, page.choice["kernel"]]
    hidden += [page.pressed["fresh"], page.sliders["lam"].slider, page.sliders["lam"].box]
    assert not any(part.visible for part in hidden)
    assert page.sliders["bandwidth"].slider.visible
    assert link_words(page)["hide"] == "n,seed,kernel,fresh,lam"


def test_a_mode_or_a_control_that_is_not_there_is_a_sentence():
    page = open_page(ui="huge", hide="n,<b>")
    assert "ui may be" in notice(page)
    assert "hide names" in notice(page)
    assert "<b>" not in notice(page)
    assert link_words(page)["hide"] == "n"
    assert "right" in seen(page)


@pytest.mark.thorough
def test_an_address_becomes_a_code_that_a_camera_reads_and_a_long_one_a_sentence():
    page = open_page()
    page.chrome.bar.show_qr("http://localhost:5006/shrinkage?n=50")
    assert page.chrome.bar.qr.open
    assert "src='data:image/svg+xml" in page.chrome.bar.qr.text
    page.chrome.bar.show_qr("http://localhost:5006/shrinkage?moved=" + "1" * 2000)
    assert "too long" in page.chrome.bar.qr.text
    page.chrome.bar.show_qr({"not": "an address"})
    assert "data:image/svg" not in page.chrome.bar.qr.text


def test_a_link_opens_the_place_for_data_of_ones_own_and_no_link_keeps_it():
    page = open_page(data="open")
    assert page.chrome.data.visible
    assert page.chrome.opener.open
    assert "data" not in link_words(page)
    assert not open_page().chrome.data.visible
    assert notice(page_class("sweep")({"data": "open"})) == ""


@pytest.mark.thorough
def test_a_lab_without_columns_has_modes_too():
    page = page_class("sweep")({"ui": "min"})
    assert not page.chrome.examples.visible
