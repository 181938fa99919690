"""A picture in a notebook cell: in the colour of the text around it, with the ends of its axes as text."""

import re
import xml.etree.ElementTree as ET

import every_lab
import numpy as np
import pytest

from explorer.discrepancy import TestResult
from explorer.kernels import Gaussian
from explorer.marks.nulls import OneTest, little_null
from explorer.marks.thumbnails import EDGE, HEIGHT, WIDTH, bars, discs, gaussians
from explorer.svg import draw_for_notebook
from explorer.svg.colours import MARKED
from explorer.svg.points import MARKERS, marker_outline
from explorer.workbench import registry

SVG = "{http://www.w3.org/2000/svg}"


def words(root):
    return [(each.get("text-anchor"), each.text) for each in root.iter(f"{SVG}text")]


def test_the_ends_of_an_axis_stand_at_its_ends():
    shown = discs.of([[-2.0, 0.0], [3.5, 1.0]], [1.0, -1.0])
    root = ET.fromstring(draw_for_notebook(discs, shown, "two points"))
    assert root.get("aria-label") == "two points"
    assert words(root) == [("start", "−2"), ("end", "3.5")]
    assert [float(each.get("x")) for each in root.iter(f"{SVG}text")] == [EDGE, WIDTH - EDGE]


def test_a_long_name_leaves_room_for_the_ends():
    shown = bars.of([1.0, 2.0])
    shown = shown._replace(
        x=shown.x._replace(label="long " * 30, ticks=dict(zip((0.0, 2.0), ("low", "high"), strict=True)))
    )
    said = words(ET.fromstring(draw_for_notebook(bars, shown, "bars")))
    assert [anchor for anchor, _ in said] == ["start", "end", "middle"]
    assert len(said[2][1]) < 60


def test_a_round_gaussian_is_drawn_round():
    shown = gaussians.of(np.array([1.0]), np.zeros((1, 2)), np.eye(2)[None])
    ellipse = next(ET.fromstring(draw_for_notebook(gaussians, shown, "one")).iter(f"{SVG}ellipse"))
    assert ellipse.get("rx") == ellipse.get("ry")
    assert 2 * float(ellipse.get("ry")) == pytest.approx(HEIGHT - 18 - EDGE)  # as high as the space allows


def test_a_null_in_little_tells_its_parts_apart():
    test = TestResult(2.0, [0.0, 1.0, 2.0, 3.0] * 10, "a statistic", Gaussian(1.0), n=9)
    drawn = draw_for_notebook(little_null, OneTest.of(test), "a null")
    root = ET.fromstring(drawn)
    assert ("middle", "statistic 2") in words(root)
    bars, tail, threshold, observed = (each for each in root if each.tag == f"{SVG}g")
    assert [each.get("fill") for each in (bars, tail)] == ["currentColor", MARKED]
    assert [each.get("stroke") for each in (threshold, observed)] == [MARKED, "currentColor"]
    assert threshold.get("stroke-dasharray")
    assert threshold[0][0].text == "threshold 3 at level 0.05"
    assert observed[0][0].text == "statistic 2"


@pytest.mark.parametrize("name", ["twosample", "kernel_pca"])
def test_a_lab_s_picture_can_be_plain(name):
    result = every_lab.lab_of(name).result()
    for picture in registry.role(name, "figures").PICTURES:
        if picture.is_visible(result):
            drawn = draw_for_notebook(picture, result, "a picture")
            ET.fromstring(drawn)
            assert not re.search(r"\bid=|url\(|class=|<style", drawn)


def corners(d):
    """Return the points of a path of relative moves."""
    steps = np.array([each.split() for each in re.split("[mlz]", d) if each], float)
    return steps.cumsum(axis=0)


@pytest.mark.parametrize("name", [name for name, (closed, opened) in MARKERS.items() if len(closed) + len(opened) == 1])
@pytest.mark.parametrize("angle", [0.0, 0.3, -2.0])
def test_a_marker_is_turned_to_the_left(name, angle):
    closed, opened = MARKERS[name]
    x, y = np.transpose([*closed, *opened][0]) * 50
    turned = (x - 1j * y) * np.exp(1j * angle)  # rotated in the mathematical orientation; on the screen y points down
    found = corners(marker_outline(name, 100.0, angle))
    np.testing.assert_allclose(found[:, 0] - 1j * found[:, 1], turned, atol=0.051 * len(found))  # steps are rounded
