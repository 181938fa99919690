"""The Two-sample lab in use: answers of the browser, idle updates, dragged points, rows left out."""

from __future__ import annotations

import pytest
from browsing import DESK, PHONE, Place
from server_process import until

from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.stories import PRESETS
from explorer.labs.twosample.words import headline
from explorer.markup import text_of

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = Place("twosample", "bandwidth", 3, PRESETS[0].name)


@pytest.fixture(scope="module")
def kept(rooms):
    room = rooms(PLACE)
    until(room.tabled, "the table of every bandwidth", 60)  # once: from then on the session has it
    return room


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every bandwidth")
    with server.asleep(), room.answers("a step of the bandwidth"):
        room.press("bandwidth", "ArrowLeft")
    room.follows(bandwidth=room.says("bandwidth"))
    bandwidth = room.says("bandwidth")
    result = TwoSampleLab(bandwidth=float(bandwidth)).result(wait=True)
    assert text_of(headline(result, result.row)).startswith(room.headline)


def test_an_outlier_masks_and_its_row_is_left_out(room):
    with room.answers("a preset"):
        room.button("^Masked by one outlier$").click()
    until(lambda: "changes the verdict" in room.trust, "the influence of single rows")
    first = room.headline
    with room.answers("a row left out"):
        room.button("^without row 100 of Q$").click()
    room.follows(dropped='["Q100"]')
    assert "differ" in room.headline
    room.button("^Put the rows back$").click()
    until(lambda: room.headline == first, "the rows back")


def test_a_point_is_dragged(room):
    until(room.rested, "a page at rest")
    room.slider("n points").scroll_into_view_if_needed()
    X = TwoSampleLab().result().samples.X
    row = int(X[:, 0].argmin())  # a point that no other is near
    x, y = place = room.spot("P and Q, shaded", *X[row])
    with room.answers("a dragged point"):
        room.drag(place, (x + 30, y - 25))
    until(lambda: f'"{row}":' in room.fields["moved_p"], "the moved point in the link")


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(room, axe):
    room.turn(expanded=True)
    room.button("^null PNG$").wait_for()
    found = barriers(room, axe)
    room.turn(expanded=False)
    assert not found, "\n".join(found)
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)
