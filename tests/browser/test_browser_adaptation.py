"""The Adaptation lab under hand: the bound while the server sleeps, the target dragged, and every picture."""

from __future__ import annotations

import pytest
from browsing import Place
from serving import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("adaptation", "B largest", 3, "Covariate shift")
HERO = "Drag the diamond"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every bound", 60)
    return room


def test_the_browser_answers_the_bound_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bound")
    with server.asleep(), room.answers("no weights"):
        room.press("B largest", "Home")
    room.follows(bound="1.0")
    assert "100 points count like 100" in room.trust
    room.agrees()


def test_the_target_is_dragged(room):
    room.scroll_up()
    middle, _, _, high = 0.0, 0.0, 3.6, 1.9
    y = -0.9 * high
    with room.answers("a drag of the target"):
        room.drag(room.spot(HERO, 1.0, y), room.spot(HERO, middle, y), room.spot(HERO, -1.0, y))
    until(lambda: abs(float(room.fields["shift"]) + 1.0) < 0.05, "the shift in the link")
    room.agrees()


@pytest.mark.parametrize(
    ("picture", "called"), [("samples", "^20"), ("domains", "^Domains$"), ("weights", "^Weights$")]
)
def test_every_small_picture_comes(room, picture, called):
    room.button(called).click()
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 30)
    room.agrees()
