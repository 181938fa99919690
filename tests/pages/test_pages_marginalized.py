"""The Marginalized page without a browser: the parts that other labs' pages do not have."""

import itertools
import re

import numpy as np
import pytest
from helpers.naming import naming
from helpers.page_helpers import ask, live_columns, notice, press_key, shows_state
from panel.links import Callback

from explorer.labs.marginalized.lab import SIGMAS
from explorer.labs.marginalized.page import MarginalizedPage
from explorer.labs.marginalized.result import MarginalizedResult
from explorer.workbench.content import content_of

PRESETS = content_of("marginalized").presets
STORIES = content_of("marginalized").stories


@pytest.fixture
def page():
    return MarginalizedPage({})


serial = itertools.count(1)


def answers(page):
    """Return whether the browser has the table of the visible result."""
    return page.display.lookup.stamp.table == page.display.lookup.stamp.shown


def test_the_browser_answers_sigma_but_for_the_dice_that_follow_it(page):
    assert page.sliders["sigma"].slider.values == list(page.result.stops) == SIGMAS
    for picture, ground in (("filter", "MKME"), ("approximation", "MMKME"), ("kernel", "discs")):
        page.move(None, picture=picture, ground=ground)
        assert answers(page)
        assert shows_state(page, picture=picture, ground=ground)
    page.move(None, picture="dice")
    assert not answers(page)
    before = live_columns(page)["sample.copies"]["x"]
    ask(page, next(serial), sigma=[30, False])
    assert not np.array_equal(before, live_columns(page)["sample.copies"]["x"])
    assert shows_state(page, picture="dice", sigma=SIGMAS[30])
    page.move(None, picture="kernel")
    assert answers(page)


@pytest.mark.thorough
def test_what_is_left_to_choose_itself_waits_at_the_choice(page):
    page.navigation.go_to(PRESETS[1])  # the useless axis
    sliders = {name: control.slider for name, control in page.sliders.items()}
    assert all(sliders[name].value_label == "by leave-one-out" for name in ("sigma", "first", "second", "others"))
    assert sliders["sigma"].value == min(SIGMAS[1:], key=lambda s: abs(np.log(s / page.result.mkme.chosen)))
    assert sliders["first"].value > 1 > sliders["second"].value
    page.move(None, sigma=0.5, first=0.1)
    press_key(page, "a")
    assert shows_state(page, **PRESETS[1].fields)


def test_sliders_of_coordinates_that_are_not_there_wait(page):
    further, _ = page.arranged.conditions[-1]  # σ of all other coordinates
    for d in (2, 1, 5):
        page.move(None, d=d)
        assert further.visible == (d > 2)
        assert page.controls["second"].slider.disabled == (d < 2)


def test_an_ellipse_is_dragged_by_the_ends_of_its_axes(page):
    page.move(None, d=2, third="full")
    chosen = page.result.third.path.chosen
    ask(page, 1, axis=[[0, *(page.result.X.mean(axis=0) + 1.0).tolist()], False])
    assert page.lab.sigma == pytest.approx(chosen, rel=5e-3)  # the chosen σ stays during a drag
    page.move(None, sigma=0.5, long=None, across=None, tilt=None)
    middle, unit = page.result.X.mean(axis=0), 0.5 * page.result.unit
    at = middle + 1.5 * unit * np.array([np.cos(0.5), np.sin(0.5)])
    across = page.result.third.axes[1]
    ask(page, 2, axis=[[0, *at.tolist()], False])
    assert page.lab.long == pytest.approx(1.5, abs=0.01)
    assert page.lab.tilt == pytest.approx(np.degrees(0.5), abs=0.1)
    assert page.lab.across == pytest.approx(across, abs=0.01)
    ask(page, 3, axis=[[1, *(middle - 0.3 * unit * np.array([-np.sin(0.2), np.cos(0.2)])).tolist()], False])
    assert page.lab.across == pytest.approx(0.3, abs=0.01)
    assert page.lab.tilt == pytest.approx(np.degrees(0.2), abs=0.1)
    assert not page.controls["tilt"].slider.disabled
    page.move(None, sigma=0.0)
    ask(page, 4, axis=[[0, 1.0, 1.0], False])
    assert re.search(naming("axes"), notice(page))
    page.move(None, third="none", sigma=None, long=None, across=None, tilt=None)
    assert page.controls["tilt"].slider.disabled


def test_the_known_error_takes_its_source_and_leaves_with_it(page):
    page.choose("third", "known")
    assert (page.lab.source, page.lab.third) == ("measured", "known")
    page.choose("source", "mixture")
    assert (page.lab.source, page.lab.third) == ("mixture", "none")


@pytest.mark.thorough
def test_the_dice_are_thrown_and_another_picture_is_no_other_step(page):
    press_key(page, "d")
    assert shows_state(page, dice=2, picture="dice")
    assert page.pressed["throw"].visible
    page.chrome.story.open(STORIES[0], 0)
    page.move(None, picture="filter")
    assert page.chrome.story.card.shown["astray"] == ""
    assert not page.pressed["throw"].visible


@pytest.mark.thorough
def test_more_samples_come_and_go(page, monkeypatch):
    page.move(None, n=5, samples=4)
    assert page.pressed["hundred"].label == "4 samples"
    assert "In 4 more samples" in page.chrome.headline.object
    assert len(live_columns(page)["loss.bands"]["sigma"]) == 62
    press_key(page, "s")
    assert page.result.replicates is None
    monkeypatch.setattr(MarginalizedResult, "pending", lambda result: ())
    press_key(page, "s")
    assert page.lab.samples == 100
    page.move(None, samples=0, source="wine")
    press_key(page, "s")
    assert re.search(naming("distribution", "unknown"), notice(page))


def test_the_line_of_sigma_and_the_rims_of_the_discs_move_its_slider():
    page = MarginalizedPage({})
    for figure, part in ((page.view.hero, "line"), (page.view.figures["sample"], "discs")):
        (args,) = [callback.args for callback in Callback.registry.get(figure, []) if part in callback.args]
        assert args["slider"] is page.sliders["sigma"].slider
