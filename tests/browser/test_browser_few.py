"""The Few lab in use: a chosen point, the count while the server is suspended, the flow that plays, the pictures."""

from __future__ import annotations

import json

import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer.labs.few import FewLab
from explorer.labs.few.stories import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("few", "m points", 3, PRESETS[0].name)
HERO = "Drag a chosen point"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every count", 60)
    return room


def test_the_browser_answers_the_count_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every count")
    with server.asleep(), room.answers("one point more"):
        room.press("m points")
    room.follows(m="18")
    assert "18 points chosen by herding" in room.headline
    room.agrees(late=True)


def test_a_chosen_point_is_dragged_and_the_mmd_rises(room):
    room.scroll_up()
    x, y = FewLab().result().look.points[0]
    with room.answers("a drag of a chosen point"):
        room.drag(room.spot(HERO, x, y), room.spot(HERO, 2.0, -1.2))
    until(lambda: room.fields.get("moved"), "the point in the link")
    ((_, place),) = json.loads(room.fields["moved"]).items()
    assert place == pytest.approx([2.0, -1.2], abs=0.06)
    until(lambda: "raises the MMD" in room.trust, "what the move costs")
    room.agrees(late=True)
    room.button("Points back").click()
    until(lambda: not room.fields.get("moved"), "the point back in its place")


@pytest.mark.parametrize(("picture", "called"), [("test", "^Compressed"), ("flow", "^Flow$")])
def test_each_picture_comes_with_a_slider_of_its_own(room, picture, called):
    room.picture(called)
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 60)
    room.agrees(late=True)
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    try:
        assert room.too_wide() == []
    finally:
        room.page.set_viewport_size(DESK)


def test_the_flow_plays(room):
    room.picture("^Flow$")
    room.follows(picture="flow")
    room.button("Play steps").click()
    until(lambda: room.headline and "300 steps" not in room.headline, "a step on the way", 60)
    room.button("Pause steps").click()
    room.agrees(late=True)
