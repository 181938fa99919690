"""The Causes lab: `panel serve apps/*.py`, then /causes."""

from explorer.pages import open_page

open_page("causes").servable()
