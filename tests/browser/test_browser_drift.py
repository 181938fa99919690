"""The Drift lab in use: the break, dragged while the server is suspended, the small pictures, and stationary series."""

from __future__ import annotations

import pytest
from browsing import Place
from server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("drift", "break", 3, "A shift")
HERO = "Drag the break"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every break", 60)
    return room


def test_the_browser_answers_the_break_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every break")
    with server.asleep(), room.answers("the first break"):
        room.press("break")
    room.follows(at="0.525")
    assert "change at row 164" in room.headline  # the best split with the break at row 158 of this series
    room.agrees(late=True)


def test_the_line_is_dragged_along_the_series(room):
    room.scroll_up()
    with room.answers("a drag of the break"):
        room.drag(room.spot(HERO, 150, 0.0), room.spot(HERO, 180, 0.0), room.spot(HERO, 225, 0.0))
    until(lambda: room.fields.get("at") == "0.75", "the break in the link")
    room.agrees(late=True)


@pytest.mark.parametrize(("picture", "called"), [("wealth", "^Betting test$"), ("plane", "^Before")])
def test_every_small_picture_comes(room, picture, called):
    room.picture(called)
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 60)
    room.agrees(late=True)


def test_quiet_series_are_watched(room):
    room.button("series, no change$").click()
    room.follows(samples="100")
    trust = room.page.locator(".trust").first
    until(lambda: "In 100 series without a change" in trust.inner_text(), "what quiet series show", 60)
    room.agrees(late=True)
