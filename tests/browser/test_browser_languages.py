"""A page in German, and from one language to the other and back, with the state of the link."""

from __future__ import annotations

import pytest
from browsing import DESK
from server_process import until

pytestmark = pytest.mark.browser


def language(page):
    return page.evaluate("document.documentElement.lang")


@pytest.mark.thorough
def test_a_page_speaks_german_and_goes_to_english_with_its_state(new_room):
    room = new_room(viewport=DESK).go(lang="de", n="30")
    until(lambda: "als das einfache Mittel" in room.headline, "the headline")
    until(lambda: language(room.page) == "de", "the language of the page")
    until(lambda: "lang=de" in room.page.url and "n=30" in room.page.url, "the link")
    room.page.get_by_role("button", name="Teilen").click()
    room.page.get_by_role("button", name="English").click()
    until(lambda: "than the plain average" in room.headline, "the headline in English")
    assert "lang=" not in room.page.url
    assert "n=30" in room.page.url
    assert language(room.page) == "en"


@pytest.mark.thorough
def test_home_leads_to_itself_and_to_labs_in_german(new_room, server):
    room = new_room(viewport=DESK)
    page = room.page
    page.goto(f"{server.url}/")
    page.get_by_role("link", name="Deutsch").click()
    until(lambda: language(page) == "de", "the language of the page")
    page.get_by_role("heading", name="Ein falscher Messwert").wait_for()
    page.get_by_role("link", name="Schrumpfung Hilft es").click()
    until(lambda: "als das einfache Mittel" in room.headline, "the lab in German")
