"""The Shrinkage page without a browser: controls, buttons, messages, and live regions for screen readers."""

import math

import panel_material_ui as pmui
import pytest
from helpers.page_helpers import (
    SLIDERS,
    ask,
    error_at,
    live_columns,
    notice,
    open_page,
    same_columns,
    shows_state,
    type_in,
)
from panel.util import edit_readonly

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.lab import LAMS
from explorer.workbench.numbers import format_number

# opening


def test_words_of_a_link_open_the_page_there():
    page = open_page(n="50", lam="0.1", kernel="POLY2", outliers="3")
    assert shows_state(page, n=50, lam=0.1, kernel="POLY2", outliers=3)
    assert page.controls["n"].box.value == "50"
    assert page.choice["kernel"].value == "POLY2"
    assert page.sliders["lam"].slider.value == 0.1


def test_a_state_that_cannot_be_shown_opens_with_the_first_picture_and_a_sentence():
    page = open_page(source="wine", n="400")
    assert "178" in notice(page)
    assert same_columns(page.view.columns(ShrinkageLab().result()), live_columns(page))
    type_in(page, "n", "100")
    assert shows_state(page, source="wine", n=100)
    assert notice(page) == ""


# input


def test_sliders_move_the_picture():
    page, fields = open_page(outliers="2"), {"outliers": 2}
    for name, value in {"lam": 0.1, "bandwidth": 0.5, "n": 50, "d": 10, "outliers": 4, "distance": 20.0}.items():
        before = live_columns(page)
        page.sliders[name].slider.value = fields[name] = value
        assert not same_columns(before, live_columns(page))
        assert shows_state(page, **fields)
        assert float(page.controls[name].box.value) == value


@pytest.mark.thorough
def test_typed_words_move_the_picture():
    page = open_page()
    for words in (
        {"lam": "0.1", "bandwidth": "0.777", "n": " 21 ", "d": "3", "outliers": "7", "distance": "1e4", "seed": "12"},
        {"lam": "inf", "n": "2", "d": "100"},
        {"lam": "0", "bandwidth": "1e-3", "n": "333"},
    ):
        fields = {}
        for name, text in words.items():
            type_in(page, name, text)
            fields[name] = ShrinkageLab.fields[name].parse(text)
            assert shows_state(page, **fields)
            assert error_at(page, name) == ""
            if name in SLIDERS:
                slider = page.sliders[name].slider
                assert slider.value == fields[name]
                assert slider.value in slider.options.values()
        page.navigation.reset()


OUTSIDE = {"lam": "-1", "bandwidth": "inf", "n": "2.5", "d": "101", "outliers": "20", "distance": "0", "seed": "-1"}


@pytest.mark.thorough
def test_a_value_outside_its_bounds_is_refused_with_its_symbol_until_a_right_one_comes():
    page = open_page()
    for name, text in OUTSIDE.items():
        type_in(page, name, text)
        assert (getattr(page.lab_class.fields[name], "symbol", "") or name) in error_at(page, name)
        assert shows_state(page)
        type_in(page, name, "7")
        assert error_at(page, name) == ""
        assert shows_state(page, **{name: 7})
        page.navigation.reset()


def test_a_rest_leaves_what_was_refused_and_what_is_being_typed():
    page = open_page()
    box = page.controls["n"].box
    type_in(page, "n", "many")
    page.rest()  # the idle update of an earlier move
    assert error_at(page, "n")
    assert box.value == "many"
    page.move("seed", seed=5)
    assert error_at(page, "n") == ""
    assert box.value == "20"
    for right in (lambda: type_in(page, "n", "20"), lambda: setattr(page.sliders["n"].slider, "value", 30)):
        type_in(page, "n", "many")
        right()  # entering the old value, or moving the slider, removes the message
        assert (error_at(page, "n"), box.value) == ("", str(page.lab.n))
    with edit_readonly(box):
        box.value_input = "3"
    page.rest()
    assert box.value_input == "3"


@pytest.mark.thorough
def test_enter_takes_the_last_letter_along():
    page = open_page()
    box = page.controls["n"].box
    with edit_readonly(box):
        box.value_input = "31"
    box.param.trigger("enter_pressed")
    assert shows_state(page, n=31)


def test_an_automatic_lam_can_be_typed_and_pressed():
    page = open_page(lam="0.1")
    type_in(page, "lam", "auto")
    assert shows_state(page)
    type_in(page, "lam", "0.1")
    pressed(page, "λ")
    assert shows_state(page)
    assert page.controls["lam"].box.value == f"{format_number(page.result.simple.chosen)} auto"
    slider = page.sliders["lam"].slider
    assert slider.value_label
    nearest = min(LAMS, key=lambda lam: abs(math.log(lam / page.result.simple.chosen)))
    assert slider.value == nearest
    slider.value = 0.1
    assert not slider.value_label


def pressed(page, word):
    """Press the only button with this label."""
    (button,) = [button for button in page.chrome.page.select(pmui.Button) if word in button.label]
    button.clicks += 1


def test_a_choice_moves_the_picture():
    page, fields = open_page(outliers="3"), {"outliers": 3}
    for name, value in {"kernel": "LIN", "kind": "heavy tail", "selection": "theorem-4", "source": "wine"}.items():
        page.choice[name].value = fields[name] = value
        assert shows_state(page, **fields)
        assert page.sliders["bandwidth"].slider.disabled  # a linear kernel has no bandwidth
    pressed(page, "New sample")
    assert shows_state(page, **fields, seed=2)


# the James-Stein estimate


def test_james_and_stein_are_shown_alone_and_their_true_mean_is_dragged():
    page = open_page(lam="0.1")
    page.choice["estimators"].value = "james-stein"
    fields = {"lam": 0.1, "estimators": "james-stein", "source": "gaussian", "kernel": "LIN"}
    assert shows_state(page, **fields)
    assert page.view.visible(page.result) == {"stein", "sample"}
    assert page.sliders["lam"].slider.disabled
    assert page.play is page.players["mean"]  # James and Stein's estimate has no λ
    ask(page, 1, theta=[[0, 4.0, 0.2], False])
    fields["mean"] = 0.632  # 4 standard errors of 1 / √20, over √2
    assert shows_state(page, **fields)
    assert notice(page) == ""
    page.choice["kernel"].value = "RBF"
    assert shows_state(page, **{**fields, "kernel": "RBF", "estimators": "kernel"})
    assert {"loss", "sample", "filter"} == page.view.visible(page.result)
    assert page.play is page.players["lam"]


# the mean of a function


@pytest.mark.parametrize("picture", ["values", "fits"])
def test_the_centre_of_a_function_is_dragged_along_the_first_coordinate(picture):
    page = open_page(picture=picture)
    X = page.result.drawn.X
    ask(page, 1, t=[[0, 1.5, 0.2], False])
    fields = {"picture": picture, "probe": float(f"{(1.5 - X[:, 0].mean()) / X[:, 0].std():.3g}")}
    assert shows_state(page, **fields)
    assert page.view.sources[f"{picture}.probe"].data["x"][0] == pytest.approx(1.5, abs=0.02)
    page.move("bayesian", bayesian=True)
    assert shows_state(page, **fields, bayesian=True)


# states without some of the pictures


def test_more_points_than_rows_keep_the_picture_and_say_so():
    page = open_page(source="wine", n="100")
    before = live_columns(page)
    type_in(page, "n", "400")
    assert "178" in notice(page)
    assert same_columns(before, live_columns(page))
    page.rest()  # an idle update scheduled before the refusal changes nothing
    assert "178" in notice(page)
    assert same_columns(before, live_columns(page))
    ask(page, 1, lam=[10, True])
    assert page.lab.lam == LAMS[10]
    assert page.chrome.bar.share.code == page.python(
        ShrinkageLab(source="wine", n=100, lam=LAMS[10]).result()
    )  # the visible data
    type_in(page, "n", "150")
    assert notice(page) == ""
    assert shows_state(page, source="wine", n=150, lam=LAMS[10])


# texts, and live regions for screen readers


@pytest.mark.thorough
def test_accessible_names_begin_with_the_symbol_or_the_plain_word():
    page = open_page()
    begins = {name: name for name in ("bandwidth", "n", "d", "outliers", "distance", "mean", "seed")}
    begins |= {"lam": "λ", "df": "ν", "delta": "δ", "probe": "t"}
    begins |= {f"length_{axis}": "length" for axis in (1, 2, 3)}
    begins |= {"Matern_nu": "ν", "RationalQuadratic_alpha": "α", "InverseMultiquadric_exponent": "β"}
    for widgets in (
        {name: control.box for name, control in page.controls.items()},
        {name: control.slider for name, control in page.sliders.items()},
    ):
        assert all(widget.label.split()[0] == begins[name] for name, widget in widgets.items())
