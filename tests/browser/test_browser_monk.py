"""The MONK lab in use: outliers by click, drag and key, Q with a suspended server, a telephone, and barriers."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import DESK, PHONE, LabEntry
from helpers.lab_pictures import columns
from helpers.naming import names_all
from helpers.server_process import until

from explorer.labs.monk import MonkLab

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, CANVAS = LabEntry("monk"), "Pairs of P and Q"
NEAR = 0.6  # units of x, ten pixels of the canvas: a page that grows a line under a drag moves it


def points(lab_page):
    """Return the outliers in the link."""
    return json.loads(lab_page.fields.get("placed") or "[]")


def test_a_click_adds_a_drag_moves_and_a_key_removes(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("two clicks"):
        lab_page.page.mouse.click(*lab_page.at(CANVAS, 15, 1.5))
        lab_page.page.mouse.click(*lab_page.at(CANVAS, -5, 0.5))
    until(lambda: len(points(lab_page)) == 2, "two outliers in the link")
    assert points(lab_page)[0] == pytest.approx([15, 1.5], abs=NEAR)
    assert points(lab_page)[1] == pytest.approx([-5, 0.5], abs=NEAR)
    lab_page.agrees()
    with lab_page.answers("a drag"):
        lab_page.drag(
            lab_page.at(CANVAS, *points(lab_page)[0]),
            lab_page.at(CANVAS, 20, 1.2),
            lab_page.at(CANVAS, 22, 0.5),
        )
    until(lambda: points(lab_page)[0] == pytest.approx([22, 0.5], abs=NEAR), "the end of the drag in the link")
    lab_page.follows(selected="1")
    lab_page.agrees()
    with lab_page.answers("Delete"):
        lab_page.page.keyboard.press("Delete")
    until(lambda: len(points(lab_page)) == 1, "one outlier fewer")
    with lab_page.answers("the button"):
        lab_page.button("^Remove outlier$").click()
    until(lambda: lab_page.headline == lab_page.first, "the first headline")
    lab_page.follows(placed="", selected="0")


def test_planted_outliers_are_dragged_together(lab_page):
    lab_page.scroll_up()
    drawn = columns(MonkLab().result())["planted"]
    x, y = float(drawn["x"][-1]), float(drawn["y"][-1])  # one of Q's, at twice the distance
    with lab_page.answers("a drag of planted outliers"):
        lab_page.drag(lab_page.at(CANVAS, x, y), lab_page.at(CANVAS, 17, y), lab_page.at(CANVAS, 14, y))
    until(lambda: float(lab_page.fields["distance"]) == pytest.approx(7, abs=NEAR), "half of 14 in the link")
    lab_page.agrees()


def test_the_browser_answers_q_while_the_server_sleeps(lab_page, server):
    until(lab_page.is_idle, "the table")
    with server.asleep(), lab_page.answers("a step of Q"):
        lab_page.press("Q")
    lab_page.follows(blocks=lab_page.says("Q"))
    assert f"with {lab_page.says('Q')} blocks" in lab_page.headline
    lab_page.agrees()


def lit(lab_page):
    """Return the rows whose points are highlighted: each has its own height in Q's strip."""
    return lab_page.page.evaluate(
        """() => {
        const drawn = [...Bokeh.documents[0]._all_models.values()]
            .filter((model) => model.type === 'ColumnDataSource' && 'P_x' in model.data).map((model) => model.data)
        const rows = drawn.find((data) => 'place' in data), on = drawn.find((data) => !('place' in data))
        return [...on.Q_y].map((y) => [...rows.Q_y].indexOf(y)).sort((a, b) => a - b)
    }"""
    )


def test_a_block_lights_its_pairs_and_a_pair_its_block(lab_page):
    lab_page.scroll_up()
    result = MonkLab().result()
    by_mean = [result.estimate.blocks[q] for q in result.estimate.block_values.argsort(kind="stable")]
    lab_page.page.mouse.move(*lab_page.at("Blocks", 2.5 / 11, 0.5))
    until(lambda: lit(lab_page) == sorted(by_mean[2].tolist()), "the third block's pairs to be lit")
    lab_page.page.mouse.move(*lab_page.at("Blocks", 10.5 / 11, 0.5))
    until(lambda: lit(lab_page) == sorted(by_mean[10].tolist()), "the last block's pairs to be lit")
    row = 17
    drawn = columns(result)["rows"]
    lab_page.page.mouse.move(*lab_page.at(CANVAS, float(drawn["P_x"][row]), float(drawn["P_y"][row])))
    until(lambda: row in lit(lab_page), "the pair under the pointer to be lit")
    (block,) = (rows for rows in by_mean if row in rows)
    assert lit(lab_page) == sorted(block.tolist())
    lab_page.page.mouse.move(5, 5)
    until(lambda: lit(lab_page) == [], "no pair to be lit")


def test_arrows_go_from_block_to_block(lab_page):
    blocks = lab_page.slider("blocks in the order")
    blocks.focus()
    for _ in range(11):
        lab_page.page.keyboard.press("ArrowRight")
    assert names_all(lab_page.says("blocks in the order"), "11 of 11", "outlier")
    assert len(lit(lab_page)) in (18, 19)
    lab_page.slider("Q").focus()
    assert lit(lab_page) == []


def test_no_barrier_with_all_folds_open(lab_page, axe):
    lab_page.turn(expanded=True)
    assert barriers(lab_page, axe) == []
    assert lab_page.nameless() == []
    lab_page.turn(expanded=False)


def test_a_finger_taps_an_outlier_and_a_narrow_page_does_not_scroll_sideways(lab_page):
    lab_page.page.set_viewport_size(PHONE["viewport"])
    assert lab_page.too_wide() == []
    lab_page.scroll_up()
    finger = lab_page.page.context.new_cdp_session(lab_page.page)
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    x, y = lab_page.at(CANVAS, 15, 1.5)
    with lab_page.answers("a tap"):
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    until(lambda: len(points(lab_page)) == 1, "an outlier in the link")
    finger.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    with lab_page.answers("the button"):
        lab_page.button("^Remove outlier$").click()
    lab_page.follows(placed="")
    lab_page.page.set_viewport_size(DESK)
