"""The MONK lab: `panel serve apps/*.py`, then /monk."""

from explorer.pages import open_page

open_page("monk").servable()
