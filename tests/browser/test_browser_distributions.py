"""The Distributions lab in use: the bag, the spread while the server is suspended, and the small pictures."""

from __future__ import annotations

import pytest
from browsing import Place
from server_process import until

from explorer.labs.distributions.figures import LANE

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("distributions", "spread", 3, "Narrow and wide")
HERO = "Drag the magenta bag"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every spread", 60)
    return room


def test_the_browser_answers_the_spread_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every spread")
    with server.asleep(), room.answers("the least spread"):
        room.press("spread", "Home")
    room.follows(spread="0.354")
    assert "is classified as narrow" in room.headline
    room.agrees()


def test_the_bag_is_dragged_over_the_boundary(room):
    room.scroll_up()
    with room.answers("a drag of the bag"):
        room.drag(room.spot(HERO, 1.0, LANE), room.spot(HERO, 0.8, LANE), room.spot(HERO, 0.5, LANE))
    until(lambda: room.fields.get("spread") == "0.5", "the spread in the link")
    until(lambda: "is classified as narrow" in room.headline, "the other side")
    room.agrees()


@pytest.mark.parametrize(("picture", "called"), [("distances", "^Distances$"), ("size", "^Bag"), ("outputs", "^Two")])
def test_every_small_picture_comes(room, picture, called):
    room.picture(called)
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 60)
    room.agrees()


def test_another_bag_is_stretched(room):
    room.button("^Next bag$").click()
    room.follows(bag="2")
    room.agrees()
