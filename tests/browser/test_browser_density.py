"""The Density lab in use: a blob's centre, the steps while the server is suspended, and the small pictures."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browsing import Place
from server_process import until

from explorer import read_table
from explorer.labs.density import DensityLab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("density", "steps", 3, "A good fit")
HERO = "Drag a component"


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every step", 60)
    return room


def test_the_browser_answers_the_steps_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every step")
    with server.asleep(), room.answers("the start"):
        room.press("steps", "Home")
    room.follows(iteration="0")
    assert room.headline.startswith("The fit starts at the mixture of k-means")
    room.agrees()


def test_a_blob_is_dragged_and_put_back(room):
    room.scroll_up()
    x, y = DensityLab().result().mixture.means[0]
    with room.answers("a drag of a blob"):
        room.drag(room.spot(HERO, x, y), room.spot(HERO, x + 1, y), room.spot(HERO, x + 4, y + 3))
    until(lambda: "0" in json.loads(room.fields.get("moved") or "{}"), "the blob in the link")
    until(lambda: "one component moved by hand" in room.headline, "the headline of the drag")
    room.agrees()
    room.button("^Centres back$").click()
    until(lambda: not room.fields.get("moved"), "the blobs where the fit has them")
    until(lambda: room.headline == room.first, "the first headline")


def test_the_fit_begins_at_the_blobs_of_the_hand(room):
    room.scroll_up()
    until(lambda: not room.button("^Fit from my centres$").count(), "no centres to start at")
    x, y = DensityLab().result().mixture.means[0]
    with room.answers("a drag of a blob"):
        room.drag(room.spot(HERO, x, y), room.spot(HERO, x + 1, y), room.spot(HERO, x + 4, y + 3))
    until(lambda: "one component moved by hand" in room.headline, "the headline of the drag")
    with room.answers("a fit from there"):
        room.button("^Fit from my centres$").click()
    room.follows(begin="by hand")
    until(lambda: "from your centres" in room.headline, "the headline of both fits")
    room.agrees()
    until(room.tabled, "the table of every step")
    with room.answers("the start"):
        room.press("steps", "Home")
    until(lambda: room.headline.startswith("Your centres, where the fit starts"), "the headline of the drag's start")
    room.button("^Centres back$").click()
    until(lambda: not room.fields.get("moved"), "the blobs where the fit has them")
    room.follows(begin="k-means")


@pytest.mark.parametrize("by", ["button", "key"])
def test_a_press_comes_after_the_drag_before_it(room, server, by):
    """The order holds even if the drag's last move waits in the browser for the answers to earlier ones."""
    room.scroll_up()
    x, y = DensityLab().result().mixture.means[0]
    with room.answers("a drag of a blob"):
        room.drag(room.spot(HERO, x, y), room.spot(HERO, x + 1, y))
    room.button("^Fit from my centres$").wait_for()
    until(room.still, "the first drag's answers")
    with server.asleep():
        room.drag(room.spot(HERO, x + 1, y), room.spot(HERO, x + 4, y + 3))
        if by == "key":
            room.page.keyboard.press("f")
        else:
            room.button("^Fit from my centres$").click()
    room.follows(begin="by hand")
    until(lambda: "from your centres" in room.headline, "the headline of both fits")
    room.button("^Centres back$").click()
    room.follows(begin="k-means")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("picture", "called"), [("blobs", "^Components$"), ("entropy", "^Maximum"), ("samples", "^20")]
)
def test_every_small_picture_comes(room, picture, called):
    room.picture(called)
    room.follows(picture=picture)
    until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}", 30)
    room.agrees()


ROWS = np.random.default_rng(5).normal(size=(60, 3)).round(4)
WIDE = "height,weight,age\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)
NARROW = "height\n" + "".join(f"{a}\n" for a in ROWS[:40, 0])


def test_a_table_of_ones_own_is_drawn_and_scored(room, tmp_path):
    """The first columns are used, as many as there are coordinates; the rows beyond n are held out."""
    (tmp_path / "people.csv").write_text(WIDE)
    room.unfold("Your data")
    room.choose(tmp_path / "people.csv")
    with room.answers("the user's table"):
        room.button("^Use this table$").click()
    room.follows(source="file", file="people.csv", rows="60", n="50", d="2")
    assert room.alerts == []
    table = read_table(WIDE.encode(), name="people.csv", standardise=True)
    room.agrees(own=table)
    assert "10 points" in room.trust
    with room.answers("another bandwidth"):
        room.press("bandwidth")
    room.agrees(own=table)


def test_a_table_of_one_column_is_a_line(room):
    room.unfold("Your data")
    room.page.get_by_text("Or paste a table").click()
    room.page.get_by_label("Or paste a table").fill(NARROW)
    room.button("^Read the pasted text$").click()
    with room.answers("a pasted table"):
        room.button("^Use this table$").click()
    room.follows(source="file", file="pasted.csv", rows="40", n="30", d="1")
    table = read_table(NARROW.encode(), name="pasted.csv", standardise=True)
    room.agrees(own=table)
    before = room.headline
    room.type("d", "2")
    until(lambda: any("has one column, and d is 2" in alert for alert in room.alerts), "a refusal of two coordinates")
    assert room.headline == before
