"""Thumbnails: every lab's main picture has one, and its marks lie where the axes put them."""

import re
import subprocess
import sys
from functools import partial
from xml.etree import ElementTree

import every_lab
import numpy as np
import pytest

from explorer.marks import (
    Axis,
    Band,
    Picture,
    PlanePicture,
    ReferenceLine,
    TextLabel,
    boxes,
    by,
    curve,
    dots,
    field_of,
    words,
)
from explorer.marks.roles import LESS, MORE, ROLES
from explorer.svg import thumbnail
from explorer.svg.thumbnail import EDGE, HEIGHT, WIDTH
from explorer.workbench import registry

UNIT = Axis("", (0.0, 1.0))
UNIT_PLANE = partial(PlanePicture, frame=lambda result: (0, 0, 1), quantities=lambda result: ())


def little(*marks, sources=None, base=Picture, **said):
    """Return the attributes of a thumbnail's shapes for marks in the unit square, or on other axes."""
    of = base("of", marks=marks, sources=lambda result: sources or {}, **{"x": UNIT, "y": UNIT, **said})
    tree = ElementTree.fromstring(thumbnail(of, None, "a <figure>"))
    return [each.attrib for each in tree.iter() if each.tag not in ("svg", "g")]


def numbers(path):
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", path["d"])]


def px(x, y):
    """Return the position of a point of the unit square, in px."""
    return EDGE + x * (WIDTH - 2 * EDGE), HEIGHT - EDGE - y * (HEIGHT - 2 * EDGE)


@pytest.mark.thorough(default=["shrinkage", "twosample", "monk", "conditional"])
@pytest.mark.parametrize("name", registry.names())
def test_every_lab_s_hero_is_a_picture_in_little(name):
    hero, result = registry.role(name, "figures").PICTURES[0], every_lab.lab_of(name).result()
    svg = thumbnail(hero, result, "Q & A's <picture>")
    tree = ElementTree.fromstring(svg)
    assert tree.get("aria-label") == "Q & A's <picture>"
    assert not list(tree.iter("text"))
    assert not re.search(r"nan|None|\bid=|url\(|class=", svg)
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) - {"none", MORE, LESS}
    assert colours <= {f"var(--{role}, {light})" for role, (light, _) in ROLES.items()}
    assert svg == thumbnail(hero, result, "Q & A's <picture>")


def test_a_line_lies_where_the_axes_put_it_and_breaks_where_it_is_not_known():
    (line,) = little(curve("drawn", "monk", width=4), sources={
        "drawn": {"x": np.array([0, 0.5, 0.6, 0.7, 1]), "y": np.array([0, 1, np.nan, 0.2, 0.5])}
    })  # fmt: skip
    assert numbers(line) == pytest.approx([*px(0, 0), *px(0.5, 1), *px(0.7, 0.2), *px(1, 0.5)], abs=0.06)
    assert re.sub("[^ML]", "", line["d"]) == "MLML"
    assert line["stroke"] == f"var(--monk, {ROLES['monk'][0]})"
    assert line["stroke-width"] == "3"  # three quarters


def test_a_logarithmic_axis_stays_one():
    axis = Axis("", (0.01, 100.0), log=True)
    (bar,) = little(boxes("drawn", "kme", "left", "right", 0, "top"), x=axis, sources={
        "drawn": {"left": np.array([0.01, 1.0]), "right": np.array([1.0, 100.0]), "top": np.array([1.0, 1.0])}
    })  # fmt: skip
    corners = np.array(numbers(bar))
    assert corners[[0, 2]] == pytest.approx([px(0, 0)[0], px(0.5, 0)[0]], abs=0.06)
    assert corners[[5, 7]] == pytest.approx([px(0.5, 0)[0], px(1, 0)[0]], abs=0.06)


def test_dots_have_their_own_sizes_and_hollow_ones_a_hole():
    at = {"x": np.array([0.1, 0.2, 0.3, 0.4]), "y": np.full(4, 0.5)}
    at |= {"size": np.array([10.0, 10.0, 0.0, 4.0]), "fill": np.array([1.0, 0.0, 1.0, 1.0])}
    drawn = little(dots("drawn", "kme", size=by("size"), fill=by("fill")), sources={"drawn": at})
    # 0.62 of each size, rounded to a quarter of a pixel, and a rim of 1.6 px
    assert [path["stroke-width"] for path in drawn] == ["2.5", "6.25", "4.65", "6.25"]
    assert drawn[2]["stroke"].startswith("var(--ground")


def test_dots_that_look_alike_are_one_path():
    rng = np.random.default_rng(0)
    at = {"x": rng.random(300), "y": rng.random(300), "size": rng.uniform(2, 6, 300)}
    assert len(little(dots("drawn", "kme", size=by("size")), sources={"drawn": at})) < 15


def test_markers_keep_their_shape():
    (cross,) = little(dots("drawn", "outlier", marker="x"), sources={"drawn": {"x": [0.5], "y": [0.5]}})
    assert cross["d"].count("l") == 2


def test_what_only_words_explain_is_left_out():
    at = {"drawn": {"x": np.array([0.5]), "y": np.array([0.5]), "words": np.array(["γ"])}}
    assert little(dots("drawn", "kme"), words("drawn", "kme"), TextLabel("kme", 0.5, 0.5, "here"), sources=at) == []


def test_lines_and_tints_reach_the_edges():
    rule, tint = ReferenceLine("harm", x=0.5, style={"dash": "dashed"}), Band("harm", bottom=0.5)
    across, ground = little(background=[rule, tint])
    assert across["d"] == f"M{px(0.5, 0)[0]:.1f} 0V{HEIGHT}"
    assert across["stroke-dasharray"] == "4.5 4.5"
    assert ground["d"] == f"M0 0.0H{WIDTH}V{px(0, 0.5)[1]:.1f}H0z"


def test_a_plane_is_not_distorted():
    at = {"drawn": {"x": np.array([-1.0, 1.0, 0.0]), "y": np.array([0.0, 0.0, 1.0])}}
    (spots,) = little(dots("drawn", "kme"), base=UNIT_PLANE, sources=at)
    places = re.findall(r"M([\d.]+) ([\d.]+)h", spots["d"])
    x, y = np.array(places, dtype=float).T
    assert x[1] - x[0] == pytest.approx(2 * (y[0] - y[2]), abs=0.2)


def test_a_function_is_drawn_in_its_signs():
    at = {"w": {"w": np.linspace(-1, 1, 30)}, "at": {"x": [0.0], "y": [0.0], "dw": [1.0], "dh": [1.0]}}
    fills = [each["fill"] for each in little(field_of("w", "at", 5), sources=at)]
    assert set(fills) == {MORE, LESS}


def test_a_thumbnail_needs_nothing_that_draws():
    code = """
import sys
from functools import partial
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.figures import PICTURES
from explorer.svg import thumbnail
thumbnail(PICTURES[0], ShrinkageLab().result(), "one")
print([each for each in ("bokeh", "holoviews", "panel") if each in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
