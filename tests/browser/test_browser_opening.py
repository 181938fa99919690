"""A page of `explorer serve` while it opens: its headline is at its final place, and nothing else is left over."""

from __future__ import annotations

from urllib.request import urlopen

import pytest
from helpers.browsing import DESK, PHONE
from helpers.explorer_server import ExplorerServer
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = """() => {
  const {x, y, width, height} = document.querySelector('#early .says').getBoundingClientRect()
  return {x, y, width, height}
}"""


@pytest.fixture(scope="module")
def opener(tmp_path_factory):
    """Start `explorer serve`; `panel serve` sends a page only with its models."""
    started = ExplorerServer(tmp_path_factory.mktemp("opener") / "log")
    # a headline that the process has yet to compute comes with its page
    until(lambda: b"<div class='says'>" in urlopen(f"{started.url}/dna").read(), "the lab's first result", 60)
    yield started
    started.stop()


@pytest.mark.few(1)
@pytest.mark.parametrize(("window", "theme"), [({"viewport": DESK}, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_a_headline_is_read_before_the_page_is_there_and_does_not_move(chromium, opener, window, theme):
    context = chromium.new_context(**{**window, "color_scheme": theme})
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.route("**/bokeh.min.js*", lambda route: (page.wait_for_timeout(300), route.continue_()))
    page.goto(f"{opener.url}/dna", wait_until="commit")
    page.locator("#early .says").wait_for()
    early, says = page.evaluate(PLACE), page.locator("#early .says").inner_text()
    page.wait_for_function("!document.getElementById('early') && Bokeh.documents[0].is_idle")
    late = page.locator(".says")
    until(lambda: late.first.inner_text() == says, "the headline of the page")
    assert late.count() == 1
    assert late.first.bounding_box() == early
    assert complaints == []
    context.close()


def test_a_page_of_another_state_comes_too(chromium, opener):
    context = chromium.new_context(viewport=DESK)
    page = context.new_page()
    page.goto(f"{opener.url}/shrinkage?n=40&theme=dark")
    page.wait_for_function("!document.getElementById('early') && Bokeh.documents[0].is_idle")
    size = page.get_by_role("slider", name="n points")
    until(lambda: size.get_attribute("aria-valuetext") == "40", "the size of that state")
    context.close()
