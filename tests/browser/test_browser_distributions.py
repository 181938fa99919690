"""The Distributions lab under hand: the ring, the spread while the server sleeps, and the small pictures."""

from __future__ import annotations

import pytest
from browsing import Place
from serving import until

from explorer.labs.distributions import DistributionsLab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("distributions", "spread", 3, "Narrow and wide")
HERO = "Drag the ring"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every spread", 60)
    return room


def test_the_browser_answers_the_spread_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every spread")
    with server.asleep(), room.answers("the least spread"):
        room.press("spread", "Home")
    room.follows(spread="0.25")
    assert "is called narrow" in room.headline
    room.agrees()


def test_the_ring_is_dragged_over_the_boundary(room):
    room.scroll_up()
    result = DistributionsLab().result()
    y = float(result.curve[result.row])
    with room.answers("a drag of the ring"):
        room.drag(room.spot(HERO, 1.0, y), room.spot(HERO, 0.8, y), room.spot(HERO, 0.5, y))
    until(lambda: room.fields.get("spread") == "0.5", "the spread in the link")
    until(lambda: "is called narrow" in room.headline, "the other side")
    room.agrees()


@pytest.mark.parametrize(("picture", "called"), [("distances", "^Distances$"), ("size", "^Bag")])
def test_every_small_picture_comes(room, picture, called):
    room.button(called).click()
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 60)
    room.agrees()


def test_another_bag_is_stretched(room):
    room.button("^Next bag$").click()
    room.follows(bag="2")
    room.agrees()
