"""Mistakes of authors of labs: each message says what was given, what is allowed and what to do."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.labs import fit
from explorer.labs.fit import figures
from explorer.marks import Axis, Picture, SliderColumn, curve
from explorer.parameters import Choice, Whole
from explorer.workbench import Lab, Result, effect, measure, registry, stage
from explorer.workbench.fields import UserTable, size_field, tables
from explorer.workbench.samples import SampleResult


class SmallLab(Lab):
    n: int = Whole(default=2, bounds=(1, 9), doc="how many")


@pytest.mark.parametrize("slider", ["m", "N", ("n",)])
def test_a_slider_is_a_field(slider):
    with pytest.raises(ValueError, match=naming("WrongLab.slider", repr(slider), "n", "leave slider out")):
        type("WrongLab", (SmallLab,), {"slider": slider})


@pytest.mark.parametrize("axes", [("n", "sigma"), ("n",), ("n", "d", "share"), "n", "df"])
def test_axes_are_two_fields_or_none(monkeypatch, axes):
    monkeypatch.setattr(fit, "ENTRY", fit.ENTRY._replace(axes=axes))
    with pytest.raises(Refusal, match=naming("axes", "lab fit", "two", "bandwidth", "()", repr(axes))):
        registry.entries.__wrapped__()


@pytest.mark.parametrize("given", [None, (), figures.plane, (figures.plane, len), {"plane": figures.plane}])
def test_pictures_are_a_tuple_of_pictures(monkeypatch, given):
    monkeypatch.setattr(figures, "PICTURES", given)
    with pytest.raises(Refusal, match=naming("PICTURES", "figures.py", "lab fit", "tuple", "(curves,)", "not")):
        registry.pictures("fit")


def test_two_pictures_of_a_lab_have_different_names(monkeypatch):
    monkeypatch.setattr(figures, "PICTURES", (figures.plane, figures.plane))
    with pytest.raises(Refusal, match=naming("lab fit", "plane", "different names", "rename")):
        registry.pictures("fit")


@pytest.mark.parametrize(
    ("first", "second", "facts"),
    [
        (stage(len), measure("size", compute=len), ["the stage half", "another half"]),
        (measure("half"), stage(len), ["the measure half"]),
        (effect("half"), len, ["the effect half"]),
    ],
)
def test_two_parts_of_a_result_have_different_names(first, second, facts):
    with pytest.raises(TypeError, match=naming("SmallResult", *facts, "Rename")):

        class SmallResult(Result[SmallLab]):
            half = first
            half = second


@pytest.mark.parametrize("kind", [measure, effect])
@pytest.mark.parametrize("of", ["half", "half.value"])
def test_a_number_is_not_a_part_of_itself(kind, of):
    with pytest.raises(TypeError, match=naming("SmallResult.half", kind.__name__, of, "Rename")):
        type(Result)("SmallResult", (Result,), {"__qualname__": "SmallResult", "half": kind("half", of=of)})


class LawLab(UserTable):
    source: str = Choice(default="normal", objects={"normal": "normal", **tables("your table")}, doc="the points")
    n: int = size_field(20, 100, "points")

    def the_law(self):
        """Return a mistake."""
        return LawLab.mistake


class LawResult(SampleResult[LawLab]):
    """A sample."""


@pytest.mark.parametrize("mistake", [None, "normal", 0.0, np.random.default_rng(0), LawLab])
def test_the_law_is_a_distribution_or_none_for_a_table(mistake):
    LawLab.mistake = mistake
    with pytest.raises(TypeError, match=naming("the_law", "'normal'", "GaussianMixture", "None for a table", "lab.py")):
        assert LawLab().result().X is None


@pytest.mark.parametrize("shape", [(4,), (2, 5), (5, 3), (3, 1, 1)])
def test_a_slider_column_has_a_row_for_each_stop(shape):
    @Picture(x=Axis("x", (0, 1)), y=Axis("y", (0, 1)), marks=(curve("line", "kme"),))
    def drawn(result):
        return {"line": {"x": np.zeros(3), "y": SliderColumn(np.zeros(shape))}}

    facts = ("drawn", f"{shape}", "'y'", "'line'", "3 stops", "one row", "SliderColumn.of")
    with pytest.raises(ValueError, match=naming(*facts)):
        drawn.data(SimpleNamespace(stops=(1, 2, 3), row=0))


@pytest.mark.parametrize("rows", [1, 3, 4])
def test_a_slider_column_may_have_one_row_and_one_for_an_automatic_value(rows):
    @Picture(x=Axis("x", (0, 1)), y=Axis("y", (0, 1)), marks=(curve("line", "kme"),))
    def drawn(result):
        return {"line": {"x": np.zeros(3), "y": SliderColumn(np.zeros((rows, 3)))}}

    assert drawn.data(SimpleNamespace(stops=(1, 2, 3), row=0))["line"]["y"].tolist() == [0.0, 0.0, 0.0]
