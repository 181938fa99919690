"""An exported file in a browser without a network: slider, lines, theme, narrow screens, and no complaint."""

from __future__ import annotations

import io
import json

import pytest
from browsing import DESK, PHONE
from PIL import Image, ImageStat
from server_process import until

from explorer.exports.onefile import one_file
from explorer.exports.slider_state import exportable
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


def first(name):
    """Return the lab of a name at its first preset."""
    return registry.entry(name).lab(**registry.role(name, "stories").PRESETS[0].fields)


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
    rooms = []

    def open_(name, **options):
        rooms.append(File(chromium, files(name), **options))
        return rooms[-1]

    yield open_
    complaints = [complaint for room in rooms for complaint in room.complaints]
    for room in rooms:
        room.context.close()
    assert complaints == []


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_the_slider_is_answered_by_the_file(opened, name):
    room = opened(name)
    every = json.loads(room.page.locator("#texts").inner_text())
    before, start = room.pictures(), room.row
    room.slider.press("End" if start == 0 else "Home")
    until(lambda: room.row != start, "the slider at another stop")
    for name, text in every[room.row]["html"].items():
        assert room.html(name) == room.page.evaluate(AS_HTML, text)
    until(lambda: room.pictures() != before, "other pictures")
    assert room.slider.get_attribute("aria-valuetext") == every[room.row]["said"]
    until(lambda: room.page.get_by_role("status").inner_text(), "the headline, said")


def test_auto_goes_back_to_what_the_lab_chose(opened):
    room = opened("shrinkage")
    first, auto = room.headline, room.page.get_by_role("button", name="auto")
    assert auto.get_attribute("aria-pressed") == "true"
    room.slider.press("ArrowRight")
    assert auto.get_attribute("aria-pressed") == "false"
    assert room.headline != first
    auto.click()
    assert room.headline == first
    assert room.slider.get_attribute("aria-valuetext").endswith(", auto")


@pytest.mark.few(1)
@pytest.mark.parametrize("name", EACH)
def test_to_drag_the_line_is_to_move_the_slider(opened, name):
    room = opened(name)
    room.page.set_viewport_size({"width": DESK["width"], "height": 1600})
    last, result = int(room.slider.get_attribute("max")), first(name).result(wait=True)
    pictures = (each for each in registry.role(name, "figures").PICTURES if each.is_visible(result) and each.answers)
    held = [i for i, line in enumerate(room.lines()) if line[0] == line[0] and room.take(line)]
    assert len(held) == sum(bool(each.upright) for each in pictures)
    for i in held:
        (x, y, wide), headline = room.lines()[i], room.headline
        to = x + (0.2 if room.row < last / 2 else -0.2) * wide
        room.page.mouse.move(x, y)
        room.page.mouse.down()
        room.page.mouse.move(to, y, steps=6)
        room.page.mouse.up()
        assert room.headline != headline
        assert abs(room.lines()[i][0] - to) < 0.03 * wide  # half of the way from stop to stop, at most


@pytest.mark.parametrize("name", EACH)
def test_it_fits_a_narrow_screen(opened, name):
    room = opened(name, **PHONE)
    assert room.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_follows_the_visitor_s_system(opened, dark):
    room = opened("shrinkage", color_scheme="dark" if dark else "light")
    light = ImageStat.Stat(Image.open(io.BytesIO(room.page.screenshot())).convert("L")).mean[0]
    assert (light < 60) == dark
    room.page.emulate_media(color_scheme="light" if dark else "dark")
    until(
        lambda: (ImageStat.Stat(Image.open(io.BytesIO(room.pictures())).convert("L")).mean[0] < 60) != dark,
        "pictures on the other ground",
    )


def test_a_function_of_the_plane_is_contours_that_follow_slider_and_theme(opened):
    room = opened("twosample")
    (first,) = room.contours()
    assert min(first["size"]) >= 150  # the plane has 20 lines of 34 cells
    assert len(first["colours"]) > 11  # the tints, nothing, and what an outline blends
    start = room.row
    for key in ("ArrowRight", "ArrowLeft"):
        before = room.contours()
        room.slider.press(key)
        until(lambda before=before: room.contours() != before, "other contours")
    assert room.row == start
    assert room.contours() == [first]
    room.page.emulate_media(color_scheme="dark")
    until(lambda: room.contours() != [first], "contours on the other ground")
    (dark,) = room.contours()
    assert (dark["size"], dark["regions"]) == (first["size"], first["regions"])
    assert set(dark["colours"]) & set(first["colours"]) == {0}  # except 0, which is transparent


@pytest.mark.few(2)
@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_has_no_barrier(opened, axe, scheme, name):
    room = opened(name, color_scheme=scheme)
    for fold in room.page.locator("summary").all():
        fold.click()
    room.page.evaluate(axe.read_text())  # the file's policy lets no script be added to it
    found = room.page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
