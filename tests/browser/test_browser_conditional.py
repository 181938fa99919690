"""The Conditional lab in use: the cut's line, λ with a suspended server, a prior's handles, play, a typed table."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import DESK, PHONE, LabEntry
from helpers.naming import names_all
from helpers.server_process import until

from explorer.labs.conditional import ConditionalLab
from explorer.labs.conditional.lab import PICTURES
from explorer.labs.conditional.page import PACE
from explorer.labs.conditional.tree.pictures import OPEN, ROWS
from explorer.workbench.content import content_of

PRESETS = content_of("conditional").presets

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("conditional")
CUT, BAYES, TREE = "The pairs and their weights", "The pairs, the prior", "The belief at every node"
NEAR = 0.05  # units of x and y, two or three pixels
BUTTONS = dict(zip(PICTURES, ("^Given", "^Bayes", "^Filter$", "^Table$", "^Tree$"), strict=True))


def shows(lab_page, picture):
    """Check that another picture is shown, and the page is idle."""
    lab_page.picture(BUTTONS[picture])
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}")


def near(lab_page, name, value):
    """Check that a field of the link is where the pointer went, up to a few pixels."""
    until(lambda: abs(float(lab_page.fields.get(name, "nan")) - value) < NEAR, f"{name} near {value} in the link")


def test_the_line_of_the_cut_is_dragged(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a drag of the line"):
        lab_page.drag(lab_page.at(CUT, 1.5, -1), lab_page.at(CUT, 1.0, -1), lab_page.at(CUT, -0.5, 0))
    lab_page.follows(at="-0.5")
    assert lab_page.says("observed x") == "−0.5"
    assert names_all(lab_page.headline, "x = −0.5")
    lab_page.agrees()


def test_the_browser_answers_lam_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every λ")
    with server.asleep(), lab_page.answers("so much λ"):
        lab_page.press("λ", "End")
    until(lambda: lab_page.fields.get("lam", "auto") != "auto", "λ in the link")
    assert float(lab_page.fields["lam"]) == float(lab_page.says("λ"))
    assert lab_page.trust.startswith(f"With λ = {lab_page.says('λ')}, the RKHS distance")
    lab_page.agrees()


def test_a_prior_and_what_is_seen_are_dragged(lab_page):
    shows(lab_page, "bayes")
    lab_page.scroll_up()
    (left, right), (low, _) = ConditionalLab().result().pairs.ends
    edge = left + 0.03 * (right - left)
    for field, start, stop, value in (
        ("prior_mean", (edge, 0.5), (edge, -0.4), -0.4),
        ("prior_sd", (edge, 0.1), (edge, 0.8), 1.2),
        ("at", (1.5, low), (0.6, low), 0.6),
    ):
        with lab_page.answers(f"a drag of {field}"):
            lab_page.drag(lab_page.at(BAYES, *start), lab_page.at(BAYES, *stop))
        near(lab_page, field, value)
    lab_page.agrees()


def test_a_node_of_the_tree_is_observed_and_forgotten(lab_page):
    shows(lab_page, "tree")
    lab_page.scroll_up()
    height = ROWS["e"]
    lab_page.drag(
        lab_page.at(TREE, OPEN, height),
        lab_page.at(TREE, 1.0, height),
        lab_page.at(TREE, -1.0, height),
    )
    until(lambda: abs(json.loads(lab_page.fields.get("others") or "{}").get("e", 9.0) + 1) < NEAR, "e = −1 in the link")
    assert lab_page.headline.startswith("Observing d = 1.5, e = ")
    lab_page.agrees()
    lab_page.drag(
        lab_page.at(TREE, -1.0, height),
        lab_page.at(TREE, 1.0, height),
        lab_page.at(TREE, OPEN, height),
    )
    until(lambda: not lab_page.fields.get("others"), "no other node in the link")
    lab_page.agrees()


def test_a_path_plays_and_pauses(lab_page):
    shows(lab_page, "filter")
    lab_page.button("^Play time").click()
    until(lambda: 3 < int(lab_page.says("time")) < 60, "a path on its way")
    pictures = lab_page.pictures()
    until(lambda: lab_page.pictures() != pictures, "another picture of the path")
    lab_page.button("^Pause time").click()
    lab_page.button("^Play time").wait_for()
    time = lab_page.says("time")
    lab_page.page.wait_for_timeout(3 * PACE)
    assert lab_page.says("time") == time
    lab_page.follows(time=time)
    lab_page.button("^Step$").click()
    lab_page.follows(time=str(int(time) + 1))


def test_a_number_is_typed_into_the_table(lab_page):
    shows(lab_page, "table")
    assert lab_page.nameless() == []
    with lab_page.answers("a count"):
        lab_page.type("x1 y3", "9")
    until(lambda: "9" in lab_page.fields.get("counts", ""), "the count in the link")
    lab_page.agrees()


def test_a_narrow_page_does_not_scroll_sideways(lab_page):
    lab_page.page.set_viewport_size(PHONE["viewport"])
    until(lab_page.is_still, "a narrow page")
    try:
        for picture in (*PICTURES[1:], PICTURES[0]):
            shows(lab_page, picture)
            assert lab_page.too_wide() == [], picture
    finally:
        lab_page.page.set_viewport_size(DESK)
