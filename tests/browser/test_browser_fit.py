"""The Fit lab in use: the bandwidth while the server is suspended, a centre and an edge that are dragged, a line."""

from __future__ import annotations

import json

import pytest
from browsing import Place
from server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("fit", "bandwidth", 3, "A shifted model")
HERO, LINE = "Drag the model", "Drag the density"
CENTRE, EDGE = (0.8, 0.4), (1.8, 0.4)  # of the model, as the lab opens


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every bandwidth", 60)
    return room


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bandwidth")
    with server.asleep(), room.answers("the narrowest kernel"):
        room.press("bandwidth", "Home")
    room.follows(bandwidth="0.1")
    assert "misses a wrong model" in room.headline
    room.agrees(late=True)


def test_the_model_is_dragged_onto_the_data_and_put_back(room):
    room.scroll_up()
    with room.answers("a drag of the centre"):
        room.drag(room.spot(HERO, *CENTRE), room.spot(HERO, 0.4, 0.2), room.spot(HERO, 0.0, 0.0))
    until(lambda: "0" in json.loads(room.fields.get("moved") or "{}"), "the centre in the link")
    until(lambda: "no misfit" in room.headline, "the headline of a model that fits")
    room.agrees(late=True)
    room.button("^Model back$").click()
    until(lambda: not room.fields.get("moved"), "the model where it was")
    until(lambda: room.headline == room.first, "the first headline")


def test_its_edge_is_dragged_to_another_width(room):
    room.scroll_up()
    with room.answers("a drag of the edge"):
        room.drag(room.spot(HERO, *EDGE), room.spot(HERO, 2.0, 0.4), room.spot(HERO, 2.6, 0.4))
    until(lambda: abs(float(room.fields["width"]) - 1.8) < 0.1, "the width in the link")
    room.agrees(late=True)


def test_four_tests_come_and_a_line_has_its_own_picture(room):
    room.picture("^Four")
    room.follows(picture="tests")
    until(lambda: room.still() and min(room.colours()) > 3, "the p of four tests", 60)
    room.open(d="1")
    until(lambda: min(room.colours()) > 3, "the pictures of a line")
    with room.answers("a drag of the centre"):
        room.drag(room.spot(LINE, CENTRE[0], 1.0), room.spot(LINE, 0.4, 0.9), room.spot(LINE, 0.0, 0.9))
    until(lambda: "0" in json.loads(room.fields.get("moved") or "{}"), "the centre in the link")
    room.agrees(late=True)
