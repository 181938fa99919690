"""The Adaptation lab in use: the shift while the server is suspended, the target dragged, and every picture."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

from explorer.labs.adaptation import AdaptationLab
from explorer.labs.adaptation.figures import GRIP

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("adaptation")
HERO = "Source and target"


def test_the_browser_answers_the_shift_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every shift")
    before = lab_page.headline
    with server.asleep(), lab_page.answers("no overlap"):
        lab_page.press("shift", "End")
    lab_page.follows(shift="3.0")
    assert lab_page.headline != before
    assert "Effective sample size" in lab_page.trust
    lab_page.agrees()


def test_the_target_is_dragged(lab_page):
    lab_page.scroll_up()
    _, middle, _, high = AdaptationLab().result().frame
    y = middle - GRIP * high
    with lab_page.answers("a drag of the target"):
        lab_page.drag(lab_page.at(HERO, 1.0, y), lab_page.at(HERO, 1.5, y), lab_page.at(HERO, 2.0, y))
    until(lambda: abs(float(lab_page.fields["shift"]) - 2.0) < 0.05, "the shift in the link")
    lab_page.agrees()


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
def test_every_small_picture_comes(lab_page, picture, called):
    lab_page.picture(called)
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}", 30)
    lab_page.agrees()
