"""The Fit lab in use: the bandwidth while the server is suspended, a centre and an edge that are dragged, a line."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("fit")
HERO, LINE = "The model, the data", "The model's density"
CENTRE, EDGE = (0.8, 0.4), (1.8, 0.4)  # of the model, as the lab opens


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every bandwidth")
    with server.asleep(), lab_page.answers("the narrowest kernel"):
        lab_page.press("bandwidth", "Home")
    lab_page.follows(bandwidth="0.1")
    assert "misses a wrong model" in lab_page.headline
    lab_page.agrees(late=True)


def test_the_model_is_dragged_onto_the_data_and_put_back(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a drag of the centre"):
        lab_page.drag(lab_page.at(HERO, *CENTRE), lab_page.at(HERO, 0.4, 0.2), lab_page.at(HERO, 0.0, 0.0))
    until(lambda: "0" in json.loads(lab_page.fields.get("moved") or "{}"), "the centre in the link")
    until(lambda: "no misfit" in lab_page.headline, "the headline of a model that fits")
    lab_page.agrees(late=True)
    lab_page.button("^Model back$").click()
    until(lambda: not lab_page.fields.get("moved"), "the model where it was")
    until(lambda: lab_page.headline == lab_page.first, "the first headline")


def test_its_edge_is_dragged_to_another_width(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a drag of the edge"):
        lab_page.drag(lab_page.at(HERO, *EDGE), lab_page.at(HERO, 2.0, 0.4), lab_page.at(HERO, 2.6, 0.4))
    until(lambda: abs(float(lab_page.fields["width"]) - 1.8) < 0.1, "the width in the link")
    lab_page.agrees(late=True)


def test_four_tests_come_and_a_line_has_its_own_picture(lab_page):
    lab_page.picture("^Four")
    lab_page.follows(picture="tests")
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, "the p of four tests", 60)
    lab_page.open(d="1")
    until(lambda: min(lab_page.colours()) > 3, "the pictures of a line")
    with lab_page.answers("a drag of the centre"):
        lab_page.drag(
            lab_page.at(LINE, CENTRE[0], 1.0),
            lab_page.at(LINE, 0.4, 0.9),
            lab_page.at(LINE, 0.0, 0.9),
        )
    until(lambda: "0" in json.loads(lab_page.fields.get("moved") or "{}"), "the centre in the link")
    lab_page.agrees(late=True)
