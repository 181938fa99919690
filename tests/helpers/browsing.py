"""One page of a lab in a real browser, with the actions of a user."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import contextmanager
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlparse

import pytest
from every_lab import sliders_of

from explorer.markup import text_of
from explorer.pages import page_class
from explorer.workbench import registry
from explorer.workbench.content import content_of
from helpers.page_reader import PageReader
from helpers.server_process import PATIENCE, until

PRESETS = content_of("shrinkage").presets

DESK = {"width": 1300, "height": 900}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}


# the last three keep pages in the background awake
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
]

# whether the pointer is over a point that the user can move
OFFERS_GRAB = """() => {
  const offers = root => [...root.querySelectorAll("*")].some(element =>
    element.style?.cursor === "grab" || (element.shadowRoot && offers(element.shadowRoot)))
  return offers(document)
}"""


def without(reason):
    """Skip a test because a tool is missing; on CI, where every tool must be installed, fail."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


def axe_script():
    """Return the path of axe-core's script."""
    try:
        import axe_playwright_python
    except ImportError:
        without("this test needs axe-core: pip install axe-playwright-python")
    return Path(axe_playwright_python.__file__).with_name("axe.min.js")


@contextmanager
def launched():
    """Run Chromium as long as the context lasts."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        without("browser tests need playwright: pip install playwright")
    places = os.environ.get("CHROMIUM"), "/usr/bin/chromium", shutil.which("chromium"), shutil.which("google-chrome")
    found = next((place for place in places if place and Path(place).exists()), None)
    if found is None:
        without("browser tests need Chromium: set CHROMIUM to its path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def is_complaint(message):
    """Return whether a console message is an error, a warning of Bokeh's, or the error that ended a script.

    Bokeh logs the last one as plain information.
    """
    return (
        message.type == "error"
        or (message.type == "warning" and "[bokeh" in message.text)
        or bool(re.match(r"\w*Error: ", message.text))
    )


def close_all(lab_pages):
    """Close the pages' contexts; none may have had a complaint of the browser."""
    complaints = [complaint for lab_page in lab_pages for complaint in lab_page.complaints]
    for lab_page in lab_pages:
        lab_page.context.close()
    assert complaints == []


class LabEntry(NamedTuple):
    """A lab by its address, and what a browser shows of its opening state."""

    address: str

    @property
    def lab_class(self):
        return registry.entry(self.address).lab

    @property
    def fields(self):
        """Two fields with a slider: the main one, and one that the server answers."""
        return sliders_of(self.address)

    @property
    def slider(self):
        """The main slider's name, as a regular expression; empty if there is none."""
        return self.names[0] if self.names else ""

    @property
    def names(self):
        """The names of the sliders of both fields, as regular expressions."""
        return [re.escape(self.lab_class.fields[field].label) if field else "" for field in self.fields]

    @property
    def pictures(self):
        """The number of pictures."""
        return _count(self.address)

    @property
    def preset(self):
        """The name of the first preset, which is the opening state."""
        return content_of(self.address).presets[0].name


@cache
def _count(name):
    return len(registry.visible_pictures(name, registry.entry(name).lab().result()))


def first(name):
    """Return the lab of a name at its first preset."""
    return registry.entry(name).lab(**content_of(name).presets[0].fields)


SHRINKAGE = LabEntry("shrinkage")


class BrowserPage(PageReader):
    """One page of a lab, with what a user sees and does on it.

    `complaints` are the errors and warnings of the browser. `home` are parameters of the link that it opens, in
    addition to the lab's fields.
    """

    def __init__(self, context, server, place=SHRINKAGE, **home):
        self.place, self.url, self.host = place, f"{server}/{place.address}", urlparse(server).netloc
        self.home, self.complaints = home, []
        super().__init__(self._new_page(context))

    def _new_page(self, context):
        page = context.new_page()
        self.crashed = False
        page.on("crash", self._crashed)
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", self._asked)
        return page

    def _crashed(self, page):
        self.crashed = True

    def _heard(self, message):
        if is_complaint(message):
            self.complaints.append(f"console: {message.text}")

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # leaving a page aborts its pending requests
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def _asked(self, request):
        address = urlparse(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self.host:
            self.complaints.append(f"off host: {request.url}")

    def go(self, address=None, **fields):
        """Go to an address, or to the lab's link with these fields, and wait for the first picture."""
        self.page.goto(address or f"{self.url}?{urlencode({**self.home, **fields})}")
        self.slider(self.place.slider).wait_for()
        seen = 1 if "story" in fields else self.place.pictures  # the other pictures would answer a story's question
        until(lambda: len(each := self.colours()) == seen and min(each) > 3, "the first picture")
        return self

    def open(self, address=None, **fields):
        """Go to an address or to these fields, and wait until the page is idle."""
        self.go(address, **fields)
        until(lambda: self.page.evaluate("Bokeh.documents[0].is_idle"), "a page at rest")
        self.unfold("More settings")
        if not address and not fields:
            self.first = self.headline
        return self

    def at_start(self):
        """Return whether the page is in its opening state, apart from view settings, which presets do not change."""
        fields, lab_class = self.fields, page_class(self.place.address).lab_class  # no fields before anything has moved
        start = {
            name: word for name, word in lab_class().flat().items() if name == "samples" or name not in lab_class.aside
        }
        return (not fields or (start.items() <= fields.items() and "story" not in fields)) and (
            self.headline == self.first and self.is_idle() and not self.alerts
        )

    def start_over(self):
        """Go back to the first preset, the page's opening state; reload the page if that fails.

        Nothing is done if the page is at its start already: the answer to a needless press would undo the next input.
        """
        if self.crashed:
            self.page.close()
            self.page = self._new_page(self.page.context)
            self.open()
        self.page.bring_to_front()  # a page in the background paints once a second
        self.unfold("More settings")
        if self.at_start():
            return
        try:
            self.button(f"^{re.escape(self.place.preset)}$").click(timeout=5000)
            until(self.at_start, "the start", 5)
        except Exception:
            self.open()
            self.complaints.clear()

    # actions of a user

    def press(self, name, key="ArrowRight"):
        """Move a slider by a key, and wait until its label follows."""
        said = self.says(name)
        self.slider(name).focus()
        self.page.keyboard.press(key)
        until(lambda: self.says(name) != said, f"{name} to say another value")

    def preset(self, name):
        """Open a preset, from the row or from the list under its last button."""
        chip = self.page.locator(".chip").filter(has_text=re.compile(f"^{re.escape(name)}$"))
        if not chip.is_visible():
            self.page.get_by_role("button", name=re.compile(r"^\d+ more$")).click()
        chip.click()

    def begin(self, story):
        """Open a story from its menu."""
        self.folds("Stories").click()
        self.button(f"^{re.escape(story.title)}$").click()

    def choose(self, file):
        """Choose a file of the user's data."""
        self.page.locator("input[type=file]").first.set_input_files(file)  # a second zone waits for a second file

    def picture(self, name):
        """Show a picture that shares its slot with others, from the row or from the list at its end."""
        tab = self.page.locator(".tab").filter(has_text=re.compile(name))
        if not tab.is_visible():
            self.folds("More pictures").click()
        tab.click()

    def share(self, name):
        """Press an entry of the Share menu."""
        self._press_in("Share", name)

    def compare(self, name):
        """Press an entry of the Compare menu."""
        self._press_in("Compare", name)

    def _press_in(self, menu, name):
        head = self.page.get_by_role("button", name=re.compile(f"^{menu}"))
        head.wait_for()  # after a copy, its label is another one for a while
        if head.get_attribute("aria-expanded") == "false":
            head.click()
        self.button(name).click()

    def copied(self, name):
        """Press a copy button of the Share menu and return the clipboard's text."""
        self.page.evaluate("navigator.clipboard.writeText('')")
        self.share(name)
        return until(lambda: self.page.evaluate("navigator.clipboard.readText()"), "a copy")

    def unfold(self, *names):
        """Open closed sections, the lowest first, because a section that opens moves everything below it."""
        for name in reversed(names):
            while closed := self.folds(name).all():
                closed[-1].click()
                until(lambda closed=closed, name=name: self.folds(name).count() < len(closed), f"{name} to open")
        until(self.is_still, "folds at rest")

    def turn(self, expanded):
        """Open or close all sections, one after the other, because two changes in one frame would conflict."""
        self.folds(expanded=not expanded).evaluate_all(
            """async (heads, expanded) => {
            for (const head of heads) {
                head.click()
                while ((head.ariaExpanded === 'true') !== expanded) await new Promise(requestAnimationFrame)
            }
        }""",
            expanded,
        )
        until(lambda: not self.folds(expanded=not expanded).count() and self.is_still(), "folds at rest")

    def drag(self, start, *stops):
        """Drag the mouse from a point through others."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*stop, steps=8)
        self.page.mouse.up()

    def drag_point(self, picture, start, *stops):
        """Drag a point that the user can move through others; all are (x, y) in units of the picture's axes."""
        until(lambda: self._is_over_point(self.at(picture, *start)), f"the pointer on the point at {start}")
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*self.at(picture, *stop), steps=8)
        self.page.mouse.up()

    def _is_over_point(self, place):
        self.page.mouse.move(*place)
        return self.page.evaluate(OFFERS_GRAB)

    def pick(self, name, choice):
        """Choose from a menu."""
        self.page.get_by_role("combobox", name=name).click()
        menu = self.page.get_by_role("listbox", name=name)
        menu.get_by_text(choice, exact=True).click()
        menu.wait_for(state="hidden")  # an open menu covers what is below

    def scroll_up(self):
        """Scroll to the beginning of the page."""
        self.page.locator(".main-content").evaluate("main => main.scrollTo(0, 0)")

    def type(self, name, word):
        self.box(name).fill(word)
        self.box(name).press("Enter")

    @contextmanager
    def hold_slider(self, name):
        """Hold a slider's thumb with the mouse; the yielded function moves it to a share of the track."""
        until(lambda: self._grab(name), f"the thumb of {name} held")
        track = self.track(name)
        y = track["y"] + track["height"] / 2
        yield lambda share: self.page.mouse.move(track["x"] + share * track["width"], y)
        self.page.mouse.up()

    def _grab(self, name):
        """Press the mouse on a thumb; return whether the thumb is now held."""
        slider = self.slider(name)
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        if slider.evaluate("thumb => thumb.parentElement.classList.contains('Mui-active')"):
            return True
        self.page.mouse.up()
        return False

    @contextmanager
    def answers(self, what):
        """Check that the actions inside change pictures and headline."""
        headline, pictures = self.headline, self.pictures()
        yield
        until(lambda: self.headline != headline, f"a new headline after {what}")
        until(lambda: self.pictures() != pictures, f"a new picture after {what}")

    def follows(self, **fields):
        """Wait until the page is idle and the link holds these fields."""
        until(lambda: fields.items() <= self.fields.items(), f"{fields} in the link")

    def agrees(self, late=False, own=None):
        """Wait until the headline is what the library computes from the parameters of the link and the user's data.

        `late` if the headline depends on deferred stages.
        """
        name = self.place.address

        @cache  # the headline depends on the link alone
        def expected(params):
            lab, refused = page_class(name).lab_class.from_flat({field: text for field, text in params if field != "v"})
            assert refused == []
            lab.own = own
            result = lab.result(wait=late)
            return unescape(text_of(registry.role(name, "words").headline(result, result.row).partition("</div>")[0]))

        until(lambda: self.headline == expected(tuple(self.fields.items())), "the headline of the link")
