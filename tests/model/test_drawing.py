"""Pictures of a notebook cell: well-formed, small, and with the numbers of the object."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from explorer.marks.thumbnails import EDGE, MOST, WIDTH
from explorer.svg import inline_pictures
from explorer.svg.colours import MARKED

SVG = "{http://www.w3.org/2000/svg}"
RNG = np.random.default_rng(0)


def parsed(picture):
    return ET.fromstring(picture)


def tips(picture):
    return [each.text for each in parsed(picture).iter(f"{SVG}title")]


def rectangles(picture):
    """Return the (left, top, right, bottom) and the fill of every bar with hover text, in the order of the texts."""
    found = []
    for group in parsed(picture).iter(f"{SVG}g"):
        for each in group.iter(f"{SVG}path"):
            edges = re.fullmatch(r"M([-\d.]+) ([-\d.]+)H([-\d.]+)V([-\d.]+)H\1z", each.get("d"))
            found += [(tuple(map(float, edges.groups())), group.get("fill"))] if edges else []
    return found


def number(words):
    return float(re.search(r"-?\d+(\.\d+)?(e[+-]?\d+)?", words).group())


def test_a_picture_is_an_image_described_by_its_sentence():
    root = parsed(inline_pictures.bars([1.0, -2.0], 'MMD² is "large" & <0'))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == 'MMD² is "large" & <0'


@pytest.mark.parametrize("size", [1, 2, 99, 5000])
def test_a_histogram_counts_every_value_once_and_marks_the_observed_one(size):
    values = RNG.normal(size=size)
    *bins, mark = tips(inline_pictures.histogram(values, 2.5, "label", "statistic"))
    assert sum(int(number(each)) for each in bins) == size
    assert mark == "statistic 2.5"


def test_a_histogram_is_to_scale():
    picture = inline_pictures.histogram([0.0, 0.0, 0.0, 4.0], 1.0, "label")
    high, low = (bottom - top for (_, top, _, bottom), _ in rectangles(picture))
    assert high == pytest.approx(3 * low, abs=0.2)  # places are rounded to tenths of a pixel
    (line,) = (each.get("d") for each in parsed(picture).iter(f"{SVG}path") if each[0].text == "observed 1")
    share = (float(re.match(r"M([\d.]+)", line).group(1)) - EDGE) / (WIDTH - 2 * EDGE)
    assert share == pytest.approx(0.25, abs=0.001)


def test_bars_have_their_values_and_one_is_marked():
    values = [1.0, -2.0, 0.5]
    picture = inline_pictures.bars(values, "label", marked=1)
    # the marked one is drawn last
    assert [each.split(": ") for each in tips(picture)] == [["0", "1"], ["2", "0.5"], ["1", "-2"]]
    drawn = rectangles(picture)
    assert [fill for _, fill in drawn] == ["currentColor", "currentColor", MARKED]
    heights = [bottom - top for (_, top, _, bottom), _ in drawn]
    assert -heights[2] == pytest.approx(2 * heights[0], abs=0.2)
    lefts = [left for (left, *_), _ in drawn]
    assert lefts[0] < lefts[2] < lefts[1]


def test_intervals_have_their_values():
    picture = inline_pictures.intervals([1, 3], [0.5, 0.25], [0.125, 0.0625], "label", marked=0)
    assert tips(picture) == ["3: 0.25 ± 0.0625", "1: 0.5 ± 0.125"]


def test_an_interval_that_is_not_finite_leaves_no_mark():
    assert tips(inline_pictures.intervals("ab", [0.5, np.nan], [np.inf, 1.0], "label")) == []


def test_lines_end_where_nothing_is_known():
    picture = inline_pictures.lines(
        np.array([1.0, 2.0, 4.0]), np.array([[0.0, np.nan, 1.0], [1.0, 2.0, 3.0]]), "loss", "label"
    )
    assert len(list(parsed(picture).iter(f"{SVG}circle"))) == 5
    assert "loss from 0 to 3" in picture


def test_a_share_is_as_wide_as_it_is_large():
    d = next(parsed(inline_pictures.share(0.25, "label")).iter(f"{SVG}path")).get("d")
    left, right = map(float, re.match(r"M([\d.]+) [\d.]+H([\d.]+)", d).groups())
    assert (left, right) == pytest.approx((EDGE, EDGE + 0.25 * (WIDTH - 2 * EDGE)))


@pytest.mark.parametrize("d", [1, 2])
def test_points_have_their_weights_and_places(d):
    X, w = RNG.normal(size=(7, d)), RNG.normal(size=7)
    said = tips(inline_pictures.points(X, w, "label"))
    for tip, row, weight in zip(said, X, w, strict=True):
        assert number(tip) == pytest.approx(weight, rel=1e-5)  # six digits
        assert [float(v) for v in tip.split(" at ")[1].split(", ")] == pytest.approx(row.tolist(), rel=1e-5)


def test_of_too_many_points_the_heaviest_are_drawn_and_it_is_said():
    w = np.arange(1000.0)
    picture = inline_pictures.points(RNG.normal(size=(1000, 2)), w, "label")
    assert {number(tip) for tip in tips(picture)} == set(w[-MOST:])
    assert f"largest weights {MOST} of 1000" in picture


def test_an_ellipse_lies_along_its_covariance():
    angle = np.radians(30)
    U = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    S = U @ np.diag([9.0, 1.0]) @ U.T
    ellipse = next(parsed(inline_pictures.ellipses([1.0], np.zeros((1, 2)), S[None], "label")).iter(f"{SVG}ellipse"))
    turned = float(re.search(r"rotate\((\S+)", ellipse.attrib["transform"]).group(1))
    assert np.tan(np.radians(turned)) == pytest.approx(-np.tan(angle), abs=0.01)  # down is up in SVG
    assert float(ellipse.attrib["rx"]) == pytest.approx(3 * float(ellipse.attrib["ry"]), rel=0.02)


AWKWARD = {
    "one": [1.0],
    "constant": [3.0] * 50,
    "zeros": [0.0] * 5,
    "infinite": [np.inf, -np.inf, 1.0],
    "nothing finite": [np.nan, np.inf],
    "huge": [-1.7e308, 1.7e308],
    "tiny": [5e-324, 0.0],
    "one digit apart": [1.0, 1.0 + 2**-52],
    "many": np.arange(20_000.0),
}


@pytest.mark.parametrize("values", AWKWARD.values(), ids=AWKWARD)
def test_awkward_values_are_drawn(values):
    values = np.asarray(values)
    n = len(values)
    some = np.where(np.isfinite(values), np.clip(values, -1e150, 1e150), 0.0)[:500]
    spread = np.array([np.eye(2)] * len(some)) * np.abs(some)[:, None, None]
    pictures = [
        inline_pictures.histogram(values, values[0], "label"),
        inline_pictures.bars(values, "label", marked=0),
        inline_pictures.intervals(range(n), values, np.abs(values), "label"),
        inline_pictures.curve(values, values, "label"),
        inline_pictures.curve(values, values, "label", log=True),
        inline_pictures.points(np.column_stack([values, values]), np.ones(n), "label"),
        inline_pictures.points(values[:, None], np.ones(n), "label"),
        inline_pictures.ellipses(np.full(len(some), 1 / len(some)), np.column_stack([some, some]), spread, "label"),
    ]
    for picture in pictures:
        root = parsed(picture)
        assert len(picture) < 20_000
        for each in root.iter():
            for name in ("x", "y", "cx", "cy", "x1", "x2", "y1", "y2", "width", "height", "r", "rx", "ry"):
                # a mark at an edge may reach a little over it
                assert -20 <= float(each.attrib.get(name, 0)) <= WIDTH + 20
            for place in re.findall(r"[-\d.]+", each.get("d", "")):
                assert -20 <= float(place) <= WIDTH + 20


def test_pictures_are_deterministic_and_have_no_names_that_others_could_have():
    """A page of many of them has no two elements of one name, since it has none with a name."""
    values = RNG.normal(size=50)
    picture = inline_pictures.histogram(values, 1.0, "label")
    assert picture == inline_pictures.histogram(values, 1.0, "label")
    assert not re.search(r"\bid=|url\(|<style|class=", picture)
