"""The Density lab under hand: a blob's centre, the steps while the server sleeps, and the small pictures."""

from __future__ import annotations

import json
import re

import pytest
from browsing import Place, Room
from serving import until

from explorer.labs.density import DensityLab
from explorer.labs.density.words import headline

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("density", "steps", 3, "A good fit")
HERO = "Drag a blob"


@pytest.fixture(scope="module")
def kept(profile, server):
    room = Room(profile, server.url, PLACE).open()
    until(room.tabled, "the table of every step", 60)
    return room


def meant(room):
    """What a page says at the words of the room's link, by the library alone."""
    lab, refused = DensityLab.from_flat({name: word for name, word in room.fields.items() if name != "v"})
    assert refused == []
    return re.sub("<.*?>", "", headline(lab.result()).partition("</div>")[0])


def test_the_browser_answers_the_steps_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every step")
    with server.asleep(), room.answers("the start"):
        room.press("steps", "Home")
    room.follows(iteration="0")
    assert room.headline.startswith("The start, k-means")
    until(lambda: room.headline == meant(room), "the headline of the link")


def test_a_blob_is_dragged_and_put_back(room):
    room.scroll_up()
    x, y = DensityLab().result().mixture.means[0]
    with room.answers("a drag of a blob"):
        room.drag(room.spot(HERO, x, y), room.spot(HERO, x + 1, y), room.spot(HERO, x + 4, y + 3))
    until(lambda: "0" in json.loads(room.fields.get("moved") or "{}"), "the blob in the link")
    until(lambda: "one blob moved by hand" in room.headline, "the headline of the hand")
    until(lambda: room.headline == meant(room), "the headline of the link")
    room.button("^Blobs back$").click()
    until(lambda: not room.fields.get("moved"), "the blobs where the fit has them")
    until(lambda: room.headline == room.first, "the first headline")


@pytest.mark.parametrize(("picture", "called"), [("blobs", "^Blobs$"), ("entropy", "^Maximum"), ("samples", "^20")])
def test_every_small_picture_comes(room, picture, called):
    room.button(called).click()
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 30)
    until(lambda: room.headline == meant(room), "the headline of the link")
