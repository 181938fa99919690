"""The Drift lab: `panel serve apps/*.py`, then /drift."""

from explorer.pages import open_page

open_page("drift").servable()
