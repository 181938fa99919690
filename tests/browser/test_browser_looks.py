"""The look of the room: on a phone, in the dark, and to a screen reader."""

from __future__ import annotations

import pytest
from server_process import until

from explorer.marks.roles import ROLES

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

FOLDS = ("Your data", "More", "Python")


def test_a_phone_shows_all_of_the_room_and_a_finger_moves_it(phone):
    room = phone
    room.slider("λ").scroll_into_view_if_needed()
    track = room.track("λ")
    with room.answers("a tap on the track"):
        room.page.touchscreen.tap(track["x"] + 0.3 * track["width"], track["y"] + track["height"] / 2)
    room.follows(lam=room.says("λ"))
    room.unfold(*FOLDS)
    room.page.get_by_text("from explorer import").wait_for()
    assert room.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    assert room.too_wide() == []


def test_all_that_takes_a_hand_has_a_name(room):
    room.unfold(*FOLDS)
    room.slider("distance").wait_for()
    assert room.nameless() == []
    for name in ("λ", "bandwidth", "n ", "d ", "outliers", "distance"):
        assert room.slider(name).count() == 1


@pytest.mark.thorough
def test_the_toggle_turns_the_room_dark_and_back(room):
    dark = dict(ROLES.values())
    light = until(lambda: (look := room.look()).mean > 170 and look, "a light page")
    inks, grounds = room.inks(), room.grounds()
    assert min(grounds) > 200
    room.button("theme").click()
    night = until(lambda: (look := room.look()).mean < 80 and look, "a dark page")
    assert min(light.colours, night.colours) > 200
    assert max(room.grounds()) < 60
    assert room.inks() == [dark[ink] for ink in inks]
    room.button("theme").click()
    until(lambda: room.inks() == inks and room.grounds() == grounds, "light pictures")
