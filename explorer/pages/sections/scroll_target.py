"""To the headline: where the page goes once data of one's own are in use, as their verdict stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.browser import on_change
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text


class ScrollTarget:
    """Takes a browser to the headline; `pane` must be in the page."""

    def __init__(self, headline: Text) -> None:
        self.count: int = 0
        self.pane: Text = html("", margin=0)
        on_change(self.pane, "text", "arrival.go", headline=headline)  # text is the model's name for it

    def go(self) -> None:
        """Go there now."""
        self.count += 1
        self.pane.object = markup("<span data-arrivals='{}'></span>", self.count)
