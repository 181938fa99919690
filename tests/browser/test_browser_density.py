"""The Density lab in use: a blob's centre, the steps while the server is suspended, and the small pictures."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

from explorer import read_table
from explorer.labs.density import DensityLab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("density")
HERO = "The density of the mixture"


def test_the_browser_answers_the_steps_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every step")
    with server.asleep(), lab_page.answers("the start"):
        lab_page.press("steps", "Home")
    lab_page.follows(iteration="0")
    assert "k-means" in lab_page.headline
    lab_page.agrees()


def test_a_blob_is_dragged_and_put_back(lab_page):
    lab_page.scroll_up()
    x, y = DensityLab().result().mixture.means[0]
    with lab_page.answers("a drag of a blob"):
        lab_page.drag(lab_page.at(HERO, x, y), lab_page.at(HERO, x + 1, y), lab_page.at(HERO, x + 4, y + 3))
    until(lambda: "0" in json.loads(lab_page.fields.get("moved") or "{}"), "the blob in the link")
    until(lambda: "one component moved by hand" in lab_page.headline, "the headline of the drag")
    lab_page.agrees()
    lab_page.button("^Centres back$").click()
    until(lambda: not lab_page.fields.get("moved"), "the blobs where the fit has them")
    until(lambda: lab_page.headline == lab_page.first, "the first headline")


def test_the_fit_begins_at_the_blobs_of_the_hand(lab_page):
    lab_page.scroll_up()
    until(lambda: not lab_page.button("^Fit from my centres$").count(), "no centres to start at")
    x, y = DensityLab().result().mixture.means[0]
    with lab_page.answers("a drag of a blob"):
        lab_page.drag(lab_page.at(HERO, x, y), lab_page.at(HERO, x + 1, y), lab_page.at(HERO, x + 4, y + 3))
    until(lambda: "one component moved by hand" in lab_page.headline, "the headline of the drag")
    with lab_page.answers("a fit from there"):
        lab_page.button("^Fit from my centres$").click()
    lab_page.follows(begin="by hand")
    until(lambda: "from your centres" in lab_page.headline, "the headline of both fits")
    lab_page.agrees()
    until(lab_page.has_table, "the table of every step")
    with lab_page.answers("the start"):
        lab_page.press("steps", "Home")
    until(
        lambda: lab_page.headline.startswith("Your centres, where the fit starts"), "the headline of the drag's start"
    )
    lab_page.button("^Centres back$").click()
    until(lambda: not lab_page.fields.get("moved"), "the blobs where the fit has them")
    lab_page.follows(begin="k-means")


@pytest.mark.parametrize("by", ["button", "key"])
def test_a_press_comes_after_the_drag_before_it(lab_page, server, by):
    """The order holds even if the drag's last move waits in the browser for the answers to earlier ones."""
    lab_page.scroll_up()
    x, y = DensityLab().result().mixture.means[0]
    with lab_page.answers("a drag of a blob"):
        lab_page.drag(lab_page.at(HERO, x, y), lab_page.at(HERO, x + 1, y))
    lab_page.button("^Fit from my centres$").wait_for()
    until(lab_page.is_still, "the first drag's answers")
    with server.asleep():
        lab_page.drag(lab_page.at(HERO, x + 1, y), lab_page.at(HERO, x + 4, y + 3))
        if by == "key":
            lab_page.page.keyboard.press("f")
        else:
            lab_page.button("^Fit from my centres$").click()
    lab_page.follows(begin="by hand")
    until(lambda: "from your centres" in lab_page.headline, "the headline of both fits")
    lab_page.button("^Centres back$").click()
    lab_page.follows(begin="k-means")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("picture", "called"), [("blobs", "^Components$"), ("entropy", "^Maximum"), ("samples", "^20")]
)
def test_every_small_picture_comes(lab_page, picture, called):
    lab_page.picture(called)
    lab_page.follows(picture=picture)
    until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}", 30)
    lab_page.agrees()


ROWS = np.random.default_rng(5).normal(size=(60, 3)).round(4)
WIDE = "height,weight,age\n" + "".join(f"{a},{b},{c}\n" for a, b, c in ROWS)
NARROW = "height\n" + "".join(f"{a}\n" for a in ROWS[:40, 0])


def test_a_table_of_ones_own_is_drawn_and_scored(lab_page, tmp_path):
    """The first columns are used, as many as there are coordinates; the rows beyond n are held out."""
    (tmp_path / "people.csv").write_text(WIDE)
    lab_page.unfold("Your data")
    lab_page.choose(tmp_path / "people.csv")
    with lab_page.answers("the user's table"):
        lab_page.button("^Use this table$").click()
    lab_page.follows(source="file", file="people.csv", rows="60", n="50", d="2")
    assert lab_page.alerts == []
    table = read_table(WIDE.encode(), name="people.csv", standardise=True)
    lab_page.agrees(own=table)
    assert "10 points" in lab_page.trust
    with lab_page.answers("another bandwidth"):
        lab_page.press("bandwidth")
    lab_page.agrees(own=table)


def test_a_table_of_one_column_is_a_line(lab_page):
    lab_page.unfold("Your data")
    lab_page.page.get_by_text("Or paste a table").click()
    lab_page.page.get_by_label("Or paste a table").fill(NARROW)
    lab_page.button("^Read the pasted text$").click()
    with lab_page.answers("a pasted table"):
        lab_page.button("^Use this table$").click()
    lab_page.follows(source="file", file="pasted.csv", rows="40", n="30", d="1")
    table = read_table(NARROW.encode(), name="pasted.csv", standardise=True)
    lab_page.agrees(own=table)
    before = lab_page.headline
    lab_page.type("d", "2")
    until(
        lambda: any("has one column, and d is 2" in alert for alert in lab_page.alerts), "a refusal of two coordinates"
    )
    assert lab_page.headline == before
