"""The Independence lab in use: σ while the server is suspended, points by click, drag and key, Gram matrices."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer import Laplacian
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.stories import PRESETS

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, CANVAS = Place("independence", "noise", 3, PRESETS[0].name), "Click adds"
NEAR = 0.05  # units of x, ten pixels of the canvas


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every σ", 60)  # once: from then on the session has it
    return room


def points(room):
    """Return the pairs in the link that the user has added."""
    return json.loads(room.fields.get("placed") or "[]")


def test_the_browser_answers_sigma_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every σ")
    with server.asleep(), room.answers("so much σ"):
        room.press("σ", "End")
    until(lambda: float(room.fields["sigma"]) == float(room.says("σ")), "σ in the link")
    assert f"σ = {room.says('σ')} ×, the same test as at" in room.trust
    room.agrees(late=True)


def test_a_click_adds_a_drag_moves_and_a_key_removes(room):
    room.scroll_up()
    with room.answers("a click"):
        room.page.mouse.click(*room.spot(CANVAS, 0.1, 0.2))
    until(lambda: len(points(room)) == 1, "a pair in the link")
    assert points(room)[0] == pytest.approx([0.1, 0.2], abs=NEAR)
    with room.answers("a drag"):
        room.drag(room.spot(CANVAS, *points(room)[0]), room.spot(CANVAS, 0.3, 0.1), room.spot(CANVAS, 0.4, -0.1))
    until(lambda: points(room)[0] == pytest.approx([0.4, -0.1], abs=NEAR), "the end of the drag in the link")
    room.agrees(late=True)
    with room.answers("Delete"):
        room.page.keyboard.press("Delete")
    until(lambda: room.headline == room.first, "the first headline")
    pairs = IndependenceLab().result().pairs
    row = int(pairs.X[:, 0].argmin())  # a point that no other is near
    x, y = place = room.spot(CANVAS, pairs.X[row, 0], pairs.Y[row, 0])
    with room.answers("a dragged point"):
        room.drag(place, (x + 40, y + 30))
    until(lambda: f'"{row}":' in room.fields["moved"], "the moved pair in the link")
    room.agrees(late=True)


def test_a_drawing_of_ones_own(room):
    room.button("^Draw your own$").click()
    until(lambda: "empty" in room.headline, "an empty canvas")
    room.scroll_up()
    for i in range(-2, 3):
        said = room.headline
        room.page.mouse.click(*room.spot(CANVAS, i / 2, i * i / 4 - 0.5))
        until(lambda said=said: room.headline != said, "a point in the canvas")
    until(lambda: len(points(room)) == 5, "five pairs in the link")
    room.agrees(late=True)


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(room, axe):
    room.turn(expanded=True)
    room.button("^sample PNG$").wait_for()
    found = barriers(room, axe)
    nameless = room.nameless()
    room.turn(expanded=False)
    assert not found, "\n".join(found)
    assert nameless == []
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)


def test_gram_matrices_of_ones_own(room, tmp_path):
    """Each side is a binary file."""
    Z = np.random.default_rng(2).normal(size=(40, 2))
    np.save(tmp_path / "K.npy", Laplacian(1.0)(Z))
    np.save(tmp_path / "L.npy", Laplacian(1.0)(Z[:, :1] ** 2))
    room.unfold("Your data")
    room.choose(tmp_path / "K.npy")
    zone = room.page.locator("input[type=file]").nth(1)
    zone.wait_for(state="attached")
    until(room.still, "the second zone at rest")
    zone.set_input_files(tmp_path / "L.npy")
    until(lambda: room.page.get_by_text("For y: L.npy, 40 rows.").is_visible(), "the second matrix")
    room.button("^Use this table$").click()
    room.follows(file="K.npy", file2="L.npy", gram="true")
    until(lambda: "With the Gram matrices themselves" in room.trust, "both matrices in the trust line")
    until(lambda: "HSIC finds a dependence" in room.headline, "the verdict on both")
    assert room.alerts == []
