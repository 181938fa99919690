"""Pictures as values: names, sources that are empty, and what selects a picture."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.naming import naming

from explorer.marks import Axis, HoverText, Picture, PlanePicture, SecondaryPicture, SliderColumn, colour, curve, dots
from explorer.views.view import View

MARKS = (curve("line", "kme"), dots("points", "truth"), curve("kept", "kme", pinned=True))
LINE = {"x": np.arange(2.0), "y": np.arange(2.0)}


def lengths(numbers):
    """Return the number of rows of each column."""
    return {source: {name: len(each) for name, each in columns.items()} for source, columns in numbers.items()}


def test_a_picture_has_the_name_of_its_function_unless_it_has_one():
    def cloud(result):
        return None

    assert (Picture()(cloud).name, Picture("sample")(cloud).name) == ("cloud", "sample")
    assert Picture(title="A cloud", height=200)(cloud).height == 200


@pytest.mark.parametrize("empty", [{"line": LINE}, {"line": LINE, "points": None}])
def test_a_source_that_is_none_or_left_out_is_empty(empty):
    picture = Picture(marks=MARKS, sources=lambda result: empty)
    assert lengths(picture.data(SimpleNamespace(row=0))) == {"line": {"x": 2, "y": 2}, "points": {"x": 0, "y": 0}}


@pytest.mark.parametrize(
    ("sources", "parts"),
    [
        ({"lines": LINE}, ["The picture shapes has the source 'lines', which nothing reads", "'line', 'points'"]),
        ({"line": {"x": [1.0], "height": [1.0]}}, ["no column 'y' in its source 'line', which the mark 'line' reads",
                                                   "the source has 'x', 'height'"]),
        ({"grips": {"place": [1.0]}}, ["no column 'x' in its source 'grips', which undrawn= reads"]),
        ({"points": {"x": [1.0], "y": [1.0]}}, ["no column 'share' in its source 'points'", "the hover text"]),
    ],
    ids=["source", "column", "undrawn", "hover"],
)  # fmt: skip
def test_a_mistyped_source_or_column_is_a_sentence(sources, parts):
    told = HoverText("points", "@share", ("share",), lambda result: ([], []))
    picture = Picture("shapes", marks=MARKS, undrawn={"grips": ("x",)}, hover=told, sources=lambda result: sources)
    for read in (picture.data, picture.columns):
        with pytest.raises(ValueError, match=naming(*parts)):
            read(SimpleNamespace(row=0))


def test_a_mistyped_column_of_a_row_or_of_a_pinned_result_is_a_sentence():
    result = SimpleNamespace(row=0)
    moving = Picture(marks=MARKS, at_row=lambda result, row: {"line": {"x": np.arange(2.0), "z": np.arange(2.0)}})
    with pytest.raises(ValueError, match=naming("'y'", "'line'", "'x', 'z'")):
        moving.data(result)
    with pytest.raises(ValueError, match=naming("'line'", "'kept'")):
        Picture(marks=MARKS, pinned=lambda result: {"line": LINE}).pinned_data(result)


def test_a_source_that_no_mark_draws_is_there_before_the_picture_has_content():
    picture = Picture(marks=MARKS, undrawn={"grips": ("place",)}, when=lambda result: False)
    assert lengths(picture.data(None))["grips"] == {"place": 0}


def test_a_picture_without_sources_or_without_content_is_empty():
    empty = {"line": {"x": 0, "y": 0}, "points": {"x": 0, "y": 0}}
    assert lengths(Picture(marks=MARKS, sources=lambda result: None).data(None)) == empty

    def never(result, *value):
        raise AssertionError

    hidden = Picture("hidden", marks=MARKS, sources=never, sides=never, pinned=never, when=lambda result: False)
    assert (lengths(hidden.data(None)), hidden.table(None), hidden.is_visible(None)) == (empty, {}, False)
    assert lengths(hidden.pinned_data(SimpleNamespace())) == {"kept": {"x": 0, "y": 0}}
    assert hidden.axes(None) == ("", hidden.x, hidden.y)


def test_a_picture_of_a_stage_gets_its_value_once_it_is_available():
    axis = Axis("value", (0.0, 5.0))
    picture = Picture(
        marks=MARKS,
        stage="study",
        sources=lambda result, study: {"line": {"x": study, "y": study}},
        sides=lambda result, study: (axis, axis._replace(range=(0.0, study[-1]))),
        placeholder=lambda result: {"points": LINE},
    )
    waits, there = SimpleNamespace(study=None, row=0), SimpleNamespace(study=np.arange(3.0), row=0)
    assert lengths(picture.data(waits)) == {"line": {"x": 0, "y": 0}, "points": {"x": 2, "y": 2}}
    assert lengths(picture.data(there)) == {"line": {"x": 3, "y": 3}, "points": {"x": 0, "y": 0}}
    assert picture.axes(waits)[1:] == (picture.x, picture.y)
    assert picture.axes(there)[2].range == (0.0, 2.0)


def test_a_row_of_the_slider_is_computed_alone():
    rows = []
    picture = Picture(
        marks=MARKS,
        sources=lambda result: {"line": {"x": np.arange(2.0)}, "points": None},
        at_row=lambda result, row: rows.append(row) or {"line": {"y": np.full(2, float(row))}},
    )
    result = SimpleNamespace(row=1, stops=(0.1, 1.0, 10.0))
    assert picture.data(result)["line"]["y"].tolist() == [1.0, 1.0]
    assert rows == [1]
    assert picture.table(result)["line", "y"][:, 0].tolist() == [0.0, 1.0, 2.0]


def test_a_column_of_a_slider_shows_the_row_of_its_stop_or_the_last_one():
    line = {"x": np.arange(2.0), "y": SliderColumn.of([[0, 1], [10, 11], [20, 21]])}
    picture = Picture(marks=MARKS, sources=lambda result: {"line": line})
    shown = [picture.data(SimpleNamespace(row=row, stops=range(3)))["line"]["y"].tolist() for row in (0, 1, 2, 5)]
    assert shown == [[0, 1], [10, 11], [20, 21], [20, 21]]


@pytest.mark.parametrize(
    ("choice", "names"),
    [((), ["scores"]), ("errors", ["errors"]), (("errors", "scores"), ["scores", "errors"])],
)
def test_the_field_picture_selects_one_of_several_pictures(choice, names):
    picture = SecondaryPicture("scores", choice=choice)
    seen = [name for name in ("scores", "errors", "none")
            if picture.is_visible(SimpleNamespace(lab=SimpleNamespace(picture=name)))]  # fmt: skip
    assert seen == names
    plain = Picture("scores", choice=choice)
    assert plain.is_visible(SimpleNamespace(lab=SimpleNamespace(picture="errors"))) == (not choice or "errors" in names)


def test_a_title_may_depend_on_the_result():
    plane = PlanePicture(
        title=lambda result: f"{result.n} points", frame=lambda result: (0.0, 0.0, 1.0), quantities=lambda result: ()
    )
    assert plane.axes(SimpleNamespace(n=3))[0] == "3 points"


def test_the_browser_moves_a_picture_that_was_hidden_when_the_page_opened():
    @Picture(marks=MARKS, when=lambda result: result.shown)
    def late(result):
        return {"line": {"x": np.arange(2.0), "y": SliderColumn(np.array([[0.0, 1.0], [1.0, 2.0]]))}}

    closed, opened = (SimpleNamespace(shown=shown, row=0, stops=(1.0, 2.0)) for shown in (False, True))
    view = View([late], closed)
    assert ("late.line", "y") in view.targets
    assert view.tables(closed)["late.line", "y"].shape == (2, 0)
    assert view.tables(opened)["late.line", "y"].tolist() == [[0.0, 1.0], [1.0, 2.0]]


def test_an_unknown_role_is_refused_with_the_roles_there_are():
    with pytest.raises(KeyError, match=r"no role 'blue'; a role that gives a colour is one of truth, kme, .*harm"):
        colour("blue")
