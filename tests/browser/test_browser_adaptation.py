"""The Adaptation lab under hand: the bound while the server sleeps, the target dragged, and every picture."""

from __future__ import annotations

import pytest
from browsing import Place, Room
from serving import until

from explorer.labs.adaptation import AdaptationLab
from explorer.labs.adaptation.words import headline
from explorer.markup import text_of

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("adaptation", "B largest", 3, "Covariate shift")
HERO = "Drag the diamond"


@pytest.fixture(scope="module")
def kept(profile, server):
    room = Room(profile, server.url, PLACE).open()
    until(room.tabled, "the table of every bound", 60)
    return room


def meant(room):
    """What a page says at the words of the room's link, by the library alone."""
    lab, refused = AdaptationLab.from_flat({name: word for name, word in room.fields.items() if name != "v"})
    assert refused == []
    return text_of(headline(lab.result()).partition("</div>")[0])


def test_the_browser_answers_the_bound_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bound")
    with server.asleep(), room.answers("no weights"):
        room.press("B largest", "Home")
    room.follows(bound="1.0")
    assert "100 points count like 100" in room.trust
    until(lambda: room.headline == meant(room), "the headline of the link")


def test_the_target_is_dragged(room):
    room.scroll_up()
    middle, _, _, high = 0.0, 0.0, 3.6, 1.9
    y = -0.9 * high
    with room.answers("a drag of the target"):
        room.drag(room.spot(HERO, 1.0, y), room.spot(HERO, middle, y), room.spot(HERO, -1.0, y))
    until(lambda: abs(float(room.fields["shift"]) + 1.0) < 0.05, "the shift in the link")
    until(lambda: room.headline == meant(room), "the headline of the link")


@pytest.mark.parametrize(
    ("picture", "called"), [("samples", "^20"), ("domains", "^Domains$"), ("weights", "^Weights$")]
)
def test_every_small_picture_comes(room, picture, called):
    room.button(called).click()
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 30)
    until(lambda: room.headline == meant(room), "the headline of the link")
