"""Captions in a real browser: what they highlight, what they set, and how their formulas are drawn."""

from __future__ import annotations

import re

import pytest
from every_lab import ROWS
from helpers.browsing import PHONE, LabEntry
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

# the others, whose file is made and whose caption is set in the same way, come with the slow tests
EACH = [
    pytest.param(name, marks=() if name in ("shrinkage", "monk") else pytest.mark.slow)
    for name in ROWS
    if name != "sweep"
]
OUTLINED = """field => [...Bokeh.index.query(({model}) => model.css_classes?.includes(`at-${field}`))]
    .map((view) => view.el.style.outlineStyle)"""


def word(lab_page, selector, place=0):
    """Return a word of the caption, scrolled into view."""
    found = lab_page.page.locator(f".caption {selector}").nth(place)
    found.scroll_into_view_if_needed()
    return found


def canvases(lab_page):
    """Return the pictures once the page is idle."""
    until(lambda: lab_page.is_idle() and lab_page.is_still(), "pictures at rest")
    return lab_page.pictures()


def test_a_name_lights_its_curve_and_the_light_goes_out(lab_page):
    word(lab_page, "span.name.skmse")
    before = canvases(lab_page)
    word(lab_page, "span.name.skmse").hover()
    until(lambda: lab_page.pictures() != before, "a lit curve")
    lit = lab_page.pictures()
    word(lab_page, "span.name.fkmse").hover()  # from one word of a caption to another
    until(lambda: lab_page.pictures() not in (before, lit), "the other curve to be lit")
    lab_page.page.mouse.move(3, 3)
    until(lambda: lab_page.pictures() == before, "the pictures as they were")


def test_the_tab_key_lights_it_too(lab_page):
    before = canvases(lab_page)
    word(lab_page, "span.name.skmse").focus()
    lab_page.page.keyboard.press("Shift")
    until(lambda: lab_page.pictures() != before, "a lit curve")
    lab_page.page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    lab_page.page.mouse.move(3, 3)
    until(lambda: lab_page.pictures() == before, "the pictures as they were")


def test_words_for_a_control_outline_it(lab_page):
    word(lab_page, ".control[data-field=lam]").hover()
    until(lambda: set(lab_page.page.evaluate(OUTLINED, "lam")) == {"solid"}, "an outlined slider and its box")
    lab_page.page.mouse.move(3, 3)
    until(lambda: set(lab_page.page.evaluate(OUTLINED, "lam")) == {""}, "no outline")


def test_a_press_sets_the_field_and_the_link(lab_page):
    pressed = lab_page.page.locator(".told .try").filter(has_text=re.compile("^n = 200$"))
    with lab_page.answers("a press in the caption"):
        pressed.click()
    lab_page.follows(n="200")
    until(lambda: lab_page.box("n").input_value() == "200", "the box to follow")
    assert lab_page.says("n points") == "200"
    pressed.wait_for(state="detached")  # what the lab is at is not proposed


def contrast(lab_page):
    """Return how much lighter than its background a caption is, out of 255."""
    light, dark = lab_page.page.locator(".caption").last.evaluate(
        """caption => ['color', 'backgroundColor'].map((name) => {
            let e = caption
            while (name === 'backgroundColor' && /^transparent$|, 0\\)$/.test(getComputedStyle(e)[name]))
                e = e.parentElement ?? e.getRootNode().host
            return getComputedStyle(e)[name].match(/[\\d.]+/g).slice(0, 3).reduce((sum, each) => sum + +each, 0) / 3
        })"""
    )
    return light - dark


@pytest.mark.few(1)
@pytest.mark.parametrize("lab", EACH)
def test_formulas_are_set_and_can_be_read(new_lab_page, lab):
    """Each is MathML that is laid out as wide as its letters, apart from its ground, and no wider than a telephone."""
    place = LabEntry(lab)
    lab_page = new_lab_page()
    lab_page.place, lab_page.url = place, lab_page.url.replace("/shrinkage", f"/{lab}")
    lab_page.page.goto(f"{lab_page.url}?theme=dark")
    lab_page.page.locator(".caption .equation").last.wait_for()
    until(lambda: lab_page.is_idle() and lab_page.is_still(), "a page at rest")
    for formula in lab_page.page.locator(".caption math").all():
        box = formula.bounding_box()
        assert box["width"] > 5
        assert box["height"] > 8
    assert contrast(lab_page) > 128
    lab_page.button("theme").click()
    until(lambda: contrast(lab_page) < -128, "dark letters")
    lab_page.page.set_viewport_size(PHONE["viewport"])
    until(lab_page.is_still, "a page as narrow as a telephone, at rest")
    for formula in lab_page.page.locator(".caption math").all():
        box = formula.bounding_box()
        assert box["x"] + box["width"] <= PHONE["viewport"]["width"]
    assert lab_page.page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["viewport"]["width"]
