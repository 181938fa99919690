"""The lessons in a browser: narrow and wide, without a barrier, and no request to another host."""

from __future__ import annotations

from urllib.parse import urlparse

import pytest
from helpers.browsing import DESK, PHONE
from helpers.server_process import until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


@pytest.mark.parametrize("options", [{"viewport": DESK}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("address", ["lessons", "lessons?lesson=8"])
def test_a_lesson_is_read(chromium, server, axe, options, address):
    context, asked = chromium.new_context(**options), []
    page = context.new_page()
    page.on("request", lambda request: asked.append(urlparse(request.url)))
    page.goto(f"{server.url}/{address}")
    until(lambda: page.locator("h1").count() == 1, "the page's heading")
    until(lambda: page.evaluate("Bokeh.documents[0].is_idle"), "a page at rest")
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]
    hosts = {each.netloc for each in asked if each.scheme not in ("data", "blob")}
    assert hosts == {urlparse(server.url).netloc}
    page.add_script_tag(path=axe)
    found = page.evaluate("axe.run({resultTypes: ['violations']}).then(({violations}) => violations)")
    assert [(e["id"], e["nodes"][0]["html"]) for e in found if e["impact"] in ("serious", "critical")] == []
    context.close()
