"""A widget in a browser without a network: slider, Play, keys, line, theme, two on a page, as text, without scripts."""

from __future__ import annotations

import io
import re

import pytest
from helpers.browsing import DESK, PHONE, close_all, first
from helpers.server_process import until
from PIL import Image, ImageStat

from explorer.exports.lab_state import exportable
from explorer.exports.widget import SCRIPT, WIDTH, _drawings, shared_script, widget
from explorer.markup import text_of
from explorer.svg.frame_diffs import frame_diffs
from explorer.workbench import registry

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
EACH = [pytest.param(name, marks=() if name in ("shrinkage", "monk") else pytest.mark.slow) for name in exportable()]
HOST = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page of others</title>
<style>button, p, svg { display: none !important } * { color: red }</style></head><body>
<main><h1>A lecture</h1>%s</main></body></html>"""
# what a browser makes of a drawing, and of the picture that a widget shows
ALIKE = """const alike = (svg) => {
    const all = [svg, ...svg.querySelectorAll('*')].map(({tagName, attributes, children, textContent}) =>
        [tagName, [...attributes].map(({name, value}) => [name, value]).sort(), children.length || textContent])
    return JSON.stringify(all).replace(/reel-[0-9a-f]{8}-/g, '')
}"""
DRAWN = f"""(drawing) => {{ {ALIKE}
    const around = document.createElement('div')
    around.innerHTML = drawing
    return alike(around.firstElementChild)
}}"""
SHOWN = f"(element) => {{ {ALIKE}; return alike(element.shadowRoot.querySelector('.moving svg')) }}"


def letters(text):
    """Return a text without its spaces: a browser has a line break between two sentences on different lines."""
    return "".join(text.split())


class File:
    """A file in a browser that is offline, and the first widget in it."""

    def __init__(self, chromium, path, **options):
        self.context = chromium.new_context(**{"viewport": DESK, "offline": True, **options})
        self.page, self.complaints = self.context.new_page(), []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(path.as_uri())
        self.widget = self.page.locator("kernel-mean-widget").first
        self.slider = self.widget.get_by_role("slider")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request):
        if request.url.startswith("http"):
            self.complaints.append(request.url)

    @property
    def row(self):
        return int(self.slider.input_value())

    @property
    def headline(self):
        return letters(self.widget.locator(".headline").inner_text())

    @property
    def picture(self):
        """Return the markup of the picture that the slider moves."""
        return self.widget.evaluate(SHOWN)

    def light(self):
        """Return how light the widget is, from 0 to 255."""
        return ImageStat.Stat(Image.open(io.BytesIO(self.widget.screenshot())).convert("L")).mean[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the shared script."""
    folder = tmp_path_factory.mktemp("widgets")
    folder.joinpath(SCRIPT).write_text(shared_script(), encoding="utf-8")
    return folder


@pytest.fixture
def opened(chromium, folder):
    """Open a page of some labs' widgets, or that of one alone; the test fails if the browser logged anything."""
    lab_pages, made = [], {}

    def open_(*names, host="%s", **options):
        made.update({name: str(widget(first(name)).html) for name in names if name not in made})
        path = folder / f"{len(lab_pages)}-{'-'.join(names)}.html"
        path.write_text(host % "".join(made[name] for name in names), encoding="utf-8")
        lab_pages.append(File(chromium, path, **options))
        return lab_pages[-1]

    yield open_
    close_all(lab_pages)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_the_slider_shows_what_the_lab_draws_and_says(opened, name):
    lab_page, result = opened(name), first(name).result(wait=True)
    picture = next(
        each for each in registry.visible_pictures(name, result) if each.table_is_complete and each.table(result)
    )
    words, drawings = registry.role(name, "words"), _drawings(picture, [result.at(stop) for stop in result.stops])
    last = len(result.stops) - 1
    assert lab_page.slider.get_attribute("max") == str(last)
    for key, row in (("End", last), ("Home", 0), ("ArrowRight", 1), ("End", last)):
        lab_page.slider.press(key)
        until(
            lambda row=row: lab_page.picture == lab_page.page.evaluate(DRAWN, frame_diffs([drawings[row]]).first),
            f"stop {row}",
        )
        state = result.at(result.stops[row])
        assert lab_page.headline == letters(text_of(words.headline(state, row)))
    until(lambda: lab_page.widget.get_by_role("status").inner_text(), "the headline, said")


def test_it_opens_at_the_state_that_it_was_made_of_and_auto_goes_back_there(opened):
    lab_page = opened("shrinkage")
    words, result = registry.role("shrinkage", "words"), first("shrinkage").result(wait=True)
    before, auto = (lab_page.picture, lab_page.headline), lab_page.widget.get_by_role("button", name="auto")
    assert lab_page.headline == letters(text_of(words.headline(result, result.row)))
    assert auto.get_attribute("aria-pressed") == "true"
    lab_page.slider.press("ArrowRight")
    assert auto.get_attribute("aria-pressed") == "false"
    until(lambda: lab_page.picture != before[0], "another picture")
    auto.click()
    until(lambda: (lab_page.picture, lab_page.headline) == before, "the state that it was made of")
    assert lab_page.slider.get_attribute("aria-valuetext").endswith(", auto")


def test_play_goes_to_the_end_and_a_hand_pauses_it(opened):
    lab_page = opened("monk")
    last = int(lab_page.slider.get_attribute("max"))
    lab_page.slider.press("Home")
    play = lab_page.widget.get_by_role("button", name="Play Q")
    play.click()
    lab_page.widget.get_by_role("button", name="Pause Q").wait_for()
    until(lambda: lab_page.row > 2, "the slider on its way")
    lab_page.slider.press("Home")
    play.wait_for()
    assert lab_page.row == 0
    lab_page.slider.press(" ")
    until(lambda: lab_page.row == last, "the slider at its end")
    play.wait_for()
    lab_page.slider.press(" ")  # from its beginning again
    until(lambda: 0 < lab_page.row < last, "the slider on its way again")


def test_who_wants_little_motion_has_one_stop_for_each_press(opened):
    lab_page = opened("monk", reduced_motion="reduce")
    lab_page.slider.press("Home")
    for row in (1, 2):
        lab_page.slider.press(" ")
        assert lab_page.row == row
    lab_page.page.wait_for_timeout(300)
    assert lab_page.row == 2


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_to_drag_the_line_is_to_move_the_slider(opened, name):
    lab_page = opened(name)
    grip = lab_page.widget.locator(".grip")
    if not grip.count():
        assert name not in ("shrinkage", "marginalized", "drift", "distributions")
        return
    box, wide, before = (
        grip.bounding_box(),
        lab_page.widget.locator(".moving").bounding_box()["width"],
        lab_page.headline,
    )
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    to = x + (0.2 if lab_page.row < int(lab_page.slider.get_attribute("max")) / 2 else -0.2) * wide
    lab_page.page.mouse.move(x, y)
    lab_page.page.mouse.down()
    lab_page.page.mouse.move(to, y, steps=6)
    lab_page.page.mouse.up()
    until(lambda: lab_page.headline != before, "another headline")
    box = grip.bounding_box()
    assert abs(box["x"] + box["width"] / 2 - to) < 0.05 * wide  # half of the way from stop to stop, at most


def test_a_finger_on_the_line_moves_the_slider_and_one_on_the_picture_scrolls(opened):
    lab_page = opened("shrinkage", **PHONE)
    hand, box = lab_page.context.new_cdp_session(lab_page.page), lab_page.widget.locator(".grip").bounding_box()
    row, y = lab_page.row, box["y"] + box["height"] / 2

    def draw(x, to):
        touched = [("touchStart", x), *(("touchMove", x + (to - x) * k / 8) for k in range(1, 9)), ("touchEnd", None)]
        for kind, place in touched:
            points = [] if place is None else [{"x": place, "y": y}]
            hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    draw(40, 100)  # far from the line
    assert lab_page.row == row
    x = box["x"] + box["width"] / 2
    draw(x, x - 100)
    until(lambda: lab_page.row < row - 5, "the slider moved")


def test_two_on_a_page_of_others_do_not_know_of_each_other(opened):
    lab_page = opened("shrinkage", "monk", "shrinkage", host=HOST)
    every = lab_page.page.locator("kernel-mean-widget")
    before = [every.nth(i).evaluate(SHOWN) for i in range(3)]
    assert before[0] == before[2]
    every.nth(2).get_by_role("slider").press("End")
    until(lambda: every.nth(2).evaluate(SHOWN) != before[2], "the third picture moved")
    assert [every.nth(i).evaluate(SHOWN) for i in range(2)] == before[:2]
    # nor does the page's sheet reach into them, or theirs out of them
    assert all(every.nth(i).get_by_role("button", name=re.compile("^Play")).is_visible() for i in range(3))
    assert lab_page.page.locator("h1").evaluate("(h) => getComputedStyle(h).color") == "rgb(255, 0, 0)"
    assert lab_page.page.title() == "A page of others"


def test_the_keys_of_the_page_around_do_not_hear_the_slider_s(opened):
    lab_page = opened("monk", host=HOST)
    lab_page.page.evaluate(
        "document.addEventListener('keydown', (event) => { document.body.dataset.heard = event.key })"
    )
    for key in ("ArrowRight", "End", " "):
        lab_page.slider.press(key)
    lab_page.widget.get_by_role("button", name=re.compile("^Pause")).press(" ")
    assert lab_page.page.evaluate("document.body.dataset.heard") is None
    lab_page.slider.press("x")
    assert lab_page.page.evaluate("document.body.dataset.heard") == "x"


def test_it_lives_where_a_page_was_given_it_as_text(opened, folder):
    lab_page = opened("monk", host=HOST)
    text = str(widget(first("shrinkage"), script="inline").html)
    lab_page.page.evaluate(
        """(text) => {
            const output = document.createElement('div')
            output.className = 'output'
            output.innerHTML = text
            document.body.append(output)
            for (const script of output.querySelectorAll('script')) eval(script.textContent)
        }""",
        text,
    )
    added = lab_page.page.locator(".output kernel-mean-widget")
    before = added.evaluate(SHOWN)
    added.get_by_role("slider").press("End")
    until(lambda: added.evaluate(SHOWN) != before, "its picture moved")
    lab_page.page.evaluate(
        "document.querySelector('main').append(document.querySelector('.output'))"
    )  # as notebooks do
    added = lab_page.page.locator("main .output kernel-mean-widget")
    added.get_by_role("slider").press("Home")
    assert added.get_by_role("slider").input_value() == "0"
    # a browser warns of a shadow root in a text, which it leaves to us
    assert [each for each in lab_page.complaints if "declarative Shadow DOM is not being parsed" not in each] == []
    lab_page.complaints.clear()


def test_with_scripts_off_it_shows_and_says_its_state(opened):
    lab_page = opened("shrinkage", java_script_enabled=False)
    words, result = registry.role("shrinkage", "words"), first("shrinkage").result(wait=True)
    assert lab_page.headline == letters(text_of(words.headline(result, result.row)))
    assert lab_page.widget.locator(".moving svg").first.bounding_box()["width"] > WIDTH
    assert not lab_page.slider.is_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_follows_the_reader_s_system_or_what_it_is_told(opened, dark):
    lab_page = opened("shrinkage", color_scheme="dark" if dark else "light")
    assert (lab_page.light() < 80) == dark
    lab_page.widget.evaluate("(element, theme) => element.setAttribute('theme', theme)", "light" if dark else "dark")
    assert (lab_page.light() < 80) != dark


@pytest.mark.parametrize("name", EACH)
def test_it_fits_a_narrow_screen(opened, name):
    lab_page = opened(name, **PHONE)
    assert lab_page.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", EACH)
def test_it_has_no_barrier(opened, axe, scheme, name):
    for names, host in (((name,), "%s"), ((name, "monk"), HOST)):
        lab_page = opened(*names, host=host, color_scheme=scheme)
        lab_page.slider.press("ArrowRight")
        lab_page.page.evaluate(axe.read_text())
        found = lab_page.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
