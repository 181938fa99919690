"""The Adaptation lab in use: the shift while the server is suspended, the target dragged, and every picture."""

from __future__ import annotations

import pytest
from browsing import Place
from server_process import until

from explorer.labs.adaptation import AdaptationLab
from explorer.labs.adaptation.figures import GRIP

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("adaptation", "shift", 3, "Covariate shift")
HERO = "Drag the diamond"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every shift", 60)
    return room


def test_the_browser_answers_the_shift_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every shift")
    before = room.headline
    with server.asleep(), room.answers("no overlap"):
        room.press("shift", "End")
    room.follows(shift="3.0")
    assert room.headline != before
    assert "Effective sample size" in room.trust
    room.agrees()


def test_the_target_is_dragged(room):
    room.scroll_up()
    _, middle, _, high = AdaptationLab().result().frame
    y = middle - GRIP * high
    with room.answers("a drag of the target"):
        room.drag(room.spot(HERO, 1.0, y), room.spot(HERO, 1.5, y), room.spot(HERO, 2.0, y))
    until(lambda: abs(float(room.fields["shift"]) - 2.0) < 0.05, "the shift in the link")
    room.agrees()


@pytest.mark.parametrize(
    ("picture", "called"),
    [
        ("bound", "^Bound"),
        ("samples", "^20"),
        ("domains", "^Domains$"),
        ("treatment", "^Treatment$"),
        ("weights", "^Weights$"),
    ],
)
def test_every_small_picture_comes(room, picture, called):
    room.picture(called)
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 30)
    room.agrees()
