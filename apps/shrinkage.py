"""The Shrinkage lab: `panel serve apps/*.py`, then /shrinkage."""

from explorer.pages import open_page

open_page("shrinkage").servable()
