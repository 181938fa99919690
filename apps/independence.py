"""The Independence lab: `panel serve apps/*.py`, then /independence."""

from explorer.pages import open_page

open_page("independence").servable()
