"""The Few lab in use: a chosen point, the count while the server is suspended, the flow that plays, the pictures."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import DESK, PHONE, LabEntry
from helpers.naming import names_all
from helpers.server_process import until

from explorer.labs.few import FewLab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("few")
HERO = "The sample, the chosen points"


def test_the_browser_answers_the_count_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every count")
    with server.asleep(), lab_page.answers("one point more"):
        lab_page.press("m points")
    lab_page.follows(m="18")
    assert names_all(lab_page.headline, "18", "herding")
    lab_page.agrees(late=True)


def test_a_chosen_point_is_dragged_and_the_mmd_rises(lab_page):
    lab_page.scroll_up()
    x, y = FewLab().result().look.points[0]
    with lab_page.answers("a drag of a chosen point"):
        lab_page.drag(lab_page.at(HERO, x, y), lab_page.at(HERO, 2.0, -1.2))
    until(lambda: lab_page.fields.get("moved"), "the point in the link")
    ((_, place),) = json.loads(lab_page.fields["moved"]).items()
    assert place == pytest.approx([2.0, -1.2], abs=0.06)
    until(lambda: "raises the MMD" in lab_page.trust, "what the move costs")
    lab_page.agrees(late=True)
    lab_page.button("Points back").click()
    until(lambda: not lab_page.fields.get("moved"), "the point back in its place")


@pytest.mark.parametrize(("picture", "called"), [("test", "^Compressed"), ("flow", "^Flow$")])
def test_each_picture_comes_with_a_slider_of_its_own(lab_page, picture, called):
    lab_page.picture(called)
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}", 60)
    lab_page.agrees(late=True)
    lab_page.page.set_viewport_size(PHONE["viewport"])
    until(lab_page.is_still, "a narrow page")
    try:
        assert lab_page.too_wide() == []
    finally:
        lab_page.page.set_viewport_size(DESK)


def test_the_flow_plays(lab_page):
    lab_page.picture("^Flow$")
    lab_page.follows(picture="flow")
    lab_page.button("Play steps").click()
    until(lambda: lab_page.headline and "300 steps" not in lab_page.headline, "a step on the way", 60)
    lab_page.button("Pause steps").click()
    lab_page.agrees(late=True)
