"""Handles for the pointer: the line of λ, and the points of the sample; by mouse and by finger."""

from __future__ import annotations

import json

import pytest
from lab_pictures import columns
from server_process import until

from explorer.labs.shrinkage import ShrinkageLab

pytestmark = pytest.mark.browser

LOSS, SAMPLE = "Drag the line", "Sample"
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


def test_the_line_is_dragged_to_another_lam(room, start):
    with room.answers("a drag of the line"):
        room.drag(room.spot(LOSS, line(start), 0.3), room.spot(LOSS, 0.1, 0.3), room.spot(LOSS, 0.0101, 0.2))
    room.follows(lam="0.01")
    assert room.says("λ") == "0.01"


@pytest.mark.thorough
def test_beside_the_line_there_is_nothing_to_drag(room, start):
    pictures = room.pictures()
    x, y = room.spot(LOSS, line(start), 0.3)
    room.drag((x + 20, y), (x - 100, y))
    assert room.headline == room.first
    assert room.pictures() == pictures


@pytest.mark.thorough
def test_a_point_is_dragged_and_the_truth_stays(room, start):
    x, y = point(start, 3)
    with room.answers("a drag of a point"):
        room.drag(room.spot(SAMPLE, x, y), room.spot(SAMPLE, x + 1, y), room.spot(SAMPLE, 4, 8))
    until(lambda: "moved" in room.trust, "a word on the moved point")
    arrives(
        room,
        "moved",
        lambda moved: list(moved) == ["3"] and abs(moved["3"][0] - 4) < NEAR and abs(moved["3"][1] - 8) < NEAR,
    )
    moved = ShrinkageLab(moved=room.fields["moved"]).result()
    assert point(moved, 3) == pytest.approx(json.loads(room.fields["moved"])["3"])
    with room.answers("taking it back"):
        room.button("^Undo$").click()
    until(lambda: room.headline == room.first, "the first headline")


def arrives(room, field, right):
    """Wait until the link holds the end of a drag; on a slow machine it may hold an earlier position first."""
    until(lambda: (word := room.fields.get(field)) and right(json.loads(word)), f"the right {field} in the link")


def touch(room, kind, x, y):
    points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
    room.touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def swipe(room, start, stop):
    """Move one finger from start to stop, in steps as a screen sends them."""
    room.touching = room.page.context.new_cdp_session(room.page)
    touch(room, "touchStart", *start)
    for i in range(1, 11):
        touch(room, "touchMove", *(a + (b - a) * i / 10 for a, b in zip(start, stop, strict=True)))
        room.page.wait_for_timeout(16)
    touch(room, "touchEnd", *stop)


@pytest.mark.thorough
def test_a_finger_drags_within_reach_of_a_handle_and_scrolls_elsewhere(phone, start):
    room = phone
    room.slider("λ").scroll_into_view_if_needed()

    def height():
        return room.spot(LOSS, 1, 1)[1]  # of the picture on the screen

    until(room.still, "a page at rest")
    before, (x, y) = height(), room.spot(LOSS, line(start), 0.8)
    with room.answers("a finger on the line"):
        swipe(room, (x + 8, y), (x - 60, y + 40))
    room.follows(lam=room.says("λ"))
    until(lambda: f"λ = {room.says('λ')}," in room.headline and room.rested(), "the picture to come to rest")
    assert abs(height() - before) < 1  # no more than rounding of the layout
    headline, (x, y) = room.headline, room.spot(LOSS, 5e-4, 0.8)
    swipe(room, (x, y), (x, y + 60))
    until(lambda: height() > before + 20, "the page to scroll")
    assert room.headline == headline


@pytest.mark.thorough
def test_the_blob_is_dragged_and_the_estimate_follows(room):
    with room.answers("a target chosen"):
        room.pick("S-KMSE shrinks to", "a blob")
    until(room.rested, "the page at rest")
    room.scroll_up()
    before = room.headline
    with room.answers("a drag of the blob"):
        room.drag(room.spot(SAMPLE, 0, 0), room.spot(SAMPLE, -2, 1), room.spot(SAMPLE, -5, 2))
    arrives(room, "target_at", lambda at: at == pytest.approx([-5, 2], abs=NEAR))
    room.follows(target="blob")
    assert room.headline != before
    assert "towards the blob" in room.headline
