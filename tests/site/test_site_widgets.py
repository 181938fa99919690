"""The site's widgets: for each lab a page with the HTML to copy, and a page with the widget alone."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from explorer.exports.lab_state import exportable
from explorer.exports.widget import MOST, SCRIPT, shared_script

pytestmark = pytest.mark.thorough


class Boxes(HTMLParser):
    """Text of the boxes of a page, by id."""

    def __init__(self, text):
        super().__init__()
        self.texts, self._within = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self._within = dict(attributes)["id"] if tag == "textarea" else None

    def handle_endtag(self, tag):
        if tag == "textarea":
            self._within = None

    def handle_data(self, data):
        if self._within:
            self.texts[self._within] = self.texts.get(self._within, "") + data


def test_every_lab_that_has_a_widget_has_a_page_with_its_html(site):
    folder = site / "widgets"
    listed = folder.joinpath("index.html").read_text(encoding="utf-8")
    assert folder.joinpath(SCRIPT).read_text(encoding="utf-8") == shared_script()
    for name in exportable():
        alone = folder.joinpath(f"{name}-alone.html").read_text(encoding="utf-8")
        page = folder.joinpath(f"{name}.html").read_text(encoding="utf-8")
        boxes = Boxes(page).texts
        assert boxes["html"] == alone
        assert len(alone.encode()) <= MOST
        assert f'src="{name}-alone.html"' in boxes["frame"]
        assert alone.split("<kernel-mean-widget")[1].split("</template>")[0] in page  # the page contains it, too
        assert f"<a href='{name}.html'>" in listed


@pytest.mark.browser
def test_a_button_copies_html_that_leads_back_here_and_the_theme_is_the_site_s(address, chromium):
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}widgets/shrinkage.html")
    page.locator("button[data-copies=html]").click()
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith('<meta charset="utf-8">')
    assert f'href="{address}labs/' in copied
    shown = "document.querySelector('kernel-mean-widget').getAttribute('theme')"
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(f"{shown} === 'dark'")
    context.close()
