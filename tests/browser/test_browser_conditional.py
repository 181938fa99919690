"""The Conditional lab in use: the cut's line, λ with a suspended server, a prior's handles, play, a typed table."""

from __future__ import annotations

import json

import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer.labs.conditional import ConditionalLab
from explorer.labs.conditional.lab import PICTURES
from explorer.labs.conditional.page import PACE
from explorer.labs.conditional.stories import PRESETS
from explorer.labs.conditional.tree.pictures import OPEN, ROWS

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("conditional", "observed x", 3, PRESETS[0].name)
CUT, BAYES, TREE = "Drag the line", "Drag the prior", "Drag a diamond"
NEAR = 0.05  # units of x and y, two or three pixels
BUTTONS = dict(zip(PICTURES, ("^Given", "^Bayes", "^Filter$", "^Table$", "^Tree$"), strict=True))


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every λ", 60)  # once: from then on the session has it
    return room


def shows(room, picture):
    """Check that another picture is shown, and the page is idle."""
    room.picture(BUTTONS[picture])
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}")


def near(room, name, value):
    """Check that a field of the link is where the pointer went, up to a few pixels."""
    until(lambda: abs(float(room.fields.get(name, "nan")) - value) < NEAR, f"{name} near {value} in the link")


def test_the_line_of_the_cut_is_dragged(room):
    room.scroll_up()
    with room.answers("a drag of the line"):
        room.drag(room.spot(CUT, 1.5, -1), room.spot(CUT, 1.0, -1), room.spot(CUT, -0.5, 0))
    room.follows(at="-0.5")
    assert room.says("observed x") == "−0.5"
    assert room.headline.startswith("Given x = −0.5, the mean of y is")
    room.agrees()


def test_the_browser_answers_lam_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every λ")
    with server.asleep(), room.answers("so much λ"):
        room.press("λ", "End")
    until(lambda: room.fields.get("lam", "auto") != "auto", "λ in the link")
    assert float(room.fields["lam"]) == float(room.says("λ"))
    assert room.trust.startswith(f"With λ = {room.says('λ')}, the RKHS distance")
    room.agrees()


def test_a_prior_and_what_is_seen_are_dragged(room):
    shows(room, "bayes")
    room.scroll_up()
    (left, right), (low, _) = ConditionalLab().result().pairs.ends
    edge = left + 0.03 * (right - left)
    for field, start, stop, value in (
        ("prior_mean", (edge, 0.5), (edge, -0.4), -0.4),
        ("prior_sd", (edge, 0.1), (edge, 0.8), 1.2),
        ("at", (1.5, low), (0.6, low), 0.6),
    ):
        with room.answers(f"a drag of {field}"):
            room.drag(room.spot(BAYES, *start), room.spot(BAYES, *stop))
        near(room, field, value)
    room.agrees()


def test_a_node_of_the_tree_is_observed_and_forgotten(room):
    shows(room, "tree")
    room.scroll_up()
    height = ROWS["e"]
    room.drag(room.spot(TREE, OPEN, height), room.spot(TREE, 1.0, height), room.spot(TREE, -1.0, height))
    until(lambda: abs(json.loads(room.fields.get("others") or "{}").get("e", 9.0) + 1) < NEAR, "e = −1 in the link")
    assert room.headline.startswith("Observing d = 1.5, e = ")
    room.agrees()
    room.drag(room.spot(TREE, -1.0, height), room.spot(TREE, 1.0, height), room.spot(TREE, OPEN, height))
    until(lambda: not room.fields.get("others"), "no other node in the link")
    room.agrees()


def test_a_path_plays_and_pauses(room):
    shows(room, "filter")
    room.button("^Play time").click()
    until(lambda: 3 < int(room.says("time")) < 60, "a path on its way")
    pictures = room.pictures()
    until(lambda: room.pictures() != pictures, "another picture of the path")
    room.button("^Pause time").click()
    room.button("^Play time").wait_for()
    time = room.says("time")
    room.page.wait_for_timeout(3 * PACE)
    assert room.says("time") == time
    room.follows(time=time)
    room.button("^Step$").click()
    room.follows(time=str(int(time) + 1))


def test_a_number_is_typed_into_the_table(room):
    shows(room, "table")
    assert room.nameless() == []
    with room.answers("a count"):
        room.type("x1 y3", "9")
    until(lambda: "9" in room.fields.get("counts", ""), "the count in the link")
    room.agrees()


def test_a_narrow_page_does_not_scroll_sideways(room):
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    try:
        for picture in (*PICTURES[1:], PICTURES[0]):
            shows(room, picture)
            assert room.too_wide() == [], picture
    finally:
        room.page.set_viewport_size(DESK)
