"""The Distributions lab in use: the bag, the spread while the server is suspended, and the small pictures."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

from explorer.labs.distributions.figures import LANE

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("distributions")
HERO = "The bags from narrow"


def test_the_browser_answers_the_spread_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every spread")
    with server.asleep(), lab_page.answers("the least spread"):
        lab_page.press("spread", "Home")
    lab_page.follows(spread="0.354")
    assert "narrow" in lab_page.headline
    lab_page.agrees()


def test_the_bag_is_dragged_over_the_boundary(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a drag of the bag"):
        lab_page.drag(lab_page.at(HERO, 1.0, LANE), lab_page.at(HERO, 0.8, LANE), lab_page.at(HERO, 0.5, LANE))
    until(lambda: lab_page.fields.get("spread") == "0.5", "the spread in the link")
    until(lambda: "is classified as narrow" in lab_page.headline, "the other side")
    lab_page.agrees()


@pytest.mark.parametrize(("picture", "called"), [("distances", "^Distances$"), ("size", "^Bag"), ("outputs", "^Two")])
def test_every_small_picture_comes(lab_page, picture, called):
    lab_page.picture(called)
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}", 60)
    lab_page.agrees()


def test_another_bag_is_stretched(lab_page):
    lab_page.button("^Next bag$").click()
    lab_page.follows(bag="2")
    lab_page.agrees()
