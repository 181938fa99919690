"""The Marginalized lab in use.

It tries σ while the server is suspended, a disc's rim, the dice, and barriers.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.browsing import LabEntry
from helpers.lab_pictures import columns
from helpers.server_process import until

from explorer.labs.marginalized import MarginalizedLab

from .test_browser_accessibility import is_open_to_all

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, SAMPLE = LabEntry("marginalized"), "The sample"


def test_the_browser_answers_sigma_while_the_server_sleeps(lab_page, server):
    until(lab_page.is_idle, "the table")
    with server.asleep(), lab_page.answers("a step of σ"):
        lab_page.press("σ")
    lab_page.follows(sigma=lab_page.says("σ"))
    assert f"at σ = {lab_page.says('σ')} sd" in lab_page.headline
    lab_page.agrees()


def test_the_rim_of_a_disc_is_dragged(lab_page):
    lab_page.scroll_up()
    discs = columns(MarginalizedLab().result())["discs"]
    row = int(discs["y"].argmin())  # the lowest point: on its right no other rim is near
    x, y, radius = (float(discs[name][row]) for name in ("x", "y", "radius"))
    with lab_page.answers("a drag of a rim"):
        lab_page.drag(*(lab_page.at(SAMPLE, x + times * radius, y) for times in (1, 1.3, 1.5)))
    # a stop is at most 15 % from the next, and a pixel 5 % of the radius
    end = pytest.approx(1.5 * MarginalizedLab().result().mkme.chosen, rel=0.12)
    until(
        lambda: lab_page.fields["sigma"] != "auto" and float(lab_page.fields["sigma"]) == end,
        "the end of the drag in the link",
    )
    lab_page.agrees()
    pictures = lab_page.pictures()
    lab_page.drag(lab_page.at(SAMPLE, 20, 10), lab_page.at(SAMPLE, 25, 5))  # nothing is there
    assert lab_page.pictures() == pictures


def test_the_axis_of_an_ellipse_is_dragged(lab_page):
    lab_page.pick("third estimate", "one ellipse for all points")
    lab_page.follows(third="full")
    lab_page.scroll_up()
    result = MarginalizedLab(third="full").result()
    ends, middle = columns(result)["axes"], result.X.mean(axis=0)
    start = np.array([ends["x"][0], ends["y"][0]])
    # the line below the headline gets shorter, so that the page moves
    lab_page.drag(*(lab_page.at(SAMPLE, *(middle + share * (start - middle)).tolist()) for share in (1, 0.85, 0.7)))
    until(lambda: lab_page.fields["long"] != "auto", "the drag in the link")
    end = pytest.approx(0.7 * result.third.axes[0], rel=0.1)
    until(lambda: float(lab_page.fields["long"]) == end, "the end of the drag in the link")
    lab_page.agrees()
    lab_page.pick("third estimate", "none")
    lab_page.follows(third="none")


def test_the_dice_are_thrown_and_the_density_is_drawn(lab_page):
    lab_page.picture("^Noisy.copies$")
    with lab_page.answers("a σ that the server answers"):
        lab_page.press("σ")
    lab_page.button("^New copies$").click()
    lab_page.follows(dice="2", picture="dice")
    pictures = lab_page.pictures()
    lab_page.pick("noise as", "density of MKME")
    lab_page.follows(ground="MKME")
    until(lambda: lab_page.pictures() != pictures, "the density")
    lab_page.pick("noise as", "discs")
    lab_page.picture("^Kernel$")
    lab_page.follows(ground="discs", picture="kernel")


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(lab_page, axe):
    is_open_to_all(lab_page, axe)
