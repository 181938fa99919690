"""The Density lab: `panel serve apps/*.py`, then /density."""

from explorer.pages import open_page

open_page("density").servable()
