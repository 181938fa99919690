"""The Kernel PCA lab in use: the cross, a point, the bandwidth while the server is suspended, and a telephone."""

from __future__ import annotations

import json

import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer.labs.kernel_pca import KernelPCALab
from explorer.labs.kernel_pca.stories import PRESETS

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("kernel_pca", "bandwidth", 3, PRESETS[0].name)
PLANE = "Drag the cross"
NEAR = 0.03  # units of the sample, two or three pixels
BUTTONS = {"denoised": "^Denoised$", "errors": "^Shrinkage$", "ghosts": "^Bootstrap$", "scores": "^Scores$"}


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every bandwidth", 60)  # once: from then on the session has it
    return room


def test_the_ring_is_dragged(room):
    room.scroll_up()
    x, y = KernelPCALab().result().probe[0]
    pictures = room.pictures()
    room.drag(room.spot(PLANE, x, y), room.spot(PLANE, 0.0, -0.2), room.spot(PLANE, 0.6, -0.6))
    until(lambda: room.pictures() != pictures, "another picture")  # the headline is about the component alone
    until(lambda: room.fields.get("at"), "the cross in the link")
    assert json.loads(room.fields["at"]) == pytest.approx([0.6, -0.6], abs=NEAR)
    room.agrees(late=True)


def test_a_point_of_the_sample_is_dragged(room):
    room.scroll_up()
    row = 5
    x, y = KernelPCALab().result().X[row]
    with room.answers("a drag of a point"):
        room.drag(room.spot(PLANE, x, y), room.spot(PLANE, 1.9, 1.0))
    until(lambda: room.fields.get("moved"), "the point in the link")
    ((moved, place),) = json.loads(room.fields["moved"]).items()
    near = KernelPCALab().result().X[int(moved)]  # a neighbour may lie under the same pixel
    assert near == pytest.approx([x, y], abs=0.06)
    assert place == pytest.approx([1.9, 1.0], abs=0.06)
    room.agrees(late=True)


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bandwidth")
    with server.asleep(), room.answers("a wide kernel"):
        room.press("bandwidth", "End")
    room.follows(bandwidth="5.0")
    assert "bandwidth 5 ×" in room.trust
    room.agrees(late=True)


def test_each_picture_comes_and_a_narrow_page_does_not_scroll_sideways(room):
    for picture, button in BUTTONS.items():
        room.picture(button)
        room.follows(picture=picture)
        until(lambda: room.still() and min(room.colours()) > 3, f"the picture {picture}")
        room.agrees(late=True)
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    try:
        assert room.too_wide() == []
    finally:
        room.page.set_viewport_size(DESK)
