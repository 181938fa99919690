"""Pictures that several labs share, with numbers that are easy to check; and sizes in a picture's table."""

from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from explorer.datasets.columns.quantity import Quantity
from explorer.marks import Axis, Line, OverCounts, Picture, cells, circles, ellipses
from explorer.marks.functions import Functions, FunctionsPicture
from explorer.marks.losses import LOSS, LossPicture, _named_at
from explorer.marks.table import numbers_of

# several functions ---------------------------------------------------------------------------------------------------


TWO = FunctionsPicture(
    "two", lines={"wave": Line("wave", "kme"), "line": Line("line", "monk")}, functions=lambda result: result
)


AT = np.linspace(-1.0, 3.0, 5)
WAVE = Functions(AT, {"wave": np.array([0.0, 1.0, 4.0, 2.0, 0.0]), "line": AT}, {"wave": "up", "line": "on"}, "wave")


def share_of(axis, place):
    low, high = axis.range
    return (np.asarray(place) - low) / (high - low)


def test_the_middle_function_has_four_sevenths_of_the_height_and_five_eighths_of_the_width():
    _, x, y = TWO.axes(WAVE)
    assert share_of(y, [0.0, 4.0]) == pytest.approx([1 / 7, 5 / 7])
    assert share_of(x, AT[[0, -1]]) == pytest.approx([0.0, 5 / 8])


def test_samples_of_lines_begin_at_the_end_of_the_functions_with_words_after_them_one_below_the_other():
    _, _, y = TWO.axes(WAVE)
    said = TWO.compute(WAVE)
    assert [said[f"said_{name}"]["words"].tolist() for name in TWO.lines] == [["up"], ["on"]]
    ends = [[said[f"said_{name}"][end].item() for end in ("sign", "x")] for name in TWO.lines]
    assert ends == [[3.0, 3.4], [3.0, 3.4]]
    assert [share_of(y, said[f"said_{name}"]["y"].item()) for name in TWO.lines] == pytest.approx([0.9, 0.74])


def test_a_function_that_is_flat_has_an_axis():
    _, _, y = TWO.axes(WAVE._replace(middle="flat", values={**WAVE.values, "flat": np.full(5, 2.0)}))
    assert y.range[0] < 2.0 < y.range[1]


# losses of two estimators --------------------------------------------------------------------------------------------


NAMES = ("near", "farther")
LINES = (("near", "kme", "solid", "circle"), ("far", "skmse", "dashed", "x"))
LOSSES = LossPicture(parameter="lam", x=Axis("λ", (0.0, 9.0)), lines=LINES, names=lambda result: NAMES)


@pytest.mark.parametrize(
    ("height", "rows"),
    [
        ([2.0, 1.0, 0.5, 1.0, 1.3, 1.5], (5, 4)),  # thresholds of the two curves: 1.42 and 1.22
        ([2.0, 0.8, 0.7, 0.5, 0.4, 1.0], (3, 2)),  # the curve does not rise; it falls to 0.6 and to 0.75
        ([1.0, 0.9, 0.85], (2, 2)),
    ],
)
def test_a_curve_is_named_where_it_rises_or_else_where_it_falls(height, rows):
    assert tuple(_named_at(np.array(height), i) for i in range(2)) == rows


def path(height):
    """Return a path over ten stops, with the height of the chosen value at its end."""
    return SimpleNamespace(lams=np.append(np.arange(10.0), 0.0), height=np.append(height, 0.0))


RISES_AT = {row: np.where(np.arange(10) < row, 0.5, 2.0) for row in range(1, 10)}


@pytest.mark.parametrize(
    ("near", "far", "sides"),
    [(2, 5, (-1, 1)), (5, 2, (1, -1)), (2, 9, (-1, -1)), (4, 4, (-1, 1))],  # row 9 is at the edge
)
def test_the_left_curve_is_named_at_its_left_and_the_other_at_its_right_unless_at_the_edge(near, far, sides):
    """At least nine pixels are free between the curve and the end of its label, for characters 7.6 px wide."""
    labels = LOSSES._labels(SimpleNamespace(near=path(RISES_AT[near]), far=path(RISES_AT[far])))
    for label, row, name, side in zip(labels, (near, far), NAMES, sides, strict=True):
        assert (label["x"].item(), label["y"].item()) == (row, LOSS.range[1])  # not above the picture
        assert side * label["across"].item() - 7.6 * len(name) / 2 == pytest.approx(9.0)
        assert label["up"].item() == (-11 if row == 9 else 0)


# curves over a count -------------------------------------------------------------------------------------------------


class Study(NamedTuple):
    counts: np.ndarray
    heights: dict


CURVES = OverCounts(
    "curves",
    stage="study",
    lines={"a": Line("A", "kme"), "b": Line("B", "monk"), "c": Line("C", "truth")},
    counts=lambda value: value.counts,
    heights=lambda value, method: value.heights[method],
    ends=lambda value: (-20.0, 20.0),
    labels=lambda low, high: {low: "low", high: "high"},
)


STUDY = Study(
    np.arange(1.0, 12.0),
    {"a": np.linspace(20, 3, 11), "b": np.linspace(-20, 2, 11), "c": np.linspace(0, -10, 11)},
)


def test_names_stand_at_the_right_ends_an_eighth_of_the_axis_apart():
    drawn = CURVES.data(SimpleNamespace(study=STUDY, row=0))
    at = {name: drawn[f"name_{name}"]["y"].item() for name in CURVES.lines}
    assert {name: drawn[f"name_{name}"]["x"].tolist() for name in at} == {name: [11.8] for name in at}
    assert [drawn["name_a"][end].item() for end in ("end_x", "end_y")] == [11.0, STUDY.heights["a"][-1]]
    assert (at["c"], at["b"]) == pytest.approx((-10.0, 2.0))
    assert at["a"] == pytest.approx(2.0 + 0.13 * 40)
    assert drawn["a"]["y"].tolist() == STUDY.heights["a"].tolist()


def test_the_axis_has_room_for_names_and_words_for_counts_that_there_are():
    title, x, y = CURVES.axes(SimpleNamespace(study=STUDY))
    assert share_of(x, [1.0, 11.0]) == pytest.approx([0.0, 1 / 1.4])
    assert x.ticks == {1.0: "1", 5.0: "5", 10.0: "10"}
    assert (y.range, y.ticks) == ((-20.0, 20.0), {-20.0: "low", 20.0: "high"})
    assert CURVES.axes(SimpleNamespace(study=None)) == (title, CURVES.x, CURVES.y)


# sizes in a table ----------------------------------------------------------------------------------------------------

WARMTH, LENGTH = Quantity("warmth", "°C", centre=20.0, size=5.0), Quantity("length", "cm", centre=-1.0, size=0.25)
SIZES = {"x": np.array([0.5]), "y": np.array([-1.0]), "s": np.array([0.8]), "t": np.array([1.2])}


def test_an_axis_under_a_column_has_as_much_room_on_either_side():
    axis = Axis("", (0.0, 1.0)).along(WARMTH, 2.0, 4.0, room=0.5)
    assert (axis.range, axis.inner, axis.column) == ((1.5, 4.5), (2.0, 4.0), WARMTH)


@pytest.mark.parametrize(
    ("mark", "nouns"),
    [
        (circles("s", "monk", radius="s", label="it"), {"radius along warmth (°C)": (WARMTH, "s")}),
        (
            cells("s", "monk", width="s", height="t", label="it"),
            {"width along warmth (°C)": (WARMTH, "s"), "height along length (cm)": (LENGTH, "t")},
        ),
        (
            ellipses("s", "monk", across="s", up="t", angle=0.0, label="it"),
            {"width along warmth (°C)": (WARMTH, "s"), "height along length (cm)": (LENGTH, "t")},
        ),
    ],
)
def test_a_size_is_how_far_both_its_ends_are_apart_in_the_column_s_own_units(mark, nouns):
    axes = {"x": Axis("", (-2.0, 2.0), column=WARMTH), "y": Axis("", (-2.0, 2.0), column=LENGTH)}
    found = numbers_of(Picture("one", title="One", marks=(mark,), sources=lambda result: {"s": SIZES}, **axes), None)
    for noun, (column, name) in nouns.items():
        ends = column.to_file_units(np.array([0.0, SIZES[name].item()]))
        assert found[noun].tolist() == pytest.approx([ends[1] - ends[0]])
