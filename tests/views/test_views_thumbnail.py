"""A figure in little: every lab's hero becomes one, and its marks lie where the figure's axes put them."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from explorer.marks import Rule, boxes, by, curve, dots, words
from explorer.marks.roles import ROLES
from explorer.views.drawn import Drawn
from explorer.views.inking import ink_all
from explorer.views.style import Painter
from explorer.views.thumbnail import EDGE, HEIGHT, WIDTH, thumbnail
from explorer.workbench import registry


def little(*marks, grounds=(), axes=None, **columns):
    """The paths of marks in the unit square, or over other axes: their attributes; the columns are of their source."""
    plot, paint = figure(**{"x_range": (0, 1), "y_range": (0, 1), **(axes or {})}), Painter()
    source = ColumnDataSource({name: np.array(column) for name, column in columns.items()})
    ink_all(plot, paint, grounds, marks, {"drawn": source})
    return [path.attrib for path in ElementTree.fromstring(thumbnail(plot, paint, "a <figure>"))]


def numbers(path):
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?", path["d"])]


def px(x, y):
    """Where a point of the unit square lies."""
    return EDGE + x * (WIDTH - 2 * EDGE), HEIGHT - EDGE - y * (HEIGHT - 2 * EDGE)


@pytest.mark.thorough(default=["shrinkage", "twosample", "monk", "conditional"])
@pytest.mark.parametrize("name", registry.names())
def test_every_lab_s_hero_is_a_picture_in_little(name):
    paint = Painter()
    hero = Drawn(registry.role(name, "figures").PICTURES[0], registry.entry(name).lab().result(), paint)
    svg = thumbnail(hero.plot, paint, "Q & A's <picture>")
    tree = ElementTree.fromstring(svg)
    assert tree.get("aria-label") == "Q & A's <picture>"
    assert "nan" not in svg
    assert "None" not in svg
    assert {role for role in re.findall(r"var\(--(\w+),", svg)} <= set(ROLES)


def test_a_line_lies_where_the_axes_put_it_and_breaks_where_it_is_not_known():
    (line,) = little(curve("drawn", "monk"), x=[0, 0.5, 0.7, 1], y=[0, 1, np.nan, 0.5])
    assert numbers(line) == pytest.approx([*px(0, 0), *px(0.5, 1), *px(1, 0.5)], abs=0.06)  # drawn to a tenth of a px
    assert re.sub("[^ML]", "", line["d"]) == "MLM"
    assert line["stroke"] == f"var(--monk, {ROLES['monk'][0]})"


def test_a_logarithmic_axis_stays_one():
    axes = {"x_range": (0.01, 100.0), "x_axis_type": "log"}
    (line,) = little(curve("drawn", "kme"), axes=axes, x=[0.01, 1.0, 100.0], y=[0, 0, 0])
    assert numbers(line)[::2] == pytest.approx([px(0, 0)[0], px(0.5, 0)[0], px(1, 0)[0]], abs=0.06)


def test_dots_have_their_own_sizes_and_hollow_ones_a_hole():
    columns = {"x": [0.1, 0.2, 0.3, 0.4], "y": [0.5] * 4, "size": [10.0, 10.0, 0.0, 4.0], "fill": [1.0, 0.0, 1.0, 1.0]}
    drawn = little(dots("drawn", "kme", size=by("size"), fill=by("fill")), **columns)
    assert [path["stroke-width"] for path in drawn] == ["2.48", "6.2", "4.6", "6.2"]  # 0.62 of each, and a rim of 1.6
    assert drawn[2]["stroke"].startswith("var(--ground")


def test_what_only_words_explain_is_left_out():
    assert little(dots("drawn", "kme"), words("drawn", "kme"), x=[0.5], y=[0.5], words=["γ"]) == []


def test_bars_and_spans_reach_as_far_as_in_the_figure():
    rule = Rule("harm", x=0.5, style={"dash": "dashed"})
    span, bar = little(boxes("drawn", "kme"), grounds=[rule], left=[0.0], right=[0.5], top=[1.0])
    assert span["d"] == f"M{px(0.5, 0)[0]:.1f} 0V{HEIGHT}"
    assert span["stroke-dasharray"]
    corners = np.reshape(numbers(bar), (-1, 2))
    assert corners.min(axis=0) == pytest.approx([px(0, 0)[0], px(0, 1)[1]])
    assert corners.max(axis=0) == pytest.approx([px(0.5, 0)[0], px(0, 0)[1]])
