"""The Kernel PCA lab in use: the cross, a point, the bandwidth while the server is suspended, and a telephone."""

from __future__ import annotations

import json

import pytest
from helpers.browsing import DESK, PHONE, LabEntry
from helpers.server_process import until

from explorer.labs.kernel_pca import KernelPCALab

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("kernel_pca")
PLANE = "The component, the test point"
NEAR = 0.03  # units of the sample, two or three pixels
BUTTONS = {"denoised": "^Denoised$", "errors": "^Shrinkage$", "ghosts": "^Bootstrap$", "scores": "^Scores$"}


def test_the_ring_is_dragged(lab_page):
    lab_page.scroll_up()
    x, y = KernelPCALab().result().probe[0]
    pictures = lab_page.pictures()
    lab_page.drag(lab_page.at(PLANE, x, y), lab_page.at(PLANE, 0.0, -0.2), lab_page.at(PLANE, 0.6, -0.6))
    until(lambda: lab_page.pictures() != pictures, "another picture")  # the headline is about the component alone
    until(lambda: lab_page.fields.get("at"), "the cross in the link")
    assert json.loads(lab_page.fields["at"]) == pytest.approx([0.6, -0.6], abs=NEAR)
    lab_page.agrees(late=True)


def test_a_point_of_the_sample_is_dragged(lab_page):
    lab_page.scroll_up()
    row = 5
    x, y = KernelPCALab().result().X[row]
    with lab_page.answers("a drag of a point"):
        lab_page.drag(lab_page.at(PLANE, x, y), lab_page.at(PLANE, 1.9, 1.0))
    until(lambda: lab_page.fields.get("moved"), "the point in the link")
    ((moved, place),) = json.loads(lab_page.fields["moved"]).items()
    near = KernelPCALab().result().X[int(moved)]  # a neighbour may lie under the same pixel
    assert near == pytest.approx([x, y], abs=0.06)
    assert place == pytest.approx([1.9, 1.0], abs=0.06)
    lab_page.agrees(late=True)


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every bandwidth")
    with server.asleep(), lab_page.answers("a wide kernel"):
        lab_page.press("bandwidth", "End")
    lab_page.follows(bandwidth="5.0")
    assert "bandwidth 5 ×" in lab_page.trust
    lab_page.agrees(late=True)


def test_each_picture_comes_and_a_narrow_page_does_not_scroll_sideways(lab_page):
    for picture, button in BUTTONS.items():
        lab_page.picture(button)
        lab_page.follows(picture=picture)
        until(lambda: lab_page.is_still() and min(lab_page.colours()) > 3, f"the picture {picture}")
        lab_page.agrees(late=True)
    lab_page.page.set_viewport_size(PHONE["viewport"])
    until(lab_page.is_still, "a narrow page")
    try:
        assert lab_page.too_wide() == []
    finally:
        lab_page.page.set_viewport_size(DESK)
