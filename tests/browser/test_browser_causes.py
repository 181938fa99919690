"""The Causes lab in use: the bandwidth while the server is suspended, another question, many samples, a guess."""

from __future__ import annotations

import pytest
from browsing import Place
from server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("causes", "bandwidth × median", 3, "A fork")


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every bandwidth", 90)
    return room


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bandwidth")
    with server.asleep(), room.answers("the first bandwidth"):
        room.press("bandwidth × median")
    room.follows(bandwidth="0.5")
    room.agrees(late=True)


def test_many_samples_are_tested(room):
    room.picture("^Many samples$")
    room.follows(picture="level")
    room.button("100 samples$").click()
    room.follows(samples="100")
    trust = room.page.locator(".trust").first
    until(lambda: "Of 100 more samples" in trust.inner_text(), "what many samples show", 120)
    room.agrees(late=True)
