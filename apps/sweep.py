"""The Sweep lab: `panel serve apps/*.py`, then /sweep."""

from explorer.pages import open_page

open_page("sweep").servable()
