"""Scroll target: the page scrolls to its headline once the user's data are in use, because their result is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.browser import on_change
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text


class ScrollTarget:
    """Scrolls the browser to the headline. `pane` has to be in the page."""

    def __init__(self, headline: Text) -> None:
        self.count: int = 0
        self.pane: Text = html("", margin=0)
        on_change(self.pane, "text", "arrival.go", headline=headline)  # the model calls the pane's object `text`

    def go(self) -> None:
        """Scroll to the headline now."""
        self.count += 1
        self.pane.object = markup("<span data-arrivals='{}'></span>", self.count)
