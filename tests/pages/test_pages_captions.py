"""Caption links on a page: a press moves the lab, highlights refer to existing marks, and refusals are shown."""

from __future__ import annotations

import json

import pytest
from bokeh.models import Glyph
from every_lab import ROWS
from helpers.page_helpers import open_page

from explorer.markup import markup
from explorer.pages import page_class
from explorer.pages.interaction.caption_links import focusable

pytestmark = pytest.mark.thorough  # the default run tests the parts shared by all pages on the first lab


def page_of(name):
    """Return a lab's page."""
    return open_page(page_class(name), **ROWS[name].quick)


def press(page, words):
    """Send the message of a press on a caption link."""
    wish = page.view.hero.tags[2]
    count = json.loads(wish.pressed)[0] + 1 if wish.pressed else 1
    wish.pressed = json.dumps([count, words])


def script(page):
    """Return the script's arguments."""
    return next(each.args for each in page.view.hero.js_property_callbacks["change:inner_width"] if "wish" in each.args)


def test_a_press_sets_fields_as_typed_words_do():
    page = page_of("shrinkage")
    press(page, "n=30&lam=auto")
    assert (page.lab.n, page.lab.lam) == (30, None)
    assert page.controls["n"].box.value == "30"
    press(page, "lam=0.5")
    assert page.result.lab.lam == 0.5
    assert "lam=0.5" in page.link()


@pytest.mark.thorough
def test_a_menu_brings_what_it_brings_by_hand():
    page = page_of("shrinkage")
    press(page, "source=wine")
    assert page.lab.source == "wine"
    assert page.choice["source"].value == "wine"


@pytest.fixture(scope="module")
def still():
    """Return a page that no test changes."""
    return page_of("shrinkage")


@pytest.mark.parametrize("words", ["n=0", "n=many", "kernel=zzz", "bogus=1", "n=1e9", ""])
def test_what_cannot_be_set_is_refused_in_a_sentence(still, words):
    page, before = still, still.lab.values()
    page.chrome.say([])
    page.controls["n"].refuse("")
    press(page, words)
    assert page.lab.values() == before
    said = page.chrome.notice.object + page.controls["n"].trouble.object
    assert ("alert" in said) == bool(words)
    assert "went wrong" not in said


@pytest.mark.thorough
def test_the_same_may_be_pressed_twice():
    page = page_of("shrinkage")
    press(page, "n=30")
    page.move("n", n=40)
    press(page, "n=30")
    assert page.lab.n == 30


@pytest.mark.thorough(default=["shrinkage", "monk", "density"])
@pytest.mark.parametrize("name", ROWS)
def test_every_role_of_a_caption_has_curves_and_every_field_a_control(name):
    page = page_of(name)
    curves = script(page)["curves"]
    assert all(isinstance(glyph, Glyph) and own for glyph, own in curves)
    assert len({glyph.id for glyph, _ in curves}) == len(curves)
    known = {role for _, own in curves for role in own}
    text = str(page.chrome.caption.object)
    for part in text.split("class='name ")[1:]:
        assert part.split("'")[0] in known
    for part in text.split("data-field='")[1:]:
        field = part.split("'")[0]
        widgets = [*page.controls, *page.choice]
        assert field in widgets
        control = page.controls.get(field) or page.choice[field]
        assert f"at-{field}" in getattr(control, "box", control).css_classes


def test_names_and_controls_are_reached_by_the_tab_key_but_not_formulas():
    text = focusable(markup("<math><mrow class='name kme'></mrow></math><span class='name kme'>KME</span>"))
    assert text.count("tabindex='0'") == 1
    assert "<span tabindex='0' class='name kme'>" in text
