"""The Marginalized page without a browser.

What a hand moves, what the browser may answer by itself, and what is refused.
"""

import itertools
import json
from html import unescape

import numpy as np
import pytest
from paging import ask, drawn, faithful, notice, trouble, type_in
from panel.links import Callback

from explorer.datasets import read_table
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized.lab import SIGMAS
from explorer.labs.marginalized.page import MarginalizedPage
from explorer.labs.marginalized.result import MarginalizedResult
from explorer.labs.marginalized.stories import PRESETS, STORIES
from explorer.workbench.numbers import number


@pytest.fixture(scope="module")
def kept():
    return MarginalizedPage({})


@pytest.fixture
def page(kept):
    """A page as it opens."""
    kept.frame.story.leave()
    kept.places.open(PRESETS[0])
    kept.move(None, picture="kernel", ground="discs", samples=0)
    return kept


serial = itertools.count(1)
SMALL = ("kernel", "filter", "approximation", "dice")


def hand(page, drawn=False, **values):
    """A hand moves something, as a browser says it."""
    ask(page, next(serial), **{name: [value, drawn] for name, value in values.items()})


def further(page):
    """The line of the slider of all other coordinates."""
    ((part, _),) = [(part, when) for part, when in page.arranged.conditions if part is not page.pressed["throw"]]
    return part


def press(page, key):
    last = page.shortcuts.keys.pressed
    page.shortcuts.keys.pressed = json.dumps([json.loads(last)[0] + 1 if last else 1, key])


# what the browser answers


def test_sigma_is_answered_from_a_table_of_all_its_stops(page):
    stamp = page.screen.lookup.stamp
    assert stamp.table == stamp.shown
    assert page.sliders["sigma"].slider.values == list(page.result.stops) == SIGMAS
    assert [unescape(s) for s in stamp.sentences] == [page.headline(page.result, row) for row in range(len(SIGMAS) + 1)]
    flat, own = page.screen.lookup.table.data["flat"], page.view.tables(page.result)
    for i, table in enumerate(own.values()):
        length = stamp.lengths[i]
        if length:
            start = stamp.starts[i] + 7 * length
            assert np.array_equal(flat[start : start + length], table.astype(np.float32)[7], equal_nan=True)
    hand(page, drawn=True, sigma=40)
    assert page.lab.sigma == SIGMAS[40]
    page.rest()
    assert page.frame.texts.code == page.python(MarginalizedLab(sigma=SIGMAS[40]).result())
    hand(page, n=3)  # whatever the browser drew over is written anew
    assert faithful(page, sigma=SIGMAS[40], n=page.lab.n)


def test_a_typed_sigma_takes_its_row_with_it_when_the_browser_leaves_it(page):
    type_in(page, "sigma", "0.123")
    page.rest()
    assert len(page.screen.lookup.stamp.sentences) == len(SIGMAS) + 2
    hand(page, drawn=True, sigma=40)
    page.rest()
    slider, sentences = page.sliders["sigma"].slider, page.screen.lookup.stamp.sentences
    assert slider.values == SIGMAS
    assert len(sentences) == len(SIGMAS) + 1
    assert all(f"At σ = {number(sigma)} sd" in text for sigma, text in zip(SIGMAS, sentences, strict=False))


@pytest.mark.thorough
def test_every_ground_and_picture_has_its_table(page):
    for picture, ground in (("filter", "MKME"), ("approximation", "MMKME"), ("kernel", "discs")):
        page.move(None, picture=picture, ground=ground)
        assert page.screen.lookup.stamp.table == page.screen.lookup.stamp.shown
        assert faithful(page, picture=picture, ground=ground)


@pytest.mark.thorough
def test_the_server_answers_sigma_where_the_dice_follow_it(page):
    page.move(None, picture="dice")
    assert page.screen.lookup.stamp.table != page.screen.lookup.stamp.shown
    before = drawn(page)["sample.copies"]["x"]
    hand(page, sigma=30)
    assert not np.array_equal(before, drawn(page)["sample.copies"]["x"])
    assert faithful(page, picture="dice", sigma=SIGMAS[30])
    page.move(None, picture="kernel")
    assert page.screen.lookup.stamp.table == page.screen.lookup.stamp.shown


# the hand


@pytest.mark.thorough
def test_sliders_and_words_move_the_picture(page):
    fields = {}
    for name, value in {"bandwidth": 0.5, "n": 30, "d": 3, "first": 2.0, "second": 0.5, "others": 0.1}.items():
        fields[name] = value
        hand(page, **{name: list(page.sliders[name].slider.options.values()).index(value)})
        assert faithful(page, **fields)
    for name, text in {"sigma": "0.123", "n": " 21 ", "first": "0", "seed": "12", "bandwidth": "0.777"}.items():
        type_in(page, name, text)
        fields[name] = MarginalizedLab.fields[name].parse(text)
        assert faithful(page, **fields)
        assert trouble(page, name) == ""
    assert page.sliders["sigma"].slider.value == 0.123
    type_in(page, "first", "auto")
    assert faithful(page, **{**fields, "first": None})


@pytest.mark.thorough
def test_what_is_left_to_choose_itself_waits_at_the_choice(page):
    page.places.open(PRESETS[1])  # the useless axis
    sliders = {name: control.slider for name, control in page.sliders.items()}
    assert all(sliders[name].value_label == "by leave-one-out" for name in ("sigma", "first", "second", "others"))
    assert sliders["sigma"].value == min(SIGMAS[1:], key=lambda s: abs(np.log(s / page.result.mkme.chosen)))
    assert sliders["first"].value > 1 > sliders["second"].value
    page.move(None, sigma=0.5, first=0.1)
    press(page, "a")
    assert faithful(page, **PRESETS[1].fields)


@pytest.mark.thorough
def test_wrong_words_are_refused_beside_their_control(page):
    wrong = {"sigma": ("-1", "abc"), "first": ("-2", "x"), "n": ("1", "1001"), "d": ("0",), "bandwidth": ("0",)}
    for name, words in wrong.items():
        for text in words:
            type_in(page, name, text)
            assert MarginalizedLab.fields[name].symbol in trouble(page, name)
            assert "MarginalizedLab" not in trouble(page, name)
            assert faithful(page)
        page.places.reset()
        type_in(page, name, str(getattr(page.lab, name) or "auto"))
        page.controls[name].refuse("")


def test_sliders_of_coordinates_that_are_not_there_wait(page):
    assert not further(page).visible
    assert not page.controls["second"].slider.disabled
    page.move(None, d=1)
    assert page.controls["second"].slider.disabled
    page.move(None, d=5)
    assert further(page).visible
    assert not page.controls["second"].slider.disabled


@pytest.mark.thorough
def test_keys_and_buttons(page):
    press(page, "n")
    assert faithful(page, seed=6)
    press(page, "d")
    assert faithful(page, seed=6, dice=2, picture="dice")
    assert page.pressed["throw"].visible
    page.move(None, picture="filter")
    assert not page.pressed["throw"].visible
    assert [name for name in SMALL if page.arranged.pictures[name].visible] == ["filter"]
    press(page, "z")
    assert page.lab.picture == "dice"


@pytest.mark.thorough
def test_more_samples_come_and_go(page, monkeypatch):
    page.move(None, n=5, samples=4)
    assert page.result.replicates.count == 4
    assert page.pressed["hundred"].label == "4 samples"
    assert "In 4 more samples" in page.frame.headline.object
    assert len(drawn(page)["loss.bands"]["sigma"]) == 62
    press(page, "s")
    assert page.result.replicates is None
    monkeypatch.setattr(MarginalizedResult, "pending", lambda result: ())
    press(page, "s")
    assert page.lab.samples == 100
    page.move(None, samples=0, source="wine")
    press(page, "s")
    assert "The distribution behind a table is unknown" in notice(page)


def test_more_points_than_the_dice_compares_are_a_sentence(page):
    page.move(None, picture="dice")
    type_in(page, "n", "401")
    assert "n may be at most 400" in trouble(page, "n")
    assert faithful(page, picture="dice")


# places


def test_another_picture_is_no_other_step(page):
    page.frame.story.open(STORIES[0], 0)
    page.move(None, picture="filter")
    assert page.frame.story.card.shown["astray"] == ""


# a table of one's own


@pytest.mark.thorough
def test_a_table_of_ones_own(page):
    rows = np.random.default_rng(0).normal(size=(60, 3)).tolist()
    raw = "\n".join(["a,b,c", *(",".join(map(str, row)) for row in rows)]).encode()
    page.own.choose(raw, "mine.csv")
    page.own.use(page.own.read())
    table = read_table(raw, name="mine.csv", standardise=True)
    assert page.lab.source == "file"
    assert page.lab.n == 60
    assert page.result.X == pytest.approx(table.sample(60, 5))
    assert "mine.csv" in page.frame.headline.object
    assert page.view.figures["sample"].xaxis.axis_label == "a"
    page.choose("source", "mixture")
    page.choose("source", "file")  # the session still has it
    assert page.result.law is None
    type_in(page, "n", "61")
    assert "60 rows" in notice(page)


@pytest.mark.thorough
def test_a_step_is_a_link_and_refused_words_are_in_the_notice():
    page = MarginalizedPage({"story": "dice", "step": "4", "sigma": "<b>", "moon": "1", "theme": "dark"})
    assert notice(page).count("<li>") == 2
    assert "<b>" not in notice(page)
    assert (page.lab.picture, page.lab.bandwidth) == ("approximation", 1)
    assert page.frame.page.dark_theme
    # the line of σ and the rims of the discs move σ's slider
    for figure, part in ((page.view.hero, "line"), (page.view.figures["sample"], "discs")):
        (args,) = [callback.args for callback in Callback.registry.get(figure, []) if part in callback.args]
        assert args["slider"] is page.sliders["sigma"].slider
