"""Charts: axes that cover their numbers, and names as positions."""

import numpy as np
import pytest

from explorer.marks import Axis, Columns, area, bars, chart, curve, dots, field_of, mesh, segments, vertical_lines

X, Y = np.array([1.0, 2.0, 4.0]), np.array([10.0, 100.0, 1000.0])
GROUND = Columns(x=np.array([-1.0]), y=np.array([0.0]), dw=np.array([4.0]), dh=np.array([2.0]))


SOURCE = Columns(x=X, y=Y)


def ranges(*marks, x=Axis("x"), y=Axis("y")):  # noqa: B008, an Axis does not change
    _, *axes = chart("title", x, y, marks).axes(None)
    return [axis.range for axis in axes]


def test_an_axis_covers_its_numbers_with_some_space():
    (low, high), (bottom, top) = ranges(curve(SOURCE, "kme"))
    assert (low, high) == pytest.approx((1 - 0.04 * 3, 4 + 0.04 * 3))
    assert bottom < 10 < 1000 < top


def test_space_on_a_logarithmic_axis_is_a_ratio():
    _, (bottom, top) = ranges(curve(SOURCE, "kme"), y=Axis("y", log=True))
    assert 10 / bottom == pytest.approx(top / 1000)


def test_a_logarithmic_axis_leaves_out_what_it_cannot_show():
    _, (bottom, _) = ranges(segments(SOURCE, "kme", y=0, to_y="y"), y=Axis("y", log=True))
    assert 0 < bottom < 10


def test_a_given_range_stays():
    assert ranges(curve(SOURCE, "kme"), x=Axis("x", (4.0, 1.0)))[0] == (4.0, 1.0)


def test_zero_is_on_the_axis_of_what_begins_there():
    for mark in (bars(SOURCE, "kme"), area(SOURCE, "kme"), segments(SOURCE, "kme", y=0, to_y="y")):
        assert ranges(mark)[1][0] < 0


def test_lines_through_the_picture_count_along_their_axis_only():
    assert ranges(curve(SOURCE, "kme"), vertical_lines(Columns(x=[9.0])))[0][1] > 9


def test_an_image_fills_its_axes():
    image = field_of(Columns(w=np.zeros(6)), GROUND, 2)
    assert ranges(image) == [(-1.0, 3.0), (0.0, 2.0)]


def test_the_cells_of_a_table_fill_their_axes():
    cells = Columns(left=X, right=X + 1, bottom=0 * X, top=0 * X + 1, x=X + 0.5, y=0 * X + 0.5, w=Y)
    assert ranges(mesh(cells, "kme", Axis("w", (10.0, 1000.0), log=True))) == [(1.0, 5.0), (0.0, 1.0)]


def test_names_are_positions_in_their_order():
    first, second = Columns(x=np.array(["b", "a"]), y=[1.0, 2.0]), Columns(x=np.array(["c", "b"]), y=[3.0, 4.0])
    named = chart("title", Axis("x"), Axis("y"), [bars(first, "kme"), dots(second, "monk")])
    assert named.names("x") == ["b", "a", "c"]
    assert named.axes(None)[1].ticks == {0: "b", 1: "a", 2: "c"}
    numbers = named.data(None)
    assert [columns["x"].tolist() for columns in numbers.values()] == [[0.0, 1.0], [2.0, 0.0]]
    other = named.with_names(lambda names: [name.upper() for name in names])
    assert other["1"]["x"].tolist() == ["C", "B"]


def test_nothing_has_an_axis_too():
    for ends in ranges(curve(Columns(x=[], y=[]), "kme")):
        assert ends == pytest.approx((-0.04, 1.04))


def test_a_unit_stands_in_brackets():
    axis = Axis("θ", unit="units of x")
    assert (axis.title, axis.full_label) == ("θ (units of x)", "θ (units of x)")
