"""The Drift lab in use: the break, dragged while the server is suspended, the small pictures, and stationary series."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("drift")
HERO = "The series and the break"


def test_the_browser_answers_the_break_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every break")
    with server.asleep(), lab_page.answers("the first break"):
        lab_page.press("break")
    lab_page.follows(at="0.525")
    assert "change at row 164" in lab_page.headline  # the best split with the break at row 158 of this series
    lab_page.agrees(late=True)


def test_the_line_is_dragged_along_the_series(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a drag of the break"):
        lab_page.drag(lab_page.at(HERO, 150, 0.0), lab_page.at(HERO, 180, 0.0), lab_page.at(HERO, 225, 0.0))
    until(lambda: lab_page.fields.get("at") == "0.75", "the break in the link")
    lab_page.agrees(late=True)


@pytest.mark.parametrize(("picture", "called"), [("wealth", "^Betting test$"), ("plane", "^Before")])
def test_every_small_picture_comes(lab_page, picture, called):
    lab_page.picture(called)
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}", 60)
    lab_page.agrees(late=True)


def test_quiet_series_are_watched(lab_page):
    lab_page.button("series, no change$").click()
    lab_page.follows(samples="100")
    trust = lab_page.page.locator(".trust").first
    until(lambda: "In 100 series without a change" in trust.inner_text(), "what quiet series show", 60)
    lab_page.agrees(late=True)
