"""Conditions of fields: when a field has an effect, and the checks of the names and values in a condition."""

import pytest
from every_lab import ROWS

from explorer.checks import Refusal
from explorer.labs.fit import FitLab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.labs.twosample.page import TwoSamplePage
from explorer.parameters import Choice, Flag, Text, Whole
from explorer.workbench import Lab, Result, derived, menu_models, registry, stage
from explorer.workbench.conditions import NO_EFFECT, check_conditions, conditions_of, having, reason_of
from explorer.workbench.kernels import kernel_is_free


class Weather(Lab):
    sky: str = Choice(default="clear", objects=["clear", "rain", "snow"], doc="what falls")
    wind: int = Whole(0, bounds=(0, 9), doc="how much it blows")
    umbrella: bool = Flag(default=False, doc="whether one is open", when=having(sky=("rain", "snow")))
    colour: str = Text("", doc="its colour", when=having(umbrella=True, wind=0) | having(sky="snow"))

    @derived
    def wet(self):
        return self.sky if self.sky != "clear" else None


class Forecast(Result[Weather]):
    @stage
    def falls(self):
        return self.lab.sky


def meets(condition, **state):
    return condition(Weather(**state).result())


def test_a_condition_allows_one_value_or_several():
    assert [meets(having(sky="rain"), sky=sky) for sky in ("clear", "rain", "snow")] == [False, True, False]
    assert [meets(having(sky=("rain", "snow")), sky=sky) for sky in ("clear", "rain", "snow")] == [False, True, True]


def test_true_and_false_allow_what_counts_as_them():
    """`wet` is a text or None; 0 is a number that is not False by itself."""
    assert [meets(having(wet=True), sky=sky) for sky in ("clear", "rain")] == [False, True]
    assert [meets(having(wet=False), sky=sky) for sky in ("clear", "rain")] == [True, False]
    assert meets(having(wind=0), wind=0)
    assert not meets(having(wind=False), wind=3)


def test_a_condition_is_all_of_its_fields_and_either_of_two():
    colour = conditions_of(Weather)["colour"]
    by_hand = {
        (sky, wind, umbrella): (umbrella and wind == 0) or sky == "snow"
        for sky in ("clear", "snow")
        for wind in (0, 1)
        for umbrella in (False, True)
    }
    assert {s: meets(colour, sky=s[0], wind=s[1], umbrella=s[2]) for s in by_hand} == by_hand


@pytest.mark.parametrize("bad", [{"skye": "rain"}, {"sky": "hail"}, {"sky": ("rain", "hail")}])
def test_a_name_or_value_that_does_not_exist_is_refused_when_the_result_is_defined(bad):
    (field,) = bad

    class Fog(Lab):
        sky: str = Choice(default="clear", objects=["clear", "rain"], doc="what falls")
        depth: int = Whole(0, doc="how far one sees", when=having(**bad))

    with pytest.raises(Refusal) as refusal:

        class FogResult(Result[Fog]):
            pass

    assert all(name in str(refusal.value) for name in ("Fog", "depth", field))
    with pytest.raises(Refusal):
        check_conditions(Fog)


@pytest.mark.thorough(default=["shrinkage", "fit"])
@pytest.mark.parametrize("name", ROWS)
def test_every_condition_of_a_lab_can_be_asked_of_its_default_state(name):
    lab = registry.entry(name).lab()
    result = lab.result()
    for condition in conditions_of(type(lab)).values():
        bool(condition(result))


def test_a_menu_of_models_keeps_its_field_s_condition():
    """`menu_models` declares the field again, with the models of the user."""
    assert conditions_of(ShrinkageLab)["kernel"] is kernel_is_free
    menu_models.renew()
    assert conditions_of(ShrinkageLab)["kernel"] is kernel_is_free


def test_a_control_without_effect_is_disabled_and_returns():
    page = ShrinkagePage({})
    assert page.bindings.controls["df"].slider.disabled
    page.move(None, source="student")
    assert not page.bindings.controls["df"].slider.disabled
    page.move(None, estimators="james-stein", source="gaussian", kernel="LIN")
    assert page.bindings.controls["lam"].slider.disabled
    assert page.bindings.pressed["auto"].disabled  # the button of a field follows the field


def test_a_condition_on_one_menu_names_the_choices_that_meet_it():
    conditions, result = conditions_of(FitLab), FitLab().result()
    share = reason_of(conditions["share"])(result)
    assert all(word in share for word in ("points from", "two groups"))
    assert reason_of(conditions["df"])(result) == NO_EFFECT  # of two menus either will do
    assert reason_of(lambda result: False)(result) == NO_EFFECT


@pytest.mark.parametrize(("fields", "word"), [({"kernel": "POLY2"}, "quadratic"), ({"kernel": "LIN"}, "linear")])
def test_the_main_slider_says_why_it_has_no_effect_and_does_not_play(fields, word):
    page = TwoSamplePage({})
    control = page.bindings.sliders["bandwidth"]
    page.play_or_pause()
    assert page.play.playing
    page.play_or_pause()
    page.move(None, **fields)
    assert word in control.trouble.object
    assert page.play.disabled
    page.play_or_pause()
    assert not page.play.playing
    page.move(None, kernel="RBF")
    assert not control.trouble.visible
    assert not page.play.disabled
