"""The home page as a visitor uses it: the drag that flips a verdict, by mouse, key and finger; narrow and dark."""

from __future__ import annotations

from contextlib import contextmanager
from urllib.parse import urlparse

import pytest
from helpers.browsing import DESK, PHONE, is_complaint
from helpers.server_process import until

from explorer.pages.index import outlier_example
from explorer.pages.sections import tour_of_labs
from explorer.workbench import registry

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

START, HOME = outlier_example.STOPS.index(outlier_example.START), outlier_example.STOPS.index(0.0)


class Visit:
    """A page of home, with the browser's complaints and its requests elsewhere."""

    def __init__(self, context, server):
        self.page, self.complaints, self.host = context.new_page(), [], urlparse(server.url).netloc
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("response", lambda answer: self.complaints.append(answer.url) if answer.status >= 400 else None)
        self.page.goto(f"{server.url}/")
        until(lambda: self.page.locator(".verdict").count() == 2, "both verdicts")
        until(lambda: self.page.locator(".picture svg").count() == len(registry.names()), "all pictures")
        until(lambda: self.page.evaluate("Bokeh.documents[0].is_idle"), "a page at rest")

    def _heard(self, message):
        if is_complaint(message):
            self.complaints.append(message.text)

    def _asked(self, request):
        address = urlparse(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self.host:
            self.complaints.append(request.url)

    @property
    def verdicts(self):
        """The two tests' verdicts: whether each detects the difference."""
        return [
            ("finds" in words.split())
            for words in self.page.locator(".verdict").evaluate_all("a => a.map(e => e.className)")
        ]

    @property
    def slider(self):
        return self.page.get_by_role("slider", name="reading")

    @property
    def stop(self):
        """The slider's stop."""
        return int(self.slider.input_value())

    def at(self, x):
        """Return the position of the reading on the page, in px."""
        return self.page.evaluate(
            """x => {
            const figure = [...Bokeh.documents[0]._all_models.values()].find(model => model.type === 'Figure')
            const {frame, canvas_view} = Bokeh.index.find_one(figure)
            const models = [...Bokeh.documents[0]._all_models.values()]
            const source = models.find(({data}) => data?.x?.length === 1 && data.y)
            const box = canvas_view.events_el.getBoundingClientRect()
            return [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(source.data.y[0])]
        }""",
            x,
        )

    def drag(self, start, *stops):
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for place in stops:
            self.page.mouse.move(*place, steps=12)
        self.page.mouse.up()


@contextmanager
def visit(chromium, server, **options):
    """Yield a page of home in a new browser profile; the browser must not log a complaint."""
    context = chromium.new_context(**{"viewport": DESK, **options})
    made = Visit(context, server)
    yield made
    context.close()
    assert made.complaints == []


@pytest.fixture(scope="module")
def shared_home(chromium, server):
    """Yield a page that the module's tests share, because opening one takes seconds."""
    with visit(chromium, server) as made:
        yield made


@pytest.fixture(scope="module")
def on_phone(chromium, server):
    """Yield a page on a phone."""
    with visit(chromium, server, **PHONE) as made:
        yield made


@pytest.fixture
def home(shared_home):
    """Return the shared page in its opening state."""
    shared_home.page.bring_to_front()
    shared_home.page.set_viewport_size(DESK)
    shared_home.slider.fill(str(START))
    until(lambda: (shared_home.stop, shared_home.verdicts) == (START, [False, True]), "the first verdicts")
    return shared_home


def test_a_drag_home_flips_the_plain_verdict_alone_and_back(home):
    below = home.page.locator(".button").first.bounding_box()
    home.drag(home.at(outlier_example.START), home.at(outlier_example.STOPS[HOME]))
    until(lambda: home.verdicts == [True, True], "two tests that agree")
    assert home.stop == HOME
    assert home.page.locator(".button").first.bounding_box() == below  # nothing moves but what is dragged
    home.drag(home.at(outlier_example.STOPS[HOME]), home.at(outlier_example.START))
    until(lambda: home.verdicts == [False, True], "the first verdicts")


def test_only_the_reading_can_be_taken_hold_of(home):
    x, y = home.at(outlier_example.START)
    home.drag((x - 20, y), home.at(outlier_example.STOPS[HOME]))
    home.drag((x, y - 20), home.at(outlier_example.STOPS[HOME]))
    assert home.stop == START
    assert home.verdicts == [False, True]


def test_keys_move_it_and_the_knob_stands_under_the_reading(home):
    home.slider.focus()
    for key, stop in (
        ("ArrowLeft", START - 1),
        ("Home", 0),
        ("End", len(outlier_example.STOPS) - 1),
        ("ArrowLeft", len(outlier_example.STOPS) - 2),
    ):
        home.page.keyboard.press(key)
        until(lambda stop=stop: home.stop == stop, f"the stop {stop}")
        box = home.page.locator(".MuiSlider-thumb").bounding_box()
        assert abs(box["x"] + box["width"] / 2 - home.at(outlier_example.STOPS[stop])[0]) < 2  # in px
    assert home.slider.get_attribute("aria-valuetext") == f"{outlier_example.STOPS[-2]:g}"


FRAMES = """async ([pane, stop]) => {
    const slider = [...Bokeh.documents[0]._all_models.values()].find((model) => model.data?.options?.length > 50)
    const root = pane.getRootNode(), words = () => root.querySelector('.verdicts').innerText
    const before = words()
    slider.data.value = stop
    for (let frames = 0; frames < 60; frames++) {
        if (words() !== before) return frames
        await new Promise(requestAnimationFrame)
    }
}"""


def test_an_answer_comes_within_two_frames(home):
    pane = home.page.locator(".verdicts").element_handle()
    assert home.page.evaluate(FRAMES, [pane, HOME]) <= 2


def test_it_works_with_no_server_behind_it(chromium, server):
    """The tables are in the browser, so that a lost connection has no effect."""
    context = chromium.new_context(viewport=DESK)
    home = Visit(context, server)
    context.set_offline(True)
    home.drag(home.at(outlier_example.START), home.at(outlier_example.STOPS[HOME]))
    until(lambda: home.verdicts == [True, True], "two tests that agree")
    context.close()


@pytest.mark.parametrize(("width", "height"), [(1300, 800), (1920, 1080), (390, 844)])
def test_what_is_seen_at_once(request, width, height):
    home = request.getfixturevalue("on_phone" if width == 390 else "home")
    home.page.set_viewport_size({"width": width, "height": height})
    seen = home.page.locator("h1, .verdicts, .bk-Figure, .MuiSlider-root, .button")
    until(lambda: seen.count() == 6, "all of the first screen")
    bottoms = [box["y"] + box["height"] for box in (each.bounding_box() for each in seen.all())]
    assert max(bottoms) < height
    if width > 700:
        asked = [each.bounding_box() for each in home.page.locator("article h2, article nav").all()]
        assert len(asked) == 2 * len(registry.FAMILIES)
        assert max(box["y"] + box["height"] for box in asked) < height
    assert home.page.evaluate("document.documentElement.scrollWidth") == width


def test_a_finger_drags_the_reading(on_phone):
    home = on_phone
    touching = home.page.context.new_cdp_session(home.page)
    (x, y), (to, _) = home.at(outlier_example.START), home.at(outlier_example.STOPS[HOME])
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        *(("touchMove", [{"x": x + (to - x) * i / 10, "y": y}]) for i in range(1, 11)),
        ("touchEnd", []),
    ):
        touching.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(lambda: home.verdicts == [True, True], "two tests that agree")


def test_it_follows_a_dark_system_and_nothing_is_lost_on_its_ground(chromium, server):
    with visit(chromium, server, color_scheme="dark") as home:
        until(lambda: home.page.locator(".mui-dark").count(), "the dark theme")
        for part, low, high in ((".main", 0, 60), (".intro", 150, 255)):
            tint = "backgroundColor" if part == ".main" else "color"
            found = home.page.locator(part).evaluate(f"e => getComputedStyle(e).{tint}")
            assert all(low <= int(share) <= high for share in found[4:-1].split(","))


def test_axe_finds_no_barrier(home, axe):
    home.page.add_script_tag(path=axe)
    found = home.page.evaluate("axe.run({resultTypes: ['violations']}).then(({violations}) => violations)")
    serious = [(each["id"], each["nodes"][0]["html"]) for each in found if each["impact"] in ("serious", "critical")]
    assert serious == []


def test_the_tour_goes_from_lab_to_lab_by_its_links(chromium, server):
    context = chromium.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(f"{server.url}/{tour_of_labs.START}")
    for stop in (1, 2):
        until(lambda stop=stop: page.get_by_text(f"Tour: {stop} of 4").count() == 1, f"stop {stop}")
        page.get_by_role("navigation", name="Tour").get_by_role("link").last.click()
    until(lambda: page.get_by_text("Tour: 3 of 4").count() == 1, "stop 3")
    context.close()
