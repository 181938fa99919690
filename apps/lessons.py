"""The lessons to read: `panel serve apps/*.py`, then /lessons."""

from explorer.pages import open_page

open_page("lessons").servable()
