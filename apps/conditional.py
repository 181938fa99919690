"""The Conditional lab: `panel serve apps/*.py`, then /conditional."""

from explorer.pages import open_page

open_page("conditional").servable()
