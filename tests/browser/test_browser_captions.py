"""Captions in a real browser: what they highlight, what they set, and how their formulas are drawn."""

from __future__ import annotations

import re

import pytest
from browsing import PHONE, SHRINKAGE
from server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

LABS = (
    "shrinkage",
    "marginalized",
    "monk",
    "twosample",
    "independence",
    "conditional",
    "kernel_pca",
    "density",
    "distributions",
    "drift",
    "fit",
    "few",
    "adaptation",
    "dna",
)
# the others, whose file is made and whose caption is set in the same way, come with the slow tests
EACH = [pytest.param(name, marks=() if name in ("shrinkage", "monk") else pytest.mark.slow) for name in LABS]
OUTLINED = """field => [...Bokeh.index.query(({model}) => model.css_classes?.includes(`at-${field}`))]
    .map((view) => view.el.style.outlineStyle)"""


def word(room, selector, place=0):
    """Return a word of the caption, scrolled into view."""
    found = room.page.locator(f".caption {selector}").nth(place)
    found.scroll_into_view_if_needed()
    return found


def canvases(room):
    """Return the pictures once the page is idle."""
    until(lambda: room.rested() and room.still(), "pictures at rest")
    return room.pictures()


def test_a_name_lights_its_curve_and_the_light_goes_out(room):
    word(room, "span.name.skmse")
    before = canvases(room)
    word(room, "span.name.skmse").hover()
    until(lambda: room.pictures() != before, "a lit curve")
    lit = room.pictures()
    word(room, "span.name.fkmse").hover()  # from one word of a caption to another
    until(lambda: room.pictures() not in (before, lit), "the other curve to be lit")
    room.page.mouse.move(3, 3)
    until(lambda: room.pictures() == before, "the pictures as they were")


def test_the_tab_key_lights_it_too(room):
    before = canvases(room)
    word(room, "span.name.skmse").focus()
    room.page.keyboard.press("Shift")
    until(lambda: room.pictures() != before, "a lit curve")
    room.page.evaluate("document.activeElement.shadowRoot?.activeElement?.blur()")
    room.page.mouse.move(3, 3)
    until(lambda: room.pictures() == before, "the pictures as they were")


def test_words_for_a_control_outline_it(room):
    word(room, ".control[data-field=lam]").hover()
    until(lambda: set(room.page.evaluate(OUTLINED, "lam")) == {"solid"}, "an outlined slider and its box")
    room.page.mouse.move(3, 3)
    until(lambda: set(room.page.evaluate(OUTLINED, "lam")) == {""}, "no outline")


def test_a_press_sets_the_field_and_the_link(room):
    pressed = room.page.locator(".told .try").filter(has_text=re.compile("^n = 200$"))
    with room.answers("a press in the caption"):
        pressed.click()
    room.follows(n="200")
    until(lambda: room.box("n").input_value() == "200", "the box to follow")
    assert room.says("n points") == "200"
    pressed.wait_for(state="detached")  # what the lab is at is not proposed


def contrast(room):
    """Return how much lighter than its background a caption is, out of 255."""
    light, dark = room.page.locator(".caption").last.evaluate(
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
def test_formulas_are_set_and_can_be_read(new_room, lab):
    """Each is MathML that is laid out as wide as its letters, apart from its ground, and no wider than a telephone."""
    place = SHRINKAGE._replace(address=lab)
    room = new_room()
    room.place, room.url = place, room.url.replace("/shrinkage", f"/{lab}")
    room.page.goto(f"{room.url}?theme=dark")
    room.page.locator(".caption .equation").last.wait_for()
    until(lambda: room.rested() and room.still(), "a page at rest")
    for formula in room.page.locator(".caption math").all():
        box = formula.bounding_box()
        assert box["width"] > 5
        assert box["height"] > 8
    assert contrast(room) > 128
    room.button("theme").click()
    until(lambda: contrast(room) < -128, "dark letters")
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a page as narrow as a telephone, at rest")
    for formula in room.page.locator(".caption math").all():
        box = formula.bounding_box()
        assert box["x"] + box["width"] <= PHONE["viewport"]["width"]
    assert room.page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["viewport"]["width"]
