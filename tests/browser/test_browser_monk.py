"""The MONK lab in use: outliers by click, drag and key, Q with a suspended server, a telephone, and barriers."""

from __future__ import annotations

import json

import pytest
from browsing import DESK, PHONE, Place
from lab_pictures import columns
from server_process import until

from explorer.labs.monk import MonkLab
from explorer.labs.monk.stories import PRESETS

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, CANVAS = Place("monk", "Q", 4, PRESETS[0].name), "200 pairs"
NEAR = 0.6  # units of x, ten pixels of the canvas: a page that grows a line under a drag moves it


@pytest.fixture(scope="module")
def kept(rooms):
    """Return the room of this lab."""
    return rooms(PLACE)


def points(room):
    """Return the outliers in the link."""
    return json.loads(room.fields.get("placed") or "[]")


def test_a_click_adds_a_drag_moves_and_a_key_removes(room):
    room.scroll_up()
    with room.answers("two clicks"):
        room.page.mouse.click(*room.spot(CANVAS, 15, 1.5))
        room.page.mouse.click(*room.spot(CANVAS, -5, 0.5))
    until(lambda: len(points(room)) == 2, "two outliers in the link")
    assert points(room)[0] == pytest.approx([15, 1.5], abs=NEAR)
    assert points(room)[1] == pytest.approx([-5, 0.5], abs=NEAR)
    room.agrees()
    with room.answers("a drag"):
        room.drag(room.spot(CANVAS, *points(room)[0]), room.spot(CANVAS, 20, 1.2), room.spot(CANVAS, 22, 0.5))
    until(lambda: points(room)[0] == pytest.approx([22, 0.5], abs=NEAR), "the end of the drag in the link")
    room.follows(selected="1")
    room.agrees()
    with room.answers("Delete"):
        room.page.keyboard.press("Delete")
    until(lambda: len(points(room)) == 1, "one outlier fewer")
    with room.answers("the button"):
        room.button("^Remove outlier$").click()
    until(lambda: room.headline == room.first, "the first headline")
    room.follows(placed="", selected="0")


def test_planted_outliers_are_dragged_together(room):
    room.scroll_up()
    drawn = columns(MonkLab().result())["planted"]
    x, y = float(drawn["x"][-1]), float(drawn["y"][-1])  # one of Q's, at twice the distance
    with room.answers("a drag of planted outliers"):
        room.drag(room.spot(CANVAS, x, y), room.spot(CANVAS, 17, y), room.spot(CANVAS, 14, y))
    until(lambda: float(room.fields["distance"]) == pytest.approx(7, abs=NEAR), "half of 14 in the link")
    room.agrees()


def test_the_browser_answers_q_while_the_server_sleeps(room, server):
    until(room.rested, "the table")
    with server.asleep(), room.answers("a step of Q"):
        room.press("Q")
    room.follows(blocks=room.says("Q"))
    assert f"with {room.says('Q')} blocks" in room.headline
    room.agrees()


def lit(room):
    """Return the rows whose points are highlighted: each has its own height in Q's strip."""
    return room.page.evaluate(
        """() => {
        const drawn = [...Bokeh.documents[0]._all_models.values()]
            .filter((model) => model.type === 'ColumnDataSource' && 'P_x' in model.data).map((model) => model.data)
        const rows = drawn.find((data) => 'place' in data), on = drawn.find((data) => !('place' in data))
        return [...on.Q_y].map((y) => [...rows.Q_y].indexOf(y)).sort((a, b) => a - b)
    }"""
    )


def test_a_block_lights_its_pairs_and_a_pair_its_block(room):
    room.scroll_up()
    result = MonkLab().result()
    by_mean = [result.estimate.blocks[q] for q in result.estimate.block_values.argsort(kind="stable")]
    room.page.mouse.move(*room.spot("Blocks", 2.5 / 11, 0.5))
    until(lambda: lit(room) == sorted(by_mean[2].tolist()), "the third block's pairs to be lit")
    room.page.mouse.move(*room.spot("Blocks", 10.5 / 11, 0.5))
    until(lambda: lit(room) == sorted(by_mean[10].tolist()), "the last block's pairs to be lit")
    row = 17
    drawn = columns(result)["rows"]
    room.page.mouse.move(*room.spot(CANVAS, float(drawn["P_x"][row]), float(drawn["P_y"][row])))
    until(lambda: row in lit(room), "the pair under the pointer to be lit")
    (block,) = (rows for rows in by_mean if row in rows)
    assert lit(room) == sorted(block.tolist())
    room.page.mouse.move(5, 5)
    until(lambda: lit(room) == [], "no pair to be lit")


def test_arrows_go_from_block_to_block(room):
    blocks = room.slider("blocks in the order")
    blocks.focus()
    for _ in range(11):
        room.page.keyboard.press("ArrowRight")
    assert room.says("blocks in the order") == "block 11 of 11 in the order of their means, holds an outlier"
    assert len(lit(room)) in (18, 19)
    room.slider("Q").focus()
    assert lit(room) == []


def test_no_barrier_with_all_folds_open(room, axe):
    room.turn(expanded=True)
    assert barriers(room, axe) == []
    assert room.nameless() == []
    room.turn(expanded=False)


def test_a_finger_taps_an_outlier_and_a_narrow_page_does_not_scroll_sideways(room):
    room.page.set_viewport_size(PHONE["viewport"])
    assert room.too_wide() == []
    room.scroll_up()
    finger = room.page.context.new_cdp_session(room.page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    x, y = room.spot(CANVAS, 15, 1.5)
    with room.answers("a tap"):
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: len(points(room)) == 1, "an outlier in the link")
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    with room.answers("the button"):
        room.button("^Remove outlier$").click()
    room.follows(placed="")
    room.page.set_viewport_size(DESK)
