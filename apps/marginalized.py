"""The Marginalized lab: `panel serve apps/*.py`, then /marginalized."""

from explorer.pages import open_page

open_page("marginalized").servable()
