"""The Fit lab: `panel serve apps/*.py`, then /fit."""

from explorer.pages import open_page

open_page("fit").servable()
