"""Handles for the pointer: the line of λ, and the points of the sample; by mouse and by finger."""

from __future__ import annotations

import json

import pytest
from helpers.lab_pictures import columns
from helpers.server_process import until

from explorer.labs.shrinkage import ShrinkageLab

pytestmark = pytest.mark.browser

LOSS, SAMPLE = "Squared error", "Sample"
NEAR = 1.3  # six pixels of the sample's picture: a caption that grows a line in a drag moves it that far


def line(result):
    return result.simple.chosen


def point(result, row):
    """Return where a row of the sample is drawn."""
    drawn = columns(result)["sample"]
    return float(drawn["x"][row]), float(drawn["y"][row])


@pytest.fixture(scope="module")
def start():
    return ShrinkageLab().result()


def test_the_line_is_dragged_to_another_lam(lab_page, start):
    with lab_page.answers("a drag of the line"):
        lab_page.drag(
            lab_page.at(LOSS, line(start), 0.3),
            lab_page.at(LOSS, 0.1, 0.3),
            lab_page.at(LOSS, 0.0101, 0.2),
        )
    lab_page.follows(lam="0.01")
    assert lab_page.says("λ") == "0.01"


@pytest.mark.thorough
def test_beside_the_line_there_is_nothing_to_drag(lab_page, start):
    pictures = lab_page.pictures()
    x, y = lab_page.at(LOSS, line(start), 0.9)
    lab_page.drag((x + 20, y), (x - 100, y))
    assert lab_page.headline == lab_page.first
    assert lab_page.pictures() == pictures


@pytest.mark.thorough
def test_a_point_is_dragged_and_the_truth_stays(lab_page, start):
    x, y = point(start, 3)
    with lab_page.answers("a drag of a point"):
        lab_page.drag_point(SAMPLE, (x, y), (x + 1, y), (4, 8))
    until(lambda: "moved" in lab_page.trust, "a word on the moved point")
    arrives(
        lab_page,
        "moved",
        lambda moved: list(moved) == ["3"] and abs(moved["3"][0] - 4) < NEAR and abs(moved["3"][1] - 8) < NEAR,
    )
    moved = ShrinkageLab(moved=lab_page.fields["moved"]).result()
    assert point(moved, 3) == pytest.approx(json.loads(lab_page.fields["moved"])["3"])
    with lab_page.answers("taking it back"):
        lab_page.button("^Undo$").click()
    until(lambda: lab_page.headline == lab_page.first, "the first headline")


def arrives(lab_page, field, right):
    """Wait until the link holds the end of a drag; on a slow machine it may hold an earlier position first."""
    until(lambda: (word := lab_page.fields.get(field)) and right(json.loads(word)), f"the right {field} in the link")


def touch(lab_page, kind, x, y):
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    lab_page.touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def swipe(lab_page, start, stop):
    """Move one finger from start to stop, in steps as a screen sends them."""
    lab_page.touching = lab_page.page.context.new_cdp_session(lab_page.page)
    touch(lab_page, "touchStart", *start)
    for i in range(1, 11):
        touch(lab_page, "touchMove", *(a + (b - a) * i / 10 for a, b in zip(start, stop, strict=True)))
        lab_page.page.wait_for_timeout(16)
    touch(lab_page, "touchEnd", *stop)


@pytest.mark.thorough
def test_a_finger_drags_within_reach_of_a_handle_and_scrolls_elsewhere(phone, start):
    lab_page = phone
    lab_page.slider("λ").scroll_into_view_if_needed()

    def height():
        return lab_page.at(LOSS, 1, 1)[1]  # of the picture on the screen

    until(lab_page.is_still, "a page at rest")
    before, (x, y) = height(), lab_page.at(LOSS, line(start), 0.8)
    with lab_page.answers("a finger on the line"):
        swipe(lab_page, (x + 8, y), (x - 60, y + 40))
    lab_page.follows(lam=lab_page.says("λ"))
    until(
        lambda: f"at λ = {lab_page.says('λ')}." in lab_page.headline and lab_page.is_idle(),
        "the picture to come to rest",
    )
    assert abs(height() - before) < 1  # no more than rounding of the layout
    headline, (x, y) = lab_page.headline, lab_page.at(LOSS, 5e-4, 0.8)
    swipe(lab_page, (x, y), (x, y + 60))
    until(lambda: height() > before + 20, "the page to scroll")
    assert lab_page.headline == headline


@pytest.mark.thorough
def test_the_blob_is_dragged_and_the_estimate_follows(lab_page):
    with lab_page.answers("a target chosen"):
        lab_page.pick("S-KMSE shrinks to", "a Gaussian's mean")
    until(lab_page.is_idle, "the page at rest")
    lab_page.scroll_up()
    before = lab_page.headline
    with lab_page.answers("a drag of the blob"):
        lab_page.drag(lab_page.at(SAMPLE, 0, 0), lab_page.at(SAMPLE, -2, 1), lab_page.at(SAMPLE, -5, 2))
    arrives(lab_page, "target_at", lambda at: at == pytest.approx([-5, 2], abs=NEAR))
    lab_page.follows(target="blob")
    assert lab_page.headline != before
    assert "towards the target" in lab_page.headline
