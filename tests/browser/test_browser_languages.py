"""A page in German, and from one language to the other and back, with the state of the link."""

from __future__ import annotations

import pytest
from helpers.browsing import DESK
from helpers.server_process import until

pytestmark = pytest.mark.browser


def language(page):
    return page.evaluate("document.documentElement.lang")


@pytest.mark.thorough
def test_a_page_speaks_german_and_goes_to_english_with_its_state(new_lab_page):
    lab_page = new_lab_page(viewport=DESK).go(lang="de", n="30")
    until(lambda: "als das einfache Mittel" in lab_page.headline, "the headline")
    until(lambda: language(lab_page.page) == "de", "the language of the page")
    until(lambda: "lang=de" in lab_page.page.url and "n=30" in lab_page.page.url, "the link")
    lab_page.page.get_by_role("button", name="Sprache: Deutsch").click()
    lab_page.page.get_by_role("button", name="English").click()
    until(lambda: "than the plain average" in lab_page.headline, "the headline in English")
    assert "lang=" not in lab_page.page.url
    assert "n=30" in lab_page.page.url
    assert language(lab_page.page) == "en"


@pytest.mark.thorough
def test_home_leads_to_itself_and_to_labs_in_german(new_lab_page, server):
    lab_page = new_lab_page(viewport=DESK)
    page = lab_page.page
    page.goto(f"{server.url}/")
    page.get_by_role("button", name="Language: English").click()
    page.get_by_role("button", name="Deutsch").click()
    until(lambda: language(page) == "de", "the language of the page")
    page.get_by_role("heading", name="Ein falscher Messwert").wait_for()
    page.get_by_role("link", name="Schrumpfung Hilft es").click()
    until(lambda: "als das einfache Mittel" in lab_page.headline, "the lab in German")
