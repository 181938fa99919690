"""The Marginalized lab in use.

It tries σ while the server is suspended, a disc's rim, the dice, and barriers.
"""

from __future__ import annotations

import numpy as np
import pytest
from browsing import DESK, PHONE, Place
from lab_pictures import columns
from server_process import until

from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized.stories import PRESETS

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, SAMPLE = Place("marginalized", "σ", 3, PRESETS[0].name), "Sample"


@pytest.fixture(scope="module")
def kept(rooms):
    """Return the room of this lab."""
    return rooms(PLACE)


def test_the_browser_answers_sigma_while_the_server_sleeps(room, server):
    until(room.rested, "the table")
    with server.asleep(), room.answers("a step of σ"):
        room.press("σ")
    room.follows(sigma=room.says("σ"))
    assert f"At σ = {room.says('σ')} sd" in room.headline
    room.agrees()


def test_the_rim_of_a_disc_is_dragged(room):
    room.scroll_up()
    discs = columns(MarginalizedLab().result())["discs"]
    row = int(discs["y"].argmin())  # the lowest point: on its right no other rim is near
    x, y, radius = (float(discs[name][row]) for name in ("x", "y", "radius"))
    with room.answers("a drag of a rim"):
        room.drag(*(room.spot(SAMPLE, x + times * radius, y) for times in (1, 1.3, 1.5)))
    # a stop is at most 15 % from the next, and a pixel 5 % of the radius
    end = pytest.approx(1.5 * MarginalizedLab().result().mkme.chosen, rel=0.12)
    until(
        lambda: room.fields["sigma"] != "auto" and float(room.fields["sigma"]) == end, "the end of the drag in the link"
    )
    room.agrees()
    pictures = room.pictures()
    room.drag(room.spot(SAMPLE, 20, 10), room.spot(SAMPLE, 25, 5))  # nothing is there
    assert room.pictures() == pictures


def test_the_axis_of_an_ellipse_is_dragged(room):
    room.pick("third estimate", "one ellipse for all points")
    room.follows(third="full")
    room.scroll_up()
    result = MarginalizedLab(third="full").result()
    ends, middle = columns(result)["axes"], result.X.mean(axis=0)
    start = np.array([ends["x"][0], ends["y"][0]])
    room.drag(*(room.spot(SAMPLE, *(middle + share * (start - middle)).tolist()) for share in (1, 0.85, 0.7)))
    until(lambda: room.fields["long"] != "auto", "the drag in the link")
    end = pytest.approx(0.7 * result.third.axes[0], rel=0.1)
    until(lambda: float(room.fields["long"]) == end, "the end of the drag in the link")
    room.agrees()
    room.pick("third estimate", "none")
    room.follows(third="none")


def test_the_dice_are_thrown_and_the_density_is_drawn(room):
    room.picture("^Noisy.copies$")
    with room.answers("a σ that the server answers"):
        room.press("σ")
    room.button("^New copies$").click()
    room.follows(dice="2", picture="dice")
    pictures = room.pictures()
    room.pick("noise as", "density of MKME")
    room.follows(ground="MKME")
    until(lambda: room.pictures() != pictures, "the density")
    room.pick("noise as", "discs")
    room.picture("^Kernel$")
    room.follows(ground="discs", picture="kernel")


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(room, axe):
    room.turn(expanded=True)
    assert barriers(room, axe) == []
    assert room.nameless() == []
    room.turn(expanded=False)
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)
