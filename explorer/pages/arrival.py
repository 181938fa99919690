"""To the headline: where the page goes once data of one's own are in use, as their verdict stands there."""

from __future__ import annotations

from explorer.browser import on_change
from explorer.markup import markup

from .text import html


class Arrival:
    """Takes a browser to the headline; `pane` must be in the page."""

    def __init__(self, headline):
        self.count, self.pane = 0, html("", margin=0)
        on_change(self.pane, "text", "arrival.go", headline=headline)  # text is the model's name for it

    def go(self):
        """Go there now."""
        self.count += 1
        self.pane.object = markup("<span data-arrivals='{}'></span>", self.count)
