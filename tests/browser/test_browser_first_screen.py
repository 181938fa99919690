"""The first screen of each lab and of home: its content, and that nothing on it moves when a slider does."""

from __future__ import annotations

import json
from functools import cache

import pytest
from every_lab import ROWS
from helpers.browsing import DESK, BrowserPage, LabEntry
from helpers.server_process import until
from screenshots import NEAR, SIZES, look, opened

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

INK = 190  # the first picture begins at most this far from the top, in px
CONTROLS = 5  # most controls in addition to the main slider, before the user opens more
PRESSED = 25  # most things to press on a first screen
CLOSE = 40  # most px between a main slider's track and its label and end labels
# home's picture is next to its text, and Sweep's is a map that the user runs: both have their own rules
LABS = [
    pytest.param(name, marks=() if name in ("shrinkage", "conditional") else pytest.mark.slow)  # one chassis has all
    for name in ROWS
    if name != "sweep"
]
LAB_ENTRIES = """() => {
  const places = [], walk = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.matches('.bk-Figure, .chip, .says, .trust, .MuiSlider-root, .group, .caption')) {
        const {x, y, width, height} = element.getBoundingClientRect()
        // words that follow a slider may be longer; where they begin stays
        places.push(element.matches('.says, .trust, .caption') ? [x, y] : [x, y, width, height])
      }
      if (element.shadowRoot) walk(element.shadowRoot)
    }
  }
  walk(document)
  return JSON.stringify(places)
}"""


look = cache(look)  # to open a page takes seconds


@pytest.mark.few(1)
@pytest.mark.parametrize("name", LABS)
def test_headline_picture_slider_and_a_second_picture_are_on_the_first_screen(chromium, server, name):
    width, height = SIZES["1300"]
    screen = look(chromium, server.url, name, "1300")
    assert 48 <= screen.headline < 80
    assert screen.ink < INK + (40 if name == "conditional" else 0)  # which has a choice of four pictures above
    assert screen.slider < height
    assert screen.second < 0.8 * height
    assert screen.controls <= CONTROLS + 1
    assert screen.pressed <= PRESSED
    assert 0 < screen.tabs <= 5 or name == "sweep"
    assert screen.wide == width


@pytest.mark.few(2)
@pytest.mark.parametrize("size", ["1300", "390"])
@pytest.mark.parametrize("name", LABS)
def test_the_main_slider_has_its_name_its_ends_and_its_value_close_by(chromium, server, name, size):
    with opened(chromium, server.url, name, size) as tab:
        sliders = tab.evaluate(NEAR)
    assert sliders
    for slider in sliders:
        for part in (slider["name"], *slider["ends"], slider["value"]):
            away, words = part
            assert away <= CLOSE
            assert words
        assert len(slider["ends"]) == 2


@pytest.mark.few(1)
@pytest.mark.parametrize("name", LABS)
def test_a_phone_s_first_screen_has_headline_picture_and_slider(chromium, server, name):
    width, height = SIZES["390"]
    screen = look(chromium, server.url, name, "390")
    assert screen.ink < (0.42 if name == "conditional" else 0.4) * height  # which has a choice of pictures above
    assert screen.slider < 0.8 * height
    assert screen.wide == width


def test_pictures_grow_with_the_window(chromium, server):
    small, large = (look(chromium, server.url, "shrinkage", size) for size in ("1300", "1920"))
    assert large.slider - large.ink > 1.25 * (small.slider - small.ink)


@pytest.mark.parametrize(
    "name", ["shrinkage", *(pytest.param(each, marks=pytest.mark.slow) for each in ("marginalized", "twosample"))]
)
def test_nothing_moves_when_the_main_slider_does(chromium, server, name):
    context = chromium.new_context(viewport=DESK)
    lab_page = BrowserPage(context, server.url, place := LabEntry(name))
    lab_page.go()
    until(lab_page.has_table, "a page at rest")
    lab_page.press(place.slider)  # which leaves the preset
    until(lambda: lab_page.params.get("v") == "2", "a link of its own")
    lab_page.page.wait_for_timeout(1000)
    before = lab_page.page.evaluate(LAB_ENTRIES)
    with lab_page.hold_slider(place.slider) as move:
        for share in (0.3, 0.45, 0.6, 0.75):
            move(share)
            lab_page.page.wait_for_timeout(60)
            assert lab_page.page.evaluate(LAB_ENTRIES).count("[") == before.count("[")
    lab_page.page.wait_for_timeout(1000)
    after = lab_page.page.evaluate(LAB_ENTRIES)
    moved = [pair for pair in zip(json.loads(before), json.loads(after), strict=True) if pair[0] != pair[1]]
    assert moved == []
    assert lab_page.complaints == []
    context.close()
