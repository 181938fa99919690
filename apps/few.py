"""The Few lab: `panel serve apps/*.py`, then /few."""

from explorer.pages import open_page

open_page("few").servable()
