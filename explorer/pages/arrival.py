"""To the headline: where the page goes once data of one's own are in use, as their verdict stands there."""

from __future__ import annotations

from explorer.markup import markup

from .text import html

# whatever scrolls, the page or a part of it: its beginning; then keys and screen readers are at the headline too
GO = """
const view = cb_context.index.find_one(headline)
if (!view) return
for (let part = view.el; part; part = part.parentElement ?? part.getRootNode().host) part.scrollTop = 0
view.el.tabIndex = -1
view.el.style.outline = 'none'
view.el.focus({preventScroll: true})
"""


class Arrival:
    """Takes a browser to the headline; `pane` must be in the page."""

    def __init__(self, headline):
        self.count, self.pane = 0, html("", margin=0)
        self.pane.jscallback(args={"headline": headline}, text=GO)  # text is the model's name for it

    def go(self):
        """Go there now."""
        self.count += 1
        self.pane.object = markup("<span data-arrivals='{}'></span>", self.count)
