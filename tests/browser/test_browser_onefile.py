"""An exported file in a browser without a network: slider, lines, theme, narrow screens, and no complaint."""

from __future__ import annotations

import io
import json

import pytest
from helpers.browsing import DESK, PHONE, close_all, first
from helpers.server_process import until
from PIL import Image, ImageStat

from explorer.exports.lab_state import exportable
from explorer.exports.state_pages import one_file
from explorer.workbench import registry

pytestmark = [pytest.mark.browser, pytest.mark.thorough]
# the others, whose file is made and whose caption is set in the same way, come with the slow tests
EACH = [pytest.param(name, marks=() if name in ("shrinkage", "monk") else pytest.mark.slow) for name in exportable()]


class File:
    """An exported file, opened by its path with the network off."""

    def __init__(self, chromium, path, **options):
        self.context = chromium.new_context(**{"viewport": DESK, "offline": True, **options})
        self.page, self.complaints = self.context.new_page(), []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.goto(path.as_uri())
        self.page.locator("body.ready").wait_for()
        until(lambda: all(self.widths()), "pictures of a size")

    def _heard(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _asked(self, request):
        if request.url.startswith("http"):
            self.complaints.append(request.url)

    @property
    def slider(self):
        return self.page.get_by_role("slider")

    @property
    def row(self):
        return int(self.slider.input_value())

    @property
    def headline(self):
        return self.html("headline")

    def html(self, name):
        """Return what is in an element of the file."""
        return self.page.locator(f"#{name}").inner_html()

    def widths(self):
        return self.page.evaluate("Bokeh.documents[0].roots().map((plot) => plot.inner_width ?? 0)")

    def pictures(self):
        return self.page.locator(".body").screenshot()

    def lines(self):
        """Return for each vertical line of the pictures its (x, y) on the screen, and how wide its picture is."""
        return self.page.evaluate(LINES)

    def contours(self):
        """Return for each function of the plane its size in pixels, a hash of its regions, and the colour of each."""
        return self.page.evaluate(CONTOURS)

    def take(self, line):
        """Reach for a line; return whether the pointer shows that it can be held."""
        self.page.mouse.move(*line[:2])
        return self.page.evaluate(HELD)


LINES = """() => Bokeh.documents[0].roots().flatMap((plot) => {
    const {canvas_view, frame} = Bokeh.index.find_one(plot), box = canvas_view.events_el.getBoundingClientRect()
    return plot.renderers.filter((each) => each.glyph?.type === 'VSpan').map(({data_source, glyph}) => {
        const x = frame.x_scale.compute(data_source.data[glyph.x.field][0])
        return [box.left + x, box.top + frame.bbox.vcenter, frame.bbox.width]
    })
})"""
CONTOURS = """() => Bokeh.documents[0].roots().flatMap((plot) => {
    const views = Bokeh.index.find_one(plot).renderer_views
    return plot.renderers.filter((each) => each.glyph?.type === 'Image').map((each) => {
        const [canvas] = views.get(each).glyph.image_data, {width, height} = canvas
        const {data} = canvas.getContext('2d').getImageData(0, 0, width, height), colours = new Map()
        let hash = 0
        for (const pixel of new Uint32Array(data.buffer)) {
            if (!colours.has(pixel)) colours.set(pixel, colours.size)
            hash = Math.imul(hash ^ colours.get(pixel), 16777619)
        }
        return {size: [width, height], regions: hash, colours: [...colours.keys()]}
    })
})"""
AS_HTML = "(html) => Object.assign(document.createElement('div'), {innerHTML: html}).innerHTML"
HELD = """() => Bokeh.documents[0].roots().some(
    (plot) => Bokeh.index.find_one(plot).canvas_view.events_el.style.cursor === 'grab')"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Return the file of each lab's first preset, made on first request."""
    folder, kept = tmp_path_factory.mktemp("files"), {}

    def file(name):
        if name not in kept:
            kept[name] = folder / f"{name}.html"
            kept[name].write_text(one_file(first(name), "first"), encoding="utf-8")
        return kept[name]

    return file


@pytest.fixture
def opened(chromium, files):
    """Open the file of a lab; the test fails if the browser logged anything."""
    lab_pages = []

    def open_(name, **options):
        lab_pages.append(File(chromium, files(name), **options))
        return lab_pages[-1]

    yield open_
    close_all(lab_pages)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_the_slider_is_answered_by_the_file(opened, name):
    lab_page = opened(name)
    every = json.loads(lab_page.page.locator("#texts").inner_text())
    before, start = lab_page.pictures(), lab_page.row
    lab_page.slider.press("End" if start == 0 else "Home")
    until(lambda: lab_page.row != start, "the slider at another stop")
    for name, text in every[lab_page.row]["html"].items():
        assert lab_page.html(name) == lab_page.page.evaluate(AS_HTML, text)
    until(lambda: lab_page.pictures() != before, "other pictures")
    assert lab_page.slider.get_attribute("aria-valuetext") == every[lab_page.row]["said"]
    until(lambda: lab_page.page.get_by_role("status").inner_text(), "the headline, said")


def test_auto_goes_back_to_what_the_lab_chose(opened):
    lab_page = opened("shrinkage")
    first, auto = lab_page.headline, lab_page.page.get_by_role("button", name="auto")
    assert auto.get_attribute("aria-pressed") == "true"
    lab_page.slider.press("ArrowRight")
    assert auto.get_attribute("aria-pressed") == "false"
    assert lab_page.headline != first
    auto.click()
    assert lab_page.headline == first
    assert lab_page.slider.get_attribute("aria-valuetext").endswith(", auto")


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_to_drag_the_line_is_to_move_the_slider(opened, name):
    lab_page = opened(name)
    lab_page.page.set_viewport_size({"width": DESK["width"], "height": 1600})
    last, result = int(lab_page.slider.get_attribute("max")), first(name).result(wait=True)
    pictures = [each for each in registry.visible_pictures(name, result) if each.table_is_complete]
    held = [i for i, line in enumerate(lab_page.lines()) if line[0] == line[0] and lab_page.take(line)]
    assert len(held) == sum(bool(each.slider_line) for each in pictures)
    for i in held:
        (x, y, wide), headline = lab_page.lines()[i], lab_page.headline
        to = x + (0.2 if lab_page.row < last / 2 else -0.2) * wide
        lab_page.page.mouse.move(x, y)
        lab_page.page.mouse.down()
        lab_page.page.mouse.move(to, y, steps=6)
        lab_page.page.mouse.up()
        assert lab_page.headline != headline
        assert abs(lab_page.lines()[i][0] - to) < 0.03 * wide  # half of the way from stop to stop, at most


@pytest.mark.parametrize("name", EACH)
def test_it_fits_a_narrow_screen(opened, name):
    lab_page = opened(name, **PHONE)
    assert lab_page.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_follows_the_visitor_s_system(opened, dark):
    lab_page = opened("shrinkage", color_scheme="dark" if dark else "light")
    light = ImageStat.Stat(Image.open(io.BytesIO(lab_page.page.screenshot())).convert("L")).mean[0]
    assert (light < 60) == dark
    lab_page.page.emulate_media(color_scheme="light" if dark else "dark")
    until(
        lambda: (ImageStat.Stat(Image.open(io.BytesIO(lab_page.pictures())).convert("L")).mean[0] < 60) != dark,
        "pictures on the other ground",
    )


def test_a_function_of_the_plane_is_contours_that_follow_slider_and_theme(opened):
    lab_page = opened("twosample")
    (first,) = lab_page.contours()
    assert min(first["size"]) >= 150  # the plane has 20 lines of 34 cells
    assert len(first["colours"]) > 11  # the tints, nothing, and what an outline blends
    start = lab_page.row
    for key in ("ArrowRight", "ArrowLeft"):
        before = lab_page.contours()
        lab_page.slider.press(key)
        until(lambda before=before: lab_page.contours() != before, "other contours")
    assert lab_page.row == start
    assert lab_page.contours() == [first]
    lab_page.page.emulate_media(color_scheme="dark")
    until(lambda: lab_page.contours() != [first], "contours on the other ground")
    (dark,) = lab_page.contours()
    assert (dark["size"], dark["regions"]) == (first["size"], first["regions"])
    assert set(dark["colours"]) & set(first["colours"]) == {0}  # except 0, which is transparent


@pytest.mark.few(2)
@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_no_barrier(opened, axe, scheme, name):
    lab_page = opened(name, color_scheme=scheme)
    for fold in lab_page.page.locator("summary").all():
        fold.click()
    lab_page.page.evaluate(axe.read_text())  # the file's policy lets no script be added to it
    found = lab_page.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
