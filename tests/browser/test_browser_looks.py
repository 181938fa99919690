"""The look of the page: on a phone, in the dark, and to a screen reader."""

from __future__ import annotations

import pytest
from helpers.server_process import until

from explorer.marks.roles import ROLES

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

FOLDS = ("Your data", "More", "Python")


def test_a_phone_shows_all_of_the_room_and_a_finger_moves_it(phone):
    lab_page = phone
    lab_page.slider("λ").scroll_into_view_if_needed()
    track = lab_page.track("λ")
    with lab_page.answers("a tap on the track"):
        lab_page.page.touchscreen.tap(track["x"] + 0.3 * track["width"], track["y"] + track["height"] / 2)
    lab_page.follows(lam=lab_page.says("λ"))
    lab_page.unfold(*FOLDS)
    lab_page.page.get_by_text("from explorer import").wait_for()
    assert lab_page.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert lab_page.too_wide() == []


def test_all_that_takes_a_hand_has_a_name(lab_page):
    lab_page.unfold(*FOLDS)
    lab_page.slider("distance").wait_for()
    assert lab_page.nameless() == []
    for name in ("λ", "bandwidth", "n ", "d ", "outliers", "distance"):
        assert lab_page.slider(name).count() == 1


@pytest.mark.thorough
def test_the_toggle_turns_the_room_dark_and_back(lab_page):
    dark = dict(ROLES.values())
    light = until(lambda: (look := lab_page.screenshot()).mean > 170 and look, "a light page")
    inks, grounds = lab_page.glyph_colours(), lab_page.corner_brightness()
    assert min(grounds) > 200
    lab_page.button("theme").click()
    night = until(lambda: (look := lab_page.screenshot()).mean < 80 and look, "a dark page")
    assert min(light.colours, night.colours) > 200
    assert max(lab_page.corner_brightness()) < 60
    assert lab_page.glyph_colours() == [dark[ink] for ink in inks]
    lab_page.button("theme").click()
    until(lambda: lab_page.glyph_colours() == inks and lab_page.corner_brightness() == grounds, "light pictures")
