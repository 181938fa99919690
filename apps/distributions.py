"""The Distributions lab: `panel serve apps/*.py`, then /distributions."""

from explorer.pages import open_page

open_page("distributions").servable()
