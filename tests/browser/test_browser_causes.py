"""The Causes lab in use: the bandwidth while the server is suspended, another question, many samples, a guess."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("causes")


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every bandwidth")
    with server.asleep(), lab_page.answers("the first bandwidth"):
        lab_page.press("bandwidth × median")
    lab_page.follows(bandwidth="0.5")
    lab_page.agrees(late=True)


def test_many_samples_are_tested(lab_page):
    lab_page.picture("^Many samples$")
    lab_page.follows(picture="level")
    lab_page.button("100 samples$").click()
    lab_page.follows(samples="100")
    trust = lab_page.page.locator(".trust").first
    until(lambda: "of 100 more samples" in trust.inner_text(), "what many samples show", 120)
    lab_page.agrees(late=True)
